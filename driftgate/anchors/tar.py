"""Tar archives as a stream: ustar, with pax and GNU long names, read as npm installs them or refused.

`tarfile` reads them too, but copies every byte several times on the way; members here are hundreds of megabytes. And
it follows other rules than npm: what is said of an artefact must be said of the bytes that people get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.anchors.stream import ArchiveError
from driftgate.anchors.tar_header import LONGEST_NAME, NOTES, UNIT, Header, Kind, Noted, parse_header, read_note

_LONGEST_NOTE: Final = 1 << 20
_MOST_BYTES: Final = 4 << 30
_MOST_MEMBERS: Final = 100_000
_DEEPEST: Final = 1000
_OUTSIDE: Final = re.compile(r"^/|(^|/)[A-Za-z]:|\\|(^|/)\.\.(/|$)|[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or folder.

    `below` is the path below the top folder, which npm calls package/ and others as they like: that is where npm puts
    it. `name` is the path with the top folder. `chunks` yields its content, and what is left of it is skipped when the
    next entry is asked for.
    """

    name: str
    below: str
    size: int
    chunks: Iterator[bytes]
    is_folder: bool = False


class _Reader:
    """Bytes out of pieces of any size; whole pieces are handed on without copying."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._piece = b""
        self._at = 0
        self._left = _MOST_BYTES

    def some(self, most: int) -> bytes:
        """Return 1 to `most` bytes; none at the end."""
        if self._at == len(self._piece):
            self._piece, self._at = next(self._pieces, b""), 0
            self._left -= len(self._piece)
            if self._left < 0:
                raise ArchiveError(f"it unpacks to more than {_MOST_BYTES >> 30} GiB")
        start, self._at = self._at, min(self._at + most, len(self._piece))
        return self._piece[start : self._at]

    def content(self, size: int) -> Iterator[bytes]:
        """Yield exactly `size` bytes."""
        while size:
            chunk = self.some(size)
            if not chunk:
                raise ArchiveError(f"it ends {size} bytes before the end of a file in it: it is truncated")
            size -= len(chunk)
            yield chunk

    def drain(self) -> None:
        """Skip all the rest."""
        while self.some(_MOST_BYTES):
            pass


def _units(reader: _Reader) -> Iterator[bytes]:
    while start := reader.some(UNIT):
        yield start + b"".join(reader.content(UNIT - len(start)))


def _headers(reader: _Reader) -> Iterator[Header]:
    """Yield the headers up to the end, which two empty units mark, or the end of the bytes."""
    units = _units(reader)
    for unit in units:
        if any(unit):
            yield parse_header(unit)
        elif any(next(units, b"")):
            # Some readers end at the first empty unit, npm goes on.
            raise ArchiveError("it goes on behind an empty block, where some end and npm does not")
        else:
            return


def _note(reader: _Reader, size: int) -> bytes:
    if size > _LONGEST_NOTE:
        raise ArchiveError(f"a header in it is {size} bytes long")
    return b"".join(reader.content(size + -size % UNIT))[:size]


def below_top(name: str) -> str:
    """Return the path at which npm puts what an archive calls `name`. Raises ArchiveError for none, or outside."""
    if not name or _OUTSIDE.search(name) or len(name) > LONGEST_NAME or name.count("/") > _DEEPEST:
        raise ArchiveError(f"it names a path that it must not: {name[:200]!r}")
    # npm drops the first step whatever it is, and then the system makes a/b of a//b and a/./b.
    return "/".join(step for step in name.split("/")[1:] if step not in ("", "."))


def _entry(header: Header, noted: Noted, reader: _Reader) -> Entry:
    name = header.name if noted.path is None else noted.path
    size = header.size if noted.size is None else noted.size
    is_folder = header.kind is Kind.FOLDER
    if header.kind is Kind.FILE:
        if header.link or noted.link:
            raise ArchiveError(f"it names a file that is a link, too: {name!r}")
        if name.endswith("/"):
            if size:
                raise ArchiveError(f"it names a folder that has content: {name!r}")
            is_folder = True  # as archives from before there were folders have them
    elif size and not is_folder:
        raise ArchiveError(f"it names a link that has content: {name!r}")
    below = below_top(name)
    if not below and not is_folder:
        raise ArchiveError(f"it has a file outside its top folder, which npm does not install: {name!r}")
    name = f"{name.partition('/')[0]}/{below}"
    return Entry(name, below, size, iter(()) if is_folder else reader.content(size), is_folder)


def _entries(reader: _Reader) -> Iterator[tuple[Kind, Entry]]:
    noted = Noted()
    for header in _headers(reader):
        if header.kind in NOTES:
            noted = noted.and_then(read_note(header.kind, _note(reader, header.size)))
            continue
        yield header.kind, _entry(header, noted, reader)
        noted = Noted()


def entries(pieces: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the regular files and the folders of a tar archive, in order. All `pieces` have been consumed at the end.

    Links and devices are passed over: npm installs none. Raises ArchiveError: no tar archive, truncated, too large, a
    path that leads outside, no files at all, or a form that npm and other readers take differently.
    """
    reader = _Reader(pieces)
    files = 0
    for count, (kind, entry) in enumerate(_entries(reader), 1):
        if count > _MOST_MEMBERS:
            raise ArchiveError(f"it holds more than {_MOST_MEMBERS} files")
        if kind is not Kind.OTHER:
            files += not entry.is_folder
            yield entry
        for _ in entry.chunks:
            pass
        if not entry.is_folder:
            for _ in reader.content(-entry.size % UNIT):
                pass
    reader.drain()
    if not files:
        raise ArchiveError("it holds no files")
