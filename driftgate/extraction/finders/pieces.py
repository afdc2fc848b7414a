"""From an artefact to the pieces that a finder looks into: JavaScript modules, and declaration files as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.finders.usage import parse_usage
from driftgate.extraction.javascript import windows
from driftgate.extraction.javascript.module import Module
from driftgate.upstreams.finder import Finder, Form

_DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")
_SCRIPTS: Final = (".js", ".mjs", ".cjs")
_OTHERS: Final = (".json", ".md", ".map", ".css", ".wasm", ".html", ".ts", ".txt")
"""Suffixes of files that are no bundle. A native program, which holds one, has none or `.exe`."""

HELPERS: Final = windows.NEEDLES[2:]
"""What the definitions of a schema library's kinds hold: without them, the short names of its helpers mean nothing."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one pass over an artefact kept: modules, declaration files (name, text), and the names of all members."""

    modules: tuple[Module, ...]
    declarations: tuple[tuple[str, bytes], ...]
    names: tuple[str, ...]


def pieces_of(artefact: Artefact, finders: Iterable[Finder]) -> Pieces:
    """Read an artefact once, keeping what holds a name that one of `finders` looks for, or a use of it.

    Of a native program only what holds a name is kept: it is hundreds of megabytes, and uses are everywhere.

    Raises ExtractionError for a text that is longer than any module can be; AnchorError where the artefact cannot be
    read or is not the one that was pinned.
    """
    asked = tuple(finders)
    in_bundle = [finder for finder in asked if finder.contains]
    needles = tuple(dict.fromkeys(needle for finder in in_bundle for needle in _needles(finder)))
    helpers = HELPERS if any(finder.used_by for finder in in_bundle) else ()
    uses = tuple({parse_usage(f.used_by).word.encode() for f in in_bundle if f.used_by} - {b""})
    exports = tuple({finder.export.replace("*", "").encode() for finder in asked if finder.export})
    modules: list[Module] = []
    declarations: list[tuple[str, bytes]] = []
    names: list[str] = []
    for member in artefact.open_members():
        names.append(member.name)
        wanting = [finder for finder in asked if within(finder, member.name)]
        if member.name.endswith(_DECLARATIONS):
            text = member.read() if exports and wanting else b""
            if any(name in text for name in exports):
                declarations.append((member.name, text))
        elif needles and wanting and not member.name.endswith(_OTHERS):
            in_script = uses if member.name.endswith(_SCRIPTS) else ()
            modules += _modules(member.name, member.chunks, (*needles, *helpers, *in_script))
    return Pieces(tuple(modules), tuple(declarations), tuple(names))


def _needles(finder: Finder) -> Iterator[bytes]:
    for name in finder.contains:
        yield from (name.encode(),) if Form.KEYS in finder.forms else (f'"{name}"'.encode(), f"'{name}'".encode())


def within(finder: Finder, name: str) -> bool:
    """Return whether `finder` looks into the member called `name`; its pattern is below the archive's top folder."""
    below = name.partition("/")[2] or name
    return finder.member is None or fnmatchcase(below, finder.member) or fnmatchcase(name, finder.member)


def _modules(name: str, chunks: Iterable[bytes], needles: tuple[bytes, ...]) -> Iterator[Module]:
    file = name.rsplit("/", 1)[-1] if name.endswith(_SCRIPTS) else None
    try:
        for run in windows.runs(chunks, needles):
            yield Module(name, run.offset, run.text, file)
    except windows.RunTooLongError as problem:
        raise ExtractionError(
            f"{name} holds a text that is longer than any module can be",
            where=name,
            expected=f"at most {windows.MAX_RUN} bytes between two NUL bytes",
        ) from problem
