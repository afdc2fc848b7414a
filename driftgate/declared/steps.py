"""Parts of values by name: what the parts of a spec after the first dot mean, in every language."""

from __future__ import annotations

from driftgate.declared.values import Entries, Enumeration, Foreign, Items, Record, Shape, Value

EACH = "*"


def step(value: Value, part: str) -> Value | None:
    """Return the part of `value` under `part`; None if it has none.

    That is an entry, a field, the member of an enumeration; `*`: all values; of rows, a column by its number (from 0);
    of a list of objects, the entry of each; of a union of types, the field of those that have it.
    """
    match value:
        case Entries(entries=pairs) | Enumeration(entries=pairs) if part == EACH:
            return Items(tuple(item for _, item in pairs), value.place)
        case Entries(entries=pairs) | Enumeration(entries=pairs) | Record(fields=pairs):
            return next((item for name, item in pairs if name.value == part), None)
        case Items() if part == EACH:
            return value
        case Items(items=items) if items:
            return _of_each(value, part)
        case Shape(inner=Record() as inner):
            return step(inner, part)
        case Foreign():
            return value
        case _:
            return None


def _of_each(value: Items, part: str) -> Value | None:
    if part.isdigit() and all(isinstance(item, Items) for item in value.items):
        columns = [
            item.items[int(part)] for item in value.items if isinstance(item, Items) and len(item.items) > int(part)
        ]
        return Items(tuple(columns), value.place) if len(columns) == len(value.items) else None
    parts = [step(item, part) for item in value.items]
    found = tuple(item for item in parts if item is not None)
    is_union = all(isinstance(item, Record) for item in value.items)
    return Items(found, value.place) if found and (is_union or len(found) == len(parts)) else None


def keys_of(value: Value) -> list[str]:
    """Return the names under which `step` finds something."""
    match value:
        case Entries(entries=pairs) | Enumeration(entries=pairs) | Record(fields=pairs):
            return [key.value for key, _ in pairs]
        case Items(items=(Items(items=row), *_)):
            return [str(number) for number in range(len(row))]
        case Items(items=(first, *_)):
            return keys_of(first)
        case Shape(inner=Record() as inner):
            return keys_of(inner)
        case _:
            return []
