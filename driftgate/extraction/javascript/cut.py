"""Cutting JavaScript by bytes: where does this expression, function or class end?

A lexer for the few things that can hide a bracket: strings, templates, comments and regular expressions. Offsets are
byte offsets; all that is looked for is ASCII, so UTF-8 text needs no decoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from driftgate.extraction.javascript.syntax import MAX_SLICE

_STOP: Final = re.compile(rb"""["'`/()\[\]{},;]""")
_STRINGS: Final = {
    b'"': re.compile(rb'"(?:[^"\\\n]|\\.)*"', re.DOTALL),
    b"'": re.compile(rb"'(?:[^'\\\n]|\\.)*'", re.DOTALL),
}
_REGEX: Final = re.compile(rb"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_REGEX: Final = re.compile(rb"(?:^|[(,=:\[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*\Z")
_TEMPLATE_STOP: Final = re.compile(rb"\\.|`|\$\{", re.DOTALL)
_IDENTIFIER: Final = re.compile(rb"[\w$\x80-\xff]")


CODE: Final = b""
SKIPPED: Final = b"\0"


class CutError(ValueError):
    """The text ends, or the limit is reached, before the construct does."""


def end_of_brackets(text: bytes, start: int) -> int:
    """Return the offset behind the bracket that closes the one at `start`."""
    depth = 0
    for offset, mark in marks(text, start):
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth == 0:
                return offset + 1
    raise CutError("a bracket that never closes")


def end_of_expression(text: bytes, start: int) -> int:
    """Return the offset behind the expression that begins at `start`: at a comma, a semicolon or a closing bracket."""
    depth = 0
    for offset, mark in marks(text, start):
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth < 0:
                return offset
        elif depth == 0:
            return offset
    raise CutError("an expression that never ends")


def end_of_body(text: bytes, start: int) -> int:
    """Return the offset behind the function or class whose keyword stands at `start`."""
    depth = 0
    for offset, mark in marks(text, start):
        if mark == b"{" and depth == 0:
            return end_of_brackets(text, offset)
        depth += (mark in b"([{") - (mark in b")]}")
        if depth < 0 or mark == b";":
            break
    raise CutError("a function or class without a body")


def occurrences(text: bytes, name: bytes) -> Iterator[int]:
    """Yield the offsets at which `name` stands as a whole identifier, not as a part of one and not as a property."""
    offset = text.find(name)
    while offset >= 0:
        before = text[max(0, offset - 3) : offset]
        in_word = before[-1:] == b"#" or _IDENTIFIER.match(before[-1:]) or _IDENTIFIER.match(text, offset + len(name))
        if not in_word and (before == b"..." or not before.endswith(b".")):
            yield offset
        offset = text.find(name, offset + 1)


def marks(text: bytes, start: int, length: int = MAX_SLICE, *, gaps: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, mark) of each bracket, comma and semicolon that is code, from `start` on.

    With `gaps`, (offset, CODE) is yielded besides where code ends, and (offset, SKIPPED) behind what is none: strings,
    comments. Raises CutError.
    """
    offset = start
    limit = min(len(text), start + length)
    while (found := _STOP.search(text, offset, limit)) is not None:
        offset = found.start()
        mark = found[0]
        if gaps:
            yield offset, CODE
        if mark in _STRINGS:
            offset = _end_of(_STRINGS[mark].match(text, offset), "string")
        elif mark == b"`":
            offset = _end_of_template(text, offset)
        elif mark == b"/":
            offset = _behind_slash(text, offset)
        else:
            yield offset, mark
            offset += 1
            continue
        if gaps:
            yield offset, SKIPPED
    if gaps:
        yield limit, CODE


def _end_of(match: re.Match[bytes] | None, what: str) -> int:
    if match is None:
        raise CutError(f"a {what} that never ends")
    return match.end()


def _end_of_template(text: bytes, start: int) -> int:
    offset = start + 1
    while (found := _TEMPLATE_STOP.search(text, offset)) is not None:
        if found[0] == b"`":
            return found.end()
        offset = end_of_brackets(text, found.end() - 1) if found[0] == b"${" else found.end()
    raise CutError("a template that never ends")


def _behind_slash(text: bytes, offset: int) -> int:
    following = text[offset + 1 : offset + 2]
    if following == b"*":
        end = text.find(b"*/", offset + 2)
        if end < 0:
            raise CutError("a comment that never ends")
        return end + 2
    if following == b"/":
        end = text.find(b"\n", offset)
        return end if end >= 0 else len(text)
    if _BEFORE_REGEX.search(text, max(0, offset - 12), offset):
        return _end_of(_REGEX.match(text, offset), "regular expression")
    return offset + 1
