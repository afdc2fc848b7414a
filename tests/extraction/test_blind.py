"""What cannot be read, or is read in two ways, is an error that says so; it is never an empty or a partial surface."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from driftgate.errors import ExitCode, ExtractionError
from driftgate.extraction import read_surface
from driftgate.extraction.javascript import windows
from tests.extraction import bundles
from tests.extraction.bundles import EVENTS, GUARDS, artefact

ONE_MORE = (*EVENTS, "Extra")


def refused(members: Mapping[str, str | bytes], *expected: str) -> ExtractionError:
    """Read, expect an error that has every one of these words, and return it."""
    with pytest.raises(ExtractionError) as caught:
        read_surface(artefact(members))
    error = caught.value
    assert error.code is ExitCode.BLIND
    message = str(error)
    for words in (*expected, "@scope/tool@9.9.9", bundles.INTEGRITY):
        assert words in message
    assert error.expected
    assert error.next
    return error


NO_ANCHOR = ("hook events: anchor not found", "a hooks schema is there and is not understood")
RENAMED = [
    pytest.param(bundles.plain().replace("i.record(", "i.ledger("), id="the anchor itself"),
    pytest.param(bundles.plain().replace("fxA=", "fxB="), id="the list of events"),
    pytest.param(bundles.plain().replace("Ns9=", "Ns8="), id="the matcher"),
    pytest.param(bundles.plain().replace("Us9=", "Us8="), id="the entry schema"),
    pytest.param(bundles.plain().replace("literal(", "exactly("), id="the literal of the type"),
    pytest.param(bundles.lazy().replace("discriminatedUnion(", "either("), id="the union"),
    pytest.param(bundles.getters().replace("Dg7=", "Dg8="), id="the getter of the matcher"),
    pytest.param(bundles.getters().replace("un5()", "un6()", 1), id="the function that makes the entry schemas"),
    pytest.param(bundles.bare().replace("function C$(", "function C9("), id="the alias of record"),
    pytest.param(bundles.bare().replace("function K(", "function K9("), id="the alias of enum"),
    pytest.param(bundles.bare().replace("function L(", "function L9("), id="the alias of array"),
    pytest.param(
        bundles.bare().replace('"ZodObject"', '"Other"').replace('type:"object"', 'kind:"object"'), id="a kind"
    ),
    pytest.param(bundles.DECOYS, id="decoys only"),
    pytest.param("var a=1;" * 200_000, id="a large script that has nothing to do with hooks"),
    pytest.param(
        bundles.plain(("PreToolUse", "PostToolUse")).replace("fxA=[", "fxA=[...more,"), id="a list in part unknown"
    ),
]


@pytest.mark.parametrize("text", RENAMED)
def test_a_renamed_anchor_is_never_an_empty_set(text):
    error = refused({"package/cli.js": text}, "package/cli.js")
    assert error.what in NO_ANCHOR or "number 1 of the union: anchor not found" in error.what
    assert "record(enum(EVENTS), array(MATCHER))" in error.expected or "union" in error.what


@pytest.mark.parametrize("text", RENAMED)
def test_the_same_inside_an_executable(text):
    error = refused({"package/claude": bundles.native([text], junk=2_000_000)}, "package/claude")
    assert error.what in NO_ANCHOR or "number 1 of the union: anchor not found" in error.what


def test_chunks_whose_providers_are_missing():
    members = bundles.chunks()
    for name in ("core-zz.mjs", "core-ev.mjs"):
        error = refused({key: text for key, text in members.items() if key != name})
        assert error.what in NO_ANCHOR


def test_one_type_that_cannot_be_read_is_named():
    """c04: four of five read is not five, and the fifth is not removed."""
    text = bundles.getters().replace("y.string().url()", "Z9?y.string().url():y.string()")
    error = refused({"cli.js": text}, "fields of type http: anchor not found", "2 of 3 types read", "field `url`")
    assert "command, prompt" in error.found


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("C4().describe", "C5().describe", "fields of type command: anchor not found (field `onFailure`"),
        (
            "K(b4).optional()",
            "K(b5).optional()",
            "fields of type command: anchor not found (field `shell`: the members of its enum",
        ),
        ('He((s)=>s==="go"?s:"stop",K(["go","stop"])).optional()', "Q()", "fields of type mcp_tool: anchor not found"),
        ("return{Bash:e,Prompt:t,Mcp:n}}", "return{Bash:e,Prompt:t}}", "fields of type number 3 of the union"),
        ("prompt:S().min(1),if:gf()", "...rest", "fields of type number 2 of the union: anchor not found"),
    ],
)
def test_a_field_that_cannot_be_read_is_named(old, new, words):
    assert old in bundles.bare()
    refused({"cli.js": bundles.bare().replace(old, new)}, words, "2 of 3 types read")


def test_two_witnesses_in_a_bundle_that_disagree():
    error = refused({"cli.js": bundles.getters(told=ONE_MORE)}, "hook events: two witnesses disagree")
    assert "record(enum(EVENTS), array(MATCHER))" in error.found
    assert "reads 5 (PreToolUse, PostToolUse, Halt, BeforeLunch, PermissionRequest)" in error.found
    assert 'hook_event_name: literal("...")' in error.found
    assert "reads 6" in error.found
    assert "only there: Extra" in error.found


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        (bundles.declared(ONE_MORE), "hook events: two witnesses disagree"),
        (bundles.declared(told=ONE_MORE), "hook events: two witnesses disagree"),
        (
            bundles.declared(entries=bundles.ENTRIES.replace("args?: string[];", "")),
            "the public fields of hook entries",
        ),
        (
            bundles.declared(entries=bundles.ENTRIES.replace("timeout?:", "timeout:")),
            "the public fields of hook entries",
        ),
        (bundles.declared(entries=bundles.ENTRIES.replace("timeout?: number", "timeout?: string")), "command.timeout"),
        (bundles.declared(entries=bundles.ENTRIES.replace("'bash' | ", "")), "command.shell"),
        (bundles.declared().replace("readonly ['", "readonly [typeof '"), "a declaration of hooks is not understood"),
    ],
)
def test_declarations_that_disagree(declared, what):
    refused({**bundles.chunks(), "sdk.d.ts": declared}, what)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (bundles.bare(events=ONE_MORE), "hook events: two witnesses disagree"),
        (bundles.bare(guards=("PreToolUse",)), "guard events: two witnesses disagree"),
        (bundles.bare(cloud="nullable().catch"), "hook entry fields: two witnesses disagree"),
        (bundles.bare().replace('Li("prompt")', 'Li("question")'), "hook entry types: two witnesses disagree"),
    ],
)
def test_copies_that_disagree(other, what):
    error = refused({"sdk.mjs": bundles.bare(), "bridge.mjs": other}, what)
    assert "sdk.mjs at byte" in error.found
    assert "bridge.mjs at byte" in error.found


def test_too_few_events():
    refused({"cli.js": bundles.plain(("A", "B"))}, "2 hook events read", "at least 3 events")


def test_names_that_are_no_words():
    """What a damaged file makes of a list is a list of strings still."""
    refused({"cli.js": bundles.plain().replace('"Halt","BeforeLunch"', '"Halt,BeforeLunch"')}, "'Halt,BeforeLunch'")


def test_an_entry_type_without_fields():
    text = bundles.plain().replace(",command:i.string()", "")
    refused({"cli.js": text}, "no fields read of type command", "at least one field")


def test_an_ambiguous_alias_is_told():
    text = bundles.bare().replace("function K(", 'function K(e){return new _O({type:"object"})}function K(')
    refused({"cli.js": text}, "a hooks schema is there and is not understood", "`K` makes enum or object")


NO_BUNDLES = [
    ({"package/cli.js": ""}, "package/cli.js is empty"),
    (
        {"claude": b'#!/bin/sh\nexec /opt/claude/bin/claude "$@"\n'},
        "claude is 43 bytes: a script wrapper, not a bundle",
    ),
    ({"cli.js": "#!/usr/bin/env node\nimport './x.js'\n"}, "cli.js is 36 bytes: a script wrapper, not a bundle"),
    ({"claude": b"\xcf\xfa\xed\xfe" + b"\0" * 400}, "claude is 404 bytes: Mach-O of that size is not a bundle"),
    ({"claude.exe": b"MZ" + b"\0" * 98}, "claude.exe is 100 bytes: PE of that size is not a bundle"),
    ({"package.json": "{}", "README.md": "use the other"}, "holds no script, no program and no declaration file"),
]


@pytest.mark.parametrize(("members", "words"), NO_BUNDLES)
def test_what_is_no_bundle_is_called_by_its_name(members, words):
    """c13: the file, its size and what it is; and where it was found."""
    error = refused(members, words, "tool-9.9.9.tgz")
    assert error.next


def test_a_stub_names_what_to_use_instead():
    error = refused({"package/package.json": "{}"}, "stub", "@anthropic-ai/claude-agent-sdk")
    assert "claude-code-<os>-<arch>" in error.next


def test_a_program_without_its_script():
    refused(
        {"claude": bundles.native(["var x=1;"], junk=2_000_000)},
        "hook events: anchor not found",
        "members read: claude (",
    )


def test_a_text_without_end(monkeypatch):
    monkeypatch.setattr(windows, "MAX_RUN", 1000)
    for name in ("cli.js", "claude"):
        with pytest.raises(ExtractionError, match="longer than any module can be"):
            read_surface(artefact({name: "x" * 5000}, piece=300))


def test_guards_without_a_set_are_an_error_and_not_none():
    text = bundles.bare().replace(bundles.guard_set(), "")
    error = refused({"cli.js": text}, "guard events: not found, and not known to be absent")
    assert "judged one by one" in error.found


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("hf.has(t)", 't==="PreToolUse"', "no set of events that is asked there could be read"),
        (bundles.guard_set(), bundles.guard_set((*GUARDS, "Elsewhere")), "no set of events"),
        ("n=hf.has(t)", "n=hf.has(t)&&ha.has(t)", "asks 2 sets of events"),
        ("n=hf.has(t)", 'n=hf.has(t)||t==="Halt"', "asks more about the event"),
        ("n=hf.has(t)", 'n=hf.has(t)&&t!=="PreToolUse"', "asks more about the event"),
        ("n=hf.has(t)", "n=!hf.has(t)", "not used by itself: negated"),
        ("n=hf.has(t)", 'n=hf.has(t)||t.startsWith("Be")', "asks more about the event"),
        ("n=hf.has(t)", "n=hf.has(t)||/Halt/.test(t)", "asks more about the event"),
        ("n=hf.has(t)", "n=hf.has(t)||other.has(t)", "asks more about the event"),
        ("let n=hf.has(t)", 'let n=hf.has(t),m=t==="Halt"', "does more with its event"),
        ("o=Yk(),", "o=Yk(),m=n=1,", "is changed afterwards"),
        (bundles.guard_set(), bundles.guard_set().replace(")", ').add("Halt")'), "no set of events"),
        (bundles.guard_set(), bundles.guard_set() + 'if(q)hf.add("Halt");', "may change"),
        (bundles.guard_set(), bundles.guard_set() + 'function later(){hf.delete("PreToolUse")}', "may change"),
        ("let n=hf.has(t)", "class q{out;in;}let n=hf.has(t)", "cannot be parsed"),
        (bundles.READER, bundles.READER + bundles.READER.replace("v4", "v5").replace("hf", "ha"), "different sets"),
    ],
)
def test_guards_that_are_not_clear_are_an_error(old, new, words):
    text = bundles.bare()
    assert old in text
    refused({"cli.js": text.replace(old, new) + 'var ha=new Set(["PreToolUse","Halt"]);'}, words)


def test_a_reader_that_was_not_seen_may_have_guards():
    members = bundles.chunks(guards=GUARDS)
    members["core-hk.mjs"] = members["core-hk.mjs"].replace(bundles.READER, "").replace("export{GS}", "export{GS,Yk}")
    refused(members, "guard events: not found", "is exported, and no use of it was seen")


@pytest.mark.parametrize(
    ("version", "refusing"), [("2.1.31", False), ("2.1.32", True), ("2.10.0", True), ("0.3.332", False)]
)
def test_a_program_of_a_release_that_has_a_second_witness_must_have_it(version, refusing):
    text = f"// (c) us\n\n// Version: {version}\n{bundles.getters(told=())}"
    if refusing:
        error = refused({"cli.js": text}, "hook events: the second witness is missing")
        assert version in error.expected
    else:
        assert read_surface(artefact({"cli.js": text})).members("hook_events") == EVENTS
