"""The reader of PHP: enumerations with values, `const`, `define`, class constants and static properties, arrays."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.more.base import EXTRA, ConstantsModule
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, first, parse, text_of
from driftgate.declared.values import Enumeration, Items, Stated, Text, Value

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_php", "language_php", extra=EXTRA)
_TYPES: Final = frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"})


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: an enumeration, or a constant of the file or of a class (`Hooks::EVENTS`).

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name.replace("$", ""))


def stated(source: Source) -> Iterator[Stated]:
    """Yield the enumerations and constants of a file."""
    yield from FILES.of(source).stated()


class PhpModule(ConstantsModule):
    """One PHP file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the enumerations, the constants and the static properties; namespaces add nothing to a name."""
        for node in children(block):
            name = text_of(node.child_by_field_name("name"))
            body = node.child_by_field_name("body")
            if node.type == "enum_declaration":
                yield prefix + name, node
            if node.type in _TYPES and body is not None:
                yield from self.constants(body, f"{prefix}{name}.")
            elif node.type == "namespace_definition" and body is not None:
                yield from self.constants(body, prefix)
            else:
                yield from ((prefix + inner, value) for inner, value in self._constants(node))

    def _constants(self, node: Node) -> Iterator[tuple[str, Node]]:
        if node.type == "const_declaration":
            for element in children(node, "const_element"):
                yield text_of(first(element, "name")), list(children(element))[-1]
        elif node.type == "property_declaration" and first(node, "static_modifier"):
            for element in children(node, "property_element"):
                if value := element.child_by_field_name("default_value"):
                    yield text_of(element.child_by_field_name("name")).lstrip("$"), value
        elif node.type == "expression_statement":
            yield from self._defined(first(node))

    def _defined(self, node: Node | None) -> Iterator[tuple[str, Node]]:
        """`define("NAME", value)`, and `$name = value` of the file."""
        if node is not None and node.type == "function_call_expression" and text_of(first(node)) == "define":
            given = [first(argument) for argument in children(node.child_by_field_name("arguments"))]
            if len(given) == 2 and given[0] is not None and given[1] is not None:
                yield text_of(given[0])[1:-1], given[1]
        elif node is not None and node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "variable_name":
                yield text_of(left).lstrip("$"), right

    def enumeration(self, node: Node) -> Value:
        """Return the members of an enumeration: their values, else their names."""
        entries = []
        for case in children(node.child_by_field_name("body"), "enum_case"):
            name = case.child_by_field_name("name") or case
            own, value = Text(text_of(name), self.place(name)), case.child_by_field_name("value")
            entries.append((own, self.value(value) if value else own))
        return Enumeration(tuple(entries), self.place(node))

    def array(self, node: Node) -> Value:
        """Return a list, or a map."""
        elements = list(children(node, "array_element_initializer"))
        parts = [list(children(element)) for element in elements]
        if parts and all(len(part) == 2 for part in parts):
            return self.pairs([(self.value(key), self.value(value)) for key, value in parts], node)
        found: list[Value] = []
        for part in parts:
            if part[0].type == "variadic_unpacking":
                found += self.spread(self.value(first(part[0])))
            else:
                found.append(self.value(part[-1]))
        return Items(tuple(found), self.place(node))

    def constant(self, node: Node) -> Value:
        """Return a constant of a class; of an enumeration's case, its value."""
        owner, *_, name = (text_of(part) for part in children(node))
        return self.used(name if owner in ("self", "static") else f"{owner}.{name}", node)

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for."""
        return self.used(text_of(node).lstrip("$"), node)

    HANDLERS = MappingProxyType(
        {
            "string": ConstantsModule.text,
            "encapsed_string": ConstantsModule.text,
            "enum_declaration": enumeration,
            "array_creation_expression": array,
            "class_constant_access_expression": constant,
            "name": identifier,
            "variable_name": identifier,
        }
    )


FILES: Final = Opened(lambda source: PhpModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
