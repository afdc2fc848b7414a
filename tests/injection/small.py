"""Subjects of our own: the small bundles that the tests write, in each structure that upstream has had."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from driftgate.surface import Origin
from driftgate.upstreams.catalogue import UPSTREAMS
from tests.extraction import bundles
from tests.injection.subject import Sister, Subject
from tests.upstreams import bundles as sisters

_MAIN: Final = "@anthropic-ai/claude-code"
_SDK: Final = "@anthropic-ai/claude-agent-sdk"


def _subject(name: str, release: str, members: dict[str, str]) -> Subject:
    """Return members as the package that such a release is in, so that as much is expected of them."""
    sdk = any(file.startswith("sdk") for file in members)
    version = f"0.3.{release.rpartition('.')[2]}" if sdk else release
    origin = Origin(_SDK if sdk else _MAIN, version, bundles.INTEGRITY, f"{name}.tgz")
    return Subject(name, {f"package/{file}": text.encode() for file, text in members.items()}, origin, release)


_SISTERS: Final = {"gemini-cli": sisters.gemini(), "qwen-code": sisters.qwen(), "opencode": sisters.opencode()}


def _sister(name: str, files: Mapping[str, str]) -> Sister:
    """Return a package of a sister harness."""
    origin = Origin(UPSTREAMS[name].package, "9.8.7", bundles.INTEGRITY, f"{name}.tgz")
    members = {f"package/{file}": text.encode() for file, text in files.items()}
    return Sister(f"small {name}", members, origin, "9.8.7", upstream=name)


def _alone(name: str, file: str, text: str) -> Subject:
    """Return a file of no package and no release."""
    return Subject(name, {file: text.encode()}, Origin(location=file), None)


_TINY = (
    'var E=["PreToolUse","PostToolUse","Stop","PermissionRequest"];var H=["bash","powershell"];\n'
    'var A=z.object({type:z.literal("command"),command:z.string(),shell:z.enum(H).optional(),'
    "timeout:z.number().positive().optional()});\n"
    'var B=z.object({type:z.literal("prompt"),prompt:z.string().min(1),tags:z.array(z.string()).optional()});\n'
    'var U=z.discriminatedUnion("type",[A,B]);\n'
    "var M=z.object({matcher:z.string().optional(),hooks:z.array(U)});\n"
    "var R=z.record(z.enum(E),z.array(M));\n"
)
_TINY_GUARDS = (
    'var G=new Set(["PreToolUse","PermissionRequest"]);'
    "function r(e,t){let n=G.has(t);for(let l of e)if(!M.safeParse(l).success&&!n)return l}\n"
)


@cache
def tiny_subjects() -> tuple[Subject, ...]:
    """Return the smallest subjects, for examples that are read by people."""
    return (
        _alone("tiny", "sdk.mjs", _TINY),
        _alone("tiny guards", "sdk.mjs", _TINY + _TINY_GUARDS),
    )


@cache
def small_subjects() -> tuple[Subject, ...]:
    """Return a subject for each structure."""
    public = bundles.declared()
    return (
        *tiny_subjects(),
        _subject("plain", "1.0.50", {"cli.js": bundles.plain()}),
        _subject("lazy", "2.0.30", {"cli.js": bundles.lazy()}),
        _subject("getters", "2.1.100", {"cli.js": bundles.getters()}),
        _subject("bare", "2.1.300", {"sdk.mjs": bundles.bare(), "sdk.d.ts": public}),
        _alone("bare alone", "sdk.mjs", bundles.bare()),
        _alone("classes", "sdk.mjs", bundles.bare(bundles.CLASSES)),
        _subject("chunks", "2.1.340", {**bundles.chunks(), "sdk.d.ts": public}),
        *(_sister(name, files) for name, files in _SISTERS.items()),
    )
