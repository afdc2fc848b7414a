"""The text report: for people at a terminal, and in a CI log at two in the morning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from driftgate.errors import DriftgateError, ExitCode
from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
from driftgate.judge.findings import NOWHERE, Finding
from driftgate.judge.rules import Severity
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

_COLORS: Final = {
    Severity.ERROR: "31",
    Severity.WARNING: "33",
    Severity.NOTICE: "36",
    ExitCode.AGREES: "32",
    ExitCode.DRIFT: "31",
    ExitCode.USAGE: "31",
    ExitCode.BLIND: "35",
}
_BOLD: Final = "1"
_NARROWEST: Final = 40


def render(report: CheckReport, style: Style) -> str:
    """Return the report; its last line is the verdict and the exit code."""
    page = _Page(report, style)
    lines = [] if style.quiet else [*page.lines()]
    return "\n".join([*lines, page.paint(verdict_of(report), _COLORS[report.exit_code])])


class _Page:
    """One report in one style."""

    def __init__(self, report: CheckReport, style: Style) -> None:
        self.report = report
        self.style = style
        self.width = max(style.width, _NARROWEST)

    def lines(self) -> Iterator[str]:
        several = len(self.report.mirrors) > 1
        for mirror in self.report.mirrors:
            if several:
                yield self.paint(harmless(f"== {mirror_title(mirror)}"), _BOLD)
            yield from self.mirror(mirror)
        if self.report.failure or not self.report.mirrors:
            yield from self.problem(unseen(self.report)[0].problem)
            yield ""
        if several:
            yield from self.wrapped(filter(None, [findings_line(self.report)]), 0)

    def mirror(self, mirror: MirrorReport) -> Iterator[str]:
        for comparison in mirror.comparisons:
            yield self.paint(harmless(f"against {title_of(replace(comparison, home=NOWHERE))}"), _BOLD)
            yield from self.comparison(comparison)
            yield ""
        if mirror.problem is not None:
            yield from self.problem(mirror.problem)
            yield ""
        if mirror.findings:
            yield from self.groups(mirror.findings)
            yield ""
        yield from self.foot(mirror)
        yield from [""] * (len(self.report.mirrors) > 1 and mirror.failure is None)

    def comparison(self, comparison: Comparison) -> Iterator[str]:
        if comparison.problem is not None:
            yield from self.problem(comparison.problem)
            return
        yield from self.wrapped(count_lines(comparison), 2)
        if comparison.findings or self.style.verbose:
            anchors = (f"read from {anchor} {anchor.integrity or ''}".rstrip() for anchor in comparison.anchors)
            yield from self.wrapped(anchors, 2)
        if self.style.verbose:
            accepted = (f"accepted {one.subject} ({one.rule.id}): {reason_of(one)}" for one in comparison.accepted)
            left_out = (f"left out {one.subject} ({one.rule.id})" for one in comparison.left_out)
            yield from self.wrapped((*accepted, *left_out), 2)
        if comparison.findings:
            yield ""
            yield from self.groups(comparison.findings)

    def problem(self, problem: DriftgateError) -> Iterator[str]:
        yield from self.wrapped([f"blind: {problem.what}" if problem.code is ExitCode.BLIND else problem.what], 2)
        for name, text in problem_parts(problem):
            first, *more = text.split("\n")
            yield from self.wrapped([f"{name + ':':<9} {first}"], 4, 10)
            yield from self.wrapped(more, 14, 0)

    def groups(self, findings: tuple[Finding, ...]) -> Iterator[str]:
        for index, (direction, group) in enumerate(by_direction(findings).items()):
            yield from [""] * bool(index)
            yield f"{DIRECTIONS[direction]} ({len(group)}):"
            for finding in group:
                yield from self.finding(finding)

    def finding(self, finding: Finding) -> Iterator[str]:
        severity = self.paint(f"{finding.severity.value:<7}", _COLORS[finding.severity])
        yield f"  {severity} {harmless(finding.subject)}  [{finding.rule.id}]"
        yield from self.wrapped([summary_of(finding)], 10)
        yield from self.wrapped(effects_of(finding, everything=self.style.verbose), 10)
        places = (location_of(place, finding.home, self.style) or place for place in finding.places)
        yield from self.wrapped((f"at {place}" for place in places), 10)
        yield from self.wrapped([f"next: {finding.remedy}"], 10)
        if self.style.verbose:
            yield from self.wrapped([f"fingerprint: {finding.fingerprint}"], 10)

    def foot(self, mirror: MirrorReport) -> Iterator[str]:
        found = findings_line(self.report) if len(self.report.mirrors) == 1 else None
        lines = [found, accepted_line(mirror), *subset_lines(mirror), *declared_lines(mirror)]
        yield from self.wrapped(filter(None, [*lines, pin_line(mirror, self.style)]), 0)

    def wrapped(self, texts: Iterable[str], indent: int, hanging: int = 2) -> Iterator[str]:
        import textwrap  # a quiet report wraps nothing

        for text in texts:
            lines = textwrap.wrap(
                harmless(text),
                self.width,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + hanging),
                break_long_words=False,
                break_on_hyphens=False,
            )
            yield from map(harmless, lines or [""])

    def paint(self, text: str, color: str) -> str:
        return f"\x1b[{color}m{text}\x1b[0m" if self.style.color else text
