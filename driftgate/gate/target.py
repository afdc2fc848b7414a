"""What people ask to look at, parsed once: a release, a package version, a snapshot, a source, an artefact.

Every command that takes such a thing parses it here, at its edge; what is passed on is a `Target`, never a string.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final

from driftgate.errors import ConfigError, UsageError
from driftgate.versions import is_version

EXAMPLES: Final = (
    "2.1.296, latest, npm:@scope/name@1.2.3, ./file.tgz, ./cli.js, ./sdk.d.ts, ./folder, src/hooks.py#HOOK_EVENTS"
)

_SPEC: Final = re.compile(r"(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*@(?P<version>[^@/\s]+)\Z")
_EXACT: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\Z")
_FILE: Final = re.compile(r"\.(tgz|tar|tar\.gz|[cm]?js|[cm]?ts|exe|ya?ml)\Z", re.IGNORECASE)
_SNAPSHOTS: Final = frozenset({".yaml", ".yml"})
_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs"})


class TargetKind(StrEnum):
    """The things that can be looked at."""

    PINNED = "pinned"
    """The anchor of the project's snapshot, which must also say what the snapshot says."""
    PROJECT = "project"
    """The project's own snapshot, as it stands there."""
    RELEASE = "release"
    LATEST = "latest"
    PACKAGE = "package"
    SNAPSHOT = "snapshot"
    """A snapshot's file."""
    SOURCE = "source"
    """A file that declares sets, or one set in it."""
    SCRIPT = "script"
    """A small script: a bundle, or else a module that declares sets."""
    CHECKOUT = "checkout"
    """The source tree of an upstream that is read from there."""
    ARTEFACT = "artefact"
    """A tarball, program, bundle, declaration file or unpacked package on this machine."""


@dataclass(frozen=True, slots=True)
class Target:
    """What to look at, as it was written (`text`) and as it is meant.

    `version` is the release's (RELEASE) or the package's (PACKAGE: exact, or the tag "latest"); `package` the npm
    package; `path` the file or folder of the kinds that have one; `spec` (SOURCE) names one set in that file, as
    `driftgate.declared.read_declared` reads it below the folder of the file; `upstream` (CHECKOUT) whose tree it is.
    """

    kind: TargetKind
    text: str
    package: str | None = None
    version: str | None = None
    path: Path | None = None
    spec: str | None = None
    upstream: str | None = None

    def __str__(self) -> str:
        return self.text


PINNED: Final = Target(TargetKind.PINNED, "pinned")
SNAPSHOT: Final = Target(TargetKind.PROJECT, "snapshot")
_OF_A_PROJECT: Final = MappingProxyType({target.text: target for target in (PINNED, SNAPSHOT)})
LATEST: Final = Target(TargetKind.LATEST, "latest")


def release(version: str) -> Target:
    """Return the target that a release is."""
    return Target(TargetKind.RELEASE, version, version=version)


def package(name: str, version: str) -> Target:
    """Return the target that one version of an npm package is."""
    return Target(TargetKind.PACKAGE, f"npm:{name}@{version}", package=name, version=version)


def parse_target(text: str, directory: Path | None = None) -> Target:
    """Return what `text` names; relative paths start at `directory` (default: the current one), `~` at home.

    Raises UsageError, with an example, for what is ambiguous or names nothing.
    """
    if text in _OF_A_PROJECT:
        return _OF_A_PROJECT[text]
    base = directory or Path.cwd()
    if text.startswith("npm:"):
        return _package(text)
    if one_set := _one_set(text, base):
        return one_set
    if _looks_like_a_path(text):
        return _local(text, base / Path(text).expanduser())
    there = bool(text) and (base / text).exists()
    if text == LATEST.text or is_version(text):
        if there:
            raise UsageError(
                f"{text} is a release, and there is a file of that name",
                next=f"./{text} for the file; the release only from another folder",
            )
        if text == LATEST.text:
            return LATEST
        if _EXACT.match(text):
            return release(text)
    if there:
        return _local(text, base / text)
    raise UsageError(f"not something to look at: {text!r}", expected=EXAMPLES, next=_guess(text))


def _looks_like_a_path(text: str) -> bool:
    if re.match(r"[a-z][a-z0-9+]+://", text) or text.startswith("@"):
        return False
    return "/" in text or "\\" in text or text.startswith((".", "~")) or _FILE.search(text) is not None


def _one_set(text: str, base: Path) -> Target | None:
    """Return the target that `path#NAME` (or `reader:path#NAME`) is, if `text` has that form and is no file itself."""
    place, hash_, name = text.partition("#")
    if not (hash_ and place and name) or "://" in place or (base / Path(text).expanduser()).exists():
        return None
    from driftgate.declared.spec import parse_spec  # most targets are not of this form

    try:
        parsed = parse_spec(text)
    except ConfigError as problem:
        raise UsageError(problem.what, expected=problem.expected, found=problem.found, next=problem.next) from problem
    path = base / Path(parsed.path).expanduser()
    return Target(TargetKind.SOURCE, text, path=path, spec=f"{parsed.reader}:{path.name}#{parsed.name}")


def _local(text: str, path: Path) -> Target:
    """Return what a path stands for, by what is there; where nothing is, reading it says so."""
    # Imported here: a check against the pinned release needs no reader of files.
    from driftgate.declared import is_source_file
    from driftgate.extraction.written import written_in

    if path.suffix in _SNAPSHOTS and path.is_file():
        return Target(TargetKind.SNAPSHOT, text, path=path)
    if path.is_dir() and (tree := written_in(path)):
        return Target(TargetKind.CHECKOUT, text, path=path, upstream=tree.name)
    if path.is_file() and is_source_file(path):
        return Target(TargetKind.SCRIPT if path.suffix in _SCRIPTS else TargetKind.SOURCE, text, path=path)
    return Target(TargetKind.ARTEFACT, text, path=path)


def _package(text: str) -> Target:
    spec = text.removeprefix("npm:")
    match = _SPEC.match(spec)
    version = match["version"] if match else ""
    if version != "latest" and not _EXACT.match(version):
        raise UsageError(
            f"not one version of an npm package: {text!r}",
            expected="npm:@scope/name@1.2.3 (an exact version, or latest; no range)",
        )
    return package(spec[: -len(version) - 1], version)


def _guess(text: str) -> str:
    if is_version(text[1:]) and text[0] in "vV^~=":
        return f"did you mean {text[1:]}?"
    if _SPEC.match(text):
        return f"did you mean npm:{text}?"
    if "://" in text:
        return "download it, and give the file"
    return ""
