"""Changes between two surfaces in words and as json: what `diff` and `refresh` print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from driftgate.diff import Change, ChangeKind
from driftgate.errors import ExitCode
from driftgate.gate import DiffReport, RefreshReport
from driftgate.harmless import harmless
from driftgate.report.document import dumps, head
from driftgate.report.words import NOUNS
from driftgate.snapshot import field_record
from driftgate.surface import Field


def diff_text(report: DiffReport) -> str:
    """Return a comparison of two things for people."""
    lines = [f"A: {report.a}", f"B: {report.b}"]
    for name, count in report.diff.counts.items():
        lines.append(f"  {count.agree} {NOUNS.get(name, name)} in both")
    lines += [f"  {name}: stated on one side only, not compared" for name in report.uncompared]
    lines += _groups(report.diff.changes, "only in A", "only in B")
    return "\n".join(map(harmless, lines))


def _groups(changes: Iterable[Change], added: str, removed: str) -> Iterator[str]:
    changes = tuple(changes)
    titles = ((ChangeKind.ADDED, added), (ChangeKind.REMOVED, removed))
    for kind, title in titles:
        group = [change for change in changes if change.kind is kind]
        if group:
            yield f"{title} ({len(group)}):"
            yield from (f"  {_name(change)}{_where(change)}" for change in group)
    rest = [change for change in changes if change.kind not in (ChangeKind.ADDED, ChangeKind.REMOVED)]
    if rest:
        yield f"differs ({len(rest)}):"
        yield from (f"  {_name(change)}: {change.kind}; {_sides(change)}{_where(change)}" for change in rest)


def _name(change: Change) -> str:
    return f"{change.of} {change.subject}"


def _where(change: Change) -> str:
    return f"  ({change.place})" if change.place and change.place.line else ""


def _sides(change: Change) -> str:
    sides = (("A", change.observed), ("B", change.declared))
    return " | ".join(f"{side} {value.words}" for side, value in sides if isinstance(value, Field))


def diff_json(report: DiffReport) -> str:
    """Return a comparison of two things as one JSON document."""
    document = {
        **head("diff", report.exit_code),
        "a": report.a,
        "b": report.b,
        "changes": [change_record(change) for change in report.diff.changes],
        "compared": {
            name: {"a": count.observed, "b": count.declared, "both": count.agree}
            for name, count in report.diff.counts.items()
        },
        "uncompared": list(report.uncompared),
    }
    return dumps(document)


def change_record(change: Change) -> dict[str, Any]:
    """Return one change as plain data; `a` and `b` are the field (or the fields of a row) on each side."""
    return {
        "kind": change.kind.value,
        "set": change.of,
        "subject": change.subject,
        "a": _value(change.observed),
        "b": _value(change.declared),
        "place": str(change.place) if change.place else None,
    }


def _value(value: Field | tuple[Field, ...] | None) -> Any:
    if value is None:
        return None
    return field_record(value) if isinstance(value, Field) else [field_record(field) for field in value]


def refresh_text(report: RefreshReport) -> str:
    """Return what a refresh did for people."""
    lines = [f"{report.old or 'no snapshot'} -> {report.new}"]
    lines += _groups(report.changes, f"new in {report.new}", f"not in {report.new}")
    if report.old is not None and not report.changes:
        lines.append("nothing that a declared set holds has changed")
    lines.append(f"{'wrote' if report.written else 'did not write'} {report.path}")
    return "\n".join(map(harmless, lines))


def refresh_json(report: RefreshReport) -> str:
    """Return what a refresh did as one JSON document."""
    document = {
        **head("refresh", ExitCode.AGREES),
        "old": report.old,
        "new": report.new,
        "path": str(report.path),
        "written": report.written,
        "changes": [change_record(change) for change in report.changes],
    }
    return dumps(document)
