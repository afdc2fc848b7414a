"""The reader of Kotlin: enumerations (`@SerialName`, a single text), `listOf`, `setOf`, `mapOf`, text constants."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.more.base import EXTRA, ConstantsModule
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, every, first, parse, text_of
from driftgate.declared.values import Enumeration, Stated, Text, Value

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_kotlin", extra=EXTRA)
_TYPES: Final = frozenset({"class_declaration", "object_declaration", "companion_object"})
_LISTS: Final = frozenset(
    {"listOf", "setOf", "arrayOf", "mutableListOf", "mutableSetOf", "hashSetOf", "linkedSetOf", "sortedSetOf"}
    | {"arrayListOf", "persistentListOf", "persistentSetOf", "sequenceOf"}
)
_MAPS: Final = frozenset({"mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "sortedMapOf", "persistentMapOf"})
_KEEPING: Final = frozenset({"toSet", "toList", "toTypedArray", "toMutableSet", "toMutableList", "toHashSet", "asList"})
_NAMING: Final = frozenset({"SerialName", "JsonProperty", "SerializedName", "Json"})


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: an enumeration, or a constant of the file, of an object or a class.

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).find(name)


def stated(source: Source) -> Iterator[Stated]:
    """Yield the enumerations and constants of a file."""
    yield from FILES.of(source).stated()


class KotlinModule(ConstantsModule):
    """One Kotlin file."""

    def constants(self, block: Node, prefix: str) -> Iterator[tuple[str, Node]]:
        """Yield the enumerations and the properties with a value; a companion adds nothing to a name."""
        for node in children(block):
            name = text_of(node.child_by_field_name("name"))
            body = first(node, "enum_class_body", "class_body")
            if node.type == "class_declaration" and body is not None and body.type == "enum_class_body":
                yield prefix + name, node
            if node.type in _TYPES and body is not None:
                yield from self.constants(body, prefix if node.type == "companion_object" else f"{prefix}{name}.")
            elif node.type == "property_declaration":
                target = first(node, "variable_declaration")
                value = list(children(node))[-1]
                if target is not None and value.type not in ("variable_declaration", "getter", "property_delegate"):
                    yield prefix + text_of(first(target, "identifier")), value

    def enumeration(self, node: Node) -> Value:
        """Return the members of an enumeration."""
        members = children(first(node, "enum_class_body"), "enum_entry")
        return Enumeration(tuple(self._member(member) for member in members), self.place(node))

    def _member(self, node: Node) -> tuple[Text, Value]:
        name = first(node, "identifier") or node
        for annotation in every(node, "annotation"):
            call = first(annotation, "constructor_invocation")
            if text_of(first(call, "user_type")).rpartition(".")[2] in _NAMING:
                found = [self.text(text) for text in every(annotation, "string_literal")]
                return self.member(text_of(name), [text for text in found if isinstance(text, Text)], name)
        given = (self.value(first(argument)) for argument in children(first(node, "value_arguments")))
        return self.member(text_of(name), [value for value in given if isinstance(value, Text)], name)

    def call(self, node: Node) -> Value:
        """Return what makes a list, a set or a map, or keeps one as it is."""
        function = first(node)
        arguments = [list(children(argument))[-1] for argument in children(first(node, "value_arguments"))]
        name = text_of(function).rpartition(".")[2].partition("<")[0]
        if name in _MAPS:
            pairs = [list(children(a)) for a in arguments if a.type == "infix_expression"]
            if len(pairs) == len(arguments):
                return self.pairs([(self.value(p[0]), self.value(p[-1])) for p in pairs], node)
        if name in _KEEPING and function is not None and function.type == "navigation_expression":
            return self.value(first(function))
        return self.items(arguments, node) if name in _LISTS else self.unknown_call(name, node)

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for."""
        return self.used(text_of(node), node)

    HANDLERS = MappingProxyType(
        {
            "string_literal": ConstantsModule.text,
            "class_declaration": enumeration,
            "call_expression": call,
            "identifier": identifier,
            "navigation_expression": identifier,
        }
    )


FILES: Final = Opened(lambda source: KotlinModule(source, parse(source, GRAMMAR)))
"""The parsed files."""
