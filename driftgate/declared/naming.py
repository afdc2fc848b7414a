"""How names are spelled in one another's style."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """Return the words of an identifier in any style: "HookEvent", "HOOK_EVENTS" and "hook-event" have two."""
    return [word.lower() for word in _WORDS.findall(name)]


def snake_case(name: str) -> str:
    """Return `name` in snake case; what has no words (a pointer "/0") stays as it is."""
    return "_".join(words(name)) or name
