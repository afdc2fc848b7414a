"""What the source tree of an upstream states: the sets that its catalogue row finds in files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from driftgate.errors import ExtractionError
from driftgate.surface import FieldTable, Surface, Vocabulary, surface_of
from driftgate.upstreams.catalogue import UPSTREAMS, Upstream, Written


def written_in(path: Path, upstream: Upstream | None = None) -> Upstream | None:
    """Return the upstream whose source tree or source file `path` is; of `upstream` only, where that is given."""
    rows: Iterable[Upstream] = (upstream,) if upstream else UPSTREAMS.values()
    return next((row for row in rows if any(_file(path, each) for each in row.written)), None)


def _file(path: Path, row: Written) -> Path | None:
    if path.is_dir():
        file = path / row.path
        return file if file.is_file() else None
    return path if path.name == row.path.rsplit("/", 1)[-1] and path.is_file() else None


def read_written(upstream: Upstream, path: Path) -> Surface:
    """Return what the source tree (or the source file) at `path` states.

    A source tree has no release: its version is named after the bytes that were read. Raises DeclaredError where a set
    cannot be read, ExtractionError where one is missing or smaller than it must be.
    """
    held: dict[str, Vocabulary | FieldTable] = {}
    digest = hashlib.sha256()
    for row in upstream.written:
        file = _file(path, row)
        if file is None:
            raise ExtractionError(
                f"{row.set}: not found in {path}",
                where=str(path),
                expected=f"a checkout of {upstream.title} with {row.path}, or that file",
                next="upstream moved it, or this is another folder",
            )
        digest.update(file.read_bytes())
        held |= {one.name: one for one in _written(row, file)}
        size = len(member_names(held[row.set])) if row.set in held else 0
        if size < row.least:
            raise ExtractionError(
                f"{row.set}: not found, or smaller than it must be",
                where=str(file),
                expected=f"at least {row.least} members" + (f" in {row.name}" if row.name else ""),
                found=str(size),
                next="upstream renamed, moved or withheld it: look at what the file states now",
            )
    version = f"sha256-{digest.hexdigest()[:16]}"
    return replace(surface_of(held.values(), f"{upstream.title} ({path})"), version=version)


def _written(row: Written, file: Path) -> tuple[Vocabulary | FieldTable, ...]:
    from driftgate.declared import read_declared, read_file_surface  # only where a tree was found

    if row.name is None:
        return read_file_surface(file).sets()
    return (read_declared(f"{file.name}#{row.name}", root=file.parent, vocabulary=row.set),)


def member_names(held: Vocabulary | FieldTable) -> set[str]:
    """Return the names in a set: its members, or its rows and their fields."""
    return set(held.members or ()) if isinstance(held, Vocabulary) else set(held.rows)
