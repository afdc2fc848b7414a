"""Scripts that a hook's command names by the folder of its plugin or project: whether they are there, and can be run.

A command whose script is gone fails quietly: a guard that cannot start lets every call pass.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from driftgate.classifier.outgoing import ConfigPath
from driftgate.settings.codes import CautionCode

PLUGIN_ROOT: Final = "CLAUDE_PLUGIN_ROOT"
PROJECT_DIR: Final = "CLAUDE_PROJECT_DIR"

_NAMED: Final = re.compile(r"\$\{?(CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR)\}?/([^$*?\[\]{}]+)")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")


def script_faults(hooks: Any, folders: dict[str, Path]) -> Iterator[tuple[ConfigPath, CautionCode, str]]:
    """Yield each script of `hooks` (what loads) that is not there or not to be run: coordinate, code, and its path.

    `folders` are those that the variables stand for, as far as they are known. The coordinate is that of the command.
    """
    for event, matchers in (hooks or {}).items():
        for index, matcher in enumerate(matchers):
            for position, entry in enumerate(matcher["hooks"]):
                if entry.get("type") == "command":
                    path = ("hooks", event, index, "hooks", position, "command")
                    for code, name in _faults(entry, folders):
                        yield path, code, name


def _faults(entry: dict[str, Any], folders: dict[str, Path]) -> Iterator[tuple[CautionCode, str]]:
    for at, word in enumerate(_words(entry)):
        named = _NAMED.fullmatch(word)
        folder = folders.get(named[1]) if named else None
        if named is None or folder is None:
            continue
        file = folder / named[2]
        if not file.exists():
            yield CautionCode.SCRIPT_MISSING, named[2]
        elif at == 0 and file.is_file() and os.name == "posix" and not os.access(file, os.X_OK):
            yield CautionCode.SCRIPT_NOT_EXECUTABLE, named[2]


def _words(entry: dict[str, Any]) -> list[str]:
    """Return the command word by word, the program first; [] where only its shell could tell."""
    command, args = entry.get("command"), entry.get("args")
    if not isinstance(command, str) or entry.get("shell") == "powershell":
        return []
    if isinstance(args, list):
        return [command, *(word for word in args if isinstance(word, str))]
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return []
    while words and _ASSIGNMENT.match(words[0]):
        words.pop(0)
    return words
