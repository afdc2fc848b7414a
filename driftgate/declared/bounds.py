"""How much a source file may state before it is no longer read: a hostile one must not cost memory or hours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from driftgate.declared.interpret import parts_of
from driftgate.declared.values import Opaque, Text, Value
from driftgate.surface import Place

MOST: Final = 100_000
"""The most names that one constant may hold, each counted as often as it stands there."""

LONGEST: Final = 10_000
"""The most characters of one name."""


def bounded(items: Sequence[Value], place: Place) -> tuple[Value, ...]:
    """Return `items`, or in their place that they are too many."""
    return tuple(items) if len(items) <= MOST else (Opaque(f"more than {MOST} names", place),)


class Weights:
    """Counts the names in values that share parts: `A1 = (A0, A0); A2 = (A1, A1)` doubles with each line."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Value, int]] = {}  # the value is kept, so that its id stays its own

    def bounded(self, name: str, value: Value) -> Value:
        """Return `value`, or that `name` holds too many names, or one that is too long."""
        if isinstance(value, Text) and len(value.value) > LONGEST:
            return Opaque(f"{name}, which is longer than {LONGEST} characters", value.place)
        return value if self.of(value) <= MOST else Opaque(f"{name}, which holds more than {MOST} names", value.place)

    def of(self, value: Value) -> int:
        """Return how many names `value` holds."""
        if id(value) not in self._known:
            parts = parts_of(value)
            self._known[id(value)] = value, 1 + sum(map(self.of, parts))
        return self._known[id(value)][1]
