"""What can be wrong with a text that should be JSON: the kinds, what each means, and how to write it right.

The grammar is RFC 8259 as ECMAScript's `JSON.parse` reads it, which is what the settings reader upstream calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class FaultKind(StrEnum):
    """The first thing in a text that JSON does not allow."""

    COMMENT = "comment"
    NAN = "nan"
    INFINITY = "infinity"
    TRAILING_COMMA = "trailing-comma"
    MISSING_COMMA = "missing-comma"
    MISSING_VALUE = "missing-value"
    MISSING_COLON = "missing-colon"
    SINGLE_QUOTE = "single-quote"
    TYPOGRAPHIC_QUOTE = "typographic-quote"
    UNQUOTED_KEY = "unquoted-key"
    KEY_NOT_STRING = "key-not-string"
    BARE_WORD = "bare-word"
    NUMBER = "number"
    CONTROL_CHARACTER = "control-character"
    ESCAPE = "escape"
    UNICODE_ESCAPE = "unicode-escape"
    UNTERMINATED_STRING = "unterminated-string"
    OTHER_SPACE = "other-space"
    WRONG_BRACKET = "wrong-bracket"
    EXTRA_TEXT = "extra-text"
    UNEXPECTED_CHARACTER = "unexpected-character"
    UNEXPECTED_END = "unexpected-end"


@dataclass(frozen=True, slots=True)
class FaultFacts:
    """A kind in words: `found` is a noun, `expected` says what JSON has there, `fix` how to write it right."""

    found: str
    expected: str
    fix: str


FAULTS: Final[Mapping[FaultKind, FaultFacts]] = MappingProxyType(
    {
        FaultKind.COMMENT: FaultFacts("comment", "JSON has no comments", "delete the comment"),
        FaultKind.NAN: FaultFacts("NaN", "a finite number", "write a number, or leave the key out"),
        FaultKind.INFINITY: FaultFacts("Infinity", "a finite number", "write a number, or leave the key out"),
        FaultKind.TRAILING_COMMA: FaultFacts(
            "trailing comma", "no comma after the last member", "delete the comma before the closing bracket"
        ),
        FaultKind.MISSING_COMMA: FaultFacts(
            "missing comma", "a comma between two members", "put a comma before this place"
        ),
        FaultKind.MISSING_VALUE: FaultFacts("missing value", "a value", "write the value, or delete the comma or key"),
        FaultKind.MISSING_COLON: FaultFacts("missing colon", "a colon after the key", 'write "key": value'),
        FaultKind.SINGLE_QUOTE: FaultFacts("single-quoted string", "double quotes", 'write "text"'),
        FaultKind.TYPOGRAPHIC_QUOTE: FaultFacts("typographic quotes", "straight double quotes", 'write "text"'),
        FaultKind.UNQUOTED_KEY: FaultFacts("unquoted key", "a key in double quotes", 'write "key": value'),
        FaultKind.KEY_NOT_STRING: FaultFacts(
            "key that is not a string", "a key in double quotes", 'write "key": value'
        ),
        FaultKind.BARE_WORD: FaultFacts(
            "bare word", "a string in double quotes, true, false or null", 'write "text", or true, false or null'
        ),
        FaultKind.NUMBER: FaultFacts(
            "malformed number",
            "decimal digits without leading zero or plus, with digits on both sides of a point",
            "write it like 5, -5, 0.5 or 5e3",
        ),
        FaultKind.CONTROL_CHARACTER: FaultFacts(
            "control character in a string",
            "line breaks and tabs as escapes",
            "write \\n for a line break, \\t for a tab",
        ),
        FaultKind.ESCAPE: FaultFacts(
            "unknown escape", 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX', "write \\\\ for a backslash"
        ),
        FaultKind.UNICODE_ESCAPE: FaultFacts(
            "malformed \\u escape", "\\u and four hexadecimal digits", "write \\\\ for a backslash"
        ),
        FaultKind.UNTERMINATED_STRING: FaultFacts(
            "unterminated string", "a closing double quote", "close the string with a double quote"
        ),
        FaultKind.OTHER_SPACE: FaultFacts(
            "space character that JSON does not know", "space, tab or line break", "replace it by a plain space"
        ),
        FaultKind.WRONG_BRACKET: FaultFacts(
            "wrong closing bracket", "} for an object, ] for an array", "close what was opened last"
        ),
        FaultKind.EXTRA_TEXT: FaultFacts("text after the document", "the end of the text", "keep one document a file"),
        FaultKind.UNEXPECTED_CHARACTER: FaultFacts("unexpected character", "a JSON value", "delete it"),
        FaultKind.UNEXPECTED_END: FaultFacts(
            "unexpected end of the text", "every object, array and string closed", "restore what was cut off"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at a place of the text, counted in characters from 0 (a byte order mark is not counted)."""

    kind: FaultKind
    at: int

    @property
    def facts(self) -> FaultFacts:
        """What the kind means, in words."""
        return FAULTS[self.kind]


class Wanted(StrEnum):
    """What a reader was looking for when it met something else."""

    VALUE = "value"
    KEY = "key"
    COLON = "colon"
    NEXT = "next"
    END = "end"


def _table(*rows: tuple[str, FaultKind]) -> tuple[tuple[re.Pattern[str], FaultKind], ...]:
    return tuple((re.compile(pattern), kind) for pattern, kind in rows)


_ANYWHERE: Final = _table(
    (r"\Z", FaultKind.UNEXPECTED_END),
    (r"//|/\*|#|<!--", FaultKind.COMMENT),
    (r"[\x0b\x0c\x85\xa0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]", FaultKind.OTHER_SPACE),
)
_VALUE_START: Final = r"""["{\[0-9'-]|\b(?:true|false|null)\b"""
_BY_WANTED: Final = MappingProxyType(
    {
        Wanted.VALUE: _table(
            (r"NaN\b", FaultKind.NAN),
            (r"[-+]?Infinity\b", FaultKind.INFINITY),
            (r"'|`", FaultKind.SINGLE_QUOTE),
            (r"[“”„‘’‚«»]", FaultKind.TYPOGRAPHIC_QUOTE),
            (r"[-+.]|[0-9]", FaultKind.NUMBER),
            (r"[,}\]]", FaultKind.MISSING_VALUE),
            (r"\w|\$", FaultKind.BARE_WORD),
        ),
        Wanted.KEY: _table(
            (r"'|`", FaultKind.SINGLE_QUOTE),
            (r"[“”„‘’‚«»]", FaultKind.TYPOGRAPHIC_QUOTE),
            (r"[0-9{\[]|-[0-9]|(?:true|false|null)\b", FaultKind.KEY_NOT_STRING),
            (r"\w|\$", FaultKind.UNQUOTED_KEY),
            (r",", FaultKind.MISSING_VALUE),
            (r"\]", FaultKind.WRONG_BRACKET),
        ),
        Wanted.COLON: _table((r"", FaultKind.MISSING_COLON)),
        Wanted.NEXT: _table((r"[}\]]", FaultKind.WRONG_BRACKET), (_VALUE_START, FaultKind.MISSING_COMMA)),
        Wanted.END: _table((r"", FaultKind.EXTRA_TEXT)),
    }
)


def fault_at(text: str, at: int, wanted: Wanted) -> Fault:
    """Name what stands at `at`, where a reader that wanted something else had to stop."""
    for pattern, kind in (*_ANYWHERE, *_BY_WANTED[wanted]):
        if pattern.match(text, at):
            return Fault(kind, at)
    return Fault(FaultKind.UNEXPECTED_CHARACTER, at)
