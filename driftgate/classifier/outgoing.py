"""Coordinates that may leave the process.

A key that is not a word of the contract is the user's text: an event name that does not exist, a setting, or a secret
that was pasted into the wrong place. Known words and indices pass. Any other segment leaves shortened and marked, as
`<pre...>`: at most a quarter of it and at most three characters, so nothing at all of a name shorter than four. With
`reveal` (for local use) it is shown. In both modes nothing leaves that a terminal would obey: control, format and
unassigned characters are written as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.formats.harmless import neutral

ConfigPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices that lead from the document to a value; () is the document."""

STRUCTURE: Final = ("hooks", "matcher", "type")
"""The keys that give a hooks document its shape; all others are in the contract."""

_SHOWN_CHARACTERS: Final = 3
_SHOWN_SHARE: Final = 4
_INDEX_LIMIT: Final = 2**31
_IDENTIFIER: Final = r"[A-Za-z_$][A-Za-z0-9_$]*"


def outgoing_path(
    path: Sequence[object], contract: Contract = CONTRACT, *, reveal: bool = False
) -> tuple[str | int, ...]:
    """Return `path` as it may leave the process: see the module for what passes, and in what form.

    Total: a segment that JSON cannot produce leaves as the name of its type, e.g. `<float>`.
    """
    known = _known_words(contract)
    return tuple(_outgoing_segment(segment, known, reveal=reveal) for segment in path)


def render_path(
    path: Sequence[object], field: str | None = None, *, contract: Contract = CONTRACT, reveal: bool = False
) -> str:
    """Return `path` (raw, as the classifier gives it) as outgoing text, e.g. `hooks.Stop[0].hooks[1].timeout`.

    A name that is not an identifier is quoted: `hooks["pre-commit"]`. A shortened one is not: `hooks.<pre...>`.
    `field` is a contract field of the piece at `path`. The empty path is `document`.
    """
    known = _known_words(contract)
    segments = path if field is None else (*path, field)
    text = "".join(_rendered_segment(segment, known, reveal=reveal) for segment in segments)
    return text.removeprefix(".") or "document"


@lru_cache(maxsize=32)
def _known_words(contract: Contract) -> frozenset[str]:
    fields = (name for row in contract.fields.values() for name in row)
    vocabulary = (*contract.events, *contract.entry_types, *contract.shells, *contract.guard_events)
    return frozenset((*STRUCTURE, *vocabulary, *fields))


def _is_index(segment: object) -> bool:
    return isinstance(segment, int) and not isinstance(segment, bool) and 0 <= segment < _INDEX_LIMIT


def _outgoing_segment(segment: object, known: frozenset[str], *, reveal: bool) -> str | int:
    if isinstance(segment, str):
        if segment in known:
            return segment
        return neutral(segment) if reveal else _shortened(segment)
    if isinstance(segment, int) and _is_index(segment):
        return segment
    return f"<{type(segment).__name__}>"


def _rendered_segment(segment: object, known: frozenset[str], *, reveal: bool) -> str:
    if isinstance(segment, str) and (reveal or segment in known):
        if re.fullmatch(_IDENTIFIER, segment):
            return f".{segment}"
        escaped = segment.replace("\\", "\\\\").replace('"', '\\"')
        return f'["{neutral(escaped)}"]'
    outgoing = _outgoing_segment(segment, known, reveal=reveal)
    return f"[{outgoing}]" if isinstance(outgoing, int) else f".{outgoing}"


def _shortened(segment: str) -> str:
    return f"<{neutral(segment[: min(_SHOWN_CHARACTERS, len(segment) // _SHOWN_SHARE)])}...>"
