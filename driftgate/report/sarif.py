"""SARIF 2.1.0: the rules with help, one result a finding, and what could not be looked at as a result of its own.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from driftgate import __version__
from driftgate.errors import DriftgateError, ExitCode
from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport
from driftgate.judge.findings import Finding
from driftgate.judge.rules import RULES, Rule, Severity
from driftgate.report import Style
from driftgate.report.document import dumps
from driftgate.report.phrases import effects_of, problem_parts, reason_of, sentence_of, unseen
from driftgate.report.places import Location, configuration, first_location, location_of

SARIF_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final[Mapping[Severity, str]] = MappingProxyType(
    {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
)
_ROOT: Final = "%SRCROOT%"
FINGERPRINT: Final = "driftgate/v1"
_BLIND: Final = "blind"
_BLIND_RULE: Final = (
    _BLIND,
    "the comparison could not be made, or what was seen could not be trusted",
    "see what the message names; until then nothing is known, and the run is not green",
    "error",
)


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one SARIF log with one run."""
    rules = [*map(_rule, RULES.values()), descriptor(*_BLIND_RULE)]
    index = {rule["id"]: position for position, rule in enumerate(rules)}
    results = [*_blind_results(report, style), *_results(report, style)]
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    run = {
        "tool": {"driver": {"name": "driftgate", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": results,
    }
    return dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    level = _LEVELS[rule.severity] if rule.severity else "warning"
    return descriptor(rule.id, rule.summary, rule.remedy, level)


def descriptor(identity: str, summary: str, remedy: str, level: str) -> dict[str, Any]:
    """Return one rule: `level` is SARIF's word (error, warning, note)."""
    help_text = f"{summary[0].upper()}{summary[1:]}. What to do: {remedy}."
    return {
        "id": identity,
        "name": "".join(word.capitalize() for word in identity.split("-")),
        "shortDescription": {"text": summary},
        "fullDescription": {"text": help_text},
        "help": {
            "text": help_text,
            "markdown": f"{help_text}\n\n`driftgate explain {identity}` shows a measured case.",
        },
        "defaultConfiguration": {"level": level},
    }


def _invocation(report: CheckReport) -> dict[str, Any]:
    code = report.exit_code
    notifications = [
        {"level": "error", "message": {"text": harmless(f"{one.title}: {one.problem.what}")}} for one in unseen(report)
    ]
    notifications += [{"level": "note", "message": {"text": harmless(note)}} for note in report.notices]
    return {
        "executionSuccessful": code in (ExitCode.AGREES, ExitCode.DRIFT),
        "exitCode": int(code),
        "toolExecutionNotifications": notifications,
    }


def _blind_results(report: CheckReport, style: Style) -> Iterator[dict[str, Any]]:
    for one in unseen(report):
        yield {
            "ruleId": _BLIND,
            "level": "error",
            "message": {"text": _problem_text(one.title, one.problem)},
            "locations": [sarif_location(configuration(one.home, style))],
            "partialFingerprints": {FINGERPRINT: harmless(f"blind:{one.title}")},
        }


def _problem_text(title: str, problem: DriftgateError) -> str:
    parts = (f"{name}: {text}" for name, text in problem_parts(problem))
    return _text([f"{title}: {problem.what}", *(line for part in parts for line in part.split("\n"))])


def _results(report: CheckReport, style: Style) -> Iterator[dict[str, Any]]:
    for finding in report.all_findings():
        yield _result(finding, style)
    for comparison in report.comparisons:
        for finding in comparison.accepted:
            suppression = {"kind": "external", "status": "accepted", "justification": harmless(reason_of(finding))}
            yield {**_result(finding, style), "suppressions": [suppression]}


def _result(finding: Finding, style: Style) -> dict[str, Any]:
    first = first_location(finding, style)
    others = [place for place in (location_of(place, finding.home, style) for place in finding.places) if place]
    return {
        "ruleId": finding.rule.id,
        "level": _LEVELS[finding.severity],
        "message": {"text": _text([sentence_of(finding), *effects_of(finding), f"next: {finding.remedy}"])},
        "locations": [sarif_location(first)],
        "relatedLocations": [
            {"id": number, **sarif_location(place)} for number, place in enumerate(others, 1) if place != first
        ],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"subject": harmless(finding.subject), "set": finding.of, "direction": finding.direction.value},
    }


def _text(lines: list[str]) -> str:
    return "\n".join(map(harmless, lines))


def sarif_location(place: Location) -> dict[str, Any]:
    """Return one location."""
    path = harmless(place.path)
    artifact = {"uri": quote(path), "uriBaseId": _ROOT} if place.is_relative else {"uri": Path(path).as_uri()}
    region = {"startLine": place.line, "startColumn": place.column}
    stated = {name: number for name, number in region.items() if number is not None}
    return {"physicalLocation": {"artifactLocation": artifact, **({"region": stated} if stated else {})}}
