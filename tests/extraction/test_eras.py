"""Every structure that upstream's bundles have had is read, whole and in order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from driftgate.extraction import read_surface
from driftgate.surface import Field, Surface
from tests.extraction import bundles
from tests.extraction.bundles import EVENTS, GUARDS, artefact

TIMEOUT = Field("timeout", "number", required=False, constraints=("positive",))
RULE = Field("if", "string", required=False)
SHELL = Field("shell", "enum", required=False, values=("bash", "powershell"))
ARGS = Field("args", "array<string>", required=False)
COMMAND = Field("command", "string", required=True)
FAILURE = Field("onFailure", "enum", required=False, values=("go", "stop"))

PLAIN = {"command": (COMMAND,)}
LAZY = {
    "command": (COMMAND, TIMEOUT),
    "prompt": (Field("prompt", "string", required=True), Field("model", "string", required=False)),
    "agent": (Field("prompt", "string", required=True, constraints=("transform",)),),
}
GETTERS = {
    "command": (
        COMMAND,
        RULE,
        SHELL,
        TIMEOUT,
        ARGS,
        Field("wake", "string", required=False, internal=True, constraints=("min(1)",)),
    ),
    "prompt": (Field("prompt", "string", required=True), RULE),
    "http": (
        Field("url", "string", required=True, constraints=("url",)),
        Field("headers", "record<string,string>", required=False),
    ),
}
BARE = {
    "command": (
        COMMAND,
        ARGS,
        RULE,
        SHELL,
        TIMEOUT,
        FAILURE,
        Field("async", "boolean", required=False),
        Field(
            "cloud", "enum", required=False, internal=True, values=("device", "skip"), constraints=('catch("skip")',)
        ),
    ),
    "prompt": (Field("prompt", "string", required=True, constraints=("min(1)",)), RULE),
    "mcp_tool": (
        Field("server", "string", required=True),
        Field("input", "record<string,unknown>", required=False),
        Field("onFailure", "enum", required=False, values=("go", "stop"), constraints=("coerced",)),
    ),
}
ERAS = [
    pytest.param({"package/cli.js": bundles.plain()}, PLAIN, None, None, id="plain array, one entry type"),
    pytest.param({"package/cli.js": bundles.lazy()}, LAZY, None, None, id="assigned in lazy initialisers"),
    pytest.param({"package/cli.js": bundles.getters()}, GETTERS, True, None, id="getters of a namespace, decoys"),
    pytest.param({"package/cli.js": bundles.bare()}, BARE, True, GUARDS, id="bare aliases of a library like zod 4"),
    pytest.param({"sdk.mjs": bundles.bare(bundles.CLASSES)}, BARE, True, GUARDS, id="bare aliases of plain classes"),
    pytest.param(bundles.chunks(), BARE, True, GUARDS, id="chunks that import from each other"),
    pytest.param(
        {"package/claude": bundles.native([*bundles.chunks().values()])}, BARE, True, GUARDS, id="chunks in an ELF file"
    ),
    pytest.param(
        {"claude.exe": bundles.native([bundles.getters()], magic=b"MZ")},
        GETTERS,
        True,
        None,
        id="one file in a PE file",
    ),
    pytest.param(
        {"claude": bundles.native([bundles.bare(), "var x=1;", bundles.bare()], magic=b"\xcf\xfa\xed\xfe")},
        BARE,
        True,
        GUARDS,
        id="the text twice in a Mach-O file",
    ),
    pytest.param(
        {"sdk.mjs": bundles.bare(), **bundles.chunks(), "sdk.d.ts": bundles.declared()},
        BARE,
        True,
        GUARDS,
        id="a package with one file, chunks and declarations",
    ),
]


def rows(surface: Surface) -> dict[str, tuple[Field, ...]]:
    return dict(surface.tables["hook_entry_fields"].rows)


@pytest.mark.parametrize(("members", "fields", "shells", "guards"), ERAS)
def test_everything_is_read(members, fields, shells, guards):
    surface = read_surface(artefact(members))
    assert surface.title == "Claude Code 2.9.9"
    assert surface.vocabularies["hook_events"].members == EVENTS
    assert surface.vocabularies["hook_entry_types"].members == tuple(fields)
    assert surface.vocabularies["hook_shells"].members == (("bash", "powershell") if shells else None)
    assert surface.vocabularies["guard_events"].members == guards
    assert rows(surface) == fields
    assert surface.tables["hook_entry_fields"].complete


@pytest.mark.parametrize("piece", [1, 7, 4096])
def test_it_does_not_matter_where_chunks_are_cut(piece):
    text = bundles.native([*bundles.chunks().values()], junk=20_000)
    surface = read_surface(artefact({"claude": text}, piece=piece))
    assert surface.vocabularies["hook_events"].members == EVENTS
    assert rows(surface) == BARE


def test_places_are_byte_offsets_also_behind_text_that_is_not_ascii():
    text = "var s='déjà vu — ☃';" + bundles.plain()
    surface = read_surface(artefact({"package/cli.js": text}))
    (evidence,) = surface.vocabularies["hook_events"].evidence
    assert evidence.place.offset is not None
    assert text.encode()[evidence.place.offset :].startswith(b'["PreToolUse",')
    use = evidence.witnesses[0].place
    assert use is not None
    assert use.offset is not None
    assert text.encode()[use.offset :].startswith(b"i.record(i.enum(fxA),")


def test_evidence_names_the_artefact_and_every_witness():
    surface = read_surface(artefact({"package/claude": bundles.native([bundles.getters()])}))
    (evidence,) = surface.vocabularies["hook_events"].evidence
    assert (evidence.origin.package, evidence.origin.version, evidence.origin.integrity) == (
        "@scope/tool",
        "9.9.9",
        bundles.INTEGRITY,
    )
    assert evidence.place.source == "package/claude"
    use, literals = evidence.witnesses
    assert use.how == "record(enum(EVENTS), array(MATCHER))"
    assert "text scan" in use.note
    assert use.members == EVENTS
    assert set(literals.members or ()) == set(EVENTS)
    for held in surface.sets():
        assert all(each.witnesses for each in held.evidence)
        assert held.evidence


def test_a_bundle_without_a_second_witness_says_so():
    surface = read_surface(artefact({"package/cli.js": bundles.plain()}))
    literals = surface.vocabularies["hook_events"].evidence[0].witnesses[1]
    assert literals.members is None
    assert "before 2.1.32" in literals.note


def test_declarations_beside_a_bundle_are_witnesses():
    surface = read_surface(artefact({**bundles.chunks(), "sdk.d.ts": bundles.declared()}))
    read = [witness.how for witness in surface.vocabularies["hook_events"].evidence[0].witnesses]
    assert read[-3:] == ["const HOOK_EVENTS", "type HookEvent", "hook_event_name of the input types"]
    assert len(surface.tables["hook_entry_fields"].evidence[0].witnesses) == 2


@pytest.mark.parametrize("name", ["$e", "Le", "a$b", "$", "_"])
def test_a_local_name_makes_no_difference(name):
    """c05: minified names may hold `$`, and change with every build."""
    text = bundles.plain().replace("fxA", name)
    assert read_surface(artefact({"cli.js": text})).vocabularies["hook_events"].members == EVENTS


def test_text_that_is_not_minified_is_read_too():
    text = f"""
        const events = {list(EVENTS)!r};
        const command = z.object({{
            type: z.literal( 'command' ),
            // an unbalanced ) in a comment
            command: z.string(), /* and }} another */
        }});
        const matcher = z.object({{ matcher: z.string().optional(), hooks: z.array(command) }});
        export const hooks = z.record(z.enum(events), z.array(matcher)).optional();
    """
    surface = read_surface(artefact({"schema.mjs": text}))
    assert surface.vocabularies["hook_events"].members == EVENTS
    assert rows(surface) == PLAIN


def test_an_inline_list_is_read():
    text = bundles.plain().replace("i.enum(fxA)", f"i.enum({bundles.names(EVENTS)})")
    assert read_surface(artefact({"cli.js": text})).vocabularies["hook_events"].members == EVENTS


def test_nothing_is_read_from_what_is_no_script():
    members = {
        "README.md": bundles.plain(),
        "vendor/x/rg": "no",
        "package/vendor/cli.js": bundles.plain(("A", "B", "C")),
    }
    surface = read_surface(artefact({**members, "cli.js": bundles.plain()}))
    assert surface.vocabularies["hook_events"].members == EVENTS


def test_a_program_that_nobody_identified_says_itself_what_it_is():
    made = replace(
        artefact({"cli.js": f"#!/usr/bin/env node\n// Version: 2.0.7\n{bundles.plain()}"}), upstream_version=None
    )
    assert (read_surface(made).title, read_surface(made).version) == ("Claude Code 2.0.7", "2.0.7")
    unnamed = replace(artefact({"cli.js": bundles.plain()}), upstream_version=None)
    assert (read_surface(unnamed).title, read_surface(unnamed).version) == ("@scope/tool@9.9.9", None)
