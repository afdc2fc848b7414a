"""All the types of a file whose names match a pattern, as one field table: `*HookInput`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from driftgate.declared.interpret import fields_of
from driftgate.declared.values import Record, Stated
from driftgate.surface import Evidence, Field, FieldTable, Origin, Place, Witness

_WRITTEN_OUT: Final = re.compile(r"[{(]")
_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def table_of(name: str, pattern: str, statements: Iterable[Stated]) -> FieldTable | None:
    """Return the types among `statements` whose names match `pattern`, each a row with its fields; None without any.

    A union of such types only repeats them, and is no row.
    """
    rows: dict[str, tuple[Field, ...]] = {}
    place: Place | None = None
    for statement in statements:
        if fnmatchcase(statement.name, pattern) and isinstance(statement.value, Record):
            rows[statement.name] = tuple(_plain(field) for field in fields_of(statement.value))
            place = place or statement.place
    if place is None:
        return None
    evidence = Evidence(Origin(location=place.source), place, (Witness(pattern, place, tuple(rows)),))
    return FieldTable(name, MappingProxyType(rows), (evidence,))


def _plain(field: Field) -> Field:
    """Return a field whose kind, where it is a type written out, has neither comments nor a layout of its own."""
    if not _WRITTEN_OUT.search(field.kind):
        return field
    kind = re.sub(r"\s+", " ", _COMMENT.sub(" ", field.kind))
    return replace(field, kind=re.sub(r"[;,]? \}", " }", kind).strip())
