"""Mutations of a text or of bytes: small ones, and those that readers of structured text fall over."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

_ODD = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b"\\", b'"', b"'", b"`", b"#", b"//", b"/*", b"*/", b"${", b"}", b"{"),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"<",
        b">",
        b",",
        b";",
        b":",
        b"=",
        b"=>",
        b"...",
        b"|",
        b"&",
        b"?",
        b"!",
        b"-",
        b"*",
        b"@",
    ),
    *(
        b"\x85",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\x1b[31m",
    ),
    *(
        b"0",
        b"-1",
        b"1e999",
        b"9" * 30,
        b"0x",
        b"1_0",
        b"NaN",
        b"null",
        b"true",
        b"~",
        b"''",
        b'""',
        b"\\u0000",
        b"\\x41",
    ),
)


def mutated(seed: bytes, others: Sequence[bytes], chosen: random.Random) -> bytes:
    """Return `seed` with one to four changes."""
    data = seed
    for _ in range(chosen.choice((1, 1, 1, 2, 2, 4))):
        data = chosen.choice(_CHANGES)(data, others, chosen)
    return data[:200_000]


def _at(data: bytes, chosen: random.Random) -> int:
    return chosen.randint(0, len(data))


def _range(data: bytes, chosen: random.Random, most: int = 60) -> tuple[int, int]:
    start = _at(data, chosen)
    return start, min(len(data), start + chosen.randint(1, most))


def _put(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    at = _at(data, chosen)
    return data[:at] + chosen.choice(_ODD) + data[at:]


def _gone(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    start, end = _range(data, chosen)
    return data[:start] + data[end:]


def _replaced(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    start, end = _range(data, chosen, 3)
    return data[:start] + chosen.choice(_ODD) + data[end:]


def _flipped(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    at = _at(data, chosen)
    return data[:at] + bytes([byte ^ 1 << chosen.randint(0, 7) for byte in data[at : at + 1]]) + data[at + 1 :]


def _twice(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    start, end = _range(data, chosen, 200)
    return data[:end] + data[start:end] * chosen.choice((1, 1, 3, 40)) + data[end:]


def _moved(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    start, end = _range(data, chosen)
    rest = data[:start] + data[end:]
    at = _at(rest, chosen)
    return rest[:at] + data[start:end] + rest[at:]


def _spliced(data: bytes, others: Sequence[bytes], chosen: random.Random) -> bytes:
    other = chosen.choice(others)
    start, end = _range(other, chosen, 200)
    at = _at(data, chosen)
    return data[:at] + other[start:end] + data[at:]


def _cut(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    return data[: _at(data, chosen)]


def _nested(data: bytes, _: Sequence[bytes], chosen: random.Random) -> bytes:
    at = _at(data, chosen)
    opening, closing = chosen.choice(
        ((b"[", b"]"), (b"(", b")"), (b"{", b"}"), (b"<", b">"), (b"- ", b""), (b"!", b""))
    )
    depth = chosen.choice((3, 50, 1200))
    return data[:at] + opening * depth + closing * chosen.choice((0, depth)) + data[at:]


_CHANGES: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    *(_put, _put, _gone, _gone, _replaced, _replaced, _flipped, _twice, _moved, _moved, _spliced, _cut, _nested),
)
