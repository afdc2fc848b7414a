"""What the readers of all languages do with values: iterate, unite, subtract, and see as the type of a field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from driftgate.declared.bounds import bounded
from driftgate.declared.interpret import literal_places, names_by_value
from driftgate.declared.values import (
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
from driftgate.surface import Place


def iterate(value: Value) -> tuple[Value, ...]:
    """Return what iterating over `value` yields; what cannot be iterated yields itself, and fails by name later."""
    match value:
        case Items(items=items):
            return items
        case Entries(entries=entries):
            return tuple(key for key, _ in entries)
        case Enumeration(entries=entries):
            return tuple(item for _, item in entries)
        case Keyed(keys=keys):
            return iterate(keys)
        case Text():
            return (Opaque("a text that is taken apart", value.place),)
        case _:
            return (value,)


def alternatives(value: Value) -> tuple[Value, ...]:
    """Return the members of a union that `value` may be."""
    return iterate(value) if isinstance(value, Items | Enumeration) else (value,)


def concat(a: tuple[Value, ...], b: tuple[Value, ...], place: Place) -> Items:
    """Return one after the other, repetitions kept."""
    return Items(bounded((*a, *b), place), place)


def union(a: tuple[Value, ...], b: tuple[Value, ...], place: Place) -> Items:
    """Return both without repetitions; the first place of a name stands."""
    known = names_by_value(a)
    return Items(bounded((*a, *(i for i in b if not (isinstance(i, Text) and i.value in known))), place), place)


def difference(a: tuple[Value, ...], b: tuple[Value, ...], place: Place) -> Value:
    """Return the names of `a` that are not in `b`; both must be known in full."""
    return unread(*a, *b) or Items(tuple(t for t in texts(a) if t.value not in names_by_value(b)), place)


def intersection(a: tuple[Value, ...], b: tuple[Value, ...], place: Place) -> Value:
    """Return the names of `a` that are also in `b`; both must be known in full."""
    return unread(*a, *b) or Items(tuple(t for t in texts(a) if t.value in names_by_value(b)), place)


def unread(*items: Value) -> Value | None:
    """Return the first that is no literal name."""
    return next((item for item in items if not isinstance(item, Text)), None)


def merge_entries(a: Entries, b: Entries) -> Entries:
    """Return both objects as one; a key of `b` replaces the same key of `a`."""
    keys = {key.value for key, _ in b.entries}
    return Entries((*(pair for pair in a.entries if pair[0].value not in keys), *b.entries), a.place)


def merge_records(name: str, records: Iterable[Record], place: Place) -> Record:
    """Return one type with the fields of all; a later one's field replaces the same field of an earlier one."""
    parts = tuple(records)
    fields = {key.value: (key, shape) for record in parts for key, shape in record.fields}
    return Record(name, tuple(fields.values()), place, any(record.strict for record in parts))


def intersect(parts: Sequence[Value], place: Place) -> Value:
    """Return what all of `parts` say together: types with fields merge, also with each member of one union of them."""
    records = [part for part in parts if isinstance(part, Record)]
    if len(records) == len(parts):
        return merge_records("", records, place)
    unions = [part for part in parts if isinstance(part, Items)]
    if records and len(unions) == 1 and len(records) + 1 == len(parts):  # (A | B) & C is (A & C) | (B & C)
        options = [option for option in unions[0].items if isinstance(option, Record)]
        if options:
            return Items(tuple(merge_records(o.name, (*records, o), place) for o in options), place)
    mappings = [part for part in parts if isinstance(part, Keyed)]
    if mappings and len(records) + len(mappings) == len(parts) > 1:
        keys: tuple[Value, ...] = ()
        for part in parts:
            keys = union(keys, iterate(part.keys if isinstance(part, Keyed) else _keys(part)), place).items
        return Keyed(Items(keys, place), place, mappings[0].kind)
    sets = [part for part in parts if not isinstance(part, Record)]
    closed = [part for part in sets if not isinstance(part, Shape) or part.members is not None]
    lists = [part.members or () if isinstance(part, Shape) else iterate(part) for part in closed]
    if len(lists) > 1 and not any(unread(*items) for items in lists):
        common = frozenset.intersection(*(frozenset(names_by_value(items)) for items in lists))
        return Items(tuple(text for text in texts(lists[0]) if text.value in common), place)
    return (closed or sets)[0]


def _keys(record: Value) -> Items:
    fields = record.fields if isinstance(record, Record) else ()
    return Items(tuple(key for key, _ in fields), record.place)


def same(a: Value, b: Value) -> bool:
    """Return whether two values hold the same names."""
    if isinstance(a, Foreign) and isinstance(b, Foreign):  # an import with a fall-back import
        return True
    names = [sorted(text.value for text in literal_places(value)) for value in (a, b)]
    return type(a) is type(b) and names[0] == names[1] and not isinstance(a, Opaque)


def to_shape(value: Value) -> Shape:
    """Return the type of a field that holds `value`'s values."""
    match value:
        case Shape():
            return value
        case Text(place=place):
            return Shape("enum", place, members=(value,))
        case Items(place=place) | Enumeration(place=place) if parts := iterate(value):
            return union_of(tuple(to_shape(part) for part in parts), place)
        case Foreign(name=name, place=place):
            return Shape(name, place, foreign=value)
        case Keyed(kind=kind, place=place):
            return Shape(kind, place, inner=value)
        case Record(place=place):
            return Shape("object", place, inner=value)
        case Opaque(what=what, place=place):
            return Shape(what, place)
        case _:
            return Shape("object", value.place)


def union_of(parts: tuple[Shape, ...], place: Place) -> Shape:
    """Return the shape of a union; null and undefined say nothing about the kind."""
    real = [part for part in parts if part.kind not in ("null", "undefined")]
    if not real:
        return Shape("null", place)
    if foreign := next((part for part in real if part.foreign), None):
        return replace(foreign, place=place)
    if len({part.kind for part in real}) > 1:
        return Shape(" | ".join(dict.fromkeys(part.kind for part in real)), place)
    if all(part.members is not None for part in real):
        return Shape("enum", place, members=tuple(text for part in real for text in part.members or ()))
    return replace(real[0], place=place)
