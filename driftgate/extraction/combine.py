"""Joining what several artefacts of one release state: each set once, with the evidence of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from driftgate.errors import ExtractionError
from driftgate.surface import Field, FieldTable, Surface, Vocabulary, coarse


def combine(surfaces: Sequence[Surface]) -> Surface:
    """Return one surface for the artefacts of one release.

    A set that one of them does not state is taken from the others. Raises ExtractionError where two of them state the
    same set and differ, or are of different releases.
    """
    first, *others = surfaces
    for other in others:
        first = _joined(first, other)
    return first


def _joined(one: Surface, other: Surface) -> Surface:
    if one.version != other.version and one.version and other.version:
        raise ExtractionError(
            f"{one.title} and {other.title} are different releases",
            expected="artefacts of one release",
            next="name two artefacts of the same release",
        )
    vocabularies = dict(one.vocabularies)
    for name, theirs in other.vocabularies.items():
        ours = vocabularies.get(name)
        vocabularies[name] = _same_vocabulary(ours, theirs) if ours else theirs
    tables = dict(one.tables)
    for name, table in other.tables.items():
        tables[name] = _same_table(tables[name], table) if name in tables else table
    return replace(
        one,
        version=one.version or other.version,
        vocabularies=MappingProxyType(vocabularies),
        tables=MappingProxyType(tables),
        notices=tuple(dict.fromkeys((*one.notices, *other.notices))),
    )


def _same_vocabulary(one: Vocabulary, other: Vocabulary) -> Vocabulary:
    if (one.members is None) != (other.members is None) or set(one.members or ()) != set(other.members or ()):
        raise _contradiction(one, other, one.members, other.members)
    return replace(one, evidence=(*one.evidence, *other.evidence))


def _same_table(one: FieldTable, other: FieldTable) -> FieldTable:
    """Return the fuller of two tables that agree: one that leaves internal fields out states the public part."""
    full, rest = (one, other) if one.complete or not other.complete else (other, one)
    stated, also = (_stated(table, public=full.complete != rest.complete) for table in (full, rest))
    if set(stated) != set(also):
        raise _contradiction(full, rest, stated, also)
    if one.rules is not None and other.rules is not None and one.rules != other.rules:
        raise _contradiction(full, rest, _rules(one), _rules(other))
    return replace(full, evidence=(*one.evidence, *other.evidence), rules=one.rules or other.rules)


def _rules(table: FieldTable) -> tuple[str, ...]:
    return tuple(f"{row}: {rules.words}" for row, rules in (table.rules or {}).items())


def _stated(table: FieldTable, *, public: bool) -> tuple[str, ...]:
    return tuple(
        f"{row}.{field.name} ({_public(field).words if public else field.words})"
        for row, fields in table.rows.items()
        for field in fields
        if not (public and field.internal)
    )


def _public(field: Field) -> Field:
    return Field(field.name, coarse(field.kind), field.required, values=field.values)


def _contradiction(
    one: Vocabulary | FieldTable,
    other: Vocabulary | FieldTable,
    ours: tuple[str, ...] | None,
    theirs: tuple[str, ...] | None,
) -> ExtractionError:
    sides = [(one, ours, set(ours or ()) - set(theirs or ())), (other, theirs, set(theirs or ()) - set(ours or ()))]
    return ExtractionError(
        f"{one.name}: two artefacts of one release disagree",
        where="; ".join(f"{evidence.origin}, {evidence.place}" for held, _, _ in sides for evidence in held.evidence),
        expected="the same set from both",
        found="; ".join(
            f"{', '.join(str(e.origin) for e in held.evidence)} "
            + ("has none" if members is None else f"states {len(members)}")
            + (f", only there: {', '.join(sorted(alone))}" if alone else "")
            for held, members, alone in sides
        ),
        next="which of them is right cannot be told from here; report this release",
    )
