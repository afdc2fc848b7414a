"""Reports of `check`: one module a format, all behind one function.

A format module has `render(report: CheckReport, style: Style) -> str`. Reports only word what the gate found: nothing
here decides anything, and the exit code is the report's own in every format. What could not be looked at is shown in
every format as an error: none of them can be an empty green document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import UsageError

if TYPE_CHECKING:
    from driftgate.gate.outcome import CheckReport


FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text": "for people at a terminal or in a log",
        "concise": "one line a finding, for editors and problem matchers",
        "json": "one document, for programs",
        "markdown": "for job summaries and the bodies of issues and pull requests",
        "github": "annotations of GitHub Actions",
        "sarif": "SARIF 2.1.0, for code scanning",
        "junit": "JUnit XML, for test reports",
        "gitlab": "GitLab code quality",
    }
)
"""Every format and what it is for; the module of a format has its name."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a report is to look: coloured or not, how many columns wide, how much of it.

    `base` is the folder that the paths of files are relative to where they lie below it: the repository's root for
    what a CI service reads, None for the current folder.
    """

    color: bool = False
    width: int = 100
    quiet: bool = False
    verbose: bool = False
    base: Path | None = None


def render(report: CheckReport, format: str = "text", style: Style | None = None) -> str:  # noqa: A002
    """Return `report` in a format (a key of `FORMATS`), without a line end at its end.

    Raises UsageError for a format that does not exist.
    """
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r}", expected=", ".join(FORMATS))
    text: str = import_module(f"driftgate.report.{format}").render(report, style or Style())
    return text
