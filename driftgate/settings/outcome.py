"""What `classify` answers as a whole, and the one rule for its exit code."""

from __future__ import annotations

from dataclasses import dataclass

from driftgate.classifier.contract import CONTRACT
from driftgate.errors import ExitCode
from driftgate.settings.pieces import FileVerdict, Unreadable


@dataclass(frozen=True, slots=True)
class ClassifyReport:
    """The verdict on every file that was named, in their order.

    `pin` is the release that the verdicts hold for: by the contract that is pinned to it or, where files are
    `released`, by what the release itself does. `policy` is the range of releases on all of which everything must
    load, if there is one; the answers of these releases stand in the files' `ranges`.
    """

    pin: str
    files: tuple[FileVerdict | Unreadable, ...]
    policy: str | None = None

    @property
    def exit_code(self) -> ExitCode:
        """Blind if anything could not be looked at, drift if anything does not load where it must, else agrees."""
        verdicts = [file for file in self.files if isinstance(file, FileVerdict)]
        ranges = [one for file in verdicts for one in file.ranges] if self.policy is not None else []
        unknown = any(one.verdict is None for one in ranges)
        if not verdicts or len(verdicts) < len(self.files) or unknown or (self.policy is not None and not ranges):
            return ExitCode.BLIND
        loads = all(file.all_loads for file in verdicts) and all(one.everything_loads for one in ranges)
        return ExitCode.AGREES if loads else ExitCode.DRIFT

    @property
    def vocabulary(self) -> str:
        """What the verdicts hold for, in one line."""
        released = [file.released for file in self.files if isinstance(file, FileVerdict) and file.released]
        if released:
            return f"Claude Code {self.pin}: {released[0].basis}"
        return f"Claude Code {self.pin} ({len(CONTRACT.events)} events, {len(CONTRACT.entry_types)} entry types)"
