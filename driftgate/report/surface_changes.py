"""Changes between two surfaces in words and as json: what `diff` and `refresh` print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.compare import DiffReport
from driftgate.gate.refresh import RefreshReport
from driftgate.judge.comparison import Change, ChangeKind
from driftgate.report import Style
from driftgate.report.document import dumps, head
from driftgate.report.markdown import code, prose, table
from driftgate.report.phrases import noun_of
from driftgate.report.places import shown
from driftgate.snapshot import field_record
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_ENTRY_TYPES_SET, Field, ObjectRules

_ONE_SIDED = (ChangeKind.ADDED, ChangeKind.REMOVED)

Titles = Mapping[ChangeKind, str]
"""What is said of names that only one side has; A is the old side, B the new one."""

_SIDES: Titles = {ChangeKind.REMOVED: "only in A", ChangeKind.ADDED: "only in B"}


def _since(report: RefreshReport) -> Titles:
    return {ChangeKind.ADDED: f"new in {report.new}", ChangeKind.REMOVED: f"not in {report.new}"}


def diff_text(report: DiffReport) -> str:
    """Return a comparison of two things for people."""
    lines = [f"A: {report.a}", f"B: {report.b}"]
    lines += [f"  {line}" for line in _counts(report)]
    lines += _groups(report.diff.changes, _SIDES)
    return "\n".join(map(harmless, lines))


def _counts(report: DiffReport) -> Iterator[str]:
    """Yield one line a set: what both state, and how many of these differ."""
    for name, count in report.diff.counts.items():
        changed = {one.subject for one in report.diff.changes if one.of == name and one.kind not in _ONE_SIDED}
        differ = f"; {len(changed)} differ{'s' * (len(changed) == 1)}" if changed else ""
        yield f"{count.agree} {noun_of(name, count.agree)} in both{differ}"
    yield from (f"{name}: stated on one side only, not compared" for name in report.uncompared)


def _groups(changes: Iterable[Change], titles: Titles) -> Iterator[str]:
    for title, group in _grouped(changes, titles).items():
        yield f"{title} ({len(group)}):"
        for change in group:
            differs = "" if change.kind in _ONE_SIDED else f": {change.kind}; {_sides(change)}"
            yield f"  {_noun(change)} {change.subject}{differs}{_where(change)}"


def _grouped(changes: Iterable[Change], titles: Titles) -> dict[str, list[Change]]:
    """Return the changes under their titles; a title without any is left out."""
    groups: dict[str, list[Change]] = {**{title: [] for title in titles.values()}, "differs": []}
    for change in changes:
        groups[titles.get(change.kind, "differs")].append(change)
    return {title: group for title, group in groups.items() if group}


def _noun(change: Change) -> str:
    is_row = change.of == HOOK_ENTRY_FIELDS_TABLE and change.field is None
    return noun_of(HOOK_ENTRY_TYPES_SET if is_row else change.of, 1)


def _where(change: Change) -> str:
    return f"  ({change.place})" if change.place and change.place.line else ""


def _sides(change: Change) -> str:
    sides = (("A", change.declared), ("B", change.observed))
    return " | ".join(f"{side} {value.words}" for side, value in sides if isinstance(value, Field | ObjectRules))


def diff_json(report: DiffReport) -> str:
    """Return a comparison of two things as one JSON document."""
    document = {
        **head("diff", report.exit_code),
        "a": report.a,
        "b": report.b,
        "changes": [change_record(change) for change in report.diff.changes],
        "compared": {
            name: {"a": count.declared, "b": count.observed, "both": count.agree}
            for name, count in report.diff.counts.items()
        },
        "uncompared": list(report.uncompared),
    }
    return dumps(document)


def diff_markdown(report: DiffReport) -> str:
    """Return a comparison of two things for a summary, or the body of an issue."""
    lines = [f"## A: {prose(report.a)}, B: {prose(report.b)}", "", *(f"- {prose(line)}" for line in _counts(report))]
    lines += _tables(report.diff.changes, _SIDES)
    return "\n".join([*lines, "", f"**{verdict_line(report.exit_code)}**"])


def _tables(changes: Iterable[Change], titles: Titles) -> Iterator[str]:
    for title, group in _grouped(changes, titles).items():
        yield from ("", f"**{title[0].upper()}{prose(title[1:])} ({len(group)})**", "")
        rows = ((_noun(one), code(one.subject), prose(_said(one))) for one in group)
        yield from table(("What", "Name", "How it reads"), rows)


def _said(change: Change) -> str:
    """Return the field that came, went or differs in words; a member is no more than its name."""
    sides = [value for value in (change.observed, change.declared) if isinstance(value, Field | ObjectRules)]
    return _sides(change) if len(sides) == 2 else "".join(value.words for value in sides)


def change_record(change: Change) -> dict[str, Any]:
    """Return one change as plain data; `a` and `b` are the field (or the fields of a row) on each side."""
    return {
        "kind": change.kind.value,
        "set": change.of,
        "subject": change.subject,
        "a": _value(change.declared),
        "b": _value(change.observed),
        "place": str(change.place) if change.place else None,
    }


def _value(value: Field | tuple[Field, ...] | ObjectRules | None) -> Any:
    if value is None:
        return None
    if isinstance(value, ObjectRules):
        return list(value.stated)
    return field_record(value) if isinstance(value, Field) else [field_record(field) for field in value]


def refresh_text(report: RefreshReport) -> str:
    """Return what a refresh did for people."""
    lines = [f"{report.old or 'no snapshot'} -> {report.new}"]
    lines += _groups(report.changes, _since(report))
    if report.old is not None and not report.changes:
        lines.append("nothing that a declared set holds has changed")
    lines.append(f"{'wrote' if report.written else 'did not write'} {shown(report.path, Style())}")
    return "\n".join(map(harmless, lines))


def refresh_markdown(report: RefreshReport) -> str:
    """Return what a refresh did for a summary, or the body of a pull request."""
    lines = [f"## {prose(report.old or 'no snapshot')} to {prose(report.new)}"]
    lines += _tables(report.changes, _since(report))
    if report.old is not None and not report.changes:
        lines += ["", "Nothing that a declared set holds has changed."]
    return "\n".join(
        [*lines, "", f"{'Wrote' if report.written else 'Did not write'} {code(shown(report.path, Style()))}"]
    )


def refresh_json(
    report: RefreshReport, code: ExitCode = ExitCode.AGREES, adopted: Mapping[str, Any] | None = None
) -> str:
    """Return what a refresh did as one JSON document; `adopted` is what came of the mirror's source."""
    document = {
        **head("refresh", code),
        "old": report.old,
        "new": report.new,
        "path": str(report.path),
        "written": report.written,
        "changes": [change_record(change) for change in report.changes],
        **({"adopt": adopted} if adopted is not None else {}),
    }
    return dumps(document)
