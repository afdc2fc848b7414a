"""Streams of bytes: read ahead in a thread, and decompress within bounds.

Reading with hashing, decompressing, and the consumer's work are three stages that overlap, because hashlib, isal and
zlib let go of the interpreter lock while they work.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, BinaryIO, Final, TypeVar

BLOCK: Final = 1 << 20
"""How many bytes are read at once."""

PIECE: Final = 1 << 22
"""How many bytes are decompressed at once, at the most."""

GZIP_MAGIC: Final = b"\x1f\x8b"
_GZIP: Final = 31
"""The `wbits` that stand for a gzip header and trailer around the data."""

T = TypeVar("T")
_END: Final = object()


class ArchiveError(ValueError):
    """The bytes are not the archive that they should be. The reader of the archive says where they came from."""


def blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of `file` in blocks."""
    while block := file.read(BLOCK):
        yield block


def ahead(items: Iterable[T], depth: int = 3) -> Generator[T]:
    """Yield `items`, computed in a thread of their own up to `depth` ahead of the consumer."""
    source = iter(items)
    with ThreadPoolExecutor(1, thread_name_prefix="driftgate") as thread:
        pending = deque(thread.submit(next, source, _END) for _ in range(depth))
        while (item := pending.popleft().result()) is not _END:
            pending.append(thread.submit(next, source, _END))
            yield item  # type: ignore[misc]


class _Zlib:
    """zlib with the interface of isal's decompressor, for where isal has no wheel."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=_GZIP)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, most: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, most)


def _inflate_library() -> tuple[Callable[[], Any], Any]:
    """Return what makes a decompressor, and its error: isal's, several times faster than zlib, where there is one.

    Of isal's several decompressors this one lets go of the interpreter lock, so that the consumer works meanwhile.
    """
    try:
        from isal import igzip_lib
    except ImportError:
        return _Zlib, zlib.error
    return partial(igzip_lib.IgzipDecompressor, flag=igzip_lib.DECOMP_GZIP), igzip_lib.error


def inflate(packed: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the content of a gzip stream, at most PIECE bytes at a time. Raises ArchiveError.

    Of a second stream behind the first npm reads all, some or nothing, depending on where its blocks end; so only
    zeros may follow.
    """
    make, error = _inflate_library()
    inflater = make()
    try:
        for block in packed:
            rest = block
            while not inflater.eof:
                if piece := inflater.decompress(rest, PIECE):
                    yield piece
                rest = inflater.unused_data if inflater.eof else b""
                if inflater.needs_input and not inflater.eof:
                    break
            if inflater.eof and rest.strip(b"\0"):
                raise ArchiveError("more bytes follow behind its gzip stream")
    except error as problem:
        raise ArchiveError(f"its gzip stream is damaged ({problem})") from problem
    if not inflater.eof:
        raise ArchiveError("its gzip stream ends too early: it is truncated")
