"""How names are spelled in one another's style."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """Return the words of an identifier in any style: "HookEvent", "HOOK_EVENTS" and "hook-event" have two."""
    return [word.lower() for word in _WORDS.findall(name)]


def restyle(name: str, style: str) -> str:
    """Return a PascalCase `name` in one of serde's styles, exactly as serde does it: each capital begins a word.

    https://serde.rs/container-attrs.html#rename_all. An unknown style leaves the name as it is.
    """
    parts = re.findall(r"[A-Z][^A-Z]*|^[^A-Z]+", name)
    return _STYLES[style](parts) if style in _STYLES and parts else name


def restyle_snake(name: str, style: str) -> str:
    """Return a snake_case `name`, as Rust's fields are, in one of serde's styles."""
    if style in ("lowercase", "snake_case", "UPPERCASE"):
        return name.upper() if style == "UPPERCASE" else name
    return restyle("".join(part.capitalize() for part in name.split("_")), style)


_STYLES: Final[Mapping[str, Callable[[list[str]], str]]] = MappingProxyType(
    {
        "lowercase": lambda parts: "".join(parts).lower(),
        "UPPERCASE": lambda parts: "".join(parts).upper(),
        "PascalCase": "".join,
        "camelCase": lambda parts: parts[0].lower() + "".join(parts[1:]),
        "snake_case": lambda parts: "_".join(parts).lower(),
        "SCREAMING_SNAKE_CASE": lambda parts: "_".join(parts).upper(),
        "kebab-case": lambda parts: "-".join(parts).lower(),
        "SCREAMING-KEBAB-CASE": lambda parts: "-".join(parts).upper(),
    }
)


def snake_case(name: str) -> str:
    """Return `name` in snake case; what has no words (a pointer "/0") stays as it is."""
    return "_".join(words(name)) or name
