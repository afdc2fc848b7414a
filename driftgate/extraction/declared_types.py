"""A parser for the types that declaration files are made of, as far as settings are written in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias


class TypesError(ValueError):
    """A type is written in a way that is not understood."""


@dataclass(frozen=True, slots=True)
class Name:
    """A named type: `string`, or `Partial<X>` as written."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal as a type."""

    text: str


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """A list of one type."""

    item: Type


@dataclass(frozen=True, slots=True)
class UnionOf:
    """One of several types; a tuple of literals (`readonly ["a", "b"]`) is read as the same."""

    options: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """One member of an object type."""

    name: str
    optional: bool
    type: Type


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object type: named members, and the type of all others if it states one (`[k: string]: T`)."""

    members: tuple[Property, ...]
    index: Type | None


Type: TypeAlias = "Name | Text | ArrayOf | UnionOf | ObjectOf"

_END: Final = "end"
_TOKEN: Final = re.compile(
    rb"""(?:\s|/\*.*?\*/|//[^\n]*)*(?:(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?P<name>[\w$.]+)|(?P<mark>=>|.))""",
    re.DOTALL,
)


def parse_type(text: bytes, start: int) -> Type:
    """Parse the type that begins at byte `start`. Raises TypesError."""
    try:
        return _Parser(text, start).union()
    except RecursionError as error:
        raise TypesError(f"the type at byte {start} is nested too deeply") from error


class _Parser:
    """Recursive descent over the tokens, one token ahead."""

    def __init__(self, text: bytes, start: int) -> None:
        self._text = text
        self._start = self._end = start
        self._kind = self._token = ""
        self._advance()

    def _advance(self) -> None:
        self._start = self._end
        match = _TOKEN.match(self._text, self._end)
        if match is None and self._kind == _END:
            raise TypesError(f"the text ends within a type, at byte {self._end}")
        self._end = match.end() if match else len(self._text)
        self._kind = (match.lastgroup if match else None) or _END
        self._token = match[self._kind].decode(errors="replace") if match else ""

    def _take(self, token: str) -> bool:
        if self._kind == "text" or self._token != token:
            return False
        self._advance()
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise TypesError(f"expected {token!r} at byte {self._start}, found {self._token[:20]!r}")

    def union(self) -> Type:
        """Parse A | B | C."""
        self._take("|")
        options = [self._postfix()]
        while self._take("|"):
            options.append(self._postfix())
        return options[0] if len(options) == 1 else UnionOf(tuple(options))

    def _postfix(self) -> Type:
        self._take("readonly")
        value = self._primary()
        while self._kind == "mark" and self._token == "[":  # noqa: S105 - a bracket
            self._advance()
            self._expect("]")
            value = ArrayOf(value)
        return value

    def _primary(self) -> Type:
        if self._kind == "text":
            text = self._token[1:-1]
            self._advance()
            return Text(text)
        if self._take("("):
            value = self.union()
            self._expect(")")
            return value
        if self._take("{"):
            return self._object()
        if self._take("["):
            return self._tuple()
        if self._kind != "name":
            raise TypesError(f"expected a type at byte {self._start}, found {self._token[:20]!r}")
        name = self._token
        self._advance()
        if self._take("<"):
            arguments = [self.union()]
            while self._take(","):
                arguments.append(self.union())
            self._expect(">")
            return Name(f"{name}<...>")
        return Name(name)

    def _tuple(self) -> Type:
        items: list[Type] = []
        while not self._take("]"):
            self._take("...")
            items.append(self.union())
            self._take(",")
        return UnionOf(tuple(items))

    def _object(self) -> Type:
        members: list[Property] = []
        index: Type | None = None
        while not self._take("}"):
            if self._take("["):
                while not self._take("]"):
                    self._advance()
                self._expect(":")
                index = self.union()
            else:
                members.append(self._property())
            if not self._take(";"):
                self._take(",")
        return ObjectOf(tuple(members), index)

    def _property(self) -> Property:
        self._take("readonly")
        name = self._token[1:-1] if self._kind == "text" else self._token
        self._advance()
        optional = self._take("?")
        self._expect(":")
        return Property(name, optional, self.union())
