"""One source file: its text, how it is shown to people, and places in it."""

from __future__ import annotations

import stat
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Final

from driftgate.errors import DeclaredError
from driftgate.surface import Place, Span

LARGEST: Final = 2 << 20
"""The most bytes of one source file that are read."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read. `shown` is its path as people see it: under `root` where it lies there, with slashes.

    `text` has LF line ends and no byte order mark, `lines` are its lines in UTF-8, `starts` the byte at which each
    begins. `beside` are further files that imports may be found in.
    """

    path: Path
    root: Path
    shown: str
    text: str
    beside: tuple[Path, ...] = ()
    lines: tuple[bytes, ...] = field(init=False, compare=False, repr=False)
    starts: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Cut the text into lines, once."""
        lines = tuple(line.encode() for line in self.text.split("\n"))
        object.__setattr__(self, "lines", lines)
        object.__setattr__(self, "starts", (0, *accumulate(len(line) + 1 for line in lines[:-1])))

    def place(self, line: int, byte_column: int, span: Span | None = None) -> Place:
        """Return the place at `line` (from 1) and `byte_column` (from 0, in UTF-8 bytes, as parsers count)."""
        before = self.lines[line - 1][:byte_column] if line <= len(self.lines) else b""
        return Place(self.shown, line=line, column=len(before.decode(errors="replace")) + 1, span=span)

    def offset(self, line: int, byte_column: int) -> int:
        """Return the byte at `line` (from 1) and `byte_column` (from 0)."""
        return self.starts[min(line, len(self.starts)) - 1] + byte_column

    def at_bytes(self, start: int, end: int, form: str) -> Place:
        """Return the place of the bytes [start, end)."""
        line = bisect_right(self.starts, start)
        return self.place(line, start - self.starts[line - 1], Span(start, end, form))

    def at_characters(self, line: int, column: int, end: tuple[int, int] | None, form: str) -> Place:
        """Return the place at `line` and `column`, both from 1, in characters, that ends before `end`."""
        start = self._byte(line, column)
        span = Span(start, self._byte(*end), form) if end else None
        return Place(self.shown, line=line, column=column, span=span)

    def _byte(self, line: int, column: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else b""
        return self.offset(line, len(text.decode()[: column - 1].encode()))


def source_of(path: Path, root: Path, shown: str, text: str, beside: tuple[Path, ...] = ()) -> Source:
    """Return a source of a text that is at hand."""
    return Source(path, root, shown, text, beside)


def show_path(path: Path, root: Path) -> str:
    """Return `path` as people see it: relative to `root` where it lies under it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def load(path: Path, *, root: Path, beside: tuple[Path, ...] = ()) -> Source:
    """Read the file at `path`.

    Raises:
        DeclaredError: it is missing, not a file, too large, or not UTF-8.
    """
    shown = show_path(path, root)
    try:
        text = _content(path, shown).decode("utf-8-sig")
    except FileNotFoundError as e:
        raise DeclaredError(
            f"{shown} does not exist", where=str(root), next="correct the path in the configuration"
        ) from e
    except UnicodeDecodeError as e:
        raise DeclaredError(
            f"{shown} is not UTF-8 (byte {e.start})", where=shown, expected="a source file in UTF-8"
        ) from e
    except (OSError, ValueError) as e:  # ValueError: a NUL in the path
        raise DeclaredError(f"{shown} cannot be read: {getattr(e, 'strerror', None) or e}", where=shown) from e
    return source_of(path, root, shown, text.replace("\r\n", "\n").replace("\r", "\n"), beside)


_INSTEAD: Final[ContextVar[Mapping[Path, bytes]]] = ContextVar("instead", default=MappingProxyType({}))


@contextmanager
def instead(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Let `load` read `contents` (resolved path -> bytes) in place of what stands on disk, until the block is left.

    So an edited file is read before it replaces the one that is there.
    """
    token = _INSTEAD.set(MappingProxyType(dict(contents)))
    try:
        yield
    finally:
        _INSTEAD.reset(token)


def is_stood_in_for(path: Path) -> bool:
    """Return whether `load` does not read the file at `path` itself just now."""
    contents = _INSTEAD.get()
    return bool(contents) and path.resolve() in contents


def _content(path: Path, shown: str) -> bytes:
    if contents := _INSTEAD.get():
        content = contents.get(path.resolve())
        if content is not None:
            return content
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    if not stat.S_ISREG(found.st_mode):
        raise DeclaredError(f"{shown} is no file", where=shown, expected="a source file", found="a device or a pipe")
    if found.st_size > LARGEST:
        raise DeclaredError(
            f"{shown} is too large to be read",
            where=shown,
            expected=f"a source file of at most {LARGEST >> 20} MiB",
            found=f"{found.st_size} bytes",
            next="point to the file in which the set is written by hand",
        )
    return path.read_bytes()
