"""What is a table, says cmark-gfm, the parser of GitHub itself: both see the same tables under the same headings."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from driftgate.declared.markdown import Page, Section
from driftgate.declared.source import source_of

PROBES = {
    "an indented example": "# H\n\n    | E |\n    |---|\n    | `x` |\n\n| E |\n|---|\n| `A` |\n",
    "a row without a leading pipe": "# H\n\n| E |\n|---|\n| `A` |\nB\n\nStop | x\n",
    "a quote ends a table": "# H\n\n| E |\n|---|\n| `A` |\n> quote | x\n| `B` |\n",
    "a comment in a paragraph": "# H\n\nfoo <!-- start\n| E |\n|---|\n| `Hidden` |\n-->\n\n| E |\n|---|\n| `A` |\n",
    "an example in a list": "# H\n\n- a list:\n\n      | E |\n      |---|\n      | `x` |\n\n| E |\n|---|\n| `A` |\n",
    "code in a quote": "# H\n\n> ```\n> | E |\n> |---|\n> | `x` |\n> ```\n\n| E |\n|---|\n| `A` |\n",
    "a pipe in code": "# H\n\n| E | N |\n|---|---|\n| `A` | x |\n| `S` | `a\\|b` |\n| `B`| y |\n## O\n",
    "a table in a list": "# H\n- x\n\n  | E |\n  |---|\n  | `A` |\n",
    "a table after a paragraph": "# H\ntext\n| E |\n|---|\n| `A` |\n",
    "a header of another width": "# H\n| E | F |\n|---|\n| `A` |\n",
    "a fence with tildes and text": "# H\n~~~md | x\n| E |\n|---|\n~~~\n| E |\n|:-:|\n| A |\n",
    "a fence that is closed by a longer one": "# H\n```\n| E |\n|---|\n`````\n| E |\n|---|\n| A |\n",
    "html": "# H\n<div>\n| E |\n|---|\n| x |\n\n| E |\n|---|\n| A |\n</div>\n",
    "a heading ends a table": "# H\n| E |\n|---|\n| A |\n# I\n| B |\n",
    "a rule ends a table": "# H\n| E |\n|---|\n| A |\n---\n| B |\n",
    "a list ends a table": "# H\n| E |\n|---|\n| A |\n- B\n",
    "rows too long and too short": "# H\n| E | F |\n|--|--|\n| a |\n| a | b | c |\n",
    "a delimiter without pipes": "# H\nE\n---\nA\n",
    "a delimiter with one pipe": "# H\n| E\n|---\nA\n",
    "tabs": "# H\n|\tE\t|\n|---|\n|\tA\t|\n",
    "underlined": "a | b\n===\n\nE | F\n--|--\nA | B\n",
}

BLOCKS = ["thead", "h1", "h2", "h3", "h4", "h5", "h6"]


class Html(HTMLParser):
    """The headings and tables of a page: ("h", level) and ("table", rows of texts)."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, object]] = []
        self.cell: list[str] | None = None
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 (the base class names it)
        if tag == "table":
            self.rows = []
            self.seen.append(("table", self.rows))
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = []
        elif tag in BLOCKS[1:]:
            self.seen.append(("h", int(tag[1])))

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            self.rows[-1].append(" ".join("".join(self.cell).split()))
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)


def theirs(text: str) -> list[tuple[str, object]]:
    html = Html()
    html.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_DEFAULT))
    return html.seen


def ours(text: str) -> list[tuple[str, object]]:
    page = Page(source_of(Path("m.md"), Path(), "m.md", text))
    seen: list[tuple[str, object]] = []
    for part in page.order:
        if isinstance(part, Section):
            seen.append(("h", part.level))
        else:
            seen.append(("table", [part.columns, *([page.plain(cell) for cell in row.cells] for row in part.rows)]))
    return seen


@pytest.mark.parametrize("text", PROBES.values(), ids=PROBES)
def test_probes_are_read_as_github_reads_them(text):
    assert ours(text) == theirs(text)


LINES = st.sampled_from(
    """\
| E |/| E | F |/|---|/|---|---|/:-: | -/| `A` |/A | b/A///# H/## I/===/---/    | E |/> | E |/> |---|/> A/- x/  | E |
  |---|/1. y/```/~~~/````md/<div>/<!--/-->/foo <!-- a/\\| E |/| a\\|b |/| `a|b` |/\t| E |/* * */text/> ```/|/| |/||/|-|
--|/|:-/- | E |/  - | F |/      | G |/| E/E |/**E** | F/| <b>A</b> | x |/| ~~A~~ |""".replace("\n", "/").split("/")
)


def is_odd(lines: list[str]) -> bool:
    """Whether a header would be a paragraph's indented or lazy line: a table there, and none to markdown-it."""
    return any(
        before.strip() and now.strip() and (now.startswith(("    ", "\t")) or before.startswith((">", "-", "1", " ")))
        for before, now in pairwise(lines)
    )


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=10))
@example(["- | E |", "  |---|", "| A |"])
def test_any_lines_are_read_as_github_reads_them(lines):
    assume(not is_odd(lines))
    text = "\n".join(lines) + "\n"
    assert ours(text) == theirs(text)
