"""Small bundles of our own, written in the structures that upstream's bundles have had, and artefacts made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from driftgate.artefact import Artefact, Member
from driftgate.surface import Origin

EVENTS = ("PreToolUse", "PostToolUse", "Halt", "BeforeLunch", "PermissionRequest")
GUARDS = ("PreToolUse", "PermissionRequest")
INTEGRITY = "sha512-AAAA"


def artefact(
    members: Mapping[str, str | bytes], *, package: str = "@scope/tool", version: str = "9.9.9", piece: int = 1 << 20
) -> Artefact:
    """Return an artefact with these members, whose chunks are `piece` bytes long."""

    def open_members() -> Iterator[Member]:
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            yield Member(name, len(data), (data[at : at + piece] for at in range(0, len(data), piece)))

    return Artefact(Origin(package, version, INTEGRITY, "tool-9.9.9.tgz"), "2.9.9", open_members)


def names(members: Sequence[str]) -> str:
    """Return a list of strings as minified JavaScript writes it."""
    return json.dumps(list(members), separators=(",", ":"))


def inputs(z: str, events: Sequence[str]) -> str:
    """Return the schemas of the hook inputs, the second witness; `z` is a namespace with its dot, or nothing."""
    literal = f"{z}literal" if z else "Li"
    return "".join(
        f'{"var " if at == 0 else ","}in{at}=Ba.and(O({{hook_event_name:{literal}("{event}")}}))'
        for at, event in enumerate(sorted(events))
    )


def plain(events: Sequence[str] = EVENTS) -> str:
    """One entry type, a plain array, no union: the first releases."""
    return (
        f"var fxA={names(events)};var q8=[];"
        'var Us9=i.object({type:i.literal("command"),command:i.string()}),'
        "Ns9=i.object({matcher:i.string().optional(),hooks:i.array(Us9)}),"
        "$s9=i.record(i.enum(fxA),i.array(Ns9)),h7=i.object({hooks:$s9.optional()});"
    )


def lazy(events: Sequence[str] = EVENTS) -> str:
    """Everything assigned inside lazy initialisers, a union of variables, a transform."""
    return (
        f"var uVA;var gyA=M(()=>{{uVA={names(events)}}});var K3,D3,C3,H3,E3,FE;var VE=M(()=>{{gyA();"
        'K3=_.object({type:_.literal("command").describe("a shell command"),command:_.string().describe("what to run"),'
        'timeout:_.number().positive().optional().describe("seconds")}),'
        'D3=_.object({type:_.literal("prompt"),prompt:_.string(),model:_.string().optional()}),'
        'C3=_.object({type:_.literal("agent"),prompt:_.string().transform((A)=>(Q)=>A).describe("a (1, 2] {brace")}),'
        'H3=_.discriminatedUnion("type",[K3,D3,C3]),'
        "E3=_.object({matcher:_.string().optional(),hooks:_.array(H3).describe('the hooks')}),"
        "FE=_.record(_.enum(uVA),_.array(E3))});"
    )


DECOYS = (
    # a set that tracks settings keys, a longer list with other names in it, a list of cloud events, callbacks
    'var dk={hooks:new Set(["PreToolUse","PostToolUse","Halt"])};'
    'var l49=["PreToolUse","PostToolUse","Halt","BeforeLunch","PermissionRequest","a.b","c.d","e.f"],'
    'cl=["PreToolUse","PostToolUse"];'
    "var cb=C6(()=>y.object({matcher:y.string().optional(),ids:y.array(y.string())})),"
    "rc=C6(()=>y.record(y.enum(l49),y.array(cb())));"
    'var st=y.object({statusLine:y.object({type:y.literal("command"),command:y.string()})});'
)


def getters(events: Sequence[str] = EVENTS, told: Sequence[str] | None = None, extra: str = "") -> str:
    """Entry schemas made by a function, memoised getters, a shared `if`, decoys, and the second witness."""
    return (
        f"var C6=(q)=>{{let K;return()=>K??=q()}};var hV;var HX=L(()=>{{hV={names(events)}}});"
        f'{DECOYS}var Pg,KG="bash";var JX=L(()=>{{Pg=["bash","powershell"]}});'
        'function un5(){let q=y.object({type:y.literal("command").describe("Shell"),command:y.string(),if:XX8(),'
        "shell:y.enum(Pg).optional().describe(`Which ${KG} to use, of ${[1,2].map((A)=>`${A}`)}`),"
        'timeout:y.number().positive().optional(),args:y.array(y.string()).optional().describe("one "+"two"),'
        'wake:y.string().min(1).optional().describe("@internal not "+"for all")}),'
        'K=y.object({type:y.literal("prompt"),prompt:y.string(),if:XX8()}),'
        '_=y.object({type:y.literal("http"),url:y.string().url(),headers:y.record(y.string(),y.string()).optional()});'
        "return{Bash:q,Http:_,Prompt:K}}"
        "var XX8=C6(()=>y.string().optional().describe('a rule, e.g. \"Bash(git *)\"')),"
        'Wg7=C6(()=>{let{Bash:q,Prompt:K,Http:_}=un5();return y.discriminatedUnion("type",[q,K,_])}),'
        "Dg7=C6(()=>y.object({matcher:y.string().optional(),hooks:y.array(Wg7())})),"
        "sN=C6(()=>y.partialRecord(y.enum(hV),y.array(Dg7())));"
        f"{extra}{inputs('y.', events if told is None else told)};"
    )


ZOD = (
    # a schema library in the manner of zod 4: kinds are named where classes are made, or stated in a definition
    'function D(n,f){return class{}}var _A=D("ZodString",(e,t)=>{e.x=t}),_N=D("ZodNumber",(e)=>{}),'
    '_B=D("ZodBoolean",f),'
    '_O=D("ZodObject",f),_L=D("ZodLiteral",f),_E=D("ZodEnum",f),_R=D("ZodRecord",f),'
    '_Y=D("ZodArray",f),_U=D("ZodUnion",f),'
    '_P=D("ZodPipe",f),_T=D("ZodTransform",f),_K=D("ZodUnknown",f),code={code:"invalid_type"};'
    'function mk(c,e){return new c({type:"made",...e})}'
    "function S(e){return mk(_A,e)}function ee(e){return mk(_N,e)}function v(e){return mk(_B,e)}"
    "function ve(){return mk(_K)}"
    'function T(e,t){let n={type:"object",shape:e??{}};return new _O(n)}'
    'function Li(e){return new _L({type:"literal",values:Array.isArray(e)?e:[e]})}'
    "function K(e,t){let n=Array.isArray(e)?Object.fromEntries(e.map((r)=>[r,r])):e;"
    'return new _E({type:"enum",entries:n})}'
    'function de(e,t,n){if(!t||!t._zod)return new _R({type:"record",keyType:S(),valueType:e});'
    'return new _R({type:"record",keyType:e,valueType:t})}'
    'function C$(e,t){let o=T(e);return o._zod=void 0,new _R({type:"record",keyType:o,valueType:t,partial:!0})}'
    'function L(e,t){return new _Y({type:"array",element:e})}'
    'function as(e,t,n){return new _U({type:"union",options:t,discriminator:e})}'
    'function R$(e){return new _T({type:"transform",transform:e})}'
    'function He(e,t){return new _P({type:"pipe",in:R$(e),out:t})}'
)

CLASSES = (
    # a schema library of plain classes: a class's kind shows only in its getter, or in that of its base class
    'class Base{out;in;constructor(e){this.x=e}get description(){return"none"}}'
    'class _A extends Base{get type(){return"string"}min(e){return this}}class _A2 extends _A{url(){return /["(]/}}'
    'class _N extends Base{get type(){return"number"}}class _B extends Base{get type(){return"boolean"}}'
    'class _K extends Base{get type(){return"unknown"}}class _O extends Base{get type(){return"object"}}'
    'class _L extends Base{get type(){return"literal"}}class _E extends Base{static n="E";get type(){return"enum"}}'
    'class _R extends Base{get type(){return"record"}}class _Y extends Base{get type(){return"array"}}'
    'class _U extends Base{get type(){return"union"}}class _D extends _U{constructor(e,t){super(t)}}'
    'class _T extends Base{get type(){return"transform"}}class _P extends Base{get type(){return"pipe"}}'
    'var codes={code:"invalid_type"};'
    "function S(e){return new _A2(e)}function ee(e){return new _N(e)}function v(e){return new _B(e)}"
    "function ve(){return new _K}function T(e,t){return new _O(e,void 0,t)}"
    "function Li(e,t){return new _L(Array.isArray(e)?e:[e],t)}function K(e,t){return new _E(e,t)}"
    "function de(e,t,n){return new _R(e,t,!1,n)}function C$(e,t){return new _R(e,t,!0)}"
    "function L(e,t){return new _Y(e,t)}"
    "function as(e,t,n){return new _D(e,t,n)}function He(e,t){return new _P(new _T(e),t)}"
)

HELPERS = ("S", "ee", "v", "ve", "T", "Li", "K", "de", "C$", "L", "as", "He")

READER = (
    # the reader of single matchers, and what it asks about the event
    "function v4(e,t){if(!Array.isArray(e))return[];let n=hf.has(t),o=Yk(),s=[];for(let a of e){let f=o.safeParse(a);"
    "if(!f.success){if(n)s.push(a)}}return s}"
)


def guard_set(guards: Sequence[str] = GUARDS) -> str:
    """Return the guard set."""
    return f"var hf=new Set({names(guards)});"


def schema(
    *, events: str = "bs", reader: str = READER, cloud: str = "optional().catch", onfail: str | None = None
) -> str:
    """Return the hooks schema written with bare aliases; `events` is the name of their list."""
    coerced = onfail or 'He((s)=>s==="go"?s:"stop",K(["go","stop"])).optional()'
    return (
        "class Wk{built=[];lazy(e){let t,r=()=>{t=void 0};"
        "return this.built.push(r),()=>{if(t===void 0)t=e();return t}}}"
        'var W=new Wk;function F(e){return W.lazy(e)}var b4=["bash","powershell"];'
        'var C4=F(()=>K(["go","stop"]).optional()),gf=F(()=>S().optional().describe("a rule")),'
        'R4=F(()=>C4().describe("what a failure does"));'
        'function t2e(){let e=T({type:Li("command").describe("Shell"),command:S(),args:L(S()).optional(),if:gf(),'
        "shell:K(b4).optional(),timeout:ee().positive().optional(),onFailure:R4(),async:v().optional(),"
        f'cloud:K(["device","skip"]).{cloud}("skip").describe("@internal where")}}),'
        't=T({type:Li("prompt"),prompt:S().min(1),if:gf()}),'
        'n=T({type:Li("mcp_tool"),server:S(),input:de(S(),ve()).optional().describe("a ${x} (y"),'
        f"onFailure:{coerced}.describe('It\\'s \"so\"')}});"
        "return{Bash:e,Prompt:t,Mcp:n}}"
        'var WS=F(()=>{let{Bash:e,Prompt:t,Mcp:n}=t2e();return as("type",[...[e,t,n]])}),'
        "Yk=F(()=>T({matcher:S().optional(),hooks:L(WS())})),"
        f"GS=F(()=>C$(K({events}),L(Yk())));{reader}"
    )


def bare(library: str = ZOD, events: Sequence[str] = EVENTS, guards: Sequence[str] = GUARDS, **more: str) -> str:
    """One file with bare aliases, a spread-wrapped union, guards, and inner variables that hide outer names."""
    hidden = "function hide(){let bs=i(),hf=[1],T=5;return bs}"
    return f"{library}{hidden}var bs={names(events)};{guard_set(guards)}{schema(**more)}{inputs('', events)};"


def chunks(events: Sequence[str] = EVENTS, guards: Sequence[str] = GUARDS) -> dict[str, str]:
    """The same as modules that import from each other; the events stand in a module of their own."""
    helpers = ",".join(HELPERS)
    return {
        "core-zz.mjs": f"{CLASSES}export{{{helpers}}};",
        "core-ev.mjs": f'import{{x}}from"node:x";var a=1,e$={names(events)};export{{a,e$ as Q9}};',
        "core-hk.mjs": f'import{{{helpers}}}from"./core-zz.mjs";import{{Q9 as bs}}from"./core-ev.mjs";'
        f"{guard_set(guards)}{schema()}{inputs('', events)};export{{GS}};",
    }


def native(modules: Sequence[str], *, magic: bytes = b"\x7fELF", junk: int = 300_000) -> bytes:
    """An executable: a head, machine code, a constant pool that repeats strings, and the modules, each behind a NUL."""
    code = bytes(range(256)) * (junk // 256)
    pool = b'\0\x0b\0\0\x80"PreToolUse"\0"PostToolUse","Halt"\0'
    return (
        magic
        + b"\0" * 60
        + code
        + pool
        + b"".join(b"\0// @bundled\n" + text.encode() for text in modules)
        + b"\0"
        + code
    )


def declared(events: Sequence[str] = EVENTS, *, told: Sequence[str] | None = None, entries: str | None = None) -> str:
    """A declaration file that says what `bare` and `chunks` say."""
    union = " | ".join(f"'{event}'" for event in events)
    members = "".join(
        f"export declare type In{at} = Base & {{\n    hook_event_name: '{event}';\n}};\n"
        for at, event in enumerate(sorted(events if told is None else told))
    )
    return (
        f"export declare const HOOK_EVENTS: readonly [{union.replace(' | ', ', ')}];\n"
        f"export declare type HookEvent = {union};\n{members}"
        "export declare type Settings = {\n    /** not it */\n    hooks?: boolean;\n"
        "    hooks?: {\n        [k: string]: {\n"
        f"            matcher?: string;\n            hooks: ({ENTRIES if entries is None else entries})[];\n"
        "        }[];\n    };\n};\n"
    )


ENTRIES = (
    "{ type: 'command'; /** a; b */ command: string; args?: string[]; if?: string; shell?: 'bash' | 'powershell';"
    " timeout?: number; onFailure?: 'go' | 'stop'; async?: boolean; }"
    " | { type: 'prompt'; prompt: string; if?: string; }"
    " | { type: 'mcp_tool'; server: string; input?: { [k: string]: unknown; }; onFailure?: 'go' | 'stop'; }"
)
