"""Files that lie unpacked on this machine: one by itself, or those of a package folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from driftgate.anchors.identity import Identity
from driftgate.anchors.integrity import STRONG, Digests
from driftgate.anchors.stream import blocks
from driftgate.artefact import Member
from driftgate.errors import AnchorError
from driftgate.upstreams.catalogue import program_of

TEXT: Final = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
SMALL: Final = 1 << 20
"""Below this a program is too small to be the real one, unless it can be seen that it is."""


def members(folder: Path, names: tuple[str, ...]) -> Iterator[Member]:
    """Make one pass over files below a folder. Raises AnchorError, also for a file that changes meanwhile."""
    for name in names:
        path = folder / name
        yield Member(name, path.stat().st_size, _chunks(path))


def digest(path: Path) -> str:
    """Return the integrity of a file."""
    digests = Digests([STRONG])
    for block in _chunks(path):
        digests.feed(block)
    return digests.sri()


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as opened:
            before = os.fstat(opened.fileno())
            yield from blocks(opened)
            after = path.stat()
    except OSError as problem:
        raise AnchorError("cannot read a file", where=str(path), found=problem.strerror or "") from problem
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise AnchorError("a file changed while it was read", where=str(path), next="run again")


def names_in(folder: Path, identity: Identity) -> Iterator[str]:
    """Yield the files of interest in a package folder; of a known package those that the catalogue names."""
    known = program_of(identity.package) if identity.package else None
    for name in _files(folder):
        is_large = _is_large(folder / name)
        if known is None:
            if name.endswith(TEXT) or is_large:
                yield name
        # npm puts the program of the platform's package into bin/ of the main one.
        elif known[1].wants(name) or (name.startswith("bin/claude") and is_large):
            yield name


def _is_large(path: Path) -> bool:
    return path.stat().st_size >= SMALL


def _files(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, in order, but nothing of other packages and nothing hidden."""
    for root, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if name != "node_modules" and not name.startswith("."))
        for name in sorted(files):
            path = Path(root, name)
            if path.is_file():
                yield path.relative_to(folder).as_posix()


def _raise(problem: OSError) -> None:
    raise problem
