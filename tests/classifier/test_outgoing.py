"""Coordinates that leave the process: what passes, what is shortened, and what a terminal never gets to see."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftgate.classifier.contract import (
    CONTRACT,
    HOOK_ENTRY_FIELDS,
    HOOK_ENTRY_TYPES,
    HOOK_EVENTS,
    HOOK_SHELLS,
    Contract,
)
from driftgate.classifier.outgoing import STRUCTURE, outgoing_path, render_path
from driftgate.formats.harmless import neutral

FIELDS = {name for row in HOOK_ENTRY_FIELDS.values() for name in row}
KNOWN = {*HOOK_EVENTS, *HOOK_ENTRY_TYPES, *HOOK_SHELLS, *STRUCTURE, *FIELDS}

unknown = st.text().filter(lambda text: text not in KNOWN)
segments = st.one_of(unknown, st.sampled_from(sorted(KNOWN)), st.integers(0, 10**6))


@pytest.mark.parametrize("word", sorted(KNOWN))
def test_known_words_pass(word):
    assert outgoing_path((word, 3)) == (word, 3)
    assert render_path((word, 3)) == f"{word}[3]"


@pytest.mark.parametrize(
    ("segment", "shortened", "shown"),
    [
        ("", "<...>", '[""]'),
        ("x", "<...>", "x"),
        ("abc", "<...>", "abc"),
        ("abcd", "<a...>", "abcd"),
        ("PreTurn", "<P...>", "PreTurn"),
        ("PreToolCall", "<Pr...>", "PreToolCall"),
        ("pre-commit", "<pr...>", '["pre-commit"]'),
        ("session.compact", "<ses...>", '["session.compact"]'),
        ("_PreToolUse_DISABLED", "<_Pr...>", "_PreToolUse_DISABLED"),
        ("sk-ant-0123456789abcdef0123456789abcdef", "<sk-...>", '["sk-ant-0123456789abcdef0123456789abcdef"]'),
        ("1st", "<...>", '["1st"]'),
        ('a"b\\c', "<a...>", '["a\\"b\\\\c"]'),
        ("\x1b[31mred\x1b[0m", "<\\u001b[3...>", '["\\u001b[31mred\\u001b[0m"]'),
        ("a\nb: ok", "<a...>", '["a\\u000ab: ok"]'),
        ("\u202egnp.exe", "<\\u202eg...>", '["\\u202egnp.exe"]'),
        ("\x9b2Jxxxxx", "<\\u009b2...>", '["\\u009b2Jxxxxx"]'),
        ("\ud800xyz", "<\\ud800...>", '["\\ud800xyz"]'),
        ("\U000e0041abc", "<\\u{e0041}...>", '["\\u{e0041}abc"]'),
        ("Größe", "<G...>", '["Größe"]'),
    ],
)
def test_other_names_are_shortened_and_a_flag_shows_them(segment, shortened, shown):
    assert outgoing_path(("hooks", segment, 0)) == ("hooks", shortened, 0)
    assert outgoing_path(("hooks", segment), reveal=True) == ("hooks", neutral(segment))
    assert render_path(("hooks", segment, 0)) == f"hooks.{shortened}[0]"
    dot = "" if shown.startswith("[") else "."
    assert render_path(("hooks", segment, 0), reveal=True) == f"hooks{dot}{shown}[0]"
    assert render_path((segment,), reveal=True) == shown


def test_coordinates_read_as_in_the_reported_cases():
    assert render_path(("hooks", "PreToolUse", 0, "hooks", 1), "timeout") == "hooks.PreToolUse[0].hooks[1].timeout"
    assert render_path(("hooks", "pre-commit"), reveal=True) == 'hooks["pre-commit"]'
    assert render_path(()) == "document"
    assert render_path((), "hooks") == "hooks"


@given(unknown, st.booleans())
def test_an_unknown_name_never_leaves_whole_nor_by_more_than_a_quarter(name, as_text):
    (shortened,) = outgoing_path((name,))
    assert isinstance(shortened, str)
    shown = shortened.removeprefix("<").removesuffix("...>")
    assert (shortened[0], shortened[-4:]) == ("<", "...>")
    kept = min(3, len(name) // 4)
    assert shown == neutral(name[:kept])
    assert not name or kept < len(name)
    assert render_path((name,)) == f"{shortened}".removeprefix(".")


@given(st.lists(segments), st.booleans())
def test_what_leaves_is_printable_and_one_line(path, reveal):
    text = render_path(path, reveal=reveal)
    assert text.isprintable()
    assert all(str(segment).isprintable() for segment in outgoing_path(path, reveal=reveal))
    assert json.loads(json.dumps(outgoing_path(path, reveal=reveal))) == list(outgoing_path(path, reveal=reveal))


@given(st.lists(segments, min_size=1, max_size=4), st.lists(segments, min_size=1, max_size=4))
def test_shown_coordinates_tell_paths_apart(one, other):
    printable = all(str(segment).isprintable() for segment in (*one, *other))
    assert one == other or not printable or render_path(one, reveal=True) != render_path(other, reveal=True)


@pytest.mark.parametrize(
    "segment",
    [None, 1.5, True, -1, 2**31, 10**5000, ("a",), b"secret", frozenset()],
    ids=lambda segment: type(segment).__name__,
)
def test_what_json_cannot_have_leaves_as_the_name_of_its_type(segment):
    name = f"<{type(segment).__name__}>"
    for reveal in (False, True):
        assert outgoing_path((segment,), reveal=reveal) == (name,)
        assert render_path((segment,), reveal=reveal) == name


def test_the_words_are_those_of_the_contract_that_is_asked():
    other = Contract(("NewEvent",), ("t",), ("fish",), (), {"t": {}})
    assert outgoing_path(("hooks", "NewEvent"), other) == ("hooks", "NewEvent")
    assert outgoing_path(("hooks", "Stop"), other) == ("hooks", "<S...>")
    assert outgoing_path(("hooks", "NewEvent"), CONTRACT) == ("hooks", "<Ne...>")
    assert render_path(("fish", "t"), contract=other) == "fish.t"
