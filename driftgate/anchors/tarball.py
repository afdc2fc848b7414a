"""Passes over a tarball that lies on disk: hashed, decompressed and taken apart as it is read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from driftgate.anchors.integrity import STRONG, Digests
from driftgate.anchors.places import Places
from driftgate.anchors.stream import GZIP_MAGIC, ArchiveError, ahead, blocks, inflate
from driftgate.anchors.tar import Entry, entries
from driftgate.anchors.unavailable import DamagedError
from driftgate.artefact import Member
from driftgate.errors import AnchorError

MANIFEST: Final = "package.json"
_LARGEST_TEXT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Stated:
    """What another artefact states of one member: its SHA-256 in hexadecimal and its size. `by` names that artefact."""

    member: str
    sha256: str
    size: int
    by: str


@dataclass(frozen=True, slots=True)
class Tarball:
    """A tarball on disk, and what must be true of it.

    `name` is for messages. `integrity` (SHA-512, SRI) is what each pass checks; where it is wrong, `damaged` is called
    and returns what to do next. `wanted` chooses members by their path below the archive's top folder.
    """

    name: str
    path: Path
    integrity: str
    damaged: Callable[[], str] = lambda: ""
    wanted: Callable[[str], bool] = lambda _: True
    stated: Stated | None = None

    def members(self) -> Iterator[Member]:
        """Make one pass over the wanted members.

        Raises AnchorError: unreadable, damaged, not an archive; at the end of the pass, bytes that are not those that
        were pinned, or a member that is not what `stated` says.
        """
        digests = Digests([STRONG])
        with (
            _explained(self.name, self.path),
            _packed(self.path, digests) as packed,
            closing(ahead(_unpacked(packed))) as pieces,
        ):

            def failed(problem: ArchiveError | OSError) -> AnchorError:
                # If the bytes are not the right ones, then that is the fault to name.
                pieces.close()
                _exhaust(packed)
                self._check(digests)
                return _unreadable(self.name, self.path, problem)

            try:
                yield from self._members(entries(pieces), failed)
            except ArchiveError as problem:
                raise failed(problem) from problem
            pieces.close()
            _exhaust(packed)
            self._check(digests)

    def texts(self, names: frozenset[str]) -> dict[str, bytes]:
        """Return the content of those of the small files `names` that it has (see `survey`). Raises as `members`."""
        try:
            integrity, found = survey(self.name, self.path, names)
        except AnchorError:
            self._check(_hashed(self.path))
            raise
        if integrity != self.integrity:
            self._check(_hashed(self.path))
        return found

    def _members(
        self, found: Iterator[Entry], failed: Callable[[ArchiveError | OSError], AnchorError]
    ) -> Iterator[Member]:
        missing = self.stated is not None
        places = Places()
        for entry in found:
            below = entry.below
            wanted = self.wanted(below)
            places.take(entry, matters=wanted or _identifies(below))
            if entry.is_folder:
                continue
            if self.stated and below == self.stated.member:
                missing = False
                with closing(self._compared(self.stated, entry)) as chunks:
                    yield Member(entry.name, entry.size, _told(chunks, failed))
                    _exhaust(chunks)
            elif wanted:
                yield Member(entry.name, entry.size, _told(entry.chunks, failed))
        if missing and self.stated:
            raise ArchiveError(f"it has no {self.stated.member}, which {self.stated.by} states")

    def _compared(self, stated: Stated, entry: Entry) -> Generator[bytes]:
        digests = Digests(["sha256"])
        yield from ahead(_fed(entry.chunks, digests))
        if (digests["sha256"].hex(), digests.size) != (stated.sha256, stated.size):
            raise AnchorError(
                f"{self.name}: {stated.member} is not the program that {stated.by} states",
                where=f"{self.path}, {entry.name}",
                expected=f"sha256 {stated.sha256} ({stated.size} bytes)",
                found=f"sha256 {digests['sha256'].hex()} ({digests.size} bytes)",
            )

    def _check(self, digests: Digests) -> None:
        if digests.sri() != self.integrity:
            raise DamagedError(
                f"{self.name}: the file does not have the integrity that it had when it was checked",
                where=str(self.path),
                expected=self.integrity,
                found=f"{digests.sri()} ({digests.size} bytes)",
                next=self.damaged(),
            )


def survey(name: str, path: Path, names: frozenset[str]) -> tuple[str, dict[str, bytes]]:
    """Return the integrity of a tarball, and the content of those of the small files `names` that it has.

    Names are paths below the archive's top folder. Stops unpacking once it has them all, so a pass over the members
    must follow before anything is believed. Raises AnchorError for what is no tarball.
    """
    digests = Digests([STRONG])
    found: dict[str, bytes] = {}
    with _explained(name, path), _packed(path, digests) as packed:
        with closing(ahead(_unpacked(packed))) as pieces:
            for entry in entries(pieces):
                if entry.below in names and not entry.is_folder and entry.size <= _LARGEST_TEXT:
                    found[entry.below] = b"".join(entry.chunks)
                    if names <= found.keys():
                        break
        _exhaust(packed)
    return digests.sri(), found


def _hashed(path: Path) -> Digests:
    digests = Digests([STRONG])
    with path.open("rb") as file:
        _exhaust(_fed(blocks(file), digests))
    return digests


def _identifies(below: str) -> bool:
    """Return whether a file is one of those in the top folder that say what the package is."""
    return below.endswith(".json") and "/" not in below


def _told(chunks: Iterator[bytes], failed: Callable[[ArchiveError | OSError], AnchorError]) -> Iterator[bytes]:
    """Yield the content of a member; where the archive breaks off in it, say so as the pass itself does."""
    try:
        yield from chunks
    except (ArchiveError, OSError) as problem:
        raise failed(problem) from problem


def _unreadable(name: str, path: Path, problem: ArchiveError | OSError) -> AnchorError:
    if isinstance(problem, OSError):
        return AnchorError(f"cannot read {name}", where=str(path), found=problem.strerror or str(problem))
    return AnchorError(
        f"{name} cannot be read: {problem}",
        where=f"{path} ({path.stat().st_size} bytes)",
        expected="an npm package, as npm pack makes it",
    )


@contextmanager
def _explained(name: str, path: Path) -> Iterator[None]:
    try:
        yield
    except (ArchiveError, OSError) as problem:
        raise _unreadable(name, path, problem) from problem


@contextmanager
def _packed(path: Path, digests: Digests) -> Iterator[Iterator[bytes]]:
    """Open the stage that reads and hashes. A stage is closed before the one that feeds it: no thread stays behind."""
    with path.open("rb") as file, closing(ahead(_fed(blocks(file), digests))) as packed:
        yield packed


def _exhaust(items: Iterable[bytes]) -> None:
    for _ in items:
        pass


def _fed(items: Iterable[bytes], digests: Digests) -> Iterator[bytes]:
    for item in items:
        digests.feed(item)
        yield item


def _unpacked(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Decompress where there is anything to decompress; a plain tar archive is taken as it is."""
    first = next(packed, b"")
    if not first:
        raise ArchiveError("it is empty")
    whole = chain([first], packed)
    return inflate(whole) if first.startswith(GZIP_MAGIC) else whole
