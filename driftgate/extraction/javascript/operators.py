"""The operators of JavaScript on plain values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Function,
    Record,
    Schema,
    SetOf,
    Unknown,
    Value,
    is_plain,
    truth,
    written,
)
from driftgate.surface import Place

_ON_NUMBERS: Final[Mapping[str, Callable[[float, float], Value]]] = MappingProxyType(
    {
        "-": operator.sub,
        "*": operator.mul,
        "**": operator.pow,
        "/": lambda a, b: a / b if b else Unknown("a division by zero"),
        "%": lambda a, b: a - b * int(a / b) if b else Unknown("a division by zero"),
        "<": operator.lt,
        ">": operator.gt,
        "<=": operator.le,
        ">=": operator.ge,
        "<<": lambda a, b: int(a) << int(b),
        ">>": lambda a, b: int(a) >> int(b),
        "|": lambda a, b: int(a) | int(b),
        "&": lambda a, b: int(a) & int(b),
    }
)
_ON_TEXTS: Final[Mapping[str, Callable[[str, str], Value]]] = MappingProxyType(
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
)
_SAME: Final = frozenset({"===", "=="})
_DIFFERENT: Final = frozenset({"!==", "!="})


def binary(sign: str, left: Value, right: Value, place: Place) -> Value:
    """Return `left sign right`; Unknown where it is not known."""
    for value in (left, right):
        if isinstance(value, Unknown):
            return value
    if sign in _SAME | _DIFFERENT:
        same = _same(sign, left, right)
        return Unknown(f"whether `{sign}` holds is not known", place) if same is None else same is (sign in _SAME)
    if sign == "+" and (isinstance(left, str) or isinstance(right, str)) and is_plain(left) and is_plain(right):
        return _text(left) + _text(right)
    if _is_number(left) and _is_number(right):
        if sign == "+":
            return left + right  # type: ignore[operator]
        if sign in _ON_NUMBERS:
            return _ON_NUMBERS[sign](left, right)  # type: ignore[arg-type]
    if isinstance(left, str) and isinstance(right, str) and sign in _ON_TEXTS:
        return _ON_TEXTS[sign](left, right)
    return Unknown(f"`{sign}` of these values is not understood", place)


def unary(sign: str, value: Value, place: Place) -> Value:
    """Return `sign value`; Unknown where it is not known."""
    if isinstance(value, Unknown):
        return value
    match sign:
        case "!" if (known := truth(value)) is not None:
            return not known
        case "-" if _is_number(value):
            return -value  # type: ignore[operator]
        case "+" if _is_number(value):
            return value
        case "typeof" if (kind := _type_of(value)) is not None:
            return kind
        case _:
            return Unknown(f"`{sign}` of this value is not understood", place)


def _type_of(value: Value) -> str | None:
    match value:
        case str():
            return "string"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case _ if value is UNDEFINED:
            return "undefined"
        case None | tuple() | Record() | SetOf() | Schema():
            return "object"
        case Function():
            return "function"
        case _:
            return None


def _same(sign: str, left: Value, right: Value) -> bool | None:
    if not is_plain(left) or not is_plain(right):
        # An object is never the same as a plain value; whether two objects are the same one is not followed.
        return False if is_plain(left) != is_plain(right) and len(sign) > 2 else _loose_null(left, right)
    if len(sign) == 2 and {left, right} <= {None, UNDEFINED}:
        return True
    if (
        len(sign) == 2
        and type(left) is not type(right)
        and None not in (left, right)
        and UNDEFINED not in (left, right)
    ):
        return None
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _loose_null(left: Value, right: Value) -> bool | None:
    nothing = (None, UNDEFINED)
    plain = left if is_plain(left) else right
    return False if is_plain(left) != is_plain(right) and plain in nothing else None


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else written(value)
