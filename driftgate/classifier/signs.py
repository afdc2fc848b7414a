"""Guard signs: where a guard's hooks may stand, wrongly placed.

A sign is an object member keyed by a guard event whose value is neither null nor [], or a matcher-shaped object that
is not in a matcher's legal place: an element of the list under an event name. The search covers whole subtrees,
needs no recursion, and does not look inside a sign for further ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import Contract
from driftgate.classifier.plain import CONTAINERS
from driftgate.classifier.result import Trail

_SMALL: Final = 64
"""Containers that are looked through before `find` is asked."""

Pairs: TypeAlias = Iterable[tuple[Any, Any]]
"""Members of an object by key, or elements of a list by index."""


def within(value: Any) -> Pairs:
    """Return the members of an object or the elements of a list; nothing for any other value."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


class Signs:
    """The guard signs of one contract."""

    __slots__ = ("_suspects", "events", "guards")

    def __init__(self, contract: Contract) -> None:
        self.events = frozenset(contract.events)
        self.guards = frozenset(contract.guard_events)
        self._suspects = self.guards | {"hooks"}

    def is_matcher_shaped(self, value: Any) -> bool:
        """Return whether `value` looks like a matcher, wherever it stands."""
        if not isinstance(value, dict) or "hooks" not in value:
            return False
        has_matcher = "matcher" in value
        if not has_matcher and not self.events.isdisjoint(value):
            return False
        hooks = value["hooks"]
        if isinstance(hooks, list):
            return len(hooks) > 0
        return isinstance(hooks, dict) and (has_matcher or isinstance(hooks.get("type"), str))

    def is_or_holds(self, value: Any) -> bool:
        """Return whether `value`, not in a matcher's legal place, is a sign or holds one."""
        return self.is_matcher_shaped(value) or self.any(within(value))

    def any(self, pairs: Pairs, *, legal: bool = False) -> bool:
        """Return whether there is a sign among `pairs` or inside them. For `legal`, see `find`."""
        guards = self.guards
        for segment, value in pairs:
            if segment not in guards and (not isinstance(value, CONTAINERS) or self.is_plain(segment, value)):
                continue
            if next(self.find(((segment, value),), legal=legal), None) is not None:
                return True
        return False

    def is_plain(self, segment: Any, value: Any) -> bool:
        """Return True for what is small and has no key of which a sign could be made, so that there is none in it.

        Most that a document holds is plain. False says nothing: `find` has to look.
        """
        if segment in self.guards:
            return False
        if not isinstance(value, CONTAINERS):
            return True
        waiting = [value]
        for container in waiting:
            if not isinstance(container, dict):
                items: Iterable[Any] = container
            elif self._suspects.isdisjoint(container):
                items = container.values()
            else:
                return False
            waiting += [item for item in items if isinstance(item, CONTAINERS)]
            if len(waiting) > _SMALL:  # or a cycle
                return False
        return True

    def find(self, pairs: Pairs, *, trail: Trail = None, legal: bool = False) -> Iterator[Trail]:
        """Yield the trail of each outermost sign among `pairs` and inside them, in the order of the document.

        `trail` is that of the container of `pairs`; `legal` says that they stand in a matcher's legal place.
        """
        guards, events = self.guards, self.events
        entered: set[int] = set()  # the containers around the present one: a cycle is not entered again
        frames = [(iter(pairs), trail, legal, 0)]
        while frames:
            items, around, legal, identity = frames[-1]
            for segment, value in items:
                if isinstance(value, dict):
                    if segment in guards or (not legal and self.is_matcher_shaped(value)):
                        yield around, segment
                        continue
                    if id(value) not in entered:
                        entered.add(id(value))
                        frames.append((iter(value.items()), (around, segment), False, id(value)))
                        break
                elif isinstance(value, list):
                    if segment in guards and value:
                        yield around, segment
                        continue
                    if id(value) not in entered:
                        entered.add(id(value))
                        frames.append((iter(enumerate(value)), (around, segment), segment in events, id(value)))
                        break
                elif segment in guards and value is not None:
                    yield around, segment
            else:
                entered.discard(identity)
                frames.pop()
