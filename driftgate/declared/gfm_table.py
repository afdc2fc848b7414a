"""Tables as GitHub's own parser sees them, as a block rule of markdown-it-py.

markdown-it's own rule is older than what cmark-gfm does today: it tries tables before lists, wants a pipe in the
header, and lets other lines end a table. https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_MARKER: Final = r"[ \t\v\f]*:?-+:?[ \t\v\f]*"
_DELIMITER: Final = re.compile(rf"\|?{_MARKER}(?:\|{_MARKER})*\|?[ \t\v\f]*\Z")
_UNDERLINE: Final = re.compile(r"-+\s*\Z")
_CELL: Final = re.compile(r"(?:\\\||[^|])*")
_PIPE: Final = re.compile(r"\|[ \t\v\f]*")
_TAG: Final = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>\s*\Z"
)
_MOST_COLUMNS: Final = 1000


def gfm_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the table that begins at line `start`, if one does."""
    if start + 1 >= end or not _is_text(state, start) or not _is_text(state, start + 1):
        return False
    delimiter = _line(state, start + 1)
    if not _is_delimiter(delimiter) or any(_is_delimiter(_line(state, n)) for n in range(state.line + 1, start + 1)):
        return False  # a paragraph is looked at once: a delimiter that did not fit its header ends the matter
    header = cells_of(_line(state, start))
    if len(header) != len(cells_of(delimiter)) or len(header) > _MOST_COLUMNS:
        return False
    if not silent:
        outer, state.parentType = state.parentType, "table"
        opened = state.push("gfm_table", "table", 0)
        _row(state, start, header)
        line = start + 2
        while line < end and not _ends(state, line, end):
            _row(state, line, (*cells_of(_line(state, line)), *[""] * len(header))[: len(header)])
            line += 1
        opened.map = [start, line]
        state.parentType, state.line = outer, line
    return True


def _is_text(state: StateBlock, line: int) -> bool:
    return 0 <= state.sCount[line] - state.blkIndent < 4


def _is_delimiter(line: str) -> bool:
    """Whether a line can stand under a header; one of hyphens alone underlines a heading."""
    return _DELIMITER.match(line) is not None and not _UNDERLINE.match(line)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _ends(state: StateBlock, line: int, end: int) -> bool:
    text = _line(state, line)
    if not _is_text(state, line) or not text.strip() or not cells_of(text) or _TAG.match(text):
        return True
    return any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules("blockquote"))


def _row(state: StateBlock, line: int, cells: Sequence[str]) -> None:
    """One token a row, its cells in `meta`: what a page would need of each cell, nobody asks for."""
    row = state.push("gfm_row", "tr", 0)
    row.map, row.meta = [line, line + 1], {"cells": tuple(cells)}


def cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a row, `\\|` as the pipe that it stands for."""
    found = []
    pipe = _PIPE.match(line)
    at = pipe.end() if pipe else 0
    while at < len(line):
        cell = _CELL.match(line, at)
        at = cell.end() if cell else at
        found.append((cell[0] if cell else "").replace("\\|", "|").strip())
        pipe = _PIPE.match(line, at)
        at = pipe.end() if pipe else len(line)
    return tuple(found)
