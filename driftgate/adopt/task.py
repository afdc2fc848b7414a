"""What is to be done with one name in one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from driftgate.adopt.spelling import STYLES
from driftgate.surface import Field, Place


class Action(StrEnum):
    """What is to be done with a member or a field."""

    ADD = "add"
    REMOVE = "remove"
    RENAME = "rename"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Task:
    """One name that a set gains or loses: `old` goes, `new` comes; a rename has both. `order` is upstream's.

    Of a table, `row` is the entry type whose field is meant (`old` and `new` name fields then; a change has the same
    name twice), None where a whole row is; `observed` is what upstream states of it, `declared` what this side does.
    """

    action: Action
    old: str | None
    new: str | None
    order: tuple[str, ...] = ()
    row: str | None = None
    observed: Field | None = None
    declared: Field | None = None
    place: Place | None = None

    def speaks_of(self, word: str) -> bool:
        """Return whether `word` is the name that goes, or is made of it."""
        return self.old is not None and any(style(self.old) in word for style in STYLES.values())

    def in_words(self, label: str, near: str | None = None) -> str:
        """Return the task as an instruction for people; `label` is what the source calls the set."""
        inside = f"{label}, {self.row}" if self.row else label
        match self.action:
            case Action.ADD:
                kind = f" ({self.observed.words})" if self.observed else ""
                return f"add {self.new}{kind} to {inside}" + (f", after {near}" if near else "")
            case Action.REMOVE:
                return f"remove {self.old} from {inside}"
            case Action.RENAME:
                return f"write {self.new} for {self.old} in {inside}"
            case Action.CHANGE:
                kind = self.observed.words if self.observed else "as upstream does"
                return f"declare {self.old} in {inside} as {kind}"
