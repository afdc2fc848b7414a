"""Everything that one source file states as a hook surface."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.declared.interpret import discriminator, is_table, literal_places, parts_of, to_table, to_vocabulary
from driftgate.declared.languages import module_of, reader_for
from driftgate.declared.naming import snake_case
from driftgate.declared.source import Source, load
from driftgate.declared.unreadable import not_too_deep
from driftgate.declared.values import Foreign, Items, Keyed, Record, Stated, Text, Value
from driftgate.errors import ConfigError, DeclaredError
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Elsewhere,
    FieldTable,
    Surface,
    Vocabulary,
)

_QUALIFIED: Final = r"^(?:valid_|known_|all_|supported_|allowed_|default_|cc_|claude_(?:code_)?)*"

CANONICAL: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        HOOK_EVENTS_SET: re.compile(_QUALIFIED + r"hooks?_events?(?:_(?:names?|types?|kinds?|schema|enum|list|set))*$"),
        HOOK_ENTRY_TYPES_SET: re.compile(
            _QUALIFIED + r"hooks?_(?:(?:entry|handler|command)_)?types?(?:_(?:names?|schema|enum|list|set))*$"
        ),
        HOOK_SHELLS_SET: re.compile(_QUALIFIED + r"(?:hooks?_)?shells?(?:_types?)?$"),
        GUARD_EVENTS_SET: re.compile(_QUALIFIED + r"(?:hooks?_)?guard_events?$"),
        HOOK_ENTRY_FIELDS_TABLE: re.compile(_QUALIFIED + r"hooks?_entry_fields?$"),
    }
)
"""What the constants of each set are called, in snake case, by those who mirror it."""

_EVENT_FIELD: Final = re.compile(r"(?:(?:hook|lifecycle)_)?events?(?:_name)?$")

_HOOKS: Final = re.compile(
    _QUALIFIED + r"(?:settings_)?hooks(?:_(?:config|configuration|settings|schema|map|record|dict))*$"
)

_SCHEMA: Final = re.compile(r'"\$schema"\s*:\s*"[^"]*json-schema\.org')

_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs"})
_LARGEST_SCRIPT: Final = 256 * 1024
_INPUT_NAME: Final = re.compile(rb"hook_event_name: *['\"]")


class NothingStatedError(DeclaredError):
    """A file was read, and states no closed set."""


def canonical(name: str) -> str:
    """Return the name of the set that a constant called `name` states: a known one, else its own in snake case."""
    head, _, tail = name.rpartition(".")
    if head.lower().startswith("hook") and _EVENT_FIELD.match(snake_case(tail)):  # what each kind of hook is called
        return HOOK_EVENTS_SET
    snake = snake_case(name)
    return next((known for known, pattern in CANONICAL.items() if pattern.match(snake)), snake)


def is_source_file(path: Path) -> bool:
    """Return whether a file is source that a reader knows, and not an upstream artefact that is extracted from.

    Artefacts are bundles (JavaScript of more than 256 KiB), and the SDK's own `.d.ts`, which has a second witness.
    """
    try:
        reader = reader_for(path.name)
    except ConfigError:
        return False
    if reader != "typescript":
        return True
    if path.suffix in _SCRIPTS:
        return path.stat().st_size <= _LARGEST_SCRIPT
    return not (path.name.endswith(".d.ts") and _INPUT_NAME.search(path.read_bytes()))


def read_file_surface(path: Path, *, root: Path | None = None, beside: Iterable[Path] = ()) -> Surface:
    """Read everything that the file at `path` states: its closed sets, field tables, and what it takes from elsewhere.

    The known sets come under their names ("hook_events"), others under the snake case of their constants' names.
    `root` bounds the folders in which imports are looked for (default: the file's own); `beside` are further files
    that they may mean.

    Raises:
        ConfigError: no reader knows files of this kind.
        DeclaredError: the file cannot be read, or states no closed set at all.
    """
    source = load(path, root=root or path.parent, beside=tuple(beside))
    with not_too_deep(source):
        statements = list(module_of(_reader(source)).stated(source))
    found = tuple(_distinct(statements))
    tables = dict(_tables(found))
    vocabularies, notices = _vocabularies(found)
    vocabularies = {**_implied(found, vocabularies), **vocabularies}
    elsewhere = tuple(_elsewhere(found, vocabularies))
    if not (tables or vocabularies or elsewhere):
        raise NothingStatedError(
            f"{source.shown} states no closed set that can be read",
            where=source.shown,
            expected="constants, enumerations or types that hold literal names",
            found=", ".join(stated.name for stated in statements[:8]) or "no definitions",
        )
    return Surface(
        source.shown,
        vocabularies=MappingProxyType(vocabularies),
        tables=MappingProxyType(tables),
        elsewhere=elsewhere,
        notices=notices,
    )


def _reader(source: Source) -> str:
    """The reader for a file; JSON that says it is a schema is read as one."""
    name = reader_for(source.path.name)
    return "jsonschema" if name == "json" and _SCHEMA.search(source.text) else name


def _distinct(statements: list[Stated]) -> Iterator[Stated]:
    """Leave out what only repeats another statement under a second name: it holds the very same literals.

    Of the names of one set, one that is known goes before the others.
    """
    by_literals: dict[frozenset[str], Stated] = {}
    for stated in statements:
        key = frozenset(str(text.place) for text in literal_places(stated.value)) or frozenset({stated.name})
        other = by_literals.get(key)
        if other is None or (canonical(other.name) not in CANONICAL and canonical(stated.name) in CANONICAL):
            by_literals[key] = stated
    yield from by_literals.values()


def _tables(statements: tuple[Stated, ...]) -> Iterator[tuple[str, FieldTable]]:
    in_unions = {
        part.place for s in statements if isinstance(s.value, Items) for part in s.value.items if _is_record(part)
    }
    for stated in statements:
        if _is_record(stated.value) and stated.value.place in in_unions:
            continue
        if is_table(stated.value):
            name = HOOK_ENTRY_FIELDS_TABLE if _is_entry_union(stated.value) else canonical(stated.name)
            yield name, to_table(name, stated.name, stated.value)


def _is_record(value: Value) -> bool:
    return isinstance(value, Record)


def _is_entry_union(value: Value) -> bool:
    """Whether a union is that of the hook entries: one of its members runs a command and says so."""
    if not isinstance(value, Items):
        return False
    records = [part for part in value.items if isinstance(part, Record)]
    tag = discriminator(records)
    return any(
        {key.value for key, _ in record.fields} >= {tag, "command"}
        and any(
            key.value == tag and shape.members and shape.members[0].value == "command" for key, shape in record.fields
        )
        for record in records
    )


def _vocabularies(statements: tuple[Stated, ...]) -> tuple[dict[str, Vocabulary], tuple[str, ...]]:
    found: dict[str, Vocabulary] = {}
    notices = []
    for stated in statements:
        if not _is_set(stated.value):
            continue
        vocabulary = to_vocabulary(canonical(stated.name), stated.name, stated.value)
        name = HOOK_EVENTS_SET if _holds_events(vocabulary) else vocabulary.name
        notices += [w.note for evidence in vocabulary.evidence for w in evidence.witnesses if w.note]
        if name in found:
            notices += _contradiction(stated.name, vocabulary, found[name])
            name = snake_case(stated.name)
        found.setdefault(name, replace(vocabulary, name=name))
    return found, tuple(notices)


def _holds_events(vocabulary: Vocabulary) -> bool:
    """Whether a set that is called "hook types" is really one of events: "hook type" is said of both."""
    members = vocabulary.members or ()
    return vocabulary.name == HOOK_ENTRY_TYPES_SET and 2 * len(set(members) & set(HOOK_EVENTS)) > len(members)


def _is_set(value: Value) -> bool:
    return not (isinstance(value, Text | Record | Keyed) or is_table(value)) and _is_readable(value)


def _contradiction(name: str, vocabulary: Vocabulary, other: Vocabulary) -> Iterator[str]:
    ours, theirs = set(vocabulary.members or ()), set(other.members or ())
    declared = other.evidence[0].witnesses[0].how
    if ours != theirs:
        yield (
            f"{name} and {declared} differ: only in {name}: {', '.join(sorted(ours - theirs)) or 'nothing'}; "
            f"only in {declared}: {', '.join(sorted(theirs - ours)) or 'nothing'}"
        )


def _implied(statements: tuple[Stated, ...], stated: Mapping[str, Vocabulary]) -> dict[str, Vocabulary]:
    """What types state where no constant does: a union of entries its types and shells, the hooks' keys the events."""
    found: dict[str, tuple[str, Value]] = {}
    for statement in statements:
        if isinstance(statement.value, Record | Keyed) and _HOOKS.match(snake_case(statement.name)):
            found.setdefault(HOOK_EVENTS_SET, (statement.name, statement.value))
        if _is_entry_union(statement.value):
            found.setdefault(HOOK_ENTRY_TYPES_SET, (statement.name, statement.value))
            if shell := _shell_of(statement.value):
                found.setdefault(HOOK_SHELLS_SET, (statement.name, shell))
    return {
        name: to_vocabulary(name, declared, value)
        for name, (declared, value) in found.items()
        if name not in stated and _is_readable(value)
    }


def _shell_of(entries: Value) -> Value | None:
    records = [part for part in parts_of(entries) if isinstance(part, Record)]
    shells = (shape for record in records for key, shape in record.fields if key.value == "shell" and shape.members)
    return next(shells, None)


def _is_readable(value: Value) -> bool:
    try:
        return bool(to_vocabulary("", "", value).members)
    except DeclaredError:
        return False


def _elsewhere(statements: tuple[Stated, ...], stated: Mapping[str, Vocabulary]) -> Iterator[Elsewhere]:
    seen = set()
    for statement in statements:
        for foreign in _foreign(statement.value):
            what = canonical(foreign.name)
            if what in CANONICAL and what not in stated and what not in seen:
                seen.add(what)
                yield Elsewhere(what, foreign.name, foreign.module, foreign.place)


def _foreign(value: Value) -> Iterator[Foreign]:
    if isinstance(value, Foreign):
        yield value
    for part in parts_of(value):
        yield from _foreign(part)
