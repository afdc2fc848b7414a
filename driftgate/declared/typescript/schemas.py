"""Other schema libraries than zod, as closed sets: which function of which module lists names, and where.

effect (https://effect.website/docs/schema), valibot, TypeBox, arktype, io-ts, joi, yup, superstruct. A call of one of
their functions that is not in the table is named as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.declared.algebra import alternatives, iterate
from driftgate.declared.typescript.scope import Scope
from driftgate.declared.values import Entries, Enumeration, Items, Opaque, Record, Text, Value
from driftgate.surface import Place

Values = tuple[Value, ...]


def _names(values: Values, place: Place) -> Value:
    """The arguments are the names, or hold them."""
    return Items(tuple(part for value in values for part in alternatives(value)), place)


def _listed(values: Values, place: Place) -> Value:
    """The first argument is a list of names, or of schemas."""
    if not values:
        return Opaque("a schema of nothing", place)
    return Items(tuple(part for value in iterate(values[0]) for part in alternatives(value)), place)


def _keys(values: Values, place: Place) -> Value:
    match values:
        case (Entries(entries=entries), *_):
            return Items(tuple(key for key, _ in entries), place)
        case (Record(fields=fields), *_):
            return Items(tuple(key for key, _ in fields), place)
        case _:
            return Opaque("the keys of no object", place)


def _values(values: Values, place: Place) -> Value:
    match values:
        case (Entries(entries=pairs) | Enumeration(entries=pairs), *_):
            return Items(tuple(value for _, value in pairs), place)
        case _:
            return Opaque("an enumeration of no object", place)


def _written(values: Values, place: Place) -> Value:
    """`type("'A' | 'B'")` of arktype."""
    if len(values) == 1 and isinstance(values[0], Text):
        parts = [part.strip() for part in values[0].value.split("|")]
        if all(re.fullmatch(r"'[^']*'|\"[^\"]*\"", part) for part in parts):
            return Items(tuple(Text(part[1:-1], values[0].place) for part in parts), place)
    return Opaque("a type that is written as text", place)


_FUNCTIONS: Final[Mapping[tuple[str, str], Callable[[Values, Place], Value]]] = MappingProxyType(
    {
        ("effect", "Literal"): _names,
        ("effect", "Literals"): _listed,
        ("effect", "Union"): _names,
        ("effect", "Enums"): _values,
        ("effect", "Enum"): _values,
        ("@effect/schema", "Literal"): _names,
        ("@effect/schema", "Union"): _names,
        ("@effect/schema", "Enums"): _values,
        ("valibot", "picklist"): _listed,
        ("valibot", "literal"): _names,
        ("valibot", "union"): _listed,
        ("valibot", "enum"): _values,
        ("valibot", "enum_"): _values,
        ("@sinclair/typebox", "Literal"): _names,
        ("@sinclair/typebox", "Union"): _listed,
        ("@sinclair/typebox", "Enum"): _values,
        ("typebox", "Literal"): _names,
        ("typebox", "Union"): _listed,
        ("typebox", "Enum"): _listed,
        ("arktype", "enumerated"): _names,
        ("arktype", "type"): _written,
        ("io-ts", "keyof"): _keys,
        ("io-ts", "literal"): _names,
        ("io-ts", "union"): _listed,
        ("superstruct", "enums"): _listed,
        ("runtypes", "Literal"): _names,
        ("runtypes", "Union"): _names,
        ("joi", "valid"): _names,
        ("joi", "equal"): _names,
        ("yup", "oneOf"): _listed,
    }
)
"""(package, function) -> what its arguments state."""

PACKAGES: Final = frozenset(package for package, _ in _FUNCTIONS)


def package_of(root: str, scope: Scope) -> str | None:
    """Return the package of the table that the name `root` is imported from."""
    found = scope.find(root)
    imported = found[1][0].imported if found else None
    if imported is None:
        return None
    module = imported[0]
    return next((package for package in PACKAGES if module == package or module.startswith(package + "/")), None)


def schema(package: str, function: str, values: Values, place: Place) -> Value:
    """Return the set that a call of a library's function states."""
    handler = _FUNCTIONS.get((package, function))
    return (
        handler(values, place) if handler else Opaque(f"a call of {function}() of {package}, which is not read", place)
    )
