"""What every reader turns source text into: literal values, each with its place.

A reader evaluates only what stands written in the file. Whatever it cannot evaluate becomes an `Opaque` that says
what it is, so that a reading fails only where the unreadable part is really needed, and then by name. They are named
tuples and not dataclasses because those take eight times as long to define, at every start of the offline check.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from driftgate.surface import Place


class Text(NamedTuple):
    """One literal name."""

    value: str
    place: Place


class Items(NamedTuple):
    """A list, tuple, set, enumeration or union, in the order of the source."""

    items: tuple[Value, ...]
    place: Place


class Entries(NamedTuple):
    """An object: keys with values."""

    entries: tuple[tuple[Text, Value], ...]
    place: Place


class Enumeration(NamedTuple):
    """An enumeration whose members have names of their own in the source; as a set it is their values."""

    entries: tuple[tuple[Text, Value], ...]
    place: Place


class Shape(NamedTuple):
    """The type of one field, in upstream's words (see `surface.Field`).

    A literal type is an enum with one member. `foreign` says where the members stand if not in the file. `inner` is
    the type with fields, or the mapping, that the field holds.
    """

    kind: str
    place: Place
    required: bool = True
    members: tuple[Text, ...] | None = None
    constraints: tuple[str, ...] = ()
    carried: bool = True
    foreign: Foreign | None = None
    inner: Record | Keyed | None = None


class Record(NamedTuple):
    """A type with named fields: a TypedDict, an interface, a `z.object`, a struct."""

    name: str
    fields: tuple[tuple[Text, Shape], ...]
    place: Place


class Keyed(NamedTuple):
    """A mapping type whose keys are a set, e.g. `dict[HookEvent, X]` or `Partial<Record<HookEvent, X>>`."""

    keys: Value
    place: Place
    kind: str = "record<string,unknown>"


class Foreign(NamedTuple):
    """A name that the file imports and that could not be followed."""

    name: str
    module: str
    place: Place


class Opaque(NamedTuple):
    """A construct that is not a literal value; `what` names it, e.g. "a call of load()"."""

    what: str
    place: Place


Value: TypeAlias = Text | Items | Entries | Enumeration | Shape | Record | Keyed | Foreign | Opaque


class Stated(NamedTuple):
    """One named value of a file."""

    name: str
    value: Value
    place: Place


def texts(items: tuple[Value, ...]) -> tuple[Text, ...]:
    """Return the literal names among `items`."""
    return tuple(item for item in items if isinstance(item, Text))
