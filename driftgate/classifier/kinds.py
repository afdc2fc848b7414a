"""The contract's field kinds, each in upstream's words: the one table that joins the two vocabularies.

The gate compares a declared field with an observed one through it; the classifier has one predicate per kind.
Described in the docs under "How it decides".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from driftgate.classifier.contract import HOOK_FAILURE_MODES, HOOK_SHELLS, Contract, FieldRule
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


class Kind(NamedTuple):
    """What a contract kind is upstream: the kind, its constraints, and the members where it is an enum."""

    upstream: str
    constraints: tuple[str, ...] = ()
    values: tuple[str, ...] | None = None


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "text": Kind("string", ("min(1)",)),
        "string": Kind("string"),
        "url": Kind("string", ("url",)),
        "shell": Kind("enum", values=HOOK_SHELLS),
        "boolean": Kind("boolean"),
        "seconds": Kind("number", ("positive",)),
        "stringRecord": Kind("record<string,string>"),
        "stringList": Kind("array<string>"),
        "record": Kind("record<string,unknown>"),
        "failureMode": Kind("enum", values=HOOK_FAILURE_MODES),
        "number": Kind("number"),
        "any": Kind("any"),
    }
)
"""Contract kind -> what it is upstream. The last two occur in releases only, not in this package's contract."""

LENIENT: Final = re.compile(r"catch\(|coerced\Z")
"""Constraints that make upstream take any value of the field."""


def kind_of(field: Field) -> str:
    """Return the contract kind that takes the values that `field` takes: of `KINDS`, or "enum(a|b)" for other enums.

    "any" where upstream takes every value, and where it states a kind that driftgate has no word for: a probe then
    measures less, and never something false.
    """
    if any(map(LENIENT.match, field.constraints)):
        return "any"
    constraints = {constraint for constraint in field.constraints if constraint != "transform"}
    for name, kind in KINDS.items():
        same_values = kind.values is None or set(kind.values) == set(field.values or ())
        if kind.upstream == field.kind and set(kind.constraints) == constraints and same_values:
            return name
    return f"enum({'|'.join(field.values)})" if field.values else "any"


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
            row: {field.name: FieldRule(kind_of(field), field.required, field.carried) for field in fields}
            for row, fields in rows.items()
        },
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
        row: tuple(
            Field(
                name,
                KINDS[rule.kind].upstream,
                rule.required,
                values=KINDS[rule.kind].values,
                constraints=KINDS[rule.kind].constraints,
                carried=rule.carried,
            )
            for name, rule in fields.items()
        )
        for row, fields in contract.fields.items()
    }
    vocabularies = [Vocabulary(name, members) for name, members in sets.items()]
    return surface_of([*vocabularies, FieldTable(HOOK_ENTRY_FIELDS_TABLE, rows)], title)
