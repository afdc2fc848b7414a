"""Where a release looks for misplaced guards, from 2.1.257 on: three levels deep, and less strictly than we do.

A sign is an own key that is a guard event and holds something, or, where matchers count, an object of a matcher's
shape. Below a key that is an event name matchers stop counting; what lies below an entry is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.signs import Signs

REACH: Final = 3
"""How many levels below a value signs are still seen."""

_NO_KEYS: Final[frozenset[str]] = frozenset()


class ReleaseSigns:
    """The search of one release's reader."""

    __slots__ = ("_events", "_guards", "_signs", "_unscanned")

    def __init__(self, signs: Signs, unscanned: frozenset[str]) -> None:
        self._signs = signs
        self._events = signs.events
        self._guards = signs.guards
        self._unscanned = unscanned

    def outside(self, document: dict[str, Any], skipped: frozenset[str]) -> ConfigPath | None:
        """Return the path of a sign outside `hooks`, of which there is one at most; `skipped` are top-level keys."""
        own = self._guard_key(document)
        if own is not None:
            return (own,)
        for key, value in document.items():
            if key == "hooks" or key in self._unscanned or key in skipped:
                continue
            found = self._find(value, REACH, self._unscanned, matchers=key not in self._events)
            if found is not None:
                return (key, *found)
        return None

    def within(self, value: Any, *, matchers: bool) -> bool:
        """Return whether there is a sign in `value`, which stands somewhere under `hooks`."""
        return self._find(value, REACH, _NO_KEYS, matchers=matchers) is not None

    def in_arrays(self, value: Any, null_depth: int | None) -> bool:
        """Return whether `hooks`, an array, holds what may be a guard, however deep its arrays are nested.

        From `null_depth` levels of arrays on, null and an object that holds null count too: a cut may stand there.
        """
        level, arrays = 1, [value]
        while arrays:
            elements = [element for array in arrays for element in array]
            for element in elements:
                if level == 1 and isinstance(element, dict):
                    return True
                if self._is_sign(element) or (null_depth is not None and level >= null_depth and _has_null(element)):
                    return True
            level, arrays = level + 1, [element for element in elements if isinstance(element, list)]
        return False

    def _is_sign(self, value: Any) -> bool:
        return self._guard_key(value) is not None or self._signs.is_matcher_shaped(value)

    def _guard_key(self, value: Any) -> str | None:
        if not isinstance(value, dict):
            return None
        return next((key for key in value if key in self._guards and value[key] is not None and value[key] != []), None)

    def _find(
        self, value: Any, depth: int, skipped: frozenset[str], *, matchers: bool, in_entries: bool = False
    ) -> ConfigPath | None:
        own = self._guard_key(value)
        if own is not None:
            return (own,)
        if matchers and self._signs.is_matcher_shaped(value):
            return ()
        if depth == 0 or (in_entries and isinstance(value, dict) and isinstance(value.get("type"), str)):
            return None
        for name, member, matchers_below, entries_below in self._below(value, matchers=matchers, in_entries=in_entries):
            if name in skipped:
                continue
            found = self._find(member, depth - 1, skipped, matchers=matchers_below, in_entries=entries_below)
            if found is not None:
                return (name, *found)
        return None

    def _below(self, value: Any, *, matchers: bool, in_entries: bool) -> Iterator[tuple[str | int, Any, bool, bool]]:
        """Yield each member, and whether matchers count in it and whether it is a list of entries."""
        if isinstance(value, list):
            for index, element in enumerate(value):
                yield index, element, matchers, in_entries
        elif isinstance(value, dict):
            for key, member in value.items():
                yield key, member, matchers and key not in self._events, key == "hooks" and isinstance(member, list)


def _has_null(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and any(member is None for member in value.values()))
