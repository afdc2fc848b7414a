"""What each release added, removed and changed, against the known release before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from driftgate.history.record import History, Reading
from driftgate.history.stated import ALIKE, Name, names_of
from driftgate.judge.comparison import Change, ChangeKind, diff
from driftgate.near import alike
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, Field, Surface

_OF_FIELDS = frozenset(
    {ChangeKind.RETYPED, ChangeKind.REQUIREDNESS, ChangeKind.CONSTRAINT, ChangeKind.VALUES, ChangeKind.CARRIED}
)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that is another one than before; its name stayed."""

    name: Name
    before: Field
    after: Field


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name that went and a similar one that came in the same release: perhaps the same thing."""

    old: Name
    new: Name


@dataclass(frozen=True, slots=True)
class Changes:
    """What is different between two surfaces, in names. The fields of a type that came or went are among the names."""

    added: tuple[Name, ...] = ()
    removed: tuple[Name, ...] = ()
    changed: tuple[FieldChange, ...] = ()

    @property
    def renamed(self) -> tuple[Renaming, ...]:
        """The pairs that may be renamings; each name is in one at the most."""
        return tuple(_renamings(self.removed, self.added))


@dataclass(frozen=True, slots=True)
class Step:
    """The changes that `release` brought, against `before`, the known release before it.

    `unread` are the releases in between of which nothing is known: each change may be theirs.
    """

    release: Reading
    before: Reading
    unread: tuple[str, ...]
    changes: Changes


def changes_between(old: Surface, new: Surface) -> Changes:
    """Return what `new` states otherwise than `old`."""
    before, after = names_of(old), names_of(new)
    lacked, gone = frozenset(before), frozenset(after)
    return Changes(
        added=tuple(name for name in after if name not in lacked),
        removed=tuple(name for name in before if name not in gone),
        changed=tuple(_changed(diff(new, old).changes, {str(name): name for name in after})),
    )


def _changed(changes: Iterable[Change], names: dict[str, Name]) -> Iterator[FieldChange]:
    seen: set[str] = set()
    for change in changes:
        if change.kind not in _OF_FIELDS or change.of != HOOK_ENTRY_FIELDS_TABLE or change.subject in seen:
            continue
        seen.add(change.subject)
        if isinstance(change.observed, Field) and isinstance(change.declared, Field):
            yield FieldChange(names[f"field {change.subject}"], change.declared, change.observed)


def steps(history: History) -> tuple[Step, ...]:
    """Return every release at which something changed, newest first."""
    runs = history.runs()
    found = [Step(b.first, a.last, b.unread, changes_between(a.surface, b.surface)) for a, b in pairwise(runs)]
    return tuple(reversed(found))


def _renamings(removed: Iterable[Name], added: Iterable[Name]) -> Iterator[Renaming]:
    """Yield the likeliest pairs first; only names of one sort, and of one owner, can be a pair."""
    left, right = tuple(removed), tuple(added)
    pairs = [
        (alike(old.last, new.last), old, new)
        for old in left
        for new in right
        if (old.sort, old.owner) == (new.sort, new.owner)
    ]
    used: set[Name] = set()
    for rate, old, new in sorted(pairs, key=lambda pair: -pair[0]):
        if rate >= ALIKE and not used & {old, new}:
            used |= {old, new}
            yield Renaming(old, new)
