"""What a release may do tomorrow: one change of a small schema a row, with what the code then states, or blind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from driftgate.errors import ExtractionError
from driftgate.extraction import read_surface
from driftgate.surface import Surface
from tests.extraction import bundles
from tests.extraction.bundles import artefact

EVENTS = 'var E=["PreToolUse","PostToolUse","Stop"];'
ENTRY = 'var A=z.object({type:z.literal("command"),command:z.string(),timeout:z.number().positive().optional()});'
MATCHER = "var M=z.object({matcher:z.string().optional(),hooks:z.array(A)});"
SCHEMA = "var R=z.record(z.enum(E),z.array(M));"
READER = (
    'var G=new Set(["PreToolUse"]);'
    "function r(e,t){let n=G.has(t);for(let l of e)if(!M.safeParse(l).success&&!n)return l}"
)
BASE = EVENTS + ENTRY + MATCHER + SCHEMA
GUARDED = BASE + READER


def read(text: str) -> Surface:
    return read_surface(artefact({"bundle.mjs": text}))


def stated(text: str) -> dict[str, Any]:
    surface = read(text)
    entries, matcher = surface.tables["hook_entry_fields"], surface.tables["hook_matcher_fields"]
    return {
        "events": surface.members("hook_events"),
        "guards": surface.vocabularies["guard_events"].members,
        "shells": surface.vocabularies["hook_shells"].members,
        "fields": {f"{row}.{each.name}": each.words for row, fields in entries.rows.items() for each in fields},
        "rules": {row: rules.words for row, rules in (entries.rules or {}).items()},
        "matcher": {each.name: each.words for each in matcher.rows["matcher"]},
        "matcher rules": matcher.rules_of("matcher").words,
    }


PLAIN = stated(BASE)

EXACT = [
    ("nothing", BASE, {}),
    ("guards", GUARDED, {"guards": ("PreToolUse",)}),
    (
        "extend",
        BASE.replace("optional()});var M", 'optional()}).extend({shell:z.enum(["bash"])});var M'),
        {"shells": ("bash",), "fields": {**PLAIN["fields"], "command.shell": "required enum of bash"}},
    ),
    (
        "required",
        BASE.replace("optional()});var M", "optional()}).required();var M"),
        {"fields": {"command.command": "required string", "command.timeout": "required number, positive"}},
    ),
    (
        "partial of one",
        BASE.replace("optional()});var M", "optional()}).partial({command:!0});var M"),
        {"fields": {"command.command": "optional string", "command.timeout": "optional number, positive"}},
    ),
    (
        "omit",
        BASE.replace("optional()});var M", "optional()}).omit({timeout:!0});var M"),
        {"fields": {"command.command": "required string"}},
    ),
    ("strict", BASE.replace("optional()});var M", "optional()}).strict();var M"), {"rules": {"command": "strict"}}),
    (
        "catchall",
        BASE.replace("optional()});var M", "optional()}).catchall(z.string());var M"),
        {"rules": {"command": "catchall(string)"}},
    ),
    (
        "a check of the whole",
        BASE.replace("optional()});var M", "optional()}).refine((q)=>q.command);var M"),
        {"rules": {"command": "refine(($0)=>$0.command), strip"}},
    ),
    (
        "type by default",
        BASE.replace('("command")', '("command").default("command")'),
        {"rules": {"command": 'strip, type default("command")'}},
    ),
    (
        "type optional",
        BASE.replace('("command")', '("command").optional()'),
        {"rules": {"command": "strip, type optional"}},
    ),
    (
        "two literals for one type",
        BASE.replace('z.literal("command")', 'z.literal("command").or(z.literal("shell"))'),
        {
            "fields": {
                **PLAIN["fields"],
                "shell.command": "required string",
                "shell.timeout": "optional number, positive",
            },
            "rules": {"command": "strip", "shell": "strip"},
        },
    ),
    ("the matcher strict", BASE.replace("array(A)})", "array(A)}).strict()"), {"matcher rules": "strict"}),
    (
        "a field of the matcher",
        BASE.replace("hooks:", "owner:z.string(),hooks:"),
        {"matcher": {"matcher": "optional string", "owner": "required string", "hooks": "required array<entry>"}},
    ),
    (
        "the matcher's list replaced",
        BASE.replace(
            "array(A)})", 'array(A)}).extend({hooks:z.array(z.object({type:z.literal("prompt"),prompt:z.string()}))})'
        ),
        {"fields": {"prompt.prompt": "required string"}, "rules": {"prompt": "strip"}},
    ),
    (
        "another typed list before it",
        BASE.replace("hooks:", 'onError:z.array(z.object({type:z.literal("f"),path:z.string()})).optional(),hooks:'),
        {
            "matcher": {
                "matcher": "optional string",
                "onError": 'optional array<object{path:string,type:enum("f")}>',
                "hooks": "required array<entry>",
            }
        },
    ),
    (
        "if and return",
        "function f(q){if(q)return q.optional();return q}"
        + BASE.replace("command:z.string()", "command:f(z.string())"),
        {"fields": {**PLAIN["fields"], "command.command": "optional string"}},
    ),
    (
        "coerced",
        BASE.replace("z.number()", "z.coerce.number()"),
        {"fields": {**PLAIN["fields"], "command.timeout": "optional number, coerce>positive, coerce"}},
    ),
    (
        "a limit with a name",
        "var MAX=600;" + BASE.replace("positive()", "max(MAX)"),
        {"fields": {**PLAIN["fields"], "command.timeout": "optional number, max(600)"}},
    ),
    ("a message", BASE.replace("positive()", 'positive("must be")'), {}),
    (
        "shells of two types",
        BASE.replace(
            ENTRY,
            'var A=z.union([z.object({type:z.literal("a"),shell:z.enum(["x"])}),'
            'z.object({type:z.literal("b"),shell:z.enum(["y"])})]);',
        ),
        {
            "shells": ("x", "y"),
            "fields": {"a.shell": "required enum of x", "b.shell": "required enum of y"},
            "rules": {"a": "strip", "b": "strip"},
        },
    ),
    (
        "an enum without one",
        BASE.replace("timeout:", 'shell:z.enum(["bash","cmd"]).exclude(["cmd"]),timeout:'),
        {
            "shells": ("bash",),
            "fields": {
                "command.command": "required string",
                "command.shell": "required enum of bash",
                "command.timeout": "optional number, positive",
            },
        },
    ),
    (
        "changed before it is used",
        BASE.replace(EVENTS, EVENTS + 'E.push("New");E=[...E,"Newer"];'),
        {"events": ("PreToolUse", "PostToolUse", "Stop", "New", "Newer")},
    ),
    ("the library as functions", GUARDED.replace("!M.safeParse(l)", "!z.safeParse(M,l)"), {"guards": ("PreToolUse",)}),
    (
        "names beyond ASCII",
        GUARDED.replace("E=", "é=").replace("(E)", "(é)").replace("G", "λ"),
        {"guards": ("PreToolUse",)},
    ),
    (
        "indirect calls, comments, breaks",
        BASE.replace("z.record(", "(0,z.record)(/* ) */").replace("z.array(M)", "z\n.array( // ]\nM)"),
        {},
    ),
]


@pytest.mark.parametrize(("text", "differs"), [row[1:] for row in EXACT], ids=[row[0] for row in EXACT])
def test_what_the_code_states(text, differs):
    assert stated(text) == {**PLAIN, **differs}


BLIND = [
    ("changed later", BASE + 'E=[...E,"NewEvent"];'),
    ("changed on a condition", "var c=globalThis.x;" + BASE + 'E=c?["PreToolUse","A","B"]:E;'),
    ("grown in a function", BASE + 'function later(){E.push("NewEvent")}'),
    ("grown by key", BASE + 'E["push"]("NewEvent");'),
    ("grown through another module", 'import{add}from"./x.mjs";' + BASE + "add(E);"),
    (
        "an unknown wrapper",
        'import{opt}from"./x.mjs";' + BASE.replace("command:z.string()", "command:opt(()=>z.string())"),
    ),
    ("an unknown union", 'import{C}from"./x.mjs";' + BASE.replace("timeout:", "mode:z.union(C),timeout:")),
    ("a second schema with more keys", BASE + 'var F=[...E,"New"],R2=z.record(z.enum(F).or(z.string()),z.array(M));'),
    (
        "arguments",
        "function mk(t){return z.object({type:z.literal(t),...arguments[1]})}"
        + BASE.replace(ENTRY, 'var A=mk("command",{a:z.string()});'),
    ),
    (
        "a try",
        "function f(){try{return z.string().optional()}catch{}return z.string()}"
        + BASE.replace("command:z.string()", "command:f()"),
    ),
    (
        "a delete",
        "function f(q){delete q.timeout;return q}"
        + BASE.replace("z.object({type", "z.object(f({type").replace("optional()});var M", "optional()}));var M"),
    ),
    ("an own library", "var own={string:q};" + BASE.replace("command:z.string()", "command:own.string()")),
    ("what a template inserts", BASE.replace('"Stop"', "`${x}ToolUse`")),
    ("a literal that is not known", BASE.replace('"command"', "kind")),
    (
        "the schema in a condition",
        BASE.replace("z.record(", "flag?z.record(").replace("array(M));", "array(M)):other;"),
    ),
    ("the schema given to something", BASE.replace("z.record(", "also(z.record(").replace("array(M));", "array(M)));")),
    ("a method of the schema", BASE.replace("array(M));", "array(M)).also();")),
    ("guards or one", GUARDED.replace("G.has(t)", 'G.has(t)||t==="Stop"')),
    ("guards or another set", 'import{X}from"./x.mjs";' + GUARDED.replace("G.has(t)", "(G.has(t)||X.has(t))")),
    ("guards but one", GUARDED.replace("G.has(t)", 'G.has(t)&&t!=="PreToolUse"')),
    ("guards negated", GUARDED.replace("G.has(t)", "!G.has(t)")),
    ("guards grown later", GUARDED + 'if(globalThis.q)G.add("Stop");'),
    (
        "a reader without a set",
        GUARDED + 'function r2(e,t){if(t==="Stop")for(let l of e)if(!M.safeParse(l).success)throw l}',
    ),
    (
        "a set that is not what decides",
        GUARDED.replace("let n=G.has(t)", 'if(G.has(t))log(t);let n=["PreToolUse"].includes(t)'),
    ),
    (
        "the matcher under another name",
        BASE + "var O=M;function r(e,t){for(let l of e)if(!O.safeParse(l).success)return l}",
    ),
]


@pytest.mark.parametrize("text", [row[1] for row in BLIND], ids=[row[0] for row in BLIND])
def test_what_is_not_understood_is_blind(text):
    with pytest.raises(ExtractionError) as caught:
        read(text)
    assert "bundle.mjs" in str(caught.value)
    assert caught.value.next


def package(version: str, members: dict[str, str]) -> Surface:
    made = artefact(members, package="@scope/claude-agent-sdk")
    return read_surface(replace(made, upstream_version=version))


def test_declarations_alone_are_read_where_nothing_else_was_shipped():
    declared = {"package/sdk.d.ts": bundles.declared()}
    script = {"package/sdk.mjs": "var a=1;"}
    assert read_surface(artefact(declared)).members("hook_events") == bundles.EVENTS
    assert package("2.1.120", {**declared, **script}).members("hook_events") == bundles.EVENTS
    for version in ("2.1.112", "2.1.136", "2.1.332", "9.9.9"):
        with pytest.raises(ExtractionError, match="declarations alone state a part of it"):
            package(version, {**declared, **script})


def test_a_witness_that_is_lost_is_said():
    whole = {**bundles.chunks(), "sdk.d.ts": bundles.declared()}
    assert package("2.1.332", whole).notices == ()
    renamed = {**whole, "sdk.d.ts": bundles.declared().replace("HOOK_EVENTS", "OTHER_EVENTS")}
    (notice,) = package("2.1.332", renamed).notices
    assert notice.startswith("hook_events: a witness is lost: const HOOK_EVENTS")
    (gone,) = package("2.1.332", bundles.chunks()).notices
    assert "no declaration file states hooks" in gone
