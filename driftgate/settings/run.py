"""From texts to the report: reads each source as JSON and classifies it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from driftgate.hooks_result import HooksOutcome
from driftgate.jsontext import read_json_text
from driftgate.releases.eras import policy_of
from driftgate.releases.reader import DocumentCode
from driftgate.settings.classify import classify_text, too_large
from driftgate.settings.model import Effect, FileVerdict, Problem, Unreadable
from driftgate.settings.report import ClassifyReport
from driftgate.settings.sources import Source


@cache
def contract_pin() -> str:
    """Return the release that this package's contract is pinned to."""
    from driftgate.config import own_config

    return own_config().snapshot.stem


def classify_sources(found: Iterable[Source | Unreadable], pin: str) -> ClassifyReport:
    """Return the verdicts on all sources, by the contract that is pinned to `pin`."""
    return ClassifyReport(pin, tuple(_classify(source, pin) for source in found))


def _classify(source: Source | Unreadable, pin: str) -> FileVerdict | Unreadable:
    if isinstance(source, Unreadable):
        return source
    if not source.is_whole:
        words = too_large(source.size, policy_of(pin).size_limit or 0)
        problem = Problem(Effect.REJECTS, DocumentCode.TOO_LARGE.value, (), None, words)
        return FileVerdict(source.name, source.kind, HooksOutcome.REJECTED, (problem,))
    return classify_text(read_json_text(source.data), source.name, source.kind, pin)
