"""What operators and iteration do with values, and what constructs are called."""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import Final

from driftgate.declared.interpret import literal_places, names_by_value
from driftgate.declared.values import Entries, Foreign, Items, Keyed, Opaque, Record, Text, Value, texts
from driftgate.surface import Place


def iterate(value: Value) -> tuple[Value, ...]:
    """Return what iterating over `value` yields; what cannot be iterated yields itself, and fails by name later."""
    match value:
        case Items(items=items):
            return items
        case Entries(entries=entries):
            return tuple(key for key, _ in entries)
        case Keyed(keys=keys):
            return iterate(keys)
        case Text():
            return (Opaque("a text that is taken apart", value.place),)
        case _:
            return (value,)


def combine(op: ast.operator, left: Value, right: Value, place: Place) -> Value:
    """Return `left op right` for the operators that sets, sequences, mappings and types have."""
    if isinstance(left, Entries) and isinstance(right, Entries) and isinstance(op, ast.BitOr):
        keys = {key.value for key, _ in right.entries}
        return Entries((*(pair for pair in left.entries if pair[0].value not in keys), *right.entries), left.place)
    a, b = _operand(left), _operand(right)
    match op:
        case ast.Add():
            return Items((*a, *b), left.place)
        case ast.BitOr():
            known = names_by_value(a)
            return Items((*a, *(i for i in b if not (isinstance(i, Text) and i.value in known))), left.place)
        case ast.Sub() | ast.BitAnd() | ast.BitXor():
            unread = next((item for item in (*a, *b) if not isinstance(item, Text)), None)
            return unread or Items(_chosen(op, texts(a), texts(b)), left.place)
        case _:
            return Opaque(f"the operator {type(op).__name__}", place)


def _operand(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Opaque) and value.what == "the constant None":
        return ()
    return (value,) if isinstance(value, Text | Record) else iterate(value)


def _chosen(op: ast.operator, a: tuple[Text, ...], b: tuple[Text, ...]) -> tuple[Text, ...]:
    in_a, in_b = names_by_value(a), names_by_value(b)
    if isinstance(op, ast.BitAnd):
        return tuple(text for text in a if text.value in in_b)
    only_a = tuple(text for text in a if text.value not in in_b)
    return only_a if isinstance(op, ast.Sub) else (*only_a, *(t for t in b if t.value not in in_a))


def same(a: Value, b: Value) -> bool:
    if isinstance(a, Foreign) and isinstance(b, Foreign):  # an import with a fall-back import
        return True
    names = [sorted(text.value for text in literal_places(value)) for value in (a, b)]
    return type(a) is type(b) and names[0] == names[1] and not isinstance(a, Opaque)


def tail_of(node: ast.expr) -> str:
    """Return the last part of a dotted name ("typing.get_args" -> "get_args"), or ""."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


_DESCRIBED: Final = MappingProxyType(
    {
        ast.JoinedStr: "an f-string",
        ast.IfExp: "a conditional expression",
        ast.BoolOp: "an `and` or `or` expression",
        ast.Lambda: "a lambda",
        ast.Await: "an await expression",
        ast.UnaryOp: "an operator expression",
        ast.Compare: "a comparison",
    }
)


def describe(node: ast.AST) -> str:
    """Return what a construct is called."""
    return _DESCRIBED.get(type(node), f"a {type(node).__name__} expression")
