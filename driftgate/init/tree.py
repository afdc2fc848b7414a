"""Which files of a project may mirror something: a bounded walk, and a look at the bytes before anything is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from driftgate.declared.languages import suffixes

_INSTALLED: Final = frozenset(
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
        "__pycache__",
        "obj",
        "coverage",
        "zig-out",
        "zig-cache",
    }
)
"""Folders that hold what was installed, vendored or compiled."""

BUILT: Final = frozenset({"dist", "build", "out", "lib-cov"})
"""Folders that hold what was built out of the project; what is published there is looked at when nothing else is."""

_FOR_TESTS: Final = frozenset({"test", "tests", "__tests__", "fixtures", "testdata", "snapshots", "__snapshots__"})
"""Folders that hold copies for tests."""

_TOOLS: Final = re.compile(
    r"\.(git|hg|svn|venv|tox|nox|eggs|cache|npm|yarn|pnpm-store|next|nuxt|turbo|svelte-kit|parcel-cache|zig-cache|gradle"
    r"|idea|vscode|zed|direnv|terraform|driftgate|hypothesis|\w+_cache)"
)
"""Folders of tools, which nobody writes by hand."""

_MARKS: Final = ("pyvenv.cfg", "CACHEDIR.TAG", ".rustc_info.json")
"""Files by which a virtual environment, or a folder of a compiler, is told whatever it is called."""

_TEST_FILE: Final = re.compile(
    r"^test_|[._-](?:test|spec)s?\.[a-z]+$|^conftest\.py$|\.min\.[cm]?js$|-lock\.|^CHANGELOG", re.IGNORECASE
)

_LANGUAGES: Final = {
    ".ex": "Elixir",
    ".exs": "Elixir",
    ".lua": "Lua",
    ".dart": "Dart",
    ".scala": "Scala",
    ".c": "C",
    ".h": "C",
    ".cc": "C++",
    ".cpp": "C++",
    ".hpp": "C++",
    ".hs": "Haskell",
    ".ml": "OCaml",
    ".clj": "Clojure",
    ".fs": "F#",
    ".vue": "Vue",
    ".svelte": "Svelte",
    ".sh": "shell",
    ".toml": "TOML",
}
"""Languages that lists of events are written in, and that may have no reader."""

_LARGEST: Final = 1 << 20
_LARGEST_SCRIPT: Final = 128 << 10
"""A larger script is a bundle: nobody keeps a list in it by hand, and parsing it takes long."""
_MOST_FILES: Final = 20_000
_MOST_BYTES: Final = 256 << 20
_MOST_CANDIDATES: Final = 400
_FEWEST_NAMES: Final = 3
_FEWEST_TELLING: Final = 2
_WORDS: Final = (b"hook", b"event", b"lifecycle")
_OWN: Final = re.compile(rb"^driftgate: \d", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source file in which names of hook events stand. `language` is set where no reader knows it."""

    path: Path
    text: str
    language: str = ""


@dataclass(slots=True)
class Walk:
    """One walk over a project.

    `looked_at` counts the files; `bound` says why the walk ended early, if it did. `skipped` counts the folders that
    were not entered, by name. `progress` is told what was looked at.
    """

    root: Path
    built: bool = False
    progress: Callable[[int, Path], None] | None = None
    looked_at: int = 0
    read: int = 0
    bound: str = ""
    skipped: dict[str, int] = field(default_factory=dict)

    def candidates(self, telling: Iterable[str], others: Iterable[str] = ()) -> Iterator[Candidate]:
        """Yield the source files in which at least three names of events occur, in a stable order.

        Two of them must be of `telling`, which no other text has by chance; the rest may be of `others`.
        """
        spelt = tuple(name.encode() for name in sorted(telling))
        plain = tuple(name.encode() for name in sorted({*others} - {*telling}))
        found = 0
        for path, language in self._files():
            if self.looked_at >= _MOST_FILES or self.read >= _MOST_BYTES or found >= _MOST_CANDIDATES:
                self.bound = f"the project is large: only the first {self.looked_at} source files were looked at"
                return
            data = self._content(path)
            if self.progress is not None:
                self.progress(self.looked_at, path)
            if _tells(path.name.encode() + b"\n" + data, spelt, plain) and not _OWN.search(data):
                found += 1
                yield Candidate(path, data.decode(errors="replace"), language)

    def _files(self) -> Iterator[tuple[Path, str]]:
        known = suffixes()
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if self._enters(Path(folder, name)))
            for name in sorted(files):
                suffix = name[name.rfind(".") :].lower() if "." in name else ""
                language = "" if suffix in known else _LANGUAGES.get(suffix, "")
                if (suffix in known or language) and not _TEST_FILE.search(name) and not name.startswith("."):
                    yield Path(folder, name), language

    def _enters(self, folder: Path) -> bool:
        name = folder.name.lower()
        if _TOOLS.fullmatch(name):
            return False
        is_other = name in _INSTALLED or name in _FOR_TESTS or (name in BUILT and not self.built)
        if is_other or any((folder / mark).exists() for mark in _MARKS):
            self.skipped[name] = self.skipped.get(name, 0) + 1
            return False
        return True

    def _content(self, path: Path) -> bytes:
        """Return a file's bytes; none where it is a link, too large, binary or unreadable."""
        try:
            size = path.stat().st_size
            is_script = path.suffix.lower() in (".js", ".mjs", ".cjs", ".jsx")
            if path.is_symlink() or not path.is_file() or size > (_LARGEST_SCRIPT if is_script else _LARGEST):
                return b""
            data = path.read_bytes()
        except OSError:
            return b""
        self.looked_at += 1
        self.read += len(data)
        return b"" if b"\0" in data[:8192] else data


def _tells(data: bytes, telling: tuple[bytes, ...], others: tuple[bytes, ...]) -> bool:
    """Return whether a file may list hook events: it speaks of hooks or events at all, and has three of the names.

    The words come first because they are cheap to look for, and most files are done with them.
    """
    lower = data.lower()
    if not any(word in lower for word in _WORDS):
        return False
    there = _whole(data, telling)
    if len(there) < _FEWEST_TELLING:
        return False
    return len(there) >= _FEWEST_NAMES or len(there) + len(_whole(data, others)) >= _FEWEST_NAMES


def _whole(data: bytes, names: tuple[bytes, ...]) -> set[bytes]:
    """Return those of `names` that stand in `data` as words."""
    there = [name for name in names if name in data]
    if not there:
        return set()
    return set(re.findall(rb"(?<![\w.])(?:" + b"|".join(map(re.escape, there)) + rb")(?![\w.])", data))
