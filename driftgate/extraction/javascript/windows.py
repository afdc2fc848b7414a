"""From a stream of bytes to the modules worth reading: one pass, in constant memory.

An artefact may be 400 MB long, and the text that matters in it is some hundred kilobytes. Bundled modules are text
without NUL bytes, and a NUL byte ends each of them inside a native binary. So a module is the run between two NUL
bytes, and it is kept if it holds one of a few rare needles.

Containers (ELF, Mach-O, PE, and Bun's own tables in them) are not parsed: their layout changes between versions, and
the text does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

NEEDLES: Final = (
    b'("command")',  # the literal of the one entry type that every release has: the module of the entry schema
    b'"PreToolUse"',  # lists of events, and the input schemas that are their second witness
    b'code:"invalid_type"',  # the schema library: what the short names of its helpers mean
    b"resetters=[]",  # the memoiser that schemas are wrapped in, from 2.1.251 on a module of its own
)
"""What makes a module worth keeping. Needles choose what is looked at, never what is believed."""

MAX_RUN: Final = 64 * 1024 * 1024
"""The longest module that is kept, in bytes. The longest seen is 20 MB."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text between two NUL bytes, at byte `offset` of its member."""

    offset: int
    text: bytes


class RunTooLongError(ValueError):
    """A stretch of text is longer than any module can be."""


def runs(chunks: Iterable[bytes], needles: tuple[bytes, ...] = NEEDLES) -> Iterator[Run]:
    """Yield the runs that hold one of `needles`, in order.

    Chunks of 1 MiB or so are best: there is a little work to do for each of them. Raises RunTooLongError.
    """
    begun: list[bytes] = []  # the run that has begun and not ended
    overlap = max(map(len, needles))
    length = 0
    start = 0  # its offset
    tail = b""  # its last bytes, for a needle that lies across two chunks
    wanted = False
    for chunk in chunks:
        first, last = chunk.find(b"\0"), chunk.rfind(b"\0")
        if first < 0:
            wanted = wanted or _holds(needles, tail + chunk)
            begun.append(chunk)
            length += len(chunk)
            tail = (tail + chunk)[-overlap:]
        else:
            if wanted or _holds(needles, tail + chunk[:first]):
                yield Run(start, b"".join((*begun, chunk[:first])))
            start += length
            yield from _closed_runs(needles, chunk, start, first, last)
            rest = chunk[last + 1 :]
            begun, length, tail, start = [rest], len(rest), rest[-overlap:], start + last + 1
            wanted = _holds(needles, rest)
        if length > MAX_RUN:
            raise RunTooLongError
    if wanted:
        yield Run(start, b"".join(begun))


def whole(chunks: Iterable[bytes]) -> Iterator[Run]:
    """Yield all of a script as one run, if there is anything. Raises RunTooLongError."""
    begun: list[bytes] = []
    length = 0
    for chunk in chunks:
        begun.append(chunk)
        length += len(chunk)
        if length > MAX_RUN:
            raise RunTooLongError
    if length:
        yield Run(0, b"".join(begun))


def _holds(needles: tuple[bytes, ...], text: bytes) -> bool:
    return any(needle in text for needle in needles)


def _closed_runs(needles: tuple[bytes, ...], chunk: bytes, start: int, first: int, last: int) -> Iterator[Run]:
    """Yield the wanted runs between the first and the last NUL byte of a chunk that begins at `start`."""
    begins = set()
    for needle in needles:
        offset = chunk.find(needle, first, last)
        while offset >= 0:
            begins.add(chunk.rfind(b"\0", 0, offset) + 1)
            offset = chunk.find(needle, chunk.find(b"\0", offset), last)
    for begin in sorted(begins):
        yield Run(start + begin, chunk[begin : chunk.find(b"\0", begin)])
