"""Did you mean: what is a near miss and what is not."""

from __future__ import annotations

import pytest

from driftgate.classifier.contract import CONTRACT, HOOK_ENTRY_TYPES, HOOK_EVENTS
from driftgate.settings.hints import FIELD_WORDS, TYPE_WORDS, is_note, near_event, near_field, near_key, near_type

EVENTS = [
    ("PreToolCall", "PreToolUse"),
    ("PostToolCall", "PostToolUse"),
    ("pre-tool-use", "PreToolUse"),
    ("pre_tool_use", "PreToolUse"),
    ("preToolUse", "PreToolUse"),
    ("PRETOOLUSE", "PreToolUse"),
    ("PretoolUse", "PreToolUse"),
    ("PreToolUsage", "PreToolUse"),
    ("PreToolUes", "PreToolUse"),
    ("BeforeToolUse", "PreToolUse"),
    ("onStop", "Stop"),
    ("stop", "Stop"),
    ("SubAgentStop", "SubagentStop"),
    ("UserPromptSubmitted", "UserPromptSubmit"),
    ("UserPromtSubmit", "UserPromptSubmit"),
    ("session-start", "SessionStart"),
    ("SessionStarted", "SessionStart"),
    ("Notifications", "Notification"),
    ("AfterToolCall", "PostToolUse"),
    # no near misses
    ("_PreToolUse_DISABLED", None),
    ("PreToolUse_old", None),
    ("PreToolUseAndMore", None),
    ("pre-commit", None),
    ("post-build", None),
    ("PostTurn", None),
    ("PreTurn", None),
    ("PreLLM", None),
    ("PreCommit", None),
    ("session.compact", None),
    ("turn.complete", None),
    ("ToolError", None),
    ("Foo", None),
    ("", None),
    ("...", None),
    ("x" * 100_000, None),
    ("PreToolUse" * 10_000, None),
]


@pytest.mark.parametrize(("name", "event"), EVENTS, ids=[name[:30] for name, _ in EVENTS])
def test_events(name: str, event: str | None) -> None:
    assert near_event(name, HOOK_EVENTS) == event


@pytest.mark.parametrize(
    ("name", "entry_type"),
    [
        ("Command", "command"),
        ("comand", "command"),
        ("commands", "command"),
        ("bash", "command"),
        ("webhook", "http"),
        ("HTTP", "http"),
        ("https", "http"),
        ("mcp", "mcp_tool"),
        ("mcp-tool", "mcp_tool"),
        ("mcpTool", "mcp_tool"),
        ("subagent", "agent"),
        ("prompts", "prompt"),
        ("nope", None),
        ("", None),
        ("notification", None),
    ],
)
def test_types(name: str, entry_type: str | None) -> None:
    assert near_type(name, HOOK_ENTRY_TYPES) == entry_type


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("timeout_ms", "timeout"),
        ("timeoutMs", "timeout"),
        ("timeOut", "timeout"),
        ("tiemout", "timeout"),
        ("cmd", "command"),
        ("status_message", "statusMessage"),
        ("async_rewake", "asyncRewake"),
        ("background", "async"),
        ("description", None),
        ("env", None),
        ("url", None),
        ("timeout_of_the_whole_thing", None),
    ],
)
def test_fields(name: str, field: str | None) -> None:
    assert near_field(name, CONTRACT.fields["command"]) == field


def test_every_known_name_is_its_own_nearest() -> None:
    assert [near_event(name, HOOK_EVENTS) for name in HOOK_EVENTS] == list(HOOK_EVENTS)
    assert [near_type(name, HOOK_ENTRY_TYPES) for name in HOOK_ENTRY_TYPES] == list(HOOK_ENTRY_TYPES)


def test_the_words_lead_to_known_names() -> None:
    assert set(TYPE_WORDS.values()) <= set(HOOK_ENTRY_TYPES)
    assert not set(TYPE_WORDS) & set(HOOK_ENTRY_TYPES)
    assert set(FIELD_WORDS.values()) <= {field for row in CONTRACT.fields.values() for field in row}


@pytest.mark.parametrize(
    ("name", "note"),
    [("_PreToolUse_DISABLED", True), ("//", True), ("#", True), ("$comment", True), ("comment", True), ("Note", True),
     ("Stop_disabled", True), ("PreToolCall", False), ("pre-commit", False), ("", False)],
)  # fmt: skip
def test_notes(name: str, note: bool) -> None:
    assert is_note(name) is note


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Hooks", True),
        ("hook", True),
        ("hoooks", True),
        ("hoks", True),
        ("hooks", False),
        ("hosts", False),
        ("x", False),
    ],
)
def test_keys(name: str, near: bool) -> None:
    assert near_key(name, "hooks") is near
