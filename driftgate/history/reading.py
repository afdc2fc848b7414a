"""Reading releases into the history: which ones, in what order, and so that a scan can stop, resume and be split.

Names can come, go and come back between two releases that are equal, so equal ends prove nothing: `Effort` says how
much is read, and every release says how it is known.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from driftgate.errors import BlindError
from driftgate.history.record import History, Known, Reading, history_of
from driftgate.surface import HOOK_MATCHER_FIELDS_TABLE, Surface
from driftgate.versions import version_key

FIRST: Final = "1.0.23"
"""The first release that has hooks (and is published)."""

SPARSE_GAP: Final = 8
"""At most so many published releases stand unread between two that were read, in an ordinary scan."""


PATIENCE: Final = 5
"""After so many releases in a row that could not be read, a scan ends: the network is away, or the reader is wrong."""


class Effort(StrEnum):
    """How much a scan reads."""

    SPARSE = "sparse"
    """Every release whose anchor is small, every change point, and no gap wider than `SPARSE_GAP`."""
    VERIFY = "verify"
    """The middle of every gap, once: run it again to halve them again."""
    ALL = "all"
    """Every release."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a scan has to go by: the published releases (oldest first), and those whose anchor is small."""

    published: tuple[str, ...]
    small: frozenset[str]


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `of` parts of a scan, counted from 1. Each release is always in the same part."""

    number: int = 1
    of: int = 1

    def holds(self, version: str) -> bool:
        """Return whether a release is in this part: by its name alone, so that a part can resume."""
        return zlib.crc32(version.encode()) % self.of == self.number - 1

    @property
    def whole(self) -> bool:
        """Whether this is all of the scan."""
        return self.of == 1


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a scan: the release, how many were read so far and are waiting, and why this one failed, if so."""

    version: str
    done: int
    waiting: int
    problem: BlindError | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """When a scan stops early: after `releases` of them, or when `exhausted` says so (asked before each reading)."""

    releases: int | None = None
    exhausted: Callable[[], bool] = lambda: False

    def reached(self, done: int) -> bool:
        """Return whether no more is to be read."""
        return (self.releases is not None and done >= self.releases) or self.exhausted()


def scan(
    history: History,
    plan: Plan,
    read: Callable[[str], Surface],
    effort: Effort,
    *,
    shard: Shard = Shard(),
    limits: Limits = Limits(),
    save: Callable[[History], None] = lambda _: None,
    report: Callable[[Progress], None] = lambda _: None,
) -> History:
    """Return `history` with more of it read.

    `read` observes one release. A shard reads one round only: the parts are put together by `merge`, and a sparse scan
    of the whole then finds what is still open. `save` is called with the history so far after every release, so that a
    scan that is stopped goes on where it was. A release that cannot be read is reported and stays unknown; after
    `PATIENCE` of them in a row the scan ends.
    """
    failed: set[str] = set()
    done = in_a_row = 0
    current = history_of(history.upstream, history.read().values(), plan.published)
    while True:
        readable = replace(plan, published=tuple(v for v in plan.published if v not in failed))
        mine = [version for version in wanted(current, readable, effort) if shard.holds(version)]
        for index, version in enumerate(mine):
            if limits.reached(done) or in_a_row >= PATIENCE:
                return current
            problem = None
            try:
                fresh = reading_of(version, read(version))
                current = history_of(current.upstream, (*current.read().values(), fresh), plan.published)
                save(current)
                in_a_row = 0
            except BlindError as error:
                if limits.exhausted():
                    return current
                failed.add(version)
                in_a_row += 1
                problem = error
            done += 1
            report(Progress(version, done, len(mine) - index - 1, problem))
        if not mine or effort is Effort.VERIFY or not shard.whole:
            return current


def reading_of(version: str, surface: Surface) -> Reading:
    """Return the reading of a release whose surface was just observed."""
    surface = replace(
        surface,
        tables=MappingProxyType(
            # The history holds what every reader has stated: it would differ by the reader, not by the release.
            {n: replace(t, rules=None) for n, t in surface.tables.items() if n != HOOK_MATCHER_FIELDS_TABLE}
        ),
    )
    origin = next((evidence.origin for held in surface.sets() for evidence in held.evidence), None)
    return Reading(version, surface, Known.READ, origin)


def wanted(history: History, plan: Plan, effort: Effort) -> tuple[str, ...]:
    """Return the releases that a scan would read next (a sparse scan may find more to read by reading them)."""
    return tuple(_wanted(history, plan, effort))


def _wanted(history: History, plan: Plan, effort: Effort) -> Iterator[str]:
    read = history.read()
    unread = [version for version in plan.published if version not in read]
    if effort is Effort.ALL:
        yield from unread
        return
    ends = {version for version in (*plan.published[:1], *plan.published[-1:]) if version not in read}
    if effort is Effort.SPARSE:
        ends |= {version for version in unread if version in plan.small}
    middles = set() if ends else set(_middles(plan.published, read, effort))
    yield from (version for version in unread if version in ends | middles)


def _middles(published: Iterable[str], read: Mapping[str, Reading], effort: Effort) -> Iterator[str]:
    """Yield the middle of every gap between two read releases that is too wide for `effort`."""
    gap: list[str] = []
    before: Reading | None = None
    for version in published:
        if version not in read:
            gap.append(version)
            continue
        after = read[version]
        widest = SPARSE_GAP if effort is Effort.SPARSE else 0
        if before is not None and gap and (before.surface is not after.surface or len(gap) > widest):
            yield gap[len(gap) // 2]
        before, gap = after, []


def merge(parts: Iterable[History]) -> History:
    """Return what several scans of the same upstream read, as one history of all the releases that they name."""
    parts = tuple(parts)
    readings: dict[str, Reading] = {}
    published: set[str] = set()
    for part in parts:
        readings |= part.read()
        published |= set(part.published())
    return history_of(parts[0].upstream, readings.values(), sorted(published, key=version_key))
