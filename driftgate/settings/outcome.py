"""What `classify` answers as a whole, and the one rule for its exit code."""

from __future__ import annotations

from dataclasses import dataclass

from driftgate.errors import ExitCode
from driftgate.settings.contracts import contract_at
from driftgate.settings.pieces import FileVerdict, Judge, Unreadable


@dataclass(frozen=True, slots=True)
class ClassifyReport:
    """The verdict on every file that was named, in their order.

    `pin` is the release that the verdicts hold for, and `judge` who gave them. `policy` is the range of releases on
    all of which everything must load, if there is one; the answers of these releases stand in the files' `ranges`.
    `fail_on_warning` says that a warning is a failure too.
    """

    pin: str
    files: tuple[FileVerdict | Unreadable, ...]
    policy: str | None = None
    judge: Judge = Judge.BOTH
    fail_on_warning: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """Blind if anything could not be looked at, drift if anything does not load where it must, else agrees."""
        verdicts = [file for file in self.files if isinstance(file, FileVerdict)]
        ranges = [one for file in verdicts for one in file.ranges] if self.policy is not None else []
        unknown = any(one.verdict is None for one in ranges)
        if not verdicts or len(verdicts) < len(self.files) or unknown or (self.policy is not None and not ranges):
            return ExitCode.BLIND
        loads = all(file.all_loads for file in verdicts) and all(one.everything_loads for one in ranges)
        loads = loads and not (self.fail_on_warning and any(file.warnings for file in verdicts))
        return ExitCode.AGREES if loads else ExitCode.DRIFT

    @property
    def vocabulary(self) -> str:
        """What the verdicts hold for, in one line."""
        released = [file.released for file in self.files if isinstance(file, FileVerdict) and file.released]
        if released and self.judge is Judge.RELEASE:
            return f"Claude Code {self.pin}: {released[0].basis}"
        contract = contract_at(self.pin)
        known = f"Claude Code {self.pin} ({len(contract.events)} events, {len(contract.entry_types)} entry types)"
        return known if not released or released[0].reader.verified else f"{known}, {released[0].reader_basis}"
