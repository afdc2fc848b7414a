"""What an expression of a bundle can evaluate to, as far as schemas need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeGuard

from driftgate.extraction.javascript.syntax import Node
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.extraction.javascript.module import Module


@dataclass(frozen=True, slots=True)
class Unknown:
    """What could not be evaluated: `what` it was that is not understood, and where. It never stands for "absent"."""

    what: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.what}, {self.place}" if self.place else self.what


class Undefined(Enum):
    """The one value of JavaScript's `undefined`."""

    UNDEFINED = "undefined"


UNDEFINED: Final = Undefined.UNDEFINED


@dataclass(frozen=True, eq=False, slots=True)
class Scope:
    """The names that are known where an expression stands; those of the module are looked up in the module.

    `source` is the text that was parsed and `offset` where in the module it stands (bytes), for places: nodes count
    their characters from 1.
    """

    module: Module
    names: Mapping[str, Value]
    source: str = ""
    offset: int = 0

    def place(self, node: Node) -> Place:
        """Return where in the artefact a node of this scope stands."""
        start = max(0, getattr(node, "range", (1, 1))[0] - 1)
        return self.module.place(self.offset + len(self.source[:start].encode()))


@dataclass(frozen=True, eq=False, slots=True)
class Lazy:
    """An expression's value, evaluated when it is asked for."""

    node: Node
    scope: Scope


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A function, or what a memoising wrapper makes of one: calling it evaluates its body.

    `constant` is what every call returns, where that is known without the body.
    """

    node: Node
    scope: Scope
    constant: Value | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An object literal: its members in order."""

    members: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class SetOf:
    """A `Set`: its members in order, each once."""

    members: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression."""

    source: str
    flags: str = ""

    def __str__(self) -> str:
        return f"/{self.source}/{''.join(sorted(self.flags))}"


@dataclass(frozen=True, slots=True)
class Namespace:
    """The schema library, or a part of it: `z`, `z.coerce`."""

    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Maker:
    """A function of the schema library that makes a schema of one kind; `coerces`: one of `z.coerce`."""

    kind: str
    coerces: bool = False


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function, or an object, of the language: `Object.keys`."""

    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One method call on a schema: `.min(1)` is Step("min", (1,))."""

    name: str
    args: tuple[Value, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema: what it was made by (`kind`, in the library's words), from what, and the methods called on it."""

    kind: str
    args: tuple[Value, ...] = ()
    steps: tuple[Step, ...] = ()
    place: Place | None = None
    coerces: bool = False


Plain: TypeAlias = "str | int | float | bool | Literal[Undefined.UNDEFINED] | None"
"""A value that is compared by what it is."""

Value: TypeAlias = (
    "Plain | tuple[Value, ...] | Record | SetOf | Pattern | Schema | Namespace | Maker | Builtin | Function | Lazy"
    " | Unknown"
)


def is_plain(value: Value) -> TypeGuard[Plain]:
    """Tell whether a value is a text, a number, a truth value, null or undefined."""
    return value is None or value is UNDEFINED or isinstance(value, str | int | float)


def truth(value: Value) -> bool | None:
    """Return whether JavaScript takes a value for true; None where that is not known."""
    if isinstance(value, Unknown | Lazy | Builtin | Namespace | Maker):
        return None
    return bool(value) and value is not UNDEFINED if is_plain(value) else True


def written(value: Value) -> str:
    """Return a plain value as JavaScript writes it, each in one way."""
    match value:
        case None:
            return "null"
        case Undefined():
            return "undefined"
        case bool():
            return str(value).lower()
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case int() | float():
            return str(int(value)) if float(value).is_integer() and abs(value) < 1e21 else repr(float(value))
        case _:
            return "?"
