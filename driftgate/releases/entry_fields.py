"""The fields of a release's hook entries, as its surface states them: which values it takes, and as what they load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.kinds import INERT, FieldKind, constrained_kind, kind_stated
from driftgate.classifier.plain import copy_value
from driftgate.classifier.predicates import LARGEST_DOUBLE
from driftgate.formats.ecmascript import JS_SPACE
from driftgate.releases.eras import ReaderPolicy, UrlForm
from driftgate.surface import Field

Predicate: TypeAlias = Callable[[Any], bool]
Load: TypeAlias = Callable[[Any], Any]


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
    fallback = _fallback(field)
    inert = (INERT,) if fallback is None else field.constraints
    kinds = {
        field.kind: kind_stated(field),
        **{word: constrained_kind(field, word) for word in field.constraints if word not in inert},
    }
    checks = tuple(_check(kind, policy) for kind in kinds.values() if kind is not None)
    if fallback is not None:
        return ReadField(
            field.name,
            field.required,
            lambda _: True,
            lambda value: value if all(check(value) for check in checks) else fallback,
        )
    return ReadField(
        field.name,
        field.required,
        lambda value: all(check(value) for check in checks),
        _loader(field, policy),
        tuple(word for word, kind in kinds.items() if kind is None),
    )


def _check(kind: FieldKind, policy: ReaderPolicy) -> Predicate:
    if kind.upstream == "number" and policy.infinite_numbers:
        return lambda value: kind.accepts(_finite(value))
    if kind.upstream.startswith("record<") and policy.skips_proto:
        return lambda value: kind.accepts(_without_proto(value))
    return kind.accepts


def _finite(value: Any) -> Any:
    """Return the largest number in place of one that is infinite, for the readers to which that is a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return max(-LARGEST_DOUBLE, min(value, LARGEST_DOUBLE))


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
