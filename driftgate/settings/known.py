"""Where a name that a vocabulary does not have is known: in a later or an earlier release, or in another harness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from driftgate.releases import known_releases, surface_of
from driftgate.surface import HOOK_ENTRY_TYPES_SET, HOOK_EVENTS_SET
from driftgate.versions import version_key

_SORTS = {HOOK_EVENTS_SET: "event", HOOK_ENTRY_TYPES_SET: "type"}


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a name is known: in words, and what to do, which is never to remove it. `later`: in newer releases."""

    says: str
    fix: str
    later: bool = False


@cache
def whereabouts(name: str, sort: str, release: str) -> Whereabouts | None:
    """Return where `name`, a member of the set `sort`, is known that `release` does not know. None: nowhere."""
    having = [version for version in known_releases() if name in _members(version, sort)]
    later = [version for version in having if version_key(version) > version_key(release)]
    earlier = [version for version in having if version_key(version) < version_key(release)]
    if later:
        fix = f"it is read from {later[0]} on; older releases pass it over"
        return Whereabouts(f"Claude Code knows it since {later[0]}", fix, later=True)
    if earlier:
        return Whereabouts(f"Claude Code knew it up to {earlier[-1]}", "it is read by those releases only")
    return _elsewhere(name, sort)


@cache
def is_public(name: str) -> bool:
    """Return whether `name` is an event or an entry type of some release, and so nobody's own word."""
    surfaces = {id(surface): surface for version in known_releases() if (surface := surface_of(version)) is not None}
    return any(name in surface.members(sort) for surface in surfaces.values() for sort in _SORTS)


def _members(version: str, sort: str) -> tuple[str, ...]:
    surface = surface_of(version)
    return surface.members(sort) if surface is not None else ()


def _elsewhere(name: str, sort: str) -> Whereabouts | None:
    from driftgate.history.elsewhere import elsewhere  # only a name that Claude Code never knew asks other harnesses

    found = elsewhere(f"{_SORTS[sort]} {name}", but="claude-code")
    if not found:
        return None
    harnesses = " and ".join(dict.fromkeys(f"{one.harness} {one.version}" for one in found))
    return Whereabouts(
        f"{harnesses} {'knows' if len(found) == 1 else 'know'} it", f"keep it where {found[0].harness} reads it"
    )
