"""What is accepted, what a subset leaves out on purpose, and what is wrong with the entries that say so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from driftgate.judge.accepted import Accepted
from driftgate.judge.findings import Breach, Finding, Judgement, own_finding
from driftgate.judge.rules import Direction
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_ENTRY_TYPES_SET, Place, Surface


def accept(
    found: Iterable[Breach], entries: Iterable[Accepted], version: str | None, today: dt.date
) -> tuple[tuple[Breach, ...], tuple[Finding, ...], Mapping[Accepted, int]]:
    """Part breaches into those that stand and those that `entries` accept for upstream `version`.

    Returns what stands, the accepted findings (whose impact nobody asked for), and how often each entry matched. An
    entry past its date accepts nothing.
    """
    live = {
        (entry.rule, entry.subject, entry.of): entry
        for entry in entries
        if entry.applies_to(version) and not entry.is_past(today)
    }
    stands: list[Breach] = []
    taken: list[Finding] = []
    used: dict[Accepted, int] = {}
    for breach in found:
        name = (breach.finding.rule.id, breach.finding.subject)
        entry = live.get((*name, breach.finding.of)) or live.get((*name, ""))
        if entry is None:
            stands.append(breach)
        else:
            taken.append(replace(breach.finding, accepted=entry))
            used[entry] = used.get(entry, 0) + 1
    return tuple(stands), tuple(taken), used


def leave_out(
    found: Iterable[Breach], subset: Iterable[str], pinned: Surface
) -> tuple[tuple[Breach, ...], tuple[Finding, ...]]:
    """Part breaches into those that stand and the names that the sets `subset` leave out on purpose.

    Left out is what only upstream has and had at the pin already: what came later is new, and nobody decided on it yet.
    What upstream has no more, and what is spelt otherwise there, stands.
    """
    sets = {*subset}
    known = {name: _names(name, pinned) for name in sets}
    stands: list[Breach] = []
    left: list[Finding] = []
    for breach in found:
        of = {name for name, _ in breach.finding.tally} & sets
        is_left = breach.finding.rule.direction is Direction.ONLY_UPSTREAM and any(
            breach.finding.subject in known[name] for name in of
        )
        if is_left and breach.finding.rule.id != "field-not-carried":
            left.append(breach.finding)
        else:
            stands.append(breach)
    return tuple(stands), tuple(left)


def _names(of: str, surface: Surface) -> frozenset[str]:
    """Return the names of the members of a set; of a table, those of its rows and fields."""
    table = surface.tables.get(of)
    if table is None:
        return frozenset(surface.members(of))
    fields = (f"{row}.{field.name}" for row, fields in table.rows.items() for field in fields)
    return frozenset((*table.rows, *fields))


def about_entries(
    entries: Iterable[Accepted],
    judgement: Judgement,
    version: str | None,
    today: dt.date,
    place_of: Callable[[Accepted], Place],
) -> Iterator[Finding]:
    """Yield the findings about the accepted entries themselves, judged at the pin: unused ones and expired ones.

    An entry whose subject (or whose entry type) is reported already is not also called unused: the report says what
    changed, and one fault is one finding. `place_of` says where the configuration states an entry.
    """
    reported = [(found.of, found.subject) for found in judgement.findings]
    for entry in entries:
        if entry.is_past(today):
            yield _about(entry, "accepted-expired", f"it held until {entry.until}", place_of)
        elif entry.applies_to(version) and entry not in judgement.used and not _is_reported(entry, reported):
            yield _about(entry, "accepted-unused", "", place_of)


def _is_reported(entry: Accepted, reported: Iterable[tuple[str, str]]) -> bool:
    names = {entry.subject, entry.subject.partition(".")[0]}
    sets = {entry.of, HOOK_ENTRY_TYPES_SET} if entry.of == HOOK_ENTRY_FIELDS_TABLE else {entry.of}
    return any(name in names and (not entry.of or of in sets) for of, name in reported)


def _about(entry: Accepted, rule_id: str, detail: str, place_of: Callable[[Accepted], Place]) -> Finding:
    return own_finding(rule_id, entry.title, "accepted", detail, place_of(entry))
