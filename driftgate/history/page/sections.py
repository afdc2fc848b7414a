"""What each release changed, the evidence for every release, and the choices of a release."""

from __future__ import annotations

from html import escape

from driftgate.history.changes import Step, steps
from driftgate.history.record import History, Known, Reading
from driftgate.history.sentences import step_lines

WORDS = {"+": ("added", "Added"), "-": ("removed", "Removed"), "~": ("changed", "Changed"), "?": ("question", "Unsure")}
"""What the marks of a change line mean: a class, and a word, so that neither colour nor mark is needed."""


def changes_section(history: History) -> str:
    """Return every release at which something changed, newest first."""
    items = [_step(step) for step in steps(history)]
    if history.readings:
        first = history.readings[0]
        count = len(first.surface.members("hook_events"))
        items.append(
            f'<li id="c-{first.version}"><h3>{first.version}</h3><p>The first known release, with {count} events. '
            f"{_evidence_link(first)}</p></li>"
        )
    return "\n".join(items)


def _step(step: Step) -> str:
    version = escape(step.release.version)
    lines = "".join(_line(line) for line in step_lines(step))
    return (
        f'<li id="c-{version}"><h3>{version} <span class="after">after {escape(step.before.version)}</span></h3>'
        f"<ul>{lines}</ul><p>{_evidence_link(step.release)}</p></li>"
    )


def _line(line: str) -> str:
    mark, _, text = line.partition(" ")
    kind, word = WORDS[mark]
    return f'<li class="{kind}"><strong>{word}</strong> {escape(text)}</li>'


def _evidence_link(reading: Reading) -> str:
    return (
        f'<a href="#r-{escape(reading.version)}">Evidence<span class="hidden"> for {escape(reading.version)}</span></a>'
    )


def evidence_section(history: History) -> str:
    """Return a row for every published release, newest first: how it is known, and the artefact that was read."""
    known = {reading.version: reading for reading in history.readings}
    return "\n".join(_evidence(version, known.get(version)) for version in reversed(history.published()))


def _evidence(version: str, reading: Reading | None) -> str:
    if reading is None:
        how, what = "not known", "not read, and not between two equal readings"
    elif reading.known is Known.BETWEEN or reading.origin is None:
        how, what = "in between", "between two releases that were read and are equal"
    else:
        how = "read"
        digest = escape(reading.origin.integrity or "")
        what = f'<code>{escape(str(reading.origin))}</code> <code class="digest">{digest}</code>'
    return f'<tr id="r-{escape(version)}"><th scope="row">{escape(version)}</th><td>{how}</td><td>{what}</td></tr>'


def options_of(history: History, selected: str) -> str:
    """Return a choice for every known release, newest first."""
    return "".join(
        f"<option{' selected' if version == selected else ''}>{escape(version)}</option>"
        for version in reversed(history.versions())
    )
