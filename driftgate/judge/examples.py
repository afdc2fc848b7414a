"""For every rule about a change: the smallest pair of surfaces that breaks it, so that `explain` shows a measured case.

The pairs are made from this package's own contract by changing one thing, and go through the same diff, rules and
impact as real drift.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from driftgate.classifier.contract import CONTRACT
from driftgate.classifier.surfaces import surface_from
from driftgate.judge.comparison import diff
from driftgate.judge.findings import Finding, judge
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Field,
    FieldTable,
    ObjectRules,
    Surface,
    Vocabulary,
    surface_of,
)

BASE: Final = surface_from(CONTRACT, "the contract")
_EXTRA: Final = "Example"


def _with(name: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Surface:
    vocabulary = Vocabulary(name, change(BASE.members(name)))
    return replace(BASE, vocabularies=MappingProxyType({**BASE.vocabularies, name: vocabulary}))


def _plus(name: str, member: str) -> Surface:
    return _with(name, lambda members: (*members, member))


def _minus_last(name: str) -> Surface:
    return _with(name, lambda members: members[:-1])


def _misspelt(name: str) -> Surface:
    return _with(name, lambda members: (*members[:-1], members[-1] + "s"))


def _fields(row: str, change: Callable[[tuple[Field, ...]], tuple[Field, ...]]) -> Surface:
    rows = BASE.tables[HOOK_ENTRY_FIELDS_TABLE].rows
    table = FieldTable(HOOK_ENTRY_FIELDS_TABLE, {**rows, row: change(rows[row])})
    return replace(BASE, tables=MappingProxyType({**BASE.tables, table.name: table}))


def _field(row: str, name: str, /, **changes: object) -> Surface:
    def change(fields: tuple[Field, ...]) -> tuple[Field, ...]:
        return tuple(replace(item, **changes) if item.name == name else item for item in fields)  # type: ignore[arg-type]

    return _fields(row, change)


def _ruled(*words: str) -> Surface:
    table = BASE.tables[HOOK_ENTRY_FIELDS_TABLE]
    rules = {"command": ObjectRules(words)}
    return replace(BASE, tables=MappingProxyType({**BASE.tables, table.name: replace(table, rules=rules)}))


def _without_type() -> Surface:
    rows = dict(BASE.tables[HOOK_ENTRY_FIELDS_TABLE].rows)
    del rows[BASE.members(HOOK_ENTRY_TYPES_SET)[-1]]
    smaller = _minus_last(HOOK_ENTRY_TYPES_SET)
    table = FieldTable(HOOK_ENTRY_FIELDS_TABLE, rows)
    return replace(smaller, tables=MappingProxyType({table.name: table}))


_OTHER_SET: Final = surface_of([Vocabulary("example_set", ("one", "two"))], "the contract")
_BIGGER_SET: Final = surface_of([Vocabulary("example_set", ("one", "two", "three"))], "the contract")
_MISSPELT_SET: Final = surface_of([Vocabulary("example_set", ("one", "two", "threee"))], "the contract")
_NEW: Final = Field("example", "string", required=False)

EXAMPLES: Final[Mapping[str, tuple[Surface, Surface]]] = MappingProxyType(
    {
        "event-only-upstream": (BASE, _minus_last(HOOK_EVENTS_SET)),
        "event-only-here": (BASE, _plus(HOOK_EVENTS_SET, _EXTRA)),
        "event-misspelt": (BASE, _misspelt(HOOK_EVENTS_SET)),
        "type-only-upstream": (BASE, _without_type()),
        "type-only-here": (_without_type(), BASE),
        "type-misspelt": (BASE, _misspelt(HOOK_ENTRY_TYPES_SET)),
        "shell-only-upstream": (BASE, _minus_last(HOOK_SHELLS_SET)),
        "shell-only-here": (BASE, _plus(HOOK_SHELLS_SET, "example")),
        "shell-misspelt": (BASE, _misspelt(HOOK_SHELLS_SET)),
        "guard-event-only-upstream": (BASE, _minus_last(GUARD_EVENTS_SET)),
        "guard-event-only-here": (_minus_last(GUARD_EVENTS_SET), BASE),
        "guard-event-misspelt": (BASE, _misspelt(GUARD_EVENTS_SET)),
        "field-only-upstream": (_fields("command", lambda fields: (*fields, _NEW)), BASE),
        "field-only-here": (BASE, _fields("command", lambda fields: (*fields, _NEW))),
        "field-misspelt": (BASE, _field("command", "statusMessage", name="statusMesage")),
        "field-not-carried": (_field("command", "args", carried=True), BASE),
        "field-retyped": (_field("command", "once", kind="string"), BASE),
        "field-requiredness": (_field("prompt", "model", required=True), BASE),
        "field-values": (_field("command", "shell", values=("bash", "powershell", "example")), BASE),
        "field-looser": (_field("command", "statusMessage", constraints=("min(1)",)), BASE),
        "object-stricter": (_ruled("strict"), _ruled("strip")),
        "object-looser": (_ruled("passthrough"), _ruled("strip")),
        "member-only-upstream": (_BIGGER_SET, _OTHER_SET),
        "member-only-here": (_OTHER_SET, _BIGGER_SET),
        "member-misspelt": (_BIGGER_SET, _MISSPELT_SET),
    }
)
"""Rule id -> (observed, declared). The rules that are not listed are not about a change between the two."""


def example_finding(rule_id: str) -> Finding | None:
    """Return the rule's own finding on its example pair, with the impact measured; None for rules without one."""
    if rule_id not in EXAMPLES:
        return None
    observed, declared = EXAMPLES[rule_id]
    found = judge(diff(observed, declared).changes, observed, declared, "example", {})
    return next((finding for finding in found if finding.rule.id == rule_id), None)
