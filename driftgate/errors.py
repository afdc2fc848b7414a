"""The errors that reach people, and the exit code that each kind of them means."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import ClassVar, Final


class ExitCode(IntEnum):
    """What the process says to its caller; there are no others."""

    AGREES = 0
    DRIFT = 1
    USAGE = 2
    BLIND = 3


VERDICTS: Final[Mapping[ExitCode, str]] = MappingProxyType(
    {ExitCode.AGREES: "agrees", ExitCode.DRIFT: "drift", ExitCode.USAGE: "usage error", ExitCode.BLIND: "blind"}
)
"""Every exit code in a word."""

BELOW_THE_LIMIT: Final = "below the limit"
"""The verdict on findings none of which is as severe as the run asks for: exit 0, and yet not "agrees"."""


def verdict_line(code: ExitCode, verdict: str = "") -> str:
    """Return the last line of every text output, e.g. "driftgate: drift, exit 1"; `verdict` says it in other words."""
    return f"driftgate: {verdict or VERDICTS[code]}, exit {int(code)}"


class DriftgateError(Exception):
    """Root of every error that driftgate raises on purpose.

    The parts are kept as data: `what` went wrong, `where` (a file, an address, a place in an artefact), what was
    `expected`, what was `found`, and what to do `next`. The message is built once, from them.
    """

    code: ClassVar[ExitCode] = ExitCode.BLIND

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        expected: str = "",
        found: str = "",
        next: str = "",  # noqa: A002
    ) -> None:
        self.what = what
        self.where = where
        self.expected = expected
        self.found = found
        self.next = next
        parts = (("where", where), ("expected", expected), ("found", found), ("next", next))
        super().__init__("\n".join([what, *(f"  {name + ':':<10}{text}" for name, text in parts if text)]))


class UsageError(DriftgateError):
    """The command line asks for something that cannot be."""

    code = ExitCode.USAGE


class ConfigError(DriftgateError):
    """The configuration (of driftgate, or of npm) is wrong or incomplete."""

    code = ExitCode.USAGE


class NoConfigError(ConfigError):
    """A project has no configuration of driftgate's."""


class BlindError(DriftgateError):
    """driftgate could not look, or could not be sure what it saw."""


class AnchorError(BlindError):
    """An artefact could not be found, fetched, or trusted."""


class ExtractionError(BlindError):
    """An artefact was read, and its sets were not found or contradict each other."""


class SnapshotError(BlindError):
    """A snapshot is missing, malformed, or is not the one that was asked for."""


class DeclaredError(BlindError):
    """A package's constants were found and could not be evaluated, or were not found."""
