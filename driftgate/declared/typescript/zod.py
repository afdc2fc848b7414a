"""zod schemas (https://zod.dev, versions 3 and 4) as closed sets and types with fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared import algebra
from driftgate.declared.kind_words import array_of, record_of
from driftgate.declared.syntax import children, text_of
from driftgate.declared.values import Entries, Enumeration, Foreign, Items, Keyed, Opaque, Record, Shape, Text, Value
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

    from driftgate.declared.typescript.expressions import Evaluator
    from driftgate.declared.typescript.scope import Scope

Values = tuple[Value, ...]

_KINDS: Final = MappingProxyType(
    {
        "string": ("string", ()),
        "number": ("number", ()),
        "int": ("number", ("int",)),
        "boolean": ("boolean", ()),
        "url": ("string", ("url",)),
        "httpUrl": ("string", ("url",)),
        "any": ("unknown", ()),
        "unknown": ("unknown", ()),
        "null": ("null", ()),
        "undefined": ("undefined", ()),
        "never": ("never", ()),
        "custom": ("custom", ()),
        "instanceof": ("custom", ()),
    }
)

_SAME_NAMES: Final = frozenset(
    {"describe", "meta", "brand", "readonly", "refine", "superRefine", "check"}
    | {"register", "nullable", "nonoptional", "overwrite", "trim", "unwrap", "required"}
)


def is_constructor(callee: Node, scope: Scope) -> bool:
    """Return whether `callee` is a function of zod: `z.object`, `zod_1.z.object`, or `object` imported from zod."""
    if callee.type == "identifier":
        found = scope.find(text_of(callee))
        imported = found[1][0].imported if found else None
        return imported is not None and imported[1] is not None and _is_zod(imported[0])
    base = callee.child_by_field_name("object")
    if callee.type != "member_expression" or base is None:
        return False
    text = text_of(base)
    if text in ("z", "zod") or text.endswith((".z", ".coerce")):
        return True
    found = scope.find(text) if base.type == "identifier" else None
    return found is not None and found[1][0].imported is not None and _is_zod(found[1][0].imported[0])


def _imported_name(callee: Node, scope: Scope) -> str:
    found = scope.find(text_of(callee))
    imported = found[1][0].imported if found else None
    return (imported[1] if imported else None) or ""


def _is_zod(module: str) -> bool:
    return module == "zod" or module.startswith(("zod/", "@zod/"))


def construct(ev: Evaluator, callee: Node, arguments: Node | None, scope: Scope, place: Place) -> Value:
    """Return the schema that a call of one of zod's functions makes."""
    name = text_of(callee.child_by_field_name("property")) or _imported_name(callee, scope)
    if name in _KINDS:
        kind, constraints = _KINDS[name]
        coerced = ("coerced",) if text_of(callee.child_by_field_name("object")).endswith(".coerce") else ()
        return Shape(kind, place, constraints=(*constraints, *coerced))
    if name == "preprocess" and len(given := list(children(arguments))) == 2:
        return _constrain(ev.value(given[1], scope), "coerced")
    handler = _CONSTRUCTORS.get(name)
    return handler(ev.elements(arguments, scope), place) if handler else Opaque(f"a call of {name}() of zod", place)


def _literal(values: Values, place: Place) -> Value:
    """A literal of texts; of several in version 4."""
    parts = tuple(part for value in values for part in algebra.alternatives(value))
    if parts and all(isinstance(part, Text) for part in parts):
        return parts[0] if len(parts) == 1 else Items(parts, place)
    return Shape("literal", place)


def _enum(values: Values, place: Place) -> Value:
    match values:
        case (Foreign() as foreign, *_):
            return Shape("enum", place, foreign=foreign)
        case (Entries(entries=entries) | Enumeration(entries=entries), *_):
            return Items(tuple(value for _, value in entries), place)
        case (Items() as items, *_):
            return Items(items.items, place)
        case _:
            return Opaque("an enum of something unreadable", place)


def _array(values: Values, place: Place) -> Value:
    return Shape(array_of(algebra.to_shape(values[0]).kind if values else "unknown"), place)


def _record(values: Values, place: Place) -> Value:
    """`record(keys, values)`; in version 3 `record(values)` too."""
    kinds = ["string" if (shape := algebra.to_shape(value)).kind == "enum" else shape.kind for value in values]
    keys: Value = values[0] if len(values) > 1 else Shape("string", place)
    return Keyed(keys, place, record_of(kinds if len(kinds) > 1 else ["string", *kinds]))


def _object(values: Values, place: Place) -> Value:
    match values:
        case (Entries(entries=entries), *_):
            return Record("", tuple((key, algebra.to_shape(value)) for key, value in entries), place)
        case (Record() as record, *_):
            return record
        case (Foreign() | Opaque() as unread, *_):
            return unread
        case _:
            return Opaque("an object of something unreadable", place)


def _union(values: Values, place: Place) -> Value:
    """`union([...])`, or `discriminatedUnion("type", [...])`."""
    options = values[-1] if values else None
    if not isinstance(options, Items):
        return options or Opaque("a union of nothing", place)
    return Items(tuple(part for option in options.items for part in algebra.alternatives(option)), place)


def _both(values: Values, place: Place) -> Value:
    records = [value for value in values if isinstance(value, Record)]
    return algebra.merge_records("", records, place) if len(records) == 2 else Opaque("an intersection", place)


def _inner(values: Values, place: Place) -> Value:
    return values[0] if values else Opaque("a schema of nothing", place)


def _optional_of(values: Values, place: Place) -> Value:
    return replace(algebra.to_shape(_inner(values, place)), required=False)


_CONSTRUCTORS: Final[Mapping[str, Callable[[Values, Place], Value]]] = MappingProxyType(
    {
        "literal": _literal,
        "enum": _enum,
        "nativeEnum": _enum,
        "array": _array,
        "set": _array,
        "tuple": _array,
        "record": _record,
        "partialRecord": _record,
        "looseRecord": _record,
        "object": _object,
        "strictObject": lambda values, place: _closed(strict=True)(_object(values, place), (), place),
        "looseObject": _object,
        "union": _union,
        "xor": _union,
        "discriminatedUnion": _union,
        "intersection": _both,
        "lazy": _inner,
        "nullable": _inner,
        "readonly": _inner,
        "optional": _optional_of,
        "nullish": _optional_of,
        "keyof": lambda values, place: _keyof(_inner(values, place), (), place),
    }
)


def _constrain(value: Value, *words: str) -> Value:
    shape = algebra.to_shape(value)
    return replace(shape, constraints=(*shape.constraints, *words))


def _word(word: str) -> Callable[[Value, Values, Place], Value]:
    return lambda value, _, __: _constrain(value, word)


def _bounded(word: str) -> Callable[[Value, Values, Place], Value]:
    def bounded(value: Value, arguments: Values, _: Place) -> Value:
        given = arguments[0] if arguments else None
        limit = given.what.removeprefix("the number ") if isinstance(given, Opaque) else "?"
        return _constrain(value, "positive" if (word, limit) == ("gt", "0") else f"{word}({limit})")

    return bounded


def _caught(value: Value, arguments: Values, _: Place) -> Value:
    fallback = arguments[0] if arguments else None
    return _constrain(value, f"catch({json.dumps(fallback.value)})" if isinstance(fallback, Text) else "catch")


def _optional(value: Value, _: Values, __: Place) -> Value:
    return replace(algebra.to_shape(value), required=False)


def _same(value: Value, _: Values, __: Place) -> Value:
    return value


def _closed(*, strict: bool) -> Callable[[Value, Values, Place], Value]:
    return lambda value, _, __: replace(value, strict=strict) if isinstance(value, Record) else value


def _extended(value: Value, arguments: Values, place: Place) -> Value:
    more = _object(arguments, place)
    if isinstance(value, Record) and isinstance(more, Record):
        return algebra.merge_records("", (value, more), value.place)
    return more if not isinstance(more, Record) else Opaque("an extension of no object", place)


def _partial(value: Value, _: Values, __: Place) -> Value:
    if not isinstance(value, Record):
        return value
    return replace(value, name="", fields=tuple((key, replace(shape, required=False)) for key, shape in value.fields))


def _picked(*, keep: bool) -> Callable[[Value, Values, Place], Value]:
    def picked(value: Value, arguments: Values, place: Place) -> Value:
        if not isinstance(value, Record) or not arguments or not isinstance(arguments[0], Entries):
            return Opaque("a selection of fields", place)
        names = {key.value for key, _ in arguments[0].entries}
        return replace(value, name="", fields=tuple(pair for pair in value.fields if (pair[0].value in names) == keep))

    return picked


def _keyof(value: Value, _: Values, place: Place) -> Value:
    return Items(tuple(key for key, _ in value.fields), place) if isinstance(value, Record) else value


def _listed(value: Value, _: Values, place: Place) -> Value:
    return _array((value,), place)


def _or(value: Value, arguments: Values, place: Place) -> Value:
    return _union((Items((value, *arguments), place),), place)


def _excluded(value: Value, arguments: Values, place: Place) -> Value:
    return algebra.difference(algebra.iterate(value), algebra.iterate(_inner(arguments, place)), value.place)


def _extracted(value: Value, arguments: Values, place: Place) -> Value:
    return algebra.intersection(algebra.iterate(value), algebra.iterate(_inner(arguments, place)), value.place)


METHODS: Final[Mapping[str, Callable[[Value, Values, Place], Value]]] = MappingProxyType(
    {
        **dict.fromkeys(sorted(_SAME_NAMES), _same),
        "strict": _closed(strict=True),
        **dict.fromkeys(("passthrough", "strip", "loose", "catchall"), _closed(strict=False)),
        "optional": _optional,
        "nullish": _optional,
        "exactOptional": _optional,
        "default": _optional,
        "prefault": _optional,
        "catch": _caught,
        "positive": _word("positive"),
        "nonnegative": _word("nonnegative"),
        "int": _word("int"),
        "url": _word("url"),
        "email": _word("email"),
        "uuid": _word("uuid"),
        "regex": _word("regex"),
        "transform": _word("transform"),
        "pipe": _word("transform"),
        "nonempty": _word("min(1)"),
        "min": _bounded("min"),
        "max": _bounded("max"),
        "length": _bounded("length"),
        "gt": _bounded("gt"),
        "gte": _bounded("min"),
        "array": _listed,
        "or": _or,
        "and": lambda value, arguments, place: _both((value, *arguments), place),
        "extend": _extended,
        "safeExtend": _extended,
        "merge": _extended,
        "partial": _partial,
        "pick": _picked(keep=True),
        "omit": _picked(keep=False),
        "keyof": _keyof,
        "exclude": _excluded,
        "extract": _extracted,
    }
)
"""What the methods of a schema make of it."""


def _shape_view(value: Value) -> Value:
    return Entries(value.fields, value.place) if isinstance(value, Record) else value


VIEWS: Final[Mapping[str, Callable[[Value], Value]]] = MappingProxyType(
    {**dict.fromkeys(("options", "enum", "Enum", "Values", "element"), lambda value: value), "shape": _shape_view}
)
"""Properties of a schema through which its own names are seen."""
