"""Where a report points to: files as the reader's tool knows them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from driftgate.judge.findings import Finding, Home
    from driftgate.report import Style
    from driftgate.surface import Place


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file. `path` has forward slashes and is relative to the style's base where it lies below it.

    `line` and `column` count from 1; None where only the file is meant.
    """

    path: str
    line: int | None = None
    column: int | None = None

    @property
    def is_relative(self) -> bool:
        """Whether the file lies below the base, so that a tool finds it there."""
        return not Path(self.path).is_absolute()

    def __str__(self) -> str:
        numbers = (number for number in (self.line, self.column) if number is not None)
        return ":".join([self.path, *map(str, numbers)])


def location_of(place: Place, home: Home, style: Style) -> Location | None:
    """Return where `place` is; None where it is no file of the project (a part of an artefact)."""
    path = Path(home.root) / place.source
    try:
        is_file = bool(home.root) and path.is_file()
    except OSError:  # a name that no file can have
        return None
    return Location(shown(path, style), place.line, place.column) if is_file else None


def first_location(finding: Finding, style: Style) -> Location:
    """Return the one place of `finding` for formats that need one: the declaring file, else the configuration."""
    found = (location_of(place, finding.home, style) for place in finding.places)
    return next(filter(None, found), None) or configuration(finding.home, style)


def configuration(home: Home, style: Style) -> Location:
    """Return the configuration's file; what it should be called where there is none."""
    return Location(shown(Path(home.source), style) if home.source else "pyproject.toml")


def shown(path: Path, style: Style) -> str:
    """Return `path` as people and tools want to read it."""
    base = style.base or Path.cwd()
    return (path.relative_to(base) if path.is_absolute() and path.is_relative_to(base) else path).as_posix()
