"""The values that everything else passes along: surfaces, and the evidence behind them.

A surface is what one source states: named closed sets (vocabularies) and named field tables. A source is an upstream
artefact, a snapshot, or a package's own constants; all three are compared as surfaces, so nothing below knows which
one it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

HOOK_EVENTS_SET: Final = "hook_events"
HOOK_ENTRY_TYPES_SET: Final = "hook_entry_types"
HOOK_SHELLS_SET: Final = "hook_shells"
GUARD_EVENTS_SET: Final = "guard_events"
HOOK_ENTRY_FIELDS_TABLE: Final = "hook_entry_fields"
HOOK_MATCHER_FIELDS_TABLE: Final = "hook_matcher_fields"
MATCHER_ROW: Final = "matcher"
"""The one row of the table of a matcher's fields."""

HOOK_SETS: Final = (HOOK_EVENTS_SET, HOOK_ENTRY_TYPES_SET, HOOK_SHELLS_SET, GUARD_EVENTS_SET)
"""The vocabularies of a hook surface, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Span:
    """The bytes of a source file that state something, [start, end), and the kind of syntax node that they are.

    Offsets count bytes from 0 in the UTF-8 text as `declared.source.load` gives it: LF line ends, no byte order mark.
    `form` is the parser's own word, e.g. "Tuple" of Python's ast or "union_type" of tree-sitter's TypeScript.
    """

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a byte offset in an artefact's member, or a line and column of a source file.

    `offset` counts bytes from 0; `line` and `column` count from 1, columns in characters. `span` is there where the
    source file was parsed; it is no part of what makes two places the same.
    """

    source: str
    offset: int | None = None
    line: int | None = None
    column: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.source}:{self.line}" + (f":{self.column}" if self.column is not None else "")
        return self.source if self.offset is None else f"{self.source} at byte {self.offset}"


@dataclass(frozen=True, slots=True)
class Witness:
    """One independent way in which a set was read.

    `how` names the construct, e.g. "record(enum(X), array(...))"; `members` is what it read, None where this source
    has no such construct (`note` then says why).
    """

    how: str
    place: Place | None = None
    members: tuple[str, ...] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """The identity of the artefact or file that was read.

    `version` is the artefact's own (npm) version; `integrity` is in the form of Subresource Integrity ("sha512-...").
    """

    package: str | None = None
    version: str | None = None
    integrity: str | None = None
    location: str = ""

    def __str__(self) -> str:
        return f"{self.package}@{self.version}" if self.package else self.location


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a reading is believed: the artefact, the place in it, and the witnesses that agreed."""

    origin: Origin
    place: Place
    witnesses: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One named closed set, its members in the order of the source.

    `members` is None where the source was read and is known to have no such set (a release without guard events).
    `places` locates single members, where the source has lines.
    """

    name: str
    members: tuple[str, ...] | None
    evidence: tuple[Evidence, ...] = ()
    places: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}), compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of one row of a field table, in upstream's words.

    `kind` is one of string, number, boolean, enum, array<string>, record<string,string>, record<string,unknown>, or
    what the source states where it is none of these. `values` are the members of an enum. `constraints` are words
    such as "positive", "url", "min(1)", 'catch("skip")', "coerced", "transform". `internal`: upstream hides the field
    from its public types. `carried`: a value of the field survives loading (only declared tables have fields that are
    checked and not carried). `unstated` is what the form of a declaration has no word for ("kind", "required",
    "constraints"): of that nothing is known, so nothing differs.
    """

    name: str
    kind: str
    required: bool
    internal: bool = False
    values: tuple[str, ...] | None = None
    constraints: tuple[str, ...] = ()
    carried: bool = True
    place: Place | None = field(default=None, compare=False)
    unstated: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def words(self) -> str:
        """The field in words, without its name, e.g. "optional number, positive"."""
        words = [f"{'required' if self.required else 'optional'} {self.kind}"]
        if self.values is not None:
            words[0] += f" of {' | '.join(self.values)}"
        words += self.constraints
        words += ["internal"] * self.internal
        words += ["checked, not carried"] * (not self.carried)
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class ObjectRules:
    """What decides about an entry, or a matcher, as a whole, in words that carry no order.

    "strip" (fields that are not known are left out), "strict" (they are refused), "passthrough" (they are kept) or
    "catchall(...)" (they must be of that kind); "type optional" or 'type default("command")' where the field `type`
    need not be there; "refine(...)" for a check that is a function, as its normalised text.
    """

    stated: tuple[str, ...]

    @property
    def words(self) -> str:
        """The rules in one line."""
        return ", ".join(sorted(self.stated))


PLAIN_RULES: Final = ObjectRules(("strip",))
"""What every release up to 2.1.332 does with an entry and with a matcher; a source that says nothing means this."""


@dataclass(frozen=True, slots=True)
class FieldTable:
    """Named rows of fields, e.g. the fields of each hook entry type. The discriminating `type` itself is not listed.

    `complete` is False where the source leaves out internal fields and constraints (a `.d.ts`): what it does not list
    is then unknown, not absent. `rules` say what decides about each row's object as a whole; None where the source
    does not state it (declarations, snapshots of format 1).
    """

    name: str
    rows: Mapping[str, tuple[Field, ...]]
    evidence: tuple[Evidence, ...] = ()
    complete: bool = True
    rules: Mapping[str, ObjectRules] | None = None

    def rules_of(self, row: str) -> ObjectRules:
        """Return the rules of a row; the plain ones where none are stated."""
        return (self.rules or {}).get(row, PLAIN_RULES)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A set that a source uses and that another module states: `name` as imported, `module` as written."""

    what: str
    name: str
    module: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """What one source states.

    A vocabulary that is not among `vocabularies` was not stated by the source: nothing is known of it, so it is never
    compared as if it were empty. `title` is for people ("Claude Code 2.1.296"); `version` is the upstream version.
    `notices` are what a reader wants said beside the result (never a reason for a verdict).
    """

    title: str
    version: str | None = None
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=lambda: MappingProxyType({}))
    tables: Mapping[str, FieldTable] = field(default_factory=lambda: MappingProxyType({}))
    elsewhere: tuple[Elsewhere, ...] = ()
    notices: tuple[str, ...] = ()

    def sets(self) -> tuple[Vocabulary | FieldTable, ...]:
        """Return everything that the source states: its vocabularies, then its tables."""
        return (*self.vocabularies.values(), *self.tables.values())

    def members(self, name: str) -> tuple[str, ...]:
        """Return the members of vocabulary `name`; () where the source has none or does not state it."""
        vocabulary = self.vocabularies.get(name)
        return (vocabulary.members or ()) if vocabulary else ()


_SIMPLE_KINDS: Final = ("string", "number", "boolean", "enum")


def union_kind(kinds: Iterable[str]) -> str:
    """Return the kind of what takes any of several kinds: each once, the simple ones first, then by name."""
    ranked = sorted(
        dict.fromkeys(kinds),
        key=lambda kind: (_SIMPLE_KINDS.index(kind) if kind in _SIMPLE_KINDS else len(_SIMPLE_KINDS), kind),
    )
    return "|".join(ranked)


_DETAIL: Final = re.compile(r"\([^()]*\)|\{[^{}]*\}")


def coarse(kind: str) -> str:
    """Return a kind without what only schemas say of it: the checks of what it holds, and the members of objects."""
    while (less := _DETAIL.sub("", kind)) != kind:
        kind = less
    return kind.replace("partialRecord<", "record<")


def surface_of(held: Iterable[Vocabulary | FieldTable], title: str) -> Surface:
    """Return single sets as one surface."""
    sets = tuple(held)
    return Surface(
        title=title,
        vocabularies=MappingProxyType({one.name: one for one in sets if isinstance(one, Vocabulary)}),
        tables=MappingProxyType({one.name: one for one in sets if isinstance(one, FieldTable)}),
    )


def facts(surface: Surface) -> Mapping[str, Any]:
    """Return what `surface` states to be compared: the content of each set, without order or evidence."""
    sets = {n: v.members if v.members is None else frozenset(v.members) for n, v in surface.vocabularies.items()}
    tables = {
        name: {row: frozenset(map(_unordered, fields)) for row, fields in table.rows.items()}
        for name, table in surface.tables.items()
    }
    rules = {
        _rules_key(name): {row: frozenset(each.stated) for row, each in table.rules.items()}
        for name, table in surface.tables.items()
        if table.rules is not None
    }
    return sets | tables | rules


def facts_of_both(one: Surface, other: Surface) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the facts of two surfaces without what only newer readers state and one of them does not."""
    both = (facts(one), facts(other))
    newer = {HOOK_MATCHER_FIELDS_TABLE, *(_rules_key(name) for held in (one, other) for name in held.tables)}
    left_out = {name for name in newer if any(name not in each for each in both)}
    left_out |= {_rules_key(name) for name in left_out}
    first, second = ({name: value for name, value in each.items() if name not in left_out} for each in both)
    return first, second


def _rules_key(table: str) -> str:
    return f"{table} rules"


def _unordered(field: Field) -> Field:
    values = None if field.values is None else tuple(sorted(field.values))
    return replace(field, values=values, constraints=tuple(sorted(field.constraints)))
