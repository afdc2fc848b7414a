"""The types of zod schemas, as declaration files spell them: `z.ZodOptional<z.ZodEnum<{ A: "A" }>>`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from driftgate.declared.algebra import to_shape
from driftgate.declared.kind_words import array_of
from driftgate.declared.values import Items, Record, Shape, Value
from driftgate.surface import Place

PLAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ZodString": "string",
        "ZodURL": "string",
        "ZodNumber": "number",
        "ZodInt": "number",
        "ZodBoolean": "boolean",
        "ZodUnknown": "unknown",
        "ZodAny": "unknown",
        "ZodNull": "null",
        "ZodUndefined": "undefined",
    }
)
"""Schemas without a type argument, and their kinds."""


def _enum(inner: Value, _: Place) -> Value:
    """Version 4 has an object of literals, version 3 a tuple."""
    if isinstance(inner, Record):
        return Items(tuple(member for _, shape in inner.fields for member in shape.members or ()), inner.place)
    return inner


def _optional(inner: Value, _: Place) -> Value:
    return replace(to_shape(inner), required=False)


def _array(inner: Value, place: Place) -> Value:
    return Shape(array_of(to_shape(inner).kind), place)


def _same(inner: Value, _: Place) -> Value:
    return inner


GENERIC: Final[Mapping[str, Callable[[Value, Place], Value]]] = MappingProxyType(
    {
        "ZodEnum": _enum,
        "ZodNativeEnum": _same,
        "ZodOptional": _optional,
        "ZodDefault": _optional,
        "ZodArray": _array,
        **dict.fromkeys(
            ("ZodObject", "ZodLiteral", "ZodUnion", "ZodNullable", "ZodReadonly", "ZodCatch", "ZodEffects", "ZodType"),
            _same,
        ),
    }
)
"""Schemas with one, and what they make of their first type argument."""
