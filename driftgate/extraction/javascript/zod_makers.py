"""What kind of schema a minified helper makes, read out of the helper's own definition.

`u(...)` may be object, array, or anything else: the name says nothing and changes with every build. Three forms lead
to a kind, and helpers are followed through them:

* `new C({type: "record", ...})`: a class of zod 4 that is given its definition (https://zod.dev/packages/core);
* `C = make("ZodString", ...)`, reached by `new C(...)` or by `make(C, ...)`: the class is named where it is made;
* `class C extends B { get type() { return "string" } }`: from 2.1.332 on; the getter may stand in a base class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from driftgate.extraction.javascript import syntax
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.javascript.syntax import Node

_MAKER: Final = re.compile(rb'function\b|class\b|\([^()]*\)=>|[\w$]+=>|[\w$.]+\("Zod')
"""How a definition begins that can make schemas, or name their class. Other definitions are not parsed."""

_MADE: Final = re.compile(rb'[\w$.]+\("Zod(\w+)"')
_CLASS: Final = re.compile(rb"class\b(?: [\w$]+)?(?: extends (?P<base>[\w$]+))?\s*\{")
_TYPE_GETTER: Final = re.compile(rb"\bget type\(\)\s*\{\s*return\s*[\"'](\w+)[\"'];?\s*\}")

_LONGEST: Final = 1024
"""The longest function that can be a helper, in bytes: helpers do little more than make something. Seen: 300."""

_MAX_DEPTH: Final = 8
"""How many helpers, classes and modules are followed: a cycle must end somewhere. The longest chain seen has 4."""


class AmbiguousKindError(ValueError):
    """A helper has several definitions that make different kinds."""


class KindReader:
    """Reads the kinds that a program's helpers make, each once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[Module, str], str | None] = {}

    def kind_of(self, module: Module, name: str) -> str | None:
        """Return the kind that calling `name` makes in `module`; None where it makes no schema.

        Raises AmbiguousKindError.
        """
        return self._read(module, name, _MAX_DEPTH)

    def _read(self, module: Module, name: str, depth: int) -> str | None:
        key = (module, name)
        if key not in self._known:
            self._known[key] = None  # ends a cycle
            self._known[key] = self._one_of(name, self._kinds(module, name, depth)) if depth else None
        return self._known[key]

    def _one_of(self, name: str, kinds: Iterator[str | None]) -> str | None:
        found = sorted({kind for kind in kinds if kind is not None})
        if len(found) > 1:
            raise AmbiguousKindError(f"`{name}` makes {' or '.join(found)}: it has several definitions")
        return found[0] if found else None

    def _kinds(self, module: Module, name: str, depth: int) -> Iterator[str | None]:
        elsewhere = self._program.resolve(module, name)
        if elsewhere is not None:
            yield self._read(*elsewhere, depth - 1)
            return
        # Helpers are functions as a rule; assigned values are looked through only where no function makes a schema.
        for assigned in (False, True) if not module.has_body(name) else (False,):
            found = [
                kind
                for definition in module.definitions(name, _MAKER, assigned=assigned)
                if (kind := self._kind_of_source(module, definition.source, depth)) is not None
            ]
            if found:
                yield from found
                return

    def _kind_of_source(self, module: Module, source: bytes, depth: int) -> str | None:
        if (made := _MADE.match(source)) is not None:
            return _uncapitalised(made[1].decode())
        if (heading := _CLASS.match(source)) is not None:
            return self._kind_of_class(module, heading, source, depth)
        if len(source) > _LONGEST or (b"new " not in source and b"(" not in source[8:]):
            return None
        try:
            return self._kind_of_definition(module, syntax.parse(source), depth)
        except syntax.JsError:
            return None

    def _kind_of_definition(self, module: Module, node: Node, depth: int) -> str | None:
        match node.type:
            case "FunctionExpression" | "ArrowFunctionExpression":
                return self._kind_of_function(module, node, depth)
            case _:
                return None

    def _kind_of_function(self, module: Module, node: Node, depth: int) -> str | None:
        locals_, made = _body(node)
        locals_ |= {parameter.name: parameter for parameter in node.params if _named(parameter)}
        found = [kind for each in made if (kind := self._kind_of_made(module, each, locals_, depth)) is not None]
        return self._one_of("a helper", iter(found))

    def _kind_of_made(self, module: Module, made: Node, locals_: dict[str, Node], depth: int) -> str | None:
        """Return the kind of what a helper returns: `new C(...)` or `make(C, ...)`."""
        if (
            made.type not in ("NewExpression", "CallExpression")
            or not _named(made.callee)
            or made.callee.name in locals_
        ):
            return None
        first = made.arguments[0] if made.arguments else None
        if first is not None and first.type == "Identifier" and first.name in locals_:
            first = locals_[first.name]
        if first is not None and (stated := _members(first).get("type")) and stated.type == "Literal":
            return "preprocess" if stated.value == "pipe" and _is_made(_members(first).get("in")) else str(stated.value)
        if made.type == "NewExpression":
            kind = self._read(module, made.callee.name, depth - 1)
            return "preprocess" if kind == "pipe" and _is_made(first) else kind
        if first is not None and _named(first) and first.name not in locals_:
            return self._read(module, first.name, depth - 1)
        if _is_made(first) and self._read(module, made.callee.name, depth - 1) == "pipe":
            return "preprocess"
        return None

    def _kind_of_class(self, module: Module, heading: re.Match[bytes], source: bytes, depth: int) -> str | None:
        # By pattern, not by the parser: a class body is large, and may hold fields whose names the parser rejects.
        getter = _TYPE_GETTER.search(source)
        if getter is not None:
            return getter[1].decode()
        return self._read(module, heading["base"].decode(), depth - 1) if heading["base"] else None


def _named(node: Node) -> bool:
    return bool(node.type == "Identifier")


def _is_made(node: Node | None) -> bool:
    return node is not None and node.type in ("NewExpression", "CallExpression")


def _uncapitalised(name: str) -> str:
    return name[:1].lower() + name[1:]


def _members(node: Node) -> dict[str, Node]:
    """Return the plain members of an object literal."""
    if node.type != "ObjectExpression":
        return {}
    return {
        member.key.name: member.value
        for member in node.properties
        if getattr(getattr(member, "key", None), "name", None)
    }


def _body(node: Node) -> tuple[dict[str, Node], list[Node]]:
    """Return the variables of a small function, and what it returns: a helper has no more than that."""
    if node.body.type != "BlockStatement":
        return {}, list(_made_of(node.body))
    variables = {
        declared.id.name: declared.init
        for statement in node.body.body
        if statement.type == "VariableDeclaration"
        for declared in statement.declarations
        if declared.init is not None and _named(declared.id)
    }
    return variables, list(_returned(node.body.body))


def _made_of(node: Node) -> Iterator[Node]:
    """Yield what an expression can be: both sides of a condition, the last part of a sequence."""
    match node.type:
        case "SequenceExpression":
            yield from _made_of(node.expressions[-1])
        case "ConditionalExpression":
            yield from _made_of(node.consequent)
            yield from _made_of(node.alternate)
        case _:
            yield node


def _returned(statements: list[Node]) -> Iterator[Node]:
    for statement in statements:
        match statement.type:
            case "ReturnStatement" if statement.argument is not None:
                yield from _made_of(statement.argument)
            case "IfStatement":
                yield from _returned([each for each in (statement.consequent, statement.alternate) if each])
            case "BlockStatement":
                yield from _returned(statement.body)
