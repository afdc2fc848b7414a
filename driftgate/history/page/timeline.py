"""The timeline: one row a name, one bar for each span of releases that have it. Plain SVG beside plain words."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby, pairwise
from typing import Final

from driftgate.history.lives import Life, Lives, Span
from driftgate.history.record import History, Known
from driftgate.history.sentences import SORTS
from driftgate.history.stated import Sort
from driftgate.report.phrases import plural

TITLES: Final = {
    Sort.EVENT: "Events",
    Sort.TYPE: "Entry types",
    Sort.FIELD: "Fields of entries",
    Sort.VALUE: "Values of fields",
    Sort.SHELL: "Shells",
    Sort.GUARD_EVENT: "Guard events",
}


ROOM: Final = 8.0
"""How wide the label of a release is at the most, in percent of a wide page's scale."""


def timeline_section(lives: Lives) -> str:
    """Return the table of every name, in groups by sort, those of the newest release first."""
    axis = Axis(lives.history)
    rows: list[str] = []
    for sort in Sort:
        names = [name for name in lives.names if name.sort is sort]
        if not names:
            continue
        rows.append(f'<tbody data-sort="{sort}">')
        rows.append(
            f'<tr class="group"><th scope="rowgroup" colspan="2" id="sort-{sort}">{TITLES[sort]} '
            f'<span class="count">({len(names)})</span></th></tr>'
        )
        rows += [_row(lives.of(name), axis) for name in names]
        rows.append("</tbody>")
    head = (
        f'<thead><tr><th scope="col">Name</th><th scope="col">Releases that have it {axis.labels()}</th></tr></thead>'
    )
    return head + "\n" + "\n".join(rows)


def sort_options() -> str:
    """Return the choices of a sort for the filter."""
    return "".join(f'<option value="{sort}">{TITLES[sort]}</option>' for sort in Sort)


class Axis:
    """Where each published release stands from left to right, in percent: every release is as wide as another."""

    def __init__(self, history: History) -> None:
        self.versions = history.published()
        self._index = {version: index for index, version in enumerate(self.versions)}
        self.ticks = tuple(self._ticks())

    def _ticks(self) -> Iterator[str]:
        """Yield the first release of each line (2.0, 2.1) and, in a long line, of each hundred."""
        for _, line in groupby(self.versions, key=lambda version: (version.rpartition(".")[0], _hundred(version))):
            yield next(line)

    def left(self, version: str) -> float:
        """Return where a release begins."""
        return 100 * self._index[version] / len(self.versions)

    def width(self, first: str, last: str) -> float:
        """Return how wide releases from `first` to `last` are together."""
        return 100 * (self._index[last] - self._index[first] + 1) / len(self.versions)

    def adjacent(self, older: str, newer: str) -> bool:
        """Return whether no release was published between two."""
        return self._index[newer] - self._index[older] == 1

    def labels(self) -> str:
        """Return the scale. It only repeats what the rows say in words, so it is hidden from readers of the text."""
        marks: list[str] = []
        taken = -ROOM
        for version in self.ticks:
            left = self.left(version)
            if left < taken + ROOM or left > 100 - 2 * ROOM:
                continue
            kind = "inner" if marks else "end"
            marks.append(f'<text class="{kind}" x="{left:.2f}%" y="11">{escape(version)}</text>')
            taken = left
        newest = escape(self.versions[-1])
        marks.append(f'<text class="end" x="100%" y="11" text-anchor="end">{newest}</text>')
        return f'<svg class="axis" aria-hidden="true" height="14">{"".join(marks)}</svg>'

    def grid(self) -> str:
        """Return the lines that continue the scale down the rows."""
        return "".join(f'<rect class="tick" x="{self.left(v):.2f}%" y="0" width="1" height="16"/>' for v in self.ticks)


def _hundred(version: str) -> int:
    return int(version.rpartition(".")[2]) // 100


def _row(life: Life, axis: Axis) -> str:
    sort = SORTS[life.name.sort]
    # A long name may break after its entry type, or before a value.
    name = escape(life.name.text).replace(".", ".<wbr>").replace("=", "=<wbr>")
    words = "; ".join(_words(index, span) for index, span in enumerate(life.spans))
    gone = "" if life.lives else ' <span class="gone">gone</span>'
    bars = "".join(bar for span in life.spans for bar in _bars(span, axis))
    search = escape(f"{sort} {life.name.text}".lower(), quote=True)
    return (
        f'<tr data-name="{search}"><th scope="row"><code>{name}</code>{gone}<span class="when">{words}</span></th>'
        f'<td><svg class="bar" aria-hidden="true" height="16">{axis.grid()}{bars}</svg></td></tr>'
    )


def _words(index: int, span: Span) -> str:
    link = f'<a href="#c-{span.first.version}">{span.first.version}</a>'
    if span.unread_before:
        text = f"{'since' if index == 0 else 'back by'} {link} at the latest"
    elif span.before is None:
        text = f"in {link}, the first known release"
    else:
        text = f"{'since' if index == 0 else 'back from'} {link}"
    if span.after:
        text += f', gone in <a href="#c-{span.after.version}">{span.after.version}</a>'
    between = len(span.readings) - span.read
    counts = plural(span.read, "release") + " read" + (f", {between} in between" if between else "")
    return f"{text} ({counts})"


def _bars(span: Span, axis: Axis) -> Iterator[str]:
    """Yield a tall bar for releases that were read, and a low one for those between: the shape says it, not colour."""
    for known, group in groupby(span.readings, key=lambda reading: reading.known):
        readings = list(group)
        tall = known is Known.READ
        y, height, kind = (2, 12, "read") if tall else (6, 4, "between")
        for first, last in _unbroken([reading.version for reading in readings], axis):
            yield (
                f'<rect class="{kind}" x="{axis.left(first):.2f}%" y="{y}" '
                f'width="{axis.width(first, last):.2f}%" height="{height}"/>'
            )


def _unbroken(versions: list[str], axis: Axis) -> Iterator[tuple[str, str]]:
    """Yield runs of versions with no unknown release among them."""
    start = versions[0]
    for before, after in pairwise(versions):
        if not axis.adjacent(before, after):
            yield start, before
            start = after
    yield start, versions[-1]
