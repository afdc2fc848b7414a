"""The text report: for people at a terminal, and in a CI log at two in the morning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from driftgate.errors import DriftgateError, ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.check import CheckReport, Comparison
from driftgate.judge.findings import Finding
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
    problem_parts,
    problems,
    reason_of,
    summary_of,
    title_of,
)
from driftgate.report.places import location_of, short, shown

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
    code = report.exit_code
    return "\n".join([*lines, page.paint(verdict_line(code), _COLORS[code])])


class _Page:
    """One report in one style."""

    def __init__(self, report: CheckReport, style: Style) -> None:
        self.report = report
        self.style = style
        self.width = max(style.width, _NARROWEST)

    def lines(self) -> Iterator[str]:
        for comparison in self.report.comparisons:
            yield self.paint(harmless(f"against {title_of(comparison)}"), _BOLD)
            yield from self.comparison(comparison)
            yield ""
        if self.report.failure or not self.report.comparisons:
            yield from self.problem(problems(self.report)[0][1])
            yield ""
        if self.report.findings:
            yield from self.groups(self.report.findings)
            yield ""
        yield from self.foot()

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
            yield from self.wrapped(accepted, 2)
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
        places = (
            location_of(place, self.report, self.style) or short(place, self.report, self.style)
            for place in finding.places
        )
        yield from self.wrapped((f"at {place}" for place in places), 10)
        yield from self.wrapped([f"next: {finding.rule.remedy}"], 10)
        if self.style.verbose:
            yield from self.wrapped([f"fingerprint: {finding.fingerprint}"], 10)

    def foot(self) -> Iterator[str]:
        yield from self.wrapped(filter(None, [findings_line(self.report), accepted_line(self.report)]), 0)
        yield from self.wrapped(declared_lines(self.report), 0)
        if self.report.pin:
            source = shown(Path(self.report.source), self.style)
            yield from self.wrapped([f"pin: {self.report.pin} ({source})"], 0)

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
