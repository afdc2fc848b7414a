"""What was adopted, in words, as Markdown and as plain data: for `adopt`, and for `refresh --adopt`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftgate.adopt.run import Adopted, AdoptReport, Instruction
from driftgate.formats.harmless import harmless
from driftgate.judge.findings import Finding
from driftgate.report.markdown import code, prose


def adopt_text(report: AdoptReport, *, dry: bool) -> str:
    """Return what was adopted, what to look at and what is left to people; `dry`: no file was changed."""
    return "\n".join(map(harmless, _lines(report, dry=dry)))


def _lines(report: AdoptReport, *, dry: bool) -> Iterator[str]:
    for adopted in report.adopted:
        yield f"{adopted.done}: {adopted.finding.subject} ({', '.join(adopted.places)})"
    for note in report.notes:
        yield f"note: {note}"
    for one in report.instructions:
        yield f"by hand: {one.where}: {one.what}"
        yield f"         ({one.finding.rule.id} {one.finding.subject}; not edited: {one.why})"
    yield summary(report)
    if report.changes:
        yield f"{'would change' if dry else 'changed'}: {', '.join(change.shown for change in report.changes)}"


def summary(report: AdoptReport) -> str:
    """Return one line: how many findings were adopted, and how many are left."""
    if not report.before.findings:
        return f"nothing to adopt: it agrees with {report.before.title}"
    stands = {(one.rule.id, one.subject) for one in report.after.findings}
    asked = report.asked or tuple((one.rule.id, one.subject) for one in report.before.findings)
    found = f"{len(asked)} finding" + ("s" if len(asked) != 1 else "")
    done = sum(key not in stands for key in asked)
    return f"{done} of {found} adopted from {report.before.title}; {len(report.after.findings)} left"


def adopt_markdown(report: AdoptReport) -> str:
    """Return what was adopted for a summary, or the body of a pull request."""
    lines = [f"## {prose(summary(report))}", ""]
    lines += [
        f"- {one.done} {code(one.finding.subject)} in {', '.join(map(code, one.places))}" for one in report.adopted
    ]
    lines += [f"- look at this: {prose(note)}" for note in report.notes]
    lines += [f"- [ ] by hand, {code(one.where)}: {prose(one.what)} ({prose(one.why)})" for one in report.instructions]
    return "\n".join(lines)


def adopt_record(report: AdoptReport) -> dict[str, Any]:
    """Return what came of one mirror as plain data."""
    return {
        "against": report.before.title,
        "adopted": [_adopted(one) for one in report.adopted],
        "by-hand": [_by_hand(one) for one in report.instructions],
        "notes": list(report.notes),
        "left": [_named(one) for one in report.after.findings],
    }


def _adopted(one: Adopted) -> dict[str, Any]:
    return {**_named(one.finding), "done": one.done, "places": list(one.places)}


def _by_hand(one: Instruction) -> dict[str, Any]:
    return {**_named(one.finding), "where": one.where, "what": one.what, "why": one.why}


def _named(finding: Finding) -> dict[str, Any]:
    return {"rule": finding.rule.id, "subject": finding.subject, "of": finding.of}
