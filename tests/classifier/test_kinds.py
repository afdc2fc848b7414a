"""The kinds of the field table: what is just right, and what is just wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from driftgate.classifier.contract import CONTRACT, Contract, FieldRule
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.kinds import KINDS, field_kinds

HALF_WAY = 2**1024 - 2**970

RIGHT: Mapping[str, list[Any]] = {
    "text": ["x", " ", "\ud800", "\0"],
    "string": ["", "x"],
    "url": [
        "https://example.com", "HTTP://EXAMPLE.COM", " a:b\n", "\ufeffa:b", "\u3000a:b", "\x1fa:b", "http:x",
        "http://${HOST}/", "mailto:x", "javascript:1", "ht\ntp://x", "http://x/\ud800", "http://x/\ud83d\ude00",
        "http://h:65535", "http://[::1]/",
    ],
    "shell": ["bash", "powershell"],
    "boolean": [True, False],
    "seconds": [1, 0.5, 5e-324, 1e308, 1.7976931348623157e308, 10**300, HALF_WAY - 1],
    "stringRecord": [{}, {"a": ""}, {"matcher": "x", "hooks": "y"}],
    "stringList": [[], [""], ["a", "b"]],
    "record": [{}, {"a": None}, {"a": [{"b": 1}]}],
    "failureMode": ["continue", "block"],
    "number": [0, -1, 0.5, -1e308, HALF_WAY - 1],
    "any": [None, 1, [], {}],
}  # fmt: skip
WRONG: Mapping[str, list[Any]] = {
    "text": ["", None, 1, ["x"]],
    "string": [None, 1, ["x"], {}],
    "url": ["", " ", "x", "/p", "//h/p", "http://", "${URL}", "https://exa mple.com", "http://h:65536", "\x85a:b",
            "http://\ud800/", "http://[::1", None, 1],
    "shell": ["Bash", "sh", "", None, 1, ["bash"]],
    "boolean": [0, 1, "true", None, []],
    "seconds": [0, -0.0, -1, True, False, math.inf, -math.inf, math.nan, HALF_WAY, 10**400, "5", None, [1]],
    "stringRecord": [None, [], "x", {"a": 1}, {"a": "b", "c": None}],
    "stringList": [None, {}, "x", [1], ["a", None]],
    "record": [None, [], "x", 1],
    "failureMode": ["stop", "", None, 1, True],
    "number": [True, False, math.inf, math.nan, HALF_WAY, -HALF_WAY, "1", None],
    "any": [],
}  # fmt: skip


def test_every_kind_is_here():
    assert field_kinds().keys() == KINDS.keys() == RIGHT.keys() == WRONG.keys()


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in RIGHT.items() for value in values])
def test_right_values(kind, value):
    assert field_kinds()[kind].accepts(value) is True


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in WRONG.items() for value in values])
def test_wrong_values(kind, value):
    assert not field_kinds()[kind].accepts(value)


FIELDS = [(entry, name, rule) for entry, row in CONTRACT.fields.items() for name, rule in row.items()]


@pytest.mark.parametrize(
    ("entry_type", "name", "rule"), FIELDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_field_of_the_table_is_read_and_carried_as_its_row_says(entry_type, name, rule):
    needed = {field: RIGHT[r.kind][0] for field, r in CONTRACT.fields[entry_type].items() if r.required}

    def read(entry: dict[str, Any], event: str = "Stop") -> Any:
        return classify_hooks_config({"hooks": {event: [{"hooks": [{"type": entry_type, **entry}]}]}})

    for value in RIGHT[rule.kind]:
        for _ in range(10):  # often enough that the written loader answers too
            result = read({**needed, name: value})
            assert result.outcome == "loaded"
            (loaded,) = result.hooks["Stop"][0]["hooks"]
            assert loaded.get(name) == value if rule.carried else name not in loaded, value
    for value in WRONG[rule.kind]:
        for event, outcome in (("Stop", "loaded-partial"), ("PreToolUse", "rejected")):
            result = read({**needed, name: value}, event)
            assert (result.outcome, [piece.field for piece in result.pieces]) == (outcome, [name]), value
    without = {field: value for field, value in needed.items() if field != name}
    assert read(without).outcome == ("loaded-partial" if rule.required else "loaded")


def test_a_url_loads_as_it_is_written():
    entry = {"type": "http", "url": " HTTP://X "}
    hooks: Any = classify_hooks_config({"hooks": {"Stop": [{"hooks": [entry]}]}}).hooks
    assert hooks["Stop"][0]["hooks"] == [entry]


def test_every_kind_says_what_it_expects_in_words():
    assert len({kind.expected for kind in KINDS.values()}) == len(KINDS)
    assert KINDS["shell"].expected == "one of bash, powershell"
    assert KINDS["seconds"].expected == "a finite number above 0 (seconds)"


def contract_with(fields: Mapping[str, FieldRule], **changes: Any) -> Contract:
    sets = {"events": ("Stop", "Guard"), "entry_types": ("t",), "shells": ("fish",), "guard_events": ("Guard",)}
    return Contract(**{**sets, **changes}, fields={"t": fields})


def read_with(contract: Contract, entry: dict[str, Any], event: str = "Stop") -> Any:
    return classify_hooks_config({"hooks": {event: [{"hooks": [{"type": "t", **entry}]}]}}, contract)


def test_a_contract_brings_its_own_sets():
    contract = contract_with({"s": FieldRule("shell", required=True, carried=True)})
    assert read_with(contract, {"s": "fish"}).outcome == "loaded"
    assert read_with(contract, {"s": "bash"}).outcome == "loaded-partial"
    assert read_with(contract, {"s": "bash"}, "Guard").outcome == "rejected"
    assert read_with(contract, {"s": "fish"}, "PreToolUse").outcome == "loaded-partial"
    assert classify_hooks_config({"PreToolUse": [1]}, contract).outcome == "loaded"
    assert classify_hooks_config({"Guard": [1]}, contract).outcome == "rejected"


def test_a_contract_may_have_closed_sets_of_its_own():
    contract = contract_with({"f": FieldRule("enum(a|b)", required=False, carried=True)})
    assert [read_with(contract, {"f": value}).outcome.value for value in ("a", "b", "a|b", None)] == [
        "loaded", "loaded", "loaded-partial", "loaded-partial",
    ]  # fmt: skip


def test_fields_that_are_only_checked_come_last_wherever_the_table_has_them():
    contract = contract_with({
        "a": FieldRule("string", required=False, carried=False),
        "b": FieldRule("string", required=True, carried=True),
    })  # fmt: skip
    assert [piece.field for piece in read_with(contract, {"a": 1}).pieces] == ["b"]
    assert [piece.field for piece in read_with(contract, {"a": 1, "b": ""}).pieces] == ["a"]


@pytest.mark.parametrize("carried", [True, False])
@pytest.mark.parametrize(
    ("name", "value", "outcome"),
    [("Guard", "x", "rejected"), ("hooks", [1], "rejected"), ("hooks", [], "loaded"), ("x", {"Guard": 1}, "rejected")],
)
def test_a_field_is_no_hiding_place_for_a_sign(name, value, outcome, carried):
    contract = contract_with({name: FieldRule("any", required=False, carried=carried)})
    for _ in range(10):
        assert read_with(contract, {name: value}).outcome == outcome


def test_a_kind_that_does_not_exist_is_refused():
    contract = contract_with({"a": FieldRule("strnig", required=False, carried=True)})
    with pytest.raises(ValueError, match="strnig"):
        read_with(contract, {})


def test_a_contract_without_guards_rejects_only_misplaced_matchers():
    contract = contract_with({}, guard_events=())
    assert read_with(contract, {}).outcome == "loaded"
    assert classify_hooks_config({"hooks": {"Guard": 1}}, contract).outcome == "loaded-partial"
    assert classify_hooks_config({"a": {"hooks": [1]}}, contract).outcome == "rejected"
