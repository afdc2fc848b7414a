"""Columns: gofmt's alignment of neighbouring lines, and Markdown tables whose pipes stand under one another.

Both only where the lines stood in columns before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from driftgate.adopt.draft import Edit
from driftgate.adopt.series import Element, Series, line_end, line_start

_CONSTANT: Final = re.compile(r"(?P<name>[\w, ]+?)(?:[ \t]+(?P<type>[\w.*\[\]]+))?[ \t]*(?P<value>=[ \t]*.+)\Z")
_KEYED: Final = re.compile(r'(?P<key>(?:"(?:[^"\\\n]|\\.)*"|[\w.]+):)[ \t]*(?P<value>.+)\Z')
_FIELD: Final = re.compile(r"(?P<name>[\w, ]+?)[ \t]+(?P<type>[^`]+?)(?:[ \t]*(?P<tag>`[^`]*`))?\Z")


@dataclass(frozen=True, slots=True)
class _Line:
    """One element's line: where it begins after the indentation, where it ends, and its cells."""

    start: int
    end: int
    cells: tuple[str, ...]


def go_alignment(before: Series, after: Series) -> list[Edit]:
    """Return the edits that align the lines of `after` as gofmt does; none where `before` was not aligned."""
    if list(_aligning(before)):
        return []
    return list(_aligning(after))


def _aligning(series: Series) -> Iterator[Edit]:
    for section in _sections(series):
        texts = _padded([line.cells for line in section])
        for line, text in zip(section, texts, strict=True):
            if series.data[line.start : line.end].decode() != text:
                yield Edit(line.start, line.end, text)


def _sections(series: Series) -> Iterator[list[_Line]]:
    """Yield runs of lines that follow one another, each with one element."""
    section: list[_Line] = []
    for element in series.elements:
        line = _line(series, element)
        if line is None or (section and series.data[section[-1].end : line.start].strip(b" \t") != b"\n"):
            if section:
                yield section
            section = []
        if line is not None:
            section.append(line)
    if section:
        yield section


def _line(series: Series, element: Element) -> _Line | None:
    data = series.data
    start, end = element.start, line_end(data, element.after)
    if data[line_start(data, start) : start].strip() or b"\n" in data[start : element.end]:
        return None
    code, rest = data[start : element.after].decode(), data[element.after : end].decode().strip()
    if rest and not rest.startswith(("//", "/*")):
        return None
    cells = _cells(series, data[start : element.end].decode(), code[element.end - start :])
    return _Line(start, start + len(data[start:end].rstrip()), (*cells, *([rest] if rest else [])))


def _cells(series: Series, text: str, sign: str) -> tuple[str, ...]:
    pattern = {"const_declaration": _CONSTANT, "literal_value": _KEYED, "field_declaration_list": _FIELD}.get(
        series.form
    )
    match = pattern.match(text) if pattern else None
    if match is None:
        return (text + sign.strip(),)
    parts = [part for part in match.groups() if part is not None]
    return (*parts[:-1], parts[-1].strip() + sign.strip())


def _padded(lines: Sequence[tuple[str, ...]]) -> list[str]:
    """Align cells: a column is as wide as its widest cell among neighbouring lines that go on after it."""
    widths = [[0] * len(cells) for cells in lines]
    for column in range(max(map(len, lines)) - 1):
        run: list[int] = []
        for at, cells in enumerate([*lines, ()]):
            if len(cells) > column + 1:
                run.append(at)
                continue
            widest = max((len(lines[one][column]) for one in run), default=0)
            for one in run:
                widths[one][column] = widest
            run = []
    return [
        "".join(
            cell.ljust(width) + " " if at < len(cells) - 1 else cell
            for at, (cell, width) in enumerate(zip(cells, sizes, strict=True))
        )
        for cells, sizes in zip(lines, widths, strict=True)
    ]


# --- Markdown --------------------------------------------------------------------------------------------------------

_PIPE: Final = re.compile(r"(?<!\\)\|")


def table_alignment(before: bytes, after: bytes, start: int) -> list[Edit]:
    """Return the edits that align the table around byte `start` of `after`; none where it was not aligned before."""
    old, new = _table(before, start), _table(after, start)
    if not _is_aligned([text for _, text in old]) or _is_aligned([text for _, text in new]):
        return []
    rows = [_PIPE.split(text) for _, text in new]
    if len({len(row) for row in rows}) != 1:
        return []
    widths = [max(len(row[column].strip()) for row in rows) for column in range(len(rows[0]))]
    edits = []
    for (at, text), row in zip(new, rows, strict=True):
        line = "|".join(
            _cell(cell, width, edge=column in (0, len(row) - 1))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        if line != text:
            edits.append(Edit(at, at + len(text.encode()), line))
    return edits


def _cell(cell: str, width: int, *, edge: bool) -> str:
    text = cell.strip()
    if edge and not text:
        return cell
    if re.fullmatch(r":?-+:?", text):
        blanks = " " if cell.startswith(" ") else ""
        size = width if blanks else width + 2
        middle = "-" * (size - text.startswith(":") - text.endswith(":"))
        return f"{blanks}{':' * text.startswith(':')}{middle}{':' * text.endswith(':')}{blanks}"
    return f" {text.ljust(width)} "


def _table(data: bytes, start: int) -> list[tuple[int, str]]:
    """Return the lines around byte `start` that have a pipe: (where, text)."""
    first = line_start(data, min(start, len(data)))
    while first > 0 and b"|" in data[line_start(data, first - 1) : first]:
        first = line_start(data, first - 1)
    rows, at = [], first
    while at < len(data) and b"|" in data[at : line_end(data, at)]:
        rows.append((at, data[at : line_end(data, at)].decode()))
        at = line_end(data, at) + 1
    return rows


def _is_aligned(rows: list[str]) -> bool:
    return len(rows) > 2 and len({tuple(match.start() for match in _PIPE.finditer(row)) for row in rows}) == 1


def is_aligned(data: bytes, start: int) -> bool:
    """Return whether the pipes of the table around byte `start` stand under one another."""
    return _is_aligned([text for _, text in _table(data, start)])
