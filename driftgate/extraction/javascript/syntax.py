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
"""One ESTree node: its kind is `.type`, its children are attributes."""

MAX_SLICE: Final = 256 * 1024
"""The largest slice that is parsed, in bytes: the parser is pure Python, and no schema comes near this size."""


_RECURSION: Final = 20_000
"""The parser recurses some twenty frames for each level of nesting; Python's usual limit ends within a schema."""


class JsError(ValueError):
    """A slice is not an expression that can be parsed."""


def parse(source: bytes) -> Node:
    """Parse one JavaScript expression (a function or class counts as one) and return its node.

    Raises JsError where the slice is too large or is no expression.
    """
    # Imported here, because reading a snapshot or a `.d.ts` needs no parser and should not pay for one. TID251: this
    # is the one place where the parser comes in, so that another one could take its place.
    import esprima  # noqa: TID251

    if len(source) > MAX_SLICE:
        raise JsError(f"the slice is {len(source)} bytes long; at most {MAX_SLICE} are parsed")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        program = esprima.parseScript(f"({source.decode()})")
    except (esprima.Error, UnicodeDecodeError, RecursionError) as error:
        raise JsError(str(error)) from error
    finally:
        sys.setrecursionlimit(limit)
    (statement, *rest) = program.body
    if rest or statement.type != "ExpressionStatement":
        raise JsError("the slice is no single expression")
    return statement.expression


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all that it contains."""
    pending = [node]
    while pending:
        each = pending.pop()
        yield each
        for child in vars(each).values():
            if isinstance(child, list):
                pending += [item for item in child if hasattr(item, "type")]
            elif hasattr(child, "type"):
                pending.append(child)
