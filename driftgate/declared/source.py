"""One source file: its text, how it is shown to people, and places in it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from driftgate.errors import DeclaredError
from driftgate.surface import Place


class Source(NamedTuple):
    """A file that was read. `shown` is its path as people see it: under `root` where it lies there, with slashes.

    `text` has LF line ends and no byte order mark, `lines` are its lines in UTF-8. `beside` are further files that
    imports may be found in.
    """

    path: Path
    root: Path
    shown: str
    text: str
    lines: tuple[bytes, ...]
    beside: tuple[Path, ...] = ()

    def place(self, line: int, byte_column: int) -> Place:
        """Return the place at `line` (from 1) and `byte_column` (from 0, in UTF-8 bytes, as parsers count)."""
        before = self.lines[line - 1][:byte_column] if line <= len(self.lines) else b""
        return Place(self.shown, line=line, column=len(before.decode(errors="replace")) + 1)


def source_of(path: Path, root: Path, shown: str, text: str, beside: tuple[Path, ...] = ()) -> Source:
    """Return a source of a text that is at hand."""
    return Source(path, root, shown, text, tuple(line.encode() for line in text.split("\n")), beside)


def show_path(path: Path, root: Path) -> str:
    """Return `path` as people see it: relative to `root` where it lies under it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def load(path: Path, *, root: Path, beside: tuple[Path, ...] = ()) -> Source:
    """Read the file at `path`.

    Raises:
        DeclaredError: it is missing, not a file, or not UTF-8.
    """
    shown = show_path(path, root)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as e:
        raise DeclaredError(
            f"{shown} does not exist", where=str(root), next="correct the path in the configuration"
        ) from e
    except UnicodeDecodeError as e:
        raise DeclaredError(
            f"{shown} is not UTF-8 (byte {e.start})", where=shown, expected="a source file in UTF-8"
        ) from e
    except OSError as e:
        raise DeclaredError(f"{shown} cannot be read: {e.strerror}", where=shown) from e
    return source_of(path, root, shown, text.replace("\r\n", "\n").replace("\r", "\n"), beside)
