"""From what was named on a command line to texts: files, patterns, standard input. Never reads without bound."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final

from driftgate.releases import FileKind
from driftgate.settings.frontmatter import MARKDOWN, mentions_hooks
from driftgate.settings.pieces import Unreadable
from driftgate.settings.plugin import (
    AUTOMATIC,
    FOLDER,
    MANIFEST,
    Part,
    PartFault,
    marketplace_of,
    parts,
    parts_of_marketplace,
    plugin_root,
)
from driftgate.settings.scripts import PLUGIN_ROOT, PROJECT_DIR

STDIN: Final = "-"
READ_LIMIT: Final = 16 * 2**20
"""Bytes that are read of one file at the most: eight times what any release that has a limit takes."""

_PLUGIN_FILE: Final = "hooks.json"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one text. `size` is larger than `len(data)` where the text was too large to be read.

    `faults` are what is wrong with it as a part of its plugin; `folders` are what the variables in its commands stand
    for.
    """

    name: str
    kind: FileKind
    data: bytes
    size: int
    faults: tuple[PartFault, ...] = ()
    folders: Mapping[str, Path] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return self.size == len(self.data)


def sources(
    names: list[str], cwd: Path, stdin: BinaryIO, kind: FileKind | None = None
) -> Iterator[Source | Unreadable]:
    """Yield the text of each name, in order: a file, "-", a plugin's folder, or a pattern as `**/settings*.json`.

    `kind` is what the files are read as; None leaves it to their names (see `kind_by_name`). A plugin that is named by
    its folder or its manifest, or a marketplace, stands for all files of it that hold hooks; each file comes once.
    """
    expanded: set[Path] = set()
    for name in names:
        if name == STDIN:
            yield _read(stdin, "<stdin>", kind or FileKind.SETTINGS)
        elif glob.has_magic(name) and not (cwd / name).exists():
            # Path.glob takes no absolute pattern.
            found = sorted(glob.glob(name, root_dir=cwd, recursive=True, include_hidden=True))  # noqa: PTH207
            files = [one for one in found if not (cwd / one).is_dir()]
            if not files:
                yield Unreadable(name, f"0 documents matched {name}", "check the pattern, and the folder it starts in")
            for one in files:
                yield from _named(one, cwd, kind, expanded)
        else:
            yield from _named(name, cwd, kind, expanded)


def _named(name: str, cwd: Path, kind: FileKind | None, expanded: set[Path]) -> Iterator[Source | Unreadable]:
    path = cwd / name
    try:
        root = plugin_root(path) if kind is None and path.exists() else None
        market = marketplace_of(path) if kind is None and path.exists() else None
        known = path.resolve() in expanded
    except (OSError, ValueError):
        root, market, known = None, None, False  # opening it says what is the matter
    if root is None and market is None:
        if not known:
            yield _open(name, cwd, kind)
        return
    found = [*(parts_of_marketplace(market) if market is not None else ()), *(parts(root) if root is not None else ())]
    if not found:
        yield Unreadable(name, "holds no plugin of its own", "name the folder of a plugin")
    base = market.parent.parent if market is not None else root
    prefix = _prefix(name, path, base or path)
    for part in found:
        place = part.path.resolve()
        if part.inline is None and place in expanded:
            continue
        expanded.add(place)
        yield from _part(part, prefix / os.path.relpath(part.path, base))


def _prefix(name: str, path: Path, base: Path) -> Path:
    """Return the folder `base` as it is named by who named `path` as `name`."""
    above = len(path.parts) - len(base.parts)
    return Path(name).parents[above - 1] if above else Path(name)


def _part(part: Part, name: Path) -> Iterator[Source | Unreadable]:
    shown = name.as_posix() + part.label
    folders = {PLUGIN_ROOT: _root_of(part)}
    if part.inline is not None:
        data = part.inline.encode()
        yield Source(shown, part.kind, data, len(data), part.faults, folders)
        return
    try:
        with part.path.open("rb") as file:
            source = _read(file, shown, part.kind)
    except OSError as problem:
        yield Unreadable(shown, (problem.strerror or str(problem)).lower())
        return
    if part.kind in MARKDOWN and not mentions_hooks(source.data):
        return
    yield replace(source, faults=part.faults, folders=folders)


def _root_of(part: Part) -> Path:
    for folder in part.path.parents:
        if (folder / FOLDER).is_dir() or (folder / AUTOMATIC).is_file():
            return folder
    return part.path.parent


def kind_by_name(path: Path) -> FileKind:
    """Return what the file at `path` is, by its name.

    `hooks.json` and `.claude-plugin/plugin.json` are a plugin's; in Markdown the frontmatter is read.
    """
    if path.suffix == ".md":
        return FileKind.FRONTMATTER
    if path.name == _PLUGIN_FILE:
        return FileKind.PLUGIN_HOOKS
    is_manifest = path.name == MANIFEST and path.parent.name == FOLDER
    return FileKind.MANIFEST if is_manifest else FileKind.SETTINGS


def _open(name: str, cwd: Path, kind: FileKind | None) -> Source | Unreadable:
    path = cwd / name
    try:
        if path.is_dir():
            return Unreadable(name, "is a folder", f"name the files in it, e.g. {name.rstrip('/')}/**/settings*.json")
        with path.open("rb") as file:
            source = _read(file, name, kind or kind_by_name(path))
        return replace(source, folders=_folders(path.resolve(), source.kind, cwd))
    except OSError as problem:
        return Unreadable(name, (problem.strerror or str(problem)).lower())
    except ValueError as problem:  # a name with a NUL
        return Unreadable(name, str(problem))


def _folders(path: Path, kind: FileKind, cwd: Path) -> dict[str, Path]:
    """Return what the variables of a file's commands stand for: of settings, the project that they lie in."""
    if kind is FileKind.PLUGIN_HOOKS and path.parent.name == "hooks":
        return {PLUGIN_ROOT: path.parent.parent}
    if kind is not FileKind.SETTINGS:
        return {}
    return {PROJECT_DIR: path.parent.parent if path.parent.name == ".claude" else cwd}


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
