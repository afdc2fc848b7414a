"""Functions that make a getter of a function: calling the getter gives what the function gives, made once.

    (q) => { let k; return () => k ??= q() }

Bundles wrap most schemas so. Which helper does that is told by its definition, never by its name: it calls its argument
without arguments, keeps the result and nothing else, and returns a function that returns that. It may be a method:
`new Registry().lazy(q)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from driftgate.extraction.javascript import syntax
from driftgate.extraction.javascript.module import Module
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import Function

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

_FUNCTIONS: Final = ("ArrowFunctionExpression", "FunctionExpression")


def is_memoiser(evaluator: Evaluator, function: Function) -> bool:
    """Tell whether calling a function with a function makes a getter of it."""
    return _memoises(evaluator, function.scope.module, function.node, 4)


def _memoises(evaluator: Evaluator, module: Module, node: Node, depth: int) -> bool:
    if not depth or len(node.params) != 1 or node.params[0].type != "Identifier":
        return False
    given = node.params[0].name
    returned = list(returns(node))
    if len(returned) != 1 or returned[0] is None:
        return False
    made = _last(returned[0])
    if made.type == "CallExpression" and [getattr(each, "name", None) for each in made.arguments] == [given]:
        return _is_passed_on(evaluator, module, made.callee, depth)
    if made.type not in _FUNCTIONS or made.params:
        return False
    calls = [
        each
        for each in syntax.walk(node.body)
        if each.type == "CallExpression" and getattr(each.callee, "name", None) == given and not each.arguments
    ]
    mentions = [each for each in syntax.walk(node.body) if each.type == "Identifier" and each.name == given]
    return (
        bool(calls)
        and len(mentions) == len(calls)
        and all(each is not None and _is_kept(each, given, node.body) for each in returns(made))
    )


def _is_passed_on(evaluator: Evaluator, module: Module, callee: Node, depth: int) -> bool:
    """Tell whether a callee that is given the function is a memoiser: another function, or a method of an object."""
    if callee.type == "Identifier":
        found = _function(evaluator, module, callee.name)
        return found is not None and _memoises(evaluator, found[0], found[1], depth - 1)
    if callee.type != "MemberExpression" or callee.computed:
        return False
    made = _named_or_itself(evaluator, module, callee.object)
    if made is None or made[1].type != "NewExpression":
        return False
    class_ = _named_or_itself(evaluator, made[0], made[1].callee)
    if class_ is None or class_[1].type not in ("ClassExpression", "ClassDeclaration"):
        return False
    methods = [
        each.value
        for each in class_[1].body.body
        if each.type == "MethodDefinition" and getattr(each.key, "name", "") == callee.property.name
    ]
    return len(methods) == 1 and _memoises(evaluator, class_[0], methods[0], depth - 1)


def _named_or_itself(evaluator: Evaluator, module: Module, node: Node) -> tuple[Module, Node] | None:
    """Return what an expression is that is written in place, or given by a name."""
    return _definition(evaluator, module, node.name) if node.type == "Identifier" else (module, node)


def _function(evaluator: Evaluator, module: Module, name: str) -> tuple[Module, Node] | None:
    found = _definition(evaluator, module, name)
    return found if found is not None and found[1].type in _FUNCTIONS else None


def _definition(evaluator: Evaluator, module: Module, name: str) -> tuple[Module, Node] | None:
    elsewhere = evaluator.program.resolve(module, name)
    if elsewhere is not None:
        return _definition(evaluator, *elsewhere)
    found = module.defined(name)
    if len(found) != 1 or found[0].value is None:
        return None
    try:
        return module, syntax.parse(found[0].value.source)
    except syntax.JsError:
        return None


def returns(function: Node) -> Iterator[Node | None]:
    """Yield what a function returns, in each of its `return`s; those of inner functions are theirs."""
    if function.body.type != "BlockStatement":
        yield function.body
        return
    pending = list(function.body.body)
    while pending:
        node = pending.pop()
        if node.type == "ReturnStatement":
            yield node.argument
        elif node.type not in (*_FUNCTIONS, "FunctionDeclaration", "ClassExpression"):
            pending += syntax.children(node)


def _last(node: Node) -> Node:
    while node.type == "SequenceExpression":
        node = node.expressions[-1]
    return node


def _is_kept(node: Node, given: str, body: Node) -> bool:
    """Tell whether an expression is the result of calling `given`, kept in a variable or not."""
    node = _last(node)
    match node.type:
        case "CallExpression":
            return getattr(node.callee, "name", None) == given and not node.arguments
        case "AssignmentExpression":
            return node.operator in ("=", "??=", "||=") and _is_kept(node.right, given, body)
        case "LogicalExpression":
            return (
                node.operator in ("??", "||") and _is_kept(node.left, given, body) and _is_kept(node.right, given, body)
            )
        case "ConditionalExpression":
            return _is_kept(node.consequent, given, body) and _is_kept(node.alternate, given, body)
        case "Identifier":
            kept = [each for each in syntax.walk(body) if _sets(each, node.name)]
            return bool(kept) and all(_is_nothing(each.right) or _is_kept(each.right, given, body) for each in kept)
        case _:
            return False


def _sets(node: Node, name: str) -> bool:
    return bool(node.type == "AssignmentExpression" and getattr(node.left, "name", None) == name)


def _is_nothing(node: Node) -> bool:
    return bool(
        (node.type == "UnaryExpression" and node.operator == "void")
        or (node.type == "Identifier" and node.name == "undefined")
        or (node.type == "Literal" and node.value is None)
    )
