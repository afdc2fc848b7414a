"""A settings text as upstream reads it: bytes to text to value, with every oddity noted and every place findable."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NoReturn

from driftgate.formats.ecmascript import JS_SPACE
from driftgate.formats.json.faults import Fault
from driftgate.formats.json.scanner import Node, Path, Scan, integer, scan

BOM: Final = "\ufeff"
REPLACEMENT: Final = "\ufffd"
_BLOCK: Final = 4096
_ESCAPED: Final = re.compile("[\udc80-\udcff]+")
_LINE_BREAK: Final = re.compile(r"\r\n|\n|\r")


class _NeedsScan(Exception):  # noqa: N818
    """The fast scanner met something that only the slow one can tell."""


def _needs_scan(_: str) -> NoReturn:
    raise _NeedsScan


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NeedsScan
    return members


_FAST: Final = JSONDecoder(object_pairs_hook=_object, parse_constant=_needs_scan, parse_int=integer)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for people: line and column count from 1 (columns in characters), `byte` from 0 in the file."""

    line: int
    column: int
    byte: int


@dataclass(frozen=True, slots=True)
class Location:
    """Where a value stands, and its key where it has one."""

    value: Spot
    key: Spot | None


@dataclass(frozen=True, slots=True)
class BadBytes:
    """A run of bytes that are not UTF-8: the first one's offset in the file, and how many; `at` counts characters."""

    byte: int
    length: int
    at: int
    characters: int


@dataclass(frozen=True, slots=True, eq=False)
class Duplicate:
    """A member that a later member of the same object and key replaced; `kept` is the place of the last one's key."""

    key: Spot
    kept: Spot
    _node: Node

    @property
    def path(self) -> Path:
        """The path that both have. Built on demand: a hostile text has as many duplicates as it is deep."""
        return self._node.path()


@dataclass(frozen=True, eq=False)
class JsonText:
    """A text and what `JSON.parse` makes of it.

    `text` is without its byte order mark (`bom`); bytes that are not UTF-8 are U+FFFD in it, as in JavaScript, and
    listed in `bad_bytes`. `blank`: nothing is left after trimming (`fault` is then set too, for JSON has no empty
    text). `value` is the document, None also when there is a `fault`. Numbers: an integer that a double cannot hold
    may be an int or infinite; a fraction or exponent gives a float.
    """

    text: str = field(repr=False)
    size: int
    bom: bool
    bad_bytes: tuple[BadBytes, ...]
    value: Any = field(repr=False)
    fault: Fault | None
    _eager: Scan | None = field(default=None, repr=False)

    @property
    def blank(self) -> bool:
        """Whether nothing but white space is there."""
        return not self.text.strip(JS_SPACE)

    @cached_property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Every member that is not read because its key comes again, in the order in which the later ones stand."""
        return tuple(self._duplicate(node) for node in (self._eager.shadowed if self._eager else ()))

    @cached_property
    def depth(self) -> int:
        """How many objects and arrays the deepest value stands in; 0 for a scalar."""
        deepest, level = 0, _containers([self.value])
        while level:
            deepest += 1
            level = _containers([child for value in level for child in _children(value)])
        return deepest

    def locate(self, path: Sequence[str | int]) -> Location | None:
        """Find the value at `path`; None where the document has none (or is no JSON)."""
        node = self._scan.root
        for name in path:
            members = node.members if node else None
            if isinstance(members, dict) and isinstance(name, str):
                node = members.get(name)
            elif isinstance(members, list) and isinstance(name, int) and 0 <= name < len(members):
                node = members[name]
            else:
                return None
        if node is None:
            return None
        return Location(self.spot(node.at), None if node.key_at is None else self.spot(node.key_at))

    def spot(self, at: int) -> Spot:
        """Turn an offset in characters into a place for people."""
        line = bisect_right(self._line_starts, at)
        return Spot(line, at - self._line_starts[line - 1] + 1, self._byte(at))

    def _byte(self, at: int) -> int:
        mark = len(BOM.encode()) if self.bom else 0
        if self.text.isascii():
            return mark + at
        block = at // _BLOCK
        before = self._block_bytes[block] + _length(self.text[block * _BLOCK : at])
        bad, surplus = self._bad_surplus
        return mark + before - surplus[bisect_left(bad, at)]

    @cached_property
    def _block_bytes(self) -> list[int]:
        """How many bytes of UTF-8 stand before each block of the text, so that no place costs the whole text."""
        blocks = range(0, len(self.text), _BLOCK)
        return list(accumulate((_length(self.text[at : at + _BLOCK]) for at in blocks), initial=0))

    @cached_property
    def _bad_surplus(self) -> tuple[list[int], list[int]]:
        """Where runs of bad bytes start, and how many bytes more U+FFFD takes than all runs before (and at the end)."""
        each = (run.characters * _length(REPLACEMENT) - run.length for run in self.bad_bytes)
        return [run.at for run in self.bad_bytes], list(accumulate(each, initial=0))

    @cached_property
    def _scan(self) -> Scan:
        return self._eager or scan(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]

    def _duplicate(self, node: Node) -> Duplicate:
        kept = node
        if node.parent and isinstance(node.parent.members, dict):
            kept = node.parent.members[str(node.name)]
        return Duplicate(self.spot(node.key_at or 0), self.spot(kept.key_at or 0), node)


def read_json_text(data: bytes | str) -> JsonText:
    """Read a text as `JSON.parse` does, after the decoding and the byte order mark that go before it. Never raises."""
    text, bad = (data, ()) if isinstance(data, str) else _decode(data)
    size = len(data) if isinstance(data, bytes) else _length(data)
    bom = text.startswith(BOM)
    text = text[len(BOM) :] if bom else text
    try:
        return JsonText(text, size, bom, _without_mark(bad, bom=bom), _FAST.decode(text), None)
    except (_NeedsScan, JSONDecodeError, RecursionError):
        scanned = scan(text)
        return JsonText(text, size, bom, _without_mark(bad, bom=bom), scanned.value, scanned.fault, scanned)


def _length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _decode(data: bytes) -> tuple[str, tuple[BadBytes, ...]]:
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), tuple(_bad_bytes(data))


def _bad_bytes(data: bytes) -> list[BadBytes]:
    """Find the runs of undecodable bytes: they are single surrogates in a text that was decoded so as to keep them."""
    escaped = data.decode("utf-8", "surrogateescape")
    found, end, byte, at = [], 0, 0, 0
    for run in _ESCAPED.finditer(escaped):
        raw = run.group().encode("utf-8", "surrogateescape")
        between = escaped[end : run.start()]
        byte, at, end = byte + len(between.encode()), at + len(between), run.end()
        characters = len(raw.decode("utf-8", "replace"))
        found.append(BadBytes(byte, len(raw), at, characters))
        byte, at = byte + len(raw), at + characters
    return found


def _without_mark(bad: tuple[BadBytes, ...], *, bom: bool) -> tuple[BadBytes, ...]:
    """Count characters as the text without its mark does."""
    return tuple(BadBytes(run.byte, run.length, run.at - 1, run.characters) for run in bad) if bom else bad


def _containers(values: list[Any]) -> list[dict[str, Any] | list[Any]]:
    return [value for value in values if isinstance(value, (dict, list))]


def _children(value: dict[str, Any] | list[Any]) -> Sequence[Any]:
    return list(value.values()) if isinstance(value, dict) else value
