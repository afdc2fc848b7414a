"""The language of `used-by`: what refers to a set, written as the code that does, with X where the set stands.

    Object.values(X)
    enum(X)
    record(enum(X), array(...))
    hooks: {..., properties: X}

- `X` is the set: by its name, or where its literal stands itself;
- `_` is any name, dotted or not;
- `...` is anything that holds no bracket, or only closed pairs of them;
- everything else stands as it is. White space and comments do not matter. A name that is called may be a method of
  anything (`z.enum(X)`), and the short name that a bundler gave to a helper of the schema library.

Works on text: nothing is parsed, so that it holds for minified bundles and for sources alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from driftgate.errors import ConfigError

_PIECE: Final = re.compile(r"""\.\.\.|"[^"]*"|'[^']*'|[\w$]+(?:\.[\w$]+)*|\S""")
_SPACE: Final = rb"(?:\s|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*"
_PLAIN: Final = rb"[^(){}\[\]]"
_PAIR: Final = rb"[({\[](?:" + _PLAIN + rb"|[({\[]" + _PLAIN + rb"*[)}\]])*[)}\]]"
_ANYTHING: Final = rb"(?:" + _PLAIN + rb"|" + _PAIR + rb")*?"
_BEGINS: Final = rb"(?<![\w$])(?:(?<!\.)|(?<=\.\.\.))"
"""Where a name begins that is neither a part of another nor a property; `...name` spreads it."""
_ANY_NAME: Final = rb"[\w$]+(?:\.[\w$]+)*"
_NAME: Final = re.compile(r"[\w$]+(?:\.[\w$]+)*\Z")
_WINDOW: Final = 4096
"""How far before a set the code that uses it may begin, in bytes."""

KindOf = Callable[[str], str | None]
"""From a bundle's short name to the kind of schema that it makes ("enum"), None for anything else."""


@dataclass(frozen=True, slots=True)
class Usage:
    """A compiled pattern: what must stand before the set, and behind it.

    `helpers` are the called names of the pattern, each with its group: where the group matched, a short name stands.
    """

    text: str
    before: re.Pattern[bytes]
    after: re.Pattern[bytes]
    helpers: tuple[tuple[str, str], ...]

    @property
    def word(self) -> str:
        """The longest name of the pattern: code that uses the set so holds it, unless a bundler shortened it."""
        names = (piece for piece in _PIECE.findall(self.text) if _NAME.match(piece) and piece not in ("X", "_"))
        return max(names, key=len, default="")

    def matches(self, text: bytes, start: int, end: int, kind_of: KindOf) -> bool:
        """Return whether the set that stands in `text` from `start` to `end` is used as the pattern says."""
        return self.span(text, start, end, kind_of) is not None

    def span(self, text: bytes, start: int, end: int, kind_of: KindOf) -> tuple[int, int] | None:
        """Return (start, end) of the code that uses so what stands in `text` from `start` to `end`, if it does."""
        behind = self.after.match(text, end)
        if not behind or not self._known(behind, kind_of):
            return None
        # Every beginning is tried: of `a(b(X))`, the shorter reading need not be the one that is meant.
        window = max(0, start - _WINDOW)
        while found := self.before.search(text, window, start):
            if self._known(found, kind_of):
                return found.start(), behind.end()
            window = found.start() + 1
        return None

    def _known(self, found: re.Match[bytes], kind_of: KindOf) -> bool:
        groups = found.groupdict()
        shorts = ((groups.get(group), name) for group, name in self.helpers)
        return all(short is None or kind_of(short.decode()) == name for short, name in shorts)


def texts_so_used(text: bytes, usage: Usage) -> Iterator[tuple[int, int, str | None]]:
    """Yield (start, end, text) of each literal text that a function is called with, as `usage` says.

    Of a call with something else the text is None. The function is known by its full name only.
    """
    names = [name for group, name in usage.helpers if group in usage.before.groupindex]
    if not names:
        return
    called = names[-1]
    for at in _found_at(text, called.encode()):
        found = _LITERAL.search(text, at, at + len(called) + _NEAR)
        if found and usage.matches(text, *found.span(), _no_kind):
            yield *found.span(), found["text"].decode()
        elif other := _OTHER.match(text, at + len(called)):
            yield *other.span("argument"), None


def _found_at(text: bytes, what: bytes) -> Iterator[int]:
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)


def _no_kind(_: str) -> None:
    return None


_LITERAL: Final = re.compile(rb"""(["'])(?P<text>[A-Za-z][\w.:-]{0,63})\1""")
_OTHER: Final = re.compile(rb"""\s*\(\s*(?P<argument>[^\s"'`)][^"'`()]*?)\s*\)(?!\s*\{)""")
"""A call with one argument that is no text, and no definition of what is called so."""
_NEAR: Final = 64


@cache
def parse_usage(text: str) -> Usage:
    """Return the compiled pattern. Raises `ConfigError` unless X stands in it exactly once."""
    pieces = _PIECE.findall(text)
    if pieces.count("X") != 1:
        raise ConfigError(
            f"used-by: {text!r} does not say where the set stands",
            expected="the code that uses the set, with X once in its place, e.g. enum(X) or Object.values(X)",
            next="_ is any name, ... is anything",
        )
    at = pieces.index("X")
    helpers: list[tuple[str, str]] = []
    before = _SPACE.join(_regexes(pieces[:at], helpers))
    after = _SPACE.join(_regexes(pieces[at + 1 :], helpers))
    return Usage(
        text,
        re.compile(before + (_SPACE if pieces[:at] else rb"") + rb"\Z"),
        re.compile((_SPACE if after else rb"") + after),
        tuple(helpers),
    )


def _regexes(pieces: list[str], helpers: list[tuple[str, str]]) -> Iterator[bytes]:
    for index, piece in enumerate(pieces):
        called = pieces[index + 1 : index + 2] == ["("]
        if called and _NAME.match(piece) and piece != "_" and "." not in piece:
            group = f"helper{len(helpers)}"
            helpers.append((group, piece))
            spelt = re.escape(piece).encode()
            yield _BEGINS + rb"(?:(?:[\w$]+\.)*" + spelt + rb"|(?P<" + group.encode() + rb">[\w$]+))"
        else:
            yield _regex(piece)


def _regex(piece: str) -> bytes:
    if piece == "...":
        return _ANYTHING
    if piece == "_":
        return _ANY_NAME
    if piece[0] in "\"'" and len(piece) > 1:
        return rb"[\"']" + re.escape(piece[1:-1]).encode() + rb"[\"']"
    any_owner = _ANY_NAME + rb"\." if piece.startswith("_.") else b""
    spelt = any_owner + re.escape(piece.removeprefix("_.")).encode()
    return _BEGINS + spelt + rb"(?![\w$])" if _NAME.match(piece) else spelt
