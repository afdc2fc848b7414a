"""The rules: which change is a finding, under which id, in which words.

One table serves the gate, `driftgate rules` and `driftgate explain`. A rule states no severity of its own where the
impact decides it (see `impact`); the rules about this side's own inputs have a fixed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from driftgate.classifier.kinds import LENIENT
from driftgate.judge.comparison import Change, ChangeKind
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_MATCHER_FIELDS_TABLE,
    HOOK_SETS,
    HOOK_SHELLS_SET,
    Field,
    ObjectRules,
)


class Severity(StrEnum):
    """How bad a finding is, from bad to mild; the order of the members is the order of severity."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"

    @property
    def rank(self) -> int:
        """0 is the mildest."""
        return len(Severity) - 1 - list(Severity).index(self)


class Direction(StrEnum):
    """Which side has what the other has not."""

    ONLY_UPSTREAM = "only-upstream"
    ONLY_HERE = "only-here"
    DIFFERS = "differs"
    HERE = "here"
    """Not a difference to upstream: something is wrong on this side alone (constants, mirrors, accepted entries)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `severity` None: the impact decides. `summary` says what it means, `remedy` what to do about it."""

    id: str
    direction: Direction
    summary: str
    remedy: str
    severity: Severity | None = None

    @property
    def is_acceptable(self) -> bool:
        """Whether it is about a difference to upstream; what is wrong on this side alone is to be put right."""
        return self.direction is not Direction.HERE and self.id != "snapshot-untrue"


ADOPT_IT: Final = "adopt it here"
"""What a finding says as the command that does it."""

_ADOPT: Final = f"{ADOPT_IT}, or accept the drift with a reason"
_KEEP_OR_DROP = "find out which release dropped it (`driftgate history NAME`) before you decide whether to keep it"

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        rule.id: rule
        for rule in (
            Rule(
                "event-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream has a hook event that is not declared here",
                _ADOPT,
            ),
            Rule(
                "event-only-here",
                Direction.ONLY_HERE,
                "a hook event is declared here that upstream does not have",
                _KEEP_OR_DROP,
            ),
            Rule(
                "type-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream has a hook entry type that is not declared here",
                _ADOPT,
            ),
            Rule(
                "type-only-here",
                Direction.ONLY_HERE,
                "a hook entry type is declared here that upstream does not have",
                _KEEP_OR_DROP,
            ),
            Rule(
                "shell-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream accepts a shell that is not declared here",
                _ADOPT,
            ),
            Rule(
                "shell-only-here",
                Direction.ONLY_HERE,
                "a shell is declared here that upstream does not accept",
                _KEEP_OR_DROP,
            ),
            Rule(
                "guard-event-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream treats an event as a guard that is not one here",
                "declare it as a guard event: upstream refuses the whole document where this side drops a piece",
            ),
            Rule(
                "guard-event-only-here",
                Direction.ONLY_HERE,
                "an event is declared as a guard here that is not one upstream",
                _KEEP_OR_DROP,
            ),
            Rule(
                "field-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream reads a field of an entry type that is not declared here",
                _ADOPT,
            ),
            Rule(
                "field-only-here",
                Direction.ONLY_HERE,
                "a field is declared here that upstream does not read",
                _KEEP_OR_DROP,
            ),
            Rule(
                "field-not-carried",
                Direction.ONLY_UPSTREAM,
                "a field is checked here, but what is loaded does not carry it",
                "carry it, or accept that its value is lost on the way",
            ),
            Rule(
                "field-retyped",
                Direction.DIFFERS,
                "a field has another kind upstream",
                "declare the kind that upstream states",
            ),
            Rule(
                "field-requiredness",
                Direction.DIFFERS,
                "a field is required on one side and optional on the other",
                "declare it as upstream does",
            ),
            Rule(
                "field-values",
                Direction.DIFFERS,
                "the values that a field allows differ",
                "declare the values that upstream states",
            ),
            Rule(
                "field-looser",
                Direction.DIFFERS,
                "upstream constrains a field in a way that is not declared here",
                "declare the constraint: what it refuses upstream would load here",
            ),
            Rule(
                "object-stricter",
                Direction.DIFFERS,
                "upstream refuses entries or matchers that are taken here: for a field that it does not know, or by a "
                "check of the whole",
                "refuse them here too, or tell the users of this package: what loaded before is dropped or rejected",
                Severity.ERROR,
            ),
            Rule(
                "object-looser",
                Direction.DIFFERS,
                "upstream takes entries or matchers that are refused here, or keeps more of them",
                "take them here too, or accept the drift with a reason",
                Severity.WARNING,
            ),
            Rule(
                "member-only-upstream",
                Direction.ONLY_UPSTREAM,
                "upstream has a member of a set that is not declared here",
                _ADOPT,
                Severity.ERROR,
            ),
            Rule(
                "member-only-here",
                Direction.ONLY_HERE,
                "a member of a set is declared here that upstream does not have",
                _KEEP_OR_DROP,
                Severity.WARNING,
            ),
            *(
                Rule(
                    f"{noun}-misspelt",
                    Direction.DIFFERS,
                    f"{a_noun} is declared here under a name that is nearly, but not quite, upstream's",
                    "spell it as upstream does",
                    Severity.ERROR,
                )
                for noun, a_noun in (
                    ("event", "a hook event"),
                    ("type", "a hook entry type"),
                    ("shell", "a shell"),
                    ("guard-event", "a guard event"),
                    ("field", "a field"),
                    ("member", "a member of a set"),
                )
            ),
            Rule(
                "mirrors-disagree",
                Direction.HERE,
                "two places of this project declare the same set differently",
                "make them equal, or derive one from the other",
                Severity.ERROR,
            ),
            Rule(
                "constants-disagree",
                Direction.HERE,
                "the declared constants contradict each other, or the classifier",
                "make the constants agree; every set is stated once, and the classifier reads it",
                Severity.ERROR,
            ),
            Rule(
                "snapshot-untrue",
                Direction.DIFFERS,
                "the snapshot does not say what its own anchor says",
                "write it again with `driftgate refresh`, and look at who changed it",
                Severity.ERROR,
            ),
            Rule(
                "accepted-unused",
                Direction.HERE,
                "an accepted entry matches nothing at the pin",
                "remove the entry, or give it the `versions` for which it speaks",
                Severity.WARNING,
            ),
            Rule(
                "accepted-expired",
                Direction.HERE,
                "an accepted entry is past its date",
                "look at the drift again, then move `until` or resolve it",
                Severity.ERROR,
            ),
        )
    }
)

_NOUNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        HOOK_EVENTS_SET: "event",
        HOOK_ENTRY_TYPES_SET: "type",
        HOOK_SHELLS_SET: "shell",
        GUARD_EVENTS_SET: "guard-event",
        HOOK_ENTRY_FIELDS_TABLE: "type",  # a whole row of the table is an entry type
    }
)
"""What a member of each built-in set is called in rule ids; the members of other sets are just members."""


def speaks_of(rule_id: str, of: str) -> bool:
    """Return whether findings of the rule can be about the set or table called `of`."""
    if rule_id.startswith("field-"):
        return of not in HOOK_SETS
    if rule_id.startswith("object-"):
        return of in (HOOK_ENTRY_FIELDS_TABLE, HOOK_MATCHER_FIELDS_TABLE)
    if rule_id.startswith("member-"):
        return of not in _NOUNS
    return of != HOOK_ENTRY_FIELDS_TABLE and rule_id.startswith(f"{_NOUNS.get(of)}-")


_FIELD_RULES: Final[Mapping[ChangeKind, str]] = MappingProxyType(
    {
        ChangeKind.ADDED: "field-only-upstream",
        ChangeKind.REMOVED: "field-only-here",
        ChangeKind.RETYPED: "field-retyped",
        ChangeKind.REQUIREDNESS: "field-requiredness",
        ChangeKind.VALUES: "field-values",
        ChangeKind.CONSTRAINT: "field-looser",
        ChangeKind.CARRIED: "field-not-carried",
    }
)


def rule_for(change: Change) -> Rule | None:
    """Return the rule that `change` breaks, or None: being stricter than upstream is no drift."""
    if change.field is not None:
        if change.kind is ChangeKind.CONSTRAINT and not is_looser(change):
            return None
        return RULES[_FIELD_RULES[change.kind]]
    if change.kind is ChangeKind.RULES:
        return RULES["object-stricter" if is_stricter(change) else "object-looser"]
    side = "upstream" if change.kind is ChangeKind.ADDED else "here"
    return RULES[f"{_NOUNS.get(change.of, 'member')}-only-{side}"]


def misspelt_rule(change: Change) -> Rule:
    """Return the rule for a declared name that is nearly one of upstream's."""
    noun = "field" if change.field is not None else _NOUNS.get(change.of, "member")
    return RULES[f"{noun}-misspelt"]


_REFUSES: Final = re.compile(r"strict\Z|catchall\(|refine\(|check\(|overwrite\(")
"""Rules that refuse what the plain ones take."""


def is_stricter(change: Change) -> bool:
    """Return whether upstream refuses objects that are taken here, going by the rules of both sides."""
    observed, declared = change.observed, change.declared
    if not isinstance(observed, ObjectRules) or not isinstance(declared, ObjectRules):
        return False
    theirs = set(observed.stated) - set(declared.stated)
    loosened = {word for word in set(declared.stated) - set(observed.stated) if word.startswith("type ")}
    return bool(loosened) or any(map(_REFUSES.match, theirs))


_AT_LEAST: Final = r"min\((\d+)\)"


def is_looser(change: Change) -> bool:
    """Return whether the declared field takes values that the observed one refuses, going by their constraints."""
    observed, declared = change.observed, change.declared
    if not isinstance(observed, Field) or not isinstance(declared, Field):
        return False
    if any(map(LENIENT.match, observed.constraints)):
        return False
    if any(map(LENIENT.match, declared.constraints)):
        return True
    return any(not _implied(constraint, declared.constraints) for constraint in observed.constraints)


def _implied(constraint: str, by: tuple[str, ...]) -> bool:
    if constraint in by or constraint == "transform":
        return True
    least = re.fullmatch(_AT_LEAST, constraint)
    return least is not None and any(int(other[1]) >= int(least[1]) for other in _minima(by))


def _minima(constraints: tuple[str, ...]) -> Iterator[re.Match[str]]:
    return (match for match in (re.fullmatch(_AT_LEAST, one) for one in constraints) if match)
