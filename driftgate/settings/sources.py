"""From what was named on a command line to texts: files, patterns, standard input. Never reads without bound."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from driftgate.releases import FileKind
from driftgate.settings.pieces import Unreadable

STDIN: Final = "-"
READ_LIMIT: Final = 16 * 2**20
"""Bytes that are read of one file at the most: eight times what any release that has a limit takes."""

_PLUGIN_FILE: Final = "hooks.json"
MANIFEST_FOLDER: Final = ".claude-plugin"
MANIFEST_FILE: Final = "plugin.json"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one text. `size` is larger than `len(data)` where the text was too large to be read."""

    name: str
    kind: FileKind
    data: bytes
    size: int

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return self.size == len(self.data)


def sources(
    names: list[str], cwd: Path, stdin: BinaryIO, kind: FileKind | None = None
) -> Iterator[Source | Unreadable]:
    """Yield the text of each name, in order: a file, "-", or a pattern such as `**/settings*.json`.

    `kind` is what the files are read as; None leaves it to their names (see `kind_by_name`).
    """
    for name in names:
        if name == STDIN:
            yield _read(stdin, "<stdin>", kind or FileKind.SETTINGS)
        elif glob.has_magic(name) and not (cwd / name).exists():
            # Path.glob takes no absolute pattern.
            found = sorted(glob.glob(name, root_dir=cwd, recursive=True, include_hidden=True))  # noqa: PTH207
            files = [one for one in found if not (cwd / one).is_dir()]
            if not files:
                yield Unreadable(name, f"0 documents matched {name}", "check the pattern, and the folder it starts in")
            yield from (_open(one, cwd, kind) for one in files)
        else:
            yield _open(name, cwd, kind)


def kind_by_name(path: Path) -> FileKind:
    """Return what the file at `path` is, by its name: `hooks.json` and `.claude-plugin/plugin.json` are a plugin's."""
    if path.name == _PLUGIN_FILE:
        return FileKind.PLUGIN_HOOKS
    return (
        FileKind.MANIFEST if path.name == MANIFEST_FILE and path.parent.name == MANIFEST_FOLDER else FileKind.SETTINGS
    )


def _open(name: str, cwd: Path, kind: FileKind | None) -> Source | Unreadable:
    path = cwd / name
    try:
        if path.is_dir():
            return Unreadable(name, "is a folder", f"name the files in it, e.g. {name.rstrip('/')}/**/settings*.json")
        with path.open("rb") as file:
            return _read(file, name, kind or kind_by_name(path))
    except OSError as problem:
        return Unreadable(name, (problem.strerror or str(problem)).lower())
    except ValueError as problem:  # a name with a NUL
        return Unreadable(name, str(problem))


def _read(file: BinaryIO, name: str, kind: FileKind) -> Source:
    size = _regular_size(file)
    if size is not None and size > READ_LIMIT:
        return Source(name, kind, b"", size)
    data = file.read(READ_LIMIT + 1)
    return Source(name, kind, data, len(data)) if len(data) <= READ_LIMIT else Source(name, kind, b"", len(data))


def _regular_size(file: BinaryIO) -> int | None:
    """Return the size of a regular file; None for a pipe or a device, which have none."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
