"""TypeScript types and declarations as values: closed sets, types with fields, mapping types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared import algebra
from driftgate.declared.interpret import names_by_value
from driftgate.declared.kind_words import array_of, record_of
from driftgate.declared.syntax import children, first, place_of, text_of
from driftgate.declared.typescript import zod_types
from driftgate.declared.values import (
    NO_CONSTRAINTS,
    Entries,
    Enumeration,
    Foreign,
    Items,
    Keyed,
    Opaque,
    Record,
    Shape,
    Text,
    Value,
)
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

    from driftgate.declared.typescript.expressions import Evaluator
    from driftgate.declared.typescript.scope import Scope

_INNER: Final = frozenset(
    {"Partial", "Required", "Readonly", "NonNullable", "Set", "ReadonlySet", "Array", "ReadonlyArray", "Flat"}
    | {"infer", "input", "output", "ReturnType", "Awaited"}
)
"""Generic types that hold the same names as their argument."""

_LONGEST_KIND: Final = 60

_MAPPINGS: Final = frozenset({"Record", "Map", "ReadonlyMap", "ZodRecord"})


def value(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    """Return what a type or a declaration stands for."""
    handler = _TYPES.get(node.type)
    return handler(ev, node, scope, place) if handler else Opaque(f"a {node.type.replace('_', ' ')}", place)


def ambient(ev: Evaluator, node: Node, scope: Scope) -> Value:
    """Return the value that a constant declared with the type `node` has: literal types are literal values."""
    place = place_of(node, scope.source)
    if node.type == "readonly_type" and (inner := first(node)):
        return ambient(ev, inner, scope)
    if node.type != "object_type":
        return ev.value(node, scope)
    entries = []
    for part in children(node, "property_signature"):
        annotation = first(part.child_by_field_name("type"))
        key = _key(part, scope)
        entries.append((key, ambient(ev, annotation, scope) if annotation else Opaque("no type", key.place)))
    return Entries(tuple(entries), place)


def _key(part: Node, scope: Scope) -> Text:
    node = part.child_by_field_name("name") or part
    if node.type == "computed_property_name":
        node = first(node, "string") or node
    text = text_of(node)
    return Text(text[1:-1] if node.type == "string" else text, place_of(node, scope.source))


def _inside(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    inner = first(node)
    return ev.value(inner, scope) if inner else Opaque("nothing", place)


def _literal(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    inner = first(node)
    if inner and inner.type in ("string", "template_string"):
        return ev.value(inner, scope)
    text = text_of(node)
    kind = {"true": "boolean", "false": "boolean"}.get(text, text)
    return Shape(kind if kind in ("null", "undefined", "boolean") else "number", place)


def _predefined(_: Evaluator, node: Node, __: Scope, place: Place) -> Value:
    text = text_of(node)
    return Shape("unknown" if text == "any" else text, place)


def _union(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    found: list[Value] = []
    for child in _operands(node):
        part = ev.value(child, scope)
        if not (isinstance(part, Shape) and part.kind in ("null", "undefined")):
            found += part.items if isinstance(part, Items) else (part,)
    return Items(tuple(found), place)


def _operands(union: Node) -> list[Node]:
    """Return the members of a union, which the grammar nests: `(A | B) | C`."""
    waiting, found = [union], []
    while waiting:
        node = waiting.pop()
        if node.type == "union_type":
            waiting += reversed(list(children(node)))
        else:
            found.append(node)
    return found


def _items(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    found: list[Value] = []
    for child in children(node):
        inner = first(child) if child.type in ("rest_type", "optional_type") else child
        part = ev.value(inner, scope) if inner else Opaque("nothing", place)
        found += algebra.alternatives(part) if child.type == "rest_type" else (part,)
    return Items(tuple(found), place)


def _array(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    """`("A" | "B")[]` holds the same names as its element type; other arrays are no sets."""
    inner = _inside(ev, node, scope, place)
    parts = algebra.alternatives(inner)
    if parts and all(isinstance(part, Text) for part in parts):
        return Items(parts, place)
    node_ = first(node)
    return Shape(array_of(field_shape(ev, node_, scope).kind if node_ else "unknown"), place)


def field_shape(ev: Evaluator, node: Node, scope: Scope) -> Shape:
    """Return the type of a field; one that has no simple kind goes by its text where that is short."""
    found = ev.value(node, scope)
    shape = algebra.to_shape(found)
    if not any(isinstance(part, Opaque | Record | Entries) for part in algebra.alternatives(found)):
        return shape
    text = " ".join(text_of(node).split())
    return replace(shape, kind=text) if len(text) <= _LONGEST_KIND else shape


def _lookup(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    """`(typeof X)[number]` are the members of X; `X["shell"]` is a field of it."""
    base, index = [*children(node), None, None][:2]
    if base is None or index is None:
        return Opaque("an indexed type", place)
    outer = ev.value(base, scope)
    if isinstance(outer, Foreign | Opaque):
        return outer
    if index.type == "index_type_query":
        return Items(_values(outer), place)
    if text_of(index) == "number":
        return Items(algebra.iterate(outer), place)
    key = ev.value(index, scope)
    if isinstance(outer, Record | Entries) and isinstance(key, Text):
        pairs: Mapping[str, Value] = {name.value: item for name, item in _pairs(outer)}
        return pairs.get(key.value, Opaque(f"no field {key.value}", place))
    return Opaque("an indexed type", place)


def _values(outer: Value) -> tuple[Value, ...]:
    """What an object type holds under any of its keys."""
    pairs = _pairs(outer) if isinstance(outer, Record | Entries) else ()
    held = (item.inner if isinstance(item, Shape) and item.inner is not None else item for _, item in pairs)
    return tuple(part for item in held for part in algebra.alternatives(item)) or algebra.iterate(outer)


def _pairs(outer: Record | Entries) -> tuple[tuple[Text, Value], ...]:
    return outer.fields if isinstance(outer, Record) else outer.entries


def _keys(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    inner = _inside(ev, node, scope, place)
    match inner:
        case Record(fields=pairs) | Entries(entries=pairs):
            return Items(tuple(key for key, _ in pairs), place)
        case Keyed(keys=keys):
            return keys
        case _:
            return inner if isinstance(inner, Foreign | Opaque) else Opaque("the keys of no object", place)


def _named(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    name = text_of(node)
    if scope.find(name) is None and not scope.everything_from:
        return Shape(name, place)  # a global type, such as URL
    return ev.name(name, scope, place)


def _nested(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    module, name = text_of(node.child_by_field_name("module")), text_of(node.child_by_field_name("name"))
    if name in zod_types.PLAIN:
        return Shape(zod_types.PLAIN[name], place)
    outer = ev.name(module, scope, place)
    if isinstance(outer, Entries):
        return next((item for key, item in outer.entries if key.value == name), Opaque(f"no {name}", place))
    return Foreign(name, outer.module, place) if isinstance(outer, Foreign) else Opaque(f"the type {name}", place)


def _generic(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    tail = text_of(node.child_by_field_name("name")).rpartition(".")[2]
    arguments = list(children(node.child_by_field_name("type_arguments")))
    if not arguments:
        return Opaque(f"the type {tail}", place)
    if tail in _MAPPINGS:
        parts = [algebra.to_shape(ev.value(argument, scope)) for argument in arguments]
        kinds = [part.kind if part.kind != "enum" else "string" for part in parts]
        return Keyed(ev.value(arguments[0], scope), place, record_of(kinds))
    if tail == "ZodDiscriminatedUnion":  # the union first in version 4, the discriminator first in version 3
        arguments = [argument for argument in arguments if argument.type == "tuple_type"] or arguments
        tail = "ZodUnion"
    inner = ev.value(arguments[0], scope)
    if tail in zod_types.GENERIC:
        return zod_types.GENERIC[tail](inner, place)
    if tail in ("Exclude", "Extract") and len(arguments) == 2:
        others = algebra.alternatives(ev.value(arguments[1], scope))
        chosen = algebra.difference if tail == "Exclude" else algebra.intersection
        return chosen(algebra.alternatives(inner), others, place)
    if tail in ("Omit", "Pick") and isinstance(inner, Record) and len(arguments) == 2:
        names = names_by_value(algebra.alternatives(ev.value(arguments[1], scope)))
        kept = tuple(pair for pair in inner.fields if (pair[0].value in names) == (tail == "Pick"))
        return replace(inner, fields=kept, place=place)
    if tail == "Partial" and isinstance(inner, Record):
        return replace(inner, fields=tuple((key, replace(shape, required=False)) for key, shape in inner.fields))
    if tail in ("Array", "ReadonlyArray", "Set", "ReadonlySet") and not isinstance(inner, Items):
        return Shape(array_of(algebra.to_shape(inner).kind), place)
    return inner if tail in _INNER else Opaque(f"the type {tail}<...>", place)


def _object(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    return _record(ev, node, "", scope, place)


def _record(ev: Evaluator, body: Node | None, name: str, scope: Scope, place: Place) -> Record | Keyed | Opaque:
    """Return the fields of an object type; one that has an index signature alone is a mapping."""
    fields = []
    index: Node | None = None
    for part in children(body):
        if part.type == "index_signature":
            index = part
        if part.type not in ("property_signature", "method_signature", "public_field_definition"):
            continue
        named = part.child_by_field_name("name")
        if named is not None and named.type == "computed_property_name" and first(named, "string") is None:
            return Opaque("a computed key", place_of(named, scope.source))
        annotation = first(part.child_by_field_name("type"))
        at = place_of(part, scope.source)
        shape = field_shape(ev, annotation, scope) if annotation else Shape("function", at)
        optional = any(child.type == "?" for child in part.children)
        required = shape.required and not optional
        fields.append((_key(part, scope), replace(shape, required=required, unstated=NO_CONSTRAINTS)))
    if index is not None and not fields:
        return _mapping(ev, index, scope, place)
    return Record(name, tuple(fields), place, others=place_of(index, scope.source) if index is not None else None)


def _mapping(ev: Evaluator, index: Node, scope: Scope, place: Place) -> Keyed:
    clause = first(index, "mapped_type_clause")
    key = clause.child_by_field_name("type") if clause else index.child_by_field_name("index_type")
    annotation = first(index.child_by_field_name("type"))
    inner = algebra.to_shape(ev.value(annotation, scope)).kind if annotation and not clause else "unknown"
    keys = ev.value(key, scope) if key else Opaque("no key type", place)
    if clause and (renamed := clause.child_by_field_name("alias")):
        keys = Opaque("keys that a mapped type renames", place_of(renamed, scope.source))
    return Keyed(keys, place, record_of(["string", inner]))


def _interface(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    name = text_of(node.child_by_field_name("name"))
    own = _record(ev, node.child_by_field_name("body"), name, scope, place)
    bases = [ev.value(base, scope) for clause in children(node, "extends_type_clause") for base in children(clause)]
    if isinstance(own, Keyed | Opaque):
        return own
    if unread := next((base for base in bases if isinstance(base, Foreign | Opaque)), None):
        return unread
    if closed := [base for base in bases if isinstance(base, Keyed) and isinstance(base.keys, Items)]:
        return algebra.intersect([*(base for base in bases if isinstance(base, Record)), *closed, own], place)
    records = (*(base for base in bases if isinstance(base, Record)), own)
    merged = algebra.merge_records(name, records, place)
    others = next((each.others for each in records if each.others), None)
    return replace(merged, others=others) if isinstance(merged, Record) else merged


def _intersection(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    return algebra.intersect([ev.value(child, scope) for child in children(node)], place)


def _alias(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    inner = node.child_by_field_name("value")
    found = ev.value(inner, scope) if inner else Opaque("no type", place)
    name = text_of(node.child_by_field_name("name"))
    return replace(found, name=name) if isinstance(found, Record) else found


def _enum(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    entries = []
    for part in children(node.child_by_field_name("body")):
        node_ = part.child_by_field_name("value")
        key = _key(part, scope)
        given = ev.value(node_, scope) if node_ else Opaque("a numbered member of an enumeration", key.place)
        entries.append((key, given))
    return Enumeration(tuple(entries), place)


def _class(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    entries = []
    for part in children(node.child_by_field_name("body"), "public_field_definition"):
        inner = part.child_by_field_name("value")
        if inner and any(child.type == "static" for child in part.children):
            key = _key(part, scope)
            entries.append((key, ev.static(key.value, text_of(node.child_by_field_name("name")), inner, scope)))
    return Entries(tuple(entries), place) if entries else Opaque("a class without constants", place)


def _namespace(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    body = node.child_by_field_name("body")
    inside = scope.within(body) if body else scope
    names = inside.names if body else {}
    return Entries(tuple((Text(name, place), ev.name(name, inside, place)) for name in names), place)


_TYPES: Final[Mapping[str, Callable[[Evaluator, Node, Scope, Place], Value]]] = MappingProxyType(
    {
        "literal_type": _literal,
        "predefined_type": _predefined,
        "union_type": _union,
        "tuple_type": _items,
        "array_type": _array,
        "readonly_type": _inside,
        "parenthesized_type": _inside,
        "type_query": _inside,
        "lookup_type": _lookup,
        "index_type_query": _keys,
        "type_identifier": _named,
        "nested_type_identifier": _nested,
        "generic_type": _generic,
        "object_type": _object,
        "intersection_type": _intersection,
        "type_alias_declaration": _alias,
        "interface_declaration": _interface,
        "enum_declaration": _enum,
        "class_declaration": _class,
        "abstract_class_declaration": _class,
        "internal_module": _namespace,
    }
)
