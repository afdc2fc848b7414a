"""The state of the declared contract: the constants of a project against its pin and the newest known release."""

from __future__ import annotations

import datetime as dt
from html import escape

from driftgate.errors import DriftgateError
from driftgate.gate.check import compare_with
from driftgate.gate.outcome import Comparison
from driftgate.history.record import History
from driftgate.history.store import surface_with_evidence
from driftgate.judge.findings import Finding
from driftgate.project.configuration import Config
from driftgate.project.finding import own_config
from driftgate.report.phrases import noun_of, plural

TITLE = "Claude Code"


def contract_section(history: History, config: Config | None) -> str:
    """Return how the constants of `config` (driftgate's own without one) compare, as the gate compares them."""
    config = config or own_config()
    wanted = dict.fromkeys((config.snapshot.stem, history.readings[-1].version))
    readings = [reading for reading in map(history.get, wanted) if reading is not None]
    # Dates decide whether an accepted drift still holds; the page is to be the same bytes on every day.
    today = dt.date.min
    parts = []
    for reading in readings:
        role = "the pin" if reading.version == config.snapshot.stem else "the newest known release"
        try:
            comparison = compare_with(config, surface_with_evidence(reading, TITLE), today=today)
            parts.append(_comparison(reading.version, role, comparison))
        except DriftgateError as problem:
            parts.append(f"<h3>{reading.version}: {role}</h3><p><strong>Blind:</strong> {escape(problem.what)}</p>")
    return "\n".join(parts)


def _comparison(version: str, role: str, comparison: Comparison) -> str:
    if comparison.problem is not None:
        verdict = f"<strong>Blind:</strong> {escape(comparison.problem.what)}"
    elif comparison.findings:
        verdict = f"<strong>Drift:</strong> {plural(len(comparison.findings), 'difference')} that nobody accepted."
    else:
        verdict = "<strong>Agrees.</strong>"
    accepted = len(comparison.accepted)
    if accepted:
        verdict += f" {plural(accepted, 'difference')} accepted, with a reason."
    return (
        f"<h3>{escape(version)}: {role}</h3><p>{verdict}</p>{_counts(comparison)}"
        f"{_findings('Not accepted', comparison.findings)}{_findings('Accepted', comparison.accepted)}"
    )


def _counts(comparison: Comparison) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(noun_of(name))}</th><td>{count.agree}</td><td>{count.only_upstream}</td>'
        f"<td>{count.only_here}</td></tr>"
        for name, count in comparison.counts.items()
    )
    if not rows:
        return ""
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Set", "In both", "Only upstream", "Only declared"))
    return (
        f'<table class="counts"><caption>Declared names compared with {escape(comparison.version or "")}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _findings(title: str, findings: tuple[Finding, ...]) -> str:
    if not findings:
        return ""
    items = "".join(
        f"<li><code>{escape(found.subject)}</code> <span>{escape(found.rule.id)}</span>"
        f"{': ' + escape(found.accepted.reason) if found.accepted else ''}</li>"
        for found in findings
    )
    return f"<h4>{title} ({len(findings)})</h4><ul>{items}</ul>"
