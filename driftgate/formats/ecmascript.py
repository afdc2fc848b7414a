"""What ECMAScript says of text (https://tc39.es/ecma262/): white space, and the values of string literals."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

JS_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `String.prototype.trim` removes (ECMA-262, WhiteSpace and LineTerminator). Python's own set is another one."""

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
