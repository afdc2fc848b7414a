"""Files that were parsed: each once, however many sets, imports and upstreams ask for it.

What is kept is checked whenever it is asked for: by the text where that is at hand, else by the file's time and size
(a file that was written just now is read again, as git does: its time may not tell the next change from it). The least
recently used go first.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from driftgate.declared.source import Source, is_stood_in_for, load

_MOST_CHARACTERS: Final = 32 << 20
_SETTLED: Final = 2_000_000_000
"""Nanoseconds after which a change of a file surely has another time."""

Parsed = TypeVar("Parsed")
Signature = tuple[int, int, int]


@dataclass(slots=True)
class _Entry:
    source: Source
    parsed: Any
    signature: Signature | None


class _Kept(OrderedDict[Hashable, _Entry]):
    """The entries, the least recently used first, and how many characters they hold."""

    characters = 0

    def keep(self, key: Hashable, entry: _Entry) -> None:
        """Add an entry, or move it to the end; let go of the oldest where they are too many."""
        self.drop(key)
        self[key] = entry
        self.characters += len(entry.source.text)
        while self.characters > _MOST_CHARACTERS and len(self) > 1:
            self.drop(next(iter(self)))

    def drop(self, key: Hashable) -> None:
        """Let go of an entry, if it is there."""
        gone = self.pop(key, None)
        self.characters -= len(gone.source.text) if gone else 0


_KEPT: Final = _Kept()


class Opened(Generic[Parsed]):
    """The files that one language has parsed. `parse` makes of a text what is kept of it."""

    def __init__(self, parse: Callable[[Source], Parsed]) -> None:
        self.parse = parse

    def of(self, source: Source) -> Parsed:
        """Return what a text that is at hand was parsed to."""
        key = self._key(source.path, source.root, source.beside)
        entry = _KEPT.get(key)
        if entry is None or entry.source.text != source.text or entry.source.shown != source.shown:
            entry = _Entry(source, self.parse(source), None)
        return self._keep(key, entry)

    def at(self, path: Path, beside: Source) -> Parsed:
        """Return what the file at `path`, of the same project as `beside`, was parsed to.

        Raises:
            DeclaredError: it cannot be read.
        """
        key, signature = self._key(path, beside.root, beside.beside), _signature(path)
        entry = _KEPT.get(key)
        if entry is None or signature is None or entry.signature != signature:
            source = load(path, root=beside.root, beside=beside.beside)
            is_same = entry is not None and entry.source.text == source.text
            entry = _Entry(source, entry.parsed if entry and is_same else self.parse(source), signature)
        return self._keep(key, entry)

    def forget(self, source: Source) -> None:
        """Parse a text anew when it is next asked for."""
        _KEPT.drop(self._key(source.path, source.root, source.beside))

    def _key(self, path: Path, root: Path, beside: tuple[Path, ...]) -> Hashable:
        return self.parse, path, root, beside

    def _keep(self, key: Hashable, entry: _Entry) -> Parsed:
        _KEPT.keep(key, entry)
        parsed: Parsed = entry.parsed
        return parsed


def _signature(path: Path) -> Signature | None:
    """The time, size and identity of a file; None where it is too new, or gone, or another text stands in for it."""
    if is_stood_in_for(path):
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    settled = time.time_ns() - found.st_mtime_ns > _SETTLED
    return (found.st_mtime_ns, found.st_size, found.st_ino) if settled else None
