"""Do the declared constants agree with each other, and with the classifier that ships?

Every declared event, entry type and field is exercised: an entry with its required fields only, one with each optional
field, one with all. So constants and classifier cannot part, and a second table anywhere in the classifier is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.samples import document, entry, good
from driftgate.classifier.surfaces import contract_of, surface_from
from driftgate.judge.comparison import diff
from driftgate.judge.findings import Finding, own_finding
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

RULE = "constants-disagree"


def contradictions(declared: Surface, *, shipped: bool) -> Iterator[Finding]:
    """Yield what is wrong between the declared sets themselves, then between them and the classifier.

    `shipped`: the constants are driftgate's own, so the classifier is run with the contract that it ships with, which
    must hold exactly what was read from the source.
    """
    yield from _against_each_other(declared)
    if shipped:
        for change in diff(surface_from(CONTRACT, "the classifier"), declared).changes:
            yield own_finding(RULE, change.subject, change.of, "the source and the classifier's own table differ")
    contract = CONTRACT if shipped else contract_of(declared, _implied(declared))
    if contract is not None and HOOK_ENTRY_FIELDS_TABLE in declared.tables:
        yield from _against_classifier(declared, contract)


def _implied(declared: Surface) -> Surface:
    """Return what the field table implies of the sets that are not declared: entry types, and shells."""
    table = declared.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    rows = table.rows if table is not None else {}
    shells = dict.fromkeys(value for field in _shells(rows) for value in field.values or ())
    sets = (Vocabulary(HOOK_ENTRY_TYPES_SET, tuple(rows)), Vocabulary(HOOK_SHELLS_SET, tuple(shells)))
    return surface_of(sets, "implied by the field table")


def _shells(rows: Mapping[str, tuple[Field, ...]]) -> Iterator[Field]:
    yield from (field for fields in rows.values() for field in fields if field.name == _SHELL and field.values)


_SHELL: Final = "shell"


def _against_each_other(declared: Surface) -> Iterator[Finding]:
    table = declared.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    if table is not None and HOOK_ENTRY_TYPES_SET in declared.vocabularies:
        types = declared.members(HOOK_ENTRY_TYPES_SET)
        for name in (name for name in types if name not in table.rows):
            yield own_finding(RULE, name, HOOK_ENTRY_TYPES_SET, "an entry type without a row in the field table")
        for name in (name for name in table.rows if name not in types):
            yield own_finding(RULE, name, HOOK_ENTRY_TYPES_SET, "a row of the field table that is no entry type")
    if table is not None and HOOK_SHELLS_SET in declared.vocabularies:
        yield from _shells_against(table, {*declared.members(HOOK_SHELLS_SET)})
    if HOOK_EVENTS_SET in declared.vocabularies:
        for name in declared.members(GUARD_EVENTS_SET):
            if name not in declared.members(HOOK_EVENTS_SET):
                yield own_finding(RULE, name, GUARD_EVENTS_SET, "a guard event that is no hook event")


def _shells_against(table: FieldTable, shells: set[str]) -> Iterator[Finding]:
    for row, fields in table.rows.items():
        for field in _shells({row: fields}):
            for name in sorted(shells ^ {*(field.values or ())}):
                side = "hook_shells" if name in shells else f"the values of {row}.{_SHELL}"
                yield own_finding(RULE, name, HOOK_SHELLS_SET, f"a shell in {side} only")


def _against_classifier(declared: Surface, contract: Contract) -> Iterator[Finding]:
    rows = declared.tables[HOOK_ENTRY_FIELDS_TABLE].rows
    types = [name for name in declared.members(HOOK_ENTRY_TYPES_SET) or contract.entry_types if name in rows]
    for name in (name for name in types if name not in contract.entry_types):
        yield own_finding(RULE, name, HOOK_ENTRY_TYPES_SET, "the classifier does not know the entry type")
    cases = [case for name in types if name in contract.entry_types for case in _cases(name, rows[name])]
    entries = [given for _, given, _ in cases]
    expected = [loads for _, _, loads in cases]
    orders = [list(loads) for loads in expected]
    refused: dict[tuple[str, str], list[str]] = {}
    for event in declared.members(HOOK_EVENTS_SET) or contract.events:
        result = classify_hooks_config(document(event, *entries), contract)
        hooks: dict[Any, Any] = {**(result.hooks or {})}
        loaded = hooks[event][0]["hooks"] if event in hooks else []
        if loaded == expected and [list(entry) for entry in loaded] == orders:
            continue
        if not result.pieces:
            yield own_finding(
                RULE, event, HOOK_EVENTS_SET, "what loads under the event is not what the field table says"
            )
        for piece in result.pieces:
            # ("hooks", event, 0, "hooks", index) is an entry; anything shorter is the event itself.
            subject = cases[int(piece.path[4])][0] if len(piece.path) > _ENTRY_DEPTH else event
            refused.setdefault((subject, str(piece.code)), []).append(event)
    for (subject, code), (event, *others) in refused.items():
        more = f" and {len(others)} more event{'s' * (len(others) > 1)}" if others else ""
        yield own_finding(RULE, subject, HOOK_ENTRY_FIELDS_TABLE, f"under {event}{more} the classifier says {code}")


_ENTRY_DEPTH: Final = 4


def _cases(name: str, fields: tuple[Field, ...]) -> Iterator[tuple[str, dict[str, Any], Mapping[str, Any]]]:
    """Yield (subject, entry, what must load) for one entry type."""
    smallest = entry(name, fields)
    yield name, smallest, _carried(smallest, fields)
    for field in (field for field in fields if not field.required):
        given = {**smallest, field.name: good(field)}
        yield f"{name}.{field.name}", given, _carried(given, fields)
    everything = {"type": name, **{field.name: good(field) for field in fields}}
    yield name, everything, _carried(everything, fields)


def _carried(given: dict[str, Any], fields: tuple[Field, ...]) -> dict[str, Any]:
    carried = (field.name for field in fields if field.carried and field.name in given)
    return {"type": given["type"], **{name: given[name] for name in carried}}
