"""What `driftgate history` prints: for people, and as json."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from driftgate.errors import ExitCode
from driftgate.formats.harmless import harmless
from driftgate.history.changes import Changes, FieldChange, Step, steps
from driftgate.history.elsewhere import Elsewhere
from driftgate.history.lives import Life, Span
from driftgate.history.record import History, Reading
from driftgate.history.sentences import (
    elsewhere_line,
    field_words,
    known_line,
    life_lines,
    renamed_words,
    spelt,
    step_lines,
)
from driftgate.history.stated import Name, Sort
from driftgate.report.document import dumps, head
from driftgate.snapshot import field_record
from driftgate.upstreams.catalogue import title_of

VERDICTS = {ExitCode.AGREES: "found", ExitCode.DRIFT: "found nowhere"}
"""The exit codes of a question for a name, in words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What there is to say to a question for a name.

    `elsewhere` are other harnesses that know it, `near` the names that may have been meant; both only where Claude
    Code never had it.
    """

    asked: str
    lives: tuple[Life, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    near: tuple[Name, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """Whether any release has the name; that another harness knows it is said, and is another thing."""
        return ExitCode.AGREES if self.lives else ExitCode.DRIFT


def verdict(code: ExitCode) -> str:
    """Return the last line of a question for a name."""
    return f"driftgate: {VERDICTS[code]}, exit {int(code)}"


# --- for people ------------------------------------------------------------------------------------------------------


def history_text(history: History, width: int) -> str:
    """Return what each release changed, newest first."""
    lines = [f"{_title(history)}: {known_line(history)}", ""]
    for step in steps(history):
        lines += _wrapped([step.release.version], width)
        lines += _wrapped(step_lines(step), width, 2)
    if history.readings:
        first = history.readings[0]
        lines += _wrapped([f"{first.version}: the first known release"], width)
        lines += _wrapped(_counts(first), width, 2)
    return "\n".join(lines)


def _counts(reading: Reading) -> Iterator[str]:
    for vocabulary in reading.surface.vocabularies.values():
        if vocabulary.members:
            yield f"{vocabulary.name}: {', '.join(vocabulary.members)}"


def answer_text(answer: Answer, history: History, width: int) -> str:
    """Return where a name lives, or who else has it, or what may have been meant."""
    lines: list[str] = []
    newest = history.readings[-1].version if history.readings else ""
    for life in answer.lives:
        lines += [harmless(spelt(life.name)), *_wrapped(life_lines(life, newest), width, 2)]
        lines += _wrapped(_on_the_way(life.name, history), width, 2)
    if not answer.lives:
        lines += _wrapped(
            [f"{answer.asked}: no known release of {_title(history)} has it ({known_line(history)})"], width
        )
        lines += _wrapped(map(elsewhere_line, answer.elsewhere), width, 2)
        if answer.near:
            lines += _wrapped([f"near: {', '.join(map(spelt, answer.near))}"], width, 2)
        if not answer.elsewhere:
            lines += _wrapped(
                ["newer than the history? `driftgate bisect 'event NAME'` searches what is published"], width, 2
            )
    return "\n".join(lines)


def _on_the_way(name: Name, history: History) -> Iterator[str]:
    """Yield what else happened to a name: a field that changed, a renaming that it may be part of."""
    for step in steps(history):
        for change in step.changes.changed:
            if change.name == name:
                yield f"changed in {step.release.version}: {field_words(change)}"
        for pair in step.changes.renamed:
            if name in (pair.old, pair.new):
                yield f"{step.release.version}: {renamed_words(pair)}"
    if name.sort is Sort.FIELD:
        row, _, field_name = name.text.partition(".")
        for table in history.readings[-1].surface.tables.values():
            yield from (f"now: {field.words}" for field in table.rows.get(row, ()) if field.name == field_name)


def _title(history: History) -> str:
    return title_of(history.upstream)


def _wrapped(texts: Iterable[str], width: int, indent: int = 0) -> Iterator[str]:
    for text in texts:
        deeper = indent + len(text) - len(text.lstrip())
        yield from textwrap.wrap(
            harmless(text.strip()),
            max(width, 40),
            initial_indent=" " * deeper,
            subsequent_indent=" " * (deeper + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )


# --- for programs ----------------------------------------------------------------------------------------------------


def history_json(history: History) -> str:
    """Return what each release changed, newest first, as one document."""
    return dumps({**_head(history, ExitCode.AGREES), "changes": [step_record(step) for step in steps(history)]})


def answer_json(answer: Answer, history: History) -> str:
    """Return where a name lives as one document."""
    document = {
        **_head(history, answer.exit_code),
        "verdict": VERDICTS[answer.exit_code],
        "asked": answer.asked,
        "names": [
            {**name_record(life.name), "lives": life.lives, "spans": [_span_record(span) for span in life.spans]}
            for life in answer.lives
        ],
        "elsewhere": [
            {"harness": one.harness, "version": one.version, **name_record(one.name)} for one in answer.elsewhere
        ],
        "near": [name_record(name) for name in answer.near],
    }
    return dumps(document)


def _head(history: History, code: ExitCode) -> dict[str, Any]:
    read = len(history.read())
    known = {"read": read, "between": len(history.readings) - read, "unknown": list(history.unknown)}
    return {**head("history", code), "upstream": history.upstream, "releases": known}


def step_record(step: Step) -> dict[str, Any]:
    """Return the changes of one release as plain data."""
    return {
        "release": step.release.version,
        "before": step.before.version,
        "unread": list(step.unread),
        **changes_record(step.changes),
    }


def changes_record(changes: Changes) -> dict[str, Any]:
    """Return changes as plain data."""
    return {
        "added": [name_record(name) for name in changes.added],
        "removed": [name_record(name) for name in changes.removed],
        "changed": [_field_record(change) for change in changes.changed],
        "renamed": [{"old": name_record(pair.old), "new": name_record(pair.new)} for pair in changes.renamed],
    }


def name_record(name: Name) -> dict[str, str]:
    """Return a name as plain data."""
    return {"sort": name.sort.value, "name": name.text}


def _field_record(change: FieldChange) -> dict[str, Any]:
    return {**name_record(change.name), "before": field_record(change.before), "after": field_record(change.after)}


def _span_record(span: Span) -> dict[str, Any]:
    return {
        "first": reading_record(span.first),
        "last": reading_record(span.last),
        "before": reading_record(span.before) if span.before else None,
        "after": reading_record(span.after) if span.after else None,
        "unread_before": list(span.unread_before),
        "unread_after": list(span.unread_after),
        "unread": list(span.unread),
        "releases": len(span.readings),
        "read": span.read,
    }


def reading_record(reading: Reading) -> dict[str, Any]:
    """Return a reading without its surface as plain data."""
    origin = reading.origin
    return {
        "version": reading.version,
        "known": reading.known.value,
        "package": origin.package if origin else None,
        "package_version": origin.version if origin else None,
        "integrity": origin.integrity if origin else None,
    }
