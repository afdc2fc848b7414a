"""The text report: for people at a terminal, and in a CI log at two in the morning."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from driftgate.errors import ExitCode, verdict_line
from driftgate.findings import Finding
from driftgate.gate import CheckReport, Comparison
from driftgate.outgoing import neutral
from driftgate.report import Style
from driftgate.report.words import DIRECTIONS, NOUNS, by_direction, plural
from driftgate.rules import Severity

_COLORS: Final = {
    Severity.ERROR: "31",
    Severity.WARNING: "33",
    Severity.NOTICE: "36",
    ExitCode.AGREES: "32",
    ExitCode.DRIFT: "31",
    ExitCode.BLIND: "35",
}


def render(report: CheckReport, style: Style) -> str:
    """Return the report; its last line is the verdict and the exit code."""
    code = report.exit_code
    last = _paint(verdict_line(code), _COLORS[code], style)
    if style.quiet:
        return last
    lines = [line for comparison in report.comparisons for line in _comparison(comparison, style)]
    if report.findings:
        lines += ["", *_groups(report.findings, style)]
    if report.used:
        lines.append("")
        lines.append(f"accepted: {plural(len(report.used), 'entry')} used, {sum(report.used.values())} matched")
    lines.append(f"pin: {report.pin} ({report.source})")
    return "\n".join([*map(_harmless, lines), last])


def _harmless(line: str) -> str:
    """Escape what a terminal would obey; our own colours are the only sequences that pass."""
    return "\x1b".join(neutral(part) for part in line.split("\x1b")) if "\x1b" in line else neutral(line)


def _paint(text: str, color: str, style: Style) -> str:
    return f"\x1b[{color}m{text}\x1b[0m" if style.color else text


def _comparison(comparison: Comparison, style: Style) -> Iterator[str]:
    title = neutral(comparison.title)
    yield f"against {title}" + ("" if comparison.against == title else f" ({neutral(comparison.against)})")
    if comparison.problem is not None:
        yield from textwrap.indent(f"blind: {comparison.problem}", "  ").splitlines()
        return
    for name, count in comparison.counts.items():
        differ = [
            f"{number} {words}"
            for number, words in ((count.only_upstream, "only upstream"), (count.only_here, "only here"))
            if number
        ]
        yield f"  {count.agree} {NOUNS.get(name, name)} agree" + (f"; {', '.join(differ)}" if differ else "")
    if style.verbose:
        yield from (f"  anchor {anchor} {anchor.integrity or ''}".rstrip() for anchor in comparison.anchors)
        yield from (f"  accepted {found.subject} ({found.rule.id}): {_reason(found)}" for found in comparison.accepted)
    if comparison.findings:
        yield ""
        yield from _groups(comparison.findings, style)


def _reason(finding: Finding) -> str:
    return finding.accepted.reason if finding.accepted else ""


def _groups(findings: tuple[Finding, ...], style: Style) -> Iterator[str]:
    for direction, group in by_direction(findings).items():
        yield f"{DIRECTIONS[direction]} ({len(group)}):"
        for finding in group:
            yield from _finding(finding, style)


def _finding(finding: Finding, style: Style) -> Iterator[str]:
    severity = _paint(f"{finding.severity.value:<7}", _COLORS[finding.severity], style)
    yield f"  {severity} {neutral(finding.subject)}  [{finding.rule.id}]"
    details = [finding.rule.summary + (f" ({finding.detail})" if finding.detail else "")]
    # The same effect on several documents is one line for people; --verbose shows each.
    effects: dict[str, list[str]] = {}
    for impact in finding.impacts:
        effects.setdefault(impact.effect.words, []).append(impact.case)
    details += [f"{'; '.join(cases if style.verbose else cases[:2])}: {words}" for words, cases in effects.items()]
    details += [f"at {place}" for place in finding.places]
    details.append(f"next: {finding.rule.remedy}")
    if style.verbose:
        details.append(f"fingerprint: {finding.fingerprint}")
    for detail in details:
        yield from textwrap.wrap(
            neutral(detail),
            max(style.width, 40),
            initial_indent=" " * 10,
            subsequent_indent=" " * 12,
            break_long_words=False,
            break_on_hyphens=False,
        )
