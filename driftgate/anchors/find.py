"""Which artefacts to read for a target, in which order, and what to say where they are not to be had."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from driftgate.anchors.absent import Absence
from driftgate.anchors.copies import Copies, Copy, Pins
from driftgate.anchors.identity import Identity, identity_of, refuse_stub
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.registry import Registry
from driftgate.anchors.tarball import MANIFEST, Stated, Tarball
from driftgate.anchors.unavailable import MissingError, NotCachedError, UnreachableError
from driftgate.artefact import Artefact
from driftgate.errors import AnchorError
from driftgate.formats.data import data_object
from driftgate.surface import Origin
from driftgate.upstreams.catalogue import CLAUDE_CODE, program_of
from driftgate.upstreams.program import Package, Program
from driftgate.versions import is_version

_BINARIES: Final = "manifest.json"


def find_release(
    release: str | None,
    options: FetchOptions,
    *,
    program: Program = CLAUDE_CODE,
    deep: bool = False,
    pinned: Mapping[str, str] | None = None,
    pinned_in: str = "the snapshot",
) -> tuple[Artefact, ...]:
    """Return the artefacts of a release of `program` (None: the newest), the anchor first; with `deep`, the second one.

    `pinned` maps "package@version" to the integrity that a snapshot recorded, `pinned_in` names that snapshot for
    messages. Tarballs are in the cache and verified when this returns. Raises AnchorError where an artefact is not to
    be had or not to be trusted, ConfigError where npm's configuration names no registry.
    """
    search = _Search(options, Pins(pinned or {}, pinned_in))
    return search.release(program, release or search.newest(program), deep=deep)


def find_package(
    package: str,
    version: str,
    options: FetchOptions,
    *,
    pinned: Mapping[str, str] | None = None,
    pinned_in: str = "the snapshot",
) -> Artefact:
    """Return one version of an npm package ("latest" is the one that this tag names). Raises as `find_release` does."""
    return _Search(options, Pins(pinned or {}, pinned_in)).package(package, version)


class _Search:
    def __init__(self, options: FetchOptions, pins: Pins) -> None:
        self._options = options
        self._pins = pins
        self._registry = Registry(options)
        self._copies = Copies(options, pins, self._registry)

    def newest(self, program: Program) -> str:
        return newest_release(program, self._registry, self._options)

    def package(self, package: str, version: str) -> Artefact:
        if version == "latest":
            version = newest(package, self._registry, self._options)
        refuse_stub(Identity(package, version))
        try:
            copy = self._copies.get(package, version)
        except MissingError as problem:
            raise Absence(package, version, version, problem.host).error(self._registry) from problem
        known = program_of(package)
        return self._artefact(copy, self._says(copy), known[1].wants if known else lambda _: True)

    def release(self, program: Program, release: str, *, deep: bool) -> tuple[Artefact, ...]:
        era = program.era(release)
        if deep and era.second is None:
            raise AnchorError(
                f"{program.title} {release} has no second artefact that --deep could read",
                found=f"{era.anchor.name} alone",
                next="run without --deep",
            )
        rows = (era.anchor, era.second) if deep and era.second else (era.anchor,)
        found: dict[Package, Artefact] = {}
        binaries: Mapping[str, Stated] = {}
        # The program comes last, because the other package states its digest.
        for row in sorted(rows, key=lambda row: row is program.native):
            if row is program.native:
                found[row] = self._native(program, release, binaries)
                continue
            copy = self._of_release(program, row, release)
            found[row] = self._artefact(copy, release, row.wants)
            binaries = self._binaries(copy) if deep else {}
        return tuple(found[row] for row in rows)

    def _artefact(
        self, copy: Copy, release: str | None, wanted: Callable[[str], bool], stated: Stated | None = None
    ) -> Artefact:
        record = copy.record
        origin = Origin(record.package, record.version, record.integrity, f"npm:{copy.name}")
        return Artefact(origin, release, self._tarball(copy, wanted, stated).members, copy.notices)

    def _tarball(
        self, copy: Copy, wanted: Callable[[str], bool] = lambda _: True, stated: Stated | None = None
    ) -> Tarball:
        def damaged() -> str:
            self._copies.discard(copy.record.integrity)
            return "the cached copy is damaged and was thrown away; run again to fetch it"

        return Tarball(copy.name, copy.path, copy.record.integrity, damaged, wanted, stated)

    def _says(self, copy: Copy) -> str | None:
        """Return the release that a copy belongs to.

        A package with numbers of its own says it in the package.json inside, whose bytes are verified; the registry's
        rendering of that file is not.
        """
        known = program_of(copy.record.package)
        if known is None:
            return None
        if not known[1].numbering:
            return copy.record.version
        return identity_of(self._json(copy, MANIFEST)).release

    def _binaries(self, copy: Copy) -> dict[str, Stated]:
        """Return what a package's manifest.json says of the programs: platform -> file name, SHA-256, size."""
        found = {}
        platforms = self._json(copy, _BINARIES).get("platforms")
        for platform, said in platforms.items() if isinstance(platforms, dict) else ():
            match said:
                case {"binary": str(binary), "checksum": str(checksum), "size": int(size)}:
                    found[platform] = Stated(binary, checksum, size, f"{copy.name}, {_BINARIES}")
        return found

    def _json(self, copy: Copy, name: str) -> Mapping[str, Any]:
        return data_object(self._tarball(copy).texts(frozenset([name])).get(name, b""))

    def _of_release(self, program: Program, row: Package, release: str) -> Copy:
        """Return the copy of `row` that belongs to a release, by its number and by what it says itself."""
        host = ""
        for version in self._candidates(program, row, release):
            try:
                copy = self._copies.get(row.name, version)
            except MissingError as problem:
                host = problem.host
                continue
            said = self._says(copy)
            if said == release:
                return copy
            raise AnchorError(f"{copy.name} says that it belongs to {program.title} {said}, not {release}")
        version = row.version_of(release) or f"({release})"
        raise Absence(row.name, version, release, host or self._registry.host(row.name)).error(self._registry)

    def _candidates(self, program: Program, row: Package, release: str) -> Iterator[str]:
        if version := row.version_of(release):
            yield version
        if row.numbering and (version := self._that_says(program, row, release)):
            yield version

    def _that_says(self, program: Program, row: Package, release: str) -> str | None:
        """Return the version of `row` whose package.json says that it belongs to a release, whatever its number."""
        if self._options.offline:
            raise NotCachedError(
                f"offline: which version of {row.name} belongs to {program.title} {release} cannot be known",
                next="name the package version (npm:...), or run without --offline",
            )
        try:
            versions = self._registry.packument(row.name)["versions"]
        except MissingError:
            return None
        for version, manifest in versions.items():
            if isinstance(manifest, dict) and manifest.get(program.states_release) == release:
                return str(version)
        return None

    def _native(self, program: Program, release: str, binaries: Mapping[str, Stated]) -> Artefact:
        """Return the program of the first platform whose package is to be had."""
        problems: list[AnchorError] = []
        for platform, row in self._platforms(program, release):
            try:
                # Once the network is known to be away, the cache alone is asked.
                away = any(isinstance(problem, UnreachableError) for problem in problems)
                copy = self._copies.cached(row.name, release) if away else self._copies.get(row.name, release)
            except (MissingError, NotCachedError, UnreachableError) as problem:
                problems.append(problem)
                continue
            if copy:
                missing = [problem.what for problem in problems]
                notices = (f"{'; '.join(missing)}; read {copy.name} instead",) if missing else ()
                copy = replace(copy, notices=(*copy.notices, *notices))
                return self._artefact(copy, release, row.wants, binaries.get(platform))
        for each in problems:
            if not isinstance(each, MissingError):
                raise each
        preferred = next(program.natives())[1].name
        raise Absence(preferred, release, release, self._registry.host(preferred)).error(self._registry)

    def _platforms(self, program: Program, release: str) -> Iterator[tuple[str, Package]]:
        """Yield the platforms and their packages, those that are pinned first."""
        return iter(
            sorted(program.natives(), key=lambda pair: f"{pair[1].name}@{release}" not in self._pins.integrities)
        )


def newest_release(program: Program, registry: Registry, options: FetchOptions) -> str:
    """Return the release that a program's tag "latest" names. Raises AnchorError, also for a pre-release."""
    version = newest(program.main.name, registry, options)
    if not is_version(version):
        raise AnchorError(
            f"the newest release of {program.title} is {version}", expected="a plain version, such as 2.1.296"
        )
    return version


def newest(package: str, registry: Registry, options: FetchOptions) -> str:
    """Return the version that a package's tag "latest" names. Raises AnchorError, also where `options` are offline."""
    if options.offline:
        raise AnchorError(
            f"offline: which release of {package} is the newest cannot be known",
            next="name a version, or run without --offline",
        )
    return registry.published(package, "latest").version
