"""What `classify` answers as a whole, and the one rule for its exit code."""

from __future__ import annotations

from dataclasses import dataclass

from driftgate.contract import CONTRACT
from driftgate.errors import ExitCode
from driftgate.settings.model import FileVerdict, Unreadable


@dataclass(frozen=True, slots=True)
class ClassifyReport:
    """The verdict on every file that was named, in their order; `pin` is the release that they hold for."""

    pin: str
    files: tuple[FileVerdict | Unreadable, ...]

    @property
    def exit_code(self) -> ExitCode:
        """Blind if any file could not be looked at, drift if anything in one does not load, else agrees."""
        if not self.files or any(isinstance(file, Unreadable) for file in self.files):
            return ExitCode.BLIND
        return (
            ExitCode.AGREES
            if all(file.all_loads for file in self.files if isinstance(file, FileVerdict))
            else ExitCode.DRIFT
        )

    @property
    def vocabulary(self) -> str:
        """What the verdicts hold for, in one line."""
        return f"Claude Code {self.pin} ({len(CONTRACT.events)} events, {len(CONTRACT.entry_types)} entry types)"
