"""Python classes: enumerations, and types with fields (TypedDict, dataclass, pydantic model, NamedTuple)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from driftgate.declared.python import types
from driftgate.declared.python.operators import tail_of
from driftgate.declared.values import Entries, Items, Opaque, Record, Shape, Text, Value
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.declared.python.expressions import Env, Evaluator
    from driftgate.declared.python.scope import Scope

ENUMS: Final = frozenset({"Enum", "StrEnum", "ReprEnum"})
_TYPED_DICT: Final = "TypedDict"


def class_value(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> Value:
    """Return an enumeration's values, or a class's fields."""
    place = ev.place(node, scope)
    if _is_enum(ev, node, scope):
        return Items(tuple(_enum_members(ev, node, scope)), place)
    if under := _conditional_fields(node):
        return Opaque("fields under a condition", ev.place(under, scope))
    fields = tuple(_fields(ev, node, scope, frozenset()).items())
    if not fields:
        return Opaque(f"the class {node.name}, which has neither members nor fields", place)
    return Record(node.name, tuple(pair for _, pair in fields), place, _forbids(ev, node, scope))


def _forbids(ev: Evaluator, node: ast.ClassDef, scope: Scope, depth: int = 0) -> bool:
    """Whether a class refuses fields that it does not know: pydantic's `extra="forbid"`, msgspec's like option."""
    words = {word.arg: word.value for word in node.keywords}
    for statement in node.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id="model_config")], value=value)
                | ast.AnnAssign(target=ast.Name(id="model_config"), value=ast.expr() as value)
            ):
                words |= _options(value)
            case ast.ClassDef(name="Config", body=body):
                inner = (
                    part for part in body if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
                )
                words |= {part.targets[0].id: part.value for part in inner if isinstance(part.targets[0], ast.Name)}
            case _:
                continue
    extra = words.get("extra")
    if extra is not None:
        return (isinstance(extra, ast.Constant) and extra.value == "forbid") or tail_of(extra) == "forbid"
    if isinstance(option := words.get("forbid_unknown_fields"), ast.Constant):
        return option.value is True
    return depth < _DEEPEST and any(_forbids(ev, base, outer, depth + 1) for base, outer in _bases(ev, node, scope))


_DEEPEST: Final = 20


def _options(value: ast.expr) -> dict[str | None, ast.expr]:
    """The options of `ConfigDict(extra="forbid")`, or of `{"extra": "forbid"}`."""
    if isinstance(value, ast.Call):
        return {word.arg: word.value for word in value.keywords}
    if isinstance(value, ast.Dict):
        keys = (str(key.value) if isinstance(key, ast.Constant) else None for key in value.keys)
        return dict(zip(keys, value.values, strict=True))
    return {}


def _conditional_fields(node: ast.ClassDef) -> ast.stmt | None:
    """Return the statement of a class's body that holds annotations of its own."""
    blocks = (s for s in node.body if isinstance(s, ast.If | ast.Try | ast.With | ast.For | ast.While | ast.Match))
    return next((s for s in blocks if any(isinstance(inner, ast.AnnAssign) for inner in _inside(s))), None)


def _inside(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what stands in a statement, but not in the functions and classes in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def functional_typed_dict(ev: Evaluator, call: ast.Call, scope: Scope) -> Value:
    """Return the fields of `TypedDict("Name", {...}, total=...)`."""
    place = ev.place(call, scope)
    name, fields = call.args[:2]
    if not (isinstance(name, ast.Constant) and isinstance(fields, ast.Dict)):
        return Opaque("a TypedDict whose fields do not stand in it", place)
    total = _is_total(call.keywords)
    found = []
    for key, annotation in zip(fields.keys, fields.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return Opaque("a TypedDict with a field that is not a literal name", place)
        shape = types.shape(ev, annotation, scope)
        required = _is_required(annotation, default=total)
        found.append((Text(key.value, ev.place(key, scope)), replace(shape, required=required)))
    return Record(str(name.value), tuple(found), place)


def functional_enum(ev: Evaluator, call: ast.Call, scope: Scope) -> Value:
    """Return the values of `Enum("Name", {...})`."""
    members = ev.expr(call.args[1], scope)
    if isinstance(members, Entries):
        return Items(tuple(value for _, value in members.entries), ev.place(call, scope))
    return Opaque("an enumeration that is made by a call, without its values", ev.place(call, scope))


_MAKERS: Final = frozenset({"__init__", "__new__", "__post_init__", "__call__"})


def instance(ev: Evaluator, call: ast.Call, scope: Scope, env: Env) -> Value | None:
    """Return what the fields of a new object hold, where its class only keeps what it is given; else None."""
    found = scope.find(call.func.id) if isinstance(call.func, ast.Name) else None
    node = found[1][-1].node if found else None
    if found is None or not isinstance(node, ast.ClassDef) or _is_enum(ev, node, found[0]):
        return None
    if any(isinstance(part, ast.FunctionDef) and part.name in _MAKERS for part in node.body):
        return None
    names = list(_fields(ev, node, found[0], frozenset()))
    given = [*zip(names, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
    if len(call.args) > len(names) or any(name is None or isinstance(value, ast.Starred) for name, value in given):
        return None
    entries = ((Text(name, ev.place(value, scope)), ev.expr(value, scope, env)) for name, value in given if name)
    return Entries(tuple(entries), ev.place(call, scope))


def _is_total(keywords: list[ast.keyword]) -> bool:
    return not any(k.arg == "total" and isinstance(k.value, ast.Constant) and k.value.value is False for k in keywords)


def _is_required(annotation: ast.expr, *, default: bool) -> bool:
    """Required and NotRequired may stand inside Annotated and ReadOnly."""
    while isinstance(annotation, ast.Subscript):
        tail = tail_of(annotation.value)
        if tail in ("Required", "NotRequired"):
            return tail == "Required"
        if tail not in ("Annotated", "ReadOnly"):
            break
        annotation = annotation.slice.elts[0] if isinstance(annotation.slice, ast.Tuple) else annotation.slice
    return default


def _bases(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> Iterator[tuple[ast.ClassDef, Scope]]:
    for base in node.bases:
        inside = ev.enter(base, scope)
        if inside and inside.parent and isinstance(inside.node, ast.ClassDef):
            yield inside.node, inside.parent


def _is_enum(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> bool:
    if any(tail_of(base) in ENUMS or tail_of(base).endswith("StrEnum") for base in node.bases):
        return True
    return any(_is_enum(ev, base, outer) for base, outer in _bases(ev, node, scope) if base is not node)


def _enum_members(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> Iterator[Value]:
    inside = scope.within(node)
    for statement in node.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name), *_], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if not name.startswith("_"):
                    is_auto = isinstance(value, ast.Call) and tail_of(value.func) == "auto"
                    at = ev.place(statement, inside)
                    found = _auto(node, name, at) if is_auto else ev.expr(value, inside)
                    yield Opaque("a member with several values", at) if isinstance(found, Items) else found
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.AnnAssign() | ast.Import():
                continue
            case ast.ImportFrom() | ast.Assert() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                continue
            case _:
                yield Opaque("members that are not written one by one", ev.place(statement, inside))


def _auto(node: ast.ClassDef, name: str, at: Place) -> Value:
    if any(isinstance(inner, ast.FunctionDef) and inner.name == "_generate_next_value_" for inner in node.body):
        return Opaque("auto(), which _generate_next_value_ decides", at)
    is_str = any(tail_of(base).endswith("StrEnum") for base in node.bases)
    return Text(name.lower(), at) if is_str else Opaque("auto(), which gives numbers", at)


def _fields(ev: Evaluator, node: ast.ClassDef, scope: Scope, seen: frozenset[str]) -> dict[str, tuple[Text, Shape]]:
    found: dict[str, tuple[Text, Shape]] = {}
    for base, outer in _bases(ev, node, scope):
        if base.name not in seen:
            found |= _fields(ev, base, outer, seen | {node.name})
    inside, typed = scope.within(node), _is_typed_dict(ev, node, scope, seen)
    total = _is_total(node.keywords)
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        annotation, name = statement.annotation, statement.target.id
        if "ClassVar" in ast.dump(annotation) or name.startswith("_") or name == "model_config":
            continue
        shape = types.shape(ev, annotation, inside)
        required = _is_required(annotation, default=total if typed else not _has_default(statement.value))
        key = _alias(statement.value) or name
        if isinstance(statement.value, ast.Call):
            shape = types.constrained(shape, statement.value)
        found[key] = (Text(key, ev.place(statement.target, inside)), replace(shape, required=required))
    return found


def _is_typed_dict(ev: Evaluator, node: ast.ClassDef, scope: Scope, seen: frozenset[str]) -> bool:
    if any(tail_of(base) == _TYPED_DICT for base in node.bases):
        return True
    bases = [(base, outer) for base, outer in _bases(ev, node, scope) if base.name not in seen]
    return any(_is_typed_dict(ev, base, outer, seen | {node.name}) for base, outer in bases)


def _has_default(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call) and tail_of(value.func) in ("Field", "field", "ib", "attrib"):
        names = {word.arg for word in value.keywords}
        first = value.args[0] if value.args else None
        given = first is not None and not (isinstance(first, ast.Constant) and first.value is ...)
        return given or bool(names & {"default", "default_factory", "factory"})
    return value is not None


def _alias(value: ast.expr | None) -> str | None:
    """The wire name that pydantic's `Field(alias=...)` gives, e.g. for fields called `if` or `async`."""
    if isinstance(value, ast.Call) and tail_of(value.func) == "Field":
        for word in value.keywords:
            if word.arg in ("alias", "serialization_alias") and isinstance(word.value, ast.Constant):
                return str(word.value.value)
    return None
