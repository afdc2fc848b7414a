"""Comprehensions over readable values: one loop, simple conditions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from driftgate.declared.algebra import iterate
from driftgate.declared.values import Entries, Foreign, Items, Opaque, Text, Value, texts

if TYPE_CHECKING:
    from driftgate.declared.python.expressions import Env, Evaluator
    from driftgate.declared.python.scope import Scope


def evaluate(
    ev: Evaluator, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope, env: Env
) -> Value:
    """Return the value of a comprehension, or say what about it cannot be evaluated."""
    place = ev.place(node, scope)
    if len(node.generators) != 1:
        return Opaque("a comprehension with several loops", place)
    loop = node.generators[0]
    rounds = _rounds(ev.expr(loop.iter, scope, env), loop, ev, scope, env)
    if not isinstance(rounds, list):
        return rounds
    kept = []
    for inner in rounds:
        passed = [_condition(ev, test, scope, inner) for test in loop.ifs]
        if None in passed:
            return Opaque("a comprehension with a condition", place)
        if all(passed):
            kept.append(inner)
    if not isinstance(node, ast.DictComp):
        return Items(tuple(ev.expr(node.elt, scope, inner) for inner in kept), place)
    pairs = [(ev.expr(node.key, scope, inner), ev.expr(node.value, scope, inner)) for inner in kept]
    entries = tuple((key, value) for key, value in pairs if isinstance(key, Text))
    return Entries(entries, place) if len(entries) == len(pairs) else Opaque("a key that is not a literal name", place)


def _rounds(iterated: Value, loop: ast.comprehension, ev: Evaluator, scope: Scope, env: Env) -> list[Env] | Value:
    target = loop.target
    items = iterate(iterated)
    unread = next((item for item in items if isinstance(item, Opaque | Foreign)), None)
    if unread:
        return unread
    if isinstance(target, ast.Name):
        return [{**env, target.id: item} for item in items]
    names = [part.id for part in target.elts if isinstance(part, ast.Name)] if isinstance(target, ast.Tuple) else []
    rows = [item.items for item in items if isinstance(item, Items) and len(item.items) == len(names)]
    if names and isinstance(target, ast.Tuple) and len(names) == len(target.elts) and len(rows) == len(items):
        return [{**env, **dict(zip(names, row, strict=True))} for row in rows]
    return Opaque("a comprehension that unpacks", ev.place(loop.target, scope))


def _condition(ev: Evaluator, test: ast.expr, scope: Scope, env: Env) -> bool | None:
    match test:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() | ast.Eq() | ast.NotEq() as op], comparators=[right]):
            a, b = ev.expr(left, scope, env), ev.expr(right, scope, env)
        case _:
            return None
    others = (b,) if isinstance(b, Text) else iterate(b)
    if not isinstance(a, Text) or len(texts(others)) != len(others):
        return None
    inside = a.value in {text.value for text in texts(others)}
    return inside == isinstance(op, ast.In | ast.Eq)
