"""The history of releases as a value: what each release states, how that is known, and which are not known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from driftgate.surface import FieldTable, Origin, Surface, Vocabulary, facts
from driftgate.versions import version_key

SHARED_TITLE: Final = "the history of releases"
"""The title of a surface that several releases share; its version is None."""


class Known(StrEnum):
    """How a release's surface is known."""

    READ = "read"
    """Its own anchor was read."""
    BETWEEN = "between"
    """It lies between two releases that were read and whose surfaces are equal. Names can come and go in between."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One release: its surface, how it is known, and the artefact that was read (None for `between`)."""

    version: str
    surface: Surface
    known: Known
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring known releases with the same surface; `unread` are the unknown ones after the run before."""

    surface: Surface
    readings: tuple[Reading, ...]
    unread: tuple[str, ...] = ()

    @property
    def first(self) -> Reading:
        """The oldest release of the run."""
        return self.readings[0]

    @property
    def last(self) -> Reading:
        """The newest release of the run."""
        return self.readings[-1]


@dataclass(frozen=True, slots=True)
class History:
    """The releases of one upstream, oldest first; each version once. Surfaces that are equal are the same object.

    `unknown` are the published releases of which nothing is known: not read, and not between two equal readings.
    """

    upstream: str
    readings: tuple[Reading, ...]
    unknown: tuple[str, ...] = ()

    def versions(self) -> tuple[str, ...]:
        """Return every version whose surface is known, oldest first."""
        return tuple(reading.version for reading in self.readings)

    def published(self) -> tuple[str, ...]:
        """Return every version, known or not, oldest first."""
        return tuple(sorted((*self.versions(), *self.unknown), key=version_key))

    def read(self) -> dict[str, Reading]:
        """Return the releases that were read themselves, by version."""
        return {reading.version: reading for reading in self.readings if reading.known is Known.READ}

    def get(self, version: str) -> Reading | None:
        """Return the reading of exactly `version`, or None."""
        reading = self.at(version)
        return reading if reading is not None and reading.version == version else None

    def at(self, version: str) -> Reading | None:
        """Return the reading of the newest known release up to `version`, or None where all are newer."""
        index = bisect_right(self.readings, version_key(version), key=lambda reading: version_key(reading.version))
        return self.readings[index - 1] if index else None

    def between(self, older: str, newer: str) -> tuple[str, ...]:
        """Return the published releases of which nothing is known between two versions."""
        return tuple(v for v in self.unknown if version_key(older) < version_key(v) < version_key(newer))

    def runs(self) -> tuple[Run, ...]:
        """Return the releases in runs with the same surface, oldest first: where one ends, something changed."""
        runs: list[Run] = []
        for _, group in groupby(self.readings, key=lambda reading: id(reading.surface)):
            readings = tuple(group)
            unread = self.between(runs[-1].last.version, readings[0].version) if runs else ()
            runs.append(Run(readings[0].surface, readings, unread))
        return tuple(runs)


def history_of(upstream: str, read: Iterable[Reading], published: Iterable[str]) -> History:
    """Return the history that follows from what was read.

    Of the `published` releases that were not read, those between two read ones with equal surfaces are `between`; the
    others are unknown.
    """
    by_version = {reading.version: reading for reading in _shared(read)}
    ends = tuple(by_version.values())
    keys = [version_key(reading.version) for reading in ends]
    unknown: list[str] = []
    for version in published:
        if version in by_version:
            continue
        index = bisect_right(keys, version_key(version))
        if 0 < index < len(ends) and ends[index - 1].surface is ends[index].surface:
            by_version[version] = Reading(version, ends[index].surface, Known.BETWEEN)
        else:
            unknown.append(version)
    readings = sorted(by_version.values(), key=lambda reading: version_key(reading.version))
    return History(upstream, tuple(readings), tuple(sorted(unknown, key=version_key)))


def _shared(read: Iterable[Reading]) -> Iterator[Reading]:
    """Yield the readings, oldest first, with equal surfaces made one object: that of the oldest release."""
    known: list[tuple[Mapping[str, Any], Surface]] = []
    same: dict[int, Surface] = {}
    for reading in sorted(read, key=lambda reading: version_key(reading.version)):
        surface = same.get(id(reading.surface))
        if surface is None:
            stated = facts(reading.surface)
            surface = next((surface for content, surface in reversed(known) if content == stated), None)
            if surface is None:
                surface = shared(reading.surface)
                known.append((stated, surface))
            same[id(reading.surface)] = surface
        yield Reading(reading.version, surface, Known.READ, reading.origin)


def shared(surface: Surface) -> Surface:
    """Return the facts of a surface alone, as releases share them; the evidence of a release is its own."""
    return Surface(
        title=SHARED_TITLE,
        vocabularies=MappingProxyType({n: Vocabulary(n, v.members) for n, v in surface.vocabularies.items()}),
        tables=MappingProxyType({n: FieldTable(n, t.rows) for n, t in surface.tables.items()}),
    )
