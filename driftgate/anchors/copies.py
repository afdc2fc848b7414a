"""Verified copies of package versions: out of the cache or from the registry, and never without a digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from driftgate.anchors.cache import Cache, Record
from driftgate.anchors.integrity import STRONG, Integrity
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.registry import Published, Registry
from driftgate.anchors.unavailable import MissingError, NotCachedError, UnreachableError
from driftgate.errors import AnchorError


@dataclass(frozen=True, slots=True)
class Pins:
    """The integrities that a snapshot recorded, by "package@version", and the place where they are written."""

    integrities: Mapping[str, str] = field(default_factory=dict)
    place: str = "the pin"

    def of(self, name: str) -> Integrity | None:
        """Return the pinned integrity of a package version. Raises AnchorError where what is pinned is not one."""
        text = self.integrities.get(name)
        if text is None:
            return None
        if parsed := Integrity.parse(text):
            return parsed
        raise AnchorError(f"the pinned integrity of {name} is not one", where=self.place, found=repr(text))


@dataclass(frozen=True, slots=True)
class Copy:
    """A verified tarball on disk, and what a reader wants to know of how it came."""

    record: Record
    path: Path
    notices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The package and the version, as npm writes them."""
        return f"{self.record.package}@{self.record.version}"


class Copies:
    """Copies that satisfy the pins. `discard` throws one away that turned out to be damaged."""

    def __init__(self, options: FetchOptions, pins: Pins, registry: Registry) -> None:
        self._options = options
        self._pins = pins
        self._registry = registry
        self._cache = Cache(options.cache_directory)
        self.discard = self._cache.discard

    def get(self, package: str, version: str) -> Copy:
        """Return a verified copy of one package version.

        Raises MissingError (404), UnreachableError, RefusedError, NotCachedError (offline), or AnchorError where a
        digest is wrong. A copy in the cache stands in for a version that is withdrawn, or a network that is not
        there, with a notice.
        """
        if self._options.offline:
            if copy := self.cached(package, version):
                return copy
            raise NotCachedError(
                f"{package}@{version}: offline, and no verified copy of it is cached",
                where=str(self._cache.root),
                next="run once without --offline, or give a file",
            )
        try:
            return self._agreed(self._registry.published(package, version))
        except MissingError as problem:
            return self._instead(package, version, problem, f"404 from {problem.host}: upstream no longer serves it")
        except UnreachableError as problem:
            return self._instead(package, version, problem, f"the network was not reached ({problem.what})")

    def cached(self, package: str, version: str) -> Copy | None:
        """Return the copy that the cache holds, if its digest is right and is the pinned one."""
        record = self._cache.recall(package, version)
        pin = self._pins.of(f"{package}@{version}")
        if pin and pin.algorithm == STRONG and (record is None or record.integrity != str(pin)):
            record = Record(package, version, str(pin), str(pin), size=0, checked=0)
        if record is None:
            return None
        path = self._cache.verified(record.integrity, record)
        return Copy(record, path) if path else None

    def _instead(self, package: str, version: str, problem: AnchorError, why: str) -> Copy:
        copy = self.cached(package, version)
        if copy is None:
            raise problem
        return replace(copy, notices=(f"{copy.name}: {why}; using the cached copy, whose digest is right",))

    def _agreed(self, published: Published) -> Copy:
        """Return the copy that both the pin and the registry mean."""
        pin = self._pins.of(published.name)
        if pin and pin.contradicts(published.stated):
            raise AnchorError(
                f"{published.name}: the registry states another integrity than the pin; nothing was fetched",
                where=self._registry.host(published.package),
                expected=f"{pin} (written in {self._pins.place})",
                found=str(published.stated),
                next="a published version does not change: compare with another registry before you move the pin",
            )
        copy = self.cached(published.package, published.version)
        if copy and str(published.stated) in (copy.record.integrity, copy.record.stated):
            return copy
        source = self._pins.place if pin else "the registry's description of it"
        return Copy(*self._registry.fetch(published, pin or published.stated, self._cache, source))
