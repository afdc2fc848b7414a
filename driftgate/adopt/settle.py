"""After an edit: the layout that the file's own formatter would give to what was edited.

A rule of a formatter is applied only where the series was laid out by it before; so a file that no formatter touches
keeps the layout that its authors gave it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driftgate.adopt.columns import go_alignment, table_alignment
from driftgate.adopt.draft import Edit
from driftgate.adopt.formatters import Formatter, formatter_of
from driftgate.adopt.series import Series, indent_of, line_end, line_start
from driftgate.adopt.trees import Tree, tree_of, whole_series
from driftgate.adopt.workspace import Edits, Workspace
from driftgate.declared.languages import reader_for

if TYPE_CHECKING:
    from tree_sitter import Node

_FITTED: Final = frozenset(
    {"list", "tuple", "set", "dictionary", "subscript", "type_parameter", "array", "union_type", "tuple_type"}
    | {"array_expression", "object"}
)


def settled(workspace: Workspace, touched: Iterable[tuple[Path, Series]], edits: Edits) -> None:
    """Lay out anew what `edits` made of the series `touched`, where their formatter would."""
    for path, series in touched:
        moved = [edit for edit in edits.get(path, ()) if edit.end <= series.start]
        start = series.start + sum(len(edit.text.encode()) - (edit.end - edit.start) for edit in moved)
        more = list(_layout(workspace, path, series, start))
        if more:
            workspace.apply({path: more})


def _layout(workspace: Workspace, path: Path, before: Series, start: int) -> list[Edit]:
    data = workspace.draft(path).data
    if before.language == "markdown":
        return table_alignment(before.data, data, start)
    tree = tree_of(data, reader_for(path.name), path.suffix)
    if tree is None:
        return []
    after = _again(tree, before, start)
    if after is None:
        return []
    if before.language == "go":
        return go_alignment(before, after)
    formatter = formatter_of(workspace, path)
    if before.form in _FITTED and formatter is not None and len(after.elements) > 1:
        return _fitted(before, after, formatter)
    return []


def _again(tree: Tree, before: Series, start: int) -> Series | None:
    """Return the same series in the edited text: the holder of its kind that begins where it begins."""
    node: Node | None = tree.leaf(start, start)
    found: Series | None = None
    while node is not None:
        if node.type == before.form:
            found = whole_series(tree, node, {})
            if found.start == start:
                break
        node = node.parent
    return found if found is not None and found.start == start else None


# --- one line, or a line for each element ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a series stands: everything on one line, or each element on one of its own; `comments` are in it."""

    flat: bool
    tall: bool
    comments: bool


def _shape(series: Series) -> _Shape:
    data, region = series.data, series.data[series.start : series.end]
    lines = [line_start(data, element.start) for element in series.elements]
    return _Shape(
        flat=b"\n" not in region.strip() and b"\n" not in region,
        tall=len(set(lines)) == len(lines) and b"\n" in region,
        comments=any(_outside_texts(series)),
    )


def _outside_texts(series: Series) -> Iterable[bool]:
    edges = [series.start, *(edge for one in series.elements for edge in (one.start, one.end)), series.end]
    for at in range(0, len(edges), 2):
        yield re.search(rb"//|/\*|#", series.data[edges[at] : edges[at + 1]]) is not None


def _fitted(before: Series, after: Series, formatter: Formatter) -> list[Edit]:
    was, now = _shape(before), _shape(after)
    if now.comments or was.comments:
        return []
    if was.flat and now.flat and formatter.fits(before, _flat_line(before)):
        return [] if formatter.fits(after, _flat_line(after)) else formatter.spread(after)
    if was.tall and now.tall and formatter.joins(before):
        line = _joined_line(before, formatter)
        if not formatter.fits(before, line) and formatter.fits(after, _joined_line(after, formatter)):
            return formatter.join(after)
    return []


def _flat_line(series: Series) -> str:
    data = series.data
    return data[line_start(data, series.start) : line_end(data, series.end)].decode()


def _joined_line(series: Series, formatter: Formatter) -> str:
    """The line that the statement would be if its elements stood in one."""
    data = series.data
    head = data[line_start(data, series.start - 1) : series.start].decode().rstrip()
    tail = data[series.end : line_end(data, series.end)].decode()
    if series.separator == "|":
        head = indent_of(data, line_start(data, series.start) - 1).decode() + _statement_head(series)
        return f"{head} {formatter.one_line(series)}{tail}"
    return f"{head}{formatter.one_line(series)}{tail.lstrip()}"


def _statement_head(series: Series) -> str:
    before = series.data[: series.start].decode().rstrip()
    return before[before.rfind("\n") + 1 :].strip()
