"""Which vocabulary a release has: the seam between the readers' rules and the history of surfaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from driftgate._signs import Signs
from driftgate.contract import Contract
from driftgate.errors import BlindError
from driftgate.releases.eras import ReaderPolicy
from driftgate.releases.fields import ReadField, read_field
from driftgate.releases.signs import ReleaseSigns
from driftgate.surface import (
    GUARD_EVENTS_SET,
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_ENTRY_TYPES_SET,
    HOOK_EVENTS_SET,
    HOOK_SHELLS_SET,
    Surface,
)
from driftgate.versions import is_version, version_key

FOLDER = "claude-code"
"""The folder of Claude Code's snapshots."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
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


def vocabulary_of(surface: Surface, policy: ReaderPolicy) -> Vocabulary:
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
    return Vocabulary(signs.events, signs.guards, fields, ReleaseSigns(signs, policy.unscanned_keys), signs)


@lru_cache(maxsize=64)
def surface_of(release: str) -> Surface | None:
    """Return the surface of `release`, or None where it is not known."""
    from driftgate.snapshot import load_snapshot

    path = _folder() / f"{release}.yaml"
    return load_snapshot(path) if path.is_file() else None


def known_releases() -> tuple[str, ...]:
    """Return the releases whose surface is known, oldest first."""
    return tuple(sorted((path.stem for path in _folder().glob("*.yaml") if is_version(path.stem)), key=version_key))


def nearest_surface(release: str) -> Surface:
    """Return the surface of `release`, or, where it is not known, that of the newest older release that is.

    Raises BlindError where none is: a newer vocabulary would let load what this release does not know.
    """
    key = version_key(release)
    older = [one for one in known_releases() if version_key(one) <= key]
    surface = surface_of(older[-1]) if older else None
    if surface is None:
        known = known_releases()
        raise BlindError(
            f"the vocabulary of release {release} is not known",
            where=str(_folder()),
            found=f"vocabularies of {known[0]} and newer" if known else "no vocabulary of any release",
            next=f"driftgate refresh --to {release}",
        )
    return surface


def _folder() -> Path:
    from driftgate.config import snapshots_dir

    return snapshots_dir() / FOLDER
