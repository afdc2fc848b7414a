"""What is published, and how one release of it is read: the scan's way to the registry."""

from __future__ import annotations

from driftgate.anchors import FetchOptions, published_versions
from driftgate.anchors.catalogue import CLAUDE_CODE
from driftgate.errors import AnchorError
from driftgate.gate import observe
from driftgate.history.scan import FIRST, Plan
from driftgate.surface import Surface
from driftgate.versions import version_key


def plan_of(options: FetchOptions) -> Plan:
    """Return the published releases from the first with hooks on, and those whose anchor is the small SDK package."""
    main = CLAUDE_CODE.main.name
    releases = [v for v in published_versions(main, options) if version_key(v) >= version_key(FIRST)]
    small: set[str] = set()
    for release in releases:
        anchor = CLAUDE_CODE.era(release).anchor
        if anchor.name != main and CLAUDE_CODE.native is not None and not anchor.name.startswith(CLAUDE_CODE.native.name):
            small.add(release)
    return Plan(tuple(releases), frozenset(small))


def read_release(version: str, options: FetchOptions) -> Surface:
    """Return the surface of one release: from its anchor or, where that was never published, from its native binary.

    The binary is the same release, read and named as such in the history; it is never another release's.
    """
    try:
        return observe(version, options)
    except AnchorError:
        native = next(CLAUDE_CODE.natives(), None)
        if native is None or CLAUDE_CODE.last_script is None:
            raise
        if version_key(version) <= version_key(CLAUDE_CODE.last_script):
            raise
        return observe(f"npm:{native[1].name}@{version}", options)
