"""Reading entry schemas: the union, its types in order, and each type's fields in the words of the snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.values import Record, Schema, Step, Value
from driftgate.surface import Field

DISCRIMINATOR: Final = "type"
_OBJECTS: Final = frozenset({"object", "strictObject", "looseObject"})
_OPTIONAL: Final = frozenset({"optional", "nullish", "default", "prefault", "exactOptional"})
_SILENT: Final = frozenset({"describe", "meta", "optional"})
"""Methods that say nothing about a value: requiredness and description are told apart from constraints."""

_FORMATS: Final = frozenset({"url"})
"""Kinds that are strings in a format."""

_INTERNAL: Final = "@internal"


class FieldError(ValueError):
    """A field, or the list of fields, of an entry schema could not be read."""


@dataclass(frozen=True)
class Entry:
    """One entry type: its name, and its fields without the discriminator."""

    type: str
    fields: tuple[Field, ...]


def shape_of(evaluator: Evaluator, schema: Value) -> Mapping[str, Value] | None:
    """Return the members of an object schema; None where `schema` is none."""
    if not (isinstance(schema, Schema) and schema.kind in _OBJECTS and schema.args):
        return None
    shape = evaluator.force(schema.args[0])
    if isinstance(shape, Record):
        return shape.members
    return None


def entry_types_of(evaluator: Evaluator, schema: Value) -> tuple[Value, ...] | None:
    """Return the options of a union on `type`, in its order; a single object with a literal `type` is one option."""
    if isinstance(schema, Schema) and schema.kind in ("discriminatedUnion", "union") and schema.args:
        on, options = (None, *schema.args)[-2:] if len(schema.args) == 1 else schema.args[:2]
        members = evaluator.force(options)
        if not isinstance(members, tuple) or (on is not None and evaluator.force(on) != DISCRIMINATOR):
            return None
        resolved = tuple(evaluator.force(each) for each in members)
        return resolved if any(type_of(evaluator, each) for each in resolved) else None
    return (schema,) if type_of(evaluator, schema) else None


def type_of(evaluator: Evaluator, schema: Value) -> str | None:
    """Return the literal `type` of an object schema."""
    shape = shape_of(evaluator, schema)
    if shape is None or DISCRIMINATOR not in shape:
        return None
    literal = evaluator.force(shape[DISCRIMINATOR])
    if not (isinstance(literal, Schema) and literal.kind == "literal" and literal.args):
        return None
    value = evaluator.force(literal.args[0])
    return value if isinstance(value, str) else None


def read_entry(evaluator: Evaluator, schema: Value) -> Entry:
    """Read one entry schema. Raises FieldError."""
    shape = shape_of(evaluator, schema)
    name = type_of(evaluator, schema)
    if shape is None or name is None:
        raise FieldError("it is no object with a literal `type`")
    return Entry(
        name,
        tuple(_field(evaluator, key, evaluator.force(value)) for key, value in shape.items() if key != DISCRIMINATOR),
    )


def _field(evaluator: Evaluator, name: str, schema: Value) -> Field:
    if not isinstance(schema, Schema):
        raise FieldError(f"field `{name}` is no schema that can be read")
    kind, steps = _unwrapped(evaluator, schema)
    word, values, constraints = _word(evaluator, kind)
    return Field(
        name=name,
        kind=word,
        required=not any(step.name in _OPTIONAL for step in steps),
        internal=any(_INTERNAL in text for text in _descriptions(evaluator, steps)),
        values=values,
        constraints=(*constraints, *(_constraint(evaluator, step) for step in steps if step.name not in _SILENT)),
    )


def _unwrapped(evaluator: Evaluator, schema: Schema) -> tuple[Schema, tuple[Step, ...]]:
    """Return the schema within wrappers that are written as functions (`optional(string())`), and all the steps."""
    inner = evaluator.force(schema.args[0]) if schema.args else None
    if schema.kind in _OPTIONAL and isinstance(inner, Schema):
        kind, steps = _unwrapped(evaluator, inner)
        return kind, (*steps, Step("optional"), *schema.steps)
    return schema, schema.steps


def _word(evaluator: Evaluator, schema: Schema) -> tuple[str, tuple[str, ...] | None, tuple[str, ...]]:
    """Return (kind, values, constraints) of a schema, in the words of the snapshots."""
    args = [evaluator.force(each) for each in schema.args]
    match schema.kind:
        case "enum":
            return "enum", _members(evaluator, args), ()
        case "array":
            return f"array<{_inner(evaluator, args[0])}>", None, ()
        case "record" | "partialRecord":
            key, value = ("string", args[0]) if len(args) == 1 else (_inner(evaluator, args[0]), args[1])
            return f"record<{key},{_inner(evaluator, value)}>", None, ()
        case "union":
            members = args[-1] if isinstance(args[-1], tuple) else ()
            return "|".join(_inner(evaluator, evaluator.force(each)) for each in members) or "union", None, ()
        case "literal":
            return "literal", tuple(str(each) for each in args), ()
        case "preprocess" if isinstance(args[-1], Schema):
            kind, values, constraints = _word(evaluator, args[-1])
            more = tuple(_constraint(evaluator, step) for step in args[-1].steps if step.name not in _SILENT)
            return kind, values, ("coerced", *constraints, *more)
        case kind if kind in _FORMATS:
            return "string", None, (kind,)
        case kind:
            return kind, None, ()


def _inner(evaluator: Evaluator, schema: Value) -> str:
    if not isinstance(schema, Schema):
        raise FieldError("the kind of its items cannot be read")
    return _word(evaluator, schema)[0]


def _members(evaluator: Evaluator, args: list[Value]) -> tuple[str, ...]:
    given = args[0] if args else ()
    members = tuple(given.members.values()) if isinstance(given, Record) else given
    if not isinstance(members, tuple):
        raise FieldError("the members of its enum cannot be read")
    forced = [evaluator.force(each) for each in members]
    found = tuple(each for each in forced if isinstance(each, str))
    if not found or len(found) != len(forced):
        raise FieldError("the members of its enum cannot be read")
    return found


def _constraint(evaluator: Evaluator, step: Step) -> str:
    """Return `min(1)`, `catch("skip")`; a method without plain arguments is named by itself (`positive`)."""
    args = [_plain(evaluator.force(each)) for each in step.args]
    shown = [text for text in args if text is not None]
    return f"{step.name}({','.join(shown)})" if shown else step.name


def _plain(value: Value) -> str | None:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case int() | float():
            return f"{value:g}"
        case _:
            return None


def _descriptions(evaluator: Evaluator, steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        if step.name == "describe" and step.args:
            text = evaluator.force(step.args[0])
            if isinstance(text, str):
                yield text
