"""The reader of Ruby: constants of modules and classes: arrays, `%w[]`, sets, hashes, texts and symbols."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.more.base import EXTRA, ConstantsModule
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, first, parse, text_of
from driftgate.declared.values import Items, Stated, Text, Value

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_ruby", extra=EXTRA)
_KEEPING: Final = frozenset({"freeze", "to_set", "to_a", "dup", "uniq", "sort", "deep_freeze"})


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: a constant, by its name or by that of its modules too (`Hooks::EVENTS`).

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name)


def stated(source: Source) -> Iterator[Stated]:
    """Yield the constants of a file."""
    yield from FILES.of(source).stated()


class RubyModule(ConstantsModule):
    """One Ruby file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the constants of the file, of modules and of classes."""
        for node in children(block):
            if node.type in ("module", "class"):
                name = text_of(node.child_by_field_name("name")).replace("::", ".")
                yield from self.constants(node.child_by_field_name("body") or node, f"{prefix}{name}.")
            elif node.type == "assignment":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if left is not None and right is not None and left.type == "constant":
                    yield prefix + text_of(left), right

    def array(self, node: Node) -> Value:
        """Return a list; what is splatted into it is part of it."""
        found: list[Value] = []
        for child in children(node):
            if child.type == "splat_argument":
                found += self.spread(self.value(first(child)))
            else:
                found.append(self.value(child))
        return Items(tuple(found), self.place(node))

    def mapping(self, node: Node) -> Value:
        """Return a map."""
        pairs = list(children(node, "pair"))
        keys = ((pair.child_by_field_name("key"), pair.child_by_field_name("value")) for pair in pairs)
        return self.pairs([(self.value(key), self.value(value)) for key, value in keys], node)

    def call(self, node: Node) -> Value:
        """Return what makes a set, or keeps a list as it is."""
        receiver, name = node.child_by_field_name("receiver"), text_of(node.child_by_field_name("method"))
        given = list(children(node.child_by_field_name("arguments")))
        if name in _KEEPING and not given and receiver is not None:
            return self.value(receiver)
        if text_of(receiver) in ("Set", "SortedSet") and name in ("new", "[]") and given:
            return self.collected([self.value(argument) for argument in given], node)
        if name == "Set" or (text_of(receiver) == "Set" and name == ""):
            return self.items(given, node)
        return self.unknown_call(name, node)

    def element(self, node: Node) -> Value:
        """Return `Set["a", "b"]`."""
        owner, *given = children(node)
        return self.items(given, node) if text_of(owner) == "Set" else self.unknown_call("[]", node)

    def symbol(self, node: Node) -> Value:
        """Return a symbol as the text of its name."""
        return Text(text_of(node).lstrip(":").strip('"'), self.place(node))

    def identifier(self, node: Node) -> Value:
        """Return what a constant stands for."""
        return self.used(text_of(node).replace("::", "."), node)

    HANDLERS = MappingProxyType(
        {
            "string": ConstantsModule.text,
            "bare_string": ConstantsModule.text,
            "bare_symbol": symbol,
            "simple_symbol": symbol,
            "hash_key_symbol": symbol,
            "array": array,
            "string_array": array,
            "symbol_array": array,
            "hash": mapping,
            "call": call,
            "element_reference": element,
            "constant": identifier,
            "scope_resolution": identifier,
        }
    )


FILES: Final = Opened(lambda source: RubyModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
