"""Faults that lie behind others: what would not load next, once a name is mended.

A misspelt event, `hooks` key or type, and a `matcher` of the wrong kind, hide what stands under them. They are mended
in a copy, and the copy is read: what is bad in it and was not said yet comes with the first report, so that one round
of repair is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from driftgate.classifier.contract import Contract
from driftgate.classifier.hooks_config import read_pieces
from driftgate.classifier.kinds import field_kinds
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import DropCode, Piece, RejectionCode
from driftgate.settings.hints import near_event, near_key, near_type

_HOOKS: Final = "hooks"
_ROUNDS: Final = 4
"""How deep faults can lie behind one another: a key, an event, a matcher, a type."""

_MENDED: Final = 200
"""How many pieces are mended at once: each costs a copy of the lists on its way."""

_EVENTS: Final = frozenset({DropCode.UNKNOWN_EVENT, RejectionCode.GUARD_UNDER_UNKNOWN_EVENT})
_MATCHERS: Final = frozenset({DropCode.MATCHER_INVALID, RejectionCode.GUARD_MATCHER_INVALID})
ENTRIES: Final = frozenset({DropCode.ENTRY_INVALID, RejectionCode.GUARD_ENTRY_INVALID})
"""The codes of entries."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A document in which names are mended: `renamed` maps the path of each renamed member to its old name."""

    document: dict[str, Any]
    renamed: dict[ConfigPath, str]

    def original(self, path: ConfigPath) -> ConfigPath:
        """Return `path` of the mended document as it is in the original."""
        return tuple(self.renamed.get(path[: at + 1], segment) for at, segment in enumerate(path))


def next_pieces(document: Any, pieces: Iterable[Piece], contract: Contract) -> list[tuple[Piece, Mended]]:
    """Return what is bad in a mended `document` and not among `pieces`, and the document in which it is seen."""
    if not isinstance(document, dict):
        return []
    found = list(pieces)
    said = {(piece.path, piece.field) for piece in found}
    mended = Mended(document, {})
    behind: dict[object, tuple[Piece, Mended]] = {}
    for _ in range(_ROUNDS):
        once = _mend(mended.document, found[:_MENDED], contract)
        if once.document is mended.document:
            break
        mended = Mended(once.document, {**mended.renamed, **once.renamed})
        _, found = read_pieces(mended.document, contract)
        for piece in found:
            place = mended.original(piece.path), piece.field
            if place not in said:
                behind.setdefault(place, (piece, mended))
    return list(behind.values())


def wrong_fields(entry: Any, contract: Contract) -> tuple[str, ...]:
    """Return every field that is wrong with an entry of a known type, in the order of the contract."""
    found = entry.get("type") if isinstance(entry, dict) else None
    rules = contract.fields.get(found) if isinstance(found, str) else None
    if rules is None:
        return ()
    kinds = field_kinds(contract)
    return tuple(
        name
        for name, rule in sorted(rules.items(), key=lambda item: not item[1].carried)
        if (not kinds[rule.kind].accepts(entry[name]) if name in entry else rule.required)
    )


def _mend(document: dict[str, Any], pieces: list[Piece], contract: Contract) -> Mended:
    renamed: dict[ConfigPath, str] = {}
    if _HOOKS not in document:
        misspelt = next((key for key in document if near_key(key, _HOOKS)), None)
        if misspelt is None:
            return Mended(document, renamed)
        document = _renamed(document, misspelt, _HOOKS)
        renamed[(_HOOKS,)] = misspelt
        _, pieces = read_pieces(document, contract)
        pieces = pieces[:_MENDED]
    hooks = document[_HOOKS]
    if not isinstance(hooks, dict):
        return Mended(document, renamed)
    mended = hooks
    for name, meant in _events(pieces, hooks, contract):
        mended = _renamed(mended, name, meant)
        renamed[_HOOKS, meant] = name
    mended = _with_pieces_mended(mended, hooks, pieces, contract)
    return Mended({**document, _HOOKS: mended} if mended is not hooks else document, renamed)


def _events(pieces: Iterable[Piece], hooks: dict[str, Any], contract: Contract) -> Iterator[tuple[str, str]]:
    taken = set(hooks)
    for piece in pieces:
        if piece.code in _EVENTS and len(piece.path) == 2:
            name = str(piece.path[1])
            meant = near_event(name, contract.events)
            if meant is not None and meant not in taken:
                taken.add(meant)
                yield name, meant


def _with_pieces_mended(
    mended: dict[str, Any], hooks: dict[str, Any], pieces: Iterable[Piece], contract: Contract
) -> dict[str, Any]:
    for piece in pieces:
        if piece.code in _MATCHERS and piece.field == "matcher":
            mended = _with(mended, (*piece.path[1:], "matcher"), "")
        elif piece.code in ENTRIES and piece.field == "type":
            entry = _at(hooks, piece.path[1:])
            found = entry.get("type") if isinstance(entry, dict) else None
            meant = near_type(found, contract.entry_types) if isinstance(found, str) else None
            if meant is not None:
                mended = _with(mended, (*piece.path[1:], "type"), meant)
    return mended


def _renamed(value: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if key == old else key: member for key, member in value.items()}


def _at(value: Any, path: ConfigPath) -> Any:
    for segment in path:
        value = value[segment]
    return value


def _with(value: Any, path: ConfigPath, leaf: Any) -> Any:
    """Return a copy of `value` with `leaf` at `path`; what is not on the way is shared."""
    if not path:
        return leaf
    copy = dict(value) if isinstance(value, dict) else list(value)
    head, rest = path[0], path[1:]
    copy[head] = leaf if not rest else _with(copy[head], rest, leaf)  # type: ignore[index]
    return copy
