"""The strict parsers: accepted if and only if the classifier loads all of it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftgate.classifier.contract import CONTRACT, HOOK_ENTRY_TYPES
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.projections import (
    AgentHookEntry,
    CommandHookEntry,
    HookEntry,
    HookMatcherEntry,
    HooksConfig,
    HooksParseError,
    HttpHookEntry,
    McpToolHookEntry,
    PromptHookEntry,
    StrictParser,
)
from driftgate.classifier.result import HooksOutcome
from driftgate.errors import DriftgateError, ExitCode
from tests.classifier.strategies import good_entries, good_hooks, json_values, matchers, mixed_hooks

BY_TYPE: dict[str, StrictParser[Any]] = {
    "command": CommandHookEntry,
    "prompt": PromptHookEntry,
    "agent": AgentHookEntry,
    "http": HttpHookEntry,
    "mcp_tool": McpToolHookEntry,
}
OK: Any = {"type": "command", "command": "x"}

any_entries = (
    good_entries() | json_values | st.tuples(good_entries(), json_values).map(lambda pair: {**pair[0], "x": pair[1]})
)
any_matchers = matchers(any_entries) | json_values


def issues(parser: StrictParser[Any], value: Any) -> list[tuple[Any, ...]]:
    with pytest.raises(HooksParseError) as caught:
        parser.parse(value)
    return [(issue.code.value, issue.path, issue.field) for issue in caught.value.issues]


def check(parser: StrictParser[Any], value: Any, document: Any, pick: Any) -> None:
    result = classify_hooks_config(document)
    loads = result.outcome == HooksOutcome.LOADED
    assert parser.accepts(value) is loads
    if loads:
        parsed = parser.parse(value)
        assert repr(parsed) == repr(pick(result.hooks))
        assert parser.accepts(parsed)
    else:
        assert issues(parser, value)


def test_every_type_has_its_parser():
    assert tuple(BY_TYPE) == HOOK_ENTRY_TYPES


@given(mixed_hooks | good_hooks)
def test_hooks_config(value):
    check(HooksConfig, value, {"hooks": value}, lambda hooks: hooks)


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
@given(value=any_matchers)
def test_hook_matcher_entry(event, value):
    check(HookMatcherEntry, value, {"hooks": {event: [value]}}, lambda hooks: hooks[event][0])


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
@given(value=any_entries)
def test_hook_entry(event, value):
    check(HookEntry, value, {"hooks": {event: [{"hooks": [value]}]}}, lambda hooks: hooks[event][0]["hooks"][0])


@given(any_entries)
def test_the_parser_of_a_type_accepts_what_is_an_entry_of_that_type(value):
    for entry_type, parser in BY_TYPE.items():
        of_type = isinstance(value, dict) and value.get("type") == entry_type
        assert parser.accepts(value) == (of_type and HookEntry.accepts(value))


def test_another_type_is_an_issue_of_the_type():
    assert issues(PromptHookEntry, OK) == [("entry-invalid", (), "type")]


def test_issues_are_relative_to_the_value_and_all_there():
    bad = {"type": "command"}
    assert issues(HookEntry, bad) == [("entry-invalid", (), "command")]
    assert issues(HookEntry, 1) == [("entry-invalid", (), None)]
    assert issues(HookEntry, {**OK, "x": {"PreToolUse": 1}}) == [("guard-entry-invalid", (), None)]
    assert issues(HookMatcherEntry, {"hooks": [OK, bad, 1]}) == [
        ("entry-invalid", ("hooks", 1), "command"),
        ("entry-invalid", ("hooks", 2), None),
    ]
    assert issues(HookMatcherEntry, {"matcher": 1}) == [("matcher-invalid", (), "matcher")]
    assert issues(HooksConfig, None) == [("hooks-not-object", (), None)]
    # What only drops and what rejects, together, in order.
    assert issues(HooksConfig, {"Foo": 1, "PreToolUse": [{"hooks": [bad]}], "Stop": 1}) == [
        ("unknown-event", ("Foo",), None),
        ("guard-entry-invalid", ("PreToolUse", 0, "hooks", 0), "command"),
        ("event-not-array", ("Stop",), None),
    ]


def test_the_error_says_where_and_why_and_shows_no_value():
    secret = "sk-live-0123456789"
    with pytest.raises(HooksParseError) as caught:
        HooksConfig.parse({secret: secret, "Stop": [{"hooks": [{**OK, "timeout": 0}]}]})
    error = caught.value
    assert isinstance(error, DriftgateError)
    assert isinstance(error, ValueError)
    assert error.code is ExitCode.DRIFT
    message = str(error)
    assert secret not in message
    assert "not a HooksConfig: 2 of its pieces would not load" in message
    assert "Stop[0].hooks[0].timeout: entry-invalid" in message
    assert "<sk-...>: unknown-event" in message
    assert "the name is not a hook event" in message


def test_parsed_values_carry_the_fields_of_the_contract_only():
    assert CommandHookEntry.parse({"x": 1, "timeout": 1, **OK, "args": []}) == {**OK, "timeout": 1}
    assert HookMatcherEntry.parse({"hooks": [], "x": 1}) == {"hooks": []}
    assert HooksConfig.parse({}) == {}


def test_a_parser_can_be_had_for_another_contract():
    narrow = replace(CONTRACT, events=("Stop",))
    assert not StrictParser[Any]("HooksConfig", ("hooks",), narrow).accepts({"Setup": []})
    assert HooksConfig.accepts({"Setup": []})


TYPED = """
from typing import assert_type
from driftgate.classifier.contract import CommandHookEntryDict, HookEntryDict, HookMatcherEntryDict, HooksConfigDict
from driftgate.classifier.contract import AgentHookEntryDict, HttpHookEntryDict, McpToolHookEntryDict
from driftgate.classifier.contract import PromptHookEntryDict
from driftgate.classifier.projections import AgentHookEntry, CommandHookEntry, HookEntry, HookMatcherEntry, HooksConfig
from driftgate.classifier.projections import HttpHookEntry, McpToolHookEntry, PromptHookEntry

def use(value: object) -> None:
    assert_type(HooksConfig.parse(value), HooksConfigDict)
    assert_type(HookMatcherEntry.parse(value), HookMatcherEntryDict)
    assert_type(HookEntry.parse(value), HookEntryDict)
    assert_type(CommandHookEntry.parse(value), CommandHookEntryDict)
    assert_type(PromptHookEntry.parse(value), PromptHookEntryDict)
    assert_type(AgentHookEntry.parse(value), AgentHookEntryDict)
    assert_type(HttpHookEntry.parse(value), HttpHookEntryDict)
    assert_type(McpToolHookEntry.parse(value), McpToolHookEntryDict)
    assert_type(CommandHookEntry.parse(value)["command"], str)
    assert_type(HookMatcherEntry.parse(value)["hooks"], list[HookEntryDict])
    entry = HookEntry.parse(value)
    if entry["type"] == "http":
        assert_type(entry["url"], str)
    if CommandHookEntry.accepts(value):
        assert_type(value, CommandHookEntryDict)
"""
MISTYPED = """
from driftgate.classifier.projections import CommandHookEntry, HookEntry

def use(value: object) -> None:
    CommandHookEntry.parse(value)["comand"]
    HookEntry.parse(value)["url"]
    timeout: str = CommandHookEntry.parse(value)["timeout"]
"""


@pytest.fixture(scope="module")
def mypy_errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The errors that mypy finds in each of the two modules."""
    pytest.importorskip("mypy", reason="needs the extra `lint`")
    folder = tmp_path_factory.mktemp("typed")
    modules = {"right": TYPED, "wrong": MISTYPED}
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    options = ["--strict", "--follow-imports=silent", "--no-error-summary", f"--cache-dir={folder / 'cache'}"]
    command = [sys.executable, "-m", "mypy", *options, *(str(folder / f"{name}.py") for name in modules)]
    root = Path(__file__).parent.parent.parent
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert not run.stderr
    lines = [line for line in run.stdout.splitlines() if ": error:" in line]
    return {name: [line for line in lines if f"{name}.py:" in line] for name in modules}


def test_mypy_knows_what_a_parser_returns(mypy_errors):
    assert mypy_errors["right"] == []


def test_mypy_finds_wrong_uses(mypy_errors):
    found = [error.rsplit("[", 1)[1] for error in mypy_errors["wrong"]]
    assert found == ["typeddict-item]"] * 5 + ["assignment]"]
