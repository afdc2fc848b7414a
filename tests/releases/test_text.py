"""Where the text decides: marks, blank files, syntax, size and depth; and on what a verdict rests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftgate.classifier.result import HooksOutcome, RejectionCode
from driftgate.errors import BlindError
from driftgate.formats.json import read_json_text
from driftgate.releases import Basis, Cause, load_verdict
from driftgate.releases import vocabulary as known
from driftgate.releases.reader import DocumentCode
from driftgate.surface import Surface

GOOD = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo ok"}]}]}}'

# a text, and for each release why it is refused (None: it is not)
TEXTS: list[tuple[bytes, dict[str, DocumentCode | None]]] = [
    (GOOD.encode(), {"1.0.48": None, "2.1.296": None}),
    (b"\xef\xbb\xbf" + GOOD.encode(), {"2.0.60": DocumentCode.BYTE_ORDER_MARK, "2.0.73": None, "2.1.296": None}),
    (b" \n", {"1.0.48": DocumentCode.BLANK, "1.0.61": DocumentCode.BLANK, "1.0.84": None, "2.1.296": None}),
    (b"", {"1.0.61": DocumentCode.BLANK, "2.1.296": None}),
    (b"{", {"1.0.48": DocumentCode.NOT_JSON, "2.1.296": DocumentCode.NOT_JSON}),
    (b'{"hooks": {},}', {"1.0.48": DocumentCode.NOT_JSON, "2.1.296": DocumentCode.NOT_JSON}),
    (b'{"hooks": NaN}', {"1.0.48": DocumentCode.NOT_JSON, "2.1.296": DocumentCode.NOT_JSON}),
    (b"null", {"1.0.48": DocumentCode.NOT_OBJECT, "2.1.296": DocumentCode.NOT_OBJECT}),
    (b"[]", {"1.0.48": DocumentCode.NOT_OBJECT, "2.1.296": DocumentCode.NOT_OBJECT}),
    (b'"text"', {"2.1.296": DocumentCode.NOT_OBJECT}),
    (b'{"hooks": {"Foo": 1}, "hooks": {}}', {"1.0.48": None, "2.1.296": None}),
    (GOOD.encode() + b" " * (2**21 - len(GOOD)), {"2.1.213": None, "2.1.214": None, "2.1.296": None}),
    (
        GOOD.encode() + b" " * (2**21 - len(GOOD) + 1),
        {"2.1.213": None, "2.1.214": DocumentCode.TOO_LARGE, "2.1.296": DocumentCode.TOO_LARGE},
    ),
]


@pytest.mark.parametrize(("text", "answers"), TEXTS)
def test_texts(text: bytes, answers: dict[str, DocumentCode | None], recorded: Any) -> None:
    for release, code in answers.items():
        surface = recorded.get(release) or recorded["2.1.198"]
        for form in (text, read_json_text(text)):
            verdict = load_verdict(form, release, surface=surface)
            assert [piece.code for piece in verdict.rejections] == ([] if code is None else [code])
            assert verdict.cause is (None if code is None else Cause.DOCUMENT)


def test_a_value_that_is_no_object_is_no_document(recorded: Any) -> None:
    values: tuple[Any, ...] = (None, [], 1, True)
    for value in values:
        verdict = load_verdict(value, "2.1.296", surface=recorded["2.1.296"])
        assert [piece.code for piece in verdict.rejections] == [DocumentCode.NOT_OBJECT]


def _timeout(value: str) -> str:
    return GOOD.replace('"echo ok"', f'"echo ok", "timeout": {value}')


@pytest.mark.parametrize("value", ["1e999", "9" * 400, "9" * 5000])
def test_an_infinite_timeout_rejects_from_2_0_77_on(value: str, recorded: Any) -> None:
    outcomes = [
        load_verdict(_timeout(value), release, surface=recorded[release]).outcome for release in ("2.0.76", "2.1.0")
    ]
    assert outcomes == [HooksOutcome.LOADED, HooksOutcome.REJECTED]


@pytest.mark.parametrize(
    ("value", "loads"), [("5e-324", True), ("0.5", True), ("-0", False), ("-1", False), ("true", False)]
)
def test_timeouts(value: str, loads: bool, recorded: Any) -> None:
    verdict = load_verdict(_timeout(value), "2.1.296", surface=recorded["2.1.296"])
    assert (verdict.outcome is HooksOutcome.LOADED) == loads


def test_timeout_null_loads_until_1_0_40(recorded: Any) -> None:
    outcomes = [load_verdict(_timeout("null"), one, surface=recorded[one]).outcome for one in ("1.0.38", "1.0.41")]
    assert outcomes == [HooksOutcome.LOADED, HooksOutcome.REJECTED]


def _nested(levels: int, *, arrays: bool = False) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value] if arrays else {"k": value}
    return value


def _tool(value: Any, event: str = "Stop") -> dict[str, Any]:
    entry = {"type": "mcp_tool", "server": "s", "tool": "t", "input": value}
    return {"hooks": {event: [{"hooks": [entry]}]}}


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
def test_what_is_too_deep_is_cut(event: str, recorded: Any) -> None:
    surface = recorded["2.1.332"]
    # `input` is level 7: the document, hooks, the event's array, the matcher, its hooks, the entry, input
    fits = load_verdict(_tool(_nested(58), event), "2.1.332", surface=surface)
    assert fits.outcome is HooksOutcome.LOADED
    cut = load_verdict(_tool(_nested(59), event), "2.1.332", surface=surface)
    assert cut.outcome is HooksOutcome.LOADED_PARTIAL
    assert [piece.code for piece in cut.dropped] == [DocumentCode.TOO_DEEP]
    assert cut.dropped[0].path == ("hooks", event, 0, "hooks", 0, "input", *["k"] * 58)
    assert cut.hooks is not None
    innermost: Any = cut.hooks[event][0]["hooks"][0]["input"]
    for _ in range(57):
        innermost = innermost["k"]
    assert innermost == {"k": None}
    before = load_verdict(_tool(_nested(59), event), "2.1.325", surface=surface)
    assert before.outcome is HooksOutcome.LOADED


def test_a_cut_member_that_is_nothing_but_objects_is_left_out(recorded: Any) -> None:
    value: Any = {}
    for _ in range(60):
        value = {"k": value}
    verdict = load_verdict(_tool(value), "2.1.332", surface=recorded["2.1.332"])
    assert verdict.hooks is not None
    innermost: Any = verdict.hooks["Stop"][0]["hooks"][0]["input"]
    for _ in range(57):
        innermost = innermost["k"]
    assert innermost == {}


def test_depth_outside_hooks_is_told_and_loads(recorded: Any) -> None:
    verdict = load_verdict({"foo": _nested(100)}, "2.1.332", surface=recorded["2.1.332"])
    assert verdict.outcome is HooksOutcome.LOADED
    assert "64 levels" in verdict.notices[0]


def test_hooks_that_are_arrays_too_deep_reject(recorded: Any) -> None:
    surface = recorded["2.1.332"]
    verdict = load_verdict({"hooks": _nested(80, arrays=True)}, "2.1.332", surface=surface)
    assert DocumentCode.TOO_DEEP in [piece.code for piece in verdict.rejections]
    assert verdict.cause is Cause.HOOKS


def _arrays(levels: int, element: Any) -> Any:
    for _ in range(levels):
        element = [element]
    return {"hooks": element}


@pytest.mark.parametrize("element", [None, {"a": None}])
def test_null_in_arrays_nested_32_deep_rejects_in_2_1_332(element: Any, recorded: Any) -> None:
    surface = recorded["2.1.332"]
    deep = load_verdict(_arrays(32, element), "2.1.332", surface=surface)
    assert [piece.code for piece in deep.rejections] == [RejectionCode.HOOKS_IS_MATCHER]
    assert load_verdict(_arrays(31, element), "2.1.332", surface=surface).outcome is HooksOutcome.LOADED_PARTIAL
    older = load_verdict(_arrays(32, element), "2.1.296", surface=recorded["2.1.296"])
    assert older.outcome is HooksOutcome.LOADED_PARTIAL


@pytest.mark.parametrize(
    "around", ['{"hooks": %s}', '{"foo": %s}', '{"hooks": {"Stop": %s}}', '{"hooks": {"Foo": %s}}']
)
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_a_hundred_thousand_levels_are_an_answer(around: str, opening: str, closing: str, recorded: Any) -> None:
    text = read_json_text(around % (opening * 100_000 + "1" + closing * 100_000))
    for release in ("1.0.48", "2.1.112", "2.1.296", "2.1.332"):
        assert isinstance(load_verdict(text, release, surface=recorded[release]).outcome, HooksOutcome)


@pytest.mark.parametrize(
    ("value", "loads"), [("continue", "continue"), ("block", "block"), ("x", "block"), (None, "block"), (1, "block")]
)
def test_a_coerced_field_takes_any_value(value: Any, loads: str, recorded: Any) -> None:
    entry = {"type": "mcp_tool", "server": "s", "tool": "t", "onFailure": value}
    document = {"hooks": {"PreToolUse": [{"hooks": [entry]}]}}
    verdict = load_verdict(document, "2.1.332", surface=recorded["2.1.332"])
    assert verdict.hooks == {"PreToolUse": [{"hooks": [{**entry, "onFailure": loads}]}]}
    older = load_verdict(document, "2.1.296", surface=recorded["2.1.296"])
    assert older.hooks == {"PreToolUse": [{"hooks": [{k: v for k, v in entry.items() if k != "onFailure"}]}]}


def test_guard_events_are_data(recorded: Any) -> None:
    document = json.loads('{"hooks": {"PreSkillShellCommand": [null]}}')
    older = load_verdict(document, "2.1.296", surface=recorded["2.1.296"])
    newer = load_verdict(document, "2.1.332", surface=recorded["2.1.332"])
    assert (older.outcome, newer.outcome) == (HooksOutcome.LOADED_PARTIAL, HooksOutcome.REJECTED)


def test_the_document_is_not_changed_and_not_shared(recorded: Any) -> None:
    document = _tool({"a": [1]})
    before = json.dumps(document)
    verdict = load_verdict(document, "2.1.296", surface=recorded["2.1.296"])
    assert verdict.hooks is not None
    verdict.hooks["Stop"][0]["hooks"][0]["input"]["a"].append(2)
    assert json.dumps(document) == before


def test_a_verified_release_says_so(recorded: Any) -> None:
    verdict = load_verdict(GOOD, "2.1.296", surface=recorded["2.1.296"])
    assert verdict.vocabulary == Basis("2.1.296", verified=True)
    assert verdict.reader == Basis("2.1.296", verified=True)
    assert verdict.basis == "vocabulary of 2.1.296, reader verified"
    assert verdict.notices == ()


def test_a_newer_release_is_marked(recorded: Any) -> None:
    verdict = load_verdict(GOOD, "2.1.340", surface=recorded["2.1.332"])
    assert verdict.basis == "vocabulary of 2.1.332, reader as verified up to 2.1.332"
    assert len(verdict.notices) == 2
    assert all("2.1.340" in notice and "2.1.332" in notice for notice in verdict.notices)


def test_without_a_surface_the_newest_older_is_taken_and_named(recorded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    surfaces = {release: recorded[release] for release in ("2.1.100", "2.1.296")}
    monkeypatch.setattr(known, "known_releases", lambda: tuple(surfaces))
    monkeypatch.setattr(known, "surface_of", surfaces.get)
    for release, taken in (("2.1.200", "2.1.100"), ("2.1.296", "2.1.296"), ("2.1.300", "2.1.296")):
        verdict = load_verdict(GOOD, release)
        assert verdict.vocabulary == Basis(taken, verified=taken == release)
        assert any("vocabulary" in notice for notice in verdict.notices) == (taken != release)
    with pytest.raises(BlindError, match=r"2\.1\.99 is not known(.|\n)*2\.1\.100 and newer"):
        load_verdict(GOOD, "2.1.99")


def test_without_any_surface_it_is_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "known_releases", tuple)
    with pytest.raises(BlindError, match="vocabulary"):
        load_verdict(GOOD, "2.1.296")
    with pytest.raises(BlindError, match="hook_events"):
        load_verdict(GOOD, "2.1.296", surface=Surface("empty"))


@pytest.mark.parametrize(
    ("release", "rejected", "dropped"),
    [
        ("1.0.48", "error log", None),
        ("1.0.61", "banner", None),
        ("2.0.0", "status line", None),
        ("2.1.100", "Settings Error", None),
        ("2.1.112", "Settings Error", "Settings Warning"),
        ("2.1.296", "Settings Error", "Settings Warning"),
    ],
)
def test_what_a_person_sees(release: str, rejected: str, dropped: str | None, recorded: Any) -> None:
    surface = recorded[release]
    assert rejected in (load_verdict("{", release, surface=surface).seen or "")
    assert load_verdict("{}", release, surface=surface).seen is None
    if dropped:
        assert dropped in (load_verdict('{"hooks": {"Foo": 1}}', release, surface=surface).seen or "")


def test_a_verdict_that_is_logged_shows_no_name_whole() -> None:
    secret = "sk-test-0123456789"
    text = read_json_text(json.dumps({"hooks": {secret: [], "Stop": [{"hooks": [{"type": secret}], secret: secret}]}}))
    for release in ("1.0.60", "2.1.100", "2.1.296", "2.1.332"):
        verdict = load_verdict(text, release)
        assert verdict.outcome is not HooksOutcome.LOADED
        assert secret not in repr(verdict)
        assert "unknown-event at hooks.<sk-...>" in repr(verdict)
    assert secret not in repr(text)
