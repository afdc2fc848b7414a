# mypy: disable-error-code="var-annotated"
"""The four levels, row by row of their tables, each row with what is just inside it and just outside."""

from __future__ import annotations

from typing import Any

import pytest

from driftgate.classifier.hooks_config import classify_hooks_config

OK: Any = {"type": "command", "command": "x"}
M: Any = {"matcher": "Bash", "hooks": [OK]}
GUARD: Any = {"PreToolUse": [M]}


def seen(document: Any) -> tuple[str, list[tuple[Any, ...]]]:
    """Outcome and pieces: (code, path) or (code, path, field)."""
    result = classify_hooks_config(document)
    pieces = [(p.code.value, p.path, p.field) if p.field else (p.code.value, p.path) for p in result.pieces]
    return result.outcome.value, pieces


OUTSIDE = "guard-outside-hooks"
LEVEL_0: list[Any] = [
    ({}, "loaded", []),
    (None, "loaded", []),
    ("PreToolUse", "loaded", []),
    ([], "loaded", []),
    ([[OK, {"hooks": []}]], "loaded", []),
    ([1, [GUARD, M]], "rejected", [(OUTSIDE, (1, 0, "PreToolUse")), (OUTSIDE, (1, 1))]),
    ({"model": "x", "env": {"A": "PreToolUse"}}, "loaded", []),
    ({"PreToolUse": None, "PermissionRequest": []}, "loaded", []),
    *[({"PreToolUse": value}, "rejected", [(OUTSIDE, ("PreToolUse",))]) for value in ({}, 0, False, "", [None], [[]])],
    ({"pretooluse": [1]}, "loaded", []),
    ({"a": {"b": [0, GUARD]}}, "rejected", [(OUTSIDE, ("a", "b", 1, "PreToolUse"))]),
    ({"a": M}, "rejected", [(OUTSIDE, ("a",))]),
    ({"a": [M]}, "rejected", [(OUTSIDE, ("a", 0))]),
    ({"Stop": [M]}, "loaded", []),
    ({"Stop": [[M]]}, "rejected", [(OUTSIDE, ("Stop", 0, 0))]),
    ({"Stop": M}, "rejected", [(OUTSIDE, ("Stop",))]),
    ({"a": {"Stop": [M, {"b": M}]}}, "rejected", [(OUTSIDE, ("a", "Stop", 1, "b"))]),
    # Outermost only, and in the document's order, `hooks` in the middle of it.
    ({"a": {"PreToolUse": GUARD}, "b": M}, "rejected", [(OUTSIDE, ("a", "PreToolUse")), (OUTSIDE, ("b",))]),
    (
        {"a": GUARD, "hooks": {"PreToolUse": 1}, "b": M},
        "rejected",
        [(OUTSIDE, ("a", "PreToolUse")), ("guard-event-not-array", ("hooks", "PreToolUse")), (OUTSIDE, ("b",))],
    ),
    # The document itself
    ({"matcher": "x", "hooks": ["y"]}, "rejected", [(OUTSIDE, ())]),
    ({"matcher": None, "hooks": {}}, "rejected", [(OUTSIDE, ())]),
    ({"matcher": "x", "hooks": []}, "loaded-partial", [("hooks-not-object", ("hooks",))]),
    ({"matcher": "x"}, "loaded", []),
    ({"hooks": ["y"]}, "loaded-partial", [("hooks-not-object", ("hooks",))]),
    (
        {"matcher": "x", "a": GUARD, "hooks": {"PreToolUse": 1}},
        "rejected",
        [(OUTSIDE, ()), ("guard-event-not-array", ("hooks", "PreToolUse"))],
    ),
]  # fmt: skip

NOT_OBJECT, IS_MATCHER = "hooks-not-object", "hooks-is-matcher"
LEVEL_1: list[Any] = [
    *[(v, "loaded-partial", [(NOT_OBJECT, ("hooks",))]) for v in (None, True, 0, 1.5, "x", [], [None])],
    ([1, "PreToolUse"], "loaded-partial", [(NOT_OBJECT, ("hooks",))]),
    *[(v, "rejected", [(IS_MATCHER, ("hooks",))]) for v in ([{}], [[]], [1, [2]], [M])],
    *[(v, "rejected", [(IS_MATCHER, ("hooks",))]) for v in (M, {"hooks": [1]}, {"matcher": 1, "hooks": {}})],
    ({"hooks": {"type": "x"}}, "rejected", [(IS_MATCHER, ("hooks",))]),
    ({"hooks": {"type": 1}}, "loaded-partial", [("unknown-event", ("hooks", "hooks"))]),
    ({"type": "x"}, "rejected", [(IS_MATCHER, ("hooks",))]),
    ({"type": 1}, "loaded-partial", [("unknown-event", ("hooks", "type"))]),
    ({"type": "x", "Stop": []}, "loaded-partial", [("unknown-event", ("hooks", "type"))]),
    ({}, "loaded", []),
]  # fmt: skip

UNKNOWN, UNDER_UNKNOWN, NOT_ARRAY, GUARD_NOT_ARRAY = (
    "unknown-event", "guard-under-unknown-event", "event-not-array", "guard-event-not-array",
)  # fmt: skip
LEVEL_2: list[Any] = [
    *[("Foo", v, UNKNOWN) for v in (None, 1, "x", {}, [], [M], [OK], [{"PreToolUse": None}], {"Stop": [M]})],
    *[("Foo", v, UNDER_UNKNOWN) for v in (M, {"a": M}, GUARD, [[M]], [{"PreToolUse": 0}], [OK, {"a": [[M]]}])],
    *[("stop", v, UNKNOWN) for v in ([], [M])],
    *[("Stop", v, NOT_ARRAY) for v in (None, 1, "x", {}, OK, {"Stop": [M]})],
    *[("Stop", v, GUARD_NOT_ARRAY) for v in (M, GUARD, {"a": [M]}, {"a": {"PermissionRequest": 0}})],
    *[(guard, v, GUARD_NOT_ARRAY) for guard in ("PreToolUse", "PermissionRequest") for v in (1, False, "", {}, OK, M)],
    *[(guard, None, NOT_ARRAY) for guard in ("PreToolUse", "PermissionRequest")],
    *[(event, v, None) for event in ("Stop", "PreToolUse") for v in ([], [M], [M, {"hooks": []}])],
]  # fmt: skip

LEVEL_3: list[Any] = [
    *[(v, "invalid", None) for v in (None, 1, "x", [], [1], [[OK]])],
    *[({"matcher": v, "hooks": [OK]}, "invalid", "matcher") for v in (None, 1, True, ["x"], {})],
    *[({"matcher": "x", "hooks": v}, "invalid", "hooks") for v in (None, 1, "x", {}, {"type": "x"})],
    ({"matcher": 1}, "invalid", "matcher"),
    ({}, "invalid", "hooks"),
    (OK, "invalid", "hooks"),
    # with a sign, in any event
    ([M], "sign", None),
    ([GUARD], "sign", None),
    ({"matcher": 1, "hooks": [{"a": M}]}, "sign", "matcher"),
    ({"PreToolUse": [1]}, "sign", "hooks"),
    ({"hooks": {"PreToolUse": 0}}, "sign", "hooks"),
    ({"hooks": [OK], "PreToolUse": {}}, "sign", None),
    ({"hooks": [OK], "a": M}, "sign", None),
    ({"hooks": [], "a": [[GUARD]]}, "sign", None),
    ({"hooks": [OK], "Stop": [[M]]}, "sign", None),
    # and what is none
    *[(m, None, None) for m in (M, {"hooks": []}, {"matcher": "", "hooks": []}, {"hooks": [OK], "a": {"hooks": []}})],
    ({"hooks": [OK], "PreToolUse": None, "PermissionRequest": []}, None, None),
    ({"hooks": [OK], "Stop": [M]}, None, None),
]  # fmt: skip

LEVEL_4: list[Any] = [
    *[(v, "invalid", None) for v in (None, 1, "x", [], [OK])],
    *[(v, "invalid", "type") for v in ({}, {"command": "x"})],
    *[({"type": v}, "invalid", "type") for v in (None, 1, [], {}, "", "Command", "x")],
    ({"type": "command"}, "invalid", "command"),
    ({"type": "command", "command": ""}, "invalid", "command"),
    ({"type": "command", "command": "", "timeout": 0}, "invalid", "timeout"),
    ({"type": "command", "shell": "sh", "args": 1}, "invalid", "command"),
    ({**OK, "shell": "sh", "args": 1}, "invalid", "shell"),
    ({**OK, "args": 1, "onFailure": 1}, "invalid", "args"),
    ({**OK, "if": None}, "invalid", "if"),
    ({"type": "mcp_tool", "tool": "t"}, "invalid", "server"),
    ({"type": "mcp_tool", "server": "s"}, "invalid", "tool"),
    # with a sign, in any event
    ([M], "sign", None),
    ([[GUARD]], "sign", None),
    ({**OK, "PreToolUse": 0}, "sign", None),
    ({**OK, "a": [{"b": M}]}, "sign", None),
    ({**OK, "hooks": [1]}, "sign", None),
    ({**OK, "matcher": 1, "hooks": {}}, "sign", None),
    ({"type": "http", "url": "a:b", "headers": {"PreToolUse": "x"}}, "sign", None),
    ({"type": "mcp_tool", "server": "", "tool": "", "input": {"a": {"PermissionRequest": [0]}}}, "sign", None),
    ({"type": "mcp_tool", "server": "", "tool": "", "input": M}, "sign", None),
    ({"type": "command", "command": M}, "sign", "command"),
    ({"type": "x", "a": GUARD}, "sign", "type"),
    ({**OK, "args": GUARD}, "sign", "args"),
    # and what is none
    *[(e, None, None) for e in (OK, {**OK, "a": {"b": [1]}}, {**OK, "PreToolUse": None}, {**OK, "PreToolUse": []})],
    *[(e, None, None) for e in ({**OK, "hooks": []}, {**OK, "hooks": {}}, {**OK, "Stop": [M]}, {**OK, "url": 1})],
]  # fmt: skip


@pytest.mark.parametrize(("document", "outcome", "pieces"), LEVEL_0)
def test_level_0_the_document(document, outcome, pieces):
    assert seen(document) == (outcome, pieces)


@pytest.mark.parametrize(("value", "outcome", "pieces"), LEVEL_1)
def test_level_1_the_value_of_hooks(value, outcome, pieces):
    assert seen({"hooks": value}) == (outcome, pieces)


@pytest.mark.parametrize(("name", "value", "code"), LEVEL_2)
def test_level_2_an_event(name, value, code):
    outcome = "loaded" if code is None else "rejected" if code.startswith("guard") else "loaded-partial"
    assert seen({"hooks": {name: value}}) == (outcome, [(code, ("hooks", name))] if code else [])


def expected(level: str, event: str, fault: str | None, path: tuple[Any, ...], field: str | None) -> Any:
    if fault is None:
        return "loaded", []
    rejected = fault == "sign" or event == "PreToolUse"
    piece = (f"{'guard-' if rejected else ''}{level}-invalid", path, *([field] if field else []))
    return ("rejected" if rejected else "loaded-partial"), [piece]


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
@pytest.mark.parametrize(("matcher", "fault", "field"), LEVEL_3)
def test_level_3_a_matcher(event, matcher, fault, field):
    path = ("hooks", event, 1)
    assert seen({"hooks": {event: [M, matcher]}}) == expected("matcher", event, fault, path, field)


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
@pytest.mark.parametrize(("entry", "fault", "field"), LEVEL_4)
def test_level_4_an_entry(event, entry, fault, field):
    path = ("hooks", event, 0, "hooks", 1)
    assert seen({"hooks": {event: [{"hooks": [OK, entry]}]}}) == expected("entry", event, fault, path, field)


def test_a_matcher_that_is_bad_does_not_report_its_entries():
    assert seen({"hooks": {"Stop": [{"matcher": 1, "hooks": [1, 2]}]}})[1] == [
        ("matcher-invalid", ("hooks", "Stop", 0), "matcher")
    ]


def test_what_is_left_stays_even_when_it_is_empty():
    document = {"hooks": {"Stop": [{"matcher": "x", "hooks": [1]}, 1], "Setup": [], "Foo": []}}
    hooks: Any = classify_hooks_config(document).hooks
    assert hooks == {"Stop": [{"matcher": "x", "hooks": []}], "Setup": []}


def test_what_loads_has_the_fields_of_the_contract_in_its_order():
    entry = {"x": 1, "async": True, "args": [], "command": "c", "timeout": 2, "if": "", "type": "command"}
    matcher = {"hooks": [entry], "x": {}, "matcher": ""}
    hooks: Any = classify_hooks_config({"hooks": {"Stop": [matcher]}}).hooks
    (loaded,) = hooks["Stop"]
    assert list(loaded.items()) == [("matcher", ""), ("hooks", loaded["hooks"])]
    assert list(loaded["hooks"][0].items()) == [
        ("type", "command"),
        ("if", ""),
        ("timeout", 2),
        ("command", "c"),
        ("async", True),
    ]


@pytest.mark.parametrize("key", [None, 1, True, 1.5, ("a",), b"x"])
def test_keys_that_json_cannot_have_are_no_error(key):
    assert seen({key: 1, "hooks": {"Stop": [{"hooks": [{**OK, key: GUARD}], key: 1}]}})[0] == "rejected"
    assert seen({key: GUARD})[1] == [(OUTSIDE, (key, "PreToolUse"))]
    assert seen({"hooks": {key: 1}})[1] == [("unknown-event", ("hooks", key))]
