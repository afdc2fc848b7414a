"""One header of a tar archive, and the notes (pax, GNU long names) that may stand before it.

The format is described in POSIX.1 under `pax`. Readers of it differ wherever an archive is odd: npm's own skips a
header whose checksum is stored unusually, reads numbers up to the first letter, takes a type from a pax record. What
such an archive holds depends on who unpacks it, so everything here is strict: one reading, or ArchiveError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from driftgate.anchors.stream import ArchiveError

UNIT: Final = 512
"""Headers are one unit long, contents a whole number of them."""

LONGEST_NAME: Final = 4096
"""Bytes; no system has longer paths."""

_OCTAL: Final = re.compile(rb" *([0-7]*)[\0 ]*")
_CHECKSUM: Final = re.compile(rb" *([0-7]+)[\0 ][\0-\xff]*")
_LENGTH: Final = re.compile(rb"([1-9][0-9]{0,7}) ")
_SECOND_LINE: Final = re.compile(rb"\n[^\n]*(?:path|size|type)=")
_POSIX: Final = b"ustar\0"
_POSIX_VERSION: Final = b"00"


class Kind(Enum):
    """What a header introduces, as far as it matters here."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A link or a device: npm installs neither."""
    PAX = "pax header"
    GLOBAL = "global pax header"
    LONG_NAME = "long name"
    LONG_LINK = "long link"


_KINDS: Final[Mapping[bytes, Kind]] = MappingProxyType(
    {
        b"0": Kind.FILE,
        b"\0": Kind.FILE,
        b"7": Kind.FILE,
        b"5": Kind.FOLDER,
        **dict.fromkeys((b"1", b"2", b"3", b"4", b"6"), Kind.OTHER),
        b"x": Kind.PAX,
        b"g": Kind.GLOBAL,
        b"L": Kind.LONG_NAME,
        b"K": Kind.LONG_LINK,
    }
)
NOTES: Final = frozenset((Kind.PAX, Kind.GLOBAL, Kind.LONG_NAME, Kind.LONG_LINK))
"""Kinds that say something of the entries after them and are none themselves."""

_MOVED: Final = ("path", "size", "linkpath", "type")
"""What a global note must not state: npm applies some of these to every entry after it, others not at all."""


@dataclass(frozen=True, slots=True)
class Header:
    """One header: `name` and `link` as it states them, `size` of what follows in bytes."""

    kind: Kind
    name: str
    link: str
    size: int


def parse_header(block: bytes) -> Header:
    """Return what a header of UNIT bytes says. Raises ArchiveError."""
    _check(block)
    kind = _KINDS.get(block[156:157])
    if kind is None:
        raise ArchiveError(f"it holds an entry of a type that npm does not install: {block[156:157]!r}")
    return Header(kind, _name(block), _text(block[157:257]), _number(block[124:136]))


def _check(block: bytes) -> None:
    match = _CHECKSUM.fullmatch(block[148:156])
    if match is None:
        raise ArchiveError("a header in it is not a tar header")
    if int(match[1], 8) != sum(block) - sum(block[148:156]) + 8 * 0x20:
        raise ArchiveError("a header in it is not a tar header (its checksum is wrong)")


def _name(block: bytes) -> str:
    name, prefix = _text(block[:100]), b""
    # GNU archives use the bytes of the prefix for other things, and say so in the magic.
    if block[257:263] == _POSIX:
        prefix = block[345:500]
        # Another archiver keeps two times in the prefix's last bytes, which are 0 up to there.
        if not prefix[130]:
            prefix = prefix[:130]
    if not any(prefix):
        return name
    if block[263:265] != _POSIX_VERSION:
        raise ArchiveError("a header in it is of an unknown version")
    if not name:
        raise ArchiveError("a header in it states no name, only a folder")
    return f"{_text(prefix)}/{name}"


def _number(field: bytes) -> int:
    if field[0] & 0x80:  # GNU: base 256, for sizes from 8 GiB; negative numbers begin with 0xff
        if field[0] != 0x80:
            raise ArchiveError("a header in it states a size that is none")
        return int.from_bytes(field[1:], "big")
    match = _OCTAL.fullmatch(field)
    if match is None:
        raise ArchiveError("a header in it states a size that is none")
    return int(match[1] or b"0", 8)


def _text(field: bytes) -> str:
    """Return a text that ends at the first NUL; what stands behind it is read by some, so there may be nothing."""
    text = field.rstrip(b"\0")
    if b"\0" in text:
        raise ArchiveError("a header in it states a name that goes on behind its end")
    return _decoded(text)


def _decoded(text: bytes) -> str:
    if len(text) > LONGEST_NAME:
        raise ArchiveError(f"it names a path of {len(text)} bytes")
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise ArchiveError("it names a path that is not UTF-8") from None


@dataclass(frozen=True, slots=True)
class Noted:
    """What notes say of the next entry, in place of what its header says; None where they do not."""

    path: str | None = None
    size: int | None = None
    link: str | None = None

    def and_then(self, other: Noted) -> Noted:
        """Return both together. Raises ArchiveError where two notes state the same thing: readers take either."""
        pairs = ((self.path, other.path), (self.size, other.size), (self.link, other.link))
        if any(one is not None and two is not None and one != two for one, two in pairs):
            raise ArchiveError("two notes in it state different things of one entry")
        path, size, link = (two if one is None else one for one, two in pairs)
        return Noted(path, size, link)  # type: ignore[arg-type]


def read_note(kind: Kind, content: bytes) -> Noted:
    """Return what a note says. Raises ArchiveError, also for what readers of archives take differently."""
    if kind in (Kind.LONG_NAME, Kind.LONG_LINK):
        text = _text(content)
        return Noted(path=text) if kind is Kind.LONG_NAME else Noted(link=text)
    records = _records(content)
    if stated := [key for key in records if key == "type" or key.startswith("GNU.sparse")]:
        raise ArchiveError(f"a pax header in it states {stated[0][:40]!r}, which readers take differently")
    if kind is Kind.GLOBAL:
        if stated := [key for key in _MOVED if key in records]:
            raise ArchiveError(f"a global pax header in it states the {stated[0]} of every entry")
        return Noted()
    size = records.get("size")
    if size is not None and not re.fullmatch(rb"[0-9]{1,19}", size):
        raise ArchiveError("a pax header in it states a size that is none")
    path, link = (_text(records[key]) if key in records else None for key in ("path", "linkpath"))
    return Noted(path, None if size is None else int(size), link)


def _records(content: bytes) -> dict[str, bytes]:
    """Return the records of a pax header: "<length> <key>=<value>\\n", the length counting the whole record."""
    records: dict[str, bytes] = {}
    at = 0
    while at < len(content):
        match = _LENGTH.match(content, at)
        end = at + int(match[1]) if match else 0
        if match is None or not match.end() < end <= len(content) or content[end - 1 : end] != b"\n":
            raise ArchiveError("a pax header in it is malformed")
        record = content[match.end() : end - 1]
        if _SECOND_LINE.search(record):
            raise ArchiveError("a pax header in it is one thing to npm, which reads lines, and another to others")
        key, equals, value = record.partition(b"=")
        name = key.decode("utf-8", "replace")
        if not name or not equals or name in records:
            raise ArchiveError("a pax header in it is malformed")
        records[name] = value
        at = end
    return records
