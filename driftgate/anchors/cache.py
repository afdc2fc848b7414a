"""The cache: verified tarballs, named by their own digest, and a small index of what they are.

    content/<first two digits>/<sha512 in hexadecimal>
    index/<package>@<version>/<the registry's address, hashed>.json

Files are written beside their place and moved into it, so there is never half of one, and several processes may use
the cache at once. What one registry calls a version says nothing of what another does, so each has its own index.

The cache keeps itself small: what was not used for `_UNUSED` goes, and beyond `_LARGEST` what was not used for longest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote, unquote

from driftgate.anchors.integrity import STRONG, Digests, Integrity
from driftgate.anchors.stream import blocks
from driftgate.anchors.unavailable import DamagedError
from driftgate.errors import AnchorError
from driftgate.formats.files import read_regular, write_atomically

_ABANDONED: Final = 24 * 3600.0
_UNUSED: Final = 30 * 24 * 3600.0
_IN_USE: Final = 3600.0
_LARGEST: Final = 2 << 30
_LARGEST_ENTRY: Final = 1 << 16
_HASHED_AGAIN: Final = 32 << 20
"""Bytes. Smaller tarballs are hashed whenever they are asked for, which takes less than their reading by far."""


@dataclass(frozen=True, slots=True)
class Source:
    """Which registry says what is recorded.

    `address` is None where only npm could say which it would use, and it is not asked (offline). `by_default`: no
    setting names it, npm's own choice is meant.
    """

    address: str | None
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """What the index says of one package version.

    `integrity` is the SHA-512 of the tarball, `stated` what the registry stated of it. `checked` is the time of last
    change (in ns) that the file had when its digest was last found right. `registry` is the address of the registry
    that stated it, `by_default` whether that was npm's own choice.
    """

    package: str
    version: str
    integrity: str
    stated: str
    size: int
    checked: int
    registry: str = ""
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Incoming:
    """A new file of the cache under `root`, not yet in its place."""

    root: Path
    file: BinaryIO
    path: Path

    def write(self, data: bytes) -> None:
        """Write the next bytes. Raises AnchorError, e.g. on a full disk."""
        with _writing(self.root):
            self.file.write(data)


class Cache:
    """Verified tarballs under `root`. Raises AnchorError where it cannot be written."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, integrity: str) -> Path:
        """Return where the tarball with this SHA-512 (SRI) has its place."""
        parsed = Integrity.parse(integrity)
        if parsed is None or parsed.algorithm != STRONG:
            raise AnchorError("not a SHA-512 integrity", found=repr(integrity))
        digest = min(parsed.digests).hex()
        return self.root / "content" / digest[:2] / digest

    def _index(self, package: str, version: str) -> Path:
        return self.root / "index" / quote(f"{package}@{version}", safe="@")

    def recall(self, package: str, version: str, source: Source) -> Record | None:
        """Return what the index holds of a package version from `source`; a damaged entry is as good as none."""
        name = "*.json" if source.address is None else _of_registry(source.address)
        for path in sorted(self._index(package, version).glob(name)):
            record = self._read(path)
            if record is None or (record.package, record.version) != (package, version):
                continue
            if record.registry == source.address if source.address is not None else record.by_default:
                return record
        return None

    def knows(self, package: str, version: str) -> bool:
        """Return whether the index holds a package version from any registry."""
        return any(self._index(package, version).glob("*.json"))

    def _read(self, path: Path) -> Record | None:
        try:
            stated = json.loads(read_regular(path, _LARGEST_ENTRY))
            record = Record(**stated)
            self.path(record.integrity)
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, AnchorError):
            return None
        kinds = {"size": int, "checked": int, "by_default": bool}
        right = all(isinstance(value, kinds.get(name, str)) for name, value in stated.items())
        return record if right else None

    def remember(self, record: Record) -> None:
        """Put `record` into the index."""
        with _writing(self.root):
            place = self._index(record.package, record.version) / _of_registry(record.registry)
            write_atomically(place, json.dumps(asdict(record), indent=1) + "\n", told=False)

    def verified(self, integrity: str, record: Record | None = None) -> Path | None:
        """Return the tarball with this digest, or None.

        The digest is computed here unless the file is large, and `record` says that it was right and the file has not
        changed since; each pass over the members computes it again anyway. Raises DamagedError where it is wrong: then
        the tarball was thrown away.
        """
        path = self.path(integrity)
        try:
            stat = path.stat()
        except OSError:
            return None
        digests = Digests([STRONG])
        if not _is_trusted(record, integrity, stat):
            try:
                with path.open("rb") as file:
                    for block in blocks(file):
                        digests.feed(block)
            except OSError as problem:
                raise AnchorError("cannot read the cache", where=str(path), found=problem.strerror or "") from problem
            if digests.sri() != integrity:
                self.discard(integrity)
                raise DamagedError(
                    "the cached copy is damaged and was thrown away",
                    where=str(path),
                    expected=integrity,
                    found=f"{digests.sri()} ({digests.size} bytes)",
                )
        if record and record.integrity == integrity and record.registry:
            self._used(replace(record, size=stat.st_size, checked=stat.st_mtime_ns), record)
        return path

    def _used(self, now: Record, before: Record) -> None:
        """Note that an entry was used; a cache that cannot be written is used all the same."""
        with contextlib.suppress(AnchorError, OSError):
            if now != before:
                self.remember(now)
            else:
                os.utime(self._index(now.package, now.version) / _of_registry(now.registry))

    def discard(self, integrity: str) -> None:
        """Throw the tarball with this digest away."""
        with contextlib.suppress(OSError):
            self.path(integrity).unlink()

    @contextlib.contextmanager
    def incoming(self) -> Iterator[Incoming]:
        """Open a new file; it is gone at the end unless it was kept, also on Ctrl-C and on a full disk."""
        with _writing(self.root):
            folder = self.root / "incoming"
            folder.mkdir(parents=True, exist_ok=True)
            _sweep(folder)
            handle, name = tempfile.mkstemp(dir=folder)
        incoming = Incoming(self.root, os.fdopen(handle, "wb"), Path(name))
        try:
            yield incoming
        finally:
            with contextlib.suppress(OSError):
                incoming.file.close()
            with contextlib.suppress(OSError):
                incoming.path.unlink(missing_ok=True)

    def keep(self, incoming: Incoming, record: Record) -> Path:
        """Move a verified new file to its place, and put it into the index."""
        with _writing(self.root):
            incoming.file.close()
            place = self.path(record.integrity)
            place.parent.mkdir(parents=True, exist_ok=True)
            incoming.path.replace(place)
            stat = place.stat()
        self.remember(replace(record, size=stat.st_size, checked=stat.st_mtime_ns))
        with contextlib.suppress(OSError):
            self.prune()
        return place

    def prune(self) -> tuple[str, ...]:
        """Remove what was not used for long, and beyond the largest size what was not used for longest.

        Nothing that was used within the hour goes: another process may be reading it. Returns the packages and versions
        (or the digests) of what was removed. Raises OSError.
        """
        now = time.time()
        entries = self._entries()
        total = sum(entry.size for entry in entries)
        gone = []
        for entry in sorted(entries, key=lambda entry: entry.used):
            age = now - entry.used
            if age < _IN_USE or (age < _UNUSED and total <= _LARGEST):
                break
            for path in (*entry.index, entry.path):
                path.unlink(missing_ok=True)
            total -= entry.size
            gone.append(entry.name)
        return tuple(gone)

    def _entries(self) -> list[_Entry]:
        named: dict[Path, list[Path]] = {}
        for path in (self.root / "index").glob("*/*.json"):
            if record := self._read(path):
                named.setdefault(self.path(record.integrity), []).append(path)
        found = []
        for path in (self.root / "content").glob("*/*"):
            index = named.get(path, [])
            stats = [each.stat() for each in (path, *index)]
            used = max(stat.st_mtime for stat in stats)
            name = unquote(index[0].parent.name) if index else path.name[:12]
            found.append(_Entry(name, path, tuple(index), stats[0].st_size, used))
        return found


@dataclass(frozen=True, slots=True)
class _Entry:
    """A tarball of the cache, the files of the index that mean it, and when it was last used (seconds)."""

    name: str
    path: Path
    index: tuple[Path, ...]
    size: int
    used: float


def _of_registry(address: str) -> str:
    return f"{hashlib.sha256(address.encode()).hexdigest()[:16]}.json"


def _is_trusted(record: Record | None, integrity: str, stat: os.stat_result) -> bool:
    return (
        record is not None
        and stat.st_size >= _HASHED_AGAIN
        and record.integrity == integrity
        and (record.size, record.checked) == (stat.st_size, stat.st_mtime_ns)
    )


@contextlib.contextmanager
def _writing(root: Path) -> Iterator[None]:
    """Turn failures to write into an error that says what to do."""
    try:
        yield
    except OSError as problem:
        raise AnchorError(
            f"cannot write to the cache: {problem.strerror or problem}",
            where=str(root),
            next="free some space there, or name a writable folder in DRIFTGATE_CACHE",
        ) from problem


def _sweep(folder: Path) -> None:
    """Remove what killed processes left behind."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
