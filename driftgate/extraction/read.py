"""From an artefact to its surface: everything read, every reading in agreement, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.agreement import check_entries, check_events, check_literals, check_public, check_readings
from driftgate.extraction.bundle import SHELL_FIELD, Reading, read_bundles
from driftgate.extraction.contents import Contents, contents_of
from driftgate.extraction.declarations import Declarations, read_declarations
from driftgate.extraction.declared_types import TypesError
from driftgate.extraction.expectation import lost_witnesses, must_be_declared_only
from driftgate.extraction.fields import Entry
from driftgate.extraction.javascript.cut import CutError
from driftgate.extraction.not_shown import nothing_found, where_in
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_MATCHER_FIELDS_TABLE,
    HOOK_SHELLS_SET,
    MATCHER_ROW,
    Evidence,
    FieldTable,
    ObjectRules,
    Place,
    Surface,
    Vocabulary,
    Witness,
)

_USE: Final = "record(enum(EVENTS), array(MATCHER))"
_UNION: Final = "the union of entry schemas, by `type`"
_MATCHER: Final = "the object schema of one matcher"
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
    try:
        readings, literals, doubts = read_bundles(artefact, contents)
    except CutError as problem:  # met on the way to something else, so whatever depends on it was not read
        raise ExtractionError(
            f"a script of {artefact.origin} cannot be taken apart: {problem}",
            expected="whole JavaScript",
            next="is the file cut off, or another one than its name says?",
        ) from problem
    if not readings:
        if not declarations:
            raise nothing_found(artefact, contents, doubts)
        must_be_declared_only(artefact, contents, doubts)
        return _surface(artefact, *_declared(artefact, declarations), notices=(_DECLARED_ONLY,))
    check_readings(artefact, readings)
    check_literals(artefact, readings, literals)
    check_entries(artefact, readings[0], declarations)
    vocabularies, tables = _read(artefact, readings, literals, declarations)
    lost = tuple(lost_witnesses(artefact, vocabularies, tables, declared=bool(declarations)))
    return _surface(artefact, vocabularies, tables, program=readings[0].program, notices=lost)


def _surface(
    artefact: Artefact,
    vocabularies: Iterable[Vocabulary],
    tables: tuple[FieldTable, ...],
    *,
    program: str | None = None,
    notices: tuple[str, ...] = (),
) -> Surface:
    version = artefact.upstream_version or program
    return Surface(
        title=f"Claude Code {version}" if version else str(artefact.origin),
        version=version,
        vocabularies=MappingProxyType({each.name: each for each in vocabularies}),
        tables=MappingProxyType({each.name: each for each in tables}),
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
) -> tuple[list[Vocabulary], tuple[FieldTable, ...]]:
    first = readings[0]
    stated = [witness for each in declarations for witness in each.events]
    others = [literals, *stated]
    uses = [Witness(_USE, reading.place, reading.events, reading.note) for reading in readings]
    check_events(artefact, [*uses, *others])
    unions = [Witness(_UNION, reading.entries_place, reading.entry_types) for reading in readings]
    shapes = [Witness(_SHAPES, reading.entries_place, _names(reading.entries)) for reading in readings]
    union_stated = [_stated_by(d, "the entry union", _types) for d in declarations]
    fields_stated = [_stated_by(d, "its public fields", _names) for d in declarations]
    shells = [
        Witness(f"the enum of the field `{SHELL_FIELD}`", r.entries_place, r.shells, _no_shells(r)) for r in readings
    ]
    guards = [witness for reading in readings for witness in reading.guards.witnesses]

    def evidence(place: Place, witnesses: Iterable[Witness]) -> tuple[Evidence, ...]:
        return (Evidence(artefact.origin, place, tuple(witnesses)),)

    vocabularies = [
        Vocabulary(HOOK_EVENTS_SET, first.events, evidence(first.events_place, [*uses, *others])),
        Vocabulary(HOOK_ENTRY_TYPES_SET, first.entry_types, evidence(first.entries_place, [*unions, *union_stated])),
        Vocabulary(HOOK_SHELLS_SET, first.shells, evidence(first.entries_place, shells)),
        Vocabulary(GUARD_EVENTS_SET, first.guards.members, evidence(first.guards.place, guards)),
    ]
    matchers = [Witness(_MATCHER, r.place, tuple(f"{MATCHER_ROW}.{f.name}" for f in r.matcher)) for r in readings]
    entries = _table(first.entries, evidence(first.entries_place, [*shapes, *fields_stated]))
    return vocabularies, (entries, _matcher_table(first, evidence(first.place, matchers)))


def _stated_by(declarations: Declarations, how: str, read: Callable[[tuple[Entry, ...]], tuple[str, ...]]) -> Witness:
    if declarations.entries:
        return Witness(how, declarations.entries_place, read(declarations.entries))
    return Witness(how, None, None, f"{declarations.name} has none in a form that is known")


def _no_shells(reading: Reading) -> str:
    fields = len(_names(reading.entries))
    return "" if reading.shells else f"none of the {fields} fields that were read is called `{SHELL_FIELD}`"


def _table(entries: tuple[Entry, ...], evidence: tuple[Evidence, ...]) -> FieldTable:
    stated = {each.type: ObjectRules(each.rules) for each in entries if each.rules is not None}
    return FieldTable(
        HOOK_ENTRY_FIELDS_TABLE,
        MappingProxyType({each.type: each.fields for each in entries}),
        evidence,
        rules=MappingProxyType(stated) if stated else None,
    )


def _matcher_table(reading: Reading, evidence: tuple[Evidence, ...]) -> FieldTable:
    return FieldTable(
        HOOK_MATCHER_FIELDS_TABLE,
        MappingProxyType({MATCHER_ROW: reading.matcher}),
        evidence,
        rules=MappingProxyType({MATCHER_ROW: ObjectRules(reading.matcher_rules)}),
    )


def _types(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(entry.type for entry in entries)


def _names(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(f"{entry.type}.{field.name}" for entry in entries for field in entry.fields)


# --- from declarations alone -----------------------------------------------------------------------------------------


def _declared(
    artefact: Artefact, declarations: tuple[Declarations, ...]
) -> tuple[list[Vocabulary], tuple[FieldTable, ...]]:
    witnesses = [witness for each in declarations for witness in each.events if witness.members is not None]
    check_events(artefact, witnesses)
    vocabularies = []
    if witnesses and witnesses[0].place:
        evidence = Evidence(artefact.origin, witnesses[0].place, tuple(witnesses))
        vocabularies.append(Vocabulary(HOOK_EVENTS_SET, witnesses[0].members, (evidence,)))
    stated = [(each.entries, each.entries_place) for each in declarations if each.entries and each.entries_place]
    if not stated:
        return vocabularies, ()
    entries, place = stated[0]
    for other, _ in stated[1:]:
        check_public(artefact, "declarations", entries, "other declarations", other)
    types = (Evidence(artefact.origin, place, (Witness("the entry union", place, _types(entries)),)),)
    fields = (Evidence(artefact.origin, place, (Witness("its public fields", place, _names(entries)),)),)
    shells = [field.values for entry in entries for field in entry.fields if field.name == SHELL_FIELD]
    vocabularies.append(Vocabulary(HOOK_ENTRY_TYPES_SET, _types(entries), types))
    vocabularies.append(Vocabulary(HOOK_SHELLS_SET, shells[0] if shells else None, fields))
    return vocabularies, (replace(_table(entries, fields), complete=False),)
