"""Subjects from the registry: what upstream has shipped, fetched as driftgate fetches it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from driftgate.anchors import FetchOptions, find_package, find_release
from driftgate.artefact import Artefact
from driftgate.extraction.javascript import windows
from driftgate.surface import Origin
from tests.injection.subject import Members, Sister, Subject

SDKS: Final = ("2.1.136", "2.1.251", "2.1.332")
"""Releases whose anchor is the SDK, of three eras: no guards and a namespace, bare helpers, chunks with guards."""

SCRIPTS: Final = ("2.0.42", "2.1.64", "2.1.112")
"""Releases whose anchor is `cli.js`: variables, a function that makes the schemas, shells."""

NATIVES: Final = ("npm:@anthropic-ai/claude-code-linux-x64@2.1.332",)

SISTERS: Final = {
    "gemini-cli": "npm:@google/gemini-cli@0.61.0",
    "qwen-code": "npm:@qwen-code/qwen-code@0.24.4",
    "opencode": "npm:@opencode-ai/plugin@1.18.33",
}

_OF_SISTERS: Final = (b"HookEventName", b"createBaseInput", b'"SessionStart"', b"Hooks")
"""What the files of a sister's package that say anything of events hold; the others are many, and not read again."""

_KEPT: Final = (".js", ".mjs", ".cjs", ".d.ts")


def package_subjects(names: tuple[str, ...] = (*SDKS, *SCRIPTS, *NATIVES, *SISTERS.values())) -> Iterator[Subject]:
    """Yield the subjects of these targets; of an SDK also its main module by itself. Raises AnchorError."""
    for name in names:
        (artefact,) = _found(name)
        title = f"{artefact.origin.package}@{artefact.origin.version}"
        if name in NATIVES:
            yield _native(title, artefact.origin, artefact.upstream_version, artefact)
            continue
        members = {member.name: member.read() for member in artefact.open_members() if member.name.endswith(_KEPT)}
        sister = next((upstream for upstream, target in SISTERS.items() if target == name), None)
        if sister is not None:
            kept = {file: text for file, text in members.items() if any(each in text for each in _OF_SISTERS)}
            yield Sister(title, kept, artefact.origin, artefact.upstream_version, upstream=sister)
            continue
        yield Subject(title, members, artefact.origin, artefact.upstream_version)
        if name in SDKS:
            alone = {file: text for file, text in members.items() if file.endswith("/sdk.mjs")}
            yield Subject(f"sdk.mjs of {title}", alone, Origin(location="sdk.mjs"), None)


def _found(name: str) -> tuple[Artefact, ...]:
    if name.startswith("npm:"):
        package, _, version = name.removeprefix("npm:").rpartition("@")
        return (find_package(package, version, FetchOptions()),)
    return find_release(name, FetchOptions())


def _native(title: str, origin: Origin, release: str | None, artefact: Artefact) -> Subject:
    """Return a native program as the modules of it that are read: what else is in it holds none of the needles."""
    runs: dict[str, bytes] = {}
    for member in artefact.open_members():
        runs |= {f"module-{at}": run.text for at, run in enumerate(windows.runs(member.chunks))}

    def pack(members: Members) -> Members:
        return {"package/claude": b"\x7fELF" + b"".join(b"\0" + text for text in members.values()) + b"\0"}

    return Subject(title, runs, origin, release, pack)
