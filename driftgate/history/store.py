"""The history's file.

Every distinct piece stands once: a field, a row of fields, a set, a surface. A release is one line that names its
surface and says how that is known. The text is canonical: the same history is the same bytes, whoever scanned it and
in whatever order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from driftgate.errors import SnapshotError
from driftgate.formats.canonical import flow, flow_list, scalar
from driftgate.formats.files import read_text, write_atomically
from driftgate.formats.yaml import load_yaml
from driftgate.history.record import SHARED_TITLE, History, Known, Reading
from driftgate.snapshot import field_record, parse_field
from driftgate.surface import Evidence, Field, FieldTable, Origin, Place, Surface, Vocabulary
from driftgate.versions import is_version, version_key

FORMAT: Final = 1
UNKNOWN: Final = "unknown"
"""What stands for a published release of which nothing is known."""

HEADER: Final = (
    "# Which release states which surface. Written by `driftgate history --scan` and `driftgate refresh`; not edited.\n"
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
    releases = {reading.version: _release(reading, surfaces[id(reading.surface)][0]) for reading in history.readings}
    releases |= dict.fromkeys(history.unknown, UNKNOWN)
    sections = {
        "fields": [f"{scalar(name)}: {flow(field_record(field))}" for (_, field), name in fields.names.items()],
        "rows": [f"{scalar(name)}: {flow_list(content)}" for (_, content), name in rows.names.items()],
        "sets": [line for (_, members), name in sets.names.items() for line in _set_lines(name, members)],
        "surfaces": [f"{scalar(number)}: {flow(record)}" for number, record in surfaces.values()],
        "releases": [f"{version}: {scalar(releases[version])}" for version in history.published()],
    }
    lines = [f"driftgate: {FORMAT}", f"upstream: {scalar(history.upstream)}"]
    for name, section in sections.items():
        lines += [f"{name}:" if section else f"{name}: {{}}", *(f"  {line}" for line in section)]
    return HEADER + "\n".join(lines) + "\n"


def _set_lines(name: str, members: tuple[str, ...]) -> list[str]:
    return [f"{scalar(name)}:", *(f"- {scalar(member)}" for member in members)] if members else [f"{scalar(name)}: []"]


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


def _release(reading: Reading, surface: str) -> str:
    words = [surface, reading.known.value]
    if reading.origin is not None:
        words += [f"{reading.origin.package}@{reading.origin.version}", reading.origin.integrity or "unpinned"]
    return " ".join(words)


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
    from driftgate.upstreams.shipped import snapshots_dir

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
    stated = data["releases"]
    if list(stated) != sorted(stated, key=version_key):
        raise ValueError("the releases are not in the order of their versions")
    readings = tuple(_reading(version, text, surfaces) for version, text in stated.items() if text != UNKNOWN)
    unknown = tuple(version for version, text in stated.items() if text == UNKNOWN)
    return History(data["upstream"], readings, unknown)


def _surface(record: Mapping[str, Any], rows: Mapping[str, tuple[Field, ...]], sets: Mapping[str, Any]) -> Surface:
    vocabularies: dict[str, Vocabulary] = {}
    tables: dict[str, FieldTable] = {}
    for name, piece in record.items():
        if isinstance(piece, dict):
            tables[name] = FieldTable(name, MappingProxyType({row: rows[of] for row, of in piece.items()}))
        else:
            vocabularies[name] = Vocabulary(name, None if piece is None else sets[piece])
    return Surface(SHARED_TITLE, None, MappingProxyType(vocabularies), MappingProxyType(tables))


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
