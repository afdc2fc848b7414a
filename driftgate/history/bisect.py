"""Finding the first release with a name by reading few of them.

The history is a hint that is never believed alone: where it knows the boundary, both sides of it are read. Where it
does not, the published releases are halved. That assumes of the releases in between that a name which has come stays,
and names can go and come back: what was read and what was assumed are both part of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from driftgate.errors import BlindError
from driftgate.history.lives import Lives, Span
from driftgate.history.record import History
from driftgate.history.stated import Name, Sort, matching, names_of, parse
from driftgate.surface import Surface


class How(StrEnum):
    """How a boundary was found."""

    HISTORY = "history"
    """The history named it, and reading both sides confirmed it."""
    SEARCH = "search"
    """By halving."""
    NOWHERE = "nowhere"
    """No release that was read, and none that the history knows, has the name."""
    UNSEEN = "unseen"
    """What decides could not be read."""


@dataclass(frozen=True, slots=True)
class Read:
    """One live reading: the release and whether it has the name; None with a `problem` where it could not be read."""

    version: str
    has: bool | None
    artefact: str = ""
    problem: BlindError | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    `first` has the name, and `before` is the newest release known to lack it that is older; None where the name is in
    the oldest release of all. `between` are the published releases between the two that were not read: unless there
    are none, the name may have come in any of them. `assumed` says in words what was not read and taken for granted.
    """

    name: Name
    how: How
    reads: tuple[Read, ...]
    first: str | None = None
    before: str | None = None
    between: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the first release is known exactly."""
        return self.first is not None and not self.between and self.how in (How.HISTORY, How.SEARCH)


PATIENCE: Final = 8
"""After so many releases that cannot be read, no more are tried."""


@dataclass(slots=True)
class _Reader:
    """Reads each release once and keeps what was read."""

    name: Name
    read: Callable[[str], Surface]
    report: Callable[[Read], None]
    patience: int
    reads: dict[str, Read] = field(default_factory=dict)

    def has(self, version: str) -> bool | None:
        """Return whether a release has the name, by reading it; None where it cannot be read."""
        if version not in self.reads:
            if self.patience <= 0:
                return None
            self.reads[version] = self._read(version)
            self.patience -= self.reads[version].has is None
            self.report(self.reads[version])
        return self.reads[version].has

    def _read(self, version: str) -> Read:
        try:
            surface = self.read(version)
        except BlindError as problem:
            return Read(version, None, problem=problem)
        origins = {str(evidence.origin) for held in surface.sets() for evidence in held.evidence}
        return Read(version, self.name in names_of(surface), ", ".join(sorted(origins)))


def bisect(
    name: Name,
    history: History,
    published: Sequence[str],
    read: Callable[[str], Surface],
    *,
    known_in: str | None = None,
    patience: int = PATIENCE,
    report: Callable[[Read], None] = lambda _: None,
) -> Found:
    """Return the first of the `published` releases (oldest first) with `name`.

    `read` observes one release; `known_in` is a release that has the name, where the newest does not. `patience` is
    how many releases may turn out not to be readable. `report` is told of each reading.
    """
    search = _Search(name, Lives(history), tuple(published), _Reader(name, read, report, patience))
    return (None if known_in else search.by_history()) or search.by_halving(known_in)


@dataclass(slots=True)
class _Search:
    name: Name
    lives: Lives
    published: tuple[str, ...]
    reader: _Reader
    notices: list[str] = field(default_factory=list)

    def by_history(self) -> Found | None:
        """Read both sides of the boundary that the history names; None where it names none, or is wrong."""
        span = self._span()
        if span is None:
            return None
        first = span.first.version
        index = self.published.index(first)
        before = self.published[index - 1] if index else None
        seen = (self.reader.has(first), self.reader.has(before) if before else False)
        if seen == (True, False):
            older = [f"by the history alone: no release older than {before} has it"] if before else []
            return self._found(How.HISTORY, first, before, older)
        if span.unread_before:
            return None
        if None in seen:
            self.notices.append(f"the history says {first}; that could not be verified by reading")
            return self._found(How.UNSEEN)
        self.notices.append(f"the history says {first}, and the releases say otherwise: it was searched anew")
        return None

    def by_halving(self, known_in: str | None) -> Found:
        """Halve the releases between one that has the name and the newest older one that the history says lacks it."""
        high = self._high(known_in)
        if high is None:
            unread = any(read.has is None for read in self.reader.reads.values())
            nowhere = ["of the releases that were not read: none had it and lost it again"]
            return self._found(How.UNSEEN) if unread else self._found(How.NOWHERE, assumed=nowhere)
        hint = self._low(high)
        low, high = self._halved(hint, high)
        assumed = ["of the releases that were not read: a name that has come stays"]
        if low >= 0:
            match self.reader.has(self.published[low]):
                case True:
                    self.notices.append(f"the history says that {self.published[low]} lacks it, and it has it")
                    self.lives = Lives(History(self.lives.history.upstream, ()))
                    return self.by_halving(self.published[low])
                case None:
                    assumed.append(f"by the history alone: {self.published[low]} lacks it")
        return self._found(How.SEARCH, self.published[high], self.published[low] if low >= 0 else None, assumed)

    def _halved(self, low: int, high: int) -> tuple[int, int]:
        gap = list(range(low + 1, high))
        while gap:
            middle = gap[len(gap) // 2]
            match self.reader.has(self.published[middle]):
                case None:
                    gap.remove(middle)
                case True:
                    high, gap = middle, [index for index in gap if index < middle]
                case False:
                    low, gap = middle, [index for index in gap if index > middle]
        return low, high

    def _span(self) -> Span | None:
        """Return the oldest span of the name by the history, where the published releases have its begin."""
        if self.name not in self.lives.names:
            return None
        span = self.lives.of(self.name).spans[0]
        return span if span.first.version in self.published else None

    def _high(self, known_in: str | None) -> int | None:
        """Return the index of a release that has the name: the one that is said to have it, else the newest.

        Where the newest that can be read lacks it, the last one that had it by the history.
        """
        if known_in is not None:
            return self.published.index(known_in) if self.reader.has(known_in) else None
        for index in reversed(range(len(self.published))):
            has = self.reader.has(self.published[index])
            if has:
                return index
            if has is False:
                break
        span = self._span()
        if span is None or span.last.version not in self.published or not self.reader.has(span.last.version):
            return None
        return self.published.index(span.last.version)

    def _low(self, high: int) -> int:
        """Return the index of the newest older release that lacks the name by the history; -1: before the first."""
        for index in reversed(range(high)):
            reading = self.lives.history.get(self.published[index])
            if reading is not None and not self.lives.states(reading.surface, self.name):
                return index
        return -1

    def _found(
        self, how: How, first: str | None = None, before: str | None = None, assumed: Sequence[str] = ()
    ) -> Found:
        between: tuple[str, ...] = ()
        if first is not None:
            start = self.published.index(before) + 1 if before else 0
            between = self.published[start : self.published.index(first)]
        reads = tuple(self.reader.reads.values())
        return Found(self.name, how, reads, first, before, between, tuple(assumed), tuple(self.notices))


def name_for(text: str, history: History) -> tuple[Name, ...]:
    """Return the names that `text` may mean to a search: those of the history, else the one that it spells out.

    A name that the history lacks must say its sort ("event X", "field command.x"); else there is none to search for.
    """
    known = matching(text, Lives(history).names)
    sort, word = parse(text)
    if known or sort is None or not word:
        return known
    whole = {Sort.FIELD: "." in word, Sort.VALUE: "=" in word}.get(sort, True)
    return (Name(sort, word),) if whole else ()
