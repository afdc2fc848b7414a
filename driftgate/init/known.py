"""What each upstream states, for comparison: the newest snapshot that is shipped of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from driftgate.errors import SnapshotError
from driftgate.snapshot import load_snapshot
from driftgate.surface import HOOK_EVENTS_SET, Surface
from driftgate.upstreams.catalogue import UPSTREAMS
from driftgate.upstreams.shipped import snapshots_of


def newest_snapshot(upstream: str) -> Path | None:
    """Return the newest snapshot of `upstream` that is shipped."""
    return next(reversed(snapshots_of(upstream).values()), None)


def shipped_surfaces() -> Mapping[str, Surface]:
    """Return the newest shipped surface of each upstream that has one, in the order of the catalogue."""
    found: dict[str, Surface] = {}
    for name in UPSTREAMS:
        path = newest_snapshot(name)
        if path is not None:
            try:
                found[name] = load_snapshot(path)
            except SnapshotError:  # a damaged file of ours is no reason not to look at the others
                continue
    return found


def event_names(surfaces: Mapping[str, Surface]) -> frozenset[str]:
    """Return every name of a hook event."""
    return frozenset(name for surface in surfaces.values() for name in surface.members(HOOK_EVENTS_SET))


def telling_names(surfaces: Mapping[str, Surface]) -> frozenset[str]:
    """Return the event names that no other text has by chance: of several words, dotted or in camel case."""
    return frozenset(n for n in event_names(surfaces) if "." in n or any(letter.isupper() for letter in n[1:]))
