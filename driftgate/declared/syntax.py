"""Syntax trees of the languages that are read with tree-sitter. The only importer of it; loaded when first needed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from driftgate.declared.source import Source
from driftgate.errors import DeclaredError
from driftgate.surface import Place, Span

LONGEST: Final = 10
"""Seconds after which a file is no longer parsed."""

_CHUNK: Final = 1 << 16

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar of tree-sitter: its module, and the function in it that gives the language.

    `extra` is the extra of driftgate that brings it, if it is not always there.
    """

    module: str
    function: str = "language"
    extra: str = ""

    @property
    def package(self) -> str:
        """The package that holds it."""
        return self.module.replace("_", "-")


@cache
def _parser(grammar: Grammar) -> Parser:
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(grammar.module), grammar.function)()))
    except ImportError as e:
        raise DeclaredError(
            f"the grammar {grammar.package} is not installed",
            expected=grammar.package,
            next=f"pip install 'driftgate[{grammar.extra}]'" if grammar.extra else f"pip install {grammar.package}",
        ) from e


def parse(source: Source, grammar: Grammar) -> Node:
    """Return the root of the syntax tree; what is no valid syntax stands in it as an error node.

    Raises:
        DeclaredError: parsing takes longer than `LONGEST` seconds: hostile text costs some grammars quadratic time.
    """
    data = source.text.encode()
    end = time.monotonic() + LONGEST

    def chunk(offset: int, _: object) -> bytes:
        return data[offset : offset + _CHUNK]

    def is_late(_: int, __: bool) -> bool:
        return time.monotonic() > end

    try:
        return _parser(grammar).parse(chunk, progress_callback=is_late).root_node
    except ValueError as e:
        _parser.cache_clear()  # a parser that was stopped would go on where it was
        raise DeclaredError(
            f"{source.shown} takes too long to be parsed",
            where=source.shown,
            expected=f"a source file that is parsed within {LONGEST} seconds",
            next="point to a smaller file in which the set is written by hand",
        ) from e


def parse_bytes(data: bytes, grammar: Grammar) -> Node:
    """Return the root of the syntax tree of UTF-8 text, as `parse` does."""
    return _parser(grammar).parse(data).root_node


def text_of(node: Node | None) -> str:
    """Return the source text of `node`."""
    return (node.text or b"").decode() if node else ""


def place_of(node: Node, source: Source) -> Place:
    """Return where `node` begins."""
    row, column = node.start_point
    return source.place(row + 1, column, Span(node.start_byte, node.end_byte, node.type))


def children(node: Node | None, *types: str) -> Iterator[Node]:
    """Yield the named children of `node`, those of `types` only where any are given; comments never."""
    for child in node.named_children if node else ():
        if child.type not in ("comment", "line_comment", "block_comment") and (not types or child.type in types):
            yield child


def first(node: Node | None, *types: str) -> Node | None:
    """Return the first of `children`."""
    return next(children(node, *types), None)


def broken(node: Node) -> bool:
    """Return whether the text of `node` is no valid syntax somewhere.

    The grammar of Zig reads `struct {}` as one with a field whose name is missing; that is no fault.
    """
    if node.is_error or node.is_missing:
        return not (node.parent and node.parent.type == "container_field")
    return node.has_error and any(broken(child) for child in node.children)


def every(node: Node, kind: str) -> Iterator[Node]:
    """Yield all nodes of `kind` at or under `node`, in the order of the source."""
    if node.type == kind:
        yield node
    for child in node.named_children:
        yield from every(child, kind)


def within(node: Node | None, kind: str) -> Node | None:
    """Return the first node of `kind` at or under `node`, in the order of the source."""
    if node is None or node.type == kind:
        return node
    for child in node.named_children:
        if found := within(child, kind):
            return found
    return None
