"""Kind words of field tables ("seconds?", "text", "string") in upstream's words.

The contract's own words come from `kinds.KINDS`; the plain ones are what the languages and schemas call their types.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from driftgate.declared.values import Shape, Text
from driftgate.kinds import KINDS
from driftgate.surface import Place

PLAIN: Final = MappingProxyType(
    {
        "string": "string",
        "str": "string",
        "number": "number",
        "float": "number",
        "int": "number",
        "integer": "number",
        "boolean": "boolean",
        "bool": "boolean",
        "unknown": "unknown",
        "any": "unknown",
    }
)


def word_shape(word: str, place: Place, *, required: bool = True, carried: bool = True) -> Shape:
    """Return the shape that a kind word stands for; a trailing "?" makes it optional."""
    optional = word.endswith("?")
    base = word.removesuffix("?")
    needed = required and not optional
    if base in KINDS:
        kind = KINDS[base]
        members = None if kind.values is None else tuple(Text(value, place) for value in kind.values)
        return Shape(kind.upstream, place, needed, members, kind.constraints, carried)
    return Shape(PLAIN.get(base.lower(), base), place, needed, carried=carried)


def is_word(word: str) -> bool:
    """Return whether `word` is a kind word, with or without the mark of an optional field."""
    base = word.removesuffix("?")
    return base in KINDS or base.lower() in PLAIN


def array_of(kind: str) -> str:
    """Return the kind of a list of `kind`."""
    return f"array<{kind}>"


def record_of(kinds: Sequence[str]) -> str:
    """Return the kind of a mapping; its values are unknown where the source does not say."""
    key, value = (*kinds, "unknown", "unknown")[:2] if kinds else ("string", "unknown")
    return f"record<{key if key != 'unknown' else 'string'},{value}>"
