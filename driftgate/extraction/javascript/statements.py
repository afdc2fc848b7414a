"""Running the body of a function, as far as helpers that make schemas are written: declarations, `if`, `return`.

Values are never changed: a body that assigns, deletes or pushes anything is not understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from driftgate.extraction.javascript import builtins, syntax
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Function,
    Lazy,
    Record,
    Scope,
    Unknown,
    Value,
    truth,
)
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

MUTATING: Final = frozenset(
    {
        "add",
        "clear",
        "copyWithin",
        "defineProperties",
        "defineProperty",
        "delete",
        "deleteProperty",
        "fill",
        "pop",
        "push",
        "set",
        "setPrototypeOf",
        "shift",
        "splice",
        "unshift",
    }
)
"""Methods that change what they are called on, or are given."""

_FUNCTIONS: Final = frozenset({"ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"})


def is_idle(node: Node, names: Mapping[str, Value] | None = None) -> bool:
    """Tell whether evaluating a node for nothing changes nothing that is looked at.

    A call without arguments is one of a bundle's lazy initialisers, which are evaluated by the names that they set;
    what else it may do to a name is a use of that name, and seen as such.
    """
    match node.type:
        case "Literal" | "Identifier":
            return True
        case "UnaryExpression":
            return node.operator != "delete" and is_idle(node.argument)
        case "CallExpression":
            return node.callee.type == "Identifier" and not node.arguments
        case "SequenceExpression":
            return all(is_idle(each, names) for each in node.expressions)
        case "AssignmentExpression":
            # The one value of a variable of the function that runs: it has that already.
            return bool(names) and node.operator == "=" and getattr(node.left, "name", None) in (names or {})
        case _:
            return False


def run(evaluator: Evaluator, function: Function, args: tuple[Value, ...], place: Place | None) -> Value:
    """Return what a function returns for these arguments."""
    node = function.node
    if getattr(node, "isAsync", False) or getattr(node, "generator", False) or getattr(node, "async", False):
        return Unknown("an async function or a generator is not understood", place)
    once = assigned_once(node)
    for effect in effects(node.body, set()):
        if not any(effect is each for each in once.values()):
            return Unknown("a function that changes something is not understood", function.scope.place(effect))
    names = dict(function.scope.names)
    scope = Scope(function.scope.module, names, function.scope.source, function.scope.offset)
    problem = _parameters(evaluator, node.params, args, scope, names)
    if problem is not None:
        return problem
    names.update({name: Lazy(each.right, scope) for name, each in once.items()})
    if node.body.type != "BlockStatement":
        return evaluator.value(node.body, scope)
    returned = _block(evaluator, node.body.body, scope, names)
    return UNDEFINED if returned is None else returned


def assigned_once(function: Node) -> dict[str, Node]:
    """Return the assignments that give a function's own variables their one value, unconditionally, by name.

    A minifier writes `let e,t={a:(e=f(),e)}` for what had a declaration of its own.
    """
    if function.body.type != "BlockStatement":
        return {}
    bare = {
        each.id.name
        for statement in function.body.body
        if statement.type == "VariableDeclaration"
        for each in statement.declarations
        if each.init is None and each.id.type == "Identifier"
    }
    found: dict[str, list[Node]] = {name: [] for name in bare}
    for each in syntax.walk(function.body):
        if each.type == "AssignmentExpression" and getattr(each.left, "name", None) in found:
            found[each.left.name].append(each)
    straight = list(_straight(function.body.body))
    return {
        name: each[0]
        for name, each in found.items()
        if len(each) == 1 and each[0].operator == "=" and any(each[0] is one for one in straight)
    }


def _straight(statements: list[Node]) -> Iterator[Node]:
    """Yield the assignments that a function makes whatever happens, as far as its first branch."""
    for statement in statements:
        match statement.type:
            case "VariableDeclaration":
                for declared in statement.declarations:
                    yield from _in_sequence(declared.init)
            case "ExpressionStatement":
                yield from _in_sequence(statement.expression)
            case "ReturnStatement":
                yield from _in_sequence(statement.argument)
                return
            case "FunctionDeclaration":
                pass
            case _:
                return


def _in_sequence(node: Node | None) -> Iterator[Node]:
    if node is None:
        return
    if node.type == "SequenceExpression":
        for each in node.expressions:
            yield from _in_sequence(each)
    elif node.type == "AssignmentExpression":
        yield node


def _parameters(
    evaluator: Evaluator, params: list[Node], args: tuple[Value, ...], scope: Scope, names: dict[str, Value]
) -> Unknown | None:
    for at, parameter in enumerate(params):
        if parameter.type == "RestElement":
            names.update(bound(evaluator, parameter.argument, args[at:], scope))
            return None
        names.update(bound(evaluator, parameter, args[at] if at < len(args) else UNDEFINED, scope))
    return None


def bound(evaluator: Evaluator, target: Node, value: Value, scope: Scope) -> Iterator[tuple[str, Value]]:
    """Yield the variables that a pattern makes of a value."""
    match target.type:
        case "Identifier":
            yield target.name, value
        case "AssignmentPattern":
            given = evaluator.force(value)
            yield from bound(evaluator, target.left, Lazy(target.right, scope) if given is UNDEFINED else given, scope)
        case "ObjectPattern":
            yield from _members(evaluator, target, evaluator.force(value), scope)
        case "ArrayPattern":
            items = builtins.items_of(evaluator.force(value))
            for at, element in enumerate(target.elements):
                if element is None:
                    continue
                if isinstance(items, Unknown):
                    yield from bound(evaluator, _plain_target(element), items, scope)
                elif element.type == "RestElement":
                    yield from bound(evaluator, element.argument, items[at:], scope)
                else:
                    yield from bound(evaluator, element, items[at] if at < len(items) else UNDEFINED, scope)
        case _:
            unknown = Unknown("a pattern that is not understood", scope.place(target))
            yield from ((each.name, unknown) for each in syntax.walk(target) if each.type == "Identifier")


def _plain_target(element: Node) -> Node:
    return element.argument if element.type == "RestElement" else element


def _members(evaluator: Evaluator, target: Node, value: Value, scope: Scope) -> Iterator[tuple[str, Value]]:
    rest = dict(value.members) if isinstance(value, Record) else {}
    for member in target.properties:
        if member.type == "RestElement":
            yield from bound(evaluator, member.argument, Record(rest) if isinstance(value, Record) else value, scope)
            return
        key = evaluator.key(member, scope)
        rest.pop(key if isinstance(key, str) else "", None)
        if isinstance(value, Record) and isinstance(key, str):
            inner = value.members.get(key, UNDEFINED)
        elif isinstance(value, Unknown):
            inner = value
        else:
            inner = evaluator.member(value, key, scope.place(member)) if isinstance(key, str) else key
        yield from bound(evaluator, member.value, inner, scope)


def _block(evaluator: Evaluator, body: list[Node], scope: Scope, names: dict[str, Value]) -> Value | None:
    """Return what the statements return; None where they end without a `return`."""
    for statement in body:
        if statement.type == "FunctionDeclaration":
            names[statement.id.name] = Function(statement, scope)
    for statement in body:
        returned = _statement(evaluator, statement, scope, names)
        if returned is not None:
            return returned[0]
    return None


def _statement(evaluator: Evaluator, statement: Node, scope: Scope, names: dict[str, Value]) -> tuple[Value] | None:
    match statement.type:
        case "VariableDeclaration":
            for declared in statement.declarations:
                if declared.init is None and declared.id.type == "Identifier" and declared.id.name in names:
                    continue  # given its value elsewhere, once: it has that already
                value = Lazy(declared.init, scope) if declared.init is not None else UNDEFINED
                names.update(bound(evaluator, declared.id, value, scope))
        case "FunctionDeclaration" | "EmptyStatement":
            pass
        case "ReturnStatement":
            return (evaluator.value(statement.argument, scope) if statement.argument is not None else UNDEFINED,)
        case "IfStatement":
            return _if(evaluator, statement, scope, names)
        case "BlockStatement":
            inner = dict(names)
            block = Scope(scope.module, inner, scope.source, scope.offset)
            returned = _block(evaluator, statement.body, block, inner)
            return None if returned is None else (returned,)
        case "ExpressionStatement" if is_idle(statement.expression, names):
            pass
        case _:
            return (Unknown(f"{_noun(statement)} in a function is not understood", scope.place(statement)),)
    return None


def _if(evaluator: Evaluator, statement: Node, scope: Scope, names: dict[str, Value]) -> tuple[Value] | None:
    test = evaluator.value(statement.test, scope)
    holds = truth(test)
    if holds is None:
        what = test.what if isinstance(test, Unknown) else "it is not known"
        return (Unknown(f"a condition that is not constant ({what})", scope.place(statement.test)),)
    branch = statement.consequent if holds else statement.alternate
    return None if branch is None else _statement(evaluator, branch, scope, names)


def _noun(statement: Node) -> str:
    words = {
        "TryStatement": "a `try`",
        "SwitchStatement": "a `switch`",
        "ThrowStatement": "a `throw`",
        "ExpressionStatement": "an expression for its effect",
        "WhileStatement": "a loop",
        "DoWhileStatement": "a loop",
    }
    return words.get(statement.type, "a loop" if statement.type.startswith("For") else f"a {statement.type}")


def effects(node: Node, own: set[str]) -> Iterator[Node]:
    """Yield what changes something other than the variables `own`: assignments, `++`, `delete`, `.push(...)`."""
    if node.type in _FUNCTIONS:
        own = own | set(declared_in(node))
    target = None
    match node.type:
        case "AssignmentExpression":
            target = node.left
        case "UpdateExpression":
            target = node.argument
        case "UnaryExpression" if node.operator == "delete":
            target = node.argument
        case "CallExpression" if node.callee.type == "MemberExpression" and not node.callee.computed:
            target = node.callee.object if node.callee.property.name in MUTATING else None
        case "ForInStatement" | "ForOfStatement" if node.left.type != "VariableDeclaration":
            target = node.left
    if target is not None and _root(target) not in own:
        yield node
    for child in syntax.children(node):
        yield from effects(child, own)


def declared_in(function: Node) -> Iterator[str]:
    """Yield the names that a function, or one within it, declares."""
    for parameter in function.params:
        yield from (each.name for each in syntax.walk(parameter) if each.type == "Identifier")
    for each in syntax.walk(function.body):
        if each.type == "VariableDeclarator":
            yield from (part.name for part in syntax.walk(each.id) if part.type == "Identifier")


def _root(node: Node) -> str | None:
    while node.type in ("MemberExpression", "CallExpression", "ChainExpression"):
        node = getattr(node, "object", None) or getattr(node, "callee", None) or node.expression
    return node.name if node.type == "Identifier" else None
