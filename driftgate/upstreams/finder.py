"""How a closed set is found in an upstream artefact, as data: the configuration's and the catalogue's one form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Form(StrEnum):
    """How a set can stand in a JavaScript bundle."""

    ARRAY = "array"
    SET = "set"
    ENUM = "enum"
    UNION = "union"
    KEYS = "keys"
    CALLS = "calls"


LITERALS: Final = (Form.ARRAY, Form.SET, Form.ENUM, Form.UNION)
"""The forms that are looked at if nothing is said.

The keys of an object are everywhere, and so are the texts that something is called with: these must be asked for.
"""


@dataclass(frozen=True, slots=True)
class Finder:
    """How a set that is not built in is found upstream.

    `export` is the name that a `.d.ts` exports (a pattern such as `*Input` stands for all types that match, with their
    fields); else `contains` are members that the set surely holds and `forms` how it may stand in a bundle. `used_by`
    is what refers to it (see `finders.usage`), `least` how many members it must have at the least, `member` a pattern
    of the artefact's files to look into, below its top folder.
    """

    export: str | None = None
    contains: tuple[str, ...] = ()
    used_by: str | None = None
    least: int = 1
    forms: tuple[Form, ...] = LITERALS
    member: str | None = None

    @property
    def is_table(self) -> bool:
        """Whether it finds a field table: all the types whose names match a pattern."""
        return self.export is not None and "*" in self.export

    def __str__(self) -> str:
        """Return what is looked for, for messages."""
        if self.export:
            return f"the export {self.export}"
        used = f", used by {self.used_by}" if self.used_by else ""
        return f"a set with {', '.join(self.contains)}{used}, of at least {self.least}"
