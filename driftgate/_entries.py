"""One hook entry, read by the contract's field table.

Which of an entry's keys are fields, which are missing and which are carried depends on its keys alone. So that is
worked out once for each sequence of keys (a shape), and what remains for an entry is to look at its values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from driftgate._signs import Signs
from driftgate.contract import FieldRule
from driftgate.predicates import Copy, Kind, Test

Read: TypeAlias = dict[Any, Any] | str | None
"""What loads of an entry; or the field that is wrong with it; or None when something else is."""

_SHAPES_KEPT: Final = 256


class Rest(NamedTuple):
    """What is left to do for an entry once its carried fields were looked at.

    `checked`: the other fields to look at. `missing`: a field that is required and not there (those after it in the
    table were left out). `suspects`: the keys that are no carried fields, and under which a guard sign may be.
    `copies`: the carried fields whose values are copied: name, how, and whether a sign may be in the value.
    """

    checked: tuple[tuple[str, Kind], ...]
    missing: str | None
    suspects: tuple[Any, ...]
    copies: tuple[tuple[str, Copy, bool], ...]


class Shape(NamedTuple):
    """What an entry's keys decide: the carried fields that it has, in table order, and what is left after them."""

    carried: tuple[tuple[str, type | tuple[type, ...], Test | None], ...]
    rest: Rest | None


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
        # A field that a contract names like a guard event, or `hooks`, is no less a suspect.
        safe = {name for name, rule, kind in self._fields if rule.carried or not kind.nested}
        self._safe = safe - {*signs.guards, "hooks"} | {"type"}
        self._known = {name for name, _, _ in self._fields} | {"type"}
        self._shapes: dict[tuple[Any, ...], Shape] = {}

    def read(self, entry: dict[Any, Any]) -> Read:
        """Return what loads of `entry`, whose `type` is the reader's, or the field that is wrong."""
        carried, rest = self._shapes.get(tuple(entry)) or self._shape(entry)
        loaded = {"type": entry["type"]}
        for name, types, test in carried:
            value = entry[name]
            if not isinstance(value, types) or (test is not None and not test(value)):
                return name
            loaded[name] = value
        return loaded if rest is None else self._read_rest(entry, loaded, rest)

    def _read_rest(self, entry: dict[Any, Any], loaded: dict[Any, Any], rest: Rest) -> Read:
        for name, kind in rest.checked:
            if not kind.accepts(entry[name]):
                return name
        if rest.missing is not None:
            return rest.missing
        signs = self._signs
        if rest.suspects and (
            signs.is_matcher_shaped(entry) or signs.any([(key, entry[key]) for key in rest.suspects])
        ):
            return None
        for name, copy, nested in rest.copies:
            value = loaded[name]
            if nested and not signs.is_plain(name, value) and signs.any(((name, value),)):
                return None
            loaded[name] = copy(value)
        return loaded

    def _shape(self, entry: dict[Any, Any]) -> Shape:
        shape = self._work_out(entry)
        # Shapes with keys that are no fields are not kept: there is no end of them, and they are the user's text.
        if self._known >= entry.keys() and len(self._shapes) < _SHAPES_KEPT:
            self._shapes[tuple(entry)] = shape
        return shape

    def _work_out(self, entry: dict[Any, Any]) -> Shape:
        missing = None
        present = []
        for name, rule, kind in self._fields:
            if name in entry:
                present.append((name, rule, kind))
            elif rule.required:
                missing = name
                break
        carried = [(name, kind) for name, rule, kind in present if rule.carried]
        rest = Rest(
            checked=tuple((name, kind) for name, rule, kind in present if not rule.carried),
            missing=missing,
            suspects=tuple(key for key in entry if key not in self._safe),
            copies=tuple((name, kind.copy, kind.nested) for name, kind in carried if kind.copy),
        )
        return Shape(tuple((name, kind.types, kind.test) for name, kind in carried), rest if any(rest) else None)
