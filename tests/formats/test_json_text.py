"""The settings text reader: what `JSON.parse` accepts, and where everything stands."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftgate.formats.json import FAULTS, FaultKind, read_json_text
from driftgate.formats.json.scanner import scan

# text, the fault, and the line and column where it stands
FAULTY = [
    ("", FaultKind.UNEXPECTED_END, (1, 1)),
    ('{"a": 1', FaultKind.UNEXPECTED_END, (1, 8)),
    ("{", FaultKind.UNEXPECTED_END, (1, 2)),
    ('{\n  // why\n  "a": 1}', FaultKind.COMMENT, (2, 3)),
    ('{"a": /* why */ 1}', FaultKind.COMMENT, (1, 7)),
    ('{"a": 1} // why', FaultKind.COMMENT, (1, 10)),
    ("# why\n{}", FaultKind.COMMENT, (1, 1)),
    ('{"a": NaN}', FaultKind.NAN, (1, 7)),
    ('{"a": Infinity}', FaultKind.INFINITY, (1, 7)),
    ('{"a": -Infinity}', FaultKind.INFINITY, (1, 7)),
    ('{"a": 1,}', FaultKind.TRAILING_COMMA, (1, 8)),
    ("[1,\n]", FaultKind.TRAILING_COMMA, (1, 3)),
    ("[1 2]", FaultKind.MISSING_COMMA, (1, 4)),
    ('{"a": 1\r\n"b": 2}', FaultKind.MISSING_COMMA, (2, 1)),
    ("[1,,2]", FaultKind.MISSING_VALUE, (1, 4)),
    ('{"a":}', FaultKind.MISSING_VALUE, (1, 6)),
    ("{,}", FaultKind.MISSING_VALUE, (1, 2)),
    ('{"a" 1}', FaultKind.MISSING_COLON, (1, 6)),
    ('{"a"}', FaultKind.MISSING_COLON, (1, 5)),
    ("{'a': 1}", FaultKind.SINGLE_QUOTE, (1, 2)),
    ("{\"a\": 'x'}", FaultKind.SINGLE_QUOTE, (1, 7)),
    ("{“a”: 1}", FaultKind.TYPOGRAPHIC_QUOTE, (1, 2)),
    ("{a: 1}", FaultKind.UNQUOTED_KEY, (1, 2)),
    ("{$a: 1}", FaultKind.UNQUOTED_KEY, (1, 2)),
    ("{1: 1}", FaultKind.KEY_NOT_STRING, (1, 2)),
    ("[tru]", FaultKind.BARE_WORD, (1, 2)),
    ("[True]", FaultKind.BARE_WORD, (1, 2)),
    ("[undefined]", FaultKind.BARE_WORD, (1, 2)),
    ("[truex]", FaultKind.BARE_WORD, (1, 2)),
    ("[01]", FaultKind.NUMBER, (1, 2)),
    ("[+1]", FaultKind.NUMBER, (1, 2)),
    ("[.5]", FaultKind.NUMBER, (1, 2)),
    ("[5.]", FaultKind.NUMBER, (1, 2)),
    ("[5e]", FaultKind.NUMBER, (1, 2)),
    ("[0x1F]", FaultKind.NUMBER, (1, 2)),
    ("[1_000]", FaultKind.NUMBER, (1, 2)),
    ("[-]", FaultKind.NUMBER, (1, 2)),
    ('["a\nb"]', FaultKind.CONTROL_CHARACTER, (1, 4)),
    ('["a\tb"]', FaultKind.CONTROL_CHARACTER, (1, 4)),
    ('["C:\\dir"]', FaultKind.ESCAPE, (1, 5)),
    ('["\\u12"]', FaultKind.UNICODE_ESCAPE, (1, 3)),
    ('["abc', FaultKind.UNTERMINATED_STRING, (1, 2)),
    ('["abc\\', FaultKind.UNTERMINATED_STRING, (1, 2)),
    ("{\xa0}", FaultKind.OTHER_SPACE, (1, 2)),
    ("[1,\v2]", FaultKind.OTHER_SPACE, (1, 4)),
    ("[1}", FaultKind.WRONG_BRACKET, (1, 3)),
    ('{"a": 1]', FaultKind.WRONG_BRACKET, (1, 8)),
    ("{]", FaultKind.WRONG_BRACKET, (1, 2)),
    ("{} {}", FaultKind.EXTRA_TEXT, (1, 4)),
    ("[*]", FaultKind.UNEXPECTED_CHARACTER, (1, 2)),
]


@pytest.mark.parametrize(("text", "kind", "place"), FAULTY)
def test_fault(text: Any, kind: Any, place: Any) -> None:
    read = read_json_text(text.encode())
    assert read.fault is not None
    assert read.fault.kind is kind
    spot = read.spot(read.fault.at)
    assert (spot.line, spot.column) == place
    assert read.value is None


def test_every_kind_has_its_words_and_a_case() -> None:
    assert set(FAULTS) == set(FaultKind) == {kind for _, kind, _ in FAULTY}


SOUND = [
    ("{}", {}),
    (" \t\r\n[1 ,2]\n", [1, 2]),
    ('{"a": 1, "__proto__": {"b": 2}, "": 3}', {"a": 1, "__proto__": {"b": 2}, "": 3}),
    ("[1e999, -1e999, 1E+2, 0.5]", [math.inf, -math.inf, 100.0, 0.5]),
    ("[true, false, null]", [True, False, None]),
    (r'["\ud800", "\ud83d\ude00", "\u0000", "\/"]', ["\ud800", "😀", "\0", "/"]),
    ("[" + "9" * 309 + "]", [int("9" * 309)]),
    ("[" + "9" * 5000 + "]", [math.inf]),
    ('"text"', "text"),
    ("null", None),
    ('{"a": 1, "a": 2}', {"a": 2}),
    ('["\x7f\u2028\xa0"]', ["\x7f\u2028\xa0"]),
]


@pytest.mark.parametrize(("text", "value"), SOUND)
def test_sound(text: Any, value: Any) -> None:
    read = read_json_text(text.encode("utf-8"))
    assert read.fault is None
    assert read.value == value
    assert scan(text).value == value


def test_negative_zero_stays() -> None:
    for value in (read_json_text(b"-0").value, scan("-0").value):
        assert math.copysign(1, value) == -1


def test_byte_order_mark() -> None:
    read = read_json_text(b"\xef\xbb\xbf{}")
    assert (read.bom, read.value, read.size) == (True, {}, 5)
    assert read.spot(0).byte == 3
    twice = read_json_text(b"\xef\xbb\xbf\xef\xbb\xbf{}")
    assert twice.fault is not None
    assert twice.fault.kind is FaultKind.OTHER_SPACE
    assert not read_json_text(b"{}").bom


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "\xa0\u2028\ufeff\v"])
def test_blank(text: Any) -> None:
    read = read_json_text(text.encode())
    assert read.blank
    assert read.fault is not None


@pytest.mark.parametrize("text", ["{}", "\x1c", "\x85", "\u200b"])
def test_not_blank(text: Any) -> None:
    assert not read_json_text(text.encode()).blank


def test_bad_bytes_become_replacement_characters_and_are_located() -> None:
    data = b'{"a": "\xcf\xee\xc4\xbf/\xe2\x82", "b": "\xc3\xa9", "c": 1}'
    read = read_json_text(data)
    assert read.value == {"a": "\ufffd\ufffd\u013f/\ufffd", "b": "é", "c": 1}
    assert [(run.byte, run.length) for run in read.bad_bytes] == [(7, 2), (12, 2)]
    location = read.locate(("c",))
    assert location is not None
    assert location.key is not None
    assert data[location.key.byte :].startswith(b'"c"')
    assert data[location.value.byte :].startswith(b"1")


def test_bad_bytes_behind_a_byte_order_mark() -> None:
    read = read_json_text(b'\xef\xbb\xbf["\xff", 1]')
    assert [(run.byte, run.at) for run in read.bad_bytes] == [(5, 2)]
    location = read.locate((1,))
    assert location is not None
    assert location.value.byte == 9


def test_duplicates_are_all_listed_the_last_is_read() -> None:
    read = read_json_text(b'{"a": {"x": 1},\n "b": [{"c": 1, "c": 2, "c": 3}],\n "a": 2}')
    assert read.value == {"a": 2, "b": [{"c": 3}]}
    assert [(one.path, one.key.line, one.key.column, one.kept.line) for one in read.duplicates] == [
        (("b", 0, "c"), 2, 9, 2),
        (("b", 0, "c"), 2, 17, 2),
        (("a",), 1, 2, 3),
    ]
    assert read_json_text(b'{"a": {"a": 1}}').duplicates == ()


def test_a_key_written_with_escapes_is_the_same_key() -> None:
    assert [one.path for one in read_json_text(rb'{"a": 1, "\u0061": 2}').duplicates] == [("a",)]


LOCATIONS: list[tuple[tuple[str | int, ...], tuple[int, int], tuple[int, int] | None]] = [
    ((), (1, 1), None),
    (("hooks",), (2, 11), (2, 2)),
    (("hooks", "Stop"), (2, 20), (2, 12)),
    (("hooks", "Stop", 1), (3, 2), None),
    (("hooks", "Stop", 1, "é"), (3, 8), (3, 3)),
    (("hooks", "Stop", 1, "b"), (3, 16), (3, 11)),
]


@pytest.mark.parametrize(("path", "value", "key"), LOCATIONS)
def test_locate(path: Any, value: Any, key: Any) -> None:
    read = read_json_text('{\n "hooks": {"Stop": [null,\n {"é": 1, "b": []}]}}'.encode())
    location = read.locate(path)
    assert location is not None
    assert (location.value.line, location.value.column) == value
    assert (location.key and (location.key.line, location.key.column)) == key


@pytest.mark.parametrize(
    "path", [("x",), ("hooks", 0), ("hooks", "Stop", 2), ("hooks", "Stop", -1), ("hooks", "Stop", 0, "a")]
)
def test_locate_nothing(path: Any) -> None:
    assert read_json_text(b'{"hooks": {"Stop": [null, 1]}}').locate(path) is None
    assert read_json_text(b"{").locate(path) is None


@pytest.mark.parametrize(
    ("text", "depth"), [("1", 0), ("{}", 1), ("[[], {}]", 2), ('{"a": [{"b": [1]}]}', 4), ("[" * 500 + "]" * 500, 500)]
)
def test_depth(text: Any, depth: Any) -> None:
    assert read_json_text(text).depth == depth


@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('{"a": 1, "a":', "}"), ("[", ""), ('[{"a":', "")]
)
def test_a_hundred_thousand_levels_are_an_answer(opening: Any, closing: Any) -> None:
    levels = 100_000
    read = read_json_text(opening * levels + "1" + closing * levels)
    if closing:
        assert read.fault is None
        assert read.depth == levels
    else:
        assert read.fault is not None
        assert read.fault.kind is FaultKind.UNEXPECTED_END


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=25,
)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> Any:
    yield path, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from _paths(member, (*path, name))


@given(JSON_VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_both_readers_read_what_was_written_and_find_it_again(value: Any, indent: Any, escaped: Any) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    if "Infinity" in text.replace(json.dumps(""), ""):
        text = text.replace("Infinity", "1e999")
    data = text.encode("utf-8", "surrogatepass")
    read = read_json_text(text)
    assert read.fault is None
    assert read.value == scan(text).value == json.loads(text)
    for path, member in _paths(read.value):
        location = read.locate(path)
        assert location is not None
        found, _ = json.JSONDecoder().raw_decode(data[location.value.byte :].decode("utf-8", "surrogatepass"))
        assert found == member


_STRICT = json.JSONDecoder(parse_constant=lambda word: (_ for _ in ()).throw(ValueError(word)))


def _accepts(text: str) -> bool:
    try:
        _STRICT.decode(text)
    except ValueError:
        return False
    return True


@settings(max_examples=300)
@given(JSON_VALUES, st.randoms(use_true_random=False))
def test_the_scanner_accepts_exactly_what_the_strict_decoder_accepts(value: Any, rng: random.Random) -> None:
    text = json.dumps(value)
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        text = (
            text[:at]
            + rng.choice(["", *"{}[],:\"'\\/0.-+eEnN aNaN\n\x01\ufeff", "NaN"])
            + text[at + rng.randint(0, 1) :]
        )
    scanned = scan(text)
    assert (scanned.fault is None) == _accepts(text)
    if scanned.fault is not None:
        assert 0 <= scanned.fault.at <= len(text)


@given(st.binary(max_size=60))
def test_any_bytes_are_an_answer(data: Any) -> None:
    read = read_json_text(data)
    assert read.text == data.decode("utf-8", "replace").removeprefix("\ufeff")
    for run in read.bad_bytes:
        assert data[run.byte : run.byte + run.length].decode("utf-8", "replace") == "\ufffd" * run.characters
        assert read.text[run.at : run.at + run.characters] == "\ufffd" * run.characters
        assert read.spot(run.at).byte == run.byte
