"""The kinds of fields: one row a kind, with all that driftgate knows of it.

What it is upstream, which values are of it, how it is written in JSON Schema, Python and TypeScript, samples, and the
words for people: the classifier, the readers of releases, the schema, the exports, the samples and the explanations
all read this table, so that a new kind is a new row. (Type checkers need one more line: a kind that the contract uses
has an alias in `contract`, which a test holds to its row.) Described in the docs under "How it decides".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.contract import CONTRACT, HOOK_FAILURE_MODES, HOOK_SHELLS, Contract
from driftgate.classifier.plain import copy_value, kind_word
from driftgate.classifier.predicates import LARGEST_DOUBLE, all_strings, is_above_zero, is_finite, is_url
from driftgate.formats.harmless import quoted
from driftgate.surface import Field

Said: TypeAlias = tuple[str, str]
"""Of a value that is refused: a sentence of its own ("" where there is none better than the usual), what was found."""


def _plainly(value: Any) -> Said:
    return "", kind_word(value)


def _string_that(what: str) -> Callable[[Any], Said]:
    return lambda value: ("", what if isinstance(value, str) else kind_word(value))


def _duration(value: Any) -> Said:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _plainly(value)
    if value > 0:
        return "must be finite; this number is too large", "an infinite number"
    return "must be greater than 0", "a number that is not"


def _container_of(container: type[dict[Any, Any] | list[Any]]) -> Callable[[Any], Said]:
    def said(value: Any) -> Said:
        if not isinstance(value, container):
            return _plainly(value)
        elements: Iterable[Any] = value.values() if isinstance(value, dict) else value
        wrong = next((element for element in elements if not isinstance(element, str)), None)
        return "", f"{kind_word(value)} that holds {kind_word(wrong)}"

    return said


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldKind:
    """One kind of field.

    `upstream` and `constraints` are its words upstream, `values` the members of a closed set. A value is of the kind
    if it is an instance of `types` and passes `test` (None: all do). `copy` copies a value, None where values cannot
    change; the values of `nested` kinds have keys, so a guard sign may be in them. `expected` says in words what a
    value must be, `said` what one that is refused is. `good` is a value of the kind, `bad` one of another, `outside`
    one of the right type all the same, where there is one.
    """

    upstream: str
    constraints: tuple[str, ...] = ()
    values: tuple[str, ...] | None = None
    types: type | tuple[type, ...]
    test: Callable[[Any], bool] | None = None
    copy: Callable[[Any], Any] | None = None
    nested: bool = False
    schema: Mapping[str, Any]
    python: str
    typescript: str
    good: Any
    bad: Any = "text"
    outside: tuple[Any, ...] = ()
    expected: str
    said: Callable[[Any], Said] = field(default=_plainly)

    def accepts(self, value: object) -> bool:
        """Return whether `value` is of this kind."""
        return isinstance(value, self.types) and (self.test is None or self.test(value))


def closed_set(values: tuple[str, ...]) -> FieldKind:
    """Return the kind of a field that takes one of `values`."""
    return FieldKind(
        upstream="enum",
        values=values,
        types=str,
        test=frozenset(values).__contains__,
        schema={"enum": list(values)},
        python=f"Literal[{', '.join(map(quoted, values))}]",
        typescript=" | ".join(map(json.dumps, values)),
        good=values[0] if values else "text",
        bad="none-of-these",
        expected=f"one of {', '.join(values)}",
        said=_string_that("another string"),
    )


# What may stand before a URL's scheme (space around it is cut off) and in it (tabs and line breaks are taken out):
# nothing that the WHATWG parser takes fails this. Only escapes that all regular expression engines read alike.
_URL_PATTERN: Final = (
    r"^[\u0000-\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"
    r"[A-Za-z][A-Za-z0-9+.\t\n\r\-]*:"
)

_STRING: Final = FieldKind(
    upstream="string",
    types=str,
    schema={"type": "string"},
    python="str",
    typescript="string",
    good="text",
    bad=0,
    expected="a string",
)
_NUMBER: Final = FieldKind(
    upstream="number",
    types=(int, float),
    test=is_finite,
    schema={"type": "number", "minimum": -LARGEST_DOUBLE, "maximum": LARGEST_DOUBLE},
    python="float",
    typescript="number",
    good=1,
    expected="a finite number",
)

_ROWS: Final[dict[str, FieldKind]] = {
    "text": replace(
        _STRING,
        constraints=("min(1)",),
        test=bool,
        schema={"type": "string", "minLength": 1},
        outside=("",),
        expected="a string that is not empty",
        said=_string_that("an empty string"),
    ),
    "string": _STRING,
    "url": replace(
        _STRING,
        constraints=("url",),
        test=is_url,
        schema={"type": "string", "pattern": _URL_PATTERN},
        good="https://example.com/",
        outside=("no-url",),
        expected="a URL (as the WHATWG URL standard reads it; space around it does not matter)",
        said=_string_that("a string that is no URL"),
    ),
    "shell": closed_set(HOOK_SHELLS),
    "boolean": FieldKind(
        upstream="boolean",
        types=bool,
        schema={"type": "boolean"},
        python="bool",
        typescript="boolean",
        good=True,
        expected="true or false",
    ),
    "seconds": replace(
        _NUMBER,
        constraints=("positive",),
        test=is_above_zero,
        schema={"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST_DOUBLE},
        outside=(0,),
        expected="a finite number above 0 (seconds)",
        said=_duration,
    ),
    "stringRecord": FieldKind(
        upstream="record<string,string>",
        types=dict,
        test=lambda value: all_strings(value.values()),
        copy=dict,
        nested=True,
        schema={"type": "object", "additionalProperties": {"type": "string"}},
        python="dict[str, str]",
        typescript="Record<string, string>",
        good={"name": "text"},
        expected="an object whose values are strings",
        said=_container_of(dict),
    ),
    "stringList": FieldKind(
        upstream="array<string>",
        types=list,
        test=all_strings,
        copy=list,
        schema={"type": "array", "items": {"type": "string"}},
        python="list[str]",
        typescript="string[]",
        good=["text"],
        expected="a list of strings",
        said=_container_of(list),
    ),
    "record": FieldKind(
        upstream="record<string,unknown>",
        types=dict,
        copy=copy_value,
        nested=True,
        schema={"type": "object"},
        python="dict[str, Any]",
        typescript="Record<string, unknown>",
        good={"name": "text"},
        expected="an object",
    ),
    "failureMode": closed_set(HOOK_FAILURE_MODES),
    "number": _NUMBER,
    "any": FieldKind(
        upstream="any",
        types=object,
        copy=copy_value,
        nested=True,
        schema={},
        python="Any",
        typescript="unknown",
        good="text",
        expected="any value",
    ),
}

KINDS: Final[Mapping[str, FieldKind]] = MappingProxyType(_ROWS)
"""Every kind by its name here. `number` and `any` occur in releases only, not in this package's contract."""

LENIENT: Final = re.compile(r"catch\(|coerced\Z")
"""Constraints that make upstream take any value of the field."""

INERT: Final = "transform"
"""The constraint that changes what a field is in memory, and not which values it takes."""

_CLOSED: Final = re.compile(r"enum\((.*)\)", re.DOTALL)


def field_kinds(contract: Contract = CONTRACT) -> Mapping[str, FieldKind]:
    """Return every kind by name, the closed sets among them as the contract states them ("enum(a|b)" for its own)."""
    used = {rule.kind for row in contract.fields.values() for rule in row.values()}
    own = {kind: closed_set(tuple(found[1].split("|"))) for kind in used if (found := _CLOSED.fullmatch(kind))}
    return {**KINDS, **own, "shell": closed_set(contract.shells)}


def kind_named(name: str, contract: Contract = CONTRACT) -> FieldKind:
    """Return the kind called `name` in `contract`. Raises KeyError where there is none."""
    return field_kinds(contract)[name]


def name_of_kind(stated: Field) -> str:
    """Return the kind that takes the values that `stated` takes: of `KINDS`, or "enum(a|b)" for other closed sets.

    "any" where upstream takes every value, and where it states a kind that driftgate has no word for: a probe then
    measures less, and never something false.
    """
    if any(map(LENIENT.match, stated.constraints)):
        return "any"
    constraints = set(stated.constraints) - {INERT}
    for name, kind in KINDS.items():
        same_values = kind.values is None or set(kind.values) == set(stated.values or ())
        if kind.upstream == stated.kind and set(kind.constraints) == constraints and same_values:
            return name
    return f"enum({'|'.join(stated.values)})" if stated.values else "any"


def kind_stated(stated: Field) -> FieldKind | None:
    """Return the kind of `stated` without its constraints, None where driftgate has no word for it."""
    if stated.kind == "enum" or stated.values:
        return closed_set(stated.values or ())
    rows = (kind for kind in KINDS.values() if kind.values is None and not kind.constraints)
    return next((kind for kind in rows if kind.upstream == stated.kind), None)


def constrained_kind(stated: Field, constraint: str) -> FieldKind | None:
    """Return the kind of `stated` with `constraint` alone, None where driftgate has no word for it."""
    rows = (kind for kind in KINDS.values() if kind.upstream == stated.kind)
    return next((kind for kind in rows if kind.constraints == (constraint,)), None)
