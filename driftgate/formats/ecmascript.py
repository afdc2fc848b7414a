"""The values of JavaScript string literals (https://tc39.es/ecma262/#sec-literals-string-literals)."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\n)|(.))", re.DOTALL)
_SIMPLE: Final = MappingProxyType({"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"})


def unescape(body: str) -> str:
    """Return the value of a string literal whose text between the quotes is `body`."""
    return _ESCAPE.sub(_replace, body) if "\\" in body else body


def _replace(match: re.Match[str]) -> str:
    braced, four, two, newline, simple = match.groups()
    if digits := braced or four or two:
        return chr(min(int(digits, 16), 0x10FFFF))
    return "" if newline else _SIMPLE.get(simple, simple)
