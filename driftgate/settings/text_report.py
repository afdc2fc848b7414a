"""The text report of `classify`: one line a piece, with its place first, so that editors and people can go there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from driftgate.classifier.result import HooksOutcome
from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.releases import FileKind, Verdict
from driftgate.releases.eras import NOTHING_IN_PRINT_MODE
from driftgate.releases.reader import Reach, ReleasePiece
from driftgate.releases.sweep import ReleaseRange, oldest_that_loads
from driftgate.report.phrases import plural
from driftgate.settings.codes import FileCode
from driftgate.settings.coordinates import coordinate, sentence
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.pieces import Caution, FileVerdict, Judge, PieceEffect, Problem, Unreadable, Words
from driftgate.settings.whole import LISTED

_COLORS: Final = {
    ExitCode.AGREES: "32",
    ExitCode.DRIFT: "31",
    ExitCode.BLIND: "35",
    PieceEffect.REJECTS: "31",
    PieceEffect.DROPPED: "33",
    PieceEffect.WOULD_DROP: "33",
    PieceEffect.CONTRACT: "33",
    PieceEffect.NEXT: "33",
}


def render(report: ClassifyReport, *, reveal: bool = False, color: bool = False, quiet: bool = False) -> str:
    """Return the report; its last line is the verdict and the exit code. `reveal` shows the user's own names whole."""
    code = report.exit_code
    last = _paint(verdict_line(code), _COLORS[code], color=color)
    if quiet:
        return last
    lines = [line for file in report.files for line in _file(file, report, reveal=reveal, color=color)]
    return "\n".join(
        [
            *lines,
            f"vocabulary: {report.vocabulary}; that an entry loads does not mean that its hook ever fires",
            last,
        ]
    )


def _paint(text: str, code: str, *, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if color else text


def _file(file: FileVerdict | Unreadable, report: ClassifyReport, *, reveal: bool, color: bool) -> Iterator[str]:
    name, pin, judge = harmless(file.name), report.pin, report.judge
    if isinstance(file, Unreadable):
        yield _paint(f"{name}: cannot read: {harmless(file.why)}", _COLORS[ExitCode.BLIND], color=color)
        if file.next:
            yield f"    next: {harmless(file.next)}"
        return
    yield f"{name}: {_headline(file, judge)}"
    if judge is Judge.BOTH and file.contract is not None:
        yield f"  contract of {pin}: {_contract_line(file)}"
    yield from _lost(file, reveal=reveal, color=color)
    said: set[str] = set()
    for problem in file.problems:
        yield from _problem(problem, name, said, reveal=reveal, color=color)
    if file.omitted:
        yield f"  and {plural(file.omitted, 'more problem')}, not listed"
    for caution in file.warnings:
        yield from _caution(caution, name, said, reveal=reveal)
    if file.released is not None and judge is Judge.RELEASE:
        yield from _released(file.released)
    if file.ranges:
        yield from _ranges(file.ranges, report.policy, reveal=reveal)
    if file.milder:
        yield f"  Claude Code {pin} is milder than the contract here:"
        yield from (f"    {reason}" for reason in file.milder)


def _lost(file: FileVerdict, *, reveal: bool, color: bool) -> Iterator[str]:
    if file.before is None:
        return
    before = harmless(file.before)
    if not file.lost_hooks:
        yield f"  every hook that loads in {before} loads here too"
        return
    guards = sum(hook.guard for hook in file.lost_hooks)
    count = plural(len(file.lost_hooks), "hook")
    loads, load = ("loads", "does") if len(file.lost_hooks) == 1 else ("load", "do")
    yield f"  {count} that {loads} in {before} {load} not here" + (
        f", {plural(guards, 'guard')} among them" if guards else ""
    )
    for hook in file.lost_hooks[:LISTED]:
        place = f"{before}:{hook.spot.line}:{hook.spot.column}: " if hook.spot else ""
        word = _paint("lost guard" if hook.guard else "lost", "31" if hook.guard else "33", color=color)
        yield f"  {place}{word}: {coordinate(hook.path, reveal=reveal)}: {hook.why} [{FileCode.LOST_HOOK}]"


_PIECES: Final = 3
"""How many pieces a line about a range of releases names."""


def _released(verdict: Verdict) -> Iterator[str]:
    yield from (f"  note: {notice}" for notice in verdict.notices)
    if verdict.seen:
        yield f"  on the screen: {verdict.seen}; {NOTHING_IN_PRINT_MODE}"


def _ranges(ranges: tuple[ReleaseRange, ...], policy: str | None, *, reveal: bool) -> Iterator[str]:
    names = [one.newest if one.count == 1 else f"{one.oldest} to {one.newest}" for one in ranges]
    width = max(map(len, names))
    yield "  releases, newest first:"
    for name, one in zip(names, ranges, strict=True):
        yield f"    {name:<{width}}  {_range(one, reveal=reveal)}"
        if one.verdict is not None and one.verdict.seen:
            yield f"    {'':<{width}}  on the screen: {one.verdict.seen}"
    oldest = oldest_that_loads(ranges)
    if any(one.verdict is not None and one.verdict.seen for one in ranges):
        yield f"  {NOTHING_IN_PRINT_MODE}"
    yield f"  everything loads from {oldest} on" if oldest else "  not even the newest of these loads everything"
    failing = [name for name, one in zip(names, ranges, strict=True) if not one.everything_loads]
    if policy is not None and failing:
        yield f"  everything is to load on {harmless(policy)}: it does not on {', '.join(failing)}"


def _range(one: ReleaseRange, *, reveal: bool) -> str:
    verdict = one.verdict
    if verdict is None:
        return "unknown: the vocabulary is not known"
    doubt = "" if verdict.reader.verified else f" ({verdict.reader_basis})"
    match verdict.outcome:
        case HooksOutcome.LOADED:
            return f"loads{doubt}"
        case HooksOutcome.LOADED_PARTIAL:
            lost = plural(len(verdict.dropped), "piece")
            return f"loses {lost}: {_pieces(verdict.dropped, reveal=reveal)}{doubt}"
        case HooksOutcome.REJECTED:
            return f"{_RANGE_WORDS[verdict.reach]}: {_pieces(verdict.rejections, reveal=reveal)}{doubt}"


_RANGE_WORDS: Final = {
    Reach.DOCUMENT: "refused",
    Reach.HOOKS_FILE: "no hook of it loads",
    Reach.PLUGIN: "disables the plugin",
}


def _pieces(pieces: tuple[ReleasePiece, ...], *, reveal: bool) -> str:
    shown = [f"{coordinate(piece.path, reveal=reveal)} ({piece.code.value})" for piece in pieces[:_PIECES]]
    return ", ".join(shown) + (f" and {len(pieces) - _PIECES} more" if len(pieces) > _PIECES else "")


def _headline(file: FileVerdict, judge: Judge) -> str:
    """Return what becomes of the file: in the release, where that judges, else by the contract."""
    loads = f"{_entries(file.loads.entries)} {'loads' if file.loads.entries == 1 else 'load'}"
    match file.outcome:
        case HooksOutcome.LOADED:
            return f"loads; {loads}"
        case HooksOutcome.LOADED_PARTIAL:
            return f"loads in part; {loads}, {plural(_dropped(file), 'piece')} dropped"
        case HooksOutcome.REJECTED:
            lost = f"; {plural(file.lost.entries, 'well-formed entry')} lost" if file.lost.entries else ""
            if judge is Judge.CONTRACT:
                return f"the contract refuses the whole document{lost}"
            if file.kind is FileKind.FRONTMATTER:
                return f"no hook of this file loads{lost}"
            reach = file.released.reach if file.released is not None else Reach.DOCUMENT
            return _REFUSED[reach].format(lost=lost, loads=loads)


_REFUSED: Final = {
    Reach.DOCUMENT: "whole document rejected{lost}; the whole document is ignored, {loads}",
    Reach.HOOKS_FILE: "no hook of this file loads{lost}; the rest of the plugin does",
    Reach.PLUGIN: "the whole plugin is disabled{lost}; nothing of it loads",
}
"""What is lost, in words."""


def _dropped(file: FileVerdict) -> int:
    """Return how many pieces do not load."""
    return len(_pieces_of(file, PieceEffect.DROPPED)) + file.omitted


def _pieces_of(file: FileVerdict, *effects: PieceEffect) -> set[object]:
    problems = [problem for problem in file.problems if problem.effect in effects]
    return {(problem.path if problem.piece is None else problem.piece, problem.note) for problem in problems}


def _contract_line(file: FileVerdict) -> str:
    if file.contract is HooksOutcome.LOADED:
        return "obeyed"
    more = _pieces_of(file, PieceEffect.CONTRACT)
    if not more:
        return "not obeyed, for the same reasons"
    also = "" if file.released is None or file.released.outcome is HooksOutcome.LOADED else "besides, "
    return f"not obeyed: {also}{plural(len(more), 'piece')} that Claude Code takes"


def _entries(count: int) -> str:
    return plural(count, "entry")


def _problem(problem: Problem, name: str, said: set[str], *, reveal: bool, color: bool) -> Iterator[str]:
    says = sentence(problem.words, reveal=reveal)
    if problem.effect is PieceEffect.REJECTS:
        said.add(says)
    elif problem.effect is PieceEffect.WOULD_DROP:
        says = (
            f"same fault, would be dropped on its own ({says})"
            if says in said
            else f"{says}; would be dropped on its own"
        )
    word = _EFFECT_WORDS[problem.effect]
    effect = _paint(word, _COLORS[problem.effect], color=color) if problem.effect in _PAINTED else word
    where = "" if not problem.path else f"{coordinate(problem.path, reveal=reveal)}{_note(problem.note)}: "
    yield f"  {_place(name, problem)}{effect}: {where}{says} [{problem.code}]"
    yield from _advice(problem.words, said)


_EFFECT_WORDS: Final = {
    PieceEffect.REJECTS: "rejects",
    PieceEffect.DROPPED: "dropped",
    PieceEffect.WOULD_DROP: "also",
    PieceEffect.CONTRACT: "contract",
    PieceEffect.NEXT: "then",
}
_PAINTED: Final = frozenset({PieceEffect.REJECTS, PieceEffect.DROPPED, PieceEffect.CONTRACT})


def _note(note: str) -> str:
    return f" ({note})" if note else ""


def _place(name: str, piece: Problem | Caution) -> str:
    return f"{name}:{piece.spot.line}:{piece.spot.column}: " if piece.spot else ""


def _advice(words: Words, said: set[str]) -> Iterator[str]:
    """Yield how to write it right; a form that was shown for this file already is not shown again."""
    if words.fix:
        yield f"      fix: {words.fix}"
    if words.sample and words.sample not in said:
        said.add(words.sample)
        yield f"      write it like: {words.sample}"


def _caution(caution: Caution, name: str, said: set[str], *, reveal: bool) -> Iterator[str]:
    named = len(caution.path) > 1 or caution.words.name is not None  # at the root the sentence names the key itself
    where = f"{coordinate(caution.path, reveal=reveal)}: " if caution.path and named else ""
    yield f"  {_place(name, caution)}warning: {where}{sentence(caution.words, reveal=reveal)} [{caution.code}]"
    yield from _advice(caution.words, said)
