"""The fields of a release's hook entries, as its surface states them: which values it takes, and as what they load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import isinf
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.plain import copy_value
from driftgate.classifier.predicates import BEYOND_DOUBLE, JS_SPACE, field_kinds
from driftgate.releases.eras import ReaderPolicy, UrlForm
from driftgate.surface import Field

Predicate: TypeAlias = Callable[[Any], bool]
Load: TypeAlias = Callable[[Any], Any]


def _is_number(value: Any, *, infinite: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return infinite or not (isinf(value) if isinstance(value, float) else abs(value) >= BEYOND_DOUBLE)


_OURS: Final = field_kinds()
_KINDS: Final[Mapping[str, Predicate]] = MappingProxyType(
    {
        "string": _OURS["string"].accepts,
        "boolean": _OURS["boolean"].accepts,
        "array<string>": _OURS["stringList"].accepts,
        "record<string,string>": _OURS["stringRecord"].accepts,
        "record<string,unknown>": _OURS["record"].accepts,
        "any": lambda _: True,
    }
)
_CONSTRAINTS: Final[Mapping[str, Predicate]] = MappingProxyType(
    {"positive": lambda value: value > 0, "min(1)": _OURS["text"].accepts, "url": _OURS["url"].accepts}
)
_NO_CHECK: Final = frozenset({"transform"})
"""Constraints that change what a field is in memory and not which values it takes."""

_CATCH: Final = "catch("
_COERCED: Final = "coerced"


@dataclass(frozen=True, slots=True)
class ReadField:
    """One field, ready to read: `accepts` says whether a value that is there may be, `load` what becomes of it.

    `unchecked` are the words of the surface that driftgate knows no check for.
    """

    name: str
    required: bool
    accepts: Predicate
    load: Load
    unchecked: tuple[str, ...] = ()


def read_field(field: Field, policy: ReaderPolicy) -> ReadField:
    """Return how the reader of `policy` reads `field`."""
    checks = tuple(_checks(field, policy))
    fallback = _fallback(field)
    if fallback is not None:
        return ReadField(
            field.name,
            field.required,
            lambda _: True,
            lambda value: value if all(check(value) for check in checks) else fallback,
        )
    known = {*_KINDS, "number", "enum"}
    unchecked = (
        *(() if field.kind in known else (field.kind,)),
        *(word for word in field.constraints if word not in _CONSTRAINTS and word not in _NO_CHECK),
    )
    return ReadField(
        field.name,
        field.required,
        lambda value: all(check(value) for check in checks),
        _loader(field, policy),
        unchecked,
    )


def _checks(field: Field, policy: ReaderPolicy) -> Iterator[Predicate]:
    if field.kind == "number":
        yield partial(_is_number, infinite=policy.infinite_numbers)
    elif field.kind == "enum":
        members = frozenset(field.values or ())
        yield lambda value: isinstance(value, str) and value in members
    elif field.kind.startswith("record<") and policy.skips_proto:
        yield lambda value: _KINDS[field.kind](_without_proto(value))
    elif field.kind in _KINDS:
        yield _KINDS[field.kind]
    yield from (_CONSTRAINTS[word] for word in field.constraints if word in _CONSTRAINTS)


def _fallback(field: Field) -> str | None:
    """Return what a value that the field does not know loads as, where that is so."""
    for word in field.constraints:
        if word.startswith(_CATCH):
            return word.removeprefix(_CATCH).rstrip(")").strip("\"'")
        if word == _COERCED and field.values:
            return field.values[-1]
    return None


def _loader(field: Field, policy: ReaderPolicy) -> Load:
    if "url" in field.constraints:
        return _URL_LOADERS[policy.url_form]
    if field.kind.startswith("record<") and policy.skips_proto:
        return lambda value: copy_value(_without_proto(value))
    return copy_value


def _without_proto(value: Any) -> Any:
    if isinstance(value, dict) and "__proto__" in value:
        return {key: member for key, member in value.items() if key != "__proto__"}
    return value


def _trimmed(url: str) -> str:
    return url.strip(JS_SPACE)


def _normalised(url: str) -> str:
    from ada_url import URL

    return str(URL(_trimmed(url)).href)


_URL_LOADERS: Final[Mapping[UrlForm, Load]] = MappingProxyType(
    {UrlForm.AS_WRITTEN: str, UrlForm.TRIMMED: _trimmed, UrlForm.NORMALISED: _normalised}
)
