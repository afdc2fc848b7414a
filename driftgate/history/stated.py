"""The names that a surface states, each with its sort: what people ask a history for.

A name is written `sort name`: `event PostToolBatch`, `type http`, `field command.args`, `shell bash`, `guard-event
PreToolUse`, `value command.onFailure=block`. A name alone stands for every sort that has it, and the last part of a
field or value (`args`, `block`) for each one that ends in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from driftgate.near import alike
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Surface,
)


class Sort(StrEnum):
    """What sort of name it is."""

    EVENT = "event"
    TYPE = "type"
    FIELD = "field"
    VALUE = "value"
    SHELL = "shell"
    GUARD_EVENT = "guard-event"


SETS: Final[Mapping[str, Sort]] = MappingProxyType(
    {
        HOOK_EVENTS_SET: Sort.EVENT,
        HOOK_ENTRY_TYPES_SET: Sort.TYPE,
        HOOK_SHELLS_SET: Sort.SHELL,
        GUARD_EVENTS_SET: Sort.GUARD_EVENT,
    }
)
"""The sort of the members of each vocabulary."""

ALIKE: Final = 0.6
"""How alike two names must be (0 to 1) for one to be a guess at the other."""


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """One name of one sort. A field is written `type.field`, a value of an enum `type.field=value`."""

    sort: Sort
    text: str

    def __str__(self) -> str:
        return f"{self.sort} {self.text}"

    @property
    def last(self) -> str:
        """The last part: the field of `type.field`, the value of `type.field=value`, else all of it."""
        if self.sort is Sort.VALUE:
            return self.text.partition("=")[2]
        return self.text.partition(".")[2] if self.sort is Sort.FIELD else self.text

    @property
    def owner(self) -> str:
        """What the name is a name in: the entry type of a field, the field of a value, else nothing."""
        return self.text.removesuffix(self.last)


def names_of(surface: Surface) -> tuple[Name, ...]:
    """Return every name that `surface` states: its vocabularies, then fields and the values of enums."""
    return tuple(_names(surface))


def _names(surface: Surface) -> Iterator[Name]:
    for of, sort in SETS.items():
        yield from (Name(sort, member) for member in surface.members(of))
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    for row, fields in table.rows.items() if table else ():
        for field in fields:
            yield Name(Sort.FIELD, f"{row}.{field.name}")
            yield from (Name(Sort.VALUE, f"{row}.{field.name}={value}") for value in field.values or ())


def parse(text: str) -> tuple[Sort | None, str]:
    """Return the sort that `text` begins with, if it does, and the rest: "guard event X" -> (GUARD_EVENT, "X")."""
    words = text.split()
    for count in (2, 1):
        head = "-".join(words[:count]).lower().replace("_", "-").removesuffix("s")
        if len(words) > count and head in list(Sort):
            return Sort(head), " ".join(words[count:])
    return None, " ".join(words)


def matching(text: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the names that `text` stands for: those that are exactly it, else those whose last part is."""
    sort, word = parse(text)
    of_sort = [name for name in names if sort in (None, name.sort)]
    exact = tuple(name for name in of_sort if name.text == word)
    parts = tuple(name for name in of_sort if name.text != name.last == word)
    return exact + parts if sort is None or not exact else exact


def near(text: str, names: Iterable[Name], most: int = 5) -> tuple[Name, ...]:
    """Return the names that `text` may have been meant to be, the nearest first."""
    sort, word = parse(text)
    rated = [(max(alike(word, one.text), alike(word, one.last)), one) for one in names if sort in (None, one.sort)]
    best = sorted((pair for pair in rated if pair[0] >= ALIKE), key=lambda pair: (-pair[0], pair[1]))
    return tuple(name for _, name in best[:most])
