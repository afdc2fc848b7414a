"""Archives of many shapes, written byte by byte: each oddity alone by name, and mixtures by number."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

UNIT = 512
END = bytes(2 * UNIT)
MANIFEST = b'{"name": "x", "version": "1.0.0"}'
OLD = b"export const E = ['Old'];\n"
NEW = b"export const E = ['New', 'Newer'];\n"


@dataclass(frozen=True, slots=True)
class Head:
    """The fields of a header as bytes; `checksum` overrides the right one, `size` what stands as the size."""

    name: bytes = b"package/sdk.mjs"
    kind: bytes = b"0"
    link: bytes = b""
    prefix: bytes = b""
    magic: bytes = b"ustar\x0000"
    size: bytes | None = None
    checksum: bytes | None = None

    def block(self, length: int) -> bytes:
        size = b"%011o\0" % length if self.size is None else self.size
        block = bytearray(UNIT)
        for at, field in (
            (0, self.name),
            (100, b"0000644\0"),
            (108, b"0000000\0"),
            (116, b"0000000\0"),
            (124, size),
            (136, b"00000000000\0"),
            (148, b" " * 8),
            (156, self.kind),
            (157, self.link),
            (257, self.magic),
            (345, self.prefix),
        ):
            block[at : at + len(field)] = field
        block[148:156] = (self.checksum or b"%06o\0 " % sum(block)).ljust(8, b"\0")
        return bytes(block)


def member(content: bytes, **fields: bytes) -> bytes:
    """Return one entry: header, content, padding."""
    head = replace(Head(), **fields)
    return head.block(len(content)) + content + bytes(-len(content) % UNIT)


def pax(*records: tuple[str, bytes], kind: bytes = b"x") -> bytes:
    """Return a pax header of `records`."""
    return member(b"".join(record(key.encode(), value) for key, value in records), name=b"PaxHeader/x", kind=kind)


def record(key: bytes, value: bytes) -> bytes:
    """Return one pax record, its own length counted in."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest)
    while len(b"%d" % length) + len(rest) != length:
        length = len(b"%d" % length) + len(rest)
    return b"%d" % length + rest


def long_name(name: bytes, kind: bytes = b"L") -> bytes:
    """Return a GNU header that states a name."""
    return member(name + b"\0", name=b"././@LongLink", kind=kind, magic=b"ustar  \0")


PACKAGE = member(MANIFEST, name=b"package/package.json")
_OLD = member(OLD)
_NEW = member(NEW)
_FOLDER = {"kind": b"5"}


def _at(name: bytes, content: bytes = NEW, **fields: bytes) -> bytes:
    return member(content, name=name, **fields)


def _plain(*parts: bytes) -> bytes:
    return b"".join((PACKAGE, *parts, END))


SHAPES: dict[str, bytes] = {
    "plain": _plain(_OLD),
    "no end": PACKAGE + _OLD,
    "one zero block": PACKAGE + _OLD + bytes(UNIT),
    "zero block, then new": _plain(_OLD, bytes(UNIT), _NEW),
    "zero block first": bytes(UNIT) + _plain(_OLD),
    "end, then new": _plain(_OLD, END, _NEW),
    "end, then garbage": _plain(_OLD) + b"x" * UNIT,
    "half a header at the end": PACKAGE + _OLD + Head().block(0)[:300],
    "truncated": (PACKAGE + _OLD)[:-300],
    "twice": _plain(_OLD, _NEW),
    "twice the same": _plain(_OLD, _OLD),
    "double slash": _plain(_OLD, _at(b"package//sdk.mjs")),
    "dot": _plain(_OLD, _at(b"package/./sdk.mjs")),
    "dot dot": _plain(_OLD, _at(b"package/a/../sdk.mjs")),
    "dot dot outside": _plain(_OLD, _at(b"package/../../sdk.mjs")),
    "dot in front": _plain(_OLD, _at(b"./package/sdk.mjs")),
    "dot is the top": member(MANIFEST, name=b"./package.json") + _at(b"./sdk.mjs") + END,
    "slash in front": _plain(_OLD, _at(b"/package/sdk.mjs")),
    "slash slash in front": _plain(_OLD, _at(b"//sdk.mjs")),
    "slash at the end": _plain(_OLD, _at(b"package/sdk.mjs/")),
    "slash at the end, empty": _plain(_OLD, _at(b"package/sdk.mjs/", b"")),
    "another top": _plain(_OLD, _at(b"other/sdk.mjs")),
    "no top": _plain(_OLD, _at(b"sdk.mjs")),
    "upper case": _plain(_OLD, _at(b"package/SDK.mjs")),
    "upper case top": _plain(_OLD, _at(b"Package/sdk.mjs")),
    "backslash": _plain(_OLD, _at(b"package\\sdk.mjs")),
    "backslash below": _plain(_OLD, _at(b"package/a\\..\\sdk.mjs")),
    "drive": _plain(_OLD, _at(b"C:/package/sdk.mjs")),
    "drive below": _plain(_OLD, _at(b"package/C:/sdk.mjs")),
    "two manifests": _plain(_OLD, member(b'{"name": "y", "version": "2.0.0"}', name=b"y/package.json")),
    "folder over a file": _plain(_OLD, _at(b"package/sdk.mjs", b"", **_FOLDER)),
    "folder before its file": _plain(_at(b"package/dist", b"", **_FOLDER), _at(b"package/dist/x.mjs")),
    "folder with a size": _plain(_at(b"package/dist", b"", size=b"00000001000\0", **_FOLDER), _OLD),
    "file below a file": _plain(_OLD, _at(b"package/sdk.mjs/sdk.d.ts")),
    "file before its folder": _plain(_at(b"package/sdk.mjs/x", b"1"), _NEW),
    "symbolic link over it": _plain(_OLD, _at(b"package/sdk.mjs", b"", kind=b"2", link=b"other.mjs")),
    "hard link over it": _plain(_OLD, _at(b"package/sdk.mjs", b"", kind=b"1", link=b"package/package.json")),
    "hard link with content": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"1", link=b"package/a")),
    "link without a target": _plain(_OLD, _at(b"package/sdk.mjs", b"", kind=b"2")),
    "linked folder": _plain(_at(b"package/a", b"", kind=b"2", link=b"b"), _at(b"package/a/sdk.mjs")),
    "file with a link": _plain(_OLD, _at(b"package/other.mjs", link=b"x")),
    "device": _plain(_OLD, _at(b"package/sdk.mjs", b"", kind=b"3")),
    "device with content": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"3")),
    "fifo": _plain(_OLD, _at(b"package/sdk.mjs", b"", kind=b"6")),
    "contiguous": _plain(_at(b"package/sdk.mjs", NEW, kind=b"7")),
    "contiguous with a slash": _plain(_at(b"package/sdk.mjs/", NEW, kind=b"7")),
    "old type": _plain(_at(b"package/sdk.mjs", NEW, kind=b"\0")),
    "sparse": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"S")),
    "dump folder": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"D")),
    "continuation": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"M")),
    "old long name": _plain(_OLD, long_name(b"package/sdk.mjs", b"N"), _at(b"package/a")),
    "old pax": _plain(_OLD, member(record(b"path", b"package/sdk.mjs"), name=b"p", kind=b"X"), _at(b"package/a")),
    "unknown type": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"Z")),
    "unknown type, high": _plain(_OLD, _at(b"package/sdk.mjs", NEW, kind=b"\xff")),
    "prefix": _plain(_at(b"sdk.mjs", prefix=b"package/dist")),
    "prefix of 155": _plain(_at(b"sdk.mjs", prefix=b"package/" + b"d" * 147)),
    "prefix of 131 and times": _plain(_at(b"sdk.mjs", prefix=(b"package".ljust(131, b"\0") + b"0" * 11))),
    "prefix that goes on": _plain(_OLD, _at(b"sdk.mjs", prefix=b"package\0/a")),
    "prefix under GNU": _plain(_at(b"package/sdk.mjs", prefix=b"x" * 20, magic=b"ustar  \0")),
    "prefix under another version": _plain(_OLD, _at(b"sdk.mjs", prefix=b"package", magic=b"ustar\x0001")),
    "prefix without magic": _plain(_at(b"package/sdk.mjs", prefix=b"x", magic=b"")),
    "prefix alone": _plain(_OLD, _at(b"", b"", prefix=b"package/b.mjs")),
    "no magic": _plain(_at(b"package/sdk.mjs", magic=b"")),
    "name that goes on": _plain(_OLD, _at(b"package/sdk.mjs\0x")),
    "name that goes on in a line": _plain(_OLD, _at(b"package/sdk.mjs\0\nx")),
    "name of 100": _plain(_at((b"package/" + b"n" * 200)[:100])),
    "name that is not UTF-8": _plain(_OLD, _at(b"package/\xe9.mjs")),
    "composed": _plain(_at("package/é.mjs".encode(), OLD), _at("package/e\u0301.mjs".encode())),
    "control character": _plain(_OLD, _at(b"package/a\x1b.mjs")),
    "dot at the end": _plain(_OLD, _at(b"package/sdk.mjs.")),
    "no name": _plain(_OLD, _at(b"")),
    "deep": _plain(_OLD, pax(("path", b"package/" + b"d/" * 1100 + b"x.mjs")), _at(b"a")),
    "size with a letter": _plain(_OLD, _at(b"package/b.mjs", size=b"000000000%ox\0" % len(NEW))),
    "size with an underscore": _plain(_at(b"package/sdk.mjs", size=b"00000_00%03o\0" % len(NEW))),
    "size with spaces": _plain(_at(b"package/sdk.mjs", size=b"   %03o     \0" % len(NEW))),
    "size of 0o": _plain(_at(b"package/sdk.mjs", size=b"0o000000%03o\0" % len(NEW))),
    "size in base 256": _plain(_at(b"package/sdk.mjs", size=b"\x80" + len(NEW).to_bytes(11, "big"))),
    "size in base 256, other": _plain(_at(b"package/sdk.mjs", size=b"\x81" + len(NEW).to_bytes(11, "big"))),
    "size below nothing": _plain(_OLD, _at(b"package/b.mjs", b"", size=b"\xff" * 12)),
    "size of nothing": _plain(_OLD, _at(b"package/b.mjs", b"", size=bytes(12))),
    "size too large": _plain(_OLD, _at(b"package/b.mjs", size=b"77777777777\0")),
    "checksum wrong": _plain(_OLD, _at(b"package/b.mjs", checksum=b"000001\0 ")),
    "pax path": _plain(_OLD, pax(("path", b"package/sdk.d.ts")), _at(b"package/a")),
    "pax path over it": _plain(_OLD, pax(("path", b"package/sdk.mjs")), _at(b"package/a")),
    "pax path and prefix": _plain(pax(("path", b"package/sdk.mjs")), _at(b"a", prefix=b"b")),
    "pax path that is not UTF-8": _plain(_OLD, pax(("path", b"package/\xff.mjs")), _at(b"package/sdk.mjs")),
    "pax path with a NUL": _plain(_OLD, pax(("path", b"package/sdk.mjs\0x")), _at(b"package/a")),
    "pax path that is empty": _plain(pax(("path", b"")), _at(b"package/sdk.mjs")),
    "pax path with two lines": _plain(_OLD, pax(("path", b"a\n24 path=package/sdk.mjs")), _at(b"package/b")),
    "pax lines in a value": _plain(
        _OLD, pax(("comment", b"a\n24 path=package/sdk.mjs\n24 path=package/sdk.mjs")), _at(b"package/b")
    ),
    "pax comment of lines": _plain(pax(("comment", b"a\nb\nc")), _at(b"package/sdk.mjs")),
    "pax size": _plain(pax(("size", b"%d" % len(NEW))), _at(b"package/sdk.mjs", size=b"0" * 11)),
    "pax size smaller": _plain(pax(("size", b"3")), _at(b"package/sdk.mjs")),
    "pax size with a sign": _plain(_OLD, pax(("size", b"+3")), _at(b"package/b.mjs")),
    "pax size of a float": _plain(_OLD, pax(("size", b"3e0")), _at(b"package/b.mjs")),
    "pax size of a folder": _plain(pax(("size", b"512")), _at(b"package/d", b"", **_FOLDER), _OLD),
    "pax type": _plain(_OLD, pax(("type", b"Directory")), _at(b"package/b.mjs")),
    "pax link": _plain(_OLD, pax(("linkpath", b"../../x")), _at(b"package/b.mjs")),
    "pax sparse": _plain(pax(("GNU.sparse.name", b"package/b.mjs")), _at(b"package/sdk.mjs")),
    "pax twice": _plain(_OLD, pax(("path", b"package/a"), ("path", b"package/sdk.mjs")), _at(b"package/b")),
    "two pax": _plain(_OLD, pax(("path", b"package/a")), pax(("path", b"package/sdk.mjs")), _at(b"package/b")),
    "pax and long name": _plain(_OLD, pax(("path", b"package/sdk.mjs")), long_name(b"package/a"), _at(b"package/b")),
    "long name and pax": _plain(_OLD, long_name(b"package/a"), pax(("path", b"package/sdk.mjs")), _at(b"package/b")),
    "long name": _plain(long_name(b"package/" + b"d" * 120 + b".mjs"), _at(b"package/b")),
    "long name over it": _plain(_OLD, long_name(b"package/sdk.mjs"), _at(b"package/b")),
    "long link on a file": _plain(_OLD, long_name(b"x", b"K"), _at(b"package/b.mjs")),
    "long link on a link": _plain(_OLD, long_name(b"x", b"K"), _at(b"package/l", b"", kind=b"2", link=b"y")),
    "global comment": pax(("comment", b"0" * 40), kind=b"g") + _plain(_OLD),
    "global path": pax(("path", b"package/a"), kind=b"g") + _plain(_OLD),
    "global size": pax(("size", b"3"), kind=b"g") + _plain(_OLD),
    "note before nothing": _plain(_OLD, pax(("path", b"package/sdk.mjs"))),
    "note of nothing": _plain(member(b"", name=b"p", kind=b"x"), _OLD),
    "note too long": _plain(_OLD, pax(("comment", b"c" * (1 << 20)), ("path", b"package/a.mjs")), _at(b"package/b")),
    "pax that is malformed": _plain(_OLD, member(b"nonsense", name=b"p", kind=b"x"), _at(b"package/b")),
}
SHAPES["checksum into the type"] = _plain(_OLD, _at(b"package/b.mjs", checksum=b"%08o" % (sum(_NEW[:148]) + 9000)))


def _members(data: bytes, *parts: int) -> bytes:
    """Return `data` as several gzip members, cut at `parts`."""
    cuts = (0, *parts, len(data))
    return b"".join(gzip.compress(data[a:b], mtime=0) for a, b in pairwise(cuts))


def _deflated(data: bytes, wbits: int) -> bytes:
    made = zlib.compressobj(wbits=wbits)
    return made.compress(data) + made.flush()


def _ends_at(data: bytes, boundary: int) -> bytes:
    """Return `data` in a gzip member that ends at `boundary`, by a comment of that length in its header."""
    packed = gzip.compress(data, mtime=0)
    comment = b"c" * (boundary - len(packed) - 1) + b"\0"
    return packed[:3] + b"\x10" + packed[4:10] + comment + packed[10:]


_TAR = _plain(_OLD)
PACKED: dict[str, bytes] = {
    "not packed": _TAR,
    "two members": _members(_TAR, 1024),
    "two members, the second new": gzip.compress(PACKAGE + _OLD, mtime=0) + gzip.compress(_NEW + END, mtime=0),
    "a member behind the end": gzip.compress(_TAR, mtime=0) + gzip.compress(_NEW + END, mtime=0),
    "zeros behind": gzip.compress(_TAR, mtime=0) + bytes(700),
    "zeros and a member behind": gzip.compress(PACKAGE + _OLD, mtime=0) + bytes(7) + gzip.compress(_NEW, mtime=0),
    "garbage behind": gzip.compress(_TAR, mtime=0) + b"garbage",
    "one byte behind": gzip.compress(_TAR, mtime=0) + b"\x1f",
    "an empty member first": gzip.compress(b"", mtime=0) + gzip.compress(_TAR, mtime=0),
    "zlib": zlib.compress(_TAR),
    "deflate": _deflated(_TAR, -15),
    "checksum of the whole wrong": gzip.compress(_TAR, mtime=0)[:-8] + bytes(4) + gzip.compress(_TAR, mtime=0)[-4:],
    "length wrong": gzip.compress(_TAR, mtime=0)[:-4] + bytes(4),
    "truncated by its trailer": gzip.compress(_TAR, mtime=0)[:-8],
    "named": gzip.compress(_TAR, mtime=0)[:3]
    + b"\x08"
    + gzip.compress(_TAR, mtime=0)[4:10]
    + b"n\0"
    + gzip.compress(_TAR, mtime=0)[10:],
    **{
        f"a member that ends {what} a block of {block}": _ends_at(PACKAGE + _OLD, block + by)
        + gzip.compress(_NEW + END, mtime=0)
        for block in (1 << 16, 1 << 20)
        for by, what in ((-1, "one byte before"), (0, "at"), (1, "one byte after"))
    },
}


def tarballs(mixtures: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and tarballs: every shape, and `mixtures` of them."""
    yield from ((name, gzip.compress(data, mtime=0)) for name, data in SHAPES.items())
    yield from PACKED.items()
    for number in range(mixtures):
        yield f"mixture {number}", gzip.compress(_mixture(random.Random(number)), mtime=0)  # noqa: S311


_NAMES = (
    b"package/sdk.mjs",
    b"package//sdk.mjs",
    b"package/./sdk.mjs",
    b"other/sdk.mjs",
    b"package/SDK.MJS",
    b"package/dist/a.mjs",
    b"package/dist",
    b"package/dist/../sdk.mjs",
    b"package/sdk.mjs/a",
    b"./sdk.mjs",
    b"sdk.mjs",
    b"package/b.mjs",
    b"package/sdk.mjs/",
)


def _mixture(chosen: random.Random) -> bytes:
    """Return an archive of one to five entries, each with at most one oddity."""
    parts = [PACKAGE, *(_odd(chosen) for _ in range(chosen.randint(1, 5)))]
    return b"".join(parts) + END * chosen.randint(0, 1)


def _odd(chosen: random.Random) -> bytes:
    name, content = chosen.choice(_NAMES), chosen.choice((OLD, NEW, b""))
    made: list[Callable[[], bytes]] = [
        lambda: _at(name, content),
        lambda: _at(name, content),
        lambda: _at(name, b"", kind=chosen.choice((b"5", b"2", b"1", b"6", b"7", b"\0")), link=b"x"),
        lambda: _at(name, b"", kind=b"5"),
        lambda: pax(("path", name)) + _at(b"package/z", content),
        lambda: pax(("size", b"%d" % chosen.choice((0, 3, len(content))))) + _at(name, content),
        lambda: long_name(name) + _at(b"package/y", content),
        lambda: bytes(UNIT) + _at(name, content),
        lambda: _at(name.rpartition(b"/")[2], content, prefix=name.rpartition(b"/")[0]),
        lambda: _at(name, content, kind=chosen.choice((b"S", b"D", b"X", b"N", b"V", b"A", b"9"))),
    ]
    return chosen.choice(made)()
