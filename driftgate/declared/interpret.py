"""From the values that readers give to surfaces: what is a closed set, what is a field table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, assert_never

from driftgate.classifier.contract import HOOK_ENTRY_TYPES
from driftgate.declared.kind_words import is_word, word_shape
from driftgate.declared.unreadable import elsewhere, unreadable
from driftgate.declared.values import (
    NAME_ONLY,
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
    texts,
)
from driftgate.errors import DeclaredError
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    Evidence,
    Field,
    FieldTable,
    ObjectRules,
    Origin,
    Place,
    Vocabulary,
    Witness,
)

DISCRIMINATOR: Final = "type"


def to_vocabulary(name: str, declared: str, value: Value) -> Vocabulary:
    """Return the closed set `name` that `value`, declared as `declared`, states.

    A name that stands in it twice is a member once; the witness's note says where it stands again.

    Raises:
        DeclaredError: the value is not a closed set, or parts of it could not be read.
    """
    found = members(declared, _entry_types(value) if name == HOOK_ENTRY_TYPES_SET else value)
    places: dict[str, Place] = {}
    again = list(_column_note(declared, value))
    for text in found:
        if text.value in places:
            again.append(f"{declared} lists {text.value} twice: {places[text.value]} and {text.place}")
        places.setdefault(text.value, text.place)
    witness = Witness(declared, value.place, tuple(text.value for text in found), note="; ".join(again))
    return Vocabulary(name, tuple(places), _evidence(value.place, witness), MappingProxyType(places))


def _entry_types(value: Value) -> Value:
    """Of one flat type for all entries, the set of entry types is what its field `type` may be."""
    if isinstance(value, Record) and discriminator([value]) != DISCRIMINATOR:
        return next((shape for key, shape in value.fields if key.value == DISCRIMINATOR), value)
    return value


def to_table(name: str, declared: str, value: Value) -> FieldTable:
    """Return the field table `name` that `value`, declared as `declared`, states.

    Raises:
        DeclaredError: the value is not a field table, or parts of it could not be read.
    """
    flat = _flat(value) if name == HOOK_ENTRY_FIELDS_TABLE else None
    records = flat or list(_rows(declared, value, names=True))
    rows = {row.value: tuple(fields_of(record)) for row, record in records}
    note = _FLAT_NOTE.format(declared, ", ".join(rows)) if flat else ""
    strict = {row.value: ObjectRules(("strict",)) for row, record in records if record.strict}
    witness = Witness(declared, value.place, tuple(rows), note=note)
    rules = MappingProxyType(strict) if strict else None
    return FieldTable(name, MappingProxyType(rows), _evidence(value.place, witness), rules=rules)


_FLAT_NOTE: Final = (
    "{} is one flat type for all entries: each of {} is taken to carry its fields, none of them required"
)


def _flat(value: Value) -> list[tuple[Text, Record]] | None:
    """Return the rows of one type that stands for every entry, told apart by its field `type`; None if it is none.

    Where that field is any text, the rows are the types that are known.
    """
    if not isinstance(value, Record) or discriminator([value]) == DISCRIMINATOR:
        return None
    of = next((shape for key, shape in value.fields if key.value == DISCRIMINATOR), None)
    if of is None or (of.members is None and of.kind != "string"):
        return None
    rest = _without(value, DISCRIMINATOR)
    loose = tuple((k, replace(s, unstated=s.unstated | {"required"})) for k, s in rest.fields)
    types = of.members or tuple(Text(name, of.place) for name in HOOK_ENTRY_TYPES)
    return [(name, replace(rest, name=name.value, fields=loose)) for name in types]


def notices(states: Vocabulary | FieldTable) -> tuple[str, ...]:
    """Return what is worth saying beside a declared set: names that it lists twice."""
    return tuple(w.note for evidence in states.evidence for w in evidence.witnesses if w.note)


def members(declared: str, value: Value) -> tuple[Text, ...]:  # noqa: C901 (one flat match)
    """Return the names of the closed set `value`, with repetitions, in the order of the source.

    A union of records is the set of its discriminating values; a mapping or a type with fields is the set of its keys;
    of its values, where all keys are spelt as constants: `{ PRE_TOOL_USE: "PreToolUse" }`. `path#NAME{keys}` and
    `path#NAME{values}` say which. Of rows of several columns the first one is the set.

    Raises:
        DeclaredError: it is not a closed set.
    """
    match value:
        case Text():
            return (value,)
        case Items(items=items):
            if any(isinstance(item, Record | Entries) for item in items):
                return tuple(row for row, _ in _rows(declared, value))
            return tuple(text for item in _first_column(declared, value) for text in members(declared, item))
        case Entries(entries=entries) if _respells(entries):
            return tuple(item for _, item in entries if isinstance(item, Text))
        case Record(others=Place() as place):
            raise unreadable(declared, "an index signature beside its names", place, expected="a closed set of names")
        case Entries(entries=pairs) | Record(fields=pairs):
            return tuple(key for key, _ in pairs)
        case Enumeration(entries=entries):
            return tuple(text for _, item in entries for text in members(declared, item))
        case Keyed(keys=keys):
            return members(declared, keys)
        case Shape(members=tuple() as found):
            return found
        case Shape(inner=Record() | Keyed() as inner):
            return members(declared, inner)
        case Shape(foreign=Foreign() as foreign) | (Foreign() as foreign):
            raise elsewhere(declared, foreign)
        case Shape(kind=kind):
            raise unreadable(declared, f"the type {kind}", value.place, expected="a closed set of names")
        case Opaque(what=what):
            raise unreadable(declared, what, value.place)
        case _:
            assert_never(value)


def _first_column(declared: str, value: Items) -> tuple[Value, ...]:
    """Return the items of a list; of rows of several columns, the first one."""
    rows = [item for item in value.items if isinstance(item, Items)]
    if not rows or all(len(row.items) == 1 for row in rows):
        return value.items
    if len(rows) < len(value.items) or len({len(row.items) for row in rows}) > 1 or not rows[0].items:
        raise unreadable(
            declared, "lists within a list, which are no rows of the same columns", rows[0].place,
            expected="a list of names, or rows of as many columns each, of which the first is read",
        )  # fmt: skip
    return tuple(row.items[0] for row in rows)


def _column_note(declared: str, value: Value) -> Iterator[str]:
    """What is said beside a set that is the first column of rows."""
    rows = [item for item in value.items if isinstance(item, Items)] if isinstance(value, Items) else []
    if rows and len(rows[0].items) > 1:
        yield (
            f"{declared} holds rows of {len(rows[0].items)} columns: the first one is read "
            f"(another one is named {declared}.1)"
        )


def _respells(entries: tuple[tuple[Text, Value], ...]) -> bool:
    """Whether an object is an enumeration: its keys are all spelt as constants (`PRE_TOOL_USE`), its values names."""
    pairs = [(key.value, item.value) for key, item in entries if isinstance(item, Text)]
    return len(pairs) == len(entries) > 0 and all(key.isupper() for key, _ in pairs)


def is_table(value: Value) -> bool:
    """Return whether `value` is a field table by its form: rows of typed fields."""
    try:
        rows = list(_rows("", value))
    except DeclaredError:
        return False
    return bool(rows) and all(record.fields for _, record in rows) and not _is_prose(value)


def _is_prose(value: Value) -> bool:
    """Whether the innermost texts of an object are something else than kind words."""
    if not isinstance(value, Entries):
        return False
    return any(_is_prose(item) or (isinstance(item, Text) and not is_word(item.value)) for _, item in value.entries)


def _rows(declared: str, value: Value, *, names: bool = False) -> Iterator[tuple[Text, Record]]:
    """Yield the rows of a table. With `names`, a row may be a mere list of the names of its fields."""
    match value:
        case Record():
            tag = discriminator([value])
            yield _literal(value, tag) if tag else Text(value.name, value.place), _without(value, tag)
        case Items(items=items):
            records = [_as_record(declared, item) for item in items]
            tag = discriminator(records)
            if tag is None:
                raise unreadable(
                    declared, "a union without a field that tells its members apart", value.place,
                    expected="a field with one literal value in each member, such as `type`",
                )  # fmt: skip
            for record in records:
                yield _literal(record, tag), _without(record, tag)
        case Entries(entries=entries):
            for key, item in entries:
                record = _as_record(declared, item, names=names)
                tag = discriminator([record])
                yield key, _without(record, tag if tag == DISCRIMINATOR else None)
        case Foreign():
            raise elsewhere(declared, value)
        case _:
            what = value.what if isinstance(value, Opaque) else "no rows of fields"
            raise unreadable(declared, what, value.place, expected="rows of fields")


def discriminator(records: Sequence[Record]) -> str | None:
    """Return the field that holds one literal value, another one in each record; `type` before any other."""
    candidates = [name.value for name, shape in records[0].fields if _is_literal(shape)] if records else []
    for name in sorted(candidates, key=lambda n: n != DISCRIMINATOR):
        found = [text.value for record in records if (text := _literal_or_none(record, name))]
        if len(set(found)) == len(records):
            return name
    return None


def _is_literal(shape: Shape) -> bool:
    return shape.members is not None and len(shape.members) == 1


def _literal_or_none(record: Record, field: str) -> Text | None:
    for name, shape in record.fields:
        if name.value == field and shape.members is not None and _is_literal(shape):
            return shape.members[0]
    return None


def _literal(record: Record, field: str) -> Text:
    found = _literal_or_none(record, field)
    if found is None:
        raise unreadable(record.name, f"no literal `{field}`", record.place)
    return found


def _without(record: Record, field: str | None) -> Record:
    return replace(record, fields=tuple(pair for pair in record.fields if pair[0].value != field))


def _as_record(declared: str, value: Value, *, names: bool = False) -> Record:
    match value:
        case Record():
            return value
        case Items(items=items, place=place) if names and items and all(isinstance(item, Text) for item in items):
            unknown = Shape("unknown", place, unstated=NAME_ONLY)
            return Record(declared, tuple((text, unknown) for text in texts(items)), place)
        case Entries(entries=entries, place=place):
            return Record(declared, tuple((key, _as_shape(declared, item)) for key, item in entries), place)
        case Foreign():
            raise elsewhere(declared, value)
        case _:
            what = value.what if isinstance(value, Opaque) else "something other than fields"
            raise unreadable(declared, what, value.place, expected="a type with fields, or an object of kind words")


def _as_shape(declared: str, value: Value) -> Shape:
    match value:
        case Shape():
            return value
        case Text(value=word, place=place):
            return word_shape(word, place)
        case Foreign():
            raise elsewhere(declared, value)
        case _:
            what = value.what if isinstance(value, Opaque) else "a nested value"
            raise unreadable(declared, what, value.place, expected='a kind word such as "string?"')


def fields_of(record: Record) -> Iterator[Field]:
    """Yield the fields of a type, its discriminating one too if it has not been taken out."""
    for name, shape in record.fields:
        yield Field(
            name.value,
            shape.kind,
            shape.required,
            values=None if shape.members is None else tuple(text.value for text in shape.members),
            constraints=shape.constraints,
            carried=shape.carried,
            place=name.place,
            unstated=shape.unstated,
        )


def _evidence(place: Place, witness: Witness) -> tuple[Evidence, ...]:
    return (Evidence(Origin(location=place.source), place, (witness,)),)


def literal_places(value: Value) -> Iterator[Text]:
    """Yield every literal name anywhere in `value`: keys, members, discriminating values."""
    if isinstance(value, Text):
        yield value
    for part in parts_of(value):
        yield from literal_places(part)


def parts_of(value: Value) -> tuple[Value, ...]:
    """Return the values that `value` is directly made of."""
    match value:
        case Items(items=parts) | Shape(members=tuple() as parts):
            return parts
        case Entries(entries=pairs) | Record(fields=pairs):
            return tuple(part for pair in pairs for part in pair)
        case Enumeration(entries=pairs):
            return tuple(item for _, item in pairs)
        case Keyed(keys=keys):
            return (keys,)
        case Shape(foreign=Foreign() as part) | Shape(inner=Record() | Keyed() as part):
            return (part,)
        case _:
            return ()


def names_by_value(items: tuple[Value, ...]) -> Mapping[str, Text]:
    """Return the literal names among `items`, each with its first place."""
    found: dict[str, Text] = {}
    for text in texts(items):
        found.setdefault(text.value, text)
    return found
