"""One declared set: from a spec to a vocabulary or a field table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from driftgate.declared.interpret import is_table, literal_places, to_table, to_vocabulary
from driftgate.declared.languages import module_of
from driftgate.declared.naming import snake_case
from driftgate.declared.source import Source, load
from driftgate.declared.spec import Spec, parse_spec
from driftgate.declared.unreadable import not_too_deep, unreadable
from driftgate.declared.values import Entries, Enumeration, Foreign, Items, Keyed, Opaque, Record, Text, Value
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, FieldTable, Place, Vocabulary


def read_declared(spec: str, *, root: Path, vocabulary: str | None = None) -> Vocabulary | FieldTable:
    """Read the set that `spec` ("path#NAME" or "reader:path#NAME") names; `path` is relative to `root`.

    `NAME{keys}` and `NAME{values}` are the keys or the values of a mapping. A NAME with a star in it ("*HookInput")
    stands for all the types whose names match, as one table.
    `vocabulary` says what it is compared as ("hook_events"): the name of the result, and whether a table or a set is
    wanted where the source could be read as either. Without it, the result is named after NAME and is a table if the
    source states fields. Names that stand twice are one member; `notices()` of the result says so.

    Raises:
        ConfigError: `spec` is not a spec, or names no known reader.
        DeclaredError: the file or the name is missing, or its value cannot be read without running it.
    """
    parsed = parse_spec(spec)
    source = load(root / parsed.path, root=root)
    name = vocabulary or snake_case(parsed.name)
    with not_too_deep(source):
        types = (
            _matching(name, parsed, source)
            if "*" in parsed.name.partition(".")[0] and vocabulary not in HOOK_SETS
            else None
        )
        if types is not None:
            return types
        value = _side(module_of(_reader(parsed, source)).read(source, parsed.name), parsed)
    wants_table = vocabulary == HOOK_ENTRY_FIELDS_TABLE or (vocabulary not in HOOK_SETS and is_table(value))
    return (to_table if wants_table else to_vocabulary)(name, parsed.name, value)


_SCHEMA: Final = re.compile(r'"\$schema"\s*:\s*"[^"]*json-schema\.org')


def _reader(spec: Spec, source: Source) -> str:
    """The reader for a file: JSON that says it is a schema is read as one, unless the spec says `json:`."""
    is_schema = spec.reader == "json" and not spec.text.startswith("json:") and _SCHEMA.search(source.text)
    return "jsonschema" if is_schema else spec.reader


def _side(value: Value, spec: Spec) -> Value:
    """Return the keys or the values of a mapping, where the spec says which."""
    pairs: tuple[tuple[Text, Value], ...]
    match value:
        case Entries(entries=pairs) | Enumeration(entries=pairs) | Record(fields=pairs) if spec.side:
            return Items(tuple(key if spec.side == "keys" else item for key, item in pairs), value.place)
        case Keyed(keys=keys) if spec.side == "keys":
            return keys
        case _ if spec.side and not isinstance(value, Foreign | Opaque):
            raise unreadable(spec.name, f"no mapping, so it has no {spec.side}", value.place, expected="a mapping")
        case _:
            return value


def _matching(name: str, spec: Spec, source: Source) -> FieldTable | None:
    from driftgate.declared.matching import table_of  # seldom needed

    return None if spec.name.startswith("/") else table_of(name, spec.name, module_of(spec.reader).stated(source))


def mentions(spec: str, name: str, *, root: Path) -> tuple[tuple[str, Place], ...]:
    """Return where else than in the set that `spec` names the same file states `name`: (what states it, place).

    For a name that a set lacks, e.g. an input class for an event that the union of events leaves out. It is said
    beside a finding and proves nothing.
    """
    parsed = parse_spec(spec)
    source = load(root / parsed.path, root=root)
    with not_too_deep(source):
        statements = list(module_of(_reader(parsed, source)).stated(source))
    found: dict[Place, str] = {}
    for stated in statements:
        kind = "type" if isinstance(stated.value, Record) else "constant"
        for text in literal_places(stated.value):
            if text.value == name and stated.name != parsed.name:
                found.setdefault(text.place, f"{kind} {stated.name}")
    return tuple((what, place) for place, what in found.items())
