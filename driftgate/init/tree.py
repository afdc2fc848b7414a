"""Which files of a project may mirror something: a bounded walk, and a look at the bytes before anything is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from driftgate.declared.languages import suffixes

_SKIPPED: Final = frozenset(
    {
        "node_modules",
        "bower_components",
        "jspm_packages",
        "vendor",
        "vendored",
        "third_party",
        "thirdparty",
        "external",
        "site-packages",
        "venv",
        "env",
        "__pycache__",
        "dist",
        "build",
        "out",
        "target",
        "bin",
        "obj",
        "coverage",
        "zig-out",
        "zig-cache",
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "fixtures",
        "testdata",
        "examples",
        "snapshots",
    }
)
"""Folders that hold no constants of the project's own: what was installed, vendored or built, and copies for tests."""

_TEST_FILE: Final = re.compile(
    r"^test_|[._-](?:test|spec)s?\.[a-z]+$|^conftest\.py$|\.min\.[cm]?js$|-lock\.|^CHANGELOG", re.IGNORECASE
)

_LARGEST: Final = 1 << 20
_LARGEST_SCRIPT: Final = 128 << 10
"""A larger script is a bundle: nobody keeps a list in it by hand, and parsing it takes long."""
_MOST_FILES: Final = 20_000
_MOST_BYTES: Final = 256 << 20
_MOST_CANDIDATES: Final = 100
_FEWEST_NAMES: Final = 3
_WORDS: Final = (b"hook", b"event", b"lifecycle")
_OWN: Final = re.compile(rb"^driftgate: \d", re.MULTILINE)


@dataclass(slots=True)
class Walk:
    """One walk over a project. `looked_at` counts the files; `bound` says why the walk ended early, if it did."""

    root: Path
    looked_at: int = 0
    read: int = 0
    bound: str = ""

    def candidates(self, names: Iterable[str]) -> Iterator[Path]:
        """Yield the source files in which at least three of `names` occur, in a stable order."""
        spelt = tuple(name.encode() for name in sorted(names))
        found = 0
        for path in self._files():
            if self.looked_at >= _MOST_FILES or self.read >= _MOST_BYTES or found >= _MOST_CANDIDATES:
                self.bound = f"the project is large: only the first {self.looked_at} source files were looked at"
                return
            data = self._content(path)
            if _tells(path.name.encode() + b"\n" + data, spelt) and not _OWN.search(data):
                found += 1
                yield path

    def _files(self) -> Iterator[Path]:
        known = suffixes()
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name.lower() not in _SKIPPED)
            for name in sorted(files):
                suffix = name[name.rfind(".") :].lower() if "." in name else ""
                if suffix in known and not _TEST_FILE.search(name) and not name.startswith("."):
                    yield Path(folder, name)

    def _content(self, path: Path) -> bytes:
        """Return a file's bytes; none where it is a link, too large, binary or unreadable."""
        try:
            size = path.stat().st_size
            is_script = path.suffix.lower() in (".js", ".mjs", ".cjs", ".jsx")
            if path.is_symlink() or size > (_LARGEST_SCRIPT if is_script else _LARGEST):
                return b""
            data = path.read_bytes()
        except OSError:
            return b""
        self.looked_at += 1
        self.read += len(data)
        return b"" if b"\0" in data[:8192] else data


def _tells(data: bytes, names: tuple[bytes, ...]) -> bool:
    """Return whether a file may list hook events: it speaks of hooks or events at all, and has three of the names.

    The words come first because they are cheap to look for, and most files are done with them.
    """
    lower = data.lower()
    if not any(word in lower for word in _WORDS):
        return False
    there = [name for name in names if name in data]
    if len(there) < _FEWEST_NAMES:
        return False
    whole = re.compile(rb"(?<![\w.])(?:" + b"|".join(map(re.escape, there)) + rb")(?![\w.])")
    return len(set(whole.findall(data))) >= _FEWEST_NAMES
