"""The reader of Go: typed constants, slices, maps, structs with JSON names.

`events.go#HookEvent` is the set of the constants of the type HookEvent, `events.go#Event*` that of the text constants
whose names begin with Event. Names of other files of the package are found beside the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.algebra import concat, iterate, merge_records, to_shape
from driftgate.declared.go_uses import Change, FileUses
from driftgate.declared.kind_words import array_of, record_of
from driftgate.declared.module import Module
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, first, parse, text_of
from driftgate.declared.unreadable import missing
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
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_go")
_NUMBER: Final = re.compile(r"(?:u?int\d*|float\d+|time\.Duration)\Z")
_COUNTED: Final = "iota, which gives numbers"
_LISTS: Final = frozenset({"slice_type", "array_type", "implicit_length_array_type"})
_UNKNOWN: Final = frozenset({"any", "interface{}", "json.RawMessage"})
_TAGS: Final = tuple(re.compile(rf'\b{kind}:"([^",]*)(,[^"]*)?"') for kind in ("json", "yaml"))


def read(source: Source, name: str) -> Value:
    """Return the value of `name`: a variable, a constant, a type (its constants, or its fields), or `Prefix*`.

    Raises:
        DeclaredError: the file has no such name.
    """
    module = _opened(source)
    return module.beginning(name[:-1]) if name.endswith("*") else module.read(name.split("."))


def stated(source: Source) -> Iterator[Stated]:
    """Yield the types and variables of a file; single text constants are no sets."""
    module = _opened(source)
    for name, node in module.names.items():
        value = module.name(name, module.place(node))
        if not isinstance(value, Text):
            yield Stated(name, value, module.place(node))


def _module(source: Source) -> GoModule:
    root = parse(source, GRAMMAR)
    module = GoModule(source, root)
    for declaration in children(root):
        module.declare(declaration)
    return module


FILES: Final = Opened(_module)
"""The parsed files."""


def _opened(source: Source) -> GoModule:
    """Parse a file, or take what was read of it last time, unless another file of its package changed on disk."""
    module = FILES.of(source)
    if module.is_stale():
        FILES.forget(source)
    return FILES.of(source)


class GoModule(Module):
    """One Go file. `of_type` are the constants of each type, `siblings` the other files of the package once read."""

    __slots__ = ("_siblings", "_uses", "constants", "given", "of_type", "root", "variables")

    def __init__(self, source: Source, root: Node) -> None:
        super().__init__(source)
        self.root = root
        self.constants: list[str] = []
        self.of_type: dict[str, list[str]] = {}
        self.variables: set[str] = set()
        self.given: dict[str, Value] = {}
        self._uses: FileUses | None = None
        self._siblings: tuple[GoModule, ...] | None = None

    def declare(self, declaration: Node) -> None:
        """Note what a top-level declaration defines."""
        match declaration.type:
            case "const_declaration":
                for spec in children(declaration, "const_spec"):
                    self._constant(spec)
            case "var_declaration":
                for spec in self._specs(declaration, "var_spec"):
                    self.variables.update(self._bind(spec))
            case "type_declaration":
                for spec in children(declaration, "type_spec", "type_alias"):
                    self.names[text_of(spec.child_by_field_name("name"))] = spec
            case "function_declaration":
                self._function(declaration)
            case _:
                return

    def _specs(self, declaration: Node, kind: str) -> Iterator[Node]:
        for child in children(declaration):
            yield from [child] if child.type == kind else children(child, kind)

    def _bind(self, spec: Node) -> list[str]:
        names = [text_of(name) for name in spec.children_by_field_name("name")]
        values = list(children(spec.child_by_field_name("value")))
        for name, value in zip(names, values, strict=False):
            self.names[name] = value
        return names[: len(values)]

    def _constant(self, spec: Node) -> None:
        of = text_of(spec.child_by_field_name("type"))
        for name in self._bind(spec):
            self.constants.append(name)
            call = self.names[name]
            if not of and call.type == "call_expression":  # Event("PreToolUse")
                of = text_of(call.child_by_field_name("function"))
            self.of_type.setdefault(of, []).append(name)

    def _function(self, declaration: Node) -> None:
        name = text_of(declaration.child_by_field_name("name"))
        if name != "init":
            self.names[name] = declaration

    def name(self, name: str, at: Place) -> Value:
        """Return what `name` stands for, unless something in the package changes it."""
        value = super().name(name, at)
        if name not in self.variables or isinstance(value, Opaque | Foreign):
            return value
        for file in (self, *self.siblings()):
            if found := file.change(name):
                return Opaque(f"{name}, {found.what}", file.place(found.node))
        return value

    def change(self, name: str) -> Change | None:
        """Return a use of the package's variable `name` in this file that may change it."""
        if name not in self.source.text:
            return None
        if self._uses is None:
            self._uses = FileUses(self.root)
        return self._uses.change(name)

    def siblings(self) -> tuple[GoModule, ...]:
        """Return the other files of the package."""
        if self._siblings is None:
            self._siblings = tuple(FILES.at(path, self.source) for path in self._beside())
        return self._siblings

    def _beside(self) -> Iterator[Path]:
        for path in sorted(self.source.path.parent.glob("*.go")):
            if path.name != self.source.path.name and not path.name.endswith("_test.go"):
                yield path

    def is_stale(self) -> bool:
        """Return whether another file of the package is not what it was when it was looked at."""
        return self._siblings is not None and self._siblings != tuple(FILES.at(p, self.source) for p in self._beside())

    def outside(self, name: str, at: Place) -> Value:
        """Look in the other files of the package."""
        found = next((module for module in self.siblings() if name in module.names), None)
        return found.name(name, at) if found else super().outside(name, at)

    def beginning(self, prefix: str) -> Value:
        """Return the text constants whose names begin with `prefix`."""
        found = [name for name in self.constants if name.startswith(prefix)]
        values = tuple(self.name(name, Place(self.source.shown)) for name in found)
        named = tuple(value for value in values if isinstance(value, Text))
        if not named:
            raise missing(prefix + "*", self.source, [name + "*" for name in self.constants])
        return Items(named, named[0].place)

    def text(self, node: Node) -> Value:
        """Return a string's value."""
        body = text_of(node)
        try:
            value = body[1:-1] if node.type == "raw_string_literal" else str(json.loads(body))
        except ValueError:
            value = body[1:-1]
        return Text(value, self.place(node))

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for; a constant stands for its text, where it is used."""
        if text_of(node) in self.given:
            return self.given[text_of(node)]
        value = self.name(text_of(node), self.place(node))
        return Text(value.value, self.place(node)) if isinstance(value, Text) else value

    def selector(self, node: Node) -> Value:
        """Return a name of another package."""
        return Foreign(
            text_of(node.child_by_field_name("field")), text_of(node.child_by_field_name("operand")), self.place(node)
        )

    def composite(self, node: Node) -> Value:
        """Return a slice, a map, or a struct's value."""
        return self._literal(node.child_by_field_name("body"), node.child_by_field_name("type"))

    def element(self, node: Node) -> Value:
        """Return an element of a composite literal."""
        return self.value(first(node))

    def nested(self, node: Node) -> Value:
        """Return a composite literal whose type is left out."""
        return self._literal(node, None)

    def _literal(self, body: Node | None, of: Node | None) -> Value:
        parts = list(children(body))
        place = self.place(of or body) if body else Place(self.source.shown)
        keyed = [part for part in parts if part.type == "keyed_element"]
        if of is not None and of.type in _LISTS:  # what stands before a colon is a position
            return Items(tuple(self._value(p) if p.type == "keyed_element" else self.value(p) for p in parts), place)
        if keyed or (of is not None and of.type == "map_type"):
            is_map = of is not None and of.type == "map_type"
            pairs = [(self._key(part, is_map=is_map), self._value(part)) for part in keyed]
            if any(isinstance(key, Opaque) and key.what == _COUNTED for key, _ in pairs):  # a number names nothing
                return Items(tuple(value for _, value in pairs), place)
            unread = next((key for key, _ in pairs if not isinstance(key, Text)), None)
            return unread or Entries(tuple((key, value) for key, value in pairs if isinstance(key, Text)), place)
        return Items(tuple(self.value(part) for part in parts), place)

    def _key(self, part: Node, *, is_map: bool) -> Value:
        key = first(part.child_by_field_name("key"))
        if key is not None and key.type == "identifier" and not is_map and text_of(key) not in self.names:
            return Text(text_of(key), self.place(key))  # the field of a struct
        return self.value(key)

    def _value(self, part: Node) -> Value:
        return self.value(part.child_by_field_name("value"))

    def call(self, node: Node) -> Value:
        """Return what a conversion, `append` or a function with one plain `return` gives."""
        function, arguments = (
            node.child_by_field_name("function"),
            list(children(node.child_by_field_name("arguments"))),
        )
        name = text_of(function)
        if name == "append" and arguments:
            rest = tuple(item for argument in arguments[1:] for item in self._appended(argument))
            return concat(iterate(self.value(arguments[0])), rest, self.place(node))
        definition = self.names.get(name)
        if definition is not None and definition.type == "type_spec" and len(arguments) == 1:
            return self.value(arguments[0])
        if definition is not None and definition.type == "function_declaration":
            return self._called(definition, arguments)
        return Opaque(f"a call of {name[:40]}()", self.place(node))

    def _called(self, function: Node, arguments: list[Node]) -> Value:
        """Return what a function with one plain `return` gives for these arguments."""
        parameters = (
            text_of(name)
            for declaration in children(function.child_by_field_name("parameters"), "parameter_declaration")
            for name in declaration.children_by_field_name("name")
        )
        given = dict(zip(parameters, (self.value(argument) for argument in arguments), strict=False))
        outer, self.given = self.given, given
        try:
            return self.value(function)
        finally:
            self.given = outer

    def _appended(self, argument: Node) -> tuple[Value, ...]:
        value = self.value(first(argument) if argument.type == "variadic_argument" else argument)
        return iterate(value) if argument.type == "variadic_argument" else (value,)

    def function(self, node: Node) -> Value:
        """Return what a function with one `return` gives."""
        body = first(node.child_by_field_name("body"), "statement_list") or node.child_by_field_name("body")
        statements = list(children(body))
        if len(statements) != 1 or statements[0].type != "return_statement":
            return Opaque("a function without a plain return", self.place(node))
        value = first(first(statements[0], "expression_list"))
        return self.value(value) if value else Opaque("a function without a plain return", self.place(node))

    def type_(self, node: Node) -> Value:
        """Return the constants of a type; of a struct, its fields."""
        name, of = text_of(node.child_by_field_name("name")), node.child_by_field_name("type")
        if of is not None and of.type == "struct_type":
            return self.struct(of, name)
        if constants := self.of_type.get(name):
            values = tuple(self.name(constant, self.place(node)) for constant in constants)
            return Items(values, self.place(node))
        return self.kind(of) if of else Opaque(f"the type {name}", self.place(node))

    def struct(self, node: Node, name: str = "") -> Record:
        """Return the fields of a struct under their JSON names; embedded structs give theirs."""
        parts = []
        for declaration in children(first(node, "field_declaration_list"), "field_declaration"):
            names, of = declaration.children_by_field_name("name"), declaration.child_by_field_name("type")
            if of is None:
                continue
            if not names:
                inner = self.name(text_of(of).lstrip("*"), self.place(of))
                parts += [inner] if isinstance(inner, Record) else []
            parts += [self._field(declaration, field, of) for field in names]
        return replace(merge_records(name, parts, self.place(node)), strict=self._refuses_others())

    def _refuses_others(self) -> bool:
        """Whether a decoder of this file refuses fields that a struct does not have."""
        return ".DisallowUnknownFields()" in self.source.text

    def _field(self, declaration: Node, field: Node, of: Node) -> Record:
        tag = declaration.child_by_field_name("tag")
        match = next(filter(None, (pattern.search(text_of(tag)) for pattern in _TAGS)), None)
        written, options = match.groups() if match else ("", "")
        if written == "-" or not (written or text_of(field)[:1].isupper()):  # one that is not exported has no name
            return Record("", (), self.place(field))
        key = Text(written or text_of(field), self.place(tag if written and tag else field))
        optional = of.type == "pointer_type" or any(word in (options or "") for word in ("omitempty", "omitzero"))
        shape = self.kind(of)
        field_ = Shape(shape.kind, shape.place, not optional, shape.members, unstated=NO_CONSTRAINTS)
        return Record("", ((key, field_),), key.place)

    def kind(self, node: Node) -> Shape:
        """Return the type of a field."""
        text, place = text_of(node), self.place(node)
        if node.type == "pointer_type":
            inner = first(node)
            return self.kind(inner) if inner else Shape("unknown", place)
        if text in ("string", "bool") or _NUMBER.match(text):
            return Shape({"string": "string", "bool": "boolean"}.get(text, "number"), place)
        if text in _UNKNOWN:
            return Shape("unknown", place)
        if node.type in ("slice_type", "array_type"):
            element = node.child_by_field_name("element")
            return Shape(array_of(self.kind(element).kind if element else "unknown"), place)
        if node.type == "map_type":
            parts = [node.child_by_field_name("key"), node.child_by_field_name("value")]
            return Shape(record_of([self.kind(part).kind for part in parts if part]), place)
        if text in self.of_type:
            return to_shape(self.name(text, place))
        return Shape(" ".join(text.split()), place)

    def counted(self, node: Node) -> Value:
        """Return a number that the compiler gives."""
        return Opaque(_COUNTED, self.place(node))

    def boolean(self, node: Node) -> Value:
        """Return a value that is no name."""
        return Opaque(f"the value {text_of(node)}", self.place(node))

    HANDLERS = MappingProxyType(
        {
            "interpreted_string_literal": text,
            "raw_string_literal": text,
            "identifier": identifier,
            "selector_expression": selector,
            "composite_literal": composite,
            "literal_element": element,
            "literal_value": nested,
            "call_expression": call,
            "type_conversion_expression": call,
            "function_declaration": function,
            "type_spec": type_,
            "type_alias": type_,
            "iota": counted,
            "true": boolean,
            "false": boolean,
            "int_literal": boolean,
        }
    )
