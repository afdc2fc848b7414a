"""A program and the packages that carry its releases, as values; the rows stand in `driftgate.upstreams.catalogue`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from driftgate.versions import version_key


@dataclass(frozen=True, slots=True)
class Numbering:
    """Releases `release`N up to `until` (None: no end) are versions `version`N of a package."""

    release: str
    version: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Package:
    """One npm package of a program.

    `members` are the files that may state something of interest, as patterns below the package's own folder; `but` are
    files among them that are known to be something else. `numbering` says how the package counts, the first that fits;
    empty: it has the numbers of the program's releases.
    """

    name: str
    members: tuple[str, ...]
    but: tuple[str, ...] = ()
    numbering: tuple[Numbering, ...] = ()

    def version_of(self, release: str) -> str | None:
        """Return the version that should belong to a release, None where the numbers do not tell."""
        if not self.numbering:
            return release
        for line in self.numbering:
            if release.startswith(line.release) and (
                line.until is None or version_key(release) <= version_key(line.until)
            ):
                return line.version + release.removeprefix(line.release)
        return None

    def release_of(self, version: str) -> str | None:
        """Return the release that a version should belong to, None where the numbers do not tell."""
        if not self.numbering:
            return version
        fits = (line for line in self.numbering if version.startswith(line.version))
        return next((line.release + version.removeprefix(line.version) for line in fits), None)

    def wants(self, name: str) -> bool:
        """Return whether `name`, a path below the package's own folder, is one of the members of interest."""
        matching = (any(fnmatchcase(name, each) for each in patterns) for patterns in (self.members, self.but))
        return next(matching) and not next(matching)


@dataclass(frozen=True, slots=True)
class Era:
    """The releases up to `until` (None: no end): the package that is the anchor, and the second one for --deep."""

    until: str | None
    anchor: Package
    second: Package | None


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose settings are mirrored elsewhere.

    `main` is the package that people install, and whose tag "latest" names the newest release. It holds the program
    up to `last_script`; from then on it is a stub beside one package per platform, `native`, whose name ends in a
    member of `platforms` (the preferred one first). `states_release` is the package.json key in which a package says
    which release it belongs to. A program without `eras` is in its main package, whose versions are its releases.
    """

    title: str
    main: Package
    last_script: str | None = None
    native: Package | None = None
    platforms: tuple[str, ...] = ()
    others: tuple[Package, ...] = ()
    eras: tuple[Era, ...] = ()
    states_release: str | None = None

    def era(self, release: str) -> Era:
        """Return the era that a release belongs to."""
        key = version_key(release)
        fits = (era for era in self.eras if era.until is None or key <= version_key(era.until))
        return next(fits, Era(None, self.main, None))

    def natives(self) -> Iterator[tuple[str, Package]]:
        """Yield each platform and its package, the preferred one first."""
        if self.native:
            for platform in self.platforms:
                yield platform, Package(f"{self.native.name}-{platform}", self.native.members)

    def packages(self) -> Iterator[Package]:
        """Yield every package of the program."""
        yield from (self.main, *self.others, *(package for _, package in self.natives()))

    def is_stub(self, package: str, version: str) -> bool:
        """Return whether a package version is the stub that only names the platform packages."""
        if self.last_script is None:
            return False
        return package == self.main.name and version_key(version) > version_key(self.last_script)
