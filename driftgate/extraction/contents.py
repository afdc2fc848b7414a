"""One pass over an artefact: its modules and declaration files, and what there was at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.artefact import Artefact, Member
from driftgate.errors import ExtractionError
from driftgate.extraction.javascript import windows
from driftgate.extraction.javascript.module import Module

_SCRIPTS: Final = (".js", ".mjs", ".cjs")
_DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")
_OTHERS: Final = (".json", ".map", ".md", ".node", ".ts", ".txt", ".wasm", ".ttf", ".css", ".html")
_VENDORED: Final = "/vendor/"
_HEAD: Final = 64
_CONTAINERS: Final = (
    (b"\x7fELF", "ELF"),
    (b"MZ", "PE"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Mach-O"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A member that was read: its name, its length in bytes, and how it begins."""

    name: str
    size: int
    head: bytes

    @property
    def container(self) -> str | None:
        """The format of the executable that it is: ELF, PE or Mach-O."""
        return next((name for magic, name in _CONTAINERS if self.head.startswith(magic)), None)


@dataclass(frozen=True, slots=True)
class Contents:
    """What one pass kept: the modules that hold a needle, the declaration files, and a line on each member."""

    modules: tuple[Module, ...]
    declarations: tuple[tuple[str, bytes], ...]
    seen: tuple[Seen, ...]

    def container(self, member: str) -> str | None:
        """Return the executable format of a member that was read."""
        return next((each.container for each in self.seen if each.name == member), None)


class _Counted:
    """The chunks of a member, counted as they pass."""

    def __init__(self, member: Member) -> None:
        self._chunks = member.chunks
        self.size = 0
        self.head = b""

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if len(self.head) < _HEAD:
                self.head = (self.head + chunk[:_HEAD])[:_HEAD]
            self.size += len(chunk)
            yield chunk


def contents_of(artefact: Artefact) -> Contents:
    """Read an artefact once, to its end, so that its integrity is checked before anything in it is believed.

    Raises ExtractionError for a text that is longer than any module can be; AnchorError as the pass does.
    """
    modules: list[Module] = []
    declarations: list[tuple[str, bytes]] = []
    seen: list[Seen] = []
    for member in artefact.open_members():
        counted = _Counted(member)
        if member.name.endswith(_DECLARATIONS):
            declarations.append((member.name, b"".join(counted)))
        elif member.name.endswith(_OTHERS) or _VENDORED in member.name:
            continue
        else:
            modules += _modules(artefact, member.name, counted)
        seen.append(Seen(member.name, counted.size, counted.head))
    return Contents(tuple(modules), tuple(declarations), tuple(seen))


def _modules(artefact: Artefact, name: str, chunks: _Counted) -> Iterator[Module]:
    file = name.rsplit("/", 1)[-1] if name.endswith(_SCRIPTS) else None
    try:
        # A script is kept whole: it is small, and may be written in any way. A program is mostly something else.
        for run in windows.runs(chunks) if file is None else windows.whole(chunks):
            yield Module(name, run.offset, run.text, file)
    except windows.RunTooLongError as error:
        raise ExtractionError(
            f"{name} holds a text that is longer than any module can be",
            where=f"{artefact.origin}, {name}",
            expected=f"at most {windows.MAX_RUN} bytes without a NUL byte",
            next="check that this is the program itself",
        ) from error
