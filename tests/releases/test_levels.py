"""The four levels, era by era: every row of the table of what each release does."""

from __future__ import annotations

from typing import Any

import pytest

from driftgate.classifier.result import DropCode, HooksOutcome, RejectionCode
from driftgate.releases import Cause, load_verdict
from driftgate.releases.reader import DocumentCode

ENTRY = {"type": "command", "command": "echo ok"}
MATCHER = {"matcher": "Bash", "hooks": [ENTRY]}

# one release of each era: A, B, C, D, E, F
ERAS = ("1.0.48", "1.0.61", "2.1.100", "2.1.112", "2.1.238", "2.1.296")

JUNK: tuple[Any, ...] = (None, 1, "x", [], {}, {"hooks": None}, {"hooks": {}})
BAD_MATCHERS: tuple[Any, ...] = (None, 1, [], {})
BAD_ENTRIES: tuple[Any, ...] = (None, 1, [], {}, {"type": 1}, {"type": "nope"})
NO_OBJECTS: tuple[Any, ...] = (None, 0, True, "x", [], ["x"], [None], [[{}]])
ANY_VALUES: tuple[Any, ...] = (None, [], {}, "x", [MATCHER])
NO_ARRAYS: tuple[Any, ...] = ({}, MATCHER, "x", 0, False)

R, D, L = HooksOutcome.REJECTED, HooksOutcome.LOADED_PARTIAL, HooksOutcome.LOADED


def _hooks(value: Any) -> dict[str, Any]:
    return {"hooks": value}


def _stop(value: Any) -> dict[str, Any]:
    return {"hooks": {"Stop": value}}


def _guard(value: Any) -> dict[str, Any]:
    return {"hooks": {"PreToolUse": value}}


# the document, and the outcome in A to C, D, E, F
LEVELS: list[tuple[Any, HooksOutcome, HooksOutcome, HooksOutcome, HooksOutcome]] = [
    ({}, L, L, L, L),
    (_hooks({}), L, L, L, L),
    *((_hooks(value), R, R, D, D) for value in NO_OBJECTS),
    (_hooks([MATCHER]), R, R, D, R),
    (_hooks([{}]), R, R, D, R),
    (_hooks([[MATCHER]]), R, R, D, R),
    (_hooks(MATCHER), R, D, D, R),
    *((_hooks({"Foo": value}), R, D, D, D) for value in ANY_VALUES),
    (_hooks({"Foo": MATCHER}), R, D, D, R),
    (_hooks({"Foo": {"a": MATCHER}}), R, D, D, R),
    (_hooks({"Foo": {"PreToolUse": [1]}}), R, D, D, R),
    (_hooks({"Foo": [{"PreToolUse": [1]}]}), R, D, D, R),
    (_hooks({"stop": []}), R, D, D, D),
    *((_stop(value), R, R, D, D) for value in (None, *NO_ARRAYS)),
    (_stop({"PreToolUse": [1]}), R, R, D, R),
    (_guard(None), R, R, D, D),
    *((_guard(value), R, R, D, R) for value in NO_ARRAYS),
    (_stop([]), L, L, L, L),
    (_guard([]), L, L, L, L),
    *((_stop([value]), R, R, R, D) for value in JUNK),
    *((_guard([value]), R, R, R, R) for value in JUNK),
    (_stop([{"hooks": []}]), L, L, L, L),
    (_guard([{"hooks": []}]), L, L, L, L),
    *((_stop([{"matcher": value, "hooks": []}]), R, R, R, D) for value in BAD_MATCHERS),
    *((_guard([{"matcher": value, "hooks": []}]), R, R, R, R) for value in BAD_MATCHERS),
    (_stop([{"matcher": "", "hooks": [ENTRY]}]), L, L, L, L),
    (_stop([{"hooks": [ENTRY], "note": 1}]), L, L, L, L),
    (_stop([{"hooks": [ENTRY], "PreToolUse": [1]}]), L, L, L, R),
    (_stop([{"hooks": [ENTRY], "PreToolUse": []}]), L, L, L, L),
    *((_stop([{"hooks": [value]}]), R, R, R, D) for value in BAD_ENTRIES),
    *((_guard([{"hooks": [value]}]), R, R, R, R) for value in BAD_ENTRIES),
    (_stop([{"hooks": [{**ENTRY, "zzz": None}]}]), L, L, L, L),
    *(
        (_stop([{"hooks": [value]}]), R, R, R, D)
        for value in ({"type": "command"}, {**ENTRY, "command": 1}, {**ENTRY, "timeout": 0}, {**ENTRY, "timeout": None})
    ),
]


@pytest.mark.parametrize(("document", "abc", "d", "e", "f"), LEVELS)
def test_levels(
    document: Any, abc: HooksOutcome, d: HooksOutcome, e: HooksOutcome, f: HooksOutcome, recorded: Any
) -> None:
    verdicts = [load_verdict(document, release, surface=recorded[release]) for release in ERAS]
    assert [verdict.outcome for verdict in verdicts] == [abc, abc, abc, d, e, f]
    for verdict in verdicts:
        assert (verdict.hooks is None) or verdict.outcome is not R
        assert bool(verdict.dropped) == (verdict.outcome is D)
        assert bool(verdict.rejections) == (verdict.outcome is R) == (verdict.cause is Cause.HOOKS)


OUTSIDE = [
    {"PreToolUse": 0},
    {"PreToolUse": [None]},
    {"Foo": [MATCHER]},
    {"foo": MATCHER},
    {"a": {"b": {"c": {"PreToolUse": [1]}}}},
    {"a": [[[{"PreToolUse": [1]}]]]},
    {"a": {"b": {"c": {"d": MATCHER}}}},
    {"Hooks": [MATCHER]},
    {"permissions": {"other": [MATCHER]}},
    {"permissions": {"allow": MATCHER}},
    {"allowedMarketplaces": MATCHER},
    {"a": {"additionalMarketplaces": MATCHER}},
]
NOT_OUTSIDE = [
    {"PreToolUse": None},
    {"PreToolUse": []},
    {"Stop": [MATCHER]},
    {"a": {"b": {"c": {"d": {"e": {"PreToolUse": [1]}}}}}},
    {"a": [[[[MATCHER]]]]},
    {"a": {"Stop": [MATCHER]}},
    {"mcpServers": MATCHER},
    {"a": {"mcpServers": MATCHER}},
    {"env": {"PreToolUse": [1]}},
    {"additionalMarketplaces": MATCHER},
    {"permissions": {"allow": [MATCHER], "deny": [MATCHER], "ask": [[MATCHER]]}},
    {"matcher": "x"},
    {"a": "PreToolUse"},
    {"a": {"Stop": [], "hooks": [{"type": "command", "x": {"PreToolUse": [1]}}]}},
]


@pytest.mark.parametrize("document", OUTSIDE)
def test_guards_outside_hooks(document: Any, recorded: Any) -> None:
    verdict = load_verdict(document, "2.1.296", surface=recorded["2.1.296"])
    assert [piece.code for piece in verdict.rejections] == [RejectionCode.GUARD_OUTSIDE_HOOKS]
    assert verdict.cause is Cause.HOOKS
    value: Any = document
    for name in verdict.rejections[0].path:
        value = value[name]
    assert load_verdict(document, "2.1.238", surface=recorded["2.1.238"]).outcome is L


@pytest.mark.parametrize("document", NOT_OUTSIDE)
def test_no_guards_outside_hooks(document: Any, recorded: Any) -> None:
    assert load_verdict(document, "2.1.296", surface=recorded["2.1.296"]).outcome is L


@pytest.mark.parametrize(
    ("key", "release", "outcome"),
    [
        ("managedMcpServers", "2.1.258", R),
        ("managedMcpServers", "2.1.259", L),
        ("isolation", "2.1.272", R),
        ("isolation", "2.1.273", L),
        ("deniedModels", "2.1.282", R),
        ("availableModelsMatch", "2.1.282", R),
        ("deniedModels", "2.1.283", L),
        ("availableModelsMatch", "2.1.283", L),
    ],
)
def test_managed_keys(key: str, release: str, outcome: HooksOutcome, recorded: Any) -> None:
    assert load_verdict({key: {"PreToolUse": [1]}}, release, surface=recorded["2.1.265"]).outcome is outcome


@pytest.mark.parametrize(
    ("document", "hooks"),
    [
        (_hooks({}), {}),
        (_hooks({"Foo": []}), None),
        (_hooks({"Foo": [], "Stop": None}), None),
        (_hooks({"Foo": [], "Stop": []}), {"Stop": []}),
        (_stop([{"hooks": [{}]}]), {"Stop": [{"hooks": []}]}),
        (_stop([{}]), {"Stop": []}),
        (
            _stop([{"note": 1, "hooks": [{"zzz": 1, "cloud": None, **ENTRY}], "matcher": ""}]),
            {"Stop": [{"matcher": "", "hooks": [{**ENTRY, "cloud": "skip"}]}]},
        ),
        (
            _stop([{"hooks": [{"type": "http", "url": " HTTPS://Example.com \n"}]}]),
            {"Stop": [{"hooks": [{"type": "http", "url": "HTTPS://Example.com"}]}]},
        ),
    ],
)
def test_what_loads(document: Any, hooks: Any, recorded: Any) -> None:
    assert load_verdict(document, "2.1.296", surface=recorded["2.1.296"]).hooks == hooks


def test_a_url_loads_normalised_before_2_1_257(recorded: Any) -> None:
    document = _stop([{"hooks": [{"type": "http", "url": " HTTPS://Example.com/a b"}]}])
    hooks = load_verdict(document, "2.1.238", surface=recorded["2.1.238"]).hooks
    assert hooks == {"Stop": [{"hooks": [{"type": "http", "url": "https://example.com/a%20b"}]}]}


def test_what_is_wrong_with_events_is_told_first(recorded: Any) -> None:
    document = _hooks({"Stop": [None], "Foo": 1, "Notification": 1})
    verdict = load_verdict(document, "2.1.296", surface=recorded["2.1.296"])
    assert [(piece.code, piece.path) for piece in verdict.dropped] == [
        (DropCode.UNKNOWN_EVENT, ("hooks", "Foo")),
        (DropCode.EVENT_NOT_ARRAY, ("hooks", "Notification")),
        (DropCode.MATCHER_INVALID, ("hooks", "Stop", 0)),
    ]
    assert verdict.hooks == {"Stop": []}


def test_every_bad_field_is_named(recorded: Any) -> None:
    verdict = load_verdict(
        _guard([{"hooks": [{"type": "command", "timeout": 0, "once": 1}]}, {"hooks": 1}, 5]),
        "2.1.296",
        surface=recorded["2.1.296"],
    )
    assert [(piece.path, piece.fields) for piece in verdict.rejections] == [
        (("hooks", "PreToolUse", 0, "hooks", 0), ("command", "timeout", "once")),
        (("hooks", "PreToolUse", 1), ("hooks",)),
        (("hooks", "PreToolUse", 2), ()),
    ]


@pytest.mark.parametrize(
    ("value", "outcomes"),
    [
        ([MATCHER], (R, L, D, D)),
        ({"PreToolUse": [1]}, (R, L, D, L)),
        ([{"PreToolUse": [1]}], (R, L, D, R)),
        (1, (R, L, D, D)),
    ],
)
def test_proto_under_hooks(value: Any, outcomes: Any, recorded: Any) -> None:
    """Before 2.0.77 an unknown event; then passed over by the schema; dropped before it from 2.1.101 on; one hole."""
    releases = ("2.0.76", "2.1.0", "2.1.112", "2.1.296")
    verdicts = [load_verdict(_hooks({"__proto__": value}), one, surface=recorded[one]) for one in releases]
    assert [verdict.outcome for verdict in verdicts] == list(outcomes)
    for verdict in verdicts:
        if verdict.outcome is L:
            assert verdict.hooks == {}
            assert "passed over" in verdict.notices[0]


@pytest.mark.parametrize(
    ("release", "known", "unknown"),
    [
        ("1.0.51", "learnMode", "otelHeadersHelper"),
        ("1.0.54", "otelHeadersHelper", "outputMode"),
        ("1.0.63", "outputMode", "statusLine"),
        ("1.0.64", "statusLine", "$schema"),
        ("1.0.65", "feedbackSurveyState", "PreToolUse"),
        ("1.0.66", "$schema", "feedbackSurveyState"),
    ],
)
def test_closed_top_level(release: str, known: str, unknown: str, recorded: Any) -> None:
    surface = recorded["1.0.61"]
    assert load_verdict({known: "x"}, release, surface=surface).outcome is L
    verdict = load_verdict({unknown: "x"}, release, surface=surface)
    assert [(piece.code, piece.path) for piece in verdict.rejections] == [(DocumentCode.UNKNOWN_KEY, (unknown,))]
    assert verdict.cause is Cause.DOCUMENT
    assert load_verdict({unknown: "x"}, "1.0.67", surface=surface).outcome is L
    assert load_verdict({unknown: "x"}, "1.0.48", surface=surface).outcome is L


def test_permission_rules_that_are_no_strings(recorded: Any) -> None:
    document = {"permissions": {"allow": ["Bash(ls)", 1]}}
    before = load_verdict(document, "2.1.46", surface=recorded["2.1.44"])
    assert (before.outcome, before.cause) == (R, Cause.OTHER_KEY)
    assert load_verdict(document, "2.1.47", surface=recorded["2.1.47"]).outcome is L
