"""Python annotations: as closed sets (`Literal`, unions) and as the shapes of fields."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.classifier.contract import CHECKED
from driftgate.classifier.kinds import KINDS
from driftgate.declared.algebra import iterate, union_of
from driftgate.declared.kind_words import array_of, is_constraint, record_of, word_shape
from driftgate.declared.python.operators import combine, describe, tail_of
from driftgate.declared.values import Entries, Foreign, Items, Keyed, Opaque, Shape, Text, Value, texts
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.declared.python.expressions import Env, Evaluator
    from driftgate.declared.python.scope import Binding, Scope

_LISTS: Final = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "tuple", "Tuple"}) | frozenset(
    {"set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSequence"}
)
_MAPPINGS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
_TRANSPARENT: Final = frozenset({"Final", "ClassVar", "ReadOnly", "Required", "Optional", "InitVar", "Type"})
_MAKE_OPTIONAL: Final = "NotRequired"

_PLAIN: Final = MappingProxyType(
    {
        "str": ("string", ()),
        "StrictStr": ("string", ()),
        "bool": ("boolean", ()),
        "StrictBool": ("boolean", ()),
        "int": ("number", ()),
        "float": ("number", ()),
        "PositiveInt": ("number", ("positive",)),
        "PositiveFloat": ("number", ("positive",)),
        "HttpUrl": ("string", ("url",)),
        "AnyUrl": ("string", ("url",)),
        "AnyHttpUrl": ("string", ("url",)),
        "Any": ("unknown", ()),
        "object": ("unknown", ()),
        "list": ("array<unknown>", ()),
        "dict": ("record<string,unknown>", ()),
    }
)


def subscript(ev: Evaluator, base: ast.expr, index: ast.expr, scope: Scope, env: Env, place: Place) -> Value:
    """Return `base[index]`: a type form, or an entry of an object."""
    tail = tail_of(base)
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    if tail == "Literal":
        return Items(tuple(item for part in parts for item in _literal(ev, part, scope)), place)
    if tail == "Union":
        return _union([ev.expr(part, scope, env) for part in parts], place)
    if tail in _MAPPINGS:
        return Keyed(ev.expr(parts[0], scope, env), place)
    if tail in _LISTS:
        values = [ev.expr(part, scope, env) for part in parts if not _is_ellipsis(part)]
        return Items(tuple(item for value in values for item in iterate(value)), place)
    if tail in _TRANSPARENT or tail in (_MAKE_OPTIONAL, "Annotated"):
        return ev.expr(parts[0], scope, env)
    value = ev.expr(base, scope, env)
    if isinstance(value, Entries) and isinstance(index, ast.Constant):
        return next((v for key, v in value.entries if key.value == index.value), Opaque("a missing key", place))
    return value if isinstance(value, Foreign | Opaque) else Opaque("an indexing expression", place)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _literal(ev: Evaluator, part: ast.expr, scope: Scope) -> tuple[Value, ...]:
    if isinstance(part, ast.Constant) and part.value is None:
        return ()
    value = ev.expr(part, scope)
    return value.items if isinstance(value, Items) else (value,)


def _union(values: list[Value], place: Place) -> Value:
    result: Value = Items((), place)
    for value in values:
        result = combine(ast.BitOr(), result, value, place)
    return replace(result, place=place)


def shape(ev: Evaluator, node: ast.expr, scope: Scope) -> Shape:
    """Return the shape of a field that is annotated with `node`."""
    place = ev.place(node, scope)
    match node:
        case ast.Constant(value=str() as text):
            return _quoted(ev, text, scope, place)
        case ast.Constant(value=None):
            return Shape("null", place)
        case ast.Subscript(value=base, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            return _subscripted(ev, node, tail_of(base), parts, scope)
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return union_of((shape(ev, left, scope), shape(ev, right, scope)), place)
        case ast.Name(id=name) if found := scope.find(name):
            return _alias(ev, name, found, place)
        case ast.Name() | ast.Attribute():
            return _named(ev, node, scope, place)
        case _:
            return Shape(describe(node), place)


def _quoted(ev: Evaluator, text: str, scope: Scope, place: Place) -> Shape:
    try:
        inner = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return Shape(text, place)
    return replace(shape(ev, inner, scope), place=place)


def _subscripted(ev: Evaluator, node: ast.Subscript, tail: str, parts: list[ast.expr], scope: Scope) -> Shape:
    place = ev.place(node, scope)
    if tail == _MAKE_OPTIONAL:
        return replace(shape(ev, parts[0], scope), required=False)
    if tail == "Annotated":
        return _annotated(ev, parts, scope)
    if tail in _TRANSPARENT:
        return shape(ev, parts[0], scope)
    if tail == "Union":
        return union_of(tuple(shape(ev, part, scope) for part in parts), place)
    if tail in _LISTS:
        return Shape(array_of(shape(ev, parts[0], scope).kind), place)
    if tail in _MAPPINGS:
        return Shape(record_of([shape(ev, part, scope).kind for part in parts]), place)
    if tail == "Literal":
        value = ev.expr(node, scope)
        found = texts(iterate(value))
        return Shape("enum", place, members=found) if found else Shape("a Literal without texts", place)
    return Shape(ast.unparse(node), place)


def _annotated(ev: Evaluator, parts: list[ast.expr], scope: Scope) -> Shape:
    """Among the marks, a kind word or constraint says what the plain type cannot; "checked" that it is not carried."""
    inner = shape(ev, parts[0], scope)
    for part in parts[1:]:
        if isinstance(part, ast.Call):
            inner = constrained(inner, part)
            continue
        mark = ev.expr(part, scope)
        if not isinstance(mark, Text):
            continue
        if mark.value == CHECKED:
            inner = replace(inner, carried=False)
        elif mark.value in KINDS:
            word = word_shape(mark.value, inner.place, required=inner.required, carried=inner.carried)
            inner = replace(word, members=inner.members or word.members)
        elif is_constraint(mark.value):
            inner = replace(inner, constraints=(*inner.constraints, mark.value))
    return inner


def constrained(inner: Shape, call: ast.Call) -> Shape:
    """Return `inner` with the limits of a `Field(...)` or `Gt(...)`-like call, in upstream's words."""
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    added = []
    if _number(words.get("gt")) == 0 or (tail_of(call.func) == "Gt" and call.args and _number(call.args[0]) == 0):
        added.append("positive")
    least = _number(words.get("min_length")) or (_number(call.args[0]) if _is_min_len(call) else None)
    if least:
        added.append(f"min({least})")
    return replace(inner, constraints=(*inner.constraints, *added)) if added else inner


def _is_min_len(call: ast.Call) -> bool:
    return tail_of(call.func) == "MinLen" and bool(call.args)


def _number(node: ast.expr | None) -> int | float | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None


def _alias(ev: Evaluator, name: str, found: tuple[Scope, list[Binding]], place: Place) -> Shape:
    owner, bindings = found
    binding = bindings[-1]
    if target := ev.follow(binding, owner):
        module, inner = target
        if inner and (deeper := module.find(inner)):
            return replace(_alias(ev, inner, deeper, place), place=place)
    if binding.imported:
        return _foreign(binding.imported.name or name, binding.imported.module, place)
    if isinstance(binding.node, ast.ClassDef):
        value = ev.name(name, owner, place)
        members = texts(value.items) if isinstance(value, Items) else ()
        return Shape("enum", place, members=members) if members else Shape(name, place)
    if isinstance(binding.node, ast.expr) and not isinstance(binding.node, ast.Call):
        return replace(shape(ev, binding.node, owner), place=place)
    return Shape(name, place)


def _foreign(name: str, module: str, place: Place) -> Shape:
    if name in _PLAIN:
        kind, constraints = _PLAIN[name]
        return Shape(kind, place, constraints=constraints)
    return Shape(name, place, foreign=Foreign(name, module, place))


def _named(ev: Evaluator, node: ast.Name | ast.Attribute, scope: Scope, place: Place) -> Shape:
    tail = tail_of(node)
    if tail in _PLAIN:
        kind, constraints = _PLAIN[tail]
        return Shape(kind, place, constraints=constraints)
    value = ev.expr(node, scope)
    members = texts(value.items) if isinstance(value, Items) else ()
    return Shape("enum", place, members=members) if members else Shape(ast.unparse(node), place)
