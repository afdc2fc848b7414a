"""Reading entry schemas and the matcher's: fields in the words of the snapshots, and what else decides on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from driftgate.extraction.accepts import Form, NotUnderstoodError, Reader
from driftgate.extraction.hooks import DISCRIMINATOR, HooksSchema
from driftgate.extraction.javascript import schemas
from driftgate.extraction.javascript.schemas import SILENT, Shape
from driftgate.extraction.javascript.values import Schema, Step, Unknown, Value
from driftgate.surface import Field

ENTRY_KIND: Final = "entry"
"""What a matcher's list of entries holds, in the words of the snapshots."""

_REFINES: Final = frozenset({"refine", "superRefine", "check", "overwrite", "transform", "catch"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry type: its name, its fields without the discriminator, and its rules (None: the source states none).

    Rules are words: "strip", "strict", "passthrough" or "catchall(...)" for fields that upstream does not know, "type
    optional" or 'type default("command")', "refine(...)".
    """

    type: str
    fields: tuple[Field, ...]
    rules: tuple[str, ...] | None = None


def types_of(reader: Reader, schema: Value) -> tuple[tuple[str, ...], Form] | None:
    """Return the texts that an entry schema takes as its `type`, and the form of that field; None where it has none."""
    shape = schemas.shape_of(reader.evaluator, schema)
    if isinstance(shape, Unknown) or DISCRIMINATOR not in shape.members:
        return None
    form = reader.form(shape.members[DISCRIMINATOR])
    return (form.values, form) if form.kind == "enum" and form.values else None


def read_entries(reader: Reader, schema: HooksSchema, option: Value) -> Iterator[Entry]:
    """Yield the entry types that one entry schema states: one for each text that its `type` takes.

    Raises NotUnderstoodError.
    """
    if not isinstance(option, Schema):
        raise NotUnderstoodError(
            option.what if isinstance(option, Unknown) else "it is no schema", getattr(option, "place", None)
        )
    shape = schemas.shape_of(reader.evaluator, option)
    if isinstance(shape, Unknown):
        raise NotUnderstoodError(shape.what, shape.place)
    found = types_of(reader, option)
    if found is None:
        raise NotUnderstoodError("it is no object with a literal `type`", option.place)
    names, form = found
    fields = tuple(field_of(reader, key, value) for key, value in shape.members.items() if key != DISCRIMINATOR)
    shared = [word for union in schema.unions for word in _words(reader, union.steps, ignored=("or",))]
    rules = (reader.rest(shape), *_type_rules(form), *_words(reader, shape.steps), *shared)
    for name in names:
        yield Entry(name, fields, tuple(dict.fromkeys(rules)))


def _type_rules(form: Form) -> Iterator[str]:
    if form.optional and not any(word.startswith("default(") for word in form.checks):
        yield f"{DISCRIMINATOR} optional"
    yield from (f"{DISCRIMINATOR} {word}" for word in form.checks)


def _words(reader: Reader, steps: tuple[Step, ...], ignored: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield what the methods on an entry's or a matcher's schema say of it as a whole."""
    for step in steps:
        if step.name in SILENT or step.name in ignored:
            continue
        if step.name not in _REFINES:
            raise NotUnderstoodError(f"the method `.{step.name}` of a whole object is not understood", step.place)
        yield reader.word(step)


def field_of(reader: Reader, name: str, value: Value) -> Field:
    """Return one member of an object schema as a field. Raises NotUnderstoodError naming it."""
    try:
        form = reader.form(value)
    except NotUnderstoodError as error:
        raise NotUnderstoodError(f"field `{name}`: {error}", None) from error
    return field_from(name, form)


def field_from(name: str, form: Form) -> Field:
    """Return a field of this form."""
    return Field(
        name=name,
        kind=form.kind,
        required=form.required,
        internal=form.internal,
        values=form.values,
        constraints=form.checks,
    )


def read_matcher(reader: Reader, schema: HooksSchema) -> tuple[tuple[Field, ...], tuple[str, ...]]:
    """Return the fields of a matcher, and its rules. Raises NotUnderstoodError."""
    shape: Shape = schema.matcher
    fields = []
    for name, value in shape.members.items():
        held = reader.evaluator.force(value)
        if name == schema.entries_member and isinstance(held, Schema):
            # What the list holds is told by the entry types: here it is a list of them.
            field = field_of(reader, name, replace(held, args=(Schema("unknown"),)))
            fields.append(replace(field, kind=f"array<{ENTRY_KIND}>"))
        else:
            fields.append(field_of(reader, name, value))
    return tuple(fields), (reader.rest(shape), *_words(reader, shape.steps))
