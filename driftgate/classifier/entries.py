"""One hook entry, read by the contract's field table.

`EntryReader` looks at an entry field by field. Most entries are fine and have one of a few sequences of keys: for each
sequence that it meets it keeps a loader, which knows in advance what to look at. Whoever finds a loader for an entry
may ask it first, and the reader if it answers None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import FieldRule
from driftgate.classifier.kinds import FieldKind
from driftgate.classifier.plain import flat_copy
from driftgate.classifier.signs import Signs

Read: TypeAlias = dict[Any, Any] | str | None
"""What loads of an entry; or the field that is wrong with it; or None when something else is."""

Loader: TypeAlias = Callable[[dict[Any, Any]], dict[Any, Any] | None]
"""Takes an entry that has the keys it was made for. Returns what loads, or None if that is not plain to see."""

_SEQUENCES_KEPT: Final = 256


class EntryReader:
    """Reads the entries of one type."""

    def __init__(self, fields: Mapping[str, FieldRule], kinds: Mapping[str, FieldKind], signs: Signs) -> None:
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
            if load is None and self._may_be_plain and len(self.loaders) < _SEQUENCES_KEPT:
                self.loaders[names] = self._loader(names)
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

    def _loader(self, names: tuple[Any, ...]) -> Loader:
        fields = [(name, rule.carried, kind) for name, rule, kind in self._fields if name in names]
        return _loader_of(fields, names, self._signs.guards)


def _loader_of(fields: Iterable[tuple[str, bool, FieldKind]], names: tuple[Any, ...], guards: frozenset[str]) -> Loader:
    """Return the loader of an entry with the keys `names`: `type` and `fields` (name, whether carried, kind).

    Reading plain entries is the hot spot of the classifier: the checks are laid out once, and an entry whose keys
    stand in the order of the contract is copied at one stroke. Instances of subclasses are right too, and not plainly.
    """
    fields = tuple(fields)
    checks = tuple(
        (name, kind.types if isinstance(kind.types, tuple) else (kind.types,), kind.test) for name, _, kind in fields
    )
    carried = ("type", *(name for name, is_carried, _ in fields if is_carried))
    nested = tuple((name, is_carried) for name, is_carried, kind in fields if kind.nested)
    copied = tuple(
        (name, kind.copy) for name, is_carried, kind in fields if is_carried and kind.copy and not kind.nested
    )
    whole = len(carried) if carried == names else -1
    simple = not nested and not copied

    def load(entry: dict[Any, Any]) -> dict[Any, Any] | None:
        for name, classes, test in checks:
            value = entry[name]
            if value.__class__ not in classes or (test is not None and not test(value)):
                return None
        loaded = entry.copy() if len(entry) == whole else {name: entry[name] for name in carried}
        if simple:
            return loaded
        for name, copy in copied:
            loaded[name] = copy(loaded[name])
        for name, is_carried in nested:
            flat = flat_copy(entry[name])
            if flat is None or not guards.isdisjoint(flat):
                return None
            if is_carried:
                loaded[name] = flat
        return loaded

    return load
