"""Series in YAML documents and Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from driftgate.adopt.columns import is_aligned
from driftgate.adopt.series import Element, Series, line_end, line_start, with_comments
from driftgate.declared.source import Source

if TYPE_CHECKING:
    from yaml.nodes import CollectionNode, Node

_ROW: Final = re.compile(rb"[ \t]*\|?(?:\\\||[^|\n])*\|")


def yaml_series(source: Source, spans: Mapping[str, tuple[int, int]]) -> Series | None:
    """Return the sequence or mapping of a YAML document in which each name of `spans` has an element."""
    import yaml

    data = source.text.encode()
    root = yaml.compose(source.text, Loader=yaml.SafeLoader)
    for holder in sorted(_holders(root), key=lambda node: node.end_mark.index - node.start_mark.index):
        elements = tuple(_yaml_elements(holder, source, data, spans))
        if {element.name for element in elements} >= set(spans):
            return _yaml_series(holder, source, data, elements)
    return None


def _holders(node: Node | None) -> Iterator[CollectionNode]:
    from yaml.nodes import CollectionNode

    if not isinstance(node, CollectionNode):
        return
    yield node
    for part in node.value:
        for inner in part if isinstance(part, tuple) else (part,):
            yield from _holders(inner)


def _yaml_elements(
    holder: CollectionNode, source: Source, data: bytes, spans: Mapping[str, tuple[int, int]]
) -> Iterator[Element]:
    for part in holder.value:
        first, last = part if isinstance(part, tuple) else (part, part)
        start, end = _byte(source, first.start_mark), _trimmed(data, _byte(source, last.end_mark))
        name = next((name for name, (at, to) in spans.items() if start <= at and to <= end), None)
        after = end
        if holder.flow_style and (sign := re.compile(rb"\s*,").match(data, end)):
            after = sign.end()
        begin = start
        if not holder.flow_style and not isinstance(part, tuple):
            dash = data.rfind(b"-", line_start(data, start), start)
            begin = dash if dash >= 0 else start
        yield Element(begin, end, after, begin, name)


def _yaml_series(holder: CollectionNode, source: Source, data: bytes, elements: tuple[Element, ...]) -> Series:
    start, end = _byte(source, holder.start_mark), _byte(source, holder.end_mark)
    if holder.flow_style:
        return Series(data, "yaml", "flow", start + 1, end - 1, with_comments(data, elements))
    return Series(data, "yaml", "block", start, end, with_comments(data, elements), "", brackets=False)


def _byte(source: Source, mark: object) -> int:
    line, column = getattr(mark, "line", 0), getattr(mark, "column", 0)
    if line >= len(source.lines):
        return len(source.text.encode())
    return source.starts[line] + len(source.lines[line].decode()[:column].encode())


def _trimmed(data: bytes, end: int) -> int:
    """Return where a value ends: what the parser counts to it of blank lines and comments after it is none of it."""
    while end > 0:
        start = line_start(data, end)
        text = data[start:end].strip()
        if text and not text.startswith(b"#"):
            return start + len(data[start:end].rstrip())
        end = start - 1
    return 0


def markdown_series(source: Source, spans: Mapping[str, tuple[int, int]]) -> Series | None:
    """Return the rows of the Markdown table in whose cells the names of `spans` stand, each a row of its own."""
    data = source.text.encode()
    rows = {line_start(data, start): name for name, (start, _) in spans.items()}
    if len(rows) != len(spans):
        return None
    elements = []
    for start, name in sorted(rows.items()):
        end = line_end(data, start)
        begin = start + len(data[start:end]) - len(data[start:end].lstrip())
        elements.append(Element(begin, end, end, begin, name))
    first, last = elements[0], elements[-1]
    return Series(data, "markdown", "table", first.start, last.end, tuple(elements), "", brackets=False)


def blank_row(series: Series, near: Element, span: tuple[int, int], old: str, new: str) -> str:
    """Return a table row like that of `near`, with `new` in the cell `span` and nothing in the others.

    Cells keep their width where the new name fits.
    """
    row = series.data[near.start : near.end].decode()
    start, aligned = span[0] - near.start, is_aligned(series.data, near.start)
    out, at = [], 0
    for piece in re.split(r"((?<!\\)\|)", row):
        is_cell = piece != "|" and at <= start < at + len(piece.encode())
        if piece == "|" or not piece:
            out.append(piece)
        elif is_cell:
            out.append(_padded(piece.replace(old, new), len(piece)) if aligned else piece.replace(old, new))
        else:
            out.append(" " * len(piece) if aligned else " " * piece.startswith(" "))
        at += len(piece.encode())
    return "".join(out).rstrip() if not row.rstrip().endswith("|") else "".join(out)


def _padded(cell: str, width: int) -> str:
    text = cell.rstrip()
    return text + " " * max(width - len(text), 1)
