"""What is published, how one release of it is read, and what that costs: the scan's way to the registry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from driftgate.anchors import FetchOptions, published_versions
from driftgate.anchors.unavailable import MissingError
from driftgate.errors import AnchorError, BlindError
from driftgate.gate.observe import observe
from driftgate.gate.target import package, release
from driftgate.history.reading import FIRST, Plan
from driftgate.surface import Surface
from driftgate.upstreams.catalogue import CLAUDE_CODE
from driftgate.versions import version_key

LARGEST_MB: Final = {"sdk": 2, "script": 60, "native": 190}
"""The largest tarballs that were seen of each kind of anchor, in MB. The registry does not state sizes beforehand."""


def plan_of(options: FetchOptions) -> Plan:
    """Return the published releases from the first with hooks on, and those whose anchor is the small SDK package."""
    main = CLAUDE_CODE.main.name
    releases = tuple(v for v in published_versions(main, options) if version_key(v) >= version_key(FIRST))
    return Plan(releases, frozenset(release for release in releases if kind_of(release) == "sdk"))


def kind_of(release: str) -> str:
    """Return the kind of a release's anchor, a key of `LARGEST_MB`."""
    anchor = CLAUDE_CODE.era(release).anchor
    if anchor == CLAUDE_CODE.main:
        return "script"
    return "native" if anchor is CLAUDE_CODE.native else "sdk"


def most_mb(releases: Iterable[str]) -> int:
    """Return how many MB reading `releases` fetches at the most, by the largest tarballs that were seen."""
    return sum(LARGEST_MB[kind_of(release)] for release in releases)


def read_release(version: str, options: FetchOptions) -> Surface:
    """Return the surface of one release: from its anchor or, where that was never published, from its native binary.

    The binary is the same release, read and named as such in the history; it is never another release's.
    """
    try:
        return observe(release(version), options)
    except MissingError:
        platform = next(CLAUDE_CODE.natives(), None)
        if platform is None or kind_of(version) != "sdk":
            raise
        return observe(package(platform[1].name, version), options)


class BudgetError(AnchorError):
    """What may be fetched is used up."""


@dataclass(slots=True)
class Budget:
    """Counts the bytes of every body that comes from the network, and ends the transfer that would exceed `most`."""

    most: int
    used: int = 0
    spent: bool = field(default=False)

    def within(self, options: FetchOptions) -> FetchOptions:
        """Return `options` that keep to this budget."""
        return replace(options, received=self.receive)

    def receive(self, count: int) -> None:
        """Count a piece. Raises BudgetError where it is one too many."""
        self.used += count
        if self.used > self.most:
            self.spent = True
            raise BudgetError(
                f"the network use that was stated is used up ({megabytes(self.most)})",
                next="run again to go on, or allow more with --at-most",
            )


def megabytes(count: int) -> str:
    """Return a number of bytes in words, e.g. "12.3 MB"."""
    return f"{count / 1e6:.1f} MB"


@dataclass(slots=True)
class Memory:
    """Reads each release once, for searches that share some of them; a failure is remembered as well."""

    options: FetchOptions
    _known: dict[str, Surface | BlindError] = field(default_factory=dict)

    def read(self, version: str) -> Surface:
        """Return the surface of a release. Raises what `read_release` raises."""
        if version not in self._known:
            try:
                self._known[version] = read_release(version, self.options)
            except BlindError as problem:
                self._known[version] = problem
        known = self._known[version]
        if isinstance(known, BlindError):
            raise known
        return known
