"""changes -> findings: rules applied, impact measured, accepted drift taken out.

A finding is a value that every report renders; nothing here prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from driftgate.judge.accepted import Accepted
from driftgate.judge.comparison import Change, ChangeKind, diff
from driftgate.judge.impact import Impact, Probe
from driftgate.judge.rules import ADOPT_IT, RULES, Direction, Rule, Severity, misspelt_rule, rule_for
from driftgate.near import alike
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_MATCHER_FIELDS_TABLE,
    HOOK_SETS,
    Field,
    FieldTable,
    ObjectRules,
    Place,
    Surface,
    Vocabulary,
    facts_of_both,
    surface_of,
)


@dataclass(frozen=True, slots=True)
class Home:
    """Whose a finding is: the configuration's file, and the folder that its places are relative to.

    `project` names the project where one run looks at several, `upstream` the mirror where a project has several; both
    are "" otherwise.
    """

    source: str = ""
    root: str = ""
    project: str = ""
    upstream: str = ""

    @property
    def name(self) -> str:
        """What tells it from others of the same run."""
        return ": ".join(filter(None, (self.project, self.upstream)))


NOWHERE: Final = Home()


_PLAIN: Final = re.compile(r"[\w./:@-]*")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    `of` is the set or table, `detail` the facts of this case in one line ("upstream: optional string"), `against` is
    what was compared with. `places` are where this side declares it, or the set that lacks it; `also` is where else
    this side states the name, which proves nothing. `tally` counts the members that it stands for, by set and
    side: a whole entry type stands for itself and for its fields, a misspelling for a name on each side.
    """

    rule: Rule
    subject: str
    of: str
    severity: Severity
    detail: str = ""
    against: str = ""
    places: tuple[Place, ...] = ()
    impacts: tuple[Impact, ...] = ()
    also: tuple[str, ...] = ()
    accepted: Accepted | None = None
    advice: str = ""
    home: Home = NOWHERE
    tally: Mapping[tuple[str, Direction], int] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    @property
    def fingerprint(self) -> str:
        """The stable name (16 hex digits) of rule, set and subject: not of the wording, the place or the release.

        Where one run looks at several projects or upstreams, it is also that of the one whose finding it is.
        """
        import hashlib  # only a finding needs it

        named = [self.rule.id, self.of, self.subject, *filter(None, [self.home.name])]
        return hashlib.sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def remedy(self) -> str:
        """What to do about it: what the rule says, with the command that does it, or what is left to do here."""
        return self.advice or self._commanded(self.rule.remedy)

    def _commanded(self, remedy: str) -> str:
        """Name the command that edits the source; names that mean something to a shell are not put there."""
        if not _PLAIN.fullmatch(f"{self.subject}{self.against}"):
            return remedy
        where = "" if self.against in ("", "snapshot", "pinned") else f" --against {self.against}"
        command = f"driftgate adopt {self.rule.id} {self.subject}{where}"
        if self.rule.id.endswith("-misspelt"):
            return f"{remedy}: {command}"
        return remedy.replace(ADOPT_IT, command)

    @property
    def direction(self) -> Direction:
        """Which side has what the other has not."""
        return self.rule.direction


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings of one comparison, and what the accepted entries matched. `used` counts matches per entry."""

    findings: tuple[Finding, ...]
    accepted: tuple[Finding, ...] = ()
    used: Mapping[Accepted, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule before its impact is measured: the finding so far, and the changes that break the rule."""

    finding: Finding
    changes: tuple[Change, ...]


def breaches(changes: Iterable[Change], against: str) -> tuple[Breach, ...]:
    """Return the rules that `changes` break, in the order of the changes.

    A whole entry type is one breach: neither its row in the field table nor its fields are breaches beside it.
    """
    found: dict[tuple[str, str, str], Breach] = {}
    for rule, group in _groups(changes):
        breach = Breach(_unmeasured(rule, group, against), group)
        key = (rule.id, breach.finding.of, breach.finding.subject)
        found[key] = _merged(found[key], breach) if key in found else breach
    return tuple(found.values())


def _merged(one: Breach, other: Breach) -> Breach:
    """Two places, or a type and its row of fields, say the same thing: one finding with both places."""
    places = tuple(dict.fromkeys((*one.finding.places, *other.finding.places)))
    detail = one.finding.detail or other.finding.detail
    tally = MappingProxyType({**one.finding.tally, **other.finding.tally})
    return replace(one, finding=replace(one.finding, detail=detail, places=places, tally=tally))


def measure(
    found: Iterable[Breach],
    observed: Surface,
    declared: Surface,
    severity: Mapping[str, str],
    unmeasured: Severity = Severity.NOTICE,
) -> tuple[Finding, ...]:
    """Return the findings that breaches are, with their impact, most severe first.

    `severity` maps rule ids to the severity that the configuration gives them; `unmeasured` is that of a breach whose
    impact cannot be measured.
    """
    probe = Probe(observed, declared)
    findings = [_advised(_measured(breach, probe, severity, unmeasured), declared) for breach in found]
    return tuple(sorted(findings, key=lambda finding: -finding.severity.rank))


def _measured(breach: Breach, probe: Probe, severity: Mapping[str, str], unmeasured: Severity) -> Finding:
    finding, rule = breach.finding, breach.finding.rule
    impacts = tuple(impact for change in breach.changes for impact in probe.impacts(change))
    if finding.of == HOOK_MATCHER_FIELDS_TABLE:
        unmeasured = Severity.ERROR  # what is no matcher upstream takes all its hooks with it
    elif finding.of not in _MEASURED:
        unmeasured = max(unmeasured, Severity.WARNING, key=lambda one: one.rank)
    worst = max((impact.effect.severity for impact in impacts), key=lambda one: one.rank, default=unmeasured)
    chosen = Severity(severity[rule.id]) if rule.id in severity else rule.severity or worst
    return replace(finding, severity=chosen, impacts=impacts)


_PLAIN_TYPES: Final = MappingProxyType(
    {**dict.fromkeys((".ts", ".mts", ".cts", ".tsx"), "TypeScript"), ".go": "Go", ".rs": "Rust", ".zig": "Zig"}
)
"""Languages whose types state no constraints; some of their libraries do."""


def _advised(finding: Finding, declared: Surface) -> Finding:
    """Say what is left where a rule cannot be met: types of some languages have no words for a constraint."""
    table = declared.tables.get(finding.of)
    if finding.rule.id != "field-looser" or table is None or not finding.places:
        return finding
    language = _PLAIN_TYPES.get(PurePosixPath(finding.places[0].source).suffix.lower())
    if language is None or any(field.constraints for fields in table.rows.values() for field in fields):
        return finding
    schema = "a zod schema or a JSON Schema" if language == "TypeScript" else "a JSON Schema"
    return replace(
        finding,
        advice=f"a type of {language} has no words for this: declare the fields by {schema} instead, or accept it with "
        "that reason (`driftgate accept --all` takes all of them at once)",
    )


_MEASURED: Final = (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE)
"""The sets that the classifier knows. What a set of a project's own means for its users, only the project knows."""


def judge(
    changes: Iterable[Change], observed: Surface, declared: Surface, against: str, severity: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Return the findings that `changes` are when nothing is accepted."""
    return measure(breaches(changes, against), observed, declared, severity)


def _groups(changes: Iterable[Change]) -> Iterator[tuple[Rule, tuple[Change, ...]]]:
    """Yield each rule that is broken with the changes that break it: one, or two that are a misspelling together."""
    rest = tuple(changes)
    for ours, theirs in misspellings(rest):
        rest = tuple(change for change in rest if change is not ours and change is not theirs)
        yield misspelt_rule(ours), (ours, theirs)
    for change in rest:
        rule = rule_for(change)
        if rule is not None:
            yield rule, (change,)


def misspellings(changes: tuple[Change, ...]) -> Iterator[tuple[Change, Change]]:
    """Yield (declared, upstream) pairs of changes whose names differ so little that one is meant for the other.

    Where a set is declared in several files, each pair is of one file.
    """
    added = [change for change in changes if change.kind is ChangeKind.ADDED]
    for ours in changes:
        if ours.kind is ChangeKind.REMOVED:
            theirs = [c for c in added if _same_kind(ours, c) and _same_file(ours, c) and _near(ours, c)]
            if len({change.subject for change in theirs}) == 1:
                added.remove(theirs[0])
                yield ours, theirs[0]


def _same_file(one: Change, other: Change) -> bool:
    return (one.place and one.place.source) == (other.place and other.place.source)


def _same_kind(one: Change, other: Change) -> bool:
    same_row = one.field is None or one.name == other.name
    return one.of == other.of and (one.field is None) == (other.field is None) and same_row


def _near(one: Change, other: Change) -> bool:
    words = (one.field or one.name, other.field or other.name)
    return min(map(len, words)) >= _SHORTEST and alike(*words) >= _NEAR


_SHORTEST: Final = 4
_NEAR: Final = 0.88
"""How alike two names must be for one to be a misspelling: Pre... and Post... of one event are further apart."""


def _unmeasured(rule: Rule, changes: tuple[Change, ...], against: str) -> Finding:
    first, *others = changes
    return Finding(
        rule=rule,
        subject=first.subject,
        of=HOOK_ENTRY_TYPES_SET if rule.id.startswith("type-") else first.of,
        severity=rule.severity or Severity.NOTICE,
        detail="; ".join([f"upstream: {other.subject}" for other in others]) or _detail(first),
        against=against,
        places=(first.place,) if first.place else (),
        tally=MappingProxyType({_side(change): _members(change) for change in changes}),
    )


def _side(change: Change) -> tuple[str, Direction]:
    sides = {ChangeKind.ADDED: Direction.ONLY_UPSTREAM, ChangeKind.REMOVED: Direction.ONLY_HERE}
    return change.of, sides.get(change.kind, Direction.DIFFERS)


def _members(change: Change) -> int:
    """Return how many members of its set a change stands for: the fields of a whole row, else one."""
    row = change.observed or change.declared
    return len(row) if isinstance(row, tuple) else 1


def _detail(change: Change) -> str:
    sides = (("upstream", change.observed), ("here", change.declared))
    return "; ".join(f"{side}: {_words(value)}" for side, value in sides if value is not None)


def _words(value: Field | tuple[Field, ...] | ObjectRules) -> str:
    return value.words if isinstance(value, Field | ObjectRules) else "fields " + ", ".join(item.name for item in value)


def own_finding(rule_id: str, subject: str, of: str, detail: str, *places: Place) -> Finding:
    """Return a finding of a rule whose severity is fixed."""
    rule = RULES[rule_id]
    assert rule.severity is not None  # noqa: S101 - only rules about changes leave it to the impact
    return Finding(rule, subject, of, rule.severity, detail, places=places)


def untrue(anchor: Surface, snapshot: Surface) -> Iterator[Finding]:
    """Yield where `snapshot` does not say what its own anchor says now."""
    result = diff(anchor, snapshot)
    for change in result.changes:
        side = {ChangeKind.ADDED: "only in the anchor", ChangeKind.REMOVED: "only in the snapshot"}
        detail = "; ".join(filter(None, (side.get(change.kind, str(change.kind)), _detail(change))))
        yield own_finding("snapshot-untrue", change.subject, change.of, detail)
    theirs, ours = facts_of_both(anchor, snapshot)
    if not result.changes and theirs != ours:
        for name in sorted(name for name in {*theirs, *ours} if theirs.get(name) != ours.get(name)):
            yield own_finding(
                "snapshot-untrue", name, name, "it differs in what upstream marks as internal, or is missing"
            )


def mirrors_disagree(name: str, places: list[tuple[str, Vocabulary | FieldTable]]) -> Iterator[Finding]:
    """Yield where the places that declare set `name` contradict the first of them."""
    (first_spec, first), *others = places
    for spec, held in others:
        changes = diff(surface_of((first,), first_spec), surface_of((held,), spec)).changes
        for change in changes:
            yield own_finding(
                "mirrors-disagree", change.subject, name, f"{first_spec} and {spec}", *filter(None, [change.place])
            )
