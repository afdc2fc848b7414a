"""From an artefact to its surface: everything read, every reading in agreement, or an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extract.bundle import SHELL_FIELD, Reading, read_bundles
from driftgate.extract.contents import Contents, contents_of
from driftgate.extract.dts import Declarations, read_declarations
from driftgate.extract.failures import contradiction, nothing_found, where_in
from driftgate.extract.fields import Entry
from driftgate.extract.tstypes import TypesError
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Evidence,
    Field,
    FieldTable,
    Place,
    Surface,
    Vocabulary,
    Witness,
)
from driftgate.versions import version_key

FIRST_LITERALS: Final = "2.1.32"
"""The first release whose program describes the inputs of hooks: the second witness."""

LEAST_EVENTS: Final = 3
"""The first release with hooks (1.0.23) had three events; none has had fewer."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_USE: Final = "record(enum(EVENTS), array(MATCHER))"
_UNION: Final = "the union of entry schemas, by `type`"
_SHAPES: Final = "the object schema of each entry type"
_DECLARED_ONLY: Final = (
    "read from declarations alone, which state no constraints, leave out internal fields, know no guard events"
)


def read_surface(artefact: Artefact) -> Surface:
    """Return what an artefact of Claude Code states of hooks.

    A set that this kind of artefact cannot state is left out; one that it is known not to have has members None.
    Raises ExtractionError where anything was not found, could not be read, or is read in two ways that differ;
    AnchorError as a pass over the artefact does.
    """
    contents = contents_of(artefact)
    declarations = tuple(_declarations(artefact, contents))
    readings, literals, doubts = read_bundles(artefact, contents)
    if not readings:
        if not declarations:
            raise nothing_found(artefact, contents, doubts)
        return _surface(artefact, *_declared(artefact, declarations), notices=(_DECLARED_ONLY,))
    _check_readings(artefact, readings)
    _check_literals(artefact, readings, literals)
    _check_entries(artefact, readings[0], declarations)
    return _surface(artefact, *_read(artefact, readings, literals, declarations), program=readings[0].program)


def _surface(
    artefact: Artefact,
    vocabularies: Iterable[Vocabulary],
    table: FieldTable | None,
    *,
    program: str | None = None,
    notices: tuple[str, ...] = (),
) -> Surface:
    version = artefact.upstream_version or program
    return Surface(
        title=f"Claude Code {version}" if version else str(artefact.origin),
        version=version,
        vocabularies=MappingProxyType({each.name: each for each in vocabularies}),
        tables=MappingProxyType({table.name: table} if table else {}),
        notices=notices,
    )


def _declarations(artefact: Artefact, contents: Contents) -> Iterator[Declarations]:
    for name, text in contents.declarations:
        try:
            found = read_declarations(name, text)
        except TypesError as error:
            raise ExtractionError(
                "a declaration of hooks is not understood",
                where=where_in(artefact, name),
                expected="HOOK_EVENTS, HookEvent and the type of the setting `hooks`, as TypeScript writes types",
                found=str(error),
                next="report this release",
            ) from error
        if found is not None:
            yield found


# --- from bundles, with the declarations beside them as witnesses ----------------------------------------------------


def _read(
    artefact: Artefact, readings: tuple[Reading, ...], literals: Witness, declarations: tuple[Declarations, ...]
) -> tuple[list[Vocabulary], FieldTable]:
    first = readings[0]
    stated = [witness for each in declarations for witness in each.events]
    others = [literals, *stated]
    uses = [Witness(_USE, reading.place, reading.events, reading.note) for reading in readings]
    _check_events(artefact, [*uses, *others])
    unions = [Witness(_UNION, reading.entries_place, reading.entry_types) for reading in readings]
    shapes = [Witness(_SHAPES, reading.entries_place, _names(reading.entries)) for reading in readings]
    union_stated = [Witness("the entry union", d.entries_place, _types(d.entries)) for d in declarations if d.entries]
    fields_stated = [
        Witness("its public fields", d.entries_place, _names(d.entries)) for d in declarations if d.entries
    ]
    shells = [
        Witness(f"the enum of the field `{SHELL_FIELD}`", r.entries_place, r.shells, _no_shells(r)) for r in readings
    ]
    guards = [reading.guards.witness for reading in readings]

    def evidence(place: Place, witnesses: Iterable[Witness]) -> tuple[Evidence, ...]:
        return (Evidence(artefact.origin, place, tuple(witnesses)),)

    vocabularies = [
        Vocabulary(HOOK_EVENTS_SET, first.events, evidence(first.events_place, [*uses, *others])),
        Vocabulary(HOOK_ENTRY_TYPES_SET, first.entry_types, evidence(first.entries_place, [*unions, *union_stated])),
        Vocabulary(HOOK_SHELLS_SET, first.shells, evidence(first.entries_place, shells)),
        Vocabulary(GUARD_EVENTS_SET, first.guards.members, evidence(first.guards.place, guards)),
    ]
    return vocabularies, _table(first.entries, evidence(first.entries_place, [*shapes, *fields_stated]))


def _no_shells(reading: Reading) -> str:
    fields = len(_names(reading.entries))
    return "" if reading.shells else f"none of the {fields} fields that were read is called `{SHELL_FIELD}`"


def _table(entries: tuple[Entry, ...], evidence: tuple[Evidence, ...]) -> FieldTable:
    return FieldTable(HOOK_ENTRY_FIELDS_TABLE, MappingProxyType({each.type: each.fields for each in entries}), evidence)


def _types(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(entry.type for entry in entries)


def _names(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(f"{entry.type}.{field.name}" for entry in entries for field in entry.fields)


# --- from declarations alone -----------------------------------------------------------------------------------------


def _declared(artefact: Artefact, declarations: tuple[Declarations, ...]) -> tuple[list[Vocabulary], FieldTable | None]:
    witnesses = [witness for each in declarations for witness in each.events]
    _check_events(artefact, witnesses)
    vocabularies = []
    if witnesses and witnesses[0].place:
        evidence = Evidence(artefact.origin, witnesses[0].place, tuple(witnesses))
        vocabularies.append(Vocabulary(HOOK_EVENTS_SET, witnesses[0].members, (evidence,)))
    stated = [(each.entries, each.entries_place) for each in declarations if each.entries and each.entries_place]
    if not stated:
        return vocabularies, None
    entries, place = stated[0]
    for other, _ in stated[1:]:
        _check_public(artefact, "declarations", entries, "other declarations", other)
    types = (Evidence(artefact.origin, place, (Witness("the entry union", place, _types(entries)),)),)
    fields = (Evidence(artefact.origin, place, (Witness("its public fields", place, _names(entries)),)),)
    shells = [field.values for entry in entries for field in entry.fields if field.name == SHELL_FIELD]
    vocabularies.append(Vocabulary(HOOK_ENTRY_TYPES_SET, _types(entries), types))
    vocabularies.append(Vocabulary(HOOK_SHELLS_SET, shells[0] if shells else None, fields))
    return vocabularies, replace(_table(entries, fields), complete=False)


# --- agreement -------------------------------------------------------------------------------------------------------


def _check_readings(artefact: Artefact, readings: tuple[Reading, ...]) -> None:
    """Raise unless all copies of the schema state the same, and at least what any release states."""
    for what, parts in (
        ("hook events", [(f"the copy at {r.place}", r.events) for r in readings]),
        ("hook entry types", [(f"the copy at {r.entries_place}", r.entry_types) for r in readings]),
        ("guard events", [(f"the copy at {r.guards.place}", r.guards.members or ()) for r in readings]),
        ("hook entry fields", [(f"the copy at {r.entries_place}", _described(r.entries)) for r in readings]),
    ):
        if any(set(members) != set(parts[0][1]) for _, members in parts):
            raise contradiction(artefact, what, parts)
    first = readings[0]
    empty = [entry.type for entry in first.entries if not entry.fields]
    odd = [name for name in (*first.events, *first.entry_types) if not _WORD.match(name)]
    if len(first.events) < LEAST_EVENTS:
        raise _too_little(artefact, first, f"{len(first.events)} hook events read")
    if empty:
        raise _too_little(artefact, first, f"no fields read of type {', '.join(empty)}")
    if odd:
        raise _too_little(artefact, first, f"{len(odd)} names read that are no words: {', '.join(map(repr, odd))}")


def _too_little(artefact: Artefact, reading: Reading, what: str) -> ExtractionError:
    return ExtractionError(
        what,
        where=where_in(artefact, reading.place),
        expected=f"at least {LEAST_EVENTS} events, at least one field of each entry type, and names that are words",
        found=f"events {', '.join(reading.events)}; types {', '.join(reading.entry_types)}",
        next="no release is known to be like this; report this release",
    )


def _check_literals(artefact: Artefact, readings: tuple[Reading, ...], literals: Witness) -> None:
    """Raise where a program lacks the second witness that all programs from FIRST_LITERALS on have."""
    for reading in readings:
        if literals.members is None and reading.program and version_key(reading.program) >= version_key(FIRST_LITERALS):
            raise ExtractionError(
                "hook events: the second witness is missing",
                where=where_in(artefact, reading.place),
                expected=f"{literals.how}, which programs have from {FIRST_LITERALS} on; this one is {reading.program}",
                found=f"none; the first witness reads {len(reading.events)} ({', '.join(reading.events)})",
                next="the file may be cut off: fetch it again; else report this release",
            )


def _described(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(f"{entry.type}.{field.name} ({_detail(field)})" for entry in entries for field in entry.fields)


def _detail(field: Field) -> str:
    words = [field.kind, "required" if field.required else "optional", *(["internal"] if field.internal else [])]
    return " ".join([*words, *field.constraints, *([f"of {'|'.join(sorted(field.values))}"] if field.values else [])])


def _check_events(artefact: Artefact, witnesses: list[Witness]) -> None:
    told = [(f"{each.how} ({each.place})", each.members) for each in witnesses if each.members is not None]
    if any(set(members) != set(told[0][1]) for _, members in told):
        raise contradiction(artefact, "hook events", told)


def _check_entries(artefact: Artefact, reading: Reading, declarations: tuple[Declarations, ...]) -> None:
    """Raise unless declarations state the public part of what the schema states."""
    for each in declarations:
        if each.entries:
            one = f"the schema ({reading.entries_place})"
            _check_public(artefact, one, reading.entries, f"the declarations ({each.entries_place})", each.entries)


def _check_public(
    artefact: Artefact, one: str, entries: tuple[Entry, ...], other: str, others: tuple[Entry, ...]
) -> None:
    first, second = _public(entries), _public(others)
    if set(first) != set(second):
        raise contradiction(
            artefact, "the public fields of hook entries", [(one, tuple(first)), (other, tuple(second))]
        )


def _public(entries: tuple[Entry, ...]) -> Mapping[str, None]:
    """Return what declarations can state of entry types: their public fields, without constraints."""
    return dict.fromkeys(
        f"{entry.type}.{field.name} ({_detail(Field(field.name, field.kind, field.required, values=field.values))})"
        for entry in entries
        for field in entry.fields
        if not field.internal
    )
