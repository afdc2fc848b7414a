"""What a value of each field kind must be: its type, a test of the value, and the words for people, in one table.

The kinds are those of `driftgate.classifier.kinds.KINDS`, and "enum(a|b)" for a closed set of a release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, cast

from driftgate.classifier.contract import CONTRACT, HOOK_FAILURE_MODES, Contract
from driftgate.classifier.plain import copy_value

Test: TypeAlias = Callable[[Any], bool]
Copy: TypeAlias = Callable[[Any], Any]

BEYOND_DOUBLE: Final = 2**1024 - 2**970
"""The least integer whose nearest double is infinite: half way from the largest double to 2**1024."""

JS_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `String.prototype.trim` removes (ECMA-262, WhiteSpace and LineTerminator). Python's own set is another one."""


class Kind(NamedTuple):
    """One field kind in one contract.

    A value is of the kind if it is an instance of `types` and passes `test` (None: all do). `expected` says so in
    words; `members` are those of a closed set. `copy` copies a value, None where values cannot change. The values of
    `nested` kinds have keys, so a guard sign may be in them.
    """

    expected: str
    types: type | tuple[type, ...]
    test: Test | None = None
    copy: Copy | None = None
    nested: bool = False
    members: tuple[str, ...] | None = None

    def accepts(self, value: object) -> bool:
        """Return whether `value` is of this kind."""
        return isinstance(value, self.types) and (self.test is None or self.test(value))


def _is_finite(value: Any) -> bool:
    # One comparison that NaN, infinities and integers too large for a double all fail.
    return -BEYOND_DOUBLE < value < BEYOND_DOUBLE and value is not True and value is not False


def _is_above_zero(value: Any) -> bool:
    return 0 < value < BEYOND_DOUBLE and value is not True


_PLAIN_URL: Final = re.compile(r"https?://[a-z]+(\.[a-z]+)*(/[A-Za-z0-9._~/-]*)?")
"""URLs that are known for good without the parser, whose loading takes longer than the rest of an offline check."""


@cache
def _url_parser() -> Test:
    from ada_url import URL  # loaded at the first `url` of another form: most documents have none

    return cast("Test", URL.can_parse)


def _is_url(value: str) -> bool:
    if _PLAIN_URL.fullmatch(value):
        return True
    trimmed = value.strip(JS_SPACE)
    if not trimmed.isascii():
        # As JavaScript hands a URL on, in scalar values: surrogates pair up, and a lone one becomes U+FFFD.
        trimmed = trimmed.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _url_parser()(trimmed)


def _all_strings(values: Any) -> bool:
    for value in values:  # noqa: SIM110 - twice as fast as `all` over a generator
        if not isinstance(value, str):
            return False
    return True


def _one_of(members: tuple[str, ...]) -> Kind:
    return Kind(f"one of {', '.join(members)}", str, frozenset(members).__contains__, members=members)


_FIXED: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "text": Kind("a string that is not empty", str, bool),
        "string": Kind("a string", str),
        "url": Kind("a URL (as the WHATWG URL standard reads it; space around it does not matter)", str, _is_url),
        "boolean": Kind("true or false", bool),
        "seconds": Kind("a finite number above 0 (seconds)", (int, float), _is_above_zero),
        "stringRecord": Kind(
            "an object whose values are strings", dict, lambda value: _all_strings(value.values()), dict, nested=True
        ),
        "stringList": Kind("a list of strings", list, _all_strings, list),
        "record": Kind("an object", dict, copy=copy_value, nested=True),
        "failureMode": _one_of(HOOK_FAILURE_MODES),
        "number": Kind("a finite number", (int, float), _is_finite),
        "any": Kind("any value", object, copy=copy_value, nested=True),
    }
)


def field_kinds(contract: Contract = CONTRACT) -> Mapping[str, Kind]:
    """Return every field kind by name, the closed sets among them as the contract states them."""
    used = {rule.kind for row in contract.fields.values() for rule in row.values()}
    enums = {kind: _one_of(tuple(kind[5:-1].split("|"))) for kind in used if kind.startswith("enum(")}
    return {**_FIXED, **enums, "shell": _one_of(contract.shells)}


def expectation(kind: str, contract: Contract = CONTRACT) -> str:
    """Return in words what a value of `kind` must be, e.g. "a finite number above 0 (seconds)"."""
    return field_kinds(contract)[kind].expected
