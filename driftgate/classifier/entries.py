"""One hook entry, read by the contract's field table.

`EntryReader` looks at an entry field by field. Most entries are fine and have one of a few sequences of keys: for a
sequence that it meets often it has a loader written, which takes a plain entry in one go. Whoever finds a loader for an
entry may ask it first, and the reader if it answers None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import FieldRule
from driftgate.classifier.loader import Loader, write_loader
from driftgate.classifier.predicates import Kind
from driftgate.classifier.signs import Signs

Read: TypeAlias = dict[Any, Any] | str | None
"""What loads of an entry; or the field that is wrong with it; or None when something else is."""

_OFTEN: Final = 64
"""A loader takes as long to write as some fifty entries to read without one."""
_SEQUENCES_KEPT: Final = 256


class EntryReader:
    """Reads the entries of one type."""

    def __init__(self, fields: Mapping[str, FieldRule], kinds: Mapping[str, Kind], signs: Signs) -> None:
        """Compile `fields`. Raises `ValueError` when they use a kind that is not in `kinds`."""
        unknown = {rule.kind for rule in fields.values()} - kinds.keys()
        if unknown:
            raise ValueError(f"unknown field kinds: {', '.join(sorted(unknown))}; there are {', '.join(kinds)}")
        self._fields = [(name, rule, kinds[rule.kind]) for name, rule in fields.items()]
        self._fields.sort(key=lambda field: not field[1].carried)  # stable: what is only checked comes last
        self._signs = signs
        self._names = {"type", *fields}
        # A field that a contract names like a guard event, or `hooks`, may itself be a guard sign: never plain.
        self._may_be_plain = self._names.isdisjoint({"hooks", *signs.guards})
        self._met: Counter[tuple[Any, ...]] = Counter()
        self.loaders: dict[tuple[Any, ...], Loader] = {}

    def read(self, entry: dict[Any, Any]) -> Read:
        """Return what loads of `entry`, whose `type` is the reader's, or the field that is wrong."""
        # Keys that are no fields are never remembered: there is no end of them, and they are the user's text.
        names = tuple([key for key in entry if key in self._names])
        load = self.loaders.get(names)
        loaded = None if load is None else load(entry)
        if loaded is None:
            read = self._read_by_field(entry)
            if isinstance(read, str):
                return read
            loaded = read
            self._meet(names)
        return None if self._signs.is_or_holds(entry) else loaded

    def _read_by_field(self, entry: dict[Any, Any]) -> dict[Any, Any] | str:
        loaded = {"type": entry["type"]}
        for name, rule, kind in self._fields:
            if name not in entry:
                if rule.required:
                    return name
            elif not kind.accepts(entry[name]):
                return name
            elif rule.carried:
                loaded[name] = entry[name] if kind.copy is None else kind.copy(entry[name])
        return loaded

    def _meet(self, names: tuple[Any, ...]) -> None:
        if self._may_be_plain and (names in self._met or len(self._met) < _SEQUENCES_KEPT):
            self._met[names] += 1
            if self._met[names] == _OFTEN:
                self.loaders[names] = self._write_loader(names)

    def _write_loader(self, names: tuple[Any, ...]) -> Loader:
        fields = [(name, rule.carried, kind) for name, rule, kind in self._fields if name in names]
        return write_loader(fields, self._signs.guards)
