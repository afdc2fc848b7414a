"""Verified copies of package versions: out of the cache or from the registry, and never without a digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from driftgate.anchors.address import host_of
from driftgate.anchors.cache import Cache, Record
from driftgate.anchors.integrity import STRONG, Integrity
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.registry import Published, Registry
from driftgate.anchors.unavailable import DamagedError, MissingError, NotCachedError, UnreachableError
from driftgate.errors import AnchorError


@dataclass(frozen=True, slots=True)
class Pins:
    """The integrities that a snapshot recorded, by "package@version", and the place where they are written."""

    integrities: Mapping[str, str] = field(default_factory=dict)
    place: str = "the pin"

    def of(self, name: str) -> Integrity | None:
        """Return the pinned integrity of a package version. Raises AnchorError where what is pinned proves nothing."""
        text = self.integrities.get(name)
        if text is None:
            return None
        parsed = Integrity.parse(text)
        if parsed and parsed.algorithm == STRONG:
            return parsed
        raise AnchorError(
            f"the pinned integrity of {name} is {'too weak' if parsed else 'not one'}",
            where=self.place,
            expected=f"{STRONG}-..., as `driftgate refresh` writes it",
            found=repr(text[:200]),
        )


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
        self._thrown: dict[str, DamagedError] = {}
        self.discard = self._cache.discard

    def get(self, package: str, version: str) -> Copy:
        """Return a verified copy of one package version.

        Raises MissingError (404), UnreachableError, RefusedError, NotCachedError (offline), or AnchorError where a
        digest is wrong. A copy in the cache stands in for a version that is withdrawn, or a network that is not
        there, with a notice.
        """
        self._options.in_time(f"looking for {package}@{version}")
        copy = self._get(package, version)
        thrown = self._thrown.get(copy.name)
        if thrown is None:
            return copy
        return replace(copy, notices=(f"{copy.name}: {thrown.what}; fetched again", *copy.notices))

    def _get(self, package: str, version: str) -> Copy:
        if self._options.offline:
            if copy := self.cached(package, version):
                return copy
            thrown = self._thrown.get(f"{package}@{version}")
            raise NotCachedError(
                f"{package}@{version}: offline, and no verified copy of it is cached"
                + (f": {thrown.what}" if thrown else ""),
                where=str(self._cache.root),
                found=self._of_others(package, version),
                next="run once without --offline, or give a file",
            )
        try:
            return self._agreed(self._registry.published(package, version))
        except MissingError as problem:
            return self._instead(package, version, problem, f"404 from {problem.host}: upstream no longer serves it")
        except UnreachableError as problem:
            return self._instead(package, version, problem, f"the network was not reached ({problem.what})")

    def _of_others(self, package: str, version: str) -> str:
        source = self._registry.source(package)
        of = host_of(source.address) if source.address else "the registry that npm chooses"
        return f"a copy from {of} would do" if self._cache.knows(package, version) else ""

    def cached(self, package: str, version: str) -> Copy | None:
        """Return the copy that the cache holds, if its digest is right.

        It must be the pinned one or, without a pin, what the configured registry said of that version when it was
        fetched: another registry's word is none.
        """
        name = f"{package}@{version}"
        record = self._cache.recall(package, version, self._registry.source(package))
        pin = self._pins.of(name)
        if pin and (record is None or record.integrity != str(pin)):
            record = Record(package, version, str(pin), str(pin), size=0, checked=0)
        return None if record is None else self._kept(record)

    def _kept(self, record: Record) -> Copy | None:
        try:
            path = self._cache.verified(record.integrity, record)
        except DamagedError as problem:
            self._thrown[f"{record.package}@{record.version}"] = problem
            return None
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
        if published.stated.algorithm == STRONG and (copy := self._with(published)):
            return copy
        source = self._pins.place if pin else "the registry's description of it"
        return Copy(*self._registry.fetch(published, pin or published.stated, self._cache, source))

    def _with(self, published: Published) -> Copy | None:
        """Return a copy with the very digest that the registry states, whoever it was fetched from."""
        origin = self._registry.source(published.package)
        record = Record(
            package=published.package,
            version=published.version,
            integrity=str(published.stated),
            stated=str(published.stated),
            size=0,
            checked=0,
            registry=origin.address or "",
            by_default=origin.by_default,
        )
        return self._kept(record) if len(published.stated.digests) == 1 else None
