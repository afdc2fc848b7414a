"""A bad piece in words: what was expected there, what was found, and how to write it right.

Every code of the classifier has one function, in one table. No value of the document is echoed, only kinds of value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier import samples
from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.kinds import kind_named
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.plain import kind_word
from driftgate.classifier.result import DropCode, HooksOutcome, Piece, RejectionCode
from driftgate.settings import forms
from driftgate.settings.contracts import contract_pin
from driftgate.settings.hints import is_note, near_event, near_field, near_key, near_type
from driftgate.settings.known import whereabouts
from driftgate.settings.pieces import Words
from driftgate.surface import HOOK_ENTRY_TYPES_SET, HOOK_EVENTS_SET

_MISSING: Final = object()


def explain(
    piece: Piece, document: Any, contract: Contract = CONTRACT, release: str | None = None
) -> tuple[Words, ConfigPath]:
    """Return the words for `piece` of `document`, and the coordinate that they are about (a wrong field's own).

    `release` is the one whose vocabulary `contract` has: a name that other releases know is said to be theirs.
    """
    value = value_at(document, piece.path)
    words, path = _EXPLAINERS[piece.code](piece, value, contract)
    return _known_elsewhere(piece, value, words, release), path


_UNKNOWN_EVENT: Final = frozenset({DropCode.UNKNOWN_EVENT, RejectionCode.GUARD_UNDER_UNKNOWN_EVENT})


def _known_elsewhere(piece: Piece, value: Any, words: Words, release: str | None) -> Words:
    """Return `words` with where the unknown name is known, if anywhere: then it is no slip, and none to remove."""
    name, sort = (piece.path[-1] if piece.path else None), HOOK_EVENTS_SET
    if piece.code not in _UNKNOWN_EVENT:
        if piece.field != "type" or not isinstance(value, dict):
            return words
        name, sort = value.get("type"), HOOK_ENTRY_TYPES_SET
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return words
    known = whereabouts(name, sort, release or contract_pin())
    if known is None:
        return words
    what = _UNKNOWN_WORDS[sort, known.later]
    held = _HELD if isinstance(piece.code, RejectionCode) and sort == HOOK_EVENTS_SET else ""
    return Words(f"{what}{held}; {known.says}", words.expected, words.found, known.fix)


_UNKNOWN_WORDS: Final = {
    (HOOK_EVENTS_SET, True): "an event that this release does not know yet",
    (HOOK_EVENTS_SET, False): "not an event in this vocabulary",
    (HOOK_ENTRY_TYPES_SET, True): "a type that this release does not know yet",
    (HOOK_ENTRY_TYPES_SET, False): "unknown type",
}


def value_at(document: Any, path: ConfigPath) -> Any:
    """Return the value at `path`, which must be there."""
    for name in path:
        document = document[name]
    return document


def expected_found(expected: str, value: Any, *, sample: str = "", fix: str = "") -> Words:
    """Return the words for a value of the wrong kind."""
    found = kind_word(value)
    return Words(f"expected {expected}, found {found}", expected, found, fix, sample)


_HELD: Final = ", and what stands under it looks like a guard's hooks"
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,63}")

Explained: TypeAlias = tuple[Words, ConfigPath]


def _hooks(piece: Piece, value: Any, _contract: Contract) -> Explained:
    expected = "an object keyed by event name"
    sample = forms.part("hooks")
    if isinstance(value, dict):
        found = "a single matcher" if "hooks" in value else "a single hook entry"
        return Words(f"expected {expected}, found {found}", expected, found, "name the event", sample), piece.path
    return expected_found(expected, value, sample=sample), piece.path


def _event_hint(name: str, contract: Contract) -> Words | None:
    near = near_event(name, contract.events)
    if near is None:
        return None
    guard = " (a guard event)" if near in contract.guard_events else ""
    return Words(f"did you mean {near}{guard}", fix=f"rename it to {near}", suggestion=near)


def _unknown_event(piece: Piece, value: Any, contract: Contract) -> Explained:
    name = str(piece.path[-1])
    held = _HELD if isinstance(piece.code, RejectionCode) else ""
    words = {"expected": "an event name", "found": "another name", "name": name}
    hint = _event_hint(name, contract)
    if hint is not None:
        says = f"not an event in this vocabulary{held}; {hint.says}"
        return Words(says, fix=hint.fix, suggestion=hint.suggestion, **words), piece.path
    if not held and is_note(name):
        return Words("not an event; notes belong outside `hooks`", fix="move it out of `hooks`", **words), piece.path
    if name == "hooks" and isinstance(value, dict):
        if len(piece.path) == 1:
            return Words("not an event; this release takes the events without `hooks` around them", **words), piece.path
        return Words("not an event; `hooks` stands inside `hooks`", fix="keep one of the two", **words), piece.path
    fix = "remove it, or use an event of this vocabulary"
    return Words(f"not an event in this vocabulary{held}", fix=fix, **words), piece.path


def _event(piece: Piece, value: Any, _contract: Contract) -> Explained:
    return expected_found("an array", value, sample=forms.event_sample(str(piece.path[-1]))), piece.path


def _matcher(piece: Piece, value: Any, contract: Contract) -> Explained:
    if piece.field == "matcher":
        return expected_found("a string", value["matcher"], sample=forms.part("matcher")), (*piece.path, "matcher")
    if piece.field == "hooks" and "hooks" in value:
        words = expected_found("an array", value["hooks"], sample=forms.part("matcher"))
        return words, (*piece.path, "hooks")
    if piece.field == "hooks":
        flat = "type" in value or "command" in value
        fix = "wrap the entry in a matcher" if flat else "add the array of hooks"
        sample = forms.part("wrapped" if flat else "matcher")
        misspelt = next((key for key in value if near_key(key, "hooks")), None)
        return _missing("no `hooks` array", "hooks", misspelt, "a `hooks` array", fix, sample), piece.path
    if not isinstance(value, dict):
        expected = "an object with a `hooks` array"
        return expected_found(expected, value, sample=forms.part("matcher")), piece.path
    return _misplaced(piece, value, contract)


def _misplaced(piece: Piece, _value: Any, _contract: Contract) -> Explained:
    return (
        Words(
            "holds what looks like a guard's hooks where none belong",
            "guard hooks only in an event's array of matchers",
            "hooks in another place",
            "move them to an event of their own under `hooks`",
            forms.part("hooks"),
        ),
        piece.path,
    )


def _entry(piece: Piece, value: Any, contract: Contract) -> Explained:
    if not isinstance(value, dict):
        return expected_found("an object", value, sample=forms.part("entry")), piece.path
    if piece.field is None:
        return _misplaced(piece, value, contract)
    if piece.field == "type":
        return _type(piece, value, contract)
    return _field(piece.path, value, piece.field, contract)


def _type(piece: Piece, entry: dict[str, Any], contract: Contract) -> Explained:
    types = f"one of {', '.join(contract.entry_types)}"
    sample = forms.part("entry")
    found = entry.get("type", _MISSING)
    if found is _MISSING:
        misspelt = _misspelt(entry, "type", ("type",))
        return _missing("type is required", "type", misspelt, types, f"add a type: {types}", sample), piece.path
    path = (*piece.path, "type")
    if not isinstance(found, str):
        return expected_found(types, found, sample=sample), path
    near = near_type(found, contract.entry_types)
    if near is None:
        return Words(f"unknown type; expected {types}", types, "another string", sample=sample), path
    says = f"unknown type; did you mean {near}"
    return Words(says, types, "another string", f"write {near}", _sample(near, None, contract), near), path


def _field(path: ConfigPath, entry: dict[str, Any], field: str, contract: Contract) -> Explained:
    rule = contract.fields[entry["type"]][field]
    kind = kind_named(rule.kind, contract)
    expected = kind.expected
    sample = _sample(entry["type"], field, contract)
    if field not in entry:
        args = "; args does not replace it" if field == "command" and "args" in entry else ""
        misspelt = _misspelt(entry, field, tuple(contract.fields[entry["type"]]))
        says = f"{field} is required{args}"
        return _missing(says, field, misspelt, expected, f"add {field}", sample), (*path, field)
    value = entry[field]
    says, found = kind.said(value)
    sentence = says or f"expected {expected}, found {found}"
    return Words(sentence, expected, found, sample=sample), (*path, field)


def _misspelt(entry: dict[str, Any], field: str, fields: tuple[str, ...]) -> str | None:
    """Return the key of `entry` that its missing `field` was meant to be, or None."""
    missing = [name for name in fields if name not in entry]
    others = (key for key in entry if key != "type" and key not in fields)
    return next((key for key in others if near_field(key, missing) == field), None)


def _missing(says: str, field: str, misspelt: str | None, expected: str, fix: str, sample: str) -> Words:
    """Return the words for a `field` that is missing, or is there under another key, `misspelt`."""
    if misspelt is None:
        return Words(says, expected, "none", fix, sample)
    says = f"{says}; it has {{name}}: did you mean {field}"
    return Words(says, expected, "another key", f"rename it to {field}", sample, suggestion=field, name=misspelt)


def _sample(entry_type: str, field: str | None, contract: Contract) -> str:
    """Return a form that loads: that it does is tested with the package's own contract, and tried with others."""
    if contract is CONTRACT:
        return forms.entry_sample(entry_type, field)
    entry = forms.entry_with(entry_type, field, contract)
    event = next(iter(contract.events), "")
    loads = classify_hooks_config(samples.document(event, entry), contract).outcome is HooksOutcome.LOADED
    return json.dumps(entry) if loads else ""


def _outside(piece: Piece, _value: Any, contract: Contract) -> Explained:
    path = piece.path
    fix = "move it under `hooks`"
    sample = forms.part("hooks")
    if not path:
        found = "the shape of a matcher"
        says = "the document itself has the shape of a matcher"
    elif path[-1] in contract.guard_events:
        found = "an event name outside `hooks`"
        says = "a guard event outside `hooks`; it has no effect there, it belongs under `hooks`"
    else:
        found = "the shape of a matcher outside `hooks`"
        says = "looks like a matcher outside `hooks`, where it guards nothing"
    return Words(says, "no hooks outside `hooks`", found, fix, sample), path


_EXPLAINERS: Final[Mapping[DropCode | RejectionCode, Callable[[Piece, Any, Contract], Explained]]] = MappingProxyType(
    {
        DropCode.HOOKS_NOT_OBJECT: _hooks,
        DropCode.UNKNOWN_EVENT: _unknown_event,
        DropCode.EVENT_NOT_ARRAY: _event,
        DropCode.MATCHER_INVALID: _matcher,
        DropCode.ENTRY_INVALID: _entry,
        RejectionCode.GUARD_OUTSIDE_HOOKS: _outside,
        RejectionCode.HOOKS_IS_MATCHER: _hooks,
        RejectionCode.GUARD_UNDER_UNKNOWN_EVENT: _unknown_event,
        RejectionCode.GUARD_EVENT_NOT_ARRAY: _event,
        RejectionCode.GUARD_MATCHER_INVALID: _matcher,
        RejectionCode.GUARD_ENTRY_INVALID: _entry,
    }
)
