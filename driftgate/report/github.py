"""Annotations of GitHub Actions: one workflow command a finding, and the verdict as the last line.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from driftgate.errors import DriftgateError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport
from driftgate.judge.findings import Finding
from driftgate.report import Style
from driftgate.report.phrases import effects_of, problem_parts, summary_of, unseen, verdict_of
from driftgate.report.places import Location, configuration, first_location

_VALUE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: CheckReport, style: Style) -> str:
    """Return the annotations, what could not be looked at first: GitHub shows only some of very many."""
    lines = [_blind(one.title, one.problem, configuration(one.home, style)) for one in unseen(report)]
    lines += _findings(report, style)
    return "\n".join([*lines, verdict_of(report)])


def _findings(report: CheckReport, style: Style) -> Iterator[str]:
    seen: dict[str, list[Finding]] = {}
    for finding in sorted(report.all_findings(), key=lambda one: -one.severity.rank):
        seen.setdefault(finding.fingerprint, []).append(finding)
    for finding, *others in seen.values():
        against = ", ".join(dict.fromkeys(one.against for one in (finding, *others) if one.against))
        whose = f"{finding.home.name}: " if finding.home.name else ""
        lines = [
            f"{whose}{finding.subject}: {summary_of(finding)}" + (f", compared with {against}" if against else ""),
            *effects_of(finding),
            f"next: {finding.remedy}",
        ]
        place = first_location(finding, style)
        yield annotation(finding.severity.value, place, f"driftgate: {finding.rule.id}", lines)


def _blind(title: str, problem: DriftgateError, place: Location) -> str:
    parts = (f"{name}: {text}" for name, text in problem_parts(problem))
    lines = [f"{title}: {problem.what}", *(line for part in parts for line in part.split("\n"))]
    return annotation("error", place, f"driftgate: {verdict_line(problem.code).partition(': ')[2]}", lines)


def annotation(level: str, place: Location, title: str, lines: list[str]) -> str:
    """Return one workflow command: `level` is GitHub's word (error, warning, notice)."""
    # The severities of findings are GitHub's own words for the levels.
    properties = {"file": place.path, "line": place.line, "col": place.column, "title": title}
    shown = ",".join(
        f"{name}={harmless(str(value)).translate(_PROPERTY)}" for name, value in properties.items() if value is not None
    )
    message = "\n".join(map(harmless, lines))
    return f"::{level} {shown}::{message.translate(_VALUE)}"
