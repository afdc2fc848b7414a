"""JSON values: their kinds in words, and copying and comparing without recursion, so that depth is never a limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

CONTAINERS: Final = (dict, list)

_KIND_WORDS: Final = (
    (bool, "a boolean"),
    (str, "a string"),
    (dict, "an object"),
    (list, "an array"),
    (int, "a number"),
    (float, "a number"),
)


def kind_word(value: Any) -> str:
    """Return the kind of a JSON value, with its article: "an array"."""
    return next((word for kind, word in _KIND_WORDS if isinstance(value, kind)), "null")


def holds_scalars(values: Iterable[Any]) -> bool:
    """Return whether there is no object and no list among `values`."""
    for value in values:  # noqa: SIM110 - twice as fast as `all` over a generator
        if isinstance(value, CONTAINERS):
            return False
    return True


def flat_copy(value: dict[Any, Any]) -> dict[Any, Any] | None:
    """Return a copy of `value` if all that it holds is scalars, else None."""
    for item in value.values():
        if isinstance(item, CONTAINERS):
            return None
    return dict(value)


def copy_value(value: Any) -> Any:
    """Return a copy of `value` that shares no list or dict with it; all else (strings, numbers) is shared.

    Depth does not matter, and a list or dict that is reached twice (or from inside itself) is copied once.
    """
    if not isinstance(value, CONTAINERS):
        return value
    if holds_scalars(value.values() if isinstance(value, dict) else value):
        return dict(value) if isinstance(value, dict) else list(value)
    copies: dict[int, Any] = {}
    waiting: list[tuple[Any, Any]] = []

    def begun(original: Any) -> Any:
        if not isinstance(original, CONTAINERS):
            return original
        copy = copies.get(id(original))
        if copy is None:
            copy = copies[id(original)] = {} if isinstance(original, dict) else []
            waiting.append((original, copy))
        return copy

    result = begun(value)
    while waiting:
        original, copy = waiting.pop()
        if isinstance(original, dict):
            for key, item in original.items():
                copy[key] = begun(item)
        else:
            copy.extend([begun(item) for item in original])
    return result


def same_value(left: Any, right: Any) -> bool:
    """Return whether two JSON values are equal, as `==` would, at any depth."""
    waiting = [(left, right)]
    compared: set[tuple[int, int]] = set()
    while waiting:
        a, b = waiting.pop()
        if a is b or (id(a), id(b)) in compared:
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            compared.add((id(a), id(b)))
            waiting.extend((item, b[key]) for key, item in a.items())
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            compared.add((id(a), id(b)))
            waiting.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True
