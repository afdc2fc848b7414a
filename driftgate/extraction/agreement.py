"""Agreement: all copies of the schema and all witnesses must say the same, and at least what any release says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.bundle import Reading
from driftgate.extraction.declarations import Declarations
from driftgate.extraction.fields import Entry
from driftgate.extraction.not_shown import contradiction, where_in
from driftgate.surface import Field, Witness, coarse
from driftgate.versions import version_key

FIRST_LITERALS: Final = "2.1.32"
"""The first release whose program describes the inputs of hooks: the second witness."""

LEAST_EVENTS: Final = 3
"""The first release with hooks (1.0.23) had three events; none has had fewer."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


def check_readings(artefact: Artefact, readings: tuple[Reading, ...]) -> None:
    """Raise unless all copies of the schema state the same, and at least what any release states."""
    for what, parts in (
        ("hook events", [(f"the copy at {r.place}", r.events) for r in readings]),
        ("hook entry types", [(f"the copy at {r.entries_place}", r.entry_types) for r in readings]),
        ("guard events", [(f"the copy at {r.guards.place}", r.guards.members or ()) for r in readings]),
        ("hook entry fields", [(f"the copy at {r.entries_place}", _described(r.entries)) for r in readings]),
        ("hook entry rules", [(f"the copy at {r.entries_place}", _rules(r.entries)) for r in readings]),
        ("hook matcher fields", [(f"the copy at {r.place}", _matcher(r)) for r in readings]),
    ):
        if any(set(members) != set(parts[0][1]) for _, members in parts):
            raise contradiction(artefact, what, parts)
    first = readings[0]
    empty = [entry.type for entry in first.entries if not entry.fields]
    odd = [name for name in (*first.events, *first.entry_types) if not _WORD.match(name)]
    if len(first.events) < LEAST_EVENTS:
        raise _too_little(artefact, first, f"{len(first.events)} hook events read")
    if empty:
        raise _too_little(artefact, first, f"no fields read of type {', '.join(empty)}")
    if odd:
        raise _too_little(artefact, first, f"{len(odd)} names read that are no words: {', '.join(map(repr, odd))}")


def _too_little(artefact: Artefact, reading: Reading, what: str) -> ExtractionError:
    return ExtractionError(
        what,
        where=where_in(artefact, reading.place),
        expected=f"at least {LEAST_EVENTS} events, at least one field of each entry type, and names that are words",
        found=f"events {', '.join(reading.events)}; types {', '.join(reading.entry_types)}",
        next="no release is known to be like this; report this release",
    )


def check_literals(artefact: Artefact, readings: tuple[Reading, ...], literals: Witness) -> None:
    """Raise where a program lacks the second witness that all programs from FIRST_LITERALS on have."""
    for reading in readings:
        if literals.members is None and reading.program and version_key(reading.program) >= version_key(FIRST_LITERALS):
            raise ExtractionError(
                "hook events: the second witness is missing",
                where=where_in(artefact, reading.place),
                expected=f"{literals.how}, which programs have from {FIRST_LITERALS} on; this one is {reading.program}",
                found=f"none; the first witness reads {len(reading.events)} ({', '.join(reading.events)})",
                next="the file may be cut off: fetch it again; else report this release",
            )


def _described(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(f"{entry.type}.{field.name} ({_detail(field)})" for entry in entries for field in entry.fields)


def _rules(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(f"{entry.type} {rule}" for entry in entries for rule in entry.rules or ())


def _matcher(reading: Reading) -> tuple[str, ...]:
    fields = tuple(f"{field.name} ({_detail(field)})" for field in reading.matcher)
    return (*fields, *reading.matcher_rules)


def _detail(field: Field) -> str:
    words = [field.kind, "required" if field.required else "optional", *(["internal"] if field.internal else [])]
    return " ".join([*words, *field.constraints, *([f"of {'|'.join(sorted(field.values))}"] if field.values else [])])


def check_events(artefact: Artefact, witnesses: list[Witness]) -> None:
    """Raise unless all witnesses that read anything read the same events."""
    told = [(f"{each.how} ({each.place})", each.members) for each in witnesses if each.members is not None]
    if any(set(members) != set(told[0][1]) for _, members in told):
        raise contradiction(artefact, "hook events", told)


def check_entries(artefact: Artefact, reading: Reading, declarations: tuple[Declarations, ...]) -> None:
    """Raise unless declarations state the public part of what the schema states."""
    for each in declarations:
        if each.entries:
            one = f"the schema ({reading.entries_place})"
            check_public(artefact, one, reading.entries, f"the declarations ({each.entries_place})", each.entries)


def check_public(
    artefact: Artefact, one: str, entries: tuple[Entry, ...], other: str, others: tuple[Entry, ...]
) -> None:
    """Raise unless both state the same public fields; `one` and `other` say who they are."""
    first, second = _public(entries), _public(others)
    if set(first) != set(second):
        raise contradiction(
            artefact, "the public fields of hook entries", [(one, tuple(first)), (other, tuple(second))]
        )


def _public(entries: tuple[Entry, ...]) -> Mapping[str, None]:
    """Return what declarations can state of entry types: their public fields, without constraints."""
    return dict.fromkeys(
        f"{entry.type}.{field.name} "
        f"({_detail(Field(field.name, coarse(field.kind), field.required, values=field.values))})"
        for entry in entries
        for field in entry.fields
        if not field.internal
    )
