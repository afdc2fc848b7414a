"""JSON data from elsewhere: bounded, and every fault of it is a ValueError."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_MOST_VALUES: Final = 3_000_000
"""A value takes some 60 to 120 bytes of memory, however short it is written."""


def parse_data(text: bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError: not JSON, nested too deep, too many values."""
    if sum(map(text.count, (b",", b"[", b"{", b":"))) > _MOST_VALUES:
        raise ValueError(f"it holds more than {_MOST_VALUES} values")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def data_object(text: bytes) -> Mapping[str, Any]:
    """Return the object that a JSON text is; an empty one where it is none, or no JSON."""
    try:
        value = parse_data(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
