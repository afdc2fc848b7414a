"""Tar archives as a stream: ustar, with pax and GNU long names.

The format is described in POSIX.1 under `pax`. `tarfile` reads it too, but copies every byte several times on the
way; members here are hundreds of megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.anchors.stream import ArchiveError

_UNIT: Final = 512
_REGULAR: Final = frozenset((b"0", b"\0", b"7"))
_LONGEST_NOTE: Final = 1 << 20
_MOST_BYTES: Final = 4 << 30
_MOST_MEMBERS: Final = 100_000
_OUTSIDE: Final = re.compile(r"^/|^[A-Za-z]:|\\|(^|/)\.\.(/|$)|[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file: `chunks` yields its content, and what is left of it is skipped when the next is asked for."""

    name: str
    size: int
    chunks: Iterator[bytes]


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


def _number(field: bytes) -> int:
    if field[0] & 0x80:  # GNU: base 256, for sizes from 8 GiB
        return int.from_bytes(field[1:], "big")
    try:
        return int(field.rstrip(b"\0 ").lstrip(b" ") or b"0", 8)
    except ValueError:
        raise ArchiveError("a header in it is not a tar header") from None


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _check_header(header: bytes) -> None:
    stated = _number(header[148:156])
    if stated != sum(header) - sum(header[148:156]) + 8 * 0x20:
        raise ArchiveError("a header in it is not a tar header (its checksum is wrong)")


def _pax(note: bytes) -> dict[str, str]:
    """Return the records of a pax header: "<length> <key>=<value>\\n", the length counting the whole record."""
    records = {}
    while note:
        length, _, _ = note.partition(b" ")
        if not length.isdigit() or not len(length) < int(length) <= len(note):
            raise ArchiveError("a pax header in it is malformed")
        key, _, value = note[len(length) + 1 : int(length) - 1].partition(b"=")
        records[key.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        note = note[int(length) :]
    return records


def _own_name(header: bytes) -> str:
    name, prefix = _text(header[:100]), _text(header[345:500])
    # GNU archives use the bytes of the prefix for other things, and say so in the magic.
    return f"{prefix}/{name}" if prefix and header[257:263] == b"ustar\0" else name


def _checked(name: str) -> str:
    if not name or _OUTSIDE.search(name):
        raise ArchiveError(f"it names a path that it must not: {name!r}")
    return name


def _headers(reader: _Reader) -> Iterator[bytes]:
    while start := reader.some(_UNIT):
        header = start + b"".join(reader.content(_UNIT - len(start)))
        if not any(header):
            return
        _check_header(header)
        yield header


def _note(reader: _Reader, size: int) -> bytes:
    if size > _LONGEST_NOTE:
        raise ArchiveError(f"a header in it is {size} bytes long")
    note = b"".join(reader.content(size + -size % _UNIT))
    return note[:size]


def entries(pieces: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the regular files of a tar archive, in order. The whole of `pieces` has been consumed at the end.

    Raises ArchiveError: no tar archive, truncated, too large, a path that leads outside, no files at all.
    """
    reader = _Reader(pieces)
    count = 0
    longer: dict[str, str] = {}
    for header in _headers(reader):
        kind, size = header[156:157], _number(header[124:136])
        match kind:
            case b"x":
                longer |= _pax(_note(reader, size))
                continue
            case b"L":
                longer["path"] = _text(_note(reader, size))
                continue
        if (stated := longer.get("size", "")).isdigit():
            size = int(stated)
        name, longer = longer.get("path") or _own_name(header), {}
        rest = reader.content(size)
        if kind in _REGULAR:
            count += 1
            if count > _MOST_MEMBERS:
                raise ArchiveError(f"it holds more than {_MOST_MEMBERS} files")
            yield Entry(_checked(name), size, rest)
        for _ in rest:
            pass
        for _ in reader.content(-size % _UNIT):
            pass
    reader.drain()
    if not count:
        raise ArchiveError("it holds no files")
