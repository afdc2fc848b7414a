"""The one importer of esprima: small slices of JavaScript in, syntax trees out.

A bundle is never parsed whole: it is megabytes long, and from 2.1.139 on it holds `using` declarations, which the
parser does not know. What is parsed is one expression that was cut out of it. Node types are those of ESTree
(https://github.com/estree/estree).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Node: TypeAlias = Any
"""One ESTree node: its kind is `.type`, its children are attributes; `.range` counts characters, from 1 in a slice."""

MAX_SLICE: Final = 256 * 1024
"""The largest slice that is parsed, in bytes: the parser is pure Python, and no schema comes near this size."""


_RECURSION: Final = 20_000
"""The parser recurses some twenty frames for each level of nesting; Python's usual limit ends within a schema."""


class JsError(ValueError):
    """A slice is not an expression that can be parsed."""


def parse(source: bytes) -> Node:
    """Parse one JavaScript expression (a function or class counts as one) and return its node. Raises JsError."""
    (statement, *rest) = _parsed(b"(" + source + b"\n)", len(source)).body
    if rest or statement.type != "ExpressionStatement":
        raise JsError("the slice is no single expression")
    return statement.expression


def parse_statements(source: bytes) -> list[Node]:
    """Parse whole statements. Raises JsError."""
    return list(_parsed(source, len(source)).body)


def _parsed(text: bytes, length: int) -> Node:
    # Imported here: every command loads this package, and a classifier or an offline check never parses. The message
    # above is the one place where the parser comes in, so that another one could take its place.
    import esprima  # noqa: TID251

    if length > MAX_SLICE:
        raise JsError(f"the slice is {length} bytes long; at most {MAX_SLICE} are parsed")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        return esprima.parseScript(text.decode(), {"range": True, "tolerant": False})
    except (esprima.Error, UnicodeDecodeError, RecursionError) as error:
        raise JsError(str(error)) from error
    finally:
        sys.setrecursionlimit(limit)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all that it contains."""
    pending = [node]
    while pending:
        each = pending.pop()
        yield each
        pending += children(each)


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below a node, in the order of its attributes."""
    for child in vars(node).values():
        if isinstance(child, list):
            yield from (item for item in child if hasattr(item, "type") and hasattr(item, "range"))
        elif hasattr(child, "type") and hasattr(child, "range"):
            yield child
