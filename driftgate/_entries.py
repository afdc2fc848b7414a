"""One hook entry, read by the contract's field table.

`EntryReader` looks at an entry field by field. Most entries are fine and have one of a few sequences of keys: for a
sequence that it meets often it has a loader written, which takes a plain entry in one go. Whoever finds a loader for an
entry may ask it first, and the reader if it answers None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from driftgate._loader import Loader, write_loader
from driftgate._signs import Signs
from driftgate.contract import FieldRule
from driftgate.predicates import Kind

Read: TypeAlias = dict[Any, Any] | str | None
"""What loads of an entry; or the field that is wrong with it; or None when something else is."""

_OFTEN: Final = 8
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
        # A field that a contract names like a guard event, or `hooks`, is not plain: it may be a guard sign.
        self._plain = {"type", *fields} - {"hooks", *signs.guards}
        self._met: Counter[tuple[Any, ...]] = Counter()
        self.loaders: dict[tuple[Any, ...], Loader] = {}

    def read(self, entry: dict[Any, Any]) -> Read:
        """Return what loads of `entry`, whose `type` is the reader's, or the field that is wrong."""
        for name, rule, kind in self._fields:
            if name in entry:
                if not kind.accepts(entry[name]):
                    return name
            elif rule.required:
                return name
        if self._signs.is_or_holds(entry):
            return None
        self._meet(entry)
        loaded = {"type": entry["type"]}
        for name, rule, kind in self._fields:
            if rule.carried and name in entry:
                loaded[name] = entry[name] if kind.copy is None else kind.copy(entry[name])
        return loaded

    def _meet(self, entry: dict[Any, Any]) -> None:
        # Only keys that are fields are remembered: there is no end of others, and they are the user's text.
        keys = tuple(entry)
        if self._plain >= entry.keys() and (keys in self._met or len(self._met) < _SEQUENCES_KEPT):
            self._met[keys] += 1
            if self._met[keys] == _OFTEN:
                fields = [(name, rule.carried, kind) for name, rule, kind in self._fields if name in entry]
                self.loaders[keys] = write_loader(fields, self._signs.guards)
