"""Whether a value is what JavaScript would take it for: a finite number, a URL, a list of strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, cast

from driftgate.formats.ecmascript import JS_SPACE

BEYOND_DOUBLE: Final = 2**1024 - 2**970
"""The least integer whose nearest double is infinite: half way from the largest double to 2**1024."""

LARGEST_DOUBLE: Final = 1.7976931348623157e308


def is_finite(value: Any) -> bool:
    """Return whether a number is finite as a double; a boolean is no number."""
    # One comparison that NaN, infinities and integers too large for a double all fail.
    return -BEYOND_DOUBLE < value < BEYOND_DOUBLE and value is not True and value is not False


def is_above_zero(value: Any) -> bool:
    """Return whether a number is finite and above 0; a boolean is no number."""
    return 0 < value < BEYOND_DOUBLE and value is not True


_PLAIN_URL: Final = re.compile(r"https?://[a-z]+(\.[a-z]+)*(/[A-Za-z0-9._~/-]*)?")
"""URLs that are known for good without the parser, whose loading takes longer than the rest of an offline check."""


@cache
def _url_parser() -> Callable[[str], bool]:
    from ada_url import URL  # loaded at the first `url` of another form: most documents have none

    return cast("Callable[[str], bool]", URL.can_parse)


def is_url(value: str) -> bool:
    """Return whether the WHATWG URL parser takes a string, space around it aside."""
    if _PLAIN_URL.fullmatch(value):
        return True
    trimmed = value.strip(JS_SPACE)
    if not trimmed.isascii():
        # As JavaScript hands a URL on, in scalar values: surrogates pair up, and a lone one becomes U+FFFD.
        trimmed = trimmed.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _url_parser()(trimmed)


def all_strings(values: Any) -> bool:
    """Return whether each of `values` is a string."""
    for value in values:  # noqa: SIM110 - twice as fast as `all` over a generator
        if not isinstance(value, str):
            return False
    return True
