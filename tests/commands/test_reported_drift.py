"""The faults of mirrors that real users reported (kind A), through the command line, on a small project."""

import json
import re
import shutil
from pathlib import Path

import pytest

from driftgate.upstreams.shipped import snapshots_of
from tests.commands.conftest import edit

SHIPPED = snapshots_of("claude-code")


@pytest.fixture
def pinned(project):
    """The project with the real snapshot of 2.1.296, whose eight known differences it accepts."""
    shutil.copy(SHIPPED["2.1.296"], "2.1.296.yaml")
    entries = "".join(
        f"- {{rule: field-only-upstream, subject: {name}, reason: not ours}}\n"
        for name in ("command.cloud", "http.cloud")
    )
    with Path("driftgate.yml").open("a", encoding="utf-8") as file:
        file.write(entries)
    return project


def lines_with(text, word):
    return [line for line in text.splitlines() if re.search(rf"\b{word}\b", line)]


def test_a01_two_events_that_the_mirror_lacks(pinned, run):
    for name in ("TeammateIdle", "TaskCompleted"):
        edit("src/contract.py", f'\n    "{name}",', "")
    code, out, _ = run("check")
    assert code == 1
    assert "only upstream (2):" in out
    for name in ("TeammateIdle", "TaskCompleted"):
        line, *_ = lines_with(out, name)  # the others say what to do
        assert "[event-only-upstream]" in line
    assert "Claude Code 2.1.296" in out
    assert "sha512-" in out
    assert "invalid" not in out
    assert not lines_with(out, "SessionStart")


def test_a01_a_document_with_the_two_loads(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hooks = [{"hooks": [{"type": "command", "command": "echo ok"}]}]
    Path("settings.json").write_text(json.dumps({"hooks": {"TeammateIdle": hooks, "TaskCompleted": hooks}}))
    assert run("classify", "settings.json")[0] == 0


def test_a02_an_event_that_upstream_never_had(pinned, run):
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "ToolError",')
    code, out, _ = run("check")
    assert code == 1
    assert "only here (1):" in out
    (line,) = lines_with(out, "ToolError")
    assert "[event-only-here]" in line
    assert "only upstream (" not in out


def test_a08_types_that_the_mirror_lacks_are_three_findings(pinned, run):
    edit("src/contract.py", '["command", "prompt", "agent", "http", "mcp_tool"]', '["command", "prompt"]')
    edit("src/contract.py", " | AgentHookEntryDict | HttpHookEntryDict | McpToolHookEntryDict", "")
    code, out, _ = run("check", "--format", "json")
    assert code == 1
    report = json.loads(out)
    assert {(found["rule"], found["subject"]) for found in report["findings"]} == {
        ("type-only-upstream", "agent"),
        ("type-only-upstream", "http"),
        ("type-only-upstream", "mcp_tool"),
    }
    details = {found["subject"]: found["detail"] for found in report["findings"]}
    assert "server, tool" in details["mcp_tool"]


def test_a10_both_directions_stand_apart_with_their_counts(pinned, run):
    for name in ("PostCompact", "StopFailure", "Elicitation", "ElicitationResult"):
        edit("src/contract.py", f'\n    "{name}",', "")
    edit(
        "src/contract.py",
        '\n        "command": Text,',
        '\n        "command": Text,\n        "example": NotRequired[String],\n        "another": NotRequired[String],',
    )
    code, out, _ = run("check")
    assert code == 1
    assert "only upstream (4):" in out
    assert "only here (2):" in out
    assert out.index("only upstream (4):") < out.index("only here (2):")
    assert "delete" not in out


def test_a11_a_source_of_nothing_is_blind(pinned, run):
    Path("empty.js").write_text('var a=["PreToolUse","PostToolUse","Stop"];\n' * 300)
    code, out, err = run("check", "--against", "./empty.js")
    assert code == 3
    assert "no drift" not in out + err
    assert "blind" in out
    assert (out + err).rstrip().splitlines()[-1] == "driftgate: blind, exit 3"


def test_a11_a_pattern_that_matches_nothing_is_blind(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("classify", "nothing-*.json")
    assert code == 3
    assert "0 documents matched" in out + err


def test_a11_a_healthy_run_states_what_it_compared(pinned, run):
    code, out, _ = run("check")
    assert code == 0
    assert "33 events agree" in out
    assert "5 types agree" in out
    assert re.search(r"\d+ fields agree", out)


DECOYS = (
    'var a=["PreToolUse","PostToolUse","Stop"],b=new Set(["PreToolUse","PostToolUse"]),PreToolUse=["PreToolUse"];\n'
)


@pytest.mark.parametrize("name", ["bundle.js", "bundle.mjs", "cli.js"])
def test_a_small_bundle_of_decoys_is_blind_however_small(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(DECOYS)
    code, out, err = run("extract", f"./{name}")
    assert (code, out) == (3, "")
    assert "hook events: anchor not found" in err


def test_a_module_that_names_its_hook_events_is_read_as_what_it_is(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("constants.mjs").write_text('export const HOOK_EVENTS = ["PreToolUse", "Stop"];\n')
    code, out, _ = run("extract", "./constants.mjs", "--format", "json")
    assert code == 0
    assert json.loads(out)["surface"]["hook_events"] == ["PreToolUse", "Stop"]


def test_extract_ends_with_the_verdict_and_quiet_leaves_only_that(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("constants.mjs").write_text('export const HOOK_EVENTS = ["PreToolUse", "Stop"];\n')
    code, out, _ = run("extract", "./constants.mjs")
    assert code == 0
    assert out.splitlines()[0] == "constants.mjs"
    assert out.splitlines()[-1] == "driftgate: agrees, exit 0"
    assert run("extract", "./constants.mjs", "-q")[1] == "driftgate: agrees, exit 0\n"
