"""Evaluating the forms of expression that schemas are written in. Nothing is executed.

What is not understood becomes an `Unknown` that says what it was and where, and what is made of it is unknown too: a
method, a callee, an argument, a statement, a spread, an insertion, a condition. Whoever needs the value raises that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from driftgate.extraction.javascript import builtins, memoisers, schemas, settling, statements, syntax
from driftgate.extraction.javascript.library import KIND_NAMES, is_free, is_library, is_namespace, may_be_namespace
from driftgate.extraction.javascript.module import ALL, DEFAULT, Module, Program
from driftgate.extraction.javascript.operators import binary, unary
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Builtin,
    Function,
    Lazy,
    Maker,
    Namespace,
    Pattern,
    Record,
    Schema,
    Scope,
    SetOf,
    Step,
    Unknown,
    Value,
    is_plain,
    truth,
    written,
)
from driftgate.extraction.javascript.zod_makers import AmbiguousKindError, KindReader
from driftgate.surface import Place

_NO_NAMES: Final[Mapping[str, Value]] = MappingProxyType({})
_CONSTANTS: Final[Mapping[str, Value]] = MappingProxyType(
    {"undefined": UNDEFINED, "NaN": float("nan"), "Infinity": float("inf")}
)
_MAX_DEPTH: Final = 80

Name = tuple[Module, str]
"""A module's own name."""


class Evaluator:
    """Evaluates expressions of a program's modules; what a module's name stands for is evaluated once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._kinds = KindReader(program)
        self.doubts: set[str] = set()
        """What was met and could be read in two ways: to be told where something is missing in the end."""
        self.settled: dict[Name, frozenset[int]] = {}
        """Where a module's name is changed before it is used: its value takes these statements in."""
        self._known: dict[Name, Value] = {}
        self._used_by: dict[Name, set[Name]] = {}
        self._used: set[Name] = set()
        self._depth = 0

    # --- the way in --------------------------------------------------------------------------------------------------

    def source(self, module: Module, source: bytes, offset: int = 0) -> Value:
        """Evaluate an expression that was cut out of `module` at byte `offset`."""
        try:
            node = syntax.parse(source)
        except syntax.JsError as error:
            return Unknown(f"an expression that cannot be parsed ({error})", module.place(offset))
        return self.node(node, self.scope(module, source, offset))

    def scope(self, module: Module, source: bytes, offset: int) -> Scope:
        """Return the scope of an expression that was cut out of `module` at byte `offset`."""
        return Scope(module, _NO_NAMES, source.decode(errors="replace"), offset)

    @contextmanager
    def contributions(self) -> Iterator[set[Name]]:
        """Collect the modules' names that what is evaluated meanwhile is made of."""
        outer, self._used = self._used, set()
        try:
            yield self._used
        finally:
            outer |= self._used
            self._used = outer

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Evaluate something that contributes to no set: a text for people, a guess."""
        outer, self._used = self._used, set()
        try:
            yield
        finally:
            self._used = outer

    def force(self, value: Value) -> Value:
        """Return what a lazy value stands for: that of a local variable, of a getter, of the library's `lazy`."""
        for _ in range(_MAX_DEPTH):
            if isinstance(value, Lazy):
                value = self.node(value.node, value.scope)
            elif isinstance(value, Schema) and value.kind == "lazy" and value.args:
                inner = self.call(self.force(value.args[0]), (), value.place)
                if not isinstance(inner, Schema):
                    return inner if isinstance(inner, Unknown) else Unknown("a lazy schema that is none", value.place)
                value = Schema(inner.kind, inner.args, inner.steps + value.steps, value.place, inner.coerces)
            else:
                return value
        return Unknown("a value that leads to itself")

    def plain(self, value: Value) -> object:
        """Return a value as plain data: texts, numbers, truth values, None, tuples, dicts; Unknown in any depth stays.

        Schemas and functions are returned as they are.
        """
        value = self.force(value)
        match value:
            case tuple():
                return tuple(self.plain(each) for each in value)
            case SetOf():
                return tuple(self.plain(each) for each in value.members)
            case Record():
                return {name: self.plain(each) for name, each in value.members.items()}
            case _:
                return value

    # --- names -------------------------------------------------------------------------------------------------------

    def factory(self, module: Module, callee: str) -> str | None:
        """Return the kind of schema that calling `callee` makes: `z.object` says so itself, `u` has to be looked up."""
        first, *rest = callee.split(".")
        imported = module.imports.get(first)
        if not rest and not (imported and is_library(imported.specifier)):
            return self._kind(module, first)
        if rest and rest[-1] not in KIND_NAMES:
            return None
        value: Value = self.name(first, Scope(module, _NO_NAMES))
        for part in rest:
            value = self.member(value, part, None)
        return value.kind if isinstance(value, Maker) else None

    def name(self, name: str, scope: Scope, node: Node | None = None) -> Value:
        """Return what a name stands for: a local variable, or a definition of the module or of one it imports from."""
        if name in scope.names:
            return self.force(scope.names[name])
        found = self.global_name(scope.module, name)
        if isinstance(found, Unknown) and found.place is None and node is not None:
            return Unknown(found.what, scope.place(node))
        return found

    def global_name(self, module: Module, name: str) -> Value:
        """Return what a module's name stands for; Unknown where it is defined nowhere, or more than once."""
        key = (module, name)
        self._used.add(key)
        if key not in self._known:
            self._known[key] = Unknown(f"`{name}` leads to itself")  # ends a cycle
            with self.contributions() as used:
                self._known[key] = self._global(module, name)
            self._used_by[key] = used
        self._used |= self._used_by.get(key, set())
        return self._known[key]

    def _global(self, module: Module, name: str) -> Value:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        imported = module.imports.get(name)
        if imported is not None:
            return self._imported(module, name, imported.name, imported.specifier)
        kind = self._kind(module, name)
        if kind is not None:
            return Maker(kind)
        if module.is_common(name) and is_namespace(module, name):
            return Namespace()
        return self._defined(module, name)

    def _defined(self, module: Module, name: str) -> Value:
        found = module.defined(name)
        if not found:
            return _not_defined(module, name)
        made = settling.changes(module, name) if len(found) > 1 or not module.is_common(name) else None
        if made is not None:
            self.settled[module, name] = frozenset(change.offset for change in made)
            return settling.value_of(self, module, name, made)
        if len(found) > 1:
            places = ", ".join(str(module.place(each.offset)) for each in found[:4])
            return Unknown(f"`{name}` is given a value {len(found)} times ({places})", module.place(found[1].offset))
        (one,) = found
        if one.value is None:
            return Unknown(f"the end of the definition of `{name}` is not found", module.place(one.offset))
        if may_be_namespace(one.value.source) and is_namespace(module, name):
            return Namespace()
        return self.source(module, one.value.source, one.value.offset)

    def _imported(self, module: Module, name: str, exported: str, specifier: str) -> Value:
        if is_library(specifier):
            return Namespace() if exported in (ALL, DEFAULT) else _of_namespace(Namespace(), exported)
        elsewhere = self.program.resolve(module, name)
        if elsewhere is not None:
            return self.global_name(*elsewhere)
        return Unknown(f"`{name}` is imported from {specifier}, which is not among the modules that were read")

    def _kind(self, module: Module, name: str) -> str | None:
        try:
            return self._kinds.kind_of(module, name)
        except AmbiguousKindError as error:
            self.doubts.add(str(error))
            return None

    def place_of(self, module: Module, name: str) -> Place | None:
        """Return where a module's name is given its value; None where that is not one place."""
        elsewhere = self.program.resolve(module, name)
        if elsewhere is not None:
            return self.place_of(*elsewhere)
        found = module.defined(name)
        return module.place(found[0].value.offset) if len(found) == 1 and found[0].value else None

    def uses_of(self, module: Module, name: str) -> Iterator[Name]:
        """Yield the modules in which a module's name can be used, and the name it has there."""
        yield module, name
        if name not in module.exports.values():
            return
        for other in self.program.modules:
            if other is not module:
                for local in other.imports:
                    if self.program.resolve(other, local) == (module, name):
                        yield other, local

    # --- expressions -------------------------------------------------------------------------------------------------

    def node(self, node: Node, scope: Scope) -> Value:
        """Evaluate one node."""
        if self._depth > _MAX_DEPTH:
            return Unknown("an expression that is nested too deeply", scope.place(node))
        self._depth += 1
        try:
            how = _NODES.get(node.type)
            return (
                how(self, node, scope) if how else Unknown(f"{_noun(node.type)} is not understood", scope.place(node))
            )
        finally:
            self._depth -= 1

    def value(self, node: Node, scope: Scope) -> Value:
        """Evaluate one node, and what it stands for if that is lazy."""
        return self.force(self.node(node, scope))

    def _literal(self, node: Node, scope: Scope) -> Value:
        if getattr(node, "regex", None) is not None:
            return Pattern(node.regex.pattern, node.regex.flags)
        if str(getattr(node, "raw", "")).endswith("n") and not isinstance(node.value, str):
            return Unknown("a BigInt is not understood", scope.place(node))
        if node.value is None or isinstance(node.value, str | int | float):
            return node.value
        return Unknown(f"the literal {node.raw} is not understood", scope.place(node))

    def _template(self, node: Node, scope: Scope) -> Value:
        parts: list[str] = [node.quasis[0].value.cooked]
        for inserted, text in zip(node.expressions, node.quasis[1:], strict=True):
            value = self.value(inserted, scope)
            if isinstance(value, Unknown):
                return Unknown(f"what a template inserts is not known ({value.what})", scope.place(inserted))
            if not is_plain(value):
                return Unknown("what a template inserts is no text and no number", scope.place(inserted))
            parts += [value if isinstance(value, str) else written(value), text.value.cooked]
        return "".join(parts)

    def _binary(self, node: Node, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return binary(node.operator, left, right, scope.place(node))

    def _unary(self, node: Node, scope: Scope) -> Value:
        if node.operator == "void":
            return UNDEFINED
        return unary(node.operator, self.value(node.argument, scope), scope.place(node))

    def _logical(self, node: Node, scope: Scope) -> Value:
        left = self.value(node.left, scope)
        if isinstance(left, Unknown):
            return left
        known = truth(left)
        if known is not None and node.operator == "??":
            known = left is not None and left is not UNDEFINED
        if known is None:
            return Unknown("a condition that is not constant", scope.place(node.left))
        takes_left = known if node.operator in ("||", "??") else not known
        return left if takes_left else self.value(node.right, scope)

    def _conditional(self, node: Node, scope: Scope) -> Value:
        test = self.value(node.test, scope)
        holds = truth(test)
        if holds is None:
            return Unknown(f"a condition that is not constant ({describe(test)})", scope.place(node.test))
        return self.value(node.consequent if holds else node.alternate, scope)

    def _sequence(self, node: Node, scope: Scope) -> Value:
        for each in node.expressions[:-1]:
            if not statements.is_idle(each, scope.names):
                return Unknown("what is done before a value in a sequence is not understood", scope.place(each))
        return self.node(node.expressions[-1], scope)

    def _array(self, node: Node, scope: Scope) -> Value:
        items: list[Value] = []
        for element in node.elements:
            if element is None:
                return Unknown("a list with a hole", scope.place(node))
            if element.type != "SpreadElement":
                items.append(Lazy(element, scope))
                continue
            inner = builtins.items_of(self.value(element.argument, scope))
            if isinstance(inner, Unknown):
                return Unknown(f"what a list spreads is not known ({inner.what})", scope.place(element))
            items += inner
        return tuple(items)

    def _object(self, node: Node, scope: Scope) -> Value:
        members: dict[str, Value] = {}
        for member in node.properties:
            if member.type == "SpreadElement":
                inner = self.value(member.argument, scope)
                if inner in (None, UNDEFINED, False):
                    continue
                if not isinstance(inner, Record):
                    what = inner.what if isinstance(inner, Unknown) else "it is no object"
                    return Unknown(f"what an object spreads is not known ({what})", scope.place(member))
                members.update(inner.members)
                continue
            key = self.key(member, scope)
            if isinstance(key, Unknown):
                return key
            if member.kind != "init":
                return Unknown(f"the member `{key}` is a getter or setter", scope.place(member))
            if key != "__proto__":
                members[key] = Lazy(member.value, scope)
            elif not (member.value.type == "Literal" and member.value.value is None):
                return Unknown("an object with a prototype", scope.place(member))
        return Record(MappingProxyType(members))

    def key(self, member: Node, scope: Scope) -> str | Unknown:
        """Return the name of a member of an object literal or pattern."""
        key = member.key
        if not member.computed:
            return key.name if key.type == "Identifier" else _key_text(key.value)
        value = self.value(key, scope)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return _key_text(value)
        return Unknown("a computed key is not known", scope.place(member))

    def _identifier(self, node: Node, scope: Scope) -> Value:
        return self.name(node.name, scope, node)

    def _function(self, node: Node, scope: Scope) -> Value:
        return Function(node, scope)

    def _assigned(self, node: Node, scope: Scope) -> Value:
        if node.operator == "=" and node.left.type == "Identifier":
            return self.value(node.right, scope)
        return Unknown("an assignment inside of an expression is not understood", scope.place(node))

    def _new(self, node: Node, scope: Scope) -> Value:
        name = node.callee.name if node.callee.type == "Identifier" else ""
        if name != "Set" or name in scope.names or scope.module.defined(name):
            return Unknown(f"`new {name or '...'}` is not understood", scope.place(node))
        if not node.arguments:
            return SetOf(())
        items = builtins.items_of(self.value(node.arguments[0], scope))
        return items if isinstance(items, Unknown) else SetOf(self.distinct(items))

    def distinct(self, items: Iterable[Value]) -> tuple[Value, ...]:
        """Return values each once, as a set holds them; what is no plain value is kept as it is."""
        found: dict[object, Value] = {}
        for each in items:
            value = self.force(each)
            found.setdefault((type(value), value) if is_plain(value) else id(each), value)
        return tuple(found.values())

    def _member(self, node: Node, scope: Scope) -> Value:
        owner = self.value(node.object, scope)
        if isinstance(owner, Unknown):
            return owner
        if node.optional and owner in (None, UNDEFINED):
            return UNDEFINED
        name: Value = self.value(node.property, scope) if node.computed else node.property.name
        if isinstance(name, Unknown):
            return Unknown(f"which member is meant is not known ({name.what})", scope.place(node))
        return self.member(owner, name, scope.place(node))

    def member(self, owner: Value, name: Value, place: Place | None) -> Value:
        """Return a member of a value."""
        match owner:
            case Unknown():
                return owner
            case Namespace() if isinstance(name, str):
                return _of_namespace(owner, name)
            case Record() if isinstance(name, str | int):
                key = _key_text(name)
                return self.force(owner.members[key]) if key in owner.members else builtins.absent(key, place)
            case Schema() if isinstance(name, str):
                return schemas.member(self, owner, name, place)
            case tuple() | str() | SetOf() | Builtin():
                return builtins.member(owner, name, place)
            case _:
                return Unknown(f"the member `{name}` of {describe(owner)} is not understood", place)

    def _chain(self, node: Node, scope: Scope) -> Value:
        return self.node(node.expression, scope)

    # --- calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: Node, scope: Scope) -> Value:
        callee = node.callee
        while callee.type == "SequenceExpression" and all(map(statements.is_idle, callee.expressions[:-1])):
            callee = callee.expressions[-1]
        place = scope.place(node)
        args = self.arguments(node.arguments, scope)
        if isinstance(args, Unknown):
            return args
        if callee.type == "MemberExpression" and not callee.computed:
            owner = self.value(callee.object, scope)
            name = callee.property.name
            if isinstance(owner, Schema) and name not in schemas.ACCESSORS:
                return Schema(
                    owner.kind, owner.args, (*owner.steps, Step(name, args, place)), owner.place, owner.coerces
                )
            if (method := builtins.METHODS.get((type(owner), name))) is not None:
                return method(self, owner, args, place)
            return self.call(self.member(owner, name, place), args, place)
        return self.call(self.value(callee, scope), args, place)

    def arguments(self, arguments: Iterable[Node], scope: Scope) -> tuple[Value, ...] | Unknown:
        """Return the arguments of a call, spreads resolved."""
        args: list[Value] = []
        for each in arguments:
            if each.type != "SpreadElement":
                args.append(Lazy(each, scope))
                continue
            inner = builtins.items_of(self.value(each.argument, scope))
            if isinstance(inner, Unknown):
                return Unknown(f"what a call spreads is not known ({inner.what})", scope.place(each))
            args += inner
        return tuple(args)

    def call(self, function: Value, args: tuple[Value, ...], place: Place | None = None) -> Value:
        """Evaluate a call."""
        match function:
            case Unknown():
                return function
            case Maker():
                return Schema(function.kind, args, (), place, function.coerces)
            case Builtin():
                return builtins.call(self, function, args, place)
            case Function() if function.constant is not None:
                return function.constant
            case Function():
                if len(args) == 1 and memoisers.is_memoiser(self, function):
                    thunk = self.force(args[0])
                    return thunk if isinstance(thunk, Function) else Unknown("a memoiser of no function", place)
                return statements.run(self, function, args, place)
            case _:
                return Unknown(f"a call of {describe(function)} is not understood", place)


def _not_defined(module: Module, name: str) -> Value:
    if name in builtins.GLOBALS:
        return Builtin(name)
    return Namespace() if is_free(module, name) else Unknown(f"`{name}` is defined nowhere in its module")


def _of_namespace(owner: Namespace, name: str) -> Value:
    if not owner.path and name in ("z", "default", "coerce", "iso", "core"):
        return owner if name in ("z", "default") else Namespace((name,))
    if owner.path and owner.path != ("coerce",):
        return Maker(f"{owner.path[-1]}.{name}")
    return Maker(name, coerces=owner.path == ("coerce",))


def _key_text(value: str | float) -> str:
    return value if isinstance(value, str) else written(value)


def _noun(node_type: str) -> str:
    return {
        "AwaitExpression": "an `await`",
        "YieldExpression": "a `yield`",
        "TaggedTemplateExpression": "a tagged template",
        "UpdateExpression": "a `++` or `--`",
        "ClassExpression": "a class",
        "ThisExpression": "`this`",
        "ImportExpression": "a dynamic import",
    }.get(node_type, f"an expression of the type {node_type}")


def describe(value: Value) -> str:  # noqa: C901 - one case a kind of value reads best in one place
    """Return what kind of value this is, for messages."""
    match value:
        case Schema():
            return f"a schema ({value.kind})"
        case Record():
            return "an object"
        case tuple():
            return "a list"
        case SetOf():
            return "a set"
        case Function():
            return "a function"
        case Namespace() | Maker():
            return "the schema library"
        case Builtin():
            return f"`{value.name}`"
        case Pattern():
            return "a regular expression"
        case Unknown():
            return value.what
        case Lazy():
            return "an expression"
        case _:
            return written(value)


_NODES: Final[Mapping[str, Callable[[Evaluator, Node, Scope], Value]]] = MappingProxyType(
    {
        "Literal": Evaluator._literal,  # noqa: SLF001 - the evaluator's own table: one row a node type
        "TemplateLiteral": Evaluator._template,  # noqa: SLF001
        "BinaryExpression": Evaluator._binary,  # noqa: SLF001
        "UnaryExpression": Evaluator._unary,  # noqa: SLF001
        "LogicalExpression": Evaluator._logical,  # noqa: SLF001
        "ConditionalExpression": Evaluator._conditional,  # noqa: SLF001
        "SequenceExpression": Evaluator._sequence,  # noqa: SLF001
        "ArrayExpression": Evaluator._array,  # noqa: SLF001
        "ObjectExpression": Evaluator._object,  # noqa: SLF001
        "Identifier": Evaluator._identifier,  # noqa: SLF001
        "ArrowFunctionExpression": Evaluator._function,  # noqa: SLF001
        "FunctionExpression": Evaluator._function,  # noqa: SLF001
        "AssignmentExpression": Evaluator._assigned,  # noqa: SLF001
        "CallExpression": Evaluator._call,  # noqa: SLF001
        "NewExpression": Evaluator._new,  # noqa: SLF001
        "MemberExpression": Evaluator._member,  # noqa: SLF001
        "ChainExpression": Evaluator._chain,  # noqa: SLF001
    }
)
"""How each type of node is evaluated. A type that is not here is not understood."""
