"""Functions that make one of a few texts of any value: `(v) => v === "continue" ? v : "block"`."""

from __future__ import annotations

from driftgate.extraction.javascript.memoisers import returns
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import Function, Value


def results_of(function: Value) -> tuple[str, ...] | None:
    """Return all texts that a function of one parameter can return; None where it may return anything else."""
    if not isinstance(function, Function) or len(function.node.params) != 1:
        return None
    parameter = function.node.params[0]
    returned = list(returns(function.node))
    if parameter.type != "Identifier" or len(returned) != 1 or returned[0] is None:
        return None
    if function.node.body.type == "BlockStatement" and len(function.node.body.body) != 1:
        return None
    found = _results(returned[0], parameter.name, None)
    return tuple(dict.fromkeys(found)) if found is not None else None


def _results(node: Node, given: str, known: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return what an expression can be, where the parameter `given` is one of `known` (None: it may be anything)."""
    match node.type:
        case "Literal" if isinstance(node.value, str):
            return (node.value,)
        case "TemplateLiteral" if not node.expressions:
            return (node.quasis[0].value.cooked,)
        case "Identifier" if node.name == given:
            return known
        case "ConditionalExpression":
            negated, allowed = _tested(node.test, given)
            then = _results(node.consequent, given, None if negated else allowed)
            otherwise = _results(node.alternate, given, allowed if negated else None)
            return (*then, *otherwise) if then is not None and otherwise is not None else None
        case _:
            return None


def _text(node: Node) -> str | None:
    if node.type == "TemplateLiteral" and not node.expressions:
        return str(node.quasis[0].value.cooked)
    return node.value if node.type == "Literal" and isinstance(node.value, str) else None


def _tested(node: Node, given: str) -> tuple[bool, tuple[str, ...] | None]:
    """Return which texts a test finds the parameter to be, and whether it holds where it is none of them."""
    if node.type == "LogicalExpression" and node.operator == "||":
        sides = [_tested(side, given) for side in (node.left, node.right)]
        if not any(negated for negated, _ in sides) and all(allowed is not None for _, allowed in sides):
            return False, tuple(text for _, allowed in sides for text in allowed or ())
    if node.type == "BinaryExpression" and node.operator in ("===", "!==", "==", "!="):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            text = _text(other)
            if getattr(one, "name", None) == given and text is not None:
                return node.operator.startswith("!"), (text,)
    return False, None
