"""Subjects of our own: the small bundles that the tests write, in each structure that upstream has had."""

from __future__ import annotations

from functools import cache

from driftgate.surface import Origin
from tests.extraction import bundles
from tests.injection.subject import Subject

_ORIGIN = Origin("@scope/tool", "9.9.9", bundles.INTEGRITY, "tool-9.9.9.tgz")


def _subject(name: str, members: dict[str, str]) -> Subject:
    return Subject(name, {f"package/{file}": text.encode() for file, text in members.items()}, _ORIGIN, "2.9.9")


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
        _subject("tiny", {"sdk.mjs": _TINY}),
        _subject("tiny guards", {"sdk.mjs": _TINY + _TINY_GUARDS}),
    )


@cache
def small_subjects() -> tuple[Subject, ...]:
    """Return a subject for each structure."""
    public = bundles.declared()
    return (
        *tiny_subjects(),
        _subject("plain", {"cli.js": bundles.plain()}),
        _subject("lazy", {"cli.js": bundles.lazy()}),
        _subject("getters", {"cli.js": bundles.getters()}),
        _subject("bare", {"sdk.mjs": bundles.bare(), "sdk.d.ts": public}),
        _subject("bare alone", {"sdk.mjs": bundles.bare()}),
        _subject("classes", {"sdk.mjs": bundles.bare(bundles.CLASSES)}),
        _subject("chunks", {**bundles.chunks(), "sdk.d.ts": public}),
    )
