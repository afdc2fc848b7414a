"""One declared set: from a spec to a vocabulary or a field table."""

from __future__ import annotations

from pathlib import Path

from driftgate.declared.interpret import is_table, literal_places, to_table, to_vocabulary
from driftgate.declared.languages import module_of
from driftgate.declared.naming import snake_case
from driftgate.declared.source import Source, load
from driftgate.declared.spec import Spec, parse_spec
from driftgate.declared.unreadable import not_too_deep
from driftgate.declared.values import Record
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, FieldTable, Place, Vocabulary


def read_declared(spec: str, *, root: Path, vocabulary: str | None = None) -> Vocabulary | FieldTable:
    """Read the set that `spec` ("path#NAME" or "reader:path#NAME") names; `path` is relative to `root`.

    A NAME with a star in it ("*HookInput") stands for all the types whose names match, as one table.
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
        types = _matching(name, parsed, source) if "*" in parsed.name and vocabulary not in HOOK_SETS else None
        if types is not None:
            return types
        value = module_of(parsed.reader).read(source, parsed.name)
    wants_table = vocabulary == HOOK_ENTRY_FIELDS_TABLE or (vocabulary not in HOOK_SETS and is_table(value))
    return (to_table if wants_table else to_vocabulary)(name, parsed.name, value)


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
        statements = list(module_of(parsed.reader).stated(source))
    found: dict[Place, str] = {}
    for stated in statements:
        kind = "type" if isinstance(stated.value, Record) else "constant"
        for text in literal_places(stated.value):
            if text.value == name and stated.name != parsed.name:
                found.setdefault(text.place, f"{kind} {stated.name}")
    return tuple((what, place) for place, what in found.items())
