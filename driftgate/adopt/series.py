"""A series: the elements of a set as they are written one after the other, with what stands between them.

`trees`, `yaml_series` and `markdown_series` find one in the text of a file; `layout` edits it, whatever the language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

COMMENT: Final = re.compile(rb"[ \t]*(?://|#(?!\[)|/\*|--|<!--)")


@dataclass(frozen=True, slots=True)
class Element:
    """One element, in bytes of the text: [start, end), without its separator, which ends before `after`.

    `outer` is where what belongs to it begins: attributes, and comments that speak of it alone. `name` is the member
    that it states; None where it states none.
    """

    start: int
    end: int
    after: int
    outer: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Elements inside [start, end) of `data`. `form` is the parser's word for what holds them.

    `separator` stands between two of them ("" where a line end does), also before the first one where `leading`.
    `prefix` begins the line of each ("- " in YAML). `brackets`: signs stand around the region. `alone`: a single
    element needs its separator (Python's tuple). `length` is the number, [start, end), that says how many there are.
    """

    data: bytes
    language: str
    form: str
    start: int
    end: int
    elements: tuple[Element, ...]
    separator: str = ","
    leading: bool = False
    prefix: str = ""
    brackets: bool = True
    alone: bool = False
    length: tuple[int, int] | None = None
    lengths_name: str = ""

    def text(self, element: Element) -> str:
        """Return the text of an element, its attributes included, comments left out."""
        return code_of(self.data[element.outer : element.end])

    @property
    def named(self) -> tuple[Element, ...]:
        """The elements that state members."""
        return tuple(element for element in self.elements if element.name is not None)

    @property
    def siblings(self) -> list[tuple[str, str]]:
        """What each of them states, and its text."""
        return [(element.name or "", self.text(element)) for element in self.named]

    def element(self, name: str) -> Element | None:
        """Return the element that states `name`."""
        return next((element for element in self.elements if element.name == name), None)


def code_of(text: bytes) -> str:
    """Return `text` without the lines that are comments."""
    lines = text.split(b"\n")
    kept = [line for line in lines if not COMMENT.match(line)]
    return b"\n".join(kept if len(kept) < len(lines) and kept else lines).decode().strip()


def line_start(data: bytes, at: int) -> int:
    """Return where the line of byte `at` begins."""
    return data.rfind(b"\n", 0, at) + 1


def line_end(data: bytes, at: int) -> int:
    """Return where the line of byte `at` ends, before its line end."""
    found = data.find(b"\n", at)
    return len(data) if found < 0 else found


def line_of(data: bytes, at: int) -> int:
    """Return the number of the line of byte `at`, from 1."""
    return data.count(b"\n", 0, at) + 1


def indent_of(data: bytes, at: int) -> bytes:
    """Return the blanks with which the line of byte `at` begins."""
    start = line_start(data, at)
    found = re.compile(rb"[ \t]*").match(data, start, max(start, line_end(data, at)))
    return found[0] if found else b""


def with_comments(data: bytes, elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return `elements` with the comment lines above each that belong to it.

    Comments for documentation do; of others, one that names the element, or any where most elements have one: what
    stands above one of many is a heading.
    """
    above = [_above(data, element) for element in elements]
    mostly = 2 * sum(start < element.outer for start, element in zip(above, elements, strict=True)) > len(elements)
    found = []
    for start, element in zip(above, elements, strict=True):
        block = data[start : element.outer]
        belongs = mostly or block.lstrip().startswith((b"///", b"/**")) or _speaks_of(block, element)
        found.append(
            Element(element.start, element.end, element.after, start if belongs else element.outer, element.name)
        )
    return tuple(found)


def _above(data: bytes, element: Element) -> int:
    """Return where the comment lines right above an element begin; where there are none, the element's own start."""
    at = line_start(data, element.outer)
    if data[at : element.outer].strip():
        return element.outer
    top = element.outer
    while at > 0:
        before = line_start(data, at - 1)
        line = data[before : at - 1]
        if not (COMMENT.match(line) or (re.match(rb"[ \t]*\*", line) and b"/*" in data[:before])):
            break
        at = top = before + len(line) - len(line.lstrip())
        at = before
    return top


def _speaks_of(block: bytes, element: Element) -> bool:
    name = (element.name or "").encode()
    return bool(name) and re.search(rb"\b" + re.escape(name) + rb"\b", block) is not None


def run_of(data: bytes, spans: Mapping[str, tuple[int, int]], language: str) -> Series | None:
    """Return the series that names with one and the same sign between them make: `"A B".split()`, `vec!["a", "b"]`."""
    inside = _inside_one(data, spans)
    ordered = inside or sorted((start, end, name) for name, (start, end) in spans.items())
    gaps = {data[one[1] : other[0]].decode() for one, other in pairwise(ordered)}
    signs = {gap.strip() for gap in gaps}
    if len(ordered) < 2 or len(signs) != 1 or not signs <= {",", "|", ""} or (signs == {""} and not inside):
        return None
    separator = signs.pop() or " "
    elements = tuple(Element(start, end, end, start, name) for start, end, name in ordered)
    return Series(data, language, "run", elements[0].start, elements[-1].end, elements, separator, brackets=False)


def _inside_one(data: bytes, spans: Mapping[str, tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The places of names that stand together inside one text, such as a pattern `^(A|B)$`."""
    if len(set(spans.values())) != 1 or len(spans) < 2:
        return []
    start, end = next(iter(spans.values()))
    found = []
    for name in spans:
        match = re.compile(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-])").search(data, start, end)
        if match is None:
            return []
        found.append((*match.span(), name))
    return sorted(found)
