"""The text of a function in one normal form: equal for what a minifier makes of the same source.

Parameters and variables are numbered, operands and constants are written in one way, and what a module's name stands
for is written in the name's place. Two functions with the same text do the same; the reverse is not promised.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from driftgate.extraction.javascript import syntax
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import Builtin, Function, Pattern, Scope, Value, is_plain, written

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

_MOST_NESTED: Final = 3
_TURNED: Final = {"===": "===", "!==": "!==", "==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_SKIPPED: Final = frozenset({"type", "range", "raw", "start", "end", "loc", "sourceType", "directive"})


def text_of(evaluator: Evaluator, value: Value, depth: int = _MOST_NESTED) -> str | None:
    """Return a function (or a plain value, or a pattern) as text; None where it is none of these."""
    if is_plain(value):
        return written(value)
    if isinstance(value, Pattern):
        return str(value)
    if isinstance(value, Builtin):
        return value.name
    if isinstance(value, Function):
        return _Writer(evaluator, value.scope, depth).function(value.node)
    return None


class _Writer:
    """Writes one function; `names` numbers its variables as they are met."""

    def __init__(self, evaluator: Evaluator, scope: Scope, depth: int) -> None:
        self._evaluator = evaluator
        self._scope = scope
        self._depth = depth
        self._names: dict[str, str] = {}

    def function(self, node: Node) -> str:
        for parameter in node.params:
            for each in syntax.walk(parameter):
                if each.type == "Identifier":
                    self._names.setdefault(each.name, f"${len(self._names)}")
        for each in syntax.walk(node.body):
            if each.type == "VariableDeclarator":
                for part in syntax.walk(each.id):
                    if part.type == "Identifier":
                        self._names.setdefault(part.name, f"${len(self._names)}")
        params = ",".join(self.node(each) for each in node.params)
        body = node.body
        if body.type == "BlockStatement" and len(body.body) == 1 and body.body[0].type == "ReturnStatement":
            body = body.body[0].argument or body
        return f"({params})=>{self.node(body)}"

    def node(self, node: Any) -> str:  # noqa: C901 - one case a node type reads best in one place
        match node.type:
            case "Literal":
                return self._literal(node)
            case "Identifier":
                return self._names.get(node.name) or self._outer(node.name)
            case "UnaryExpression" if node.operator == "!" and node.argument.type == "Literal":
                return written(not node.argument.value)
            case "UnaryExpression" if node.operator == "void":
                return "undefined"
            case "BinaryExpression" if (
                node.operator in _TURNED and _is_constant(node.left) and not _is_constant(node.right)
            ):
                return f"({self.node(node.right)}{_TURNED[node.operator]}{self.node(node.left)})"
            case "BinaryExpression" | "LogicalExpression":
                return f"({self.node(node.left)}{node.operator}{self.node(node.right)})"
            case "TemplateLiteral" if not node.expressions:
                return written(node.quasis[0].value.cooked)
            case "ArrowFunctionExpression" | "FunctionExpression":
                return self.function(node)
            case "MemberExpression" if not node.computed:
                return f"{self.node(node.object)}{'?.' if node.optional else '.'}{node.property.name}"
            case "CallExpression":
                return f"{self.node(node.callee)}({self._all(node.arguments)})"
            case "Property" if not node.computed:
                key = node.key.name if node.key.type == "Identifier" else str(node.key.value)
                return f"{written(key)}:{self.node(node.value)}"
            case "ChainExpression" | "ExpressionStatement":
                return self.node(node.expression)
            case _:
                return self._generic(node)

    def _literal(self, node: Any) -> str:
        if getattr(node, "regex", None) is not None:
            return str(Pattern(node.regex.pattern, node.regex.flags))
        return written(node.value) if is_plain(node.value) else str(node.raw)

    def _all(self, nodes: Iterable[Any]) -> str:
        return ",".join(self.node(each) for each in nodes)

    def _outer(self, name: str) -> str:
        if not self._depth:
            return "?"
        value = self._evaluator.name(name, self._scope)
        return text_of(self._evaluator, value, self._depth - 1) or "?"

    def _generic(self, node: Any) -> str:
        parts = []
        for key, child in sorted(vars(node).items()):
            if key in _SKIPPED or child is None or child is False:
                continue
            if isinstance(child, list):
                parts.append(f"{key}[{self._all(each for each in child if each is not None)}]")
            elif hasattr(child, "type"):
                parts.append(f"{key}:{self.node(child)}")
            elif isinstance(child, str | int | float):
                parts.append(f"{key}={child}")
        return f"{node.type}{{{';'.join(parts)}}}"


def _is_constant(node: Any) -> bool:
    return bool(
        (node.type == "Literal")
        or (node.type == "UnaryExpression" and node.operator == "void")
        or (node.type == "TemplateLiteral" and not node.expressions)
    )
