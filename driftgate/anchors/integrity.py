"""Subresource Integrity, the form in which npm states digests: https://www.w3.org/TR/SRI/."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

STRONG: Final = "sha512"
"""The algorithm that everything is kept and recorded by."""

_ALGORITHMS: Final = ("sha512", "sha384", "sha256", "sha1")
_ITEM: Final = re.compile(r"(sha\d+)-([A-Za-z0-9+/]+={0,2})(?:\?\S*)?\Z")


@dataclass(frozen=True, slots=True)
class Integrity:
    """What the bytes must hash to: one of `digests` (raw bytes), by `algorithm`."""

    algorithm: str
    digests: frozenset[bytes]

    @classmethod
    def parse(cls, text: str) -> Integrity | None:
        """Return the strongest statement of `text` ("sha512-<base64> sha1-<base64>"); None where it makes none."""
        found: dict[str, set[bytes]] = {}
        for item in text.split():
            if match := _ITEM.match(item):
                try:
                    found.setdefault(match[1], set()).add(base64.b64decode(match[2], validate=True))
                except binascii.Error:
                    continue
        for algorithm in _ALGORITHMS:
            if digests := {digest for digest in found.get(algorithm, ()) if len(digest) == size_of(algorithm)}:
                return cls(algorithm, frozenset(digests))
        return None

    def allows(self, digest: bytes) -> bool:
        """Return whether `digest`, made by `algorithm`, is one of those stated."""
        return digest in self.digests

    def contradicts(self, other: Integrity) -> bool:
        """Return whether no bytes can fit both. Statements by different algorithms say nothing about each other."""
        return self.algorithm == other.algorithm and not self.digests & other.digests

    def __str__(self) -> str:
        return " ".join(sri(self.algorithm, digest) for digest in sorted(self.digests))


def size_of(algorithm: str) -> int:
    """Return the length of a digest in bytes."""
    return hashlib.new(algorithm, usedforsecurity=False).digest_size


def sri(algorithm: str, digest: bytes) -> str:
    """Return `digest` as an SRI item."""
    return f"{algorithm}-{base64.b64encode(digest).decode()}"


def of_shasum(shasum: str) -> Integrity | None:
    """Return the statement that old packages make instead: `shasum`, a SHA-1 in hexadecimal."""
    try:
        digest = bytes.fromhex(shasum)
    except ValueError:
        return None
    return Integrity("sha1", frozenset([digest])) if len(digest) == size_of("sha1") else None


class Digests:
    """The digests of a stream of bytes, by several algorithms at once. `size` counts what was fed."""

    def __init__(self, algorithms: Iterable[str]) -> None:
        # SHA-1 is no protection; it is all that the oldest packages state.
        self._hashes = {name: hashlib.new(name, usedforsecurity=False) for name in algorithms}
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self.size += len(data)
        for each in self._hashes.values():
            each.update(data)

    def __getitem__(self, algorithm: str) -> bytes:
        return self._hashes[algorithm].digest()

    def sri(self, algorithm: str = STRONG) -> str:
        """Return the digest by `algorithm` in SRI form."""
        return sri(algorithm, self[algorithm])
