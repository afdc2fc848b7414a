"""Between the two vocabularies: a contract as a surface, in upstream's words, and a surface as a contract."""

from __future__ import annotations

from driftgate.classifier.contract import Contract, FieldRule
from driftgate.classifier.kinds import KINDS, name_of_kind
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Field,
    FieldTable,
    Surface,
    Vocabulary,
    surface_of,
)


def contract_of(surface: Surface, fallback: Surface) -> Contract | None:
    """Return the contract that `surface` states, each set that it does not state taken from `fallback`.

    None where neither states hook events.
    """
    if HOOK_EVENTS_SET not in {**surface.vocabularies, **fallback.vocabularies}:
        return None

    def members(name: str) -> tuple[str, ...]:
        return (surface if name in surface.vocabularies else fallback).members(name)

    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE) or fallback.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    rows = table.rows if table else {}
    return Contract(
        events=members(HOOK_EVENTS_SET),
        entry_types=members(HOOK_ENTRY_TYPES_SET),
        shells=members(HOOK_SHELLS_SET),
        guard_events=members(GUARD_EVENTS_SET),
        fields={
            row: {field.name: FieldRule(name_of_kind(field), field.required, field.carried) for field in fields}
            for row, fields in rows.items()
        },
    )


def field_of(name: str, rule: FieldRule) -> Field:
    """Return a field of the contract in upstream's words."""
    kind = KINDS[rule.kind]
    return Field(
        name, kind.upstream, rule.required, values=kind.values, constraints=kind.constraints, carried=rule.carried
    )


def surface_from(contract: Contract, title: str) -> Surface:
    """Return the surface that a contract states, its kinds in upstream's words."""
    sets = {
        HOOK_EVENTS_SET: contract.events,
        HOOK_ENTRY_TYPES_SET: contract.entry_types,
        HOOK_SHELLS_SET: contract.shells,
        GUARD_EVENTS_SET: contract.guard_events,
    }
    rows = {
        row: tuple(field_of(name, rule) for name, rule in fields.items()) for row, fields in contract.fields.items()
    }
    vocabularies = [Vocabulary(name, members) for name, members in sets.items()]
    return surface_of([*vocabularies, FieldTable(HOOK_ENTRY_FIELDS_TABLE, rows)], title)
