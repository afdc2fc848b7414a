"""The reader of Markdown: the cells of one column of a table under a heading. Prose never matters.

`docs/hooks.md#Hook events/Event` is the column Event of the first table under the heading that has one; without a
column, the first column of the first table. What is a heading and what a table says GitHub Flavored Markdown
(https://github.github.com/gfm/), as markdown-it-py parses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from driftgate.declared.gfm_table import gfm_table
from driftgate.declared.source import Source
from driftgate.declared.values import Items, Stated, Text, Value
from driftgate.errors import DeclaredError
from driftgate.surface import Place

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_ATTRIBUTES: Final = re.compile(r"\{#[^}]*\}")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"\s*(?:,|/|\||and|or)?\s*\Z")
_QUOTED: Final = re.compile(r"""(["'])(.*)\1\Z|“(.*)”\Z|‘(.*)’\Z""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """The Markdown of each cell of a row, and the line that it stands in, from 0."""

    line: int
    cells: tuple[str, ...]


@dataclass(slots=True)
class Table:
    """One table: its column names, its rows, and its place."""

    place: Place
    columns: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


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
    page = Page(source)
    whole = [section for section in page.sections if _key(section.title) == _key(name)]
    heading, _, column = (name, "", "") if whole else name.rpartition("/")
    wanted = heading or name
    found = [section for section in page.sections if _key(section.title) == _key(wanted)]
    tables = [table for section in found for table in section.tables]
    for table in tables:
        columns = [_key(title) for title in table.columns]
        if not column or _key(column) in columns:
            return page.column(table, columns.index(_key(column)) if column else 0)
    if tables:
        state = "a table with the columns " + ", ".join(tables[0].columns)
    elif found:
        state = "the heading, and no table under it"
    else:
        state = "the headings " + (", ".join(s.title for s in page.sections if s.tables) or "without any table")
    raise DeclaredError(
        f"table {name} not found in docs source {source.shown}",
        where=source.shown,
        expected=f"a heading '{wanted}' with a table under it" + (f" that has a column '{column}'" if column else ""),
        found=state,
        next="correct the name after the '#': Heading, or Heading/Column",
    )


def stated(source: Source) -> Iterator[Stated]:
    """Yield the first column of the first table under each heading."""
    page = Page(source)
    for section in page.sections:
        if section.tables:
            column = page.column(section.tables[0], 0)
            yield Stated(section.title, column, column.place)


@cache
def _parser() -> MarkdownIt:
    """GFM's blocks, without the inline parts: of those, only the cells that are wanted are parsed."""
    from markdown_it import MarkdownIt  # seldom needed, and not light

    parser = MarkdownIt("commonmark", {"maxNesting": 200}).enable("strikethrough")
    # As in cmark-gfm, tables come last, where nothing else begins at a line.
    parser.block.ruler.before("lheading", "gfm_table", gfm_table, {"alt": ["paragraph", "reference"]})
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


class Page:
    """One parsed file: its sections, and in `order` what stands in it, headings and tables."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.links: dict[str, Any] = {}
        self.sections: list[Section] = []
        self.order: list[Section | Table] = []
        front = _FRONT_MATTER.match(source.text)
        head = "\n" * (front[0].count("\n") if front else 0)
        self._look(_parser().parse(head + source.text[len(front[0]) if front else 0 :], self.links))

    def _look(self, tokens: Sequence[Token]) -> None:
        around: list[Section] = []
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                title = _ATTRIBUTES.sub("", self.plain(tokens[index + 1].content)).strip()
                section = Section(title, int(token.tag[1]))
                self.sections.append(section)
                self.order.append(section)
                around = [*(outer for outer in around if outer.level < section.level), section]
            elif token.type == "gfm_table":
                table = self._table(tokens, index)
                self.order.append(table)
                for section in around:
                    section.tables.append(table)

    def _table(self, tokens: Sequence[Token], at: int) -> Table:
        first, last = tokens[at].map or (0, 0)
        starts = self.source.starts
        end = starts[last] - 1 if last < len(starts) else starts[-1] + len(self.source.lines[-1])
        after = next((n for n in range(at + 1, len(tokens)) if tokens[n].type != "gfm_row"), len(tokens))
        header, *body = (Row((token.map or [first])[0], token.meta["cells"]) for token in tokens[at + 1 : after])
        place = self.source.at_bytes(starts[first], end, "table")
        return Table(place, [self.plain(cell) for cell in header.cells], body)

    def column(self, table: Table, index: int) -> Items:
        """Return the names in a column."""
        return Items(tuple(text for row in table.rows for text in self._names(row, index)), table.place)

    def _cell(self, row: Row, index: int) -> Place:
        """Find a cell in its line, after the cells before it."""
        data, start, found, end = self.source.lines[row.line], self.source.starts[row.line], 0, 0
        for text in row.cells[: index + 1]:
            written = (text.encode(), text.replace("|", "\\|").encode())
            found = next((at for each in written if (at := data.find(each, end)) >= 0), end)
            end = found + max((len(each) for each in written if data.startswith(each, found)), default=0)
        return self.source.at_bytes(start + found, start + end, "cell")

    def _names(self, row: Row, index: int) -> Iterator[Text]:
        """The name in a cell: its first code, else its text; several codes only where there is nothing else."""
        parts = list(self._inline(row.cells[index]))
        codes = [text for is_code, text in parts if is_code]
        only = all(is_code or _SEPARATOR.match(text) for is_code, text in parts)
        for code in codes if only else codes[:1]:
            yield Text(_unquoted(code), self._cell(row, index))
        if not codes and (text := _unquoted(" ".join("".join(text for _, text in parts).split()))):
            yield Text(text, self._cell(row, index))

    def plain(self, text: str) -> str:
        """Return Markdown as the text that it shows."""
        return " ".join("".join(text for _, text in self._inline(text)).split())

    def _inline(self, text: str) -> Iterator[tuple[bool, str]]:
        """Yield the parts of a line of text, and whether each is code; images and tags say nothing."""
        from markdown_it.rules_inline import StateInline  # seldom needed, as the parser is

        state = StateInline(text, _parser(), self.links, [])
        _parser().inline.tokenize(state)
        for rule in _parser().inline.ruler2.getRules(""):
            rule(state)
        for token in state.tokens:
            if token.type in ("text", "text_special", "code_inline"):
                yield token.type == "code_inline", token.content
            elif token.type == "html_inline" and _BREAK.match(token.content):
                yield False, ","


def _unquoted(text: str) -> str:
    match = _QUOTED.match(text.strip())
    return next((part for part in match.groups()[1:] if part is not None), "").strip() if match else text.strip()


def _key(title: str) -> str:
    """A heading or a column as it is looked for: without marks, whatever the letters' case."""
    return " ".join(re.sub(r"[*_`]", "", title).split()).casefold()
