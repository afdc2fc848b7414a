"""GitLab code quality: a list of issues, each with a fingerprint of its own.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport
from driftgate.report import Style
from driftgate.report.document import dumps
from driftgate.report.phrases import problem_parts, sentence_of, unseen
from driftgate.report.places import Location, configuration, first_location

_SEVERITIES: Final[Mapping[str, str]] = MappingProxyType({"error": "critical", "warning": "major", "notice": "minor"})
_BLIND: Final = "blocker"


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one JSON list; a finding of several comparisons is one issue, as GitLab wants it."""
    issues = [
        issue(
            "blind",
            f"{one.title}: {one.problem.what}"
            + "".join(f"; {name}: {text}" for name, text in problem_parts(one.problem)),
            hashlib.sha256(harmless(f"blind {one.title}").encode()).hexdigest()[:16],
            _BLIND,
            configuration(one.home, style),
        )
        for one in unseen(report)
    ]
    issues += [
        issue(
            finding.rule.id,
            sentence_of(finding),
            finding.fingerprint,
            _SEVERITIES[finding.severity.value],
            first_location(finding, style),
        )
        for finding in report.all_findings()
    ]
    unique = {issue["fingerprint"]: issue for issue in reversed(issues)}
    return dumps([*reversed(unique.values())])


def issue(check: str, description: str, fingerprint: str, severity: str, place: Location) -> dict[str, Any]:
    """Return one issue: `severity` is GitLab's word."""
    return {
        "type": "issue",
        "check_name": check,
        "description": harmless(description),
        "categories": ["Compatibility"],
        "severity": severity,
        "fingerprint": fingerprint,
        "location": {"path": place.path, "lines": {"begin": place.line or 1}},
    }
