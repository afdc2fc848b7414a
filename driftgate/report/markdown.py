"""Markdown (GitHub's and GitLab's): for job summaries, and the bodies of issues and pull requests.

Text from elsewhere is written so that no renderer takes it for markup: names as code, other text with its special
characters as character references. Nobody is mentioned and nothing is linked by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from driftgate.errors import VERDICTS, DriftgateError
from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
from driftgate.judge.findings import Finding
from driftgate.report import Style
from driftgate.report.phrases import (
    DIRECTIONS,
    accepted_line,
    by_direction,
    count_lines,
    declared_lines,
    effects_of,
    findings_line,
    mirror_title,
    pin_line,
    problem_parts,
    reason_of,
    subset_lines,
    summary_of,
    title_of,
    unseen,
    verdict_of,
)
from driftgate.report.places import location_of

_SPECIAL: Final = re.compile(r"[^\w\s.,;:()/'\"?=+%-]")
_MOST: Final = 100
"""How many findings of a direction are listed: the body of an issue or pull request has a greatest length."""

_PINGS: Final = re.compile(r"[@#]|://|\bwww\.|\bGH-\d", re.IGNORECASE)


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one Markdown document that begins with a heading and the verdict."""
    return "\n".join(_lines(report, style))


def code(text: str) -> str:
    """Return `text` as inline code that holds in a table, too."""
    # A bar would end a table's cell even within code, so it stands between two pieces of code.
    return "&#124;".join(_span(part) if part else "" for part in harmless(text).split("|"))


def _span(text: str) -> str:
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def prose(text: str) -> str:
    """Return `text` as running text; what would mention or link somebody or something is set as code."""
    words = harmless(text).split(" ")
    return " ".join(code(word) if _PINGS.search(word) else _referenced(word) for word in words)


def _referenced(text: str) -> str:
    text = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text)
    # An underscore inside a word is no markup; at its edge it would be.
    return re.sub(r"(?<![^\W_])_+|_+(?![^\W_])", lambda match: "&#95;" * len(match[0]), text)


def _lines(report: CheckReport, style: Style) -> Iterator[str]:
    yield f"## driftgate: {report.verdict}"
    for mirror in report.mirrors:
        yield from _mirror(mirror, report, style)
    if report.failure or not report.mirrors:
        yield from ("", *_problem(unseen(report)[0].problem))
    yield from ("", f"**{prose(verdict_of(report))}**")


def _mirror(mirror: MirrorReport, report: CheckReport, style: Style) -> Iterator[str]:
    for comparison in mirror.comparisons:
        yield from ("", f"### Compared with {prose(title_of(comparison))}", "")
        yield from _comparison(comparison, style)
    if mirror.problem is not None:
        yield from ("", f"### {prose(mirror_title(mirror))}", "", *_problem(mirror.problem))
    if mirror.findings:
        whose = f": {prose(mirror.home.name)}" if mirror.home.name else ""
        yield from ("", f"### This project itself{whose}", "", *_groups(mirror.findings, style))
    foot = [*_foot(mirror, report, style)]
    yield from ([""] * bool(foot)) + foot


def _comparison(comparison: Comparison, style: Style) -> Iterator[str]:
    if comparison.problem is not None:
        yield from _problem(comparison.problem)
        return
    yield from (f"- {prose(line)}" for line in count_lines(comparison))
    if comparison.findings:
        yield from ("", *_groups(comparison.findings, style))
    if comparison.accepted:
        yield from ("", "<details>", f"<summary>Accepted ({len(comparison.accepted)})</summary>", "")
        rows = ((code(one.subject), code(one.rule.id), prose(reason_of(one))) for one in comparison.accepted)
        yield from (*table(("Subject", "Rule", "Reason"), rows), "", "</details>")
    if comparison.anchors:
        anchors = [[str(anchor), *filter(None, [anchor.integrity])] for anchor in comparison.anchors]
        yield from ("", f"Read from {', '.join(' '.join(map(code, parts)) for parts in anchors)}")


def _problem(problem: DriftgateError) -> Iterator[str]:
    yield f"**{VERDICTS[problem.code].capitalize()}**: {prose(problem.what)}"
    yield ""
    yield from (f"- {name}: {prose(text)}" for name, text in problem_parts(problem))


def _groups(findings: Iterable[Finding], style: Style) -> Iterator[str]:
    for index, (direction, group) in enumerate(by_direction(findings).items()):
        yield from [""] * bool(index)
        yield from (f"**{DIRECTIONS[direction].capitalize()} ({len(group)})**", "")
        yield from table(("Severity", "Subject", "Rule", "What it does", "Where"), _rows(group[:_MOST], style))
        if len(group) > _MOST:
            yield from ("", f"and {len(group) - _MOST} more; `driftgate check` prints all of them")


def _rows(findings: Iterable[Finding], style: Style) -> Iterator[tuple[str, ...]]:
    for one in findings:
        places = (str(location_of(place, one.home, style) or place) for place in one.places)
        # The remedy is driftgate's own text, and may hold code.
        said = [*map(prose, [summary_of(one), *effects_of(one)]), f"next: {one.remedy}"]
        where = "<br>".join(map(code, places))
        yield one.severity.value, code(one.subject), code(one.rule.id), "<br>".join(said), where


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table; its cells are Markdown already."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _foot(mirror: MirrorReport, report: CheckReport, style: Style) -> Iterator[str]:
    found = findings_line(report) if mirror is report.mirrors[-1] else None
    lines = [found, accepted_line(mirror), *subset_lines(mirror), *declared_lines(mirror), pin_line(mirror, style)]
    yield from (f"- {prose(line)}" for line in lines if line)
