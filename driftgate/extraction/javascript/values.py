"""What an expression of a bundle can evaluate to, as far as schemas need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from driftgate.extraction.javascript.syntax import Node

if TYPE_CHECKING:
    from driftgate.extraction.javascript.module import Module


class Unknown(Enum):
    """The one value of everything that cannot be evaluated. It never stands for "absent"."""

    UNKNOWN = "unknown"


UNKNOWN: Final = Unknown.UNKNOWN


@dataclass(frozen=True, eq=False)
class Scope:
    """The names that are known where an expression stands; those of the module are looked up in the module."""

    module: Module
    names: Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Lazy:
    """A local variable's value, evaluated when it is asked for."""

    node: Node
    scope: Scope


@dataclass(frozen=True, eq=False)
class Function:
    """A function, or what a memoising wrapper makes of one: calling it evaluates its body."""

    node: Node
    scope: Scope


@dataclass(frozen=True)
class Record:
    """An object literal: its members in order."""

    members: Mapping[str, Value]


@dataclass(frozen=True)
class Step:
    """One method call on a schema: `.min(1)` is Step("min", (1,))."""

    name: str
    args: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Schema:
    """A schema: what it was made by (`kind`, in the library's words), from what, and the methods called on it."""

    kind: str
    args: tuple[Value, ...] = ()
    steps: tuple[Step, ...] = ()


Value: TypeAlias = (
    "str | float | bool | tuple[Value, ...] | Record | Schema | Function | Lazy | Literal[Unknown.UNKNOWN] | None"
)
