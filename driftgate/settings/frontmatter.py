"""The frontmatter of a skill, an agent or a command: the YAML between two lines of hyphens, at the head of Markdown."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, Final

from driftgate.errors import UsageError
from driftgate.formats.yaml import load_yaml
from driftgate.releases import FileKind

_BLOCK: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
_STATES_HOOKS: Final = re.compile(r"^[\"']?hooks[\"']?[ \t]*:", re.MULTILINE)


MARKDOWN: Final = frozenset({FileKind.FRONTMATTER, FileKind.PLUGIN_SKILL})
"""The kinds of files that are Markdown."""


def mentions_hooks(data: bytes) -> bool:
    """Return whether the frontmatter of a Markdown file says anything of hooks, as far as its text tells."""
    block = _BLOCK.match(data.decode("utf-8", "replace"))
    return block is not None and _STATES_HOOKS.search(block[1]) is not None


def frontmatter_of(text: str, where: str) -> dict[str, Any] | None:
    """Return the frontmatter of `text`, None where there is none or it says nothing of hooks.

    Raises UsageError where it speaks of hooks and is not YAML.
    """
    block = _BLOCK.match(text)
    if block is None or not _STATES_HOOKS.search(block[1]):
        return None
    data = load_yaml(block[1], where=where, error=UsageError)
    return _plain(data) if isinstance(data, dict) and "hooks" in data else None


def _plain(value: Any) -> Any:
    """Return `value` as JSON has it: keys are strings, and dates are text."""
    if isinstance(value, dict):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return str(value) if isinstance(value, dt.date | dt.time) else value
