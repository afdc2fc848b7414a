"""What is recorded of the client holds what it is for, and nothing of the machine that it was recorded on."""

from __future__ import annotations

import json
import re

import pytest

from tests.probe import answers, cases, firing, generate
from tests.probe.plugins import PluginAnswer, write

PAYLOADS = sorted(answers.PAYLOADS.glob("*.json"))
ABSOLUTE = re.compile(r'(?<![\w./~])/(?!home/user|run/client|nonexistent|")[\w.-]+/[\w./-]+')
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_payloads_are_neutral(path):
    text = path.read_text("utf-8")
    recorded = json.loads(text)
    assert recorded["release"] == path.stem
    assert ABSOLUTE.findall(text) == []
    assert set(UUID.findall(text)) == {"00000000-0000-4000-8000-000000000000"}
    for event, payloads in recorded["payloads"].items():
        assert payloads
        assert {payload["hook_event_name"] for payload in payloads} == {event}


def test_there_are_payloads_of_enough_events_and_releases():
    events = {path.stem: set(json.loads(path.read_text("utf-8"))["payloads"]) for path in PAYLOADS}
    assert len(events) >= 5
    assert {"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"} <= set.intersection(*events.values())


def test_what_belongs_to_a_machine_is_made_neutral():
    payload = {
        "cwd": "/var/folders/x/probe-abc123/home/work/sub",
        "transcript_path": (
            "/t/probe-abc_1/home/.claude/projects/-t-probe-abc-1-home-work/6e1b2c3d-0000-1111-2222-333344445555.jsonl"
        ),
        "agent_id": "a1b2c3d4e5",
        "duration_ms": 1234,
        "count": 3,
        "at": "2026-12-01T03:19:10.636Z",
        "inner": [{"file": "/x/claude-501/-t/out"}],
    }
    assert firing.neutral(payload) == {
        "cwd": "/home/user/project/sub",
        "transcript_path": (
            "/home/user/.claude/projects/-home-user-project/00000000-0000-4000-8000-000000000000.jsonl"
        ),
        "agent_id": "0123abcd",
        "duration_ms": 1,
        "count": 3,
        "at": "2026-01-01T00:00:00.000Z",
        "inner": [{"file": "/run/client/-t/out"}],
    }


def test_the_documents_are_those_that_the_seed_gives():
    """The record and the generator belong together: what is asked again is what was asked."""
    recorded = {json.dumps(record["files"], sort_keys=True) for record in answers.read(answers.PLUGINS)}
    generated = [json.dumps(files, sort_keys=True) for files in generate.plugins(20261201, 2500)]
    assert set(generated) <= recorded
    assert len(set(generated)) > 1500
    by_hand = {json.dumps(files, sort_keys=True) for files in cases.plugins()}
    assert len(by_hand & recorded) > 200


def test_answers_are_written_once_for_releases_that_agree(tmp_path):
    loads, fails = PluginAnswer("loads").data(), PluginAnswer("fails", issues=("hooks",)).data()
    said = {"1": [loads, loads], "2": [loads, fails], "3": [loads, loads]}
    (file := tmp_path / "a.jsonl").write_text(answers.lines([{"text": "a"}, {"text": "b"}], said))
    first, second = answers.read(file)
    assert first == {"text": "a", "said": [[["1", "2", "3"], {"outcome": "loads"}]]}
    assert answers.by_release(second) == {"1": loads, "2": fails, "3": loads}


def test_a_plugin_is_written_with_the_name_of_the_batch(tmp_path):
    write({"hooks/hooks.json": "{}"}, "p0001", tmp_path / "one")
    assert json.loads((tmp_path / "one/.claude-plugin/plugin.json").read_text()) == {"name": "p0001"}
    write({".claude-plugin/plugin.json": '{"name": "@NAME@", "hooks": []}'}, "p0002", tmp_path / "two")
    assert json.loads((tmp_path / "two/.claude-plugin/plugin.json").read_text()) == {"name": "p0002", "hooks": []}
