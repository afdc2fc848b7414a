"""Reading releases into the history: which ones, in what order, and so that a scan can stop, resume and be split.

Names can come, go and come back between two releases that are equal, so equal ends prove nothing: `Effort` says how
much is read, and every release says how it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from driftgate.errors import BlindError
from driftgate.history.store import History, Known, Reading, history_of
from driftgate.surface import Surface
from driftgate.versions import version_key

FIRST: Final = "1.0.23"
"""The first release that has hooks (and is published)."""

SPARSE_GAP: Final = 8
"""At most so many published releases stand unread between two that were read, in an ordinary scan."""


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
class Progress:
    """One step of a scan, for people: the release, how many were read so far, and why this one failed, if it did."""

    version: str
    done: int
    waiting: int
    problem: BlindError | None = None


def scan(
    history: History,
    plan: Plan,
    read: Callable[[str], Surface],
    effort: Effort,
    *,
    shard: tuple[int, int] = (1, 1),
    limit: int | None = None,
    save: Callable[[History], None] = lambda _: None,
    report: Callable[[Progress], None] = lambda _: None,
) -> History:
    """Return `history` with more of it read.

    `read` observes one release. `shard` (i, n) reads only every n-th release of each round, starting with the i-th;
    the parts are put together by `merge`. `limit` is the most that are read in this run. `save` is called with the
    history so far after every release, so that a scan that is stopped goes on where it was. A release that cannot be
    read is reported and left out: it stays unknown.
    """
    readings = {reading.version: reading for reading in history.readings if reading.known is Known.READ}
    failed: set[str] = set()
    done = 0
    while True:
        current = history_of(history.upstream, readings.values(), plan.published)
        wanted = [version for version in _wanted(current, plan, effort) if version not in failed]
        mine = [version for index, version in enumerate(wanted) if index % shard[1] == shard[0] - 1]
        if not mine or (limit is not None and done >= limit):
            return current
        for version in mine[: None if limit is None else limit - done]:
            problem = None
            try:
                readings[version] = reading_of(version, read(version))
                save(history_of(history.upstream, readings.values(), plan.published))
            except BlindError as error:
                failed.add(version)
                problem = error
            done += 1
            report(Progress(version, done, len(mine), problem))
        if effort is Effort.VERIFY or shard != (1, 1):
            return history_of(history.upstream, readings.values(), plan.published)


def reading_of(version: str, surface: Surface) -> Reading:
    """Return the reading of a release whose surface was just observed."""
    origin = next((evidence.origin for held in surface.sets() for evidence in held.evidence), None)
    return Reading(version, surface, Known.READ, origin)


def wanted(history: History, plan: Plan, effort: Effort) -> tuple[str, ...]:
    """Return the releases that a scan would read next (a sparse scan may find more to read by reading them)."""
    return tuple(_wanted(history, plan, effort))


def _wanted(history: History, plan: Plan, effort: Effort) -> Iterator[str]:
    read = {reading.version: reading for reading in history.readings if reading.known is Known.READ}
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


def merge(parts: Iterable[History], published: Iterable[str]) -> History:
    """Return what several scans of the same upstream read, as one history."""
    parts = tuple(parts)
    readings: dict[str, Reading] = {}
    for part in parts:
        readings |= {reading.version: reading for reading in part.readings if reading.known is Known.READ}
    return history_of(parts[0].upstream, readings.values(), tuple(sorted(published, key=version_key)))
