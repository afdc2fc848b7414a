"""Evaluating the few forms of expression that schemas are written in. Nothing is executed.

What cannot be evaluated becomes UNKNOWN and stays it; the caller decides whether that matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.extraction.javascript import syntax
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import UNKNOWN, Function, Lazy, Record, Schema, Scope, Step, Value
from driftgate.extraction.javascript.zod_makers import AmbiguousKindError, KindReader
from driftgate.surface import Place

NAMESPACED: Final = frozenset(
    {
        "any",
        "array",
        "bigint",
        "boolean",
        "custom",
        "date",
        "discriminatedUnion",
        "enum",
        "intersection",
        "lazy",
        "literal",
        "looseObject",
        "nativeEnum",
        "never",
        "null",
        "nullable",
        "nullish",
        "number",
        "object",
        "optional",
        "partialRecord",
        "preprocess",
        "record",
        "strictObject",
        "string",
        "tuple",
        "undefined",
        "union",
        "unknown",
        "url",
    }
)
"""What a schema library's namespace makes: `z.string()` says by its own name what it is."""

_ALSO_METHODS: Final = frozenset({"array", "nullable", "nullish", "optional"})
"""Names of methods too, which take no argument then."""

_VALUE: Final = re.compile(rb"function\b|\[|\{|new Set\(|\([^()]*\)=>|[\w$]+=>|[\w$]+(?:\.[\w$]+)*\(")
"""How a definition begins that can matter here. Other definitions are not parsed."""

_NO_NAMES: Final[Mapping[str, Value]] = MappingProxyType({})
_MAX_DEPTH: Final = 60


class Evaluator:
    """Evaluates expressions of a program's modules; what a module's name stands for is evaluated once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kinds = KindReader(program)
        self.doubts: set[str] = set()
        """What was met and could be read in two ways: to be told where something is missing in the end."""
        self._known: dict[tuple[Module, str], Value] = {}
        self._depth = 0

    def source(self, module: Module, source: bytes) -> Value:
        """Evaluate an expression that was cut out of `module`; UNKNOWN where it cannot be parsed."""
        try:
            node = syntax.parse(source)
        except syntax.JsError:
            return UNKNOWN
        return self.node(node, Scope(module, _NO_NAMES))

    def factory(self, module: Module, callee: str) -> str | None:
        """Return the kind of schema that calling `callee` makes: `z.object` says so itself, `u` has to be looked up."""
        _, dot, last = callee.rpartition(".")
        if dot:
            return last if last in NAMESPACED else None
        try:
            return self._kinds.kind_of(module, callee)
        except AmbiguousKindError as error:
            self.doubts.add(str(error))
            return None

    def force(self, value: Value) -> Value:
        """Return what a lazy value stands for: that of a local variable, of a getter, of the library's `lazy`."""
        for _ in range(_MAX_DEPTH):
            if isinstance(value, Lazy):
                value = self.node(value.node, value.scope)
            elif isinstance(value, Schema) and value.kind == "lazy" and value.args:
                inner = self.call(self.force(value.args[0]), ())
                if not isinstance(inner, Schema):
                    return UNKNOWN
                value = Schema(inner.kind, inner.args, inner.steps + value.steps)
            else:
                return value
        return UNKNOWN

    def node(self, node: Node, scope: Scope) -> Value:
        """Evaluate one node."""
        if self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            return self._node(node, scope)
        finally:
            self._depth -= 1

    def _node(self, node: Node, scope: Scope) -> Value:  # noqa: C901 - one case a node type reads best in one place
        match node.type:
            case "Literal":
                return node.value if node.value is None or isinstance(node.value, str | int | float) else UNKNOWN
            case "TemplateLiteral":
                # What a template inserts is not known; what is asked of such texts (marks in a description) stands in
                # its fixed parts.
                return "".join(part.value.cooked or "" for part in node.quasis)
            case "BinaryExpression" if node.operator == "+":
                return _joined(self.value(node.left, scope), self.value(node.right, scope))
            case "UnaryExpression" if node.operator == "!" and node.argument.type == "Literal":
                return not node.argument.value
            case "ArrayExpression":
                return self._array(node, scope)
            case "ObjectExpression":
                return self._object(node, scope)
            case "Identifier":
                return self.name(node.name, scope)
            case "ArrowFunctionExpression" | "FunctionExpression":
                return Function(node, scope)
            case "CallExpression":
                return self._call(node, scope)
            case "NewExpression" if getattr(node.callee, "name", None) == "Set" and len(node.arguments) == 1:
                return Schema("Set", (self.value(node.arguments[0], scope),))
            case "MemberExpression" if not node.computed:
                owner = self.value(node.object, scope)
                return owner.members.get(node.property.name, UNKNOWN) if isinstance(owner, Record) else UNKNOWN
            case _:
                return UNKNOWN

    def value(self, node: Node, scope: Scope) -> Value:
        """Evaluate one node, and what it stands for if that is lazy."""
        return self.force(self.node(node, scope))

    def name(self, name: str, scope: Scope) -> Value:
        """Return what a name stands for: a local variable, or a definition of the module or of one it imports from."""
        if name in scope.names:
            return self.force(scope.names[name])
        return self.global_name(scope.module, name)

    def global_name(self, module: Module, name: str) -> Value:
        """Return what a module's name stands for; UNKNOWN where its definitions differ or none can be evaluated."""
        key = (module, name)
        if key not in self._known:
            self._known[key] = UNKNOWN  # ends a cycle
            elsewhere = self._program.resolve(module, name)
            if elsewhere is not None:
                self._known[key] = self.global_name(*elsewhere)
            else:
                found = (self.source(module, each.source) for each in module.definitions(name, _VALUE))
                self._known[key] = _agreed([value for value in found if value is not UNKNOWN])
        return self._known[key]

    def place_of(self, module: Module, name: str) -> Place | None:
        """Return where a module's name is defined; None where that is not one place."""
        elsewhere = self._program.resolve(module, name)
        if elsewhere is not None:
            return self.place_of(*elsewhere)
        places = [module.place(each.offset) for each in module.definitions(name, _VALUE)]
        return places[0] if len(places) == 1 else None

    def uses_of(self, module: Module, name: str) -> Iterator[tuple[Module, str]]:
        """Yield the modules in which a module's name can be used, and the name it has there."""
        yield module, name
        if name not in module.exports.values():
            return
        for other in self._program.modules:
            if other is not module:
                for local in other.imports:
                    if self._program.resolve(other, local) == (module, name):
                        yield other, local

    def call(self, function: Value, args: tuple[Value, ...]) -> Value:
        """Evaluate the body of a function for these arguments."""
        if not isinstance(function, Function):
            return UNKNOWN
        node, scope = function.node, function.scope
        names: dict[str, Value] = {**scope.names, **{name: UNKNOWN for each in node.params for name in _targets(each)}}
        for parameter, value in zip(node.params, args, strict=False):
            if parameter.type == "Identifier":
                names[parameter.name] = value
        inner = Scope(scope.module, names)
        if node.body.type != "BlockStatement":
            return self.value(node.body, inner)
        for statement in node.body.body:
            if statement.type == "VariableDeclaration":
                for declared in statement.declarations:
                    names.update(self._bound(declared.id, declared.init, inner))
            elif statement.type == "FunctionDeclaration":
                names[statement.id.name] = Function(statement, inner)
            elif statement.type == "ReturnStatement":
                return self.value(statement.argument, inner) if statement.argument is not None else UNKNOWN
        return UNKNOWN

    def _bound(self, target: Node, init: Node | None, scope: Scope) -> Iterator[tuple[str, Value]]:
        """Yield the variables that a declaration makes. One that cannot be evaluated hides outer ones all the same."""
        yield from ((name, UNKNOWN) for name in _targets(target))
        if target.type == "Identifier" and init is not None:
            yield target.name, Lazy(init, scope)
        elif target.type == "ObjectPattern" and isinstance(value := self.value(init, scope), Record):
            for member in target.properties:
                if getattr(getattr(member, "value", None), "type", "") == "Identifier":
                    yield member.value.name, value.members.get(_key(member) or "", UNKNOWN)

    def _array(self, node: Node, scope: Scope) -> Value:
        items: list[Value] = []
        for element in node.elements:
            if element is None:
                return UNKNOWN
            if element.type == "SpreadElement":
                inner = self.value(element.argument, scope)
                if not isinstance(inner, tuple):
                    return UNKNOWN
                items.extend(inner)
            else:
                items.append(self.node(element, scope))
        return tuple(items)

    def _object(self, node: Node, scope: Scope) -> Value:
        members: dict[str, Value] = {}
        for member in node.properties:
            if member.type == "SpreadElement":
                inner = self.value(member.argument, scope)
                if not isinstance(inner, Record):
                    return UNKNOWN
                members.update(inner.members)
            elif (key := _key(member)) is not None and not member.computed:
                members[key] = Lazy(member.value, scope)
            else:
                return UNKNOWN
        return Record(MappingProxyType(members))

    def _call(self, node: Node, scope: Scope) -> Value:
        callee = node.callee
        if callee.type == "MemberExpression" and not callee.computed:
            return self._method(callee, node.arguments, scope)
        if callee.type != "Identifier":
            return self.call(self.value(callee, scope), self._args(node.arguments, scope))
        if callee.name not in scope.names:
            kind = self.factory(scope.module, callee.name)
            if kind is not None:
                return Schema(kind, self._args(node.arguments, scope))
            if _only_a_thunk(node.arguments):
                # Whatever wraps it (a memoiser, most likely imported), calling the result gives what the thunk gives.
                return self.node(node.arguments[0], scope)
        return self.call(self.name(callee.name, scope), self._args(node.arguments, scope))

    def _method(self, callee: Node, arguments: list[Node], scope: Scope) -> Value:
        name = callee.property.name
        if name == "freeze" and getattr(callee.object, "name", "") == "Object" and len(arguments) == 1:
            return self.node(arguments[0], scope)
        if name in NAMESPACED and (name not in _ALSO_METHODS or arguments) and _is_namespace(callee.object, scope):
            return Schema(name, self._args(arguments, scope))
        owner = self.value(callee.object, scope)
        if isinstance(owner, Schema):
            return Schema(owner.kind, owner.args, (*owner.steps, Step(name, self._args(arguments, scope))))
        if isinstance(owner, Record) and name in owner.members:
            return self.call(self.force(owner.members[name]), self._args(arguments, scope))
        return UNKNOWN

    def _args(self, arguments: Iterable[Node], scope: Scope) -> tuple[Value, ...]:
        return tuple(Lazy(each, scope) for each in arguments)


def _joined(left: Value, right: Value) -> Value:
    return left + right if isinstance(left, str) and isinstance(right, str) else UNKNOWN


def _agreed(values: list[Value]) -> Value:
    """Return the one value that all definitions of a name have; functions cannot be compared, so they must be one."""
    if not values or any(value != values[0] for value in values[1:]):
        return UNKNOWN
    return values[0]


def _targets(node: Node) -> Iterator[str]:
    """Yield the names that a parameter or a declaration binds."""
    return (each.name for each in syntax.walk(node) if each.type == "Identifier")


def _key(member: Node) -> str | None:
    key = getattr(member, "key", None)
    if key is None:
        return None
    found = key.name if key.type == "Identifier" else key.value
    return found if isinstance(found, str) else None


def _only_a_thunk(arguments: list[Node]) -> bool:
    return len(arguments) == 1 and arguments[0].type == "ArrowFunctionExpression" and not arguments[0].params


def _is_namespace(node: Node, scope: Scope) -> bool:
    """Tell whether `node` is a library's namespace (`z`, or `z.coerce`) rather than a value of this program."""
    while node.type == "MemberExpression":
        node = node.object
    return bool(node.type == "Identifier" and node.name not in scope.names)
