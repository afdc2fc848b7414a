"""The plain form of YAML: what is written is read back, and what is read fast means the same to PyYAML."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from driftgate.errors import SnapshotError
from driftgate.formats.canonical import flow, parse_canonical, scalar
from driftgate.formats.yaml import load_any_yaml, load_yaml
from driftgate.upstreams.shipped import snapshots_dir

FILES = sorted(snapshots_dir().rglob("*.yaml"))


def same(one, other):
    """Return whether two values are the same, down to their types (True equals 1 otherwise)."""
    return repr(one) == repr(other)


def by_pyyaml(text):
    return load_any_yaml(text, where="x", error=SnapshotError)


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.name}" for path in FILES])
def test_every_shipped_file_is_in_the_plain_form(path):
    text = path.read_text(encoding="utf-8")
    data = parse_canonical(text)
    assert data is not None
    assert same(data, by_pyyaml(text))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["null", "Yes", "1", "1e3", "~", "- a", "a: b", "#", "é", "x<y>"]
)
scalars = texts | st.booleans() | st.none() | st.integers(0, 10**15)
records = st.dictionaries(texts, scalars | st.lists(scalars, max_size=3), min_size=1, max_size=4)


@given(texts)
@example("\u2028\x85\ufeff\U0001f600")
def test_a_text_is_read_back_by_pyyaml(text):
    assert by_pyyaml(f"- {scalar(text)}\n") == [text]


@given(records)
def test_a_record_is_read_back_by_pyyaml_and_here_if_at_all(record):
    text = f"- {flow(record)}\n"
    assert by_pyyaml(text) == [record]
    assert parse_canonical(text) in (None, [record])


LINES = [
    "a:",
    "a: 1",
    "b: x",
    "- a",
    "- [a, b]",
    "  - a",
    "  b: {c: d, e: [f]}",
    "  c: []",
    "    d: true",
    "b: null",
    "# x",
    "",
    '"a b": "c"',
    "1.2.3: x",
    "a:  x",
    "a:x",
    "- no",
    "yes: x",
    "  ",
    "a: {b:c}",
    "a: [1, 02, 3]",
    "a: 1e5",
    "a: 1.5",
    "a: {b: c,d: e}",
    "a: &x",
    "a: *x",
    "a: |",
    "a: 'q'",
    "-",
    "- ",
    "? a",
    "--- ",
    "%YAML",
    "a: [b",
    "b: {a: 1, a: 2}",
    "\ta: b",
    "a: b c",
    "a: x # y",
    "- - a",
    'a: "\\x41"',
    'a: "\\/"',
    'a: "\x85"',
    "a: 2001-01-01",
    "a: 0",
    "a: 00",
    "a: -1",
    "null: x",
    "a: .5",
    "a: 1_000",
    "a: 0x1f",
    "a: 1:30",
]


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=7))
def test_what_is_read_here_means_the_same_to_pyyaml(lines):
    text = "\n".join(lines) + "\n"
    data = parse_canonical(text)
    if data is not None:
        assert same(data, by_pyyaml(text))


SPECIAL = ["\r", "\r\n", "\n", "\x85", "\u2028", "\u2029", "\0", "\t", "\ufeff", "\x0b", "\x0c", "\x1c", "\x7f", "\xa0"]
ODD = [
    *SPECIAL,
    " ",
    "#",
    " #",
    ": ",
    "- ",
    '"',
    "'",
    "&a ",
    "*a",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    ",",
    "{",
    "]",
    "?",
    "é",
]
SNAPSHOT = next(path for path in FILES if path.stem == "2.1.296").read_text(encoding="utf-8")


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SNAPSHOT)), st.sampled_from(ODD), st.integers(0, 3)), min_size=1, max_size=3)
)
def test_a_snapshot_with_something_put_in_is_read_as_pyyaml_reads_it(changes):
    text = SNAPSHOT
    for at, odd, gone in changes:
        text = text[:at] + odd + text[at + gone :]
    data = parse_canonical(text)
    if data is not None:
        assert same(data, by_pyyaml(text))


@pytest.mark.parametrize("special", SPECIAL)
@pytest.mark.parametrize("line", ["# reviewed{}  - Hidden", "# reviewed{}", "- A{}- B", "{}- B", "- A{}"])
def test_what_yaml_takes_for_a_line_break_is_not_hidden_in_a_comment(line, special):
    """Seen in a snapshot that people see as five events and YAML as six."""
    text = f"events:\n- A\n{line.format(special)}\n- Z\n"
    data = parse_canonical(text)
    if special != "\n":
        assert data is None
    else:
        assert data is None or same(data, by_pyyaml(text))


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "a: 'q'\n", "a:\n   b: c\n", "- a\n b: c\n", "a: [b,c]\n", "{}\n", "a: 1\na: 2\n"]
)
def test_another_form_is_not_for_here(text):
    assert parse_canonical(text) is None


def test_another_form_is_read_all_the_same():
    assert load_yaml("a: 'q'\n", where="x", error=SnapshotError) == {"a": "q"}
