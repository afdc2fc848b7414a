"""A history in words: what a release changed, where a name lives, how a search went. Lines for people, no layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from driftgate.history.changes import Changes, FieldChange, Renaming, Step
from driftgate.history.elsewhere import Elsewhere
from driftgate.history.lives import Life, Span
from driftgate.history.record import History, Known, Reading
from driftgate.history.stated import Name, Sort
from driftgate.report.phrases import plural

SORTS = {
    Sort.EVENT: "event",
    Sort.TYPE: "type",
    Sort.FIELD: "field",
    Sort.VALUE: "value",
    Sort.SHELL: "shell",
    Sort.GUARD_EVENT: "guard event",
}


def spelt(name: Name) -> str:
    """Return a name with its sort, e.g. "guard event PreToolUse"."""
    return f"{SORTS[name.sort]} {name.text}"


def known_line(history: History) -> str:
    """Return how many releases are known, and how, e.g. "432 releases, 1.0.23 to 2.1.332: 280 read, 152 between"."""
    if not history.readings:
        return "no release is known"
    read = len(history.read())
    between = len(history.readings) - read
    parts = [f"{read} read"]
    parts += [f"{between} between two equal readings"] * bool(between)
    parts += [f"{len(history.unknown)} unknown"] * bool(history.unknown)
    versions = history.published()
    return f"{plural(len(versions), 'release')}, {versions[0]} to {versions[-1]}: {', '.join(parts)}"


# --- what a release changed ------------------------------------------------------------------------------------------


def step_lines(step: Step) -> Iterator[str]:
    """Yield the changes of a release, one line a kind and sort: "+ event PostCompact"."""
    yield from change_lines(step.changes)
    if step.unread:
        yield f"? or in {joined(step.unread)}, of which nothing is known ({step.before.version} has the old state)"


def change_lines(changes: Changes) -> Iterator[str]:
    """Yield changes one line a kind and sort; what came or went with its owner is said with the owner."""
    yield from _grouped("+", changes.added)
    yield from _grouped("-", changes.removed)
    yield from (f"~ field {one.name.text}: {field_words(one)}" for one in changes.changed)
    yield from (f"? {renamed_words(one)}" for one in changes.renamed)


def _grouped(mark: str, names: tuple[Name, ...]) -> Iterator[str]:
    types = {name.text for name in names if name.sort is Sort.TYPE}
    fields = {name.text for name in names if name.sort is Sort.FIELD}
    for sort in Sort:
        own = [name for name in names if name.sort is sort]
        if sort is Sort.FIELD:
            own = [name for name in own if name.owner.removesuffix(".") not in types]
        elif sort is Sort.VALUE:
            own = [name for name in own if name.owner.removesuffix("=") not in fields]
        if own:
            yield f"{mark} {SORTS[sort]} {', '.join(_with_fields(name, names) for name in own)}"


def _with_fields(name: Name, names: Iterable[Name]) -> str:
    if name.sort is not Sort.TYPE:
        return name.text
    fields = [one.last for one in names if one.sort is Sort.FIELD and one.owner == f"{name.text}."]
    return f"{name.text} (with {', '.join(fields)})" if fields else name.text


def field_words(change: FieldChange) -> str:
    """Return what a field was and is."""
    return f"{change.before.words} -> {change.after.words}"


def renamed_words(one: Renaming) -> str:
    """Return the question whether a name is another one's new name."""
    return f"renamed? {spelt(one.old)} -> {one.new.text}"


# --- where a name lives ----------------------------------------------------------------------------------------------


def life_lines(life: Life, newest: str) -> Iterator[str]:
    """Yield where a name lives: each span with its ends and how sure they are, oldest first."""
    for index, span in enumerate(life.spans):
        yield f"{'since' if index == 0 else 'back from'} {_begin(span)}"
        yield f"  {_inside(span)}"
        if span.after:
            yield f"gone from {_end(span, span.after)}"
    if life.lives:
        yield f"the newest known release, {newest}, has it"


def _begin(span: Span) -> str:
    first = f"{span.first.version} ({known_words(span.first)})"
    if span.before is None:
        return f"{first}; no older release is known"
    if span.unread_before:
        return (
            f"some release after {span.before.version} and up to {first}: {span.before.version} lacks it, "
            f"and nothing is known of {joined(span.unread_before)}"
        )
    return f"{first}; the release before, {span.before.version}, lacks it ({known_words(span.before)})"


def _end(span: Span, after: Reading) -> str:
    gone = f"{after.version} ({known_words(after)})"
    if span.unread_after:
        return f"{gone} at the latest: {span.last.version} has it, and nothing is known of {joined(span.unread_after)}"
    return f"{gone}; {span.last.version}, the release before, still has it"


def _inside(span: Span) -> str:
    between = len(span.readings) - span.read
    words = f"{plural(len(span.readings), 'release')} up to {span.last.version}: {span.read} read"
    if between:
        words += f", {between} between two equal readings (not read: it may have been away there)"
    if span.unread:
        words += f", and {len(span.unread)} of which nothing is known"
    return words


def known_words(reading: Reading) -> str:
    """Return how a reading is known: the artefact with its integrity, or that it lies between two others."""
    if reading.known is Known.BETWEEN or reading.origin is None:
        return "between two equal readings"
    return f"read: {reading.origin} {reading.origin.integrity}"


def elsewhere_line(one: Elsewhere) -> str:
    """Return where another harness has a name."""
    return f"{spelt(one.name)} is known to {one.harness} {one.version}"


def joined(versions: tuple[str, ...]) -> str:
    """Return versions in words, e.g. "2.1.64, 2.1.66" or "2.1.64 to 2.1.90 (12 releases)"."""
    if len(versions) <= 3:
        return ", ".join(versions)
    return f"{versions[0]} to {versions[-1]} ({len(versions)} releases)"
