"""The reader of Zig: enum and union tags, error sets, constants of structs, arrays, maps, and joins through functions.

A name may be dotted beyond what Zig calls a path: `HookKind.definition.lifecycle_event` is what the function
`definition` gives for each tag of `HookKind`, and of that the field `lifecycle_event`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.algebra import concat, iterate, same, to_shape, union
from driftgate.declared.interpret import literal_places
from driftgate.declared.kind_words import array_of
from driftgate.declared.module import Module
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of, step
from driftgate.declared.syntax import Grammar, children, first, parse, text_of, within
from driftgate.declared.values import (
    NO_CONSTRAINTS,
    Entries,
    Foreign,
    Items,
    Opaque,
    Record,
    Shape,
    Stated,
    Text,
    Value,
)
from driftgate.formats.ecmascript import unescape
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_zig")
_TYPES: Final = frozenset({"enum_declaration", "union_declaration", "struct_declaration", "error_set_declaration"})
_KINDS: Final = MappingProxyType({"bool": "boolean", "anyopaque": "unknown"})
_NUMBER: Final = re.compile(r"[fiu]\d+|[iu]size")
_OF_A_TYPE: Final = frozenset({"fieldNames", "tags", "values"})
_WORD: Final = re.compile(r"[\w.:/-]+\Z")


def read(source: Source, name: str) -> Value:
    """Return the value of `name`.

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).read(name.split("."))


def stated(source: Source) -> Iterator[Stated]:
    """Yield the types and constants of a file, and what the functions of its types give for each of their tags."""
    module = FILES.of(source)
    for name, node in module.names.items():
        place = module.place(node)
        if node.type != "struct_initializer" or _element_type(node):  # one instance of a struct is no set
            yield Stated(name, module.name(name, place), place)
        for function, definition in functions(node):
            joined = module.joined(definition)
            for field in keys_of(joined):
                of_field = step(joined, field)
                if of_field and _is_names(of_field) and not same(of_field, module.name(name, place)):
                    yield Stated(f"{name}.{function}.{field}", of_field, module.place(definition))
            if isinstance(joined, Items) and _is_names(joined):
                yield Stated(f"{name}.{function}", joined, module.place(definition))


def _is_names(value: Value) -> bool:
    """Whether a value is a list of different words, as names on a wire are, and not of sentences."""
    if not isinstance(value, Items) or not all(isinstance(item, Text) for item in value.items):
        return False
    found = [text.value for text in literal_places(value)]
    return len(set(found)) == len(found) > 0 and all(_WORD.match(text) for text in found)


def _module(source: Source) -> ZigModule:
    root = parse(source, GRAMMAR)
    return ZigModule(source, dict(_constants(root)), frozenset(_variables(root)))


FILES: Final = Opened(_module)
"""The parsed files."""


def _variables(container: Node) -> Iterator[str]:
    """Yield the names that `var` defines."""
    for declaration in children(container, "variable_declaration"):
        if any(child.type == "var" for child in declaration.children):
            yield _identifier(first(declaration, "identifier"))


def _constants(container: Node) -> Iterator[tuple[str, Node]]:
    for declaration in children(container, "variable_declaration"):
        identifier, *rest = children(declaration)
        if rest:
            yield _identifier(identifier), rest[-1]


def _identifier(node: Node | None) -> str:
    """Return the name of an identifier; `@"if"` is called if."""
    text = text_of(node)
    return text[2:-1] if text.startswith('@"') else text


def functions(container: Node | None) -> Iterator[tuple[str, Node]]:
    """Yield the functions of a type."""
    for function in children(container, "function_declaration") if container and container.type in _TYPES else ():
        yield text_of(function.child_by_field_name("name")), function


def _element_type(node: Node) -> Node | None:
    return first(node, "array_type", "slice_type")


class ZigModule(Module):
    """One Zig file. `variables` are what it defines by `var`."""

    __slots__ = ("variables",)

    def __init__(self, source: Source, names: dict[str, Node], variables: frozenset[str] = frozenset()) -> None:
        super().__init__(source, names)
        self.variables = variables

    def name(self, name: str, at: Place) -> Value:
        """Return what `name` stands for, unless it is a variable that a function changes."""
        if name in self.variables and (change := self._change(name)):
            line = self.source.text.count("\n", 0, change.start()) + 1
            column = change.start() - self.source.text.rfind("\n", 0, change.start())
            return Opaque(
                f"{name}, which a later statement changes", Place(self.source.shown, line=line, column=column)
            )
        return super().name(name, at)

    def _change(self, name: str) -> re.Match[str] | None:
        """A statement that assigns to a variable or a part of it, takes its address, or calls one of its functions."""
        spelt = re.escape(name)
        part = r"(?:\[[^\]\n]*\]|\.\w+|\.\*)*"
        return re.search(
            rf"(?<![\w.\"])(?:{spelt}{part}\s*(?:[-+*/%|&^]|<<|>>)?=(?![=>])|&{spelt}\b|{spelt}{part}\.\w+\()",
            re.sub(rf"\bvar {spelt}\b[^=]*=", lambda match: " " * len(match[0]), self.source.text),
        )

    def step(self, outer: str, value: Value, part: str) -> Value | None:
        """Return a part of `value`; or what a function of the type `outer` gives for each of its tags."""
        function = dict(functions(self.names.get(outer))).get(part)
        return self.joined(function) if function else step(value, part)

    def parts(self, outer: str, value: Value) -> list[str]:
        """Return the names of parts and of functions."""
        return [*keys_of(value), *dict(functions(self.names.get(outer)))]

    def joined(self, function: Node) -> Value:
        """Return what a function gives for each tag that its `switch` names."""
        switch = within(function.child_by_field_name("body"), "switch_expression")
        if switch is None:
            return Opaque("a function without a switch over tags", self.place(function))
        cases = tuple(self.value(_result(case)) for case in children(switch, "switch_case"))
        return Items(cases, self.place(function))

    def text(self, node: Node) -> Value:
        """Return a string's value."""
        return Text(unescape(text_of(node)[1:-1]), self.place(node))

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for."""
        return self.name(_identifier(node), self.place(node))

    def member(self, node: Node) -> Value:
        """Return the tag `.name`, a part of a constant, or a name of another file."""
        base, member = node.child_by_field_name("object"), node.child_by_field_name("member")
        if base is None:
            return Text(_identifier(member), self.place(node))
        name = _identifier(member)
        outer = self.value(base)
        if isinstance(outer, Foreign):
            return self._imported(outer, name, self.place(node))
        found = self.step(text_of(base), outer, name)
        if found is None and text_of(base) in self.names and any(t.value == name for t in literal_places(outer)):
            return Text(name, self.place(node))  # Kind.tag
        return found or Opaque(f"the member {name}", self.place(node))

    def _imported(self, foreign: Foreign, name: str, place: Place) -> Value:
        path = self.source.path.parent / foreign.module
        others = [path, *(file for file in self.source.beside if file.name == path.name)]
        for file in (file for file in others if file.is_file() and file.suffix == ".zig"):
            other = FILES.at(file, self.source)
            if name in other.names:
                return other.name(name, place)
        return Foreign(name, foreign.module, place)

    def builtin(self, node: Node) -> Value:
        """Return an imported file; `@import` is the only one that names something."""
        argument = first(first(node, "arguments"), "string")
        if text_of(node).startswith("@import") and argument:
            return Foreign("", text_of(argument)[1:-1], self.place(node))
        return Opaque(f"a call of {text_of(first(node))}", self.place(node))

    def instance(self, node: Node) -> Value:
        """Return `.{ ... }` or `T{ ... }`: fields by name, or a list."""
        parts = list(children(first(node, "initializer_list")))
        pairs = [(p, list(children(p))) for p in parts if p.type == "assignment_expression"]
        if pairs:
            entries = tuple((self._field(key), self.value(value)) for _, (key, value) in pairs)
            return Entries(entries, self.place(node))
        return Items(tuple(self.value(part) for part in parts), self.place(node))

    def _field(self, node: Node) -> Text:
        return Text(_identifier(node.child_by_field_name("member")), self.place(node))

    def reference(self, node: Node) -> Value:
        """Return `&x`."""
        return self.value(node.child_by_field_name("argument"))

    def tags(self, node: Node) -> Value:
        """Return the tags of an enumeration or a union, the names of an error set."""
        found = [f.child_by_field_name("name") for f in children(node, "container_field")]
        if node.type == "error_set_declaration":
            found = list(children(node, "identifier"))
        return Items(
            tuple(self._named(tag) for tag in found if tag and text_of(tag) not in ("", "_")), self.place(node)
        )

    def struct(self, node: Node) -> Value:
        """Return the fields of a struct; of one without fields, its constants."""
        fields = [
            f for f in children(node, "container_field") if text_of(f) and text_of(f.child_by_field_name("name")) != "_"
        ]
        if not fields:
            inner = ZigModule(self.source, {**self.names, **dict(_constants(node))})
            entries = tuple((Text(name, self.place(value)), inner.value(value)) for name, value in _constants(node))
            return Entries(entries, self.place(node)) if entries else Opaque("an empty struct", self.place(node))
        pairs = ((f.child_by_field_name("name"), f) for f in fields)
        return Record("", tuple((self._named(n), self._shape(f)) for n, f in pairs if n), self.place(node))

    def _named(self, node: Node) -> Text:
        return Text(_identifier(node), self.place(node))

    def _shape(self, field: Node) -> Shape:
        of = field.child_by_field_name("type")
        has_default = any(child.type == "=" for child in field.children)
        shape = self.kind(of) if of else Shape("unknown", self.place(field))
        return Shape(
            shape.kind,
            shape.place,
            required=not has_default and (of is None or of.type != "nullable_type"),
            members=shape.members,
            unstated=NO_CONSTRAINTS,
        )

    def kind(self, node: Node) -> Shape:
        """Return the type of a field."""
        text, place = text_of(node), self.place(node)
        inner = first(node)
        if node.type == "nullable_type" and inner:
            return self.kind(inner)
        if text in ("[]const u8", "[]u8"):
            return Shape("string", place)
        if node.type in ("slice_type", "array_type") and inner:
            return Shape(array_of(self.kind(list(children(node))[-1]).kind), place)
        if _NUMBER.fullmatch(text):
            return Shape("number", place)
        if text in self.names and self.names[text].type == "enum_declaration":
            return to_shape(self.name(text, place))
        return Shape(_KINDS.get(text, " ".join(text.split())), place)

    def operation(self, node: Node) -> Value:
        """Return `a ++ b` of lists, `A || B` of error sets."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = next((child.type for child in node.children if not child.is_named), "")
        a, b = iterate(self.value(left)), iterate(self.value(right))
        if operator == "++":
            return concat(a, b, self.place(node))
        return union(a, b, self.place(node)) if operator == "||" else Opaque("an operation", self.place(node))

    def call(self, node: Node) -> Value:
        """Return the keys of a static map, or the tags of a type that `std` lists."""
        function = node.child_by_field_name("function")
        arguments = [child for child in children(node) if child != function]
        called = text_of(function.child_by_field_name("member") if function else None)
        if called in _OF_A_TYPE and len(arguments) == 1:
            return self.value(arguments[0])
        listed = self.value(arguments[0]) if arguments else None
        if called in ("initComptime", "init") and isinstance(listed, Items):
            keys = tuple(item.items[0] for item in listed.items if isinstance(item, Items) and item.items)
            if keys:
                return Items(keys, self.place(node))
        return Opaque(f"a call of {called or text_of(function)}()", self.place(node))

    HANDLERS = MappingProxyType(
        {
            "string": text,
            "identifier": identifier,
            "field_expression": member,
            "builtin_function": builtin,
            "struct_initializer": instance,
            "anonymous_struct_initializer": instance,
            "unary_expression": reference,
            "enum_declaration": tags,
            "union_declaration": tags,
            "error_set_declaration": tags,
            "struct_declaration": struct,
            "binary_expression": operation,
            "call_expression": call,
        }
    )


def _result(case: Node) -> Node | None:
    last = list(children(case))[-1]
    returned = within(last, "return_expression") if last.type == "block" else None
    return first(returned) if returned else last
