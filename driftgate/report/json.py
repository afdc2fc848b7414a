"""The json report: one document, versioned. Its schema is shown by `driftgate schema --of report`."""

from __future__ import annotations

import json
from typing import Any, Final

from driftgate import __version__
from driftgate.errors import VERDICTS, DriftgateError
from driftgate.findings import Finding
from driftgate.gate import CheckReport, Comparison
from driftgate.impact import Impact
from driftgate.report import Style
from driftgate.surface import Origin, Place

SCHEMA: Final = 1


def render(report: CheckReport, style: Style) -> str:  # noqa: ARG001 - programs read it whole, in no style
    """Return the report as one JSON document."""
    return json.dumps(check_document(report), indent=2, ensure_ascii=False)


def check_document(report: CheckReport) -> dict[str, Any]:
    """Return the report as plain data."""
    comparisons = [_comparison(comparison) for comparison in report.comparisons]
    return {
        "schema": SCHEMA,
        "driftgate": __version__,
        "command": "check",
        "verdict": VERDICTS[report.exit_code],
        "exit": int(report.exit_code),
        "pin": report.pin,
        "source": report.source,
        "findings": [finding_record(finding) for finding in report.all_findings()],
        "compared": next((record["compared"] for record in comparisons if record["compared"]), {}),
        "comparisons": comparisons,
        "accepted_used": sum(1 for count in report.used.values() if count),
        "notices": list(report.notices),
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "against": comparison.against,
        "title": comparison.title,
        "version": comparison.version,
        "blind": problem_record(comparison.problem) if comparison.problem else None,
        "compared": {
            name: {
                "observed": count.observed,
                "declared": count.declared,
                "agree": count.agree,
                "only_upstream": count.only_upstream,
                "only_here": count.only_here,
            }
            for name, count in comparison.counts.items()
        },
        "findings": [finding.fingerprint for finding in comparison.findings],
        "accepted": [finding_record(finding) for finding in comparison.accepted],
        "anchors": [origin_record(origin) for origin in comparison.anchors],
        "notices": list(comparison.notices),
    }


def finding_record(finding: Finding) -> dict[str, Any]:
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
        "places": [place_record(place) for place in finding.places],
        "impacts": [_impact(impact) for impact in finding.impacts],
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


def problem_record(problem: DriftgateError) -> dict[str, str]:
    """Return an error as plain data: its parts, where it has them."""
    parts = {"what": problem.what, "where": problem.where, "expected": problem.expected, "found": problem.found}
    return {name: text for name, text in {**parts, "next": problem.next}.items() if text}


def place_record(place: Place) -> dict[str, Any]:
    """Return a place as plain data, without what it does not state."""
    record = {"source": place.source, "offset": place.offset, "line": place.line, "column": place.column}
    return {name: value for name, value in record.items() if value is not None}


def origin_record(origin: Origin) -> dict[str, Any]:
    """Return an artefact's identity as plain data."""
    record = {
        "package": origin.package,
        "version": origin.version,
        "integrity": origin.integrity,
        "location": origin.location or None,
    }
    return {name: value for name, value in record.items() if value is not None}
