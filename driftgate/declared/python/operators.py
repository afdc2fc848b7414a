"""What operators do with values, and what constructs are called."""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import Final

from driftgate.declared.algebra import concat, difference, intersection, iterate, merge_entries, union
from driftgate.declared.values import Entries, Items, Opaque, Record, Text, Value
from driftgate.surface import Place


def combine(op: ast.operator, left: Value, right: Value, place: Place) -> Value:
    """Return `left op right` for the operators that sets, sequences, mappings and types have."""
    if isinstance(left, Entries) and isinstance(right, Entries) and isinstance(op, ast.BitOr):
        return merge_entries(left, right)
    a, b = _operand(left), _operand(right)
    match op:
        case ast.Add() if isinstance(left, Text) and isinstance(right, Text):
            return Text(left.value + right.value, left.place)
        case ast.Add():
            return concat(a, b, left.place)
        case ast.BitOr():
            return union(a, b, left.place)
        case ast.BitAnd():
            return intersection(a, b, left.place)
        case ast.Sub():
            return difference(a, b, left.place)
        case ast.BitXor():
            only_a, only_b = difference(a, b, left.place), difference(b, a, left.place)
            return Items((*iterate(only_a), *iterate(only_b)), left.place)
        case _:
            return Opaque(f"the operator {type(op).__name__}", place)


def _operand(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Opaque) and value.what == "the constant None":
        return ()
    return (value,) if isinstance(value, Text | Record) else iterate(value)


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
