"""Read JSON with every position: slower than the standard library's scanner, and without its limits.

No recursion, so nesting costs memory only; every key and value is indexed; every duplicate key is noted. It accepts
what `JSON.parse` accepts and nothing else.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from driftgate.formats.json.faults import Fault, FaultKind, Wanted, fault_at

Path: TypeAlias = tuple[str | int, ...]

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_SCALAR: Final = re.compile(
    r"(?P<number>-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-]))"
    r"|(?P<word>(?:true|false|null)(?![\w$]))"
)
_STRING: Final = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+')
"""The opening quote and all that may follow it up to the closing one."""
_WORDS: Final = {"true": True, "false": False, "null": None}
_LONGEST_INTEGER: Final = 400
"""Digits from which on an integer is read as a double, as JavaScript does with all: it is infinite from 310 on."""


@dataclass(slots=True, eq=False)
class Node:
    """The place of one value: where it starts, where its key starts, and its members by key or index.

    Offsets count characters of the text from 0; `key_at` is None for the root and for the elements of an array.
    """

    at: int
    parent: Node | None
    name: str | int | None = None
    key_at: int | None = None
    members: dict[str, Node] | list[Node] | None = None

    def path(self) -> Path:
        """Return the keys and indices that lead here from the root."""
        names: list[str | int] = []
        node: Node | None = self
        while node is not None and node.name is not None:
            names.append(node.name)
            node = node.parent
        return tuple(reversed(names))


@dataclass(slots=True, eq=False)
class Scan:
    """What was read: the value and its root node, the members that a later one of the same key replaced, the fault."""

    value: Any = None
    root: Node | None = None
    shadowed: list[Node] = field(default_factory=list)
    fault: Fault | None = None


class _Stop(Exception):  # noqa: N818
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def integer(digits: str) -> int | float:
    """Read an integer as JavaScript would, short of rounding it: negative zero stays, a huge one is infinite."""
    if digits == "-0":
        return -0.0
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def scan(text: str) -> Scan:
    """Read `text` to its end, or to the first fault."""
    result = Scan()
    try:
        _read(text, result)
    except _Stop as stop:
        result.value, result.root, result.fault = None, None, stop.fault
    return result


def _read(text: str, result: Scan) -> None:
    at = _skip(text, 0)
    root = node = Node(at, None)
    open_values: list[Any] = []
    while True:
        value, at = _value(text, at)
        if open_values:
            _attach(open_values[-1], node, value)
        else:
            result.value = value
        if isinstance(value, (dict, list)):
            node.members = type(value)()
            open_values.append(value)
            parent, first = node, True
            at = _skip(text, at)
        else:
            parent, first = node.parent or node, False
        while open_values:
            more, at = _next(text, at, open_values[-1], first=first)
            if more:
                break
            open_values.pop()
            parent, first = parent.parent or parent, False
        if not open_values:
            break
        node, at = _member(text, at, parent, result.shadowed)
    at = _skip(text, at)
    if at != len(text):
        raise _Stop(fault_at(text, at, Wanted.END))
    result.root = root


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] > " ":  # most often there is no white space
        return at
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> tuple[Any, int]:
    """Read a scalar whole, or the opening bracket of a container."""
    start = text[at : at + 1]
    if start == '"':
        return _string(text, at)
    if start == "{":
        return {}, at + 1
    if start == "[":
        return [], at + 1
    match = _SCALAR.match(text, at)
    if match is None:
        raise _Stop(fault_at(text, at, Wanted.VALUE))
    if match["word"]:
        return _WORDS[match["word"]], match.end()
    return float(match["number"]) if match["fraction"] else integer(match["number"]), match.end()


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    end = match.end() if match else at
    match text[end : end + 2]:
        case "" | "\\":
            raise _Stop(Fault(FaultKind.UNTERMINATED_STRING, at))
        case "\\u":
            raise _Stop(Fault(FaultKind.UNICODE_ESCAPE, end))
        case rest if rest[0] == "\\":
            raise _Stop(Fault(FaultKind.ESCAPE, end))
        case rest if rest[0] != '"':
            raise _Stop(Fault(FaultKind.CONTROL_CHARACTER, end))
    literal = text[at : end + 1]
    return (str(json.loads(literal)) if "\\" in literal else literal[1:-1]), end + 1


def _next(text: str, at: int, container: dict[str, Any] | list[Any], *, first: bool) -> tuple[bool, int]:
    """Say whether the container goes on (then: where its next member starts) or ends (then: where it has ended)."""
    closing = "}" if isinstance(container, dict) else "]"
    at = _skip(text, at)
    char = text[at : at + 1]
    if char == closing:
        return False, at + 1
    if first:
        return True, at
    if char != ",":
        raise _Stop(fault_at(text, at, Wanted.NEXT))
    after = _skip(text, at + 1)
    if text[after : after + 1] == closing:
        raise _Stop(Fault(FaultKind.TRAILING_COMMA, at))
    return True, after


def _member(text: str, at: int, parent: Node, shadowed: list[Node]) -> tuple[Node, int]:
    """Read what stands before a member's value, and index the place of the value."""
    members = parent.members
    if isinstance(members, list):
        node = Node(at, parent, len(members))
        members.append(node)
        return node, at
    if text[at : at + 1] != '"':
        raise _Stop(fault_at(text, at, Wanted.KEY))
    key, end = _string(text, at)
    end = _skip(text, end)
    if text[end : end + 1] != ":":
        raise _Stop(fault_at(text, end, Wanted.COLON))
    end = _skip(text, end + 1)
    node = Node(end, parent, key, at)
    if members is not None:
        if key in members:
            shadowed.append(members[key])
        members[key] = node
    return node, end


def _attach(container: dict[str, Any] | list[Any], node: Node, value: Any) -> None:
    if isinstance(container, dict):
        container[str(node.name)] = value
    else:
        container.append(value)
