"""Artefacts that lie on this machine: a tarball, a program, a script, a declaration file, an unpacked package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from driftgate.anchors.catalogue import program_of
from driftgate.anchors.identity import Identity, identity_of, refuse_stub
from driftgate.anchors.integrity import STRONG, Digests
from driftgate.anchors.stream import GZIP_MAGIC, blocks
from driftgate.anchors.tarball import MANIFEST, Tarball, survey
from driftgate.anchors.target import EXAMPLES
from driftgate.artefact import Artefact, Member
from driftgate.contract import HOOK_EVENTS
from driftgate.errors import AnchorError, UsageError
from driftgate.surface import Origin

_TEXT: Final = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
_PROGRAMS: Final = (
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\xca\xfe\xba\xbe", "a Mach-O program"),
    (b"#!", "a script"),
)
_TAR_MAGIC: Final = (257, b"ustar")
_HEAD: Final = 512
_SMALL: Final = 1 << 20
"""Below this a program is too small to be the real one, unless it can be seen that it is."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was named: `given` as it was written, `real` after following links."""

    given: str
    real: Path

    def __str__(self) -> str:
        absolute = Path(self.given).expanduser().absolute()
        return self.given if absolute == self.real else f"{self.given} -> {self.real}"


def find_local(given: str, path: Path) -> Artefact:
    """Return the artefact at `path`, which was written as `given`.

    Raises UsageError where nothing is there; AnchorError for what cannot be read or cannot be an artefact: an empty
    file, a wrapper, an archive of another kind, a stub package.
    """
    try:
        file = _File(given, path.resolve(strict=True))
        if file.real.is_dir():
            return _folder(file)
        with file.real.open("rb") as opened:
            head = opened.read(_HEAD)
    except FileNotFoundError as problem:
        raise UsageError(f"there is no {given}", where=str(path), expected=EXAMPLES) from problem
    except OSError as problem:
        raise AnchorError(f"cannot read {given}", where=str(path), found=problem.strerror or "") from problem
    if not head:
        raise AnchorError(f"{given} is empty", where=str(file), expected="a bundle, a program or a package")
    start, magic = _TAR_MAGIC
    if head.startswith(GZIP_MAGIC) or head[start : start + len(magic)] == magic:
        return _tarball(file)
    if file.real.name.endswith((".tgz", ".gz", ".tar")):
        raise AnchorError(
            f"{given} is not a tarball",
            where=str(file),
            found=f"{file.real.stat().st_size} bytes that begin like {_kind(head)}",
            next="fetch it again; a saved error page looks like this",
        )
    return _single(file, head)


def _kind(head: bytes) -> str:
    known = next((kind for magic, kind in _PROGRAMS if head.startswith(magic)), None)
    return known or ("a web page" if head.lstrip().startswith((b"<", b"{")) else "nothing known")


def _digest(path: Path) -> str:
    digests = Digests([STRONG])
    with path.open("rb") as file:
        for block in blocks(file):
            digests.feed(block)
    return digests.sri()


def _single(file: _File, head: bytes) -> Artefact:
    size = file.real.stat().st_size
    kind = "a text" if file.real.name.endswith(_TEXT) else _kind(head)
    if kind != "a text" and size < _SMALL and not _names_events(file.real):
        wrapper = "a script wrapper" if kind == "a script" else f"{kind} of that size"
        raise AnchorError(
            f"{file.given} is {size} bytes: {wrapper}, not a bundle",
            where=f"{file} (after resolving links)",
            expected="the program itself, or cli.js, an .mjs, a .d.ts, a tarball, a package folder",
            next="look into it for the path of the program that it starts, and give that path",
        )
    manifest = _beside(file.real)
    return _artefact(file, identity_of(manifest), _digest(file.real), partial(_one_member, file))


def _names_events(path: Path) -> bool:
    content = path.read_bytes()
    return any(event.encode() in content for event in HOOK_EVENTS)


def _one_member(file: _File) -> Iterator[Member]:
    yield _member(file.real, file.real.name)


def _member(path: Path, name: str) -> Member:
    return Member(name, path.stat().st_size, _chunks(path))


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as opened:
            yield from blocks(opened)
    except OSError as problem:
        raise AnchorError("cannot read a file", where=str(path), found=problem.strerror or "") from problem


def _beside(path: Path) -> Mapping[str, Any]:
    """Return the package.json of the package that a file belongs to; it lies beside it, or above its bin folder."""
    folders = [path.parent, path.parent.parent] if path.parent.name == "bin" else [path.parent]
    return next((found for folder in folders if (found := _manifest(folder))), {})


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        return _parsed((folder / MANIFEST).read_bytes())
    except OSError:
        return {}


def _parsed(text: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _wanted(identity: Identity, name: str) -> bool:
    known = program_of(identity.package) if identity.package else None
    return known is None or known[1].wants(name)


def _tarball(file: _File) -> Artefact:
    integrity, texts = survey(file.given, file.real, until=frozenset([MANIFEST]))
    identity = identity_of(_parsed(texts.get(MANIFEST, b"")))
    refuse_stub(identity)
    wanted = partial(_wanted, identity)
    tarball = Tarball(file.given, file.real, integrity, lambda: "it changed meanwhile; run again", wanted)
    return _artefact(file, identity, integrity, tarball.members)


def _folder(file: _File) -> Artefact:
    identity = identity_of(_manifest(file.real))
    names = sorted(_names(file.real, identity))
    if not names:
        refuse_stub(identity)
        raise AnchorError(
            f"{file.given} has nothing to read",
            where=str(file),
            expected="an unpacked package, with its scripts, declarations or program",
        )
    return _artefact(file, identity, None, partial(_members, file.real, tuple(names)))


def _names(folder: Path, identity: Identity) -> Iterator[str]:
    for path in folder.rglob("*"):
        below = path.relative_to(folder)
        if "node_modules" in below.parts or not path.is_file():
            continue
        name = below.as_posix()
        if identity.package and program_of(identity.package):
            # npm puts the program of the platform's package into bin/ of the main one.
            if _wanted(identity, name) or (name.startswith("bin/claude") and path.stat().st_size >= _SMALL):
                yield name
        elif name.endswith(_TEXT) or path.stat().st_size >= _SMALL:
            yield name


def _members(folder: Path, names: tuple[str, ...]) -> Iterator[Member]:
    for name in names:
        yield _member(folder / name, name)


def _artefact(file: _File, identity: Identity, integrity: str | None, members: Any) -> Artefact:
    origin = Origin(identity.package, identity.version, integrity, str(file))
    return Artefact(origin, identity.release, members)
