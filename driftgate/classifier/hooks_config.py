"""What becomes of a settings document's `hooks`: the classifier.

It reads four levels: the `hooks` key, an event, a matcher, an entry. A bad piece is dropped alone, unless it may be a
guard (it stands in a guard event, or holds a guard sign): then the whole document is rejected. It is stricter than
Claude Code in places (docs/CC-DIVERGENCE.md) and never milder.

The contract is compiled once. Nothing here recurses, and every part of a document is visited a fixed number of times.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from driftgate.classifier.contract import CONTRACT, Contract, HooksConfigDict
from driftgate.classifier.entries import EntryReader, Read
from driftgate.classifier.kinds import field_kinds
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.plain import holds_scalars
from driftgate.classifier.result import (
    DropCode,
    DroppedPiece,
    HooksClassification,
    Piece,
    Rejection,
    RejectionCode,
    classification,
)
from driftgate.classifier.signs import Signs, within

_NO_LOADERS: Final[Mapping[Any, Any]] = MappingProxyType({})


def classify_hooks_config(settings_doc: object, contract: Contract = CONTRACT) -> HooksClassification:
    """Return what becomes of the hooks of `settings_doc`, a settings document as parsed from JSON.

    Pure: no I/O, the document is not changed, and the result shares no list or dict with it. No value is echoed except
    in the result's `hooks`. Time and memory are linear in the size of the document, and its depth does not matter.
    Total: values that JSON cannot produce are never an error (a dict is an object, a list an array, bool no number;
    anything else is a scalar), and cycles are tolerated.
    """
    pieces: list[Piece] = []
    hooks = _compiled(contract).read_document(settings_doc, pieces)
    if not pieces:
        return classification(hooks)
    rejections = tuple(piece for piece in pieces if isinstance(piece, Rejection))
    if rejections:
        return classification(None, rejections)
    return classification(hooks, tuple(piece for piece in pieces if isinstance(piece, DroppedPiece)))


def read_pieces(settings_doc: object, contract: Contract = CONTRACT) -> tuple[HooksConfigDict | None, list[Piece]]:
    """Return the hooks without the bad pieces, and every bad piece in document order, dropped and rejecting alike."""
    pieces: list[Piece] = []
    hooks = _compiled(contract).read_document(settings_doc, pieces)
    return hooks, pieces


@lru_cache(maxsize=32)
def _compiled(contract: Contract) -> _Classifier:
    return _Classifier(contract)


class _Classifier:
    """The classifier of one contract. Each method reads a value, adds what is bad to `pieces`, returns what loads."""

    def __init__(self, contract: Contract) -> None:
        self._signs = Signs(contract)
        self._events = self._signs.events
        self._guards = self._signs.guards
        kinds = field_kinds(contract)
        rows = contract.fields
        self._readers = {name: EntryReader(rows.get(name, {}), kinds, self._signs) for name in contract.entry_types}
        self._loaders = {name: reader.loaders for name, reader in self._readers.items()}

    def read_document(self, document: Any, pieces: list[Piece]) -> Any:
        if not isinstance(document, dict):
            self._look_outside(within(document), pieces)
            return None
        is_matcher = "matcher" in document and self._signs.is_matcher_shaped(document)
        if is_matcher:
            pieces.append(Rejection(RejectionCode.GUARD_OUTSIDE_HOOKS, ()))
        hooks = None
        for key, value in document.items():
            if key == "hooks":
                hooks = self._read_hooks(value, pieces)
            elif not is_matcher and not self._signs.is_plain(key, value):
                # If the document is a sign, it is the outermost one: others lie inside it.
                self._look_outside(((key, value),), pieces)
        return hooks

    def _look_outside(self, pairs: Any, pieces: list[Piece]) -> None:
        found = self._signs.find(pairs)
        pieces.extend(Rejection(RejectionCode.GUARD_OUTSIDE_HOOKS, trail=trail) for trail in found)

    def _read_hooks(self, value: Any, pieces: list[Piece]) -> Any:
        if isinstance(value, dict):
            single_entry = "type" in value and isinstance(value["type"], str) and self._events.isdisjoint(value)
            if not single_entry and not ("hooks" in value and self._signs.is_matcher_shaped(value)):
                return self._read_events(value, pieces)
            misplaced = True
        else:
            misplaced = isinstance(value, list) and not holds_scalars(value)
        if misplaced:
            pieces.append(Rejection(RejectionCode.HOOKS_IS_MATCHER, ("hooks",)))
        else:
            pieces.append(DroppedPiece(DropCode.HOOKS_NOT_OBJECT, ("hooks",)))
        return None

    def _read_events(self, value: dict[Any, Any], pieces: list[Piece]) -> dict[Any, Any]:
        loaded = {}
        for name, matchers in value.items():
            if name not in self._events:
                self._read_unknown_event(name, matchers, pieces)
            elif isinstance(matchers, list):
                loaded[name] = self._read_matchers(name, matchers, pieces)
            elif (name in self._guards and matchers is not None) or self._signs.is_or_holds(matchers):
                pieces.append(Rejection(RejectionCode.GUARD_EVENT_NOT_ARRAY, ("hooks", name)))
            else:
                pieces.append(DroppedPiece(DropCode.EVENT_NOT_ARRAY, ("hooks", name)))
        return loaded

    def _read_unknown_event(self, name: Any, value: Any, pieces: list[Piece]) -> None:
        # A list under any key of `hooks` is a legal place for matchers, whether or not the key is an event.
        signs = self._signs
        if signs.is_matcher_shaped(value) or signs.any(within(value), legal=isinstance(value, list)):
            pieces.append(Rejection(RejectionCode.GUARD_UNDER_UNKNOWN_EVENT, ("hooks", name)))
        else:
            pieces.append(DroppedPiece(DropCode.UNKNOWN_EVENT, ("hooks", name)))

    def _read_matchers(self, event: Any, elements: list[Any], pieces: list[Piece]) -> list[Any]:
        guard = event in self._guards
        loaders = self._loaders
        loaded = []
        for index, element in enumerate(elements):
            fault = self._matcher_fault(element)
            if fault is not None:
                self._add_bad_matcher(element, guard, ("hooks", event, index), fault or None, pieces)
                continue
            entries: list[Any] = []
            loaded.append(
                {"matcher": element["matcher"], "hooks": entries} if "matcher" in element else {"hooks": entries}
            )
            for position, entry in enumerate(element["hooks"]):
                read: Read = None
                if isinstance(entry, dict) and isinstance(entry_type := entry.get("type"), str):
                    load = loaders.get(entry_type, _NO_LOADERS).get(tuple(entry))
                    read = None if load is None else load(entry)
                if read is None:
                    read = self._read_entry(entry)
                if isinstance(read, dict):
                    entries.append(read)
                else:
                    self._add_bad_entry(entry, guard, ("hooks", event, index, "hooks", position), read, pieces)
        return loaded

    def _read_entry(self, entry: Any) -> Read:
        if not isinstance(entry, dict):
            return None
        entry_type = entry.get("type")
        reader = self._readers.get(entry_type) if isinstance(entry_type, str) else None
        return "type" if reader is None else reader.read(entry)

    def _matcher_fault(self, element: Any) -> str | None:
        """Return the field that is wrong with a matcher, "" for what is no field's fault, None if it is fine."""
        if not isinstance(element, dict):
            return ""
        known = 1
        if "matcher" in element:
            if not isinstance(element["matcher"], str):
                return "matcher"
            known = 2
        if not isinstance(element.get("hooks"), list):
            return "hooks"
        if len(element) == known:
            return None
        others = [(key, value) for key, value in element.items() if key != "hooks"]
        return "" if self._signs.any(others) else None

    def _add_bad_matcher(
        self, element: Any, guard: bool, path: ConfigPath, field: str | None, pieces: list[Piece]
    ) -> None:
        if guard or self._signs.any(within(element)):
            pieces.append(Rejection(RejectionCode.GUARD_MATCHER_INVALID, path, field))
        else:
            pieces.append(DroppedPiece(DropCode.MATCHER_INVALID, path, field))

    def _add_bad_entry(self, entry: Any, guard: bool, path: ConfigPath, field: str | None, pieces: list[Piece]) -> None:
        if guard or self._signs.is_or_holds(entry):
            pieces.append(Rejection(RejectionCode.GUARD_ENTRY_INVALID, path, field))
        else:
            pieces.append(DroppedPiece(DropCode.ENTRY_INVALID, path, field))
