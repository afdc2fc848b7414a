"""Where a name lives: since when, gone when, back when, and how sure each end is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from driftgate.history.record import History, Known, Reading, Run
from driftgate.history.stated import Name, matching, names_of
from driftgate.surface import Surface


@dataclass(frozen=True, slots=True)
class Span:
    """Known releases, one after the other, that all have a name.

    `before` and `after` are the nearest known releases that lack it, None where there is none. `unread_before` and
    `unread_after` are the published releases between them and the span of which nothing is known: it may have come, or
    gone, in any of these. `unread` are such releases inside the span.
    """

    readings: tuple[Reading, ...]
    before: Reading | None = None
    after: Reading | None = None
    unread_before: tuple[str, ...] = ()
    unread_after: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def first(self) -> Reading:
        """The oldest release of the span."""
        return self.readings[0]

    @property
    def last(self) -> Reading:
        """The newest release of the span."""
        return self.readings[-1]

    @property
    def read(self) -> int:
        """How many releases of the span were read themselves."""
        return sum(reading.known is Known.READ for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Life:
    """A name and the spans of releases that have it, oldest first; never none."""

    name: Name
    spans: tuple[Span, ...]

    @property
    def lives(self) -> bool:
        """Whether the newest known release has the name."""
        return self.spans[-1].after is None


class Lives:
    """The lives of every name of a history, computed once."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._runs = history.runs()
        self._names: dict[int, frozenset[Name]] = {}
        self.names: Mapping[Name, None] = self._collect()

    def _collect(self) -> Mapping[Name, None]:
        """Return every name that ever was, those of the newest surface first and in its order."""
        found: dict[Name, None] = {}
        for run in reversed(self._runs):
            if id(run.surface) not in self._names:
                names = names_of(run.surface)
                self._names[id(run.surface)] = frozenset(names)
                found |= dict.fromkeys(names)
        return found

    def states(self, surface: Surface, name: Name) -> bool:
        """Return whether `surface`, one of the history's, states `name`."""
        return name in self._names[id(surface)]

    def of(self, name: Name) -> Life:
        """Return where `name`, one of `names`, lives."""
        spans: list[Span] = []
        current: list[Run] = []
        before: Run | None = None
        for run in self._runs:
            if self.states(run.surface, name):
                current.append(run)
                continue
            if current:
                spans.append(_span(before, current, run))
            before, current = run, []
        if current:
            spans.append(_span(before, current, None))
        return Life(name, tuple(spans))

    def find(self, text: str) -> tuple[Life, ...]:
        """Return the life of every name that `text` stands for."""
        return tuple(self.of(name) for name in matching(text, self.names))


def _span(before: Run | None, runs: list[Run], after: Run | None) -> Span:
    return Span(
        readings=tuple(reading for run in runs for reading in run.readings),
        before=before.last if before else None,
        after=after.first if after else None,
        unread_before=runs[0].unread if before else (),
        unread_after=after.unread if after else (),
        unread=tuple(version for run in runs[1:] for version in run.unread),
    )
