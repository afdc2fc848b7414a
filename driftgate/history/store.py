"""The history of releases as a value, and its file.

Every distinct piece stands once: a field, a row of fields, a set, a surface. A release is one line that names its
surface and says how that is known. The text is canonical: the same history is the same bytes, whoever scanned it and
in whatever order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.errors import SnapshotError
from driftgate.files import read_text, write_atomically
from driftgate.snapshot import facts, field_record, flow, parse_field, scalar
from driftgate.surface import Evidence, Field, FieldTable, Origin, Place, Surface, Vocabulary
from driftgate.versions import is_version, version_key
from driftgate.yamlio import load_yaml

FORMAT: Final = 1
HEADER: Final = (
    "# Which release states which surface. Written by `driftgate history --scan` and `driftgate refresh`; not edited.\n"
)


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
class History:
    """The releases of one upstream, oldest first; each version once. Surfaces that are equal are the same object."""

    upstream: str
    readings: tuple[Reading, ...]

    def versions(self) -> tuple[str, ...]:
        """Return every version, oldest first."""
        return tuple(reading.version for reading in self.readings)

    def get(self, version: str) -> Reading | None:
        """Return the reading of exactly `version`, or None."""
        reading = self.at(version)
        return reading if reading is not None and reading.version == version else None

    def at(self, version: str) -> Reading | None:
        """Return the reading of the newest release up to `version`, or None where all are newer."""
        index = bisect_right(self.readings, version_key(version), key=lambda reading: version_key(reading.version))
        return self.readings[index - 1] if index else None


def history_of(upstream: str, read: Iterable[Reading], published: Iterable[str]) -> History:
    """Return the history that follows from what was read.

    Of the `published` releases that were not read, those between two read ones with equal surfaces are `between`; the
    others stay unknown and are left out.
    """
    by_version = {reading.version: reading for reading in _shared(read)}
    ends = sorted(by_version.values(), key=lambda reading: version_key(reading.version))
    keys = [version_key(reading.version) for reading in ends]
    for version in published:
        index = bisect_right(keys, version_key(version))
        if version not in by_version and 0 < index < len(ends) and ends[index - 1].surface is ends[index].surface:
            by_version[version] = Reading(version, ends[index].surface, Known.BETWEEN)
    return History(upstream, tuple(sorted(by_version.values(), key=lambda reading: version_key(reading.version))))


def _shared(read: Iterable[Reading]) -> Iterator[Reading]:
    """Yield the readings with equal surfaces made one object: that of the oldest release."""
    known: list[tuple[Mapping[str, Any], Surface]] = []
    for reading in sorted(read, key=lambda reading: version_key(reading.version)):
        stated = facts(reading.surface)
        surface = next((surface for content, surface in reversed(known) if content == stated), None)
        if surface is None:
            surface = _bare(reading.surface, reading.version)
            known.append((stated, surface))
        yield Reading(reading.version, surface, Known.READ, reading.origin)


def _bare(surface: Surface, version: str) -> Surface:
    """Return the facts of a surface alone; the evidence of a release is its own."""
    return Surface(
        title=f"the surface of {version}",
        version=version,
        vocabularies=MappingProxyType({n: Vocabulary(n, v.members) for n, v in surface.vocabularies.items()}),
        tables=MappingProxyType({n: FieldTable(n, t.rows) for n, t in surface.tables.items()}),
    )


# --- writing ---------------------------------------------------------------------------------------------------------


class _Pieces:
    """Names each distinct piece once, in the order of first use: `timeout.1`, `timeout.2`."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, Any], str] = {}
        self._counts: dict[str, int] = {}

    def name(self, stem: str, content: Any) -> str:
        key = (stem, content)
        if key not in self.names:
            self._counts[stem] = self._counts.get(stem, 0) + 1
            self.names[key] = f"{stem}.{self._counts[stem]}"
        return self.names[key]


def dump_history(history: History) -> str:
    """Return the canonical text of `history`."""
    fields, rows, sets = _Pieces(), _Pieces(), _Pieces()
    surfaces: dict[int, tuple[str, dict[str, Any]]] = {}
    for reading in history.readings:
        if id(reading.surface) not in surfaces:
            record = _surface_record(reading.surface, fields, rows, sets)
            surfaces[id(reading.surface)] = (str(len(surfaces) + 1), record)
    lines = [f"driftgate: {FORMAT}", f"upstream: {scalar(history.upstream)}", "fields:"]
    lines += [f"  {name}: {flow(field_record(field))}" for (_, field), name in fields.names.items()]
    lines += ["rows:", *(f"  {name}: {_list(content)}" for (_, content), name in rows.names.items())]
    lines.append("sets:")
    for (_, members), name in sets.names.items():
        lines += [f"  {name}:" if members else f"  {name}: []", *(f"  - {scalar(member)}" for member in members)]
    lines.append("surfaces:")
    lines += [f'  "{number}": {_nested(record)}' for number, record in surfaces.values()]
    lines.append("releases:")
    lines += [f"  {_release(reading, surfaces[id(reading.surface)][0])}" for reading in history.readings]
    return HEADER + "\n".join(lines) + "\n"


def _surface_record(surface: Surface, fields: _Pieces, rows: _Pieces, sets: _Pieces) -> dict[str, Any]:
    record: dict[str, Any] = {
        name: None if vocabulary.members is None else sets.name(name, vocabulary.members)
        for name, vocabulary in surface.vocabularies.items()
    }
    for name, table in surface.tables.items():
        record[name] = {
            row: rows.name(row, tuple(fields.name(field.name, field) for field in row_fields))
            for row, row_fields in table.rows.items()
        }
    return record


def _list(names: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, names))}]"


def _nested(record: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        return _nested(value) if isinstance(value, Mapping) else scalar(value)

    return "{" + ", ".join(f"{scalar(key)}: {text(value)}" for key, value in record.items()) + "}"


def _release(reading: Reading, surface: str) -> str:
    words = [surface, reading.known.value]
    if reading.origin is not None:
        words += [f"{reading.origin.package}@{reading.origin.version}", reading.origin.integrity or "unpinned"]
    return f"{reading.version}: {scalar(' '.join(words))}"


def write_history(path: Path, history: History) -> None:
    """Write `history` to `path`, atomically."""
    write_atomically(path, dump_history(history))


# --- reading ---------------------------------------------------------------------------------------------------------

_RELEASE: Final = re.compile(r"(\S+) (?:(between)|(read) (@?[^@\s]+)@(\S+) (\S+))\Z")


def load_history(path: Path) -> History:
    """Return the history in the file at `path`. Raises `SnapshotError`."""
    return parse_history(read_text(path, SnapshotError, "the history"), where=str(path))


@cache
def shipped_history(upstream: str = "claude-code") -> History:
    """Return the history that driftgate ships (in a checkout: the repository's own), or one of nothing."""
    from driftgate.config import snapshots_dir

    path = snapshots_dir() / upstream / "history.yaml"
    return load_history(path) if path.is_file() else History(upstream, ())


def parse_history(text: str, *, where: str) -> History:
    """Return the history that `text` states. Raises `SnapshotError` naming the first thing that is wrong."""
    data = load_yaml(text, where=where, error=SnapshotError)
    try:
        return _parsed(data, where)
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise SnapshotError(
            "the history is malformed",
            where=where,
            found=f"{type(problem).__name__}: {problem}",
            next="restore the file from version control, or scan again",
        ) from problem


def _parsed(data: Mapping[str, Any], where: str) -> History:
    if data["driftgate"] != FORMAT:
        raise ValueError(f"format {data['driftgate']!r}, where {FORMAT} is known")
    fields = {name: parse_field(record, f"fields.{name}", where) for name, record in data["fields"].items()}
    rows = {name: tuple(fields[field] for field in names) for name, names in data["rows"].items()}
    sets = {name: tuple(members) for name, members in data["sets"].items()}
    surfaces = {name: _surface(record, rows, sets) for name, record in data["surfaces"].items()}
    readings = [_reading(version, text, surfaces) for version, text in data["releases"].items()]
    if [reading.version for reading in readings] != sorted((r.version for r in readings), key=version_key):
        raise ValueError("the releases are not in the order of their versions")
    return History(data["upstream"], tuple(readings))


def _surface(record: Mapping[str, Any], rows: Mapping[str, tuple[Field, ...]], sets: Mapping[str, Any]) -> Surface:
    vocabularies: dict[str, Vocabulary] = {}
    tables: dict[str, FieldTable] = {}
    for name, piece in record.items():
        if isinstance(piece, dict):
            tables[name] = FieldTable(name, MappingProxyType({row: rows[of] for row, of in piece.items()}))
        else:
            vocabularies[name] = Vocabulary(name, None if piece is None else sets[piece])
    return Surface("history", None, MappingProxyType(vocabularies), MappingProxyType(tables))


def _reading(version: str, text: str, surfaces: Mapping[str, Surface]) -> Reading:
    match = _RELEASE.match(text)
    if match is None or not is_version(version):
        raise ValueError(f"release {version}: {text!r}")
    surface, between, _, package, own, integrity = match.groups()
    if between:
        return Reading(version, surfaces[surface], Known.BETWEEN)
    return Reading(version, surfaces[surface], Known.READ, Origin(package, own, integrity))


def surface_with_evidence(reading: Reading, title: str) -> Surface:
    """Return the surface of a reading as that release's own, with the artefact as evidence where it was read."""
    evidence = (Evidence(reading.origin, Place("history")),) if reading.origin else ()
    surface = reading.surface
    return Surface(
        title=f"{title} {reading.version} (history)",
        version=reading.version,
        vocabularies=MappingProxyType({n: Vocabulary(n, v.members, evidence) for n, v in surface.vocabularies.items()}),
        tables=MappingProxyType({n: FieldTable(n, t.rows, evidence) for n, t in surface.tables.items()}),
    )
