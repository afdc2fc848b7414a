"""Kind words of field tables ("seconds?", "text", "string") in upstream's words.

The contract's own words come from `kinds.KINDS`; the plain ones are what the languages and schemas call their types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from driftgate.classifier.kinds import KINDS
from driftgate.declared.values import Shape, Text
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


# Patterns, compiled (by re, once) where one is used: plain words need neither.
_WITH_PARTS: Final = r"(?:array|record)<[\w, ]+>|enum\((?P<members>[^()]+)\)"
_CONSTRAINT: Final = r"positive|url|min\(\d+\)|catch\(.*\)|coerced|transform"


def word_shape(word: str, place: Place, *, required: bool = True, carried: bool = True) -> Shape:
    """Return the shape that a kind word stands for; a trailing "?" makes it optional.

    Besides single words there are upstream's kinds ("enum(a|b)", "array<string>"), and constraints may follow:
    "number & positive".
    """
    base, *constraints = word.removesuffix("?").split(" & ")
    needed = required and not word.endswith("?")
    if base in KINDS:
        kind = KINDS[base]
        members = None if kind.values is None else tuple(Text(value, place) for value in kind.values)
        return Shape(kind.upstream, place, needed, members, (*kind.constraints, *constraints), carried)
    enum = re.fullmatch(_WITH_PARTS, base)
    if enum and enum["members"]:
        members = tuple(Text(value, place) for value in enum["members"].split("|"))
        return Shape("enum", place, needed, members, tuple(constraints), carried)
    return Shape(PLAIN.get(base.lower(), base), place, needed, constraints=tuple(constraints), carried=carried)


def is_word(word: str) -> bool:
    """Return whether `word` is a kind word, with or without constraints and the mark of an optional field."""
    base, *constraints = word.removesuffix("?").split(" & ")
    is_kind = base in KINDS or base.lower() in PLAIN or re.fullmatch(_WITH_PARTS, base) is not None
    return is_kind and all(map(is_constraint, constraints))


def is_constraint(word: str) -> bool:
    """Return whether `word` is a constraint, as upstream's fields have them (see `surface.Field`)."""
    return re.fullmatch(_CONSTRAINT, word) is not None


def array_of(kind: str) -> str:
    """Return the kind of a list of `kind`."""
    return f"array<{kind}>"


def record_of(kinds: Sequence[str]) -> str:
    """Return the kind of a mapping; its values are unknown where the source does not say."""
    key, value = (*kinds, "unknown", "unknown")[:2] if kinds else ("string", "unknown")
    return f"record<{key if key != 'unknown' else 'string'},{value}>"
