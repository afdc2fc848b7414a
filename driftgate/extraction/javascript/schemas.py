"""What a schema of the library holds, at the level of values: an object's members, a union's options, an enum's names.

Methods make new schemas and never change one (https://zod.dev/api), so a chain of calls is a list of steps, applied
here one by one. A method that is not known is never skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.extraction.javascript.values import (
    UNDEFINED,
    Record,
    Schema,
    Step,
    Unknown,
    Value,
    truth,
)
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

STRIP: Final = "strip"
STRICT: Final = "strict"
PASSTHROUGH: Final = "passthrough"

OBJECTS: Final[Mapping[str, str]] = MappingProxyType(
    {"object": STRIP, "interface": STRIP, "strictObject": STRICT, "looseObject": PASSTHROUGH}
)
"""Kinds that are objects, and what each does with keys that it does not know."""

UNIONS: Final = frozenset({"union", "discriminatedUnion", "xor"})

SILENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "describe": "a text for people; whether it marks the field as internal is asked of the text itself",
        "meta": "data for people and for tools, which decides about no value",
        "register": "data for tools, which decides about no value",
        "brand": "a type for the compiler",
        "readonly": "freezes what was accepted",
        "clone": "the same schema again",
        "openapi": "data for tools, which decides about no value",
    }
)
"""Methods that say nothing about which values are accepted or what they load as, and why."""

ACCESSORS: Final = frozenset(
    {"shape", "options", "element", "enum", "Enum", "Values", "value", "values", "def", "_def"}
)
"""Properties of a schema, as opposed to its methods."""

_REST: Final[Mapping[str, str]] = MappingProxyType(
    {"strict": STRICT, "strip": STRIP, "passthrough": PASSTHROUGH, "loose": PASSTHROUGH, "nonstrict": PASSTHROUGH}
)


@dataclass(frozen=True, slots=True)
class Shape:
    """An object schema: its members in order, what it does with other keys (a word, or the schema of their values),
    and the steps that are no change of members: checks, and what wraps the whole."""

    members: Mapping[str, Value]
    rest: str | Value
    steps: tuple[Step, ...] = ()


def member(evaluator: Evaluator, schema: Schema, name: str, place: Place | None) -> Value:
    """Return a property of a schema."""
    match name:
        case "shape":
            shape = shape_of(evaluator, schema)
            return shape if isinstance(shape, Unknown) else Record(shape.members)
        case "options" if schema.kind in UNIONS:
            return options_of(evaluator, schema)
        case "options" if schema.kind in ("enum", "nativeEnum"):
            return members_of_enum(evaluator, schema)
        case "enum" | "Enum" | "Values" if schema.kind in ("enum", "nativeEnum"):
            names = members_of_enum(evaluator, schema)
            return names if isinstance(names, Unknown) else Record({str(each): each for each in names})
        case "element" if schema.kind == "array" and schema.args and not schema.steps:
            return evaluator.force(schema.args[0])
        case "value" if schema.kind == "literal" and len(schema.args) == 1:
            return evaluator.force(schema.args[0])
        case _:
            return Unknown(f"the property `.{name}` of a schema ({schema.kind}) is not understood", place)


def shape_of(evaluator: Evaluator, schema: Value) -> Shape | Unknown:
    """Return what an object schema holds, all its methods applied."""
    if not isinstance(schema, Schema) or schema.kind not in OBJECTS:
        what = f"it is made by `{schema.kind}`" if isinstance(schema, Schema) else "it is no schema"
        return (
            schema
            if isinstance(schema, Unknown)
            else Unknown(f"no object schema: {what}", getattr(schema, "place", None))
        )
    given = evaluator.force(schema.args[0]) if schema.args else Record({})
    if isinstance(given, Unknown):
        return given
    if not isinstance(given, Record):
        return Unknown("an object schema whose members are no object literal", schema.place)
    shape: Shape | Unknown = Shape(given.members, OBJECTS[schema.kind])
    for step in schema.steps:
        if isinstance(shape, Unknown):
            return shape
        shape = _apply(evaluator, shape, step)
    return shape


def _apply(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    if step.name in _SHAPING and not any(each.name not in _STAYS_OBJECT for each in shape.steps):
        return _SHAPING[step.name](evaluator, shape, step)
    return replace(shape, steps=(*shape.steps, step))


_STAYS_OBJECT: Final = frozenset({*SILENT, "refine", "superRefine", "check", "overwrite"})
"""Steps behind which a schema still has the methods of an object."""


def _given(evaluator: Evaluator, step: Step) -> Value:
    return evaluator.force(step.args[0]) if step.args else UNDEFINED


def _extended(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    given = _given(evaluator, step)
    if isinstance(given, Schema):
        other = shape_of(evaluator, given)
        given = other if isinstance(other, Unknown) else Record(other.members)
    if not isinstance(given, Record):
        return _not_given(step, given)
    return replace(shape, members={**shape.members, **given.members})


def _merged(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    other = shape_of(evaluator, _given(evaluator, step))
    if isinstance(other, Unknown):
        return other
    return Shape({**shape.members, **other.members}, other.rest, (*shape.steps, *other.steps))


def _and(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    """Both must accept: members of both, as long as neither refuses what it does not know."""
    other = shape_of(evaluator, _given(evaluator, step))
    if isinstance(other, Unknown):
        return other
    if (
        not {shape.rest, other.rest} <= {STRIP, PASSTHROUGH}
        if isinstance(shape.rest, str) and isinstance(other.rest, str)
        else True
    ):
        return Unknown("an intersection of objects that do not take other keys", step.place)
    members = dict(shape.members)
    for name, value in other.members.items():
        held = evaluator.force(members[name]) if name in members else None
        members[name] = value if held is None else _both(held, value, step)
    rest = PASSTHROUGH if PASSTHROUGH in (shape.rest, other.rest) else STRIP
    return Shape(members, rest, (*shape.steps, *other.steps))


def _both(one: Value, other: Value, step: Step) -> Value:
    if not isinstance(one, Schema):
        return one
    return replace(one, steps=(*one.steps, Step("and", (other,), step.place)))


def _mask(evaluator: Evaluator, shape: Shape, step: Step) -> tuple[str, ...] | Unknown:
    """Return which members a mask (`{name: true}`) or a list names; all where none is given."""
    given = _given(evaluator, step)
    if given is UNDEFINED:
        return tuple(shape.members)
    if isinstance(given, tuple):
        names = tuple(evaluator.force(each) for each in given)
    elif isinstance(given, Record):
        chosen = {name: truth(evaluator.force(value)) for name, value in given.members.items()}
        if None in chosen.values():
            return Unknown(f"what `.{step.name}` chooses is not known", step.place)
        names = tuple(name for name, holds in chosen.items() if holds)
    else:
        return _not_given(step, given)
    plain = tuple(name for name in names if isinstance(name, str))
    if len(plain) != len(names):
        return Unknown(f"what `.{step.name}` chooses is not known", step.place)
    return plain


def _omitted(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    names = _mask(evaluator, shape, step)
    if isinstance(names, Unknown) or not step.args:
        return names if isinstance(names, Unknown) else _not_given(step, UNDEFINED)
    return replace(shape, members={name: each for name, each in shape.members.items() if name not in names})


def _picked(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    names = _mask(evaluator, shape, step)
    if isinstance(names, Unknown) or not step.args:
        return names if isinstance(names, Unknown) else _not_given(step, UNDEFINED)
    return replace(shape, members={name: each for name, each in shape.members.items() if name in names})


def _marked(word: str) -> Callable[[Evaluator, Shape, Step], Shape | Unknown]:
    def marked(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
        names = _mask(evaluator, shape, step)
        if isinstance(names, Unknown):
            return names
        members = dict(shape.members)
        for name in names:
            if name in members:
                held = evaluator.force(members[name])
                if not isinstance(held, Schema):
                    return (
                        held if isinstance(held, Unknown) else Unknown(f"the member `{name}` is no schema", step.place)
                    )
                members[name] = replace(held, steps=(*held.steps, Step(word, (), step.place)))
        return replace(shape, members=members)

    return marked


def _with_rest(_: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    return replace(shape, rest=_REST[step.name])


def _catchall(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    given = _given(evaluator, step)
    return replace(shape, rest=given) if isinstance(given, Schema) else _not_given(step, given)


def _set_key(evaluator: Evaluator, shape: Shape, step: Step) -> Shape | Unknown:
    name = _given(evaluator, step)
    if not isinstance(name, str) or len(step.args) < 2:
        return _not_given(step, name)
    return replace(shape, members={**shape.members, name: step.args[1]})


def _not_given(step: Step, given: Value) -> Unknown:
    what = given.what if isinstance(given, Unknown) else "it is not of the kind that is needed"
    return Unknown(f"what `.{step.name}` is given is not known ({what})", step.place)


_SHAPING: Final[Mapping[str, Callable[[Evaluator, Shape, Step], Shape | Unknown]]] = MappingProxyType(
    {
        "extend": _extended,
        "safeExtend": _extended,
        "augment": _extended,
        "merge": _merged,
        "and": _and,
        "omit": _omitted,
        "pick": _picked,
        "partial": _marked("optional"),
        "required": _marked("nonoptional"),
        "catchall": _catchall,
        "setKey": _set_key,
        **dict.fromkeys(_REST, _with_rest),
    }
)
"""Methods of an object schema that change its members or what it does with other keys."""


def options_of(evaluator: Evaluator, schema: Schema) -> tuple[Value, ...] | Unknown:
    """Return the options of a union."""
    listed = schema.args[1:2] if schema.kind == "discriminatedUnion" else schema.args[:1]
    if not listed:
        listed = schema.args[:1]
    options = evaluator.force(listed[0]) if listed else UNDEFINED
    if isinstance(options, str) and len(schema.args) > 1:
        options = evaluator.force(schema.args[1])
    if isinstance(options, Unknown):
        return options
    if not isinstance(options, tuple) or not options:
        return Unknown("the options of a union are no list that is known", schema.place)
    forced = tuple(map(evaluator.force, options))
    return next((each for each in forced if isinstance(each, Unknown)), forced)


def members_of_enum(evaluator: Evaluator, schema: Schema) -> tuple[Value, ...] | Unknown:
    """Return the members of an enum, `exclude` and `extract` applied; the other steps are not looked at."""
    given = evaluator.force(schema.args[0]) if schema.args else UNDEFINED
    if isinstance(given, Unknown):
        return given
    members = tuple(given.members.values()) if isinstance(given, Record) else given
    if not isinstance(members, tuple) or not members:
        return Unknown("the members of an enum are no list that is known", schema.place)
    names = evaluator.distinct(members)
    for step in schema.steps:
        if step.name in ("exclude", "extract"):
            chosen = evaluator.plain(_given(evaluator, step))
            if not isinstance(chosen, tuple) or not all(isinstance(each, str) for each in chosen):
                return Unknown(f"what `.{step.name}` names is not known", step.place)
            names = tuple(each for each in names if (each in chosen) == (step.name == "extract"))
    return next((each for each in names if isinstance(each, Unknown)), names)
