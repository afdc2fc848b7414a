"""The json report: one document, versioned. Its schema is shown by `driftgate schema --of report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftgate.judge.rules import Direction
from driftgate.report.document import dumps, failure_document, head, origin_record, place_record, problem_record
from driftgate.report.phrases import accepted_on_one_side, differing
from driftgate.report.places import short, shown

if TYPE_CHECKING:
    from driftgate.gate.check import CheckReport, Comparison
    from driftgate.judge.findings import Finding
    from driftgate.judge.impact import Impact
    from driftgate.report import Style


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one JSON document."""
    return dumps(check_document(report, style))


def check_document(report: CheckReport, style: Style) -> dict[str, Any]:
    """Return the report as plain data: whole, whatever is quiet or narrow."""
    if report.failure is not None:
        return failure_document("check", report.failure)
    comparisons = [_comparison(comparison, report, style) for comparison in report.comparisons]
    return {
        **head("check", report.exit_code),
        "pin": report.pin,
        "source": shown(Path(report.source), style),
        "declared": {name: list(specs) for name, specs in report.declared.items()},
        "fail_on": report.fail_on.value,
        "findings": [_finding(finding, report, style) for finding in report.all_findings()],
        "compared": next((record["compared"] for record in comparisons if record["compared"]), {}),
        "comparisons": comparisons,
        "accepted_used": sum(1 for count in report.used.values() if count),
        "notices": list(report.notices),
    }


def _comparison(comparison: Comparison, report: CheckReport, style: Style) -> dict[str, Any]:
    return {
        "against": comparison.against,
        "title": comparison.title,
        "version": comparison.version,
        "blind": problem_record(comparison.problem) if comparison.problem else None,
        "compared": {name: _count(comparison, name) for name in comparison.counts},
        "findings": [finding.fingerprint for finding in comparison.findings],
        "accepted": [_finding(finding, report, style) for finding in comparison.accepted],
        "anchors": [origin_record(origin) for origin in comparison.anchors],
        "notices": list(comparison.notices),
    }


def _count(comparison: Comparison, name: str) -> dict[str, int]:
    """Return how a set compared. `agree` and `differ` are on both sides; `accepted` counts members of the rest."""
    count = comparison.counts[name]
    differ, accepted = differing(comparison, name)
    one_sided = (accepted_on_one_side(comparison, name, one) for one in (Direction.ONLY_UPSTREAM, Direction.ONLY_HERE))
    return {
        "observed": count.observed,
        "declared": count.declared,
        "agree": count.agree - differ,
        "differ": differ,
        "only_upstream": count.only_upstream,
        "only_here": count.only_here,
        "accepted": accepted + sum(one_sided),
    }


def _finding(finding: Finding, report: CheckReport, style: Style) -> dict[str, Any]:
    """Return one finding as plain data."""
    return {
        "rule": finding.rule.id,
        "subject": finding.subject,
        "set": finding.of,
        "direction": finding.direction.value,
        "severity": finding.severity.value,
        "fingerprint": finding.fingerprint,
        "summary": finding.rule.summary,
        "detail": finding.detail,
        "remedy": finding.rule.remedy,
        "against": finding.against,
        "places": [place_record(short(place, report, style)) for place in finding.places],
        "impacts": [_impact(impact) for impact in finding.impacts],
        "also": list(finding.also),
        "accepted": finding.accepted.reason if finding.accepted else None,
    }


def _impact(impact: Impact) -> dict[str, Any]:
    return {
        "case": impact.case,
        "document": impact.document,
        "upstream": impact.upstream,
        "here": impact.here,
        "effect": impact.effect.name.lower().replace("_", "-"),
        "severity": impact.effect.severity.value,
        "words": impact.effect.words,
    }
