"""What these readers share: constants by their dotted names, and whether anything in the file changes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from driftgate.declared.algebra import iterate
from driftgate.declared.module import Module
from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of
from driftgate.declared.syntax import children, text_of
from driftgate.declared.unreadable import missing, no_part
from driftgate.declared.values import Entries, Enumeration, Foreign, Items, Opaque, Stated, Text, Value
from driftgate.formats.ecmascript import unescape
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

EXTRA: Final = "languages"
"""The extra of the package that brings the grammars."""

_CHANGING: Final = (
    r"add|addAll|put|putAll|putIfAbsent|remove|removeAll|removeIf|retainAll|clear|set|append|insert|push|pop|shift"
    r"|unshift|concat|delete|delete_if|replace|merge!|map!|select!|reject!|compact!|plusAssign|AddRange|Add|Remove"
    r"|Clear|Insert|TryAdd|UnionWith|ExceptWith|removeFirst|removeLast|updateValue|formUnion|subtract"
)


class ConstantsModule(Module):
    """One file. `names` are its constants and enumerations by their dotted names: `Hooks.EVENTS`, `HookEvent`.

    `outer` is the class in which names are looked up first while one of its constants is read.
    """

    __slots__ = ("outer", "root")

    def __init__(self, source: Source, root: Node) -> None:
        super().__init__(source)
        self.root = root
        self.outer = ""
        for name, node in self.constants(root, ""):
            known = self.names.setdefault(name, node)
            if known is not node:
                self.known[name] = Opaque(f"two definitions of {name}", self.place(node))

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield what a file or the body of a class defines."""
        raise NotImplementedError

    def name(self, name: str, at: Place) -> Value:
        """Return what `name` stands for, unless something in the file changes it."""
        full = next((n for n in (f"{self.outer}.{name}", name) if n in self.names), None)
        full = full or next((n for n in self.names if n.endswith(f".{name}") and "." not in name), name)
        before, self.outer = self.outer, full.rpartition(".")[0]
        try:
            value = super().name(full, at)
        finally:
            self.outer = before
        if isinstance(value, Opaque | Foreign | Enumeration | Text):
            return value
        change = self._change(full.rpartition(".")[2])
        return Opaque(f"{full}, which a later statement changes", change) if change else value

    def _change(self, name: str) -> Place | None:
        """A statement that assigns to the name or a part of it, or calls a method that changes it.

        Looked for in the text, strings and comments left out of account: what is found there makes it blind too.
        """
        spelt = re.escape(name)
        pattern = (
            rf"(?<![\w\"'])\$?{spelt}(?![\w\"'])\s*(?:\[[^\]\n]*\]\s*)?(?:(?:[-+|&]|\?\?|\|\|)?=(?![=>~])|<<"
            rf"|\??\.\s*(?:{_CHANGING})\b|->\s*(?:{_CHANGING})\b)"
        )
        text = self.source.text
        same = (node for known, node in self.names.items() if known.rpartition(".")[2] == name)
        definitions = [((node.parent or node).start_byte, node.end_byte) for node in same]
        for match in re.finditer(pattern, text):
            start = len(text[: match.start()].encode())
            if not any(first <= start < last for first, last in definitions):
                return self.source.at_bytes(start, start + len(match[0].encode()), "change")
        return None

    def find(self, path: str) -> Value:
        """Return what the dotted name `path` stands for, or a part of it.

        Raises:
            DeclaredError: there is no such name.
        """
        parts = re.split(r"\.|::", path)
        for size in range(len(parts), 0, -1):
            name = ".".join(parts[:size])
            if name not in self.names:
                continue
            value = self.name(name, Place(self.source.shown, line=1, column=1))
            for part in parts[size:]:
                inner = self.step(name, value, part)
                if inner is None:
                    raise no_part(part, value, self.source, keys_of(value), inside=name)
                value = inner
            return value
        raise missing(path, self.source, self.names)

    def stated(self) -> Iterator[Stated]:
        """Yield the enumerations and the constants that are no single texts."""
        for name, node in self.names.items():
            value = self.name(name, self.place(node))
            if not isinstance(value, Text):
                yield Stated(name, value, self.place(node))

    def used(self, name: str, node: Node) -> Value:
        """Return what a name stands for where it is used: a text is placed there."""
        value = self.name(name, self.place(node))
        return Text(value.value, self.place(node)) if isinstance(value, Text) else value

    def member(self, name: str, texts: list[Text], at: Node) -> tuple[Text, Value]:
        """Return a member of an enumeration: its one text, else its own name."""
        own = Text(name, self.place(at))
        if len(texts) > 1:
            return own, Opaque("a member with several texts", own.place)
        return own, texts[0] if texts else own

    def items(self, nodes: Iterator[Node] | list[Node], node: Node) -> Items:
        """Return a list of what `nodes` stand for."""
        return Items(tuple(self.value(each) for each in nodes), self.place(node))

    def collected(self, values: list[Value], node: Node) -> Value:
        """Return what a collection of another collection, or of single values, holds."""
        if len(values) == 1 and isinstance(values[0], Items | Entries | Enumeration):
            return replace(values[0], place=self.place(node))
        return Items(tuple(values), self.place(node))

    def pairs(self, pairs: list[tuple[Value, Value]], node: Node) -> Value:
        """Return a map."""
        unread = next((key for key, _ in pairs if not isinstance(key, Text)), None)
        if unread is not None:
            return unread if isinstance(unread, Opaque | Foreign) else Opaque("a key that is no text", unread.place)
        return Entries(tuple((key, value) for key, value in pairs if isinstance(key, Text)), self.place(node))

    def unknown_call(self, name: str, node: Node) -> Value:
        """Return that a call is not understood."""
        return Opaque(f"a call of {name[:40]}()", self.place(node))

    def text(self, node: Node) -> Value:
        """Return a string's value; one with parts that are computed cannot be read."""
        plain = {"string_fragment", "string_literal_content", "string_content", "line_str_text", "escape_sequence"}
        parts = list(children(node))
        if any(part.type not in plain | {"str_escaped_char", "multi_line_str_text"} for part in parts):
            return Opaque("a text with computed parts", self.place(node))
        return Text(unescape("".join(text_of(part) for part in parts)), self.place(node))

    def spread(self, value: Value) -> tuple[Value, ...]:
        """Return the items of what is spread into a list."""
        return iterate(value)
