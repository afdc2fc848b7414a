"""The json report: one document, versioned. Its schema is shown by `driftgate schema --of report`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftgate.judge.rules import Direction
from driftgate.report.document import dumps, failure_document, head, origin_record, place_record, problem_record
from driftgate.report.phrases import differing, on_one_side
from driftgate.report.places import shown

if TYPE_CHECKING:
    from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
    from driftgate.judge.findings import Finding
    from driftgate.judge.impact import Impact
    from driftgate.report import Style
    from driftgate.surface import Place


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one JSON document."""
    return dumps(check_document(report, style))


def check_document(report: CheckReport, style: Style) -> dict[str, Any]:
    """Return the report as plain data: whole, whatever is quiet or narrow."""
    if report.failure is not None:
        return failure_document("check", report.failure)
    comparisons = [_comparison(comparison, style) for comparison in report.comparisons]
    return {
        **head("check", report.exit_code),
        "verdict": report.verdict,
        **_one_mirror(report, style),
        "mirrors": [_mirror(mirror, style) for mirror in report.mirrors],
        "fail_on": report.fail_on.value,
        "findings": [_finding(finding, style) for finding in report.all_findings()],
        "compared": next((record["compared"] for record in comparisons if record["compared"]), {}),
        "comparisons": comparisons,
        "accepted_used": sum(1 for count in report.used.values() if count),
        "notices": list(report.notices),
    }


def _one_mirror(report: CheckReport, style: Style) -> dict[str, Any]:
    """Return what is said of the only mirror at the top; nothing is true of several there."""
    if len(report.mirrors) != 1:
        return {"pin": None, "source": None, "declared": {}}
    record = _mirror(report.mirrors[0], style)
    return {name: record[name] for name in ("pin", "source", "declared")}


def _mirror(mirror: MirrorReport, style: Style) -> dict[str, Any]:
    return {
        "name": mirror.home.name,
        "upstream": mirror.upstream,
        "pin": mirror.pin,
        "source": shown(Path(mirror.home.source), style),
        "declared": {name: list(specs) for name, specs in mirror.declared.items()},
        "subset": dict(mirror.subset),
        "error": problem_record(mirror.problem) if mirror.problem else None,
    }


def _shown(place: Place, finding: Finding, style: Style) -> Place:
    """Return a place of the configuration as people read it; those of the constants are relative to it already."""
    return replace(place, source=shown(Path(place.source), style)) if place.source == finding.home.source else place


def _comparison(comparison: Comparison, style: Style) -> dict[str, Any]:
    return {
        "against": comparison.against,
        "mirror": comparison.home.name,
        "title": comparison.title,
        "version": comparison.version,
        "blind": problem_record(comparison.problem) if comparison.problem else None,
        "compared": {name: _count(comparison, name) for name in comparison.counts},
        "findings": [finding.fingerprint for finding in comparison.findings],
        "accepted": [_finding(finding, style) for finding in comparison.accepted],
        "left_out": [_finding(finding, style) for finding in comparison.left_out],
        "anchors": [origin_record(origin) for origin in comparison.anchors],
        "notices": list(comparison.notices),
    }


def _count(comparison: Comparison, name: str) -> dict[str, int]:
    """Return how a set compared. `agree` and `differ` are on both sides; `accepted` counts members of the rest."""
    count = comparison.counts[name]
    differ, accepted = differing(comparison, name)
    sides = (Direction.ONLY_UPSTREAM, Direction.ONLY_HERE)
    return {
        "observed": count.observed,
        "declared": count.declared,
        "agree": count.agree - differ,
        "differ": differ,
        "only_upstream": count.only_upstream,
        "only_here": count.only_here,
        "accepted": accepted + sum(on_one_side(comparison.accepted, name, one) for one in sides),
        "left_out": sum(on_one_side(comparison.left_out, name, one) for one in sides),
    }


def _finding(finding: Finding, style: Style) -> dict[str, Any]:
    """Return one finding as plain data."""
    return {
        "rule": finding.rule.id,
        "subject": finding.subject,
        "mirror": finding.home.name,
        "set": finding.of,
        "direction": finding.direction.value,
        "severity": finding.severity.value,
        "fingerprint": finding.fingerprint,
        "summary": finding.rule.summary,
        "detail": finding.detail,
        "remedy": finding.remedy,
        "against": finding.against,
        "places": [place_record(_shown(place, finding, style)) for place in finding.places],
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
