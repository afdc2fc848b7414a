"""Reading TOML, bounded: Python's reader takes quadratic time over keys of many parts, and recurses without a limit."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from driftgate.errors import DriftgateError

_LARGEST: Final = 4 << 20
_MOST_PARTS: Final = 100
_KEY_OF_MANY_PARTS: Final = re.compile(rf"(?:[\w\"'-]{{1,100}}[ \t]*\.[ \t]*){{{_MOST_PARTS}}}")
_MOST_BITS: Final = 64


def load_toml(text: str, *, where: str, error: type[DriftgateError]) -> dict[str, Any]:
    """Return the data of a TOML document.

    Raises `error` for what is not TOML, for more than 4 MiB, for a key of a hundred parts, for numbers of more than 64
    bits, and for what is nested too deep.
    """
    if len(text) > _LARGEST:
        raise _unreadable(error, where, f"more than {_LARGEST >> 20} MiB")
    if match := _KEY_OF_MANY_PARTS.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise _unreadable(error, f"{where}:{line}", f"a key of more than {_MOST_PARTS} parts")
    try:
        data = tomllib.loads(text)
        _check_numbers(data)
    except RecursionError:
        raise _unreadable(error, where, "it is nested too deep") from None
    except ValueError as problem:
        raise _unreadable(error, where, str(problem)) from problem
    return data


def _unreadable(error: type[DriftgateError], where: str, found: str) -> DriftgateError:
    return error("not readable as TOML", where=where, found=found)


def _check_numbers(value: Any) -> None:
    if isinstance(value, int):
        if value.bit_length() > _MOST_BITS:  # Python refuses to print numbers of thousands of digits
            raise ValueError(f"a number of more than {_MOST_BITS} bits")
    elif isinstance(value, dict):
        for each in value.values():
            _check_numbers(each)
    elif isinstance(value, list):
        for each in value:
            _check_numbers(each)
