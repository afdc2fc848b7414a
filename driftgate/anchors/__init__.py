"""Anchors: from what people ask for to pinned, verified artefacts that can be read as a stream.

    for artefact in find_release("2.1.296", FetchOptions(offline=True)):
        for member in artefact.open_members():
            ...

Only this package touches the network, and only `http` does. Everything raises the errors of `driftgate.errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from driftgate.anchors.find import find_package, find_release, newest_release
from driftgate.anchors.local import find_local
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.registry import Registry
from driftgate.upstreams.catalogue import CLAUDE_CODE
from driftgate.versions import is_version, version_key

__all__ = [
    "FetchOptions",
    "find_local",
    "find_package",
    "find_release",
    "latest_version",
    "package_metadata",
    "published_versions",
]


def latest_version(options: FetchOptions) -> str:
    """Return the newest release of Claude Code, as the registry's tag "latest" has it."""
    return newest_release(CLAUDE_CODE, Registry(options), options)


def package_metadata(package: str, options: FetchOptions) -> Mapping[str, Any]:
    """Return all that the registry says of a package.

    `versions` maps each version to its package.json, `dist-tags` tags to versions; `time`, where the registry has it,
    versions to the moments at which they were published.
    """
    return Registry(options).packument(package)


def published_versions(package: str, options: FetchOptions) -> tuple[str, ...]:
    """Return the versions of a package that the registry serves, in the order of their numbers. No pre-releases."""
    return tuple(sorted(filter(is_version, package_metadata(package, options)["versions"]), key=version_key))
