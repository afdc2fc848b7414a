"""(observed, declared) -> changes. Neutral: no severity, no opinion, no words for people.

Order carries no meaning upstream (new events are inserted in the middle), so sets are compared as sets. A set that one
side does not state is not compared at all; `uncompared` names those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_MATCHER_FIELDS_TABLE,
    MATCHER_ROW,
    PLAIN_RULES,
    Field,
    FieldTable,
    ObjectRules,
    Place,
    Surface,
    Vocabulary,
)


class ChangeKind(StrEnum):
    """What differs. `added` and `removed` are seen from the declared side: added is only in the observed one."""

    ADDED = "added"
    REMOVED = "removed"
    RETYPED = "retyped"
    REQUIREDNESS = "requiredness"
    CONSTRAINT = "constraint"
    VALUES = "values"
    CARRIED = "carried"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference in the set (or field table) `of`.

    `name` is the member, or the row of a table; `field` the field of that row, None where the whole member or row is
    meant. `observed` and `declared` are what each side has: a `Field`, a tuple of fields for a whole row, or None
    where that side has nothing (a member of a set has no more to it than its name: then both are None). `place` is on
    the declared side: the member or field itself, or, where it lacks one, the set that should have it.
    """

    kind: ChangeKind
    of: str
    name: str
    field: str | None = None
    observed: Field | tuple[Field, ...] | ObjectRules | None = None
    declared: Field | tuple[Field, ...] | ObjectRules | None = None
    place: Place | None = None

    @property
    def subject(self) -> str:
        """The name by which configuration and reports call what changed: `PostCompact`, `command.args`."""
        return self.name if self.field is None else f"{self.name}.{self.field}"


@dataclass(frozen=True, slots=True)
class Count:
    """How a set compared, in members (in fields, for a table)."""

    observed: int
    declared: int
    agree: int
    only_upstream: int
    only_here: int


@dataclass(frozen=True, slots=True)
class Diff:
    """The outcome of one comparison: its changes, the counts of each set compared, and what could not be compared.

    `uncompared` holds the names of the sets that the declared side states and the observed side does not, and the enums
    whose values only one of them states.
    """

    changes: tuple[Change, ...]
    counts: Mapping[str, Count]
    uncompared: tuple[str, ...]


def diff(observed: Surface, declared: Surface) -> Diff:
    """Compare two surfaces; only the sets that `declared` states are looked at."""
    changes: list[Change] = []
    counts: dict[str, Count] = {}
    uncompared: list[str] = []
    for name, vocabulary in declared.vocabularies.items():
        other = observed.vocabularies.get(name)
        if other is None:
            uncompared.append(name)
            continue
        changes += _members(other, vocabulary)
        counts[name] = _count(set(other.members or ()), set(vocabulary.members or ()))
    for name, table in _tables(observed, declared):
        observed_table = observed.tables.get(name)
        if observed_table is None:
            uncompared.append(name)
            continue
        uncompared += _unstated_values(observed_table, table)
        if not observed_table.complete:
            uncompared += _unlisted(observed_table, table)
            table = _listed(observed_table, table)
        changes += _rows(observed_table, table)
        counts[name] = _count(_paths(observed_table.rows), _paths(table.rows))
    return Diff(tuple(changes), counts, tuple(uncompared))


PLAIN_MATCHER: Final = FieldTable(
    HOOK_MATCHER_FIELDS_TABLE,
    MappingProxyType(
        {MATCHER_ROW: (Field("matcher", "string", required=False), Field("hooks", "array<entry>", required=True))}
    ),
    rules=MappingProxyType({MATCHER_ROW: PLAIN_RULES}),
)
"""A matcher as every release up to 2.1.332 takes it, and so as whoever declares entries and says no more takes it."""


def _tables(observed: Surface, declared: Surface) -> Iterator[tuple[str, FieldTable]]:
    """Yield the tables to compare: what is declared, and the matcher, which nobody declares as a table of its own."""
    yield from declared.tables.items()
    if (
        HOOK_MATCHER_FIELDS_TABLE in observed.tables
        and HOOK_MATCHER_FIELDS_TABLE not in declared.tables
        and HOOK_ENTRY_FIELDS_TABLE in declared.tables
        and _differs_from_plain(observed.tables[HOOK_MATCHER_FIELDS_TABLE])
    ):
        yield HOOK_MATCHER_FIELDS_TABLE, PLAIN_MATCHER


def _differs_from_plain(matcher: FieldTable) -> bool:
    return any(_rows(matcher, PLAIN_MATCHER))


def _unstated_values(observed: FieldTable, declared: FieldTable) -> Iterator[str]:
    """Yield the enums whose members one side states elsewhere: that they exist agrees, and no more is known."""
    for row, fields in declared.rows.items():
        theirs = {field.name: field for field in observed.rows.get(row, ())}
        for field in fields:
            other = theirs.get(field.name)
            if other is not None and field.kind == other.kind == "enum" and None in (field.values, other.values):
                yield f"the values of {row}.{field.name}"


def _unlisted(observed: FieldTable, declared: FieldTable) -> Iterator[str]:
    """Yield the fields that an incomplete table does not list: they are unknown there, not absent."""
    yield from (
        path for path in sorted(_paths(declared.rows) - _paths(observed.rows)) if path.split(".")[0] in observed.rows
    )


def _listed(observed: FieldTable, declared: FieldTable) -> FieldTable:
    """Return `declared` as far as an incomplete table can state it: the fields that it lists, without constraints."""
    rows = {}
    for row, fields in declared.rows.items():
        theirs = {field.name: field for field in observed.rows.get(row, fields)}
        rows[row] = tuple(
            replace(one, constraints=theirs[one.name].constraints) for one in fields if one.name in theirs
        )
    return replace(declared, rows=MappingProxyType(rows))


def _count(observed: set[str], declared: set[str]) -> Count:
    agree = len(observed & declared)
    return Count(len(observed), len(declared), agree, len(observed) - agree, len(declared) - agree)


def _paths(rows: Mapping[str, tuple[Field, ...]]) -> set[str]:
    return {f"{row}.{field.name}" for row, fields in rows.items() for field in fields}


def _members(observed: Vocabulary, declared: Vocabulary) -> Iterator[Change]:
    theirs, ours = observed.members or (), declared.members or ()
    for name in dict.fromkeys(theirs):
        if name not in ours:
            yield Change(ChangeKind.ADDED, declared.name, name, place=_place(declared))
    for name in dict.fromkeys(ours):
        if name not in theirs:
            yield Change(ChangeKind.REMOVED, declared.name, name, place=declared.places.get(name) or _place(declared))


def _place(declared: Vocabulary | FieldTable) -> Place | None:
    return declared.evidence[0].place if declared.evidence else None


def _rows(observed: FieldTable, declared: FieldTable) -> Iterator[Change]:
    of, place = declared.name, _place(declared)
    for row, fields in observed.rows.items():
        if row not in declared.rows:
            yield Change(ChangeKind.ADDED, of, row, observed=fields, place=place)
    for row, fields in declared.rows.items():
        if row not in observed.rows:
            yield Change(ChangeKind.REMOVED, of, row, declared=fields, place=place)
            continue
        yield from _fields(of, row, observed.rows[row], fields, place)
        theirs, ours = observed.rules_of(row), declared.rules_of(row)
        # A source that states no rules is not known to have the plain ones; who declares none takes what is plain.
        if observed.rules is not None and set(theirs.stated) != set(ours.stated):
            yield Change(ChangeKind.RULES, of, row, observed=theirs, declared=ours, place=place)


def _fields(
    of: str, row: str, observed: tuple[Field, ...], declared: tuple[Field, ...], table: Place | None
) -> Iterator[Change]:
    theirs = {field.name: field for field in observed}
    ours = {field.name: field for field in declared}
    for name, field in theirs.items():
        if name not in ours:
            # The row has no place of its own: its first field says where it stands.
            place = next((other.place for other in declared if other.place), table)
            yield Change(ChangeKind.ADDED, of, row, name, observed=field, place=place)
    for name, field in ours.items():
        place = field.place or table
        if name not in theirs:
            yield Change(ChangeKind.REMOVED, of, row, name, declared=field, place=place)
            continue
        for kind in _differences(theirs[name], field):
            yield Change(kind, of, row, name, theirs[name], field, place)


def _differences(observed: Field, declared: Field) -> Iterator[ChangeKind]:
    unstated = declared.unstated
    if "kind" in unstated:
        pass
    elif observed.kind != declared.kind:
        yield ChangeKind.RETYPED
    else:
        if None not in (observed.values, declared.values) and set(observed.values or ()) != set(declared.values or ()):
            yield ChangeKind.VALUES
        if set(observed.constraints) != set(declared.constraints) and "constraints" not in unstated:
            yield ChangeKind.CONSTRAINT
    if observed.required != declared.required and "required" not in unstated:
        yield ChangeKind.REQUIREDNESS
    if observed.carried != declared.carried:
        yield ChangeKind.CARRIED
