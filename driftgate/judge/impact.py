"""What a change would do to users: the smallest documents that use it, classified on both sides.

Neither side is described; both are measured. "Here" is the shipped classifier with the declared sets, "upstream" the
same classifier with the observed ones. The effect follows from the two answers by a table, and the severity from the
effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from driftgate.classifier.contract import Contract
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.result import HooksClassification, Piece
from driftgate.classifier.samples import bad, document, entry, good
from driftgate.classifier.surfaces import contract_of
from driftgate.judge.comparison import Change, ChangeKind
from driftgate.judge.rules import Severity
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Field,
    Surface,
)


class Effect(Enum):
    """What happens to a document that works on one side only. The value is (severity, words)."""

    REJECTED_HERE = (Severity.ERROR, "loads upstream; here the whole document is rejected")
    REJECTED_UPSTREAM = (Severity.ERROR, "upstream rejects the whole document; here it is taken")
    DROPPED_HERE = (Severity.ERROR, "loads upstream; here the piece is dropped")
    DROPPED_UPSTREAM = (Severity.WARNING, "loads here; upstream drops it, so it never runs")
    VALUE_LOST = (Severity.WARNING, "loads on both sides; here the value is lost")
    VALUE_IGNORED = (Severity.WARNING, "loads on both sides; upstream ignores the value")
    SAME = (Severity.NOTICE, "the same on both sides")

    @property
    def severity(self) -> Severity:
        """How bad the effect is for users."""
        return self.value[0]

    @property
    def words(self) -> str:
        """What happens, in one line."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Impact:
    """One probe: the smallest document of a case, and what each side answers ("loaded-partial: unknown-event")."""

    case: str
    document: dict[str, Any]
    upstream: str
    here: str
    effect: Effect


class Probe:
    """Measures changes between one observed and one declared surface.

    Where one side does not state a set, the other side's stands in for it, so that only the change itself is measured.
    """

    def __init__(self, observed: Surface, declared: Surface) -> None:
        self._documents = _Documents(observed, declared)
        self._upstream = contract_of(observed, declared)
        self._here = contract_of(declared, observed)
        self._refusing = (_refusing(observed), _refusing(declared))

    def impacts(self, change: Change) -> tuple[Impact, ...]:
        """Return what `change` does to documents, one impact a case; () for sets that no settings document uses."""
        if self._upstream is None or self._here is None:
            return ()
        cases = dict(self._documents.of(change))
        return tuple(self._measure(case, document, self._upstream, self._here) for case, document in cases.items())

    def _measure(self, case: str, document: dict[str, Any], upstream: Contract, here: Contract) -> Impact:
        theirs = classify_hooks_config(_as_taken(document, self._refusing[0]), upstream)
        ours = classify_hooks_config(_as_taken(document, self._refusing[1]), here)
        return Impact(case, document, _answer(theirs), _answer(ours), _effect(theirs, ours))


def _refusing(side: Surface) -> Mapping[str, frozenset[str]]:
    """Return the fields of each entry type whose entries are refused for any other field."""
    table = side.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    rows = table.rows.items() if table and table.rules else ()
    strict = ((row, fields) for row, fields in rows if table and "strict" in table.rules_of(row).stated)
    return {row: frozenset({"type", *(field.name for field in fields)}) for row, fields in strict}


def _as_taken(document: dict[str, Any], refusing: Mapping[str, frozenset[str]]) -> dict[str, Any]:
    """Return a document as a side that refuses unknown fields takes it: an entry with one is no entry."""
    if not refusing:
        return document
    taken = {
        event: [
            {**matcher, "hooks": [_entry_as_taken(hook, refusing) for hook in matcher["hooks"]]} for matcher in value
        ]
        for event, value in document["hooks"].items()
    }
    return {**document, "hooks": taken}


def _entry_as_taken(hook: Any, refusing: Mapping[str, frozenset[str]]) -> Any:
    known = refusing.get(str(hook.get("type"))) if isinstance(hook, dict) else None
    return hook if known is None or known >= hook.keys() else {"type": ""}


def _answer(result: HooksClassification) -> str:
    pieces: tuple[Piece, ...] = (*result.rejections, *result.dropped)
    codes = dict.fromkeys(piece.code.value for piece in pieces)
    return result.outcome.value + (f": {', '.join(codes)}" if codes else "")


_BY_OUTCOMES: Final = {
    ("loaded", "loaded-partial"): Effect.DROPPED_HERE,
    ("loaded", "rejected"): Effect.REJECTED_HERE,
    ("loaded-partial", "loaded"): Effect.DROPPED_UPSTREAM,
    ("loaded-partial", "rejected"): Effect.REJECTED_HERE,
    ("rejected", "loaded"): Effect.REJECTED_UPSTREAM,
    ("rejected", "loaded-partial"): Effect.REJECTED_UPSTREAM,
}
"""(upstream's outcome, the outcome here) -> effect; equal outcomes are told apart by what loads."""


def _effect(theirs: HooksClassification, ours: HooksClassification) -> Effect:
    by_outcomes = _BY_OUTCOMES.get((theirs.outcome.value, ours.outcome.value))
    if by_outcomes is not None:
        return by_outcomes
    if theirs.hooks == ours.hooks:
        return Effect.SAME
    return Effect.VALUE_LOST if _keys(theirs) > _keys(ours) else Effect.VALUE_IGNORED


def _keys(result: HooksClassification) -> int:
    matchers = (matcher for value in (result.hooks or {}).values() for matcher in value)
    return sum(len(entry) for matcher in matchers for entry in matcher["hooks"])


class _Documents:
    """Builds the smallest documents that use a change, from the field tables of both sides."""

    def __init__(self, upstream: Surface, here: Surface) -> None:
        self.rows = {**_rows(here), **_rows(upstream)}
        shared = [event for event in upstream.members(HOOK_EVENTS_SET) if event in here.members(HOOK_EVENTS_SET)]
        guards = (set(upstream.members(GUARD_EVENTS_SET)), set(here.members(GUARD_EVENTS_SET)))
        self.places = {
            "": next((event for event in shared if event not in guards[0] | guards[1]), None),
            " in a guard event": next((event for event in shared if event in guards[0] & guards[1]), None),
        }

    def of(self, change: Change) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (case, document) for one change."""
        if change.field is not None:
            if change.of == HOOK_ENTRY_FIELDS_TABLE:
                yield from self._field(change, change.name, change.field)
        elif change.of == HOOK_EVENTS_SET:
            yield "a hook under the event", document(change.name, self._entry())
        elif change.of == GUARD_EVENTS_SET:
            yield "a bad entry under the event", document(change.name, {"type": ""})
        elif change.of in (HOOK_ENTRY_TYPES_SET, HOOK_ENTRY_FIELDS_TABLE):
            yield from self._everywhere(f"a {change.name} entry", self._entry(change.name))
        elif change.of == HOOK_SHELLS_SET:
            shell = {**self._entry("command"), "shell": change.name}
            yield from self._everywhere(f"a command with the shell {change.name}", shell)

    def _entry(self, entry_type: str | None = None) -> dict[str, Any]:
        row = entry_type or next(iter(self.rows), "command")
        return entry(row, self.rows.get(row, ()))

    def _everywhere(self, case: str, hook: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        for where, event in self.places.items():
            if event is not None:
                yield case + where, document(event, hook)

    def _field(self, change: Change, row: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        sides = [side for side in (change.observed, change.declared) if isinstance(side, Field)]
        base = self._entry(row)
        if change.kind is ChangeKind.REQUIREDNESS:
            without = {key: value for key, value in base.items() if key != name}
            yield from self._everywhere(f"{row} without {name}", without)
            return
        if change.kind is ChangeKind.VALUES:
            theirs, ours = (set(side.values or ()) for side in sides)
            for value in sorted(theirs ^ ours):
                yield from self._everywhere(f"{row} with {name}: {value!r}", {**base, name: value})
            return
        for side in sides:
            yield from self._everywhere(f"{row} with {name}", {**base, name: good(side)})
        if change.kind is not ChangeKind.CARRIED:
            for value in (value for side in sides for value in bad(side)):
                yield from self._everywhere(f"{row} with {name}: {value!r}", {**base, name: value})


def _rows(surface: Surface) -> Mapping[str, tuple[Field, ...]]:
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    return table.rows if table else {}
