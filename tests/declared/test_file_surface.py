"""Everything that one file states: files in the structure of the seeds, and others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from driftgate.cli import main
from driftgate.declared import is_source_file, read_file_surface
from driftgate.errors import ConfigError, DeclaredError
from driftgate.surface import Surface
from tests.declared.conftest import rows

FILES = Path(__file__).parent.parent / "data" / "declared"


def sets(surface: Surface) -> dict[str, tuple[str, ...]]:
    return {name: surface.members(name) for name in surface.vocabularies}


CONTRACT_FIELDS = {
    "command": {
        "if": ("string", False),
        "timeout": ("number", False, "positive"),
        "command": ("string", True, "min(1)"),
        "shell": ("enum", False, "bash", "powershell"),
    },
    "http": {
        "url": ("string", True, "min(1)"),
        "headers": ("record<string,string>", False),
        "allowedEnvVars": ("array<string>", False),
    },
}


def test_a_declaration_file_gives_its_whole_surface():
    found = read_file_surface(FILES / "contract.d.ts")
    assert sets(found) == {
        "hook_events": ("PreToolUse", "PostToolUse", "Stop"),
        "hook_entry_types": ("command", "http"),
        "hook_shells": ("bash", "powershell"),
        "outcomes": ("loaded", "partial", "rejected"),
        "dropped_codes": ("not-object", "unknown-event"),
    }
    assert rows(found.tables["hook_entry_fields"]) == CONTRACT_FIELDS
    assert rows(found.tables["hook_matcher_entry"]) == {
        "HookMatcherEntry": {"matcher": ("string", False), "hooks": ("array<HookEntry>", True)}
    }
    assert rows(found.tables["dropped"]) == {
        "Dropped": {"code": ("enum", True, "not-object", "unknown-event"), "path": ("ConfigPath", True)}
    }
    assert (found.elsewhere, found.notices) == ((), ())
    assert str(found.vocabularies["hook_events"].places["Stop"]) == "contract.d.ts:4:74"


SCHEMA_FIELDS = {
    "command": {
        "command": ("string", True),
        "if": ("string", False),
        "shell": ("enum", False),
        "timeout": ("number", False, "positive"),
    },
    "http": {
        "url": ("string", True, "url"),
        "headers": ("record<string,string>", False),
        "allowedEnvVars": ("array<string>", False),
    },
}


def test_a_zod_source_gives_its_types_and_what_is_stated_elsewhere():
    found = read_file_surface(FILES / "schemas.ts")
    assert sets(found) == {"hook_entry_types": ("command", "http")}
    assert rows(found.tables["hook_entry_fields"]) == SCHEMA_FIELDS
    assert rows(found.tables["matcher_schema"]) == {
        "MatcherSchema": {"matcher": ("string", False), "hooks": ("array<object>", True)}
    }
    assert {(e.what, e.name, e.module, str(e.place)) for e in found.elsewhere} == {
        ("hook_shells", "SHELL_TYPES", "./shells.js", "schemas.ts:5:1"),
        ("hook_events", "HOOK_EVENTS", "src/core/events.js", "schemas.ts:2:1"),
    }


def test_given_the_other_files_it_resolves(tmp_path):
    events, shells = tmp_path / "events.ts", tmp_path / "shells.ts"
    events.write_text("export const HOOK_EVENTS = ['PreToolUse', 'Stop'] as const\nexport type HookEvent = 'Stop'")
    shells.write_text("export const SHELL_TYPES = ['bash', 'fish'] as const")
    found = read_file_surface(FILES / "schemas.ts", beside=(events, shells))
    assert found.elsewhere == ()
    assert sets(found) == {
        "hook_entry_types": ("command", "http"),
        "hook_shells": ("bash", "fish"),
        "hook_events": ("PreToolUse", "Stop"),
    }
    assert rows(found.tables["hook_entry_fields"])["command"]["shell"] == ("enum", False, "bash", "fish")


def test_what_is_imported_from_the_root_of_a_project_is_found_from_there(write, monkeypatch, capsys):
    root = write("export const HOOK_EVENTS = ['PreToolUse', 'Stop'] as const", "src/core/events.ts")
    (root / "src" / "schemas").mkdir()
    shutil.copy(FILES / "schemas.ts", root / "src" / "schemas")
    monkeypatch.chdir(root)
    assert main(["extract", "src/schemas/schemas.ts"]) == 0
    out = capsys.readouterr().out
    assert "hook_events: 2\n  PreToolUse\n  Stop\n  read from src/schemas/schemas.ts" in out


@pytest.mark.parametrize("lines", ["as written", "one line"])
def test_a_zig_file_gives_its_wire_names_and_its_other_sets(tmp_path, lines):
    text = (FILES / "definitions.zig").read_text()
    path = tmp_path / "definitions.zig"
    path.write_text(text if lines == "as written" else " ".join(text.split()))
    found = read_file_surface(path)
    assert sets(found) == {
        "hook_events": ("PreToolUse", "Stop"),
        "hook_kind": ("before_tool", "stop"),
        "scope_kind": ("interactive", "ask"),
        "limits": ("name_bytes", "reason_bytes"),
        "registration_error": ("EmptyName", "NameTooLong"),
        "stop_action": ("allow", "continue_once"),
    }
    assert rows(found.tables["scope"]) == {
        "Scope": {
            "kind": ("enum", True, "interactive", "ask"),
            "session_id": ("string", False),
            "outcome": ("types.Outcome", True),
        }
    }


def surface_of(tmp_path: Path, text: str, name: str = "m.py") -> Surface:
    (tmp_path / name).write_text(text)
    return read_file_surface(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("HOOK_EVENTS", "hook_events"),
        ("HookEvent", "hook_events"),
        ("HookEventName", "hook_events"),
        ("hookEvents", "hook_events"),
        ("_VALID_HOOK_EVENTS", "hook_events"),
        ("CLAUDE_CODE_HOOK_EVENTS", "hook_events"),
        ("HOOK_EVENT_NAMES", "hook_events"),
        ("HookTypes", "hook_entry_types"),
        ("VALID_HOOK_TYPES", "hook_entry_types"),
        ("HookEntryType", "hook_entry_types"),
        ("HOOK_HANDLER_TYPES", "hook_entry_types"),
        ("SHELL_TYPES", "hook_shells"),
        ("GUARD_EVENTS", "guard_events"),
        ("HOOK_MATCHER_EVENTS", "hook_matcher_events"),
        ("CODEX_HOOK_EVENTS", "codex_hook_events"),
        ("COLOURS", "colours"),
    ],
)
def test_constants_are_known_by_their_names(tmp_path, name, known):
    assert list(surface_of(tmp_path, f'{name} = ("A", "B")').vocabularies) == [known]


def test_hook_types_that_hold_events_are_events(tmp_path):
    found = surface_of(tmp_path, "export type HookType = 'PreToolUse' | 'Stop' | 'OnlyHere'", "m.ts")
    assert list(found.vocabularies) == ["hook_events"]


def test_a_second_name_of_the_same_literals_is_no_second_set(tmp_path):
    found = surface_of(tmp_path, 'EVENTS = ("A", "B")\nHOOK_EVENTS = frozenset(EVENTS)\nALSO = EVENTS')
    assert sets(found) == {"hook_events": ("A", "B")}


def test_two_sets_under_one_name_that_differ_are_both_kept_and_said(tmp_path):
    found = surface_of(tmp_path, 'HOOK_EVENTS = ("A", "B")\nVALID_HOOK_EVENTS = ("B", "C", "C")')
    assert sets(found) == {"hook_events": ("A", "B"), "valid_hook_events": ("B", "C")}
    assert found.notices == (
        "VALID_HOOK_EVENTS lists C twice: m.py:2:27 and m.py:2:32",
        "VALID_HOOK_EVENTS and HOOK_EVENTS differ: only in VALID_HOOK_EVENTS: C; only in HOOK_EVENTS: A",
    )


def test_two_sets_under_one_name_that_agree_are_both_kept(tmp_path):
    found = surface_of(tmp_path, 'HOOK_EVENTS = ("A", "B")\nVALID_HOOK_EVENTS = ("B", "A")')
    assert sets(found) == {"hook_events": ("A", "B"), "valid_hook_events": ("B", "A")}
    assert found.notices == ()


def test_a_union_of_entries_states_the_types_and_the_shells(tmp_path):
    found = surface_of(
        tmp_path,
        'class A(TypedDict):\n    type: Literal["command"]\n    command: str\n    shell: NotRequired[Literal["sh"]]\n'
        'class B(TypedDict):\n    type: Literal["http"]\n    url: str\nEntry = A | B\n',
    )
    assert sets(found) == {"hook_entry_types": ("command", "http"), "hook_shells": ("sh",)}
    assert list(found.tables) == ["hook_entry_fields"]
    assert str(found.vocabularies["hook_entry_types"].places["http"]) == "m.py:6:19"


def test_json_that_says_it_is_a_schema_is_read_as_one(tmp_path):
    schema = (
        '{"$schema": "https://json-schema.org/draft-07/schema#", "definitions": {"HookEvent": {"enum": ["A", "B"]}}}'
    )
    assert sets(surface_of(tmp_path, schema, "settings.json")) == {"hook_events": ("A", "B")}


def test_keys_of_the_hooks_are_the_events_where_no_constant_says_so(tmp_path):
    found = surface_of(tmp_path, "export interface HooksConfig { PreToolUse?: M[]; Stop?: M[] }", "m.ts")
    assert sets(found) == {"hook_events": ("PreToolUse", "Stop")}
    schema = '{"properties": {"hooks": {"properties": {"PreToolUse": {}, "Stop": {}}}}}'
    assert sets(surface_of(tmp_path, schema, "s.schema.json")) == {"hook_events": ("PreToolUse", "Stop")}


@pytest.mark.parametrize(
    ("text", "name"),
    [("x = 1\ndef f(): ...", "m.py"), ("export const x = f()", "m.ts"), ("package a", "m.go"), ("# text", "m.md")],
)
def test_a_file_without_any_set_is_blind(tmp_path, text, name):
    with pytest.raises(DeclaredError, match=f"{name} states no closed set that can be read"):
        surface_of(tmp_path, text, name)


def test_a_file_of_no_known_kind_is_a_configuration_error(tmp_path):
    with pytest.raises(ConfigError, match="no reader for files of this kind"):
        surface_of(tmp_path, "x", "m.txt")


@pytest.mark.parametrize(
    ("name", "content", "source"),
    [
        ("m.py", b"", True),
        ("m.ts", b"", True),
        ("m.txt", b"", False),
        ("Makefile", b"", False),
        ("constants.js", b"x", True),
        ("cli.js", b"x" * 300_000, False),
        ("contract.d.ts", b"declare const X: 1", True),
        ("sdk.d.ts", b"type A = { hook_event_name: 'A' }", False),
        ("hooks.ts", b"type A = { hook_event_name: 'A' }", True),
    ],
)
def test_sources_are_told_from_artefacts(tmp_path, name, content, source):
    (tmp_path / name).write_bytes(content)
    assert is_source_file(tmp_path / name) is source
