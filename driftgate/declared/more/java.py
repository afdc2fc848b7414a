"""The reader of Java: enumerations (`@JsonProperty`, a single text), `List.of`, `Set.of`, arrays, text constants."""

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

GRAMMAR: Final = Grammar("tree_sitter_java", extra=EXTRA)
_TYPES: Final = frozenset({"class_declaration", "interface_declaration", "record_declaration", "enum_declaration"})
_MAKING: Final = frozenset(
    {"of", "asList", "unmodifiableList", "unmodifiableSet", "copyOf", "newHashSet", "newArrayList", "toSet", "toList"}
    | {"unmodifiableCollection", "unmodifiableMap"}
)
_NAMING: Final = frozenset({"JsonProperty", "SerializedName", "Json", "XmlEnumValue", "SerialName"})


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: an enumeration, or a static constant of a class (`Hooks.EVENTS`).

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name)


def stated(source: Source) -> Iterator[Stated]:
    """Yield the enumerations and constants of a file."""
    yield from FILES.of(source).stated()


class JavaModule(ConstantsModule):
    """One Java file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the enumerations, and the static final fields of classes and interfaces."""
        for node in children(block):
            name = text_of(node.child_by_field_name("name"))
            if node.type == "enum_declaration":
                yield prefix + name, node
            if node.type in _TYPES:
                body = node.child_by_field_name("body")
                inner = first(body, "enum_body_declarations") if node.type == "enum_declaration" else body
                if inner is not None:
                    yield from self.constants(inner, f"{prefix}{name}.")
            elif node.type in ("field_declaration", "constant_declaration"):
                modifiers = text_of(first(node, "modifiers")).split()
                if "static" in modifiers or block.type == "interface_body":
                    for declarator in children(node, "variable_declarator"):
                        value = declarator.child_by_field_name("value")
                        if value is not None:
                            yield prefix + text_of(declarator.child_by_field_name("name")), value

    def enumeration(self, node: Node) -> Value:
        """Return the members of an enumeration."""
        members = children(node.child_by_field_name("body"), "enum_constant")
        return Enumeration(tuple(self._member(member) for member in members), self.place(node))

    def _member(self, node: Node) -> tuple[Text, Value]:
        name = node.child_by_field_name("name") or node
        for annotation in every(node, "annotation"):
            if text_of(annotation.child_by_field_name("name")) in _NAMING:
                texts = [self.text(text) for text in every(annotation, "string_literal")]
                return self.member(text_of(name), [text for text in texts if isinstance(text, Text)], name)
        given = (self.value(argument) for argument in children(node.child_by_field_name("arguments")))
        return self.member(text_of(name), [value for value in given if isinstance(value, Text)], name)

    def call(self, node: Node) -> Value:
        """Return what makes a list, a set or a map."""
        name, owner = text_of(node.child_by_field_name("name")), text_of(node.child_by_field_name("object"))
        values = [self.value(argument) for argument in children(node.child_by_field_name("arguments"))]
        if name == "of" and owner.endswith("Map") and len(values) % 2 == 0:
            return self.pairs(list(zip(values[::2], values[1::2], strict=True)), node)
        if name == "ofEntries" and owner.endswith("Map"):
            return self.pairs([tuple(v.items) for v in values if hasattr(v, "items") and len(v.items) == 2], node)
        if name in ("values", "allOf") and not values:
            return self.used(owner, node)
        return self.collected(values, node) if name in _MAKING else self.unknown_call(name, node)

    def made(self, node: Node) -> Value:
        """Return `new HashSet<>(...)` and the like."""
        values = [self.value(argument) for argument in children(node.child_by_field_name("arguments"))]
        name = text_of(node.child_by_field_name("type")).partition("<")[0]
        is_collection = name.endswith(("Set", "List", "Map", "Deque")) and first(node, "class_body") is None
        return (
            self.collected(values, node)
            if is_collection and len(values) == 1
            else Opaque(f"a new {name}", self.place(node))
        )

    def array(self, node: Node) -> Value:
        """Return `{...}`, with or without `new String[]` before it."""
        inner = node.child_by_field_name("value") if node.type == "array_creation_expression" else node
        return self.items(children(inner), node)

    def identifier(self, node: Node) -> Value:
        """Return what a name, or a name of a class, stands for."""
        return self.used(text_of(node), node)

    HANDLERS = MappingProxyType(
        {
            "string_literal": ConstantsModule.text,
            "enum_declaration": enumeration,
            "method_invocation": call,
            "object_creation_expression": made,
            "array_initializer": array,
            "array_creation_expression": array,
            "identifier": identifier,
            "field_access": identifier,
        }
    )


FILES: Final = Opened(lambda source: JavaModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
