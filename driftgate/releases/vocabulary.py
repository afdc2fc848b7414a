"""Which vocabulary a release has: the seam between the readers' rules and the history of surfaces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from driftgate.classifier.contract import Contract
from driftgate.classifier.signs import Signs
from driftgate.errors import BlindError
from driftgate.releases.entry_fields import ReadField, read_field
from driftgate.releases.eras import ReaderPolicy
from driftgate.releases.misplaced import ReleaseSigns
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Surface,
)
from driftgate.versions import version_key

FOLDER = "claude-code"
"""The folder of Claude Code's snapshots."""


@dataclass(frozen=True, slots=True)
class ReaderVocabulary:
    """What a release's reader knows: events, guard events, and the fields of each entry type, ready to read with."""

    events: frozenset[str]
    guards: frozenset[str]
    fields: Mapping[str, tuple[ReadField, ...]]
    signs: ReleaseSigns
    shape: Signs

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Words of the surface that there is no check for, each as `type.field: word`."""
        return tuple(
            f"{entry_type}.{field.name}: {word}"
            for entry_type, fields in self.fields.items()
            for field in fields
            for word in field.unchecked
        )


def vocabulary_of(surface: Surface, policy: ReaderPolicy) -> ReaderVocabulary:
    """Return `surface` as the reader of `policy` reads with it. Raises BlindError where it does not state enough."""
    table = surface.tables.get(HOOK_ENTRY_FIELDS_TABLE)
    missing = [name for name in (HOOK_EVENTS_SET, HOOK_ENTRY_TYPES_SET) if not surface.members(name)]
    if table is None or missing:
        raise BlindError(
            f"the vocabulary of {surface.title} is incomplete",
            expected="hook events, entry types and their fields",
            found=f"nothing for {', '.join(missing) or HOOK_ENTRY_FIELDS_TABLE}",
        )
    signs = Signs(
        Contract(
            events=surface.members(HOOK_EVENTS_SET),
            entry_types=surface.members(HOOK_ENTRY_TYPES_SET),
            shells=surface.members(HOOK_SHELLS_SET),
            guard_events=surface.members(GUARD_EVENTS_SET),
            fields={},
        )
    )
    fields = {
        entry_type: tuple(read_field(field, policy) for field in table.rows.get(entry_type, ()))
        for entry_type in surface.members(HOOK_ENTRY_TYPES_SET)
    }
    return ReaderVocabulary(signs.events, signs.guards, fields, ReleaseSigns(signs, policy.unscanned_keys), signs)


@lru_cache(maxsize=1024)
def surface_of(release: str) -> Surface | None:
    """Return the surface of `release`, or None where it is not known.

    It is the history's, where the history knows the release; releases with equal surfaces then share one object, whose
    `version` is None. Else it is that of a snapshot.
    """
    surface = _read().get(release)
    if surface is not None:
        return surface
    from driftgate.snapshot import load_snapshot

    path = _snapshots().get(release)
    return load_snapshot(path) if path is not None else None


@cache
def known_releases() -> tuple[str, ...]:
    """Return the releases whose surface is known, oldest first."""
    return tuple(sorted({*_read(), *_snapshots()}, key=version_key))


@cache
def _read() -> Mapping[str, Surface]:
    """Return the surface of every release that the shipped history knows."""
    from driftgate.history.store import shipped_history

    return {reading.version: reading.surface for reading in shipped_history(FOLDER).readings}


def nearest_surface(release: str) -> Surface:
    """Return the surface of `release`, or, where it is not known, that of the newest older release that is.

    In the second case its `version` is that older release. Raises BlindError where none is known: a newer vocabulary
    would let load what this release does not know.
    """
    known = known_releases()
    index = bisect_right(known, version_key(release), key=version_key)
    nearest = known[index - 1] if index else ""
    surface = surface_of(nearest) if nearest else None
    if surface is None:
        raise BlindError(
            f"the vocabulary of release {release} is not known",
            where=FOLDER,
            found=f"vocabularies of {known[0]} and newer" if known else "no vocabulary of any release",
            next=f"driftgate refresh --to {release}",
        )
    return surface if nearest == release else replace(surface, version=nearest)


def _snapshots() -> Mapping[str, Path]:
    from driftgate.upstreams.shipped import snapshots_of

    return snapshots_of(FOLDER)
