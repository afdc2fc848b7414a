"""The reader of C#: enumerations (`[EnumMember(Value = ...)]`), arrays, lists, sets, text constants."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.more.base import EXTRA, ConstantsModule
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, every, first, parse, text_of
from driftgate.declared.values import Enumeration, Opaque, Stated, Text, Value

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_c_sharp", extra=EXTRA)
_TYPES: Final = frozenset(
    {"class_declaration", "struct_declaration", "record_declaration", "interface_declaration"}
    | {"namespace_declaration", "file_scoped_namespace_declaration"}
)
_NAMING: Final = frozenset({"EnumMember", "JsonStringEnumMemberName", "JsonPropertyName", "EnumMemberAttribute"})
_MAKING: Final = frozenset(
    {"ToArray", "ToList", "ToHashSet", "ToFrozenSet", "ToImmutableArray", "ToImmutableHashSet", "Create"}
)


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: an enumeration, or a constant or static field of a class (`Hooks.Events`).

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name)


def stated(source: Source) -> Iterator[Stated]:
    """Yield the enumerations and constants of a file."""
    yield from FILES.of(source).stated()


class CSharpModule(ConstantsModule):
    """One C# file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the enumerations, constants and static fields; namespaces add nothing to a name."""
        for node in children(block):
            name = text_of(node.child_by_field_name("name"))
            if node.type == "enum_declaration":
                yield prefix + name, node
            elif node.type in _TYPES:
                inner = prefix if "namespace" in node.type else f"{prefix}{name}."
                yield from self.constants(node.child_by_field_name("body") or node, inner)
            elif node.type == "field_declaration":
                modifiers = {text_of(modifier) for modifier in children(node, "modifier")}
                for declarator in every(node, "variable_declarator"):
                    value = list(children(declarator))[-1]
                    if modifiers & {"const", "static"} and value != declarator.child_by_field_name("name"):
                        yield prefix + text_of(declarator.child_by_field_name("name")), value

    def enumeration(self, node: Node) -> Value:
        """Return the members of an enumeration."""
        members = children(node.child_by_field_name("body"), "enum_member_declaration")
        return Enumeration(tuple(self._member(member) for member in members), self.place(node))

    def _member(self, node: Node) -> tuple[Text, Value]:
        name = node.child_by_field_name("name") or node
        texts: list[Text] = []
        for attribute in every(node, "attribute"):
            if text_of(attribute.child_by_field_name("name")).rpartition(".")[2] in _NAMING:
                found = (self.text(text) for text in every(attribute, "string_literal"))
                texts += [text for text in found if isinstance(text, Text)]
        return self.member(text_of(name), texts, name)

    def listed(self, node: Node) -> Value:
        """Return what stands in braces or brackets; pairs of it are a map."""
        values = [self.value(child) for child in children(node)]
        pairs = [child for child in children(node) if child.type == "initializer_expression"]
        if pairs and len(pairs) == len(values):
            parts = [list(children(pair)) for pair in pairs]
            return self.pairs([(self.value(p[0]), self.value(p[-1])) for p in parts if len(p) == 2], node)
        return self.items(children(node), node)

    def made(self, node: Node) -> Value:
        """Return `new[] {...}`, `new() {...}`, `new HashSet<string> {...}` or `new HashSet<string>(x)`."""
        body = first(node, "initializer_expression") or node.child_by_field_name("initializer")
        given = [self.value(child) for child in children(first(node, "argument_list"))]
        if body is not None and all(isinstance(value, Opaque) for value in given):
            return self.listed(body)
        name = text_of(node.child_by_field_name("type")) or "object"
        return (
            self.collected(given, node)
            if len(given) == 1 and body is None
            else Opaque(f"a new {name}", self.place(node))
        )

    def inner(self, node: Node) -> Value:
        """Return what a wrapper holds."""
        return self.value(next(iter(children(node)), None))

    def call(self, node: Node) -> Value:
        """Return what keeps a list as it is."""
        function = node.child_by_field_name("function")
        name = text_of(function.child_by_field_name("name") if function else None) or text_of(function)
        owner = function.child_by_field_name("expression") if function else None
        given = [self.value(child) for child in children(first(node, "argument_list"))]
        if name in _MAKING and owner is not None and not given:
            return self.value(owner)
        return self.collected(given, node) if name == "Create" else self.unknown_call(name, node)

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for."""
        return self.used(text_of(node), node)

    HANDLERS = MappingProxyType(
        {
            "string_literal": ConstantsModule.text,
            "enum_declaration": enumeration,
            "initializer_expression": listed,
            "collection_expression": listed,
            "collection_element": inner,
            "expression_element": inner,
            "argument": inner,
            "implicit_array_creation_expression": made,
            "array_creation_expression": made,
            "implicit_object_creation_expression": made,
            "object_creation_expression": made,
            "invocation_expression": call,
            "identifier": identifier,
            "member_access_expression": identifier,
        }
    )


FILES: Final = Opened(lambda source: CSharpModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
