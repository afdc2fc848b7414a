"""From texts to the report: reads each source as JSON and gives the verdict that was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from driftgate.classifier.result import HooksOutcome
from driftgate.errors import UsageError
from driftgate.formats.json import read_json_text
from driftgate.releases import known_releases, surface_of
from driftgate.releases.eras import policy_of
from driftgate.releases.reader import DocumentCode
from driftgate.settings.classify import classify_text, with_releases
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.pieces import Effect, FileVerdict, Judge, Problem, Unreadable
from driftgate.settings.sources import READ_LIMIT, Source
from driftgate.settings.whole import too_large
from driftgate.surface import Surface
from driftgate.versions import parse_range


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the verdict for `release`, by which `judge`; and on which `releases` besides.

    `policy` says that everything must load on all of these releases, and names their range. `fail_on_warning` says
    that a warning is a failure too. `surface` is the vocabulary of `release` where it is not the known one.
    """

    release: str
    judge: Judge = Judge.BOTH
    releases: tuple[str, ...] = ()
    policy: str | None = None
    fail_on_warning: bool = False
    surface: Surface | None = None


def releases_in(versions: str | None) -> tuple[str, ...]:
    """Return the known releases, or those of them in a range such as ">=2.1.120". The range must be one."""
    if versions is None:
        return known_releases()
    allowed = parse_range(versions, where="releases", error=UsageError)
    return tuple(release for release in known_releases() if allowed.contains(release))


def classify_sources(found: Iterable[Source | Unreadable], question: Question) -> ClassifyReport:
    """Return the verdicts on all sources."""
    files = tuple(_answer(source, question) for source in found)
    return ClassifyReport(question.release, files, question.policy, question.judge, question.fail_on_warning)


def _answer(source: Source | Unreadable, question: Question) -> FileVerdict | Unreadable:
    if isinstance(source, Unreadable):
        return source
    if not source.is_whole:
        return _too_large(source, question)
    text = read_json_text(source.data)
    file = classify_text(text, source.name, source.kind, question.release, question.judge, question.surface)
    return with_releases(file, text, question.releases, surface_of) if question.releases else file


def _too_large(source: Source, question: Question) -> FileVerdict | Unreadable:
    limit = policy_of(question.release).size_limit
    if limit is None or question.releases:
        return Unreadable(source.name, f"too large: driftgate reads {READ_LIMIT} bytes of a file at the most")
    problem = Problem(Effect.REJECTS, DocumentCode.TOO_LARGE.value, (), None, too_large(source.size, limit))
    stated = None if question.judge is Judge.RELEASE else HooksOutcome.REJECTED
    return FileVerdict(source.name, source.kind, HooksOutcome.REJECTED, (problem,), contract=stated)
