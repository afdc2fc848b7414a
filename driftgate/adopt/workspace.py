"""The files of a project while they are edited: what is on disk, and what will replace it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from driftgate.adopt.draft import Draft, Edit
from driftgate.adopt.unsafe import CannotEditError
from driftgate.declared.source import Source, instead, load, show_path

FOREIGN: Final = frozenset(
    {"node_modules", "site-packages", "dist-packages", "vendor", ".venv", "venv", "target", ".git"}
)
"""Folders of what others wrote, or tools made: nothing in them is edited or searched."""

_MOST_FILES: Final = 3000
_LARGEST: Final = 1 << 20

Edits = Mapping[Path, list[Edit]]
"""Edits by the (resolved) path of the file that they are for."""


@dataclass(slots=True)
class Workspace:
    """The project below `root`. `drafts` are the files edited so far, by path; nothing is on disk yet."""

    root: Path
    drafts: dict[Path, Draft] = field(default_factory=dict)
    _originals: dict[Path, bytes] = field(default_factory=dict)
    _listed: dict[str, list[Path]] = field(default_factory=dict)

    def path(self, shown: str) -> Path:
        """Return the file that places call `shown`. Raises `CannotEditError` where it is not the project's own."""
        path = (self.root / shown).resolve()
        root = self.root.resolve()
        if not path.is_relative_to(root) or FOREIGN & {*path.relative_to(root).parts}:
            raise CannotEditError("it is written in a file that is not this project's own")
        return path

    def draft(self, path: Path) -> Draft:
        """Return the file at `path` as it is edited so far."""
        if path in self.drafts:
            return self.drafts[path]
        if path not in self._originals:
            self._originals[path] = path.read_bytes()
        return Draft(path, show_path(path, self.root), self._originals[path])

    def original(self, path: Path) -> bytes:
        """Return what was on disk when the file was first looked at."""
        return self._originals[path]

    def source(self, path: Path) -> Source:
        """Return the file as the readers see it now."""
        with self.seen():
            return load(path, root=self.root)

    def seen(self) -> AbstractContextManager[None]:
        """Let the readers see the edited files instead of those on disk."""
        return instead({path: draft.raw for path, draft in self.drafts.items()})

    def apply(self, edits: Edits) -> None:
        """Edit the files, in memory."""
        for path, some in edits.items():
            self.drafts[path] = self.draft(path).edited(some)

    def changed(self) -> list[Draft]:
        """Return the files that differ from what is on disk, by their names."""
        drafts = [draft for path, draft in self.drafts.items() if draft.raw != self._originals[path]]
        return sorted(drafts, key=lambda draft: draft.shown)

    def files(self, suffix: str) -> list[Draft]:
        """Return the project's own files with `suffix`, a bounded number of them and none that is very large."""
        if suffix not in self._listed:
            self._listed[suffix] = list(islice(self._walk(suffix), _MOST_FILES))
        return [self.draft(path) for path in self._listed[suffix]]

    def _walk(self, suffix: str) -> Iterator[Path]:
        for folder, folders, names in os.walk(self.root.resolve()):
            folders[:] = sorted(name for name in folders if name not in FOREIGN and not name.startswith("."))
            for name in sorted(names):
                path = Path(folder, name)
                if name.endswith(suffix) and path.is_file() and path.stat().st_size <= _LARGEST:
                    yield path

    def beside(self, path: Path) -> Iterator[Path]:
        """Yield the files of the same kind in the folder of `path`."""
        for other in sorted(path.parent.glob(f"*{path.suffix}"))[:200]:
            if other != path and other.is_file() and other.stat().st_size <= _LARGEST:
                yield other
