"""What every reader turns source text into: literal values, each with its place.

A reader evaluates only what stands written in the file. Whatever it cannot evaluate becomes an `Opaque` that says
what it is, so that a reading fails only where the unreadable part is really needed, and then by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from driftgate.surface import Place


@dataclass(frozen=True, slots=True)
class Text:
    """One literal name."""

    value: str
    place: Place


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple, set, enumeration or union, in the order of the source."""

    items: tuple[Value, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Entries:
    """An object: keys with values."""

    entries: tuple[tuple[Text, Value], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An enumeration whose members have names of their own in the source; as a set it is their values."""

    entries: tuple[tuple[Text, Value], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Shape:
    """The type of one field, in upstream's words (see `surface.Field`).

    A literal type is an enum with one member. `foreign` says where the members stand if not in the file. `inner` is the
    type with fields, or the mapping, that the field holds. `unstated` is what the form has no word for (see
    `surface.Field`).
    """

    kind: str
    place: Place
    required: bool = True
    members: tuple[Text, ...] | None = None
    constraints: tuple[str, ...] = ()
    carried: bool = True
    foreign: Foreign | None = None
    inner: Record | Keyed | None = None
    unstated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Record:
    """A type with named fields: a TypedDict, an interface, a `z.object`, a struct; a `strict` one refuses others.

    `others` is where it takes other names, too (an index signature): its names are then no closed set.
    """

    name: str
    fields: tuple[tuple[Text, Shape], ...]
    place: Place
    strict: bool = False
    others: Place | None = None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mapping type whose keys are a set, e.g. `dict[HookEvent, X]` or `Partial<Record<HookEvent, X>>`."""

    keys: Value
    place: Place
    kind: str = "record<string,unknown>"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A name that the file imports and that could not be followed."""

    name: str
    module: str
    place: Place


@dataclass(frozen=True, slots=True)
class Opaque:
    """A construct that is not a literal value; `what` names it, e.g. "a call of load()"."""

    what: str
    place: Place


NO_CONSTRAINTS: frozenset[str] = frozenset({"constraints"})
"""What types of programming languages leave unstated."""

NAME_ONLY: frozenset[str] = frozenset({"kind", "required", "constraints"})

Value: TypeAlias = Text | Items | Entries | Enumeration | Shape | Record | Keyed | Foreign | Opaque


@dataclass(frozen=True, slots=True)
class Stated:
    """One named value of a file."""

    name: str
    value: Value
    place: Place


def texts(items: tuple[Value, ...]) -> tuple[Text, ...]:
    """Return the literal names among `items`."""
    return tuple(item for item in items if isinstance(item, Text))
