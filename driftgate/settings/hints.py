"""Did you mean: the known word behind a near miss of an event, a type or a field.

A name is cut into words (`pre-tool-call`, `PreToolCall`), words that mean the same are made one, and what is left must
be equal to a known name or a slip of the finger away. A name with more in it (`_PreToolUse_DISABLED`) is no near miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

SYNONYMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "before": "pre",
        "after": "post",
        "call": "use",
        "execute": "use",
        "execution": "use",
        "failed": "failure",
        "error": "failure",
        "begin": "start",
        "started": "start",
        "ended": "end",
        "stopped": "stop",
        "submitted": "submit",
        "compaction": "compact",
        "changed": "change",
        "agent": "subagent",
    }
)
"""Words that are used for one another in event names."""

_FILLERS: Final = frozenset({"on", "hook", "hooks", "event"})

TYPE_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bash": "command",
        "cmd": "command",
        "exec": "command",
        "script": "command",
        "shell": "command",
        "llm": "prompt",
        "subagent": "agent",
        "https": "http",
        "url": "http",
        "webhook": "http",
        "mcp": "mcp_tool",
        "tool": "mcp_tool",
    }
)
"""Names that people give to an entry type."""

FIELD_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "timeout_ms": "timeout",
        "timeoutMs": "timeout",
        "timeout_sec": "timeout",
        "timeoutSec": "timeout",
        "timeout_seconds": "timeout",
        "timeoutSeconds": "timeout",
        "max_time": "timeout",
        "background": "async",
        "run_in_background": "async",
        "cmd": "command",
        "exec": "command",
        "run": "command",
        "script": "command",
        "arguments": "args",
        "argv": "args",
        "uri": "url",
        "endpoint": "url",
        "header": "headers",
        "params": "input",
        "condition": "if",
        "status": "statusMessage",
        "status_message": "statusMessage",
        "on_failure": "onFailure",
        "onError": "onFailure",
    }
)
"""Names that people give to a field. They are words of ours, so they may be shown whole."""

_NOTE: Final = re.compile(r"[_$#/]|comment|note|description|disabled|todo", re.IGNORECASE)


def near_event(name: str, events: Iterable[str]) -> str | None:
    """Return the event that `name` was meant to be, or None where none is near."""
    return _nearest(name, events, {})


def near_type(name: str, types: Iterable[str]) -> str | None:
    """Return the entry type that `name` was meant to be, or None."""
    return _nearest(name, types, TYPE_WORDS)


def near_field(name: str, fields: Iterable[str]) -> str | None:
    """Return the field that `name` was meant to be, among the fields that the entry can have, or None."""
    return _nearest(name, fields, FIELD_WORDS)


def near_key(name: str, key: str) -> bool:
    """Return whether `name` is a slip of `key`."""
    return name != key and len(name) <= len(key) + 1 and _slips(name.lower(), key) <= 1


def is_note(name: str) -> bool:
    """Return whether `name` looks like a note that someone keeps as a key."""
    return _NOTE.match(name) is not None or name.lower().endswith(("disabled", "_off", "_old", "_bak"))


def _nearest(name: str, known: Iterable[str], words: Mapping[str, str]) -> str | None:
    known = tuple(known)
    meant = words.get(name) or words.get(name.lower())
    if meant in known:
        return meant
    if len(name) > 2 * max(map(len, known), default=0):
        return None
    near = [(_distance(name, word), word) for word in known]
    return min(((slips, word) for slips, word in near if slips <= _allowed(word)), default=(0, None))[1]


def _distance(name: str, known: str) -> int:
    """Return how many slips lie between two names, as they are or with words that mean the same made one."""
    pairs = [(_spelling(name, words), _spelling(known, words)) for words in ({}, SYNONYMS)]
    return min(_slips(one, other) if one else len(other) for one, other in pairs)


def _spelling(name: str, synonyms: Mapping[str, str]) -> str:
    words = [word.lower() for word in _WORD.findall(name)]
    return "".join(synonyms.get(word, word) for word in words if word not in _FILLERS)


def _allowed(word: str) -> int:
    """How many slips a word of this length may have and still be told."""
    return (len(word) >= 4) + (len(word) >= 8)


def _slips(one: str, other: str) -> int:
    """Count insertions, deletions, replacements and swaps of neighbours that make one word of the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one):
        earlier, before, row = before, row, [i + 1]
        for j, right in enumerate(other):
            cost = min(before[j + 1] + 1, row[j] + 1, before[j] + (left != right))
            if i and j and left == other[j - 1] and one[i - 1] == right:
                cost = min(cost, earlier[j - 1] + 1)
            row.append(cost)
    return row[-1]
