"""What people ask for: a release, the newest one, an npm package version, or a file or folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from driftgate.errors import UsageError
from driftgate.versions import is_version

EXAMPLES: Final = "2.1.296, latest, npm:@scope/name@1.2.3, ./file.tgz, ./cli.js, ./sdk.d.ts, ./folder"

_SPEC: Final = re.compile(r"(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*@(?P<version>[^@/\s]+)\Z")
_EXACT: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\Z")
_FILE: Final = re.compile(r"\.(tgz|tar|tar\.gz|[cm]?js|[cm]?ts|exe)\Z", re.IGNORECASE)


class TargetKind(StrEnum):
    """The ways to name an artefact."""

    RELEASE = "release"
    LATEST = "latest"
    PACKAGE = "package"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Target:
    """What to find. `version` is the release's (RELEASE) or the package's (PACKAGE: exact, or the tag "latest")."""

    kind: TargetKind
    text: str
    package: str | None = None
    version: str | None = None
    path: Path | None = None

    def __str__(self) -> str:
        return self.text


def parse_target(text: str, directory: Path | None = None) -> Target:
    """Return what `text` names; relative paths start at `directory` (default: the current one).

    Raises UsageError, with an example, for what is ambiguous or names nothing.
    """
    base = directory or Path.cwd()
    if text.startswith("npm:"):
        return _package(text)
    if _looks_like_a_path(text):
        return Target(TargetKind.PATH, text, path=base / Path(text).expanduser())
    there = bool(text) and (base / text).exists()
    if text == "latest" or is_version(text):
        if there:
            raise UsageError(
                f"{text} is a release, and there is a file of that name",
                next=f"./{text} for the file; the release only from another folder",
            )
        if text == "latest":
            return Target(TargetKind.LATEST, text)
        if _EXACT.match(text):
            return Target(TargetKind.RELEASE, text, version=text)
    if there:
        return Target(TargetKind.PATH, text, path=base / text)
    raise UsageError(f"not something to look at: {text!r}", expected=EXAMPLES, next=_guess(text))


def _looks_like_a_path(text: str) -> bool:
    if re.match(r"[a-z][a-z0-9+]+://", text) or text.startswith("@"):
        return False
    return "/" in text or "\\" in text or text.startswith((".", "~")) or _FILE.search(text) is not None


def _package(text: str) -> Target:
    spec = text.removeprefix("npm:")
    match = _SPEC.match(spec)
    version = match["version"] if match else ""
    if version != "latest" and not _EXACT.match(version):
        raise UsageError(
            f"not one version of an npm package: {text!r}",
            expected="npm:@scope/name@1.2.3 (an exact version, or latest; no range)",
        )
    return Target(TargetKind.PACKAGE, text, package=spec[: -len(version) - 1], version=version)


def _guess(text: str) -> str:
    if is_version(text[1:]) and text[0] in "vV^~=":
        return f"did you mean {text[1:]}?"
    if _SPEC.match(text):
        return f"did you mean npm:{text}?"
    if "://" in text:
        return "download it, and give the file"
    return ""
