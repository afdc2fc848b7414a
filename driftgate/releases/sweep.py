"""One document on many releases: ranges of releases that give the same answer.

Most neighbouring releases have the same reader and the same vocabulary: each such pair reads the document once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from driftgate.classifier.result import HooksOutcome
from driftgate.formats.json import read_json_text
from driftgate.releases.reader import ReleaseReading
from driftgate.releases.verdict import FileKind, Rules, Verdict, read, rules_of, verdict_on
from driftgate.releases.vocabulary import vocabulary_of
from driftgate.surface import Surface
from driftgate.versions import version_key

SurfaceOf: TypeAlias = Callable[[str], Surface | None]


@dataclass(frozen=True, slots=True)
class ReleaseRange:
    """Neighbouring releases that do the same with a document; `verdict` is that of the newest.

    `verdict` is None where their vocabulary is not known: nothing is said then.
    """

    oldest: str
    newest: str
    count: int
    verdict: Verdict | None

    @property
    def everything_loads(self) -> bool:
        """Whether every piece loads on all of them, for sure."""
        return self.verdict is not None and self.verdict.outcome is HooksOutcome.LOADED


def sweep(
    document: object, releases: Iterable[str], surface_of: SurfaceOf, kind: FileKind = FileKind.SETTINGS
) -> tuple[ReleaseRange, ...]:
    """Return what becomes of `document` (a text or a value of `kind`) on each of `releases`, newest first."""
    if isinstance(document, bytes | str):
        document = read_json_text(document)
    readings: dict[tuple[Rules, int], ReleaseReading] = {}
    ranges: list[ReleaseRange] = []
    for release in sorted(set(releases), key=version_key, reverse=True):
        surface = surface_of(release)
        verdict = None
        if surface is not None:
            rules = rules_of(release, kind)
            key = (rules, id(surface))
            if key not in readings:
                readings[key] = read(document, rules, vocabulary_of(surface, rules.policy))
            verdict = verdict_on(release, readings[key], surface, kind)
        last = ranges[-1] if ranges else None
        if last is not None and _answer(last.verdict) == _answer(verdict):
            ranges[-1] = ReleaseRange(release, last.newest, last.count + 1, last.verdict)
        else:
            ranges.append(ReleaseRange(release, release, 1, verdict))
    return tuple(ranges)


def oldest_that_loads(ranges: Iterable[ReleaseRange]) -> str | None:
    """Return the oldest release from which on everything loads, None where not even the newest loads everything."""
    oldest = None
    for one in ranges:
        if not one.everything_loads:
            break
        oldest = one.oldest
    return oldest


def _answer(verdict: Verdict | None) -> object:
    if verdict is None:
        return None
    return verdict.outcome, verdict.dropped, verdict.rejections, verdict.seen, verdict.reach, verdict.reader.verified
