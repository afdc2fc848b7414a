"""What a reader must say of a mutant, and what it did say: facts, truths and outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, TypeAlias

from driftgate.errors import BlindError
from driftgate.judge.comparison import diff
from driftgate.surface import Field, FieldTable, Surface, Vocabulary

Key: TypeAlias = tuple[str, ...]
"""What a fact is about: (set), (set, member), (table, row), (table, row, field)."""

Facts: TypeAlias = Mapping[Key, object]

ANY: Final = object()
"""A value that is not foretold."""

EVENTS: Final = "hook_events"
TYPES: Final = "hook_entry_types"
SHELLS: Final = "hook_shells"
GUARDS: Final = "guard_events"
FIELDS: Final = "hook_entry_fields"


class Outcome(StrEnum):
    """How a reading of a mutant turned out."""

    EXACT = "exact"
    BLIND = "blind"
    WRONG = "wrong"
    SILENT = "silent"
    CRASH = "crash"


@dataclass(frozen=True, slots=True)
class Truth:
    """What differs from the base, and only that.

    `present` are facts that must be there with this value, `absent` keys that must not be, `changed` keys whose value
    must be another; `allowed` are beginnings of keys of which anything may be said; `somewhere` of such it must be at
    least one. All empty: nothing has changed. `blind`: the artefact contradicts itself or depends on what is not in
    it, and no reading of it is right. `said`: nothing has changed but a witness is gone, which must be said.
    """

    present: Mapping[Key, object] = None  # type: ignore[assignment]
    absent: frozenset[Key] = frozenset()
    changed: frozenset[Key] = frozenset()
    allowed: tuple[Key, ...] = ()
    somewhere: tuple[Key, ...] = ()
    blind: bool = False
    said: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "present", dict(self.present or {}))

    @property
    def matters(self) -> bool:
        """Whether anything has changed."""
        return bool(self.present or self.absent or self.changed or self.somewhere)

    def __or__(self, other: Truth) -> Truth:
        return Truth(
            {**self.present, **other.present},
            self.absent | other.absent,
            self.changed | other.changed,
            self.allowed + other.allowed,
            self.somewhere + other.somewhere,
        )


SAME: Final = Truth()
MUST_BE_BLIND: Final = Truth(blind=True)
MUST_BE_SAID: Final = Truth(said=True)


def added(of: str, *names: str) -> Truth:
    """Members are new."""
    return Truth({(of, name): ANY for name in names} | {(of,): ANY})


def removed(of: str, *names: str) -> Truth:
    """Members are gone."""
    return Truth(absent=frozenset((of, name) for name in names), allowed=((of,),))


def facts_of(surface: Surface) -> Facts:
    """Return everything that a surface states, without its evidence and without what is only shown."""
    facts: dict[Key, object] = {}
    for held in surface.sets():
        if isinstance(held, Vocabulary):
            facts[(held.name,)] = "none" if held.members is None else "stated"
            facts |= {(held.name, member): True for member in held.members or ()}
        else:
            facts |= _facts_of_table(held)
    return facts


def _facts_of_table(table: FieldTable) -> Facts:
    facts: dict[Key, object] = {(table.name,): f"complete: {table.complete}"}
    for row, listed in table.rows.items():
        facts[table.name, row] = True
        facts |= {(table.name, row, each.name): _detail(each) for each in listed}
    for more in fields(table):
        if more.name not in ("name", "rows", "evidence", "complete"):
            value = getattr(table, more.name)
            if isinstance(value, Mapping):
                facts |= {(table.name, f"{key}", f"<{more.name}>"): repr(each) for key, each in value.items()}
            else:
                facts[table.name, f"<{more.name}>"] = repr(value)
    return facts


def _detail(field: Field) -> object:
    values = None if field.values is None else frozenset(field.values)
    return (field.kind, field.required, values, frozenset(field.constraints), field.carried)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, and why, for people."""

    outcome: Outcome
    note: str = ""


def judged(truth: Truth, base: Surface, read: Callable[[], Surface]) -> Verdict:
    """Read a mutant and hold what is said against the truth."""
    try:
        surface = read()
    except BlindError as error:
        return Verdict(Outcome.EXACT if truth.blind else Outcome.BLIND, str(error))
    except Exception as error:  # noqa: BLE001 - whatever escapes would be a traceback for people
        return Verdict(Outcome.CRASH, f"{type(error).__name__}: {error}")
    before, now = facts_of(base), facts_of(surface)
    differing = {key for key in {*before, *now} if before.get(key) != now.get(key)}
    if truth.said:
        return _said(base, surface, differing)
    if not differing or not _shown(surface, base):
        if truth.matters or truth.blind:
            return Verdict(Outcome.SILENT, "read as if nothing had changed")
        return Verdict(Outcome.EXACT) if not differing else Verdict(Outcome.WRONG, _listed(differing, before, now))
    if truth.blind:
        return Verdict(Outcome.WRONG, "read, though it cannot be known: " + _listed(differing, before, now))
    faults = list(_faults(truth, before, now, differing))
    return Verdict(Outcome.WRONG, "; ".join(faults)) if faults else Verdict(Outcome.EXACT)


def _shown(surface: Surface, base: Surface) -> bool:
    """Whether the comparison that `check` makes has a word for the difference."""
    return any(diff(one, other).changes for one, other in ((surface, base), (base, surface)))


def _said(base: Surface, surface: Surface, differing: set[Key]) -> Verdict:
    if differing:
        return Verdict(Outcome.WRONG, "a lost witness changed what is read")
    before, now = _witnesses(base), _witnesses(surface)
    lost = {how for how, members in before.items() if members is not None and now.get(how) is None}
    if not lost or surface.notices != base.notices or all(how in now for how in lost):
        return Verdict(Outcome.EXACT)
    return Verdict(Outcome.SILENT, f"a lost witness is not said: {', '.join(map(str, lost))}")


def _witnesses(surface: Surface) -> Mapping[tuple[str, str], tuple[str, ...] | None]:
    """Return what each witness read, by set and how; one that is named and read nothing has None."""
    told: dict[tuple[str, str], tuple[str, ...] | None] = {}
    for held in surface.sets():
        for witness in (w for evidence in held.evidence for w in evidence.witnesses):
            key = (held.name, witness.how)
            told[key] = witness.members if witness.members is not None else told.get(key)
    return told


def _faults(truth: Truth, before: Facts, now: Facts, differing: set[Key]) -> Iterable[str]:
    for key, value in truth.present.items():
        if key not in now or (value is not ANY and now[key] != value):
            yield f"{'.'.join(key)} is {now.get(key, 'missing')}, expected {'anything' if value is ANY else value}"
    yield from (f"{'.'.join(key)} is still there" for key in truth.absent if key in now)
    for key in truth.changed:
        if key not in now:
            yield f"{'.'.join(key)} is gone"
        elif now[key] == before.get(key):
            yield f"{'.'.join(key)} is still {now[key]}"
    foretold = {*truth.present, *truth.absent, *truth.changed}
    free = (*truth.allowed, *truth.somewhere)
    beyond = {k for k in differing - foretold if not any(k[: len(each)] == each for each in free)}
    if beyond:
        yield "also differs: " + _listed(beyond, before, now)
    if truth.somewhere and not any(k[: len(each)] == each for k in differing for each in truth.somewhere):
        yield f"nothing differs in {', '.join('.'.join(each) for each in truth.somewhere)}"


def _listed(keys: set[Key], before: Facts, now: Facts) -> str:
    lines = [f"{'.'.join(key)}: {before.get(key, 'missing')} -> {now.get(key, 'missing')}" for key in sorted(keys)]
    return "; ".join(lines[:6]) + (f"; and {len(lines) - 6} more" if len(lines) > 6 else "")
