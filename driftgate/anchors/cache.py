"""The cache: verified tarballs, named by their own digest, and a small index of what they are.

    content/<first two digits>/<sha512 in hexadecimal>
    index/<package>@<version>.json

Files are written beside their place and moved into it, so there is never half of one, and several processes may use
the cache at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote

from driftgate.anchors.integrity import STRONG, Digests, Integrity
from driftgate.anchors.stream import blocks
from driftgate.errors import AnchorError
from driftgate.formats.files import write_atomically

_ABANDONED: Final = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Record:
    """What the index says of one package version.

    `integrity` is the SHA-512 of the tarball, `stated` what the registry stated of it. `checked` is the time of last
    change (in ns) that the file had when its digest was last found right.
    """

    package: str
    version: str
    integrity: str
    stated: str
    size: int
    checked: int


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
        return self.root / "index" / f"{quote(f'{package}@{version}', safe='@')}.json"

    def recall(self, package: str, version: str) -> Record | None:
        """Return what the index knows of a package version; a damaged index entry is as good as none."""
        try:
            record = Record(**json.loads(self._index(package, version).read_bytes()))
            self.path(record.integrity)
        except (OSError, ValueError, TypeError, AnchorError):
            return None
        return record if (record.package, record.version) == (package, version) else None

    def remember(self, record: Record) -> None:
        """Put `record` into the index."""
        with _writing(self.root):
            write_atomically(self._index(record.package, record.version), json.dumps(asdict(record), indent=1) + "\n")

    def verified(self, integrity: str, record: Record | None = None) -> Path | None:
        """Return the tarball with this digest, or None. A damaged one is thrown away.

        The digest is computed here unless `record` says that it was right and the file has not changed since; each
        pass over the members computes it again anyway.
        """
        path = self.path(integrity)
        try:
            stat = path.stat()
        except OSError:
            return None
        if (
            record
            and record.integrity == integrity
            and (record.size, record.checked) == (stat.st_size, stat.st_mtime_ns)
        ):
            return path
        digests = Digests([STRONG])
        try:
            with path.open("rb") as file:
                for block in blocks(file):
                    digests.feed(block)
        except OSError as problem:
            raise AnchorError("cannot read the cache", where=str(path), found=problem.strerror or "") from problem
        if digests.sri() != integrity:
            self.discard(integrity)
            return None
        if record and record.integrity == integrity:
            with contextlib.suppress(AnchorError):
                self.remember(replace(record, size=stat.st_size, checked=stat.st_mtime_ns))
        return path

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
        return place


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
