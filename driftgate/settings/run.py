"""From texts to the report: reads each source as JSON and gives the verdict that was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from driftgate.classifier.result import HooksOutcome
from driftgate.errors import UsageError
from driftgate.formats.json import JsonText, read_json_text
from driftgate.releases import known_releases, surface_of
from driftgate.releases.eras import policy_of
from driftgate.releases.reader import DocumentCode
from driftgate.releases.verdict import rules_of
from driftgate.settings.before import Loaded, lost_hooks
from driftgate.settings.classify import classify_text, with_releases
from driftgate.settings.codes import FileCode
from driftgate.settings.contracts import contract_at, contract_with
from driftgate.settings.frontmatter import MARKDOWN, frontmatter_of
from driftgate.settings.in_place import in_place, not_read, without_places
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.pieces import FileVerdict, Judge, PieceEffect, Problem, Unreadable
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


def classify_before(before: Source | Unreadable, now: Source | Unreadable, question: Question) -> ClassifyReport:
    """Return the verdict on `now`, and the hooks of it that load `before` and do not now."""
    verdicts = [_answer(one, question) for one in (before, now)]
    old, new = verdicts
    if isinstance(old, FileVerdict) and isinstance(new, FileVerdict):
        texts = [read_json_text(one.data) for one in (before, now) if isinstance(one, Source)]
        loaded = [_loaded(text, file) for text, file in zip(texts, (old, new), strict=True)]
        contract = contract_at(question.release) if question.surface is None else contract_with(question.surface)
        new = replace(new, before=old.name, lost_hooks=lost_hooks(loaded[0], loaded[1], contract.guard_events))
    files = (new,) if isinstance(old, FileVerdict) else (old, new)
    return ClassifyReport(question.release, files, question.policy, question.judge, question.fail_on_warning)


def _loaded(text: JsonText, file: FileVerdict) -> Loaded:
    if file.released is not None:
        dropped = frozenset(piece.path for piece in file.released.dropped)
    else:
        dropped = frozenset(piece.piece or piece.path for piece in file.problems if piece.effect is PieceEffect.DROPPED)
    return Loaded(text, dropped, nothing=file.outcome is HooksOutcome.REJECTED)


def _answer(source: Source | Unreadable, question: Question) -> FileVerdict | Unreadable:
    if isinstance(source, Unreadable):
        return source
    if not source.is_whole:
        return _too_large(source, question)
    if source.kind in MARKDOWN:
        return _answer_markdown(source, question)
    return _judged(source, read_json_text(source.data), question)


def _answer_markdown(source: Source, question: Question) -> FileVerdict | Unreadable:
    try:
        document = frontmatter_of(source.data.decode("utf-8", "replace"), source.name)
    except UsageError as problem:
        return Unreadable(source.name, f"its frontmatter is not YAML: {problem.found}")
    if any(fault.code is FileCode.HOOKS_NOT_READ for fault in source.faults):
        return not_read(source.name, source.kind)
    # The places in the text that was made are no places in the file.
    return without_places(_judged(source, read_json_text(json.dumps(document or {})), question))


def _judged(source: Source, text: JsonText, question: Question) -> FileVerdict:
    file = classify_text(text, source.name, source.kind, question.release, question.judge, question.surface)
    if question.releases:
        file = with_releases(file, text, question.releases, surface_of)
    return in_place(file, text, source, rules_of(question.release, source.kind))


def _too_large(source: Source, question: Question) -> FileVerdict | Unreadable:
    limit = policy_of(question.release).size_limit
    if limit is None or question.releases:
        return Unreadable(source.name, f"too large: driftgate reads {READ_LIMIT} bytes of a file at the most")
    problem = Problem(PieceEffect.REJECTS, DocumentCode.TOO_LARGE.value, (), None, too_large(source.size, limit))
    stated = None if question.judge is Judge.RELEASE else HooksOutcome.REJECTED
    return FileVerdict(source.name, source.kind, HooksOutcome.REJECTED, (problem,), contract=stated)
