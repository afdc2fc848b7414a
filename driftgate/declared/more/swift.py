"""The reader of Swift: enumerations with raw values, arrays, sets and dictionaries, text constants."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.more.base import EXTRA, ConstantsModule
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, first, parse, text_of
from driftgate.declared.values import Enumeration, Opaque, Stated, Text, Value

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_swift", extra=EXTRA)


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: an enumeration, or a constant of the file or of a type (`Hooks.all`).

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name)


def stated(source: Source) -> Iterator[Stated]:
    """Yield the enumerations and constants of a file."""
    yield from FILES.of(source).stated()


class SwiftModule(ConstantsModule):
    """One Swift file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the enumerations, and the constants of the file and of types."""
        for node in children(block):
            if node.type == "class_declaration":  # of classes, structs, enumerations and extensions
                name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
                if body is not None and body.type == "enum_class_body" and first(body, "enum_entry"):
                    yield prefix + name, node
                if body is not None:
                    yield from self.constants(body, f"{prefix}{name}.")
            elif node.type == "property_declaration":
                target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                is_static = not prefix or "static" in text_of(first(node, "modifiers"))
                if target is not None and value is not None and is_static:
                    yield prefix + text_of(target), value

    def enumeration(self, node: Node) -> Value:
        """Return the members of an enumeration: their raw values, else their names."""
        entries: list[tuple[Text, Value]] = []
        for entry in children(node.child_by_field_name("body"), "enum_entry"):
            names = entry.children_by_field_name("name")
            for position, name in enumerate(names):
                end = names[position + 1].start_byte if position + 1 < len(names) else entry.end_byte
                raw = [r for r in entry.children_by_field_name("raw_value") if name.end_byte <= r.start_byte < end]
                own = Text(text_of(name).strip("`"), self.place(name))
                entries.append((own, self.value(raw[0]) if raw else own))
        return Enumeration(tuple(entries), self.place(node))

    def array(self, node: Node) -> Value:
        """Return a list."""
        return self.items(node.children_by_field_name("element"), node)

    def dictionary(self, node: Node) -> Value:
        """Return a map."""
        keys, values = node.children_by_field_name("key"), node.children_by_field_name("value")
        if len(keys) != len(values):
            return Opaque("a dictionary that cannot be read", self.place(node))
        return self.pairs([(self.value(k), self.value(v)) for k, v in zip(keys, values, strict=True)], node)

    def call(self, node: Node) -> Value:
        """Return `Set([...])` and the like; of `Kind.allCases.map(\\.rawValue)` nothing is known."""
        function, suffix = first(node), first(node, "call_suffix")
        arguments = list(children(first(suffix, "value_arguments"), "value_argument"))
        name = text_of(function).partition("<")[0]
        if name in ("Set", "Array") and len(arguments) == 1:
            return self.collected([self.value(list(children(arguments[0]))[-1])], node)
        return self.unknown_call(name, node)

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for; of `Kind.allCases`, the enumeration."""
        return self.used(text_of(node).removeprefix("Self.").removesuffix(".allCases"), node)

    HANDLERS = MappingProxyType(
        {
            "line_string_literal": ConstantsModule.text,
            "multi_line_string_literal": ConstantsModule.text,
            "class_declaration": enumeration,
            "array_literal": array,
            "dictionary_literal": dictionary,
            "call_expression": call,
            "simple_identifier": identifier,
            "navigation_expression": identifier,
        }
    )


FILES: Final = Opened(lambda source: SwiftModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
