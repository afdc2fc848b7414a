"""The package registry: which versions there are, and their tarballs, each checked before it is kept.

The protocol is described at https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from driftgate.anchors.address import host_of, is_web, shown
from driftgate.anchors.cache import Cache, Record, Source
from driftgate.anchors.integrity import STRONG, Digests, Integrity, of_shasum
from driftgate.anchors.npmrc import NpmConfig
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.progress import Progress
from driftgate.anchors.unavailable import MissingError
from driftgate.errors import AnchorError, ConfigError

if TYPE_CHECKING:
    from driftgate.anchors.http import Client


_LARGEST_TARBALL: Final = 1 << 30
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\Z")


@dataclass(frozen=True, slots=True)
class Published:
    """What the registry states of one package version.

    `stated` is the integrity that it states for the tarball at `tarball`; `manifest` is the package.json, as the
    registry shows it.
    """

    package: str
    version: str
    stated: Integrity
    tarball: str
    manifest: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The package and the version, as npm writes them."""
        return f"{self.package}@{self.version}"


class Registry:
    """The registries that npm's configuration names."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._config = NpmConfig(options)

    @cached_property
    def _client(self) -> Client:
        # Imported here: an offline run has no use for an HTTP library.
        from driftgate.anchors.http import Client

        return Client(self._options, self._config)

    def host(self, package: str) -> str:
        """Return the host that serves `package`."""
        return host_of(self._config.registry(package))

    def source(self, package: str) -> Source:
        """Return which registry speaks of `package`; offline, npm is not asked which it would use."""
        try:
            stated = self._config.stated_registry(package)
        except ConfigError:
            if not self._options.offline:
                raise
            stated = ""  # no registry: what is pinned may be in the cache all the same
        if stated is not None:
            return Source(stated)
        return Source(None if self._options.offline else self._config.registry(package), by_default=True)

    def _address(self, package: str) -> str:
        return self._config.registry(package) + package.replace("/", "%2f")

    def packument(self, package: str) -> Mapping[str, Any]:
        """Return all that the registry says of a package: `versions` (version -> manifest), `dist-tags`, maybe `time`.

        Raises MissingError and the other errors of `http.Client.json`.
        """
        answer = self._client.json(self._address(package))
        if not isinstance(answer, dict) or not isinstance(answer.get("versions"), dict):
            raise AnchorError("the registry's answer does not describe a package", where=shown(self._address(package)))
        return answer

    def published(self, package: str, version: str) -> Published:
        """Return one version of a package; `version` may be a tag, such as "latest".

        Raises MissingError where it is not published, AnchorError where what is said of it makes no sense.
        """
        try:
            answer = self._answer(package, version)
        except MissingError as problem:
            raise MissingError(
                f"{package}@{version}: 404 from {problem.host}; withdrawn or never published", host=problem.host
            ) from problem
        return _published(answer, package, version, shown(self._address(package)))

    def _answer(self, package: str, version: str) -> Any:
        try:
            answer = self._client.json(f"{self._address(package)}/{quote(version, safe='')}")
        except MissingError:
            # Not every registry answers for single versions. The whole document settles it.
            answer = self.packument(package)
        if not isinstance(answer, dict) or not isinstance(answer.get("versions"), dict):
            return answer
        tags = answer.get("dist-tags")
        exact = tags.get(version, version) if isinstance(tags, dict) else version
        if not isinstance(exact, str) or exact not in answer["versions"]:
            raise MissingError("the registry does not list it", host=self.host(package))
        return answer["versions"][exact]

    def fetch(self, published: Published, expected: Integrity, cache: Cache, source: str) -> tuple[Record, Path]:
        """Download a tarball into the cache, and return what it is and where it lies.

        Nothing is kept unless the bytes have the `expected` integrity and the one that the registry states; `source`
        says where the expected one is written. Raises AnchorError, or what `http.Client.download` raises.
        """
        wanted = (expected, published.stated)
        origin = self.source(published.package)

        def receive(body: Iterator[bytes], length: int | None) -> tuple[Record, Path]:
            digests = Digests({STRONG, *(each.algorithm for each in wanted)})
            progress = Progress(self._options, published.name, length)
            try:
                with cache.incoming() as incoming:
                    for chunk in body:
                        incoming.write(chunk)
                        digests.feed(chunk)
                        progress.add(len(chunk))
                        if digests.size > _LARGEST_TARBALL:
                            raise AnchorError(
                                f"{published.name}: the tarball is larger than {_LARGEST_TARBALL >> 30} GiB",
                                where=shown(published.tarball),
                            )
                    for each in wanted:
                        _check(published, each, digests, source)
                    record = Record(
                        package=published.package,
                        version=published.version,
                        integrity=digests.sri(),
                        stated=str(published.stated),
                        size=digests.size,
                        checked=0,
                        registry=origin.address or "",
                        by_default=origin.by_default,
                    )
                    return record, cache.keep(incoming, record)
            finally:
                progress.close()

        try:
            return self._client.download(published.tarball, receive)
        except MissingError as problem:
            raise MissingError(
                f"{published.name}: {problem.what} for its tarball; withdrawn or never published", host=problem.host
            ) from problem


def _check(published: Published, expected: Integrity, digests: Digests, source: str) -> None:
    if not expected.allows(digests[expected.algorithm]):
        raise AnchorError(
            f"{published.name}: the download does not have the integrity that it must have; it was discarded",
            where=shown(published.tarball),
            expected=f"{expected} (written in {source})",
            found=f"{digests.sri(expected.algorithm)} ({digests.size} bytes)",
            next="try again; if it stays so, the mirror serves damaged bytes or the release was replaced: compare "
            "with another registry before you move the pin",
        )


def _published(answer: Any, package: str, version: str, where: str) -> Published:
    match answer:
        case {"name": str(name), "version": str(found), "dist": {"tarball": str(tarball), **dist}}:
            stated = Integrity.parse(str(dist.get("integrity", ""))) or of_shasum(str(dist.get("shasum", "")))
            right = name == package and (found == version or (version == "latest" and _VERSION.match(found)))
            if right and stated and is_web(tarball):
                return Published(package, found, stated, tarball, answer)
    raise AnchorError(
        f"the registry's answer does not describe {package}@{version}",
        where=where,
        expected="its name, its version, and dist with a tarball and an integrity",
    )
