"""The result: frozen, comparable, silent about values; and documents of any depth and size."""

from __future__ import annotations

import copy
import gc
import pickle
import time
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.result import (
    CODE_MEANINGS,
    DropCode,
    DroppedPiece,
    HooksClassification,
    HooksOutcome,
    Rejection,
    RejectionCode,
)

DEEP = 100_000
OK: Any = {"type": "command", "command": "x"}
MCP: Any = {"type": "mcp_tool", "server": "", "tool": ""}


def nested(kind: str, depth: int, inmost: Any) -> Any:
    value = inmost
    for level in range(depth):
        value = [value] if kind == "lists" or (kind == "both" and level % 2) else {"a": value}
    return value


def loaded(**parts: Any) -> Any:
    return classify_hooks_config({"hooks": {"Stop": [{"hooks": [{**OK, **parts}]}]}})


def test_the_codes_are_words():
    assert [str(code) for code in HooksOutcome] == ["loaded", "loaded-partial", "rejected"]
    assert list(DropCode) == [
        "hooks-not-object",
        "unknown-event",
        "event-not-array",
        "matcher-invalid",
        "entry-invalid",
    ]
    assert len(RejectionCode) == 6
    assert list(CODE_MEANINGS) == [*DropCode, *RejectionCode]
    assert all("\n" not in meaning for meaning in CODE_MEANINGS.values())


@pytest.mark.parametrize("thing", [loaded(), loaded(command=1), classify_hooks_config({"PreToolUse": 1})])
def test_results_are_frozen(thing):
    for name in ("hooks", "pieces", "outcome", "dropped", "rejections", "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, None)
        with pytest.raises(FrozenInstanceError):
            delattr(thing, name)
    for piece in thing.pieces:
        for name in ("code", "field", "path", "other"):
            with pytest.raises(AttributeError):
                setattr(piece, name, None)
    with pytest.raises(TypeError):
        hash(thing)


def test_pieces_compare_by_class_code_path_and_field():
    piece = DroppedPiece(DropCode.ENTRY_INVALID, ("hooks", "Stop", 0), "type")
    assert piece == DroppedPiece(DropCode.ENTRY_INVALID, ("hooks", "Stop", 0), "type")
    assert hash(piece) == hash(DroppedPiece(DropCode.ENTRY_INVALID, ("hooks", "Stop", 0), "type"))
    assert piece != DroppedPiece(DropCode.ENTRY_INVALID, ("hooks", "Stop", 0))
    assert piece != DroppedPiece(DropCode.ENTRY_INVALID, ("hooks", "Stop", 1), "type")
    assert Rejection(RejectionCode.GUARD_OUTSIDE_HOOKS, ()) != "guard-outside-hooks"
    (found,) = classify_hooks_config({"a": [{"PreToolUse": 1}]}).rejections
    assert found == Rejection(RejectionCode.GUARD_OUTSIDE_HOOKS, ("a", 0, "PreToolUse"))
    assert repr(found) == "<Rejection guard-outside-hooks at <...>[0].PreToolUse>"


def test_results_compare_and_travel():
    for document in ({}, {"hooks": {"Stop": [{"hooks": [OK, 1]}]}}, {"a": {"PreToolUse": 1}}):
        result = classify_hooks_config(document)
        assert type(result) is HooksClassification
        assert result == classify_hooks_config(copy.deepcopy(document))
        assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own
        assert copy.deepcopy(result) == result
        assert result != classify_hooks_config({"hooks": {}})
        assert result != document


def test_nothing_shows_a_value_of_the_document():
    secret = "sk-live-0123456789"
    document = {
        secret: {"PreToolUse": secret},
        "hooks": {secret: secret, "Stop": [{"hooks": [{**OK, "args": secret}]}]},
    }
    assert secret not in repr(classify_hooks_config(document))
    del document[secret]
    assert secret not in repr(classify_hooks_config(document))
    assert secret not in repr(loaded(command=secret))


def test_changing_the_result_leaves_the_document_alone_and_the_other_way_round():
    entry = {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": [{}]}}
    document = {
        "hooks": {"Stop": [{"hooks": [entry, {"type": "http", "url": "a:b", "headers": {}, "allowedEnvVars": []}]}]}
    }
    before = copy.deepcopy(document)
    hooks: Any = classify_hooks_config(document).hooks
    first, second = hooks["Stop"][0]["hooks"]
    first["input"]["a"][0]["b"] = 1
    first["input"]["c"] = 1
    second["headers"]["x"] = second["url"] = "x"
    second["allowedEnvVars"].append("x")
    hooks["Stop"][0]["hooks"].clear()
    hooks["Stop"].clear()
    hooks.clear()
    assert document == before


DEEP_PLACES: list[tuple[Any, bool]] = [
    (lambda deep: deep, False),
    (lambda deep: {"a": deep}, False),
    (lambda deep: {"hooks": {"Foo": deep}}, True),
    (lambda deep: {"hooks": {"Stop": deep}}, True),
    (lambda deep: {"hooks": {"Stop": [{"hooks": [], "x": deep}]}}, False),
    (lambda deep: {"hooks": {"Stop": [{"hooks": [{**OK, "x": deep}]}]}}, False),
    (lambda deep: {"hooks": {"Stop": [{"hooks": [{**MCP, "input": {"a": deep}}]}]}}, False),
]


@pytest.mark.parametrize("place", range(len(DEEP_PLACES)))
def test_depth_is_no_limit(place):
    document, dropped = DEEP_PLACES[place]
    kind = ("lists", "objects", "both")[place % 3]
    harmless = document(nested(kind, DEEP, {"hooks": []}))
    assert classify_hooks_config(harmless).outcome.value == ("loaded-partial" if dropped else "loaded")
    sign = document(nested(kind, DEEP, {"PreToolUse": 1}))
    assert classify_hooks_config(sign).outcome == HooksOutcome.REJECTED


def test_the_path_of_a_deep_sign_is_whole():
    (piece,) = classify_hooks_config({"b": nested("objects", DEEP, {"PreToolUse": 1})}).rejections
    assert piece.path == ("b", *["a"] * DEEP, "PreToolUse")
    assert len(repr(piece)) > DEEP


def test_deep_results_compare():
    deep, same, other = (loaded(**MCP, input={"a": nested("both", DEEP, end)}) for end in (1, 1, 2))
    assert deep == same
    assert deep != other
    assert repr(deep) == "<HooksClassification loaded: []>"


def test_a_sign_on_every_level_of_a_deep_document_takes_linear_space():
    document: Any = {}
    for _ in range(DEEP):
        document = {"a": document, "PreToolUse": 1}
    rejections = classify_hooks_config(document).rejections
    assert len(rejections) == DEEP
    assert rejections[-1].path == ("PreToolUse",)
    assert rejections[0].path == (*["a"] * (DEEP - 1), "PreToolUse")


def test_cycles_are_tolerated():
    ring: Any = {"b": []}
    ring["b"].append(ring)
    result = loaded(**MCP, input=ring)
    assert result.outcome == HooksOutcome.LOADED
    kept = result.hooks["Stop"][0]["hooks"][0]["input"]
    assert kept["b"][0] is kept is not ring
    assert result == loaded(**MCP, input=ring)
    assert classify_hooks_config(ring).outcome == HooksOutcome.LOADED
    ring["PreToolUse"] = 1
    assert classify_hooks_config({"a": ring}).rejections == (
        Rejection(RejectionCode.GUARD_OUTSIDE_HOOKS, ("a", "PreToolUse")),
    )


def test_one_value_in_two_places_is_found_in_both():
    sign = {"PreToolUse": 1}
    paths = [piece.path for piece in classify_hooks_config({"a": {"b": sign, "c": sign}}).rejections]
    assert paths == [("a", "b", "PreToolUse"), ("a", "c", "PreToolUse")]


def wide(size: int) -> list[Any]:
    """Documents that grow in each of the ways in which one can."""
    bad = {"type": "x", "a": [{}] * 3}
    return [
        {"hooks": {"Stop": [{"hooks": [OK, bad] * size}]}},
        {"hooks": {"Stop": [{"hooks": [], "x": [[{"b": 1}]] * size}]}},
        {"hooks": {f"Foo{number}": [{"hooks": [OK]}] for number in range(size)}},
        {"a": {str(number): {"PreToolUse": 1} for number in range(size)}},
        {"a": nested("both", size, 1), "hooks": {"Stop": [{"hooks": [{**OK, "x": nested("lists", size, {})}]}]}},
        {"hooks": {"Stop": [{"matcher": 1, "hooks": [OK] * size}] * 2}},
    ]


@pytest.fixture
def no_collection() -> Iterator[None]:
    """The garbage collector visits what there is again and again, which is no time of the classifier's."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("shape", range(6))
def test_time_is_linear_in_the_size(shape, no_collection):
    def seconds(size: int) -> float:
        document = wide(size)[shape]
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            classify_hooks_config(document)
            best = min(best, time.process_time() - start)
        return best

    small, large = seconds(1_000), seconds(20_000)
    assert large < 20 * small * 5  # twenty times the size; what is quadratic would take four hundred times as long
