"""Text that came from elsewhere, made harmless for what reads our output line by line.

A terminal obeys control characters, a reader is misled by format characters (bidi overrides, zero-width marks), and
the runners of CI services obey commands that they find in a log: GitHub's `::name::` at the start of a line and
`##[name]` anywhere, `##vso[` and `##teamcity[` of others. Names and messages of users and of upstream may hold all
of these; they leave as escapes, e.g. `\\u001b`.
"""

from __future__ import annotations

import re
from typing import Final

_AT_START: Final = re.compile(r"^(\s*):(?=:)")
COMMAND_ANYWHERE: Final = re.compile(r"#(?=#\w*\[)")
"""The first character of a command that a runner finds anywhere in a line."""


def harmless(text: str) -> str:
    """Return `text` as one line that nothing obeys."""
    return COMMAND_ANYWHERE.sub(r"\\u0023", _AT_START.sub(r"\1\\u003a", neutral(text)))


def harmless_lines(text: str) -> str:
    """Return `text`, its own line ends kept, with each line harmless."""
    return "\n".join(map(harmless, text.split("\n")))


def quoted(text: str) -> str:
    """Return `text` in double quotes, with escapes that Python, TOML and YAML have alike."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def neutral(text: str) -> str:
    r"""Return `text` with every character that is not printable (terminal escapes, line breaks) as `\u001b`."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _unprintable(character) for character in text)


def _unprintable(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"
