"""Coordinates and the user's own words, as they may be shown."""

from __future__ import annotations

import re
from typing import Final

from driftgate.classifier.outgoing import ConfigPath, outgoing_path, render_path
from driftgate.releases.plugin_manifest import MANIFEST_KEYS
from driftgate.settings.hints import FIELD_WORDS
from driftgate.settings.known import is_public
from driftgate.settings.pieces import Words

_CAMEL: Final = re.compile(r"(?:[A-Z][a-z]+)+")
_KEYS: Final = MANIFEST_KEYS | {"$schema", "modules", "surface", "disableAllHooks"}
"""Keys of Claude Code's files besides the contract's words."""

_LONGEST: Final = 24
_ENDS: Final = 8


def coordinate(path: ConfigPath, *, reveal: bool) -> str:
    """Return `path` as text: `hooks.Stop[0].hooks[1].timeout`. A very long one is cut in the middle."""
    if len(path) > _LONGEST:
        head, tail = path[:_ENDS], path[-_ENDS:]
        between = len(path) - 2 * _ENDS
        return f"{coordinate(head, reveal=reveal)} ({between} levels) {coordinate(tail, reveal=reveal)}"
    parts = [render_path((segment,), reveal=reveal or _is_shown(segment)) for segment in path]
    text = "".join(part if part.startswith("[") else f".{part}" for part in parts)
    return text.removeprefix(".") or "document"


def _is_shown(segment: str | int) -> bool:
    """Return whether a segment that may be no word of the contract is shown whole: it is ours, or upstream's."""
    if not isinstance(segment, str):
        return False
    return segment in _KEYS or segment in FIELD_WORDS or (_CAMEL.fullmatch(segment) is not None and is_public(segment))


def shown_path(path: ConfigPath, *, reveal: bool) -> list[str | int]:
    """Return `path` as data, with the same words hidden; at most the outermost levels."""
    return [
        segment if _is_shown(segment) else outgoing_path((segment,), reveal=reveal)[0] for segment in path[:_LONGEST]
    ]


def sentence(words: Words, *, reveal: bool) -> str:
    """Return what `words` say, with the user's own word as it may be shown."""
    if words.name is None:
        return words.says
    return words.says.replace("{name}", str(outgoing_path((words.name,), reveal=reveal or _is_shown(words.name))[0]))
