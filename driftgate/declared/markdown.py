"""The reader of Markdown: the cells of one column of a table under a heading. Prose never matters.

`docs/hooks.md#Hook events/Event` is the column Event of the first table under the heading that has one; without a
column, the first column of the first table. Tables: https://github.github.com/gfm/#tables-extension-.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from driftgate.declared.source import Source
from driftgate.declared.values import Items, Stated, Text, Value
from driftgate.errors import DeclaredError
from driftgate.surface import Place

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)\s*$")
_DELIMITER: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_CELL: Final = re.compile(r"(?:\\.|`[^`]*`|[^|\\])*")
_CODE: Final = re.compile(r"`([^`]+)`")
_IMAGE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKUP: Final = re.compile(r"\{#[^}]*\}|<[^>]+>|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_CODES_ONLY: Final = re.compile(r"`[^`]+`(?:(?:\s*(?:,|/|<br\s*/?>|and|or)\s*|\s+)`[^`]+`)*$")


@dataclass(slots=True)
class Table:
    """One table: its column names, and its rows of cells with their places."""

    columns: list[str]
    rows: list[list[tuple[str, Place]]] = field(default_factory=list)
    place: Place = field(default_factory=lambda: Place(""))


@dataclass(slots=True)
class Section:
    """A heading, and the tables under it (also under the smaller headings that follow)."""

    title: str
    level: int
    tables: list[Table] = field(default_factory=list)


def read(source: Source, name: str) -> Value:
    """Return the names in a column of a table; `name` is "Heading", or "Heading/Column".

    Raises:
        DeclaredError: no such heading, no table under it, or no such column.
    """
    sections = _sections(source)
    whole = [section for section in sections if _plain(section.title) == _plain(name)]
    heading, _, column = (name, "", "") if whole else name.rpartition("/")
    wanted = heading or name
    found = [section for section in sections if _plain(section.title) == _plain(wanted)]
    tables = [table for section in found for table in section.tables]
    for table in tables:
        columns = [_plain(title) for title in table.columns]
        if not column or _plain(column) in columns:
            index = columns.index(_plain(column)) if column else 0
            return _column(table, index)
    if tables:
        state = "a table with the columns " + ", ".join(tables[0].columns)
    elif found:
        state = "the heading, and no table under it"
    else:
        state = "the headings " + (", ".join(s.title for s in sections if s.tables) or "without any table")
    raise DeclaredError(
        f"table {name} not found in docs source {source.shown}",
        where=source.shown,
        expected=f"a heading '{wanted}' with a table under it" + (f" that has a column '{column}'" if column else ""),
        found=state,
        next="correct the name after the '#': Heading, or Heading/Column",
    )


def stated(source: Source) -> Iterator[Stated]:
    """Yield the first column of the first table under each heading."""
    for section in _sections(source):
        if section.tables:
            column = _column(section.tables[0], 0)
            yield Stated(section.title, column, column.place)


def _column(table: Table, index: int) -> Items:
    cells = [row[index] for row in table.rows if index < len(row)]
    return Items(tuple(text for cell, place in cells for text in _names(cell, place)), table.place)


def _names(cell: str, place: Place) -> Iterator[Text]:
    """The name in a cell: its first code, else its text; several codes only where there is nothing else."""
    bare = _LINK.sub(r"\1", _IMAGE.sub("", cell))
    codes = _CODE.findall(bare)
    if codes:
        yield from (Text(code.strip(), place) for code in (codes if _CODES_ONLY.match(bare) else codes[:1]))
    elif text := _plain_text(cell):
        yield Text(text, place)


def _plain_text(text: str) -> str:
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text))).replace("\\|", "|").split())


def _plain(title: str) -> str:
    return _plain_text(title).casefold()


def _sections(source: Source) -> list[Section]:
    """Return the headings with the tables under them. What stands in code blocks or comments is not looked at."""
    found = [Section("", 0)]
    lines = list(_visible(source.text))
    for index, (number, line) in enumerate(lines):
        following = lines[index + 1][1] if index + 1 < len(lines) else ""
        if heading := _HEADING.match(line):
            found.append(Section(_plain_text(heading[2].rstrip().rstrip("#")), len(heading[1])))
        elif line.strip() and "|" not in line and (under := _UNDERLINE.match(following)):
            found.append(Section(_plain_text(line), 1 if under[1].startswith("=") else 2))
        elif "|" in line and _DELIMITER.match(following) and "-" in following:
            table = _table(source, lines[index:], number)
            for section in _open(found):
                section.tables.append(table)
    return found[1:]


def _open(sections: list[Section]) -> Iterator[Section]:
    """The section that the end of the text is in, and those around it."""
    level = 7
    for section in reversed(sections):
        if section.level < level:
            level = section.level
            yield section


def _table(source: Source, lines: list[tuple[int, str]], number: int) -> Table:
    columns = [_plain_text(cell) for cell, _ in _cells(lines[0][1])]
    table = Table(columns, place=Place(source.shown, line=number, column=1))
    for row_number, line in lines[2:]:
        if "|" not in line:
            break
        cells = [(cell, Place(source.shown, line=row_number, column=column)) for cell, column in _cells(line)]
        table.rows.append(cells)
    return table


def _cells(line: str) -> Iterator[tuple[str, int]]:
    """Yield each cell of a row with the column at which its text begins."""
    at = len(line) - len(line.lstrip())
    body = line.rstrip()
    at += body[at : at + 1] == "|"
    end = len(body) - (body.endswith("|") and not body.endswith("\\|"))
    while at <= end:
        match = _CELL.match(body, at, end)
        text = match[0] if match else ""
        yield text.strip(), at + len(text) - len(text.lstrip()) + 1
        at += len(text) + 1


def _visible(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that are neither code nor comment."""
    fence, comment = "", False
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif comment:
            comment = "-->" not in line
        elif mark:
            fence = mark[1]
        elif line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        else:
            yield number, line
