"""The state of the declared contract: the constants of a project against its pin and the newest known release."""

from __future__ import annotations

import datetime as dt
from html import escape

from driftgate.errors import VERDICTS, DriftgateError
from driftgate.gate.check import check, compare_with
from driftgate.gate.outcome import Comparison
from driftgate.gate.pinned import pinned_snapshot
from driftgate.history.record import History, Reading
from driftgate.history.store import surface_with_evidence
from driftgate.judge.findings import Finding
from driftgate.project.configuration import Config
from driftgate.project.finding import own_config
from driftgate.report.phrases import noun_of, plural

TITLE = "Claude Code"


def contract_section(history: History, config: Config | None) -> str:
    """Return how the constants of `config` (driftgate's own without one) compare, with the verdicts of the gate."""
    config = config or own_config()
    newest = history.readings[-1]
    parts = [_at_pin(config)]
    if newest.version != config.snapshot.stem:
        parts.append(_at_newest(newest, config))
    return "\n".join(parts)


def _at_pin(config: Config) -> str:
    head = f"<h3>{escape(config.snapshot.stem)}: the pin</h3>"
    try:
        report = check(config, (), None)
    except DriftgateError as problem:
        return f"{head}<p><strong>{escape(VERDICTS[problem.code].capitalize())}:</strong> {escape(problem.what)}</p>"
    verdict = f"<p><strong>{escape(report.verdict.capitalize())}.</strong>{_number(report.all_findings())}"
    (comparison,) = report.comparisons
    if comparison.problem is not None:
        return f"{head}{verdict} {escape(comparison.problem.what)}</p>"
    return f"{head}{verdict}{_accepted(comparison)}</p>{_parts(comparison, report.all_findings())}"


def _at_newest(newest: Reading, config: Config) -> str:
    head = f"<h3>{escape(newest.version)}: the newest known release</h3>"
    try:
        today = dt.datetime.now(tz=dt.UTC).date()
        observed = surface_with_evidence(newest, TITLE)
        comparison = compare_with(config, observed, today=today, pinned=pinned_snapshot(config))
        if comparison.problem is not None:
            raise comparison.problem
    except DriftgateError as problem:
        return f"{head}<p><strong>Blind:</strong> {escape(problem.what)}</p>"
    verdict = "Drift" if comparison.findings else "Agrees"
    said = f"<p><strong>{verdict}.</strong>{_number(comparison.findings)}{_accepted(comparison)}</p>"
    return f"{head}{said}{_parts(comparison, comparison.findings)}"


def _number(findings: tuple[Finding, ...]) -> str:
    return f" {plural(len(findings), 'finding')} that nobody accepted." if findings else ""


def _accepted(comparison: Comparison) -> str:
    accepted, left_out = len(comparison.accepted), len(comparison.left_out)
    said = [f" {plural(accepted, 'difference')} accepted, with a reason."] * bool(accepted)
    return "".join([*said, *[f" {plural(left_out, 'name')} left out on purpose."] * bool(left_out)])


def _parts(comparison: Comparison, findings: tuple[Finding, ...]) -> str:
    accepted = _findings("Accepted", comparison.accepted)
    return f"{_counts(comparison)}{_findings('Not accepted', findings)}{accepted}"


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
