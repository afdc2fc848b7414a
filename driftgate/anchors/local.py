"""Artefacts that lie on this machine: a tarball, a program, a script, a declaration file, an unpacked package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from driftgate.anchors.identity import Identity, identity_of, refuse_stub
from driftgate.anchors.stream import GZIP_MAGIC
from driftgate.anchors.tarball import MANIFEST, Tarball, survey
from driftgate.anchors.unpacked import SMALL, TEXT, digest, members, names_in
from driftgate.artefact import Artefact, Member
from driftgate.errors import AnchorError, UsageError
from driftgate.formats.data import data_object
from driftgate.surface import Origin
from driftgate.upstreams.catalogue import program_of

_PROGRAMS: Final = (
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\xca\xfe\xba\xbe", "a Mach-O program"),
    (b"#!", "a script"),
)
EXPECTED: Final = "./file.tgz, ./cli.js, ./sdk.d.ts, ./folder"
_TAR_MAGIC: Final = (257, b"ustar")
_HEAD: Final = 512
_TOO_SMALL: Final = {
    "a script": "a script wrapper",
    **{kind: f"{kind} too small to be the real one" for _, kind in _PROGRAMS if kind.endswith("program")},
}


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
        if not file.real.is_file():
            raise AnchorError(f"{given} is no file", where=str(file), next="pipes can be read only once: save it first")
        with file.real.open("rb") as opened:
            head = opened.read(_HEAD)
    except (FileNotFoundError, NotADirectoryError) as problem:
        raise UsageError(f"there is no {given}", where=str(path), expected=EXPECTED) from problem
    except (OSError, RuntimeError) as problem:  # RuntimeError: links that lead in a circle, up to Python 3.12
        found = getattr(problem, "strerror", None) or "links that lead in a circle"
        raise AnchorError(f"cannot read {given}", where=str(path), found=found) from problem
    if not head:
        raise AnchorError(f"{given} is empty", where=str(file), expected="a bundle, a program or a package")
    start, magic = _TAR_MAGIC
    if head.startswith(GZIP_MAGIC) or head[start : start + len(magic)] == magic:
        return _tarball(file)
    if file.real.name.endswith((".tgz", ".gz", ".tar")):
        raise AnchorError(
            f"{given} is not a tarball",
            where=str(file),
            found=f"{file.real.stat().st_size} bytes that look like {_kind(head)}",
            next="fetch it again; a saved error page looks like this",
        )
    return _single(file, head)


def _kind(head: bytes) -> str:
    known = next((kind for magic, kind in _PROGRAMS if head.startswith(magic)), None)
    return known or ("a web page" if head.lstrip().startswith((b"<", b"{")) else "a file of no known kind")


def _single(file: _File, head: bytes) -> Artefact:
    size = file.real.stat().st_size
    if not file.real.name.endswith(TEXT) and size < SMALL and not _speaks_of_hooks(file.real):
        kind = _kind(head)
        raise AnchorError(
            f"{file.given} is {size} bytes: {_TOO_SMALL.get(kind, kind)}, not a bundle",
            where=f"{file} (after resolving links)",
            expected="the program itself, or cli.js, an .mjs, a .d.ts, a tarball, a package folder",
            next="look into it for the path of the program that it starts, and give that path",
        )
    folder, name = file.real.parent, file.real.name
    return _artefact(file, _owner(folder), digest(file.real), partial(members, folder, (name,)))


def _speaks_of_hooks(path: Path) -> bool:
    """Return whether a small file may be a bundle all the same; if it is none, extraction says so."""
    return b"ToolUse" in path.read_bytes()  # a part of event names that every release has


def _owner(folder: Path) -> Identity:
    """Return the known package that a file in `folder` belongs to; its package.json is there, or above bin/."""
    for place in (folder, folder.parent) if folder.name == "bin" else (folder,):
        identity = identity_of(_manifest(place))
        if identity.package and program_of(identity.package):
            return identity
    return Identity()


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        return data_object((folder / MANIFEST).read_bytes())
    except OSError:
        return {}


def _wanted(identity: Identity, name: str) -> bool:
    known = program_of(identity.package) if identity.package else None
    return known is None or known[1].wants(name)


def _tarball(file: _File) -> Artefact:
    integrity, texts = survey(file.given, file.real, frozenset([MANIFEST]))
    identity = identity_of(data_object(texts.get(MANIFEST, b"")))
    refuse_stub(identity)
    wanted = partial(_wanted, identity)
    tarball = Tarball(file.given, file.real, integrity, lambda: "it changed meanwhile; run again", wanted)
    return _artefact(file, identity, integrity, tarball.members)


def _folder(file: _File) -> Artefact:
    """Return the artefact that an unpacked package is; the folder around its package/ will do too."""
    inner = file.real / "package"
    folder = inner if (inner / MANIFEST).is_file() and not (file.real / MANIFEST).is_file() else file.real
    identity = identity_of(_manifest(folder))
    names = tuple(names_in(folder, identity)) if (folder / MANIFEST).is_file() else ()
    if not names:
        refuse_stub(identity)
        raise AnchorError(
            f"{file.given} is no package folder that has anything to read",
            where=str(file),
            expected=f"an unpacked package: {MANIFEST}, and its scripts, declarations or program",
        )
    return _artefact(file, identity, None, partial(members, folder, names))


def _artefact(
    file: _File, identity: Identity, integrity: str | None, passes: Callable[[], Iterator[Member]]
) -> Artefact:
    origin = Origin(identity.package, identity.version, integrity, str(file))
    return Artefact(origin, identity.release, passes)
