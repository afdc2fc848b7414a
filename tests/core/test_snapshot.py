"""Snapshots: canonical when written, lenient in form and strict in content when read."""

import contextlib
import copy
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from driftgate.errors import SnapshotError
from driftgate.snapshot import dump_snapshot, load_snapshot, parse_snapshot, same_content, write_snapshot
from driftgate.surface import (
    Evidence,
    Field,
    FieldTable,
    ObjectRules,
    Origin,
    Place,
    Surface,
    Vocabulary,
    Witness,
    surface_of,
)
from tests.core.sides import observed_contract

EVIDENCE = Evidence(
    Origin("@scope/name", "0.3.1", "sha512-AAAA"),
    Place("package/a.mjs", 12),
    (Witness("record(enum(X))", None, ("A",)),),
)


def observed(**sets):
    vocabularies = [Vocabulary(name, members, (EVIDENCE,)) for name, members in sets.items()]
    return replace(surface_of(vocabularies, "x"), version="2.1.1")


PLAIN = observed(hook_events=("A", "B"), guard_events=None, hook_shells=())
TEXT = dump_snapshot(PLAIN, "claude-code")


def test_what_is_written_is_read_back():
    full = observed_contract()
    assert same_content(parse_snapshot(dump_snapshot(full, "claude-code"), where="x"), full)
    assert same_content(parse_snapshot(TEXT, where="x"), PLAIN)
    assert dump_snapshot(parse_snapshot(TEXT, where="x"), "claude-code") == TEXT


def test_one_fact_a_line():
    assert "  - A\n  - B\n" in TEXT
    assert "  guard_events: null\n" in TEXT
    assert TEXT.endswith("\n")
    assert "\r" not in TEXT


@pytest.mark.parametrize(
    "name",
    ["null", "yes", "no", "on", "1", "1.5", "a: b", "a #b", "-", "", '"', "é", "y", "~", "2026-01-01", "a\nb", "\x1b["],
)
def test_names_that_yaml_would_read_as_something_else_survive(name):
    surface = observed(hook_events=(name, "B"))
    assert parse_snapshot(dump_snapshot(surface, "x"), where="x").members("hook_events") == (name, "B")


def test_order_and_line_endings_are_no_difference(tmp_path):
    """Case d06."""
    path = tmp_path / "2.1.1.yaml"
    path.write_bytes(TEXT.replace("  - A\n  - B\n", "  - B\n  - A\n").replace("\n", "\r\n").encode())
    before = path.read_bytes()
    assert same_content(load_snapshot(path), PLAIN)
    assert write_snapshot(path, PLAIN, "claude-code") is False
    assert path.read_bytes() == before


def test_a_byte_order_mark_is_no_difference(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert same_content(load_snapshot(path), PLAIN)


def test_a_changed_fact_is_written(tmp_path):
    path = tmp_path / "deep" / "x.yaml"
    assert write_snapshot(path, PLAIN, "claude-code") is True
    more = observed(hook_events=("A", "B", "C"), guard_events=None, hook_shells=())
    assert write_snapshot(path, more, "claude-code") is True
    assert load_snapshot(path).members("hook_events") == ("A", "B", "C")
    assert [item.name for item in path.parent.iterdir()] == ["x.yaml"]


def test_rules_are_written_and_read(tmp_path):
    table = FieldTable("t", {"row": ()}, rules={"row": ObjectRules(("strict", 'refine(($0)=>$0.a==="b")'))})
    stated = replace(PLAIN, tables={"t": table})
    text = dump_snapshot(stated, "claude-code")
    read = parse_snapshot(text, where="x")
    assert read.tables["t"].rules == table.rules
    assert dump_snapshot(replace(read, title=stated.title), "claude-code") == text


def test_the_first_form_is_read_and_equals_what_it_says_nothing_of(tmp_path):
    rules = {"row": ObjectRules(("strip",))}
    matcher = FieldTable("hook_matcher_fields", {"matcher": ()}, rules={"matcher": ObjectRules(("strip",))})
    old = replace(PLAIN, tables={"t": FieldTable("t", {"row": ()})})
    new = replace(PLAIN, tables={"t": FieldTable("t", {"row": ()}, rules=rules), "hook_matcher_fields": matcher})
    text = dump_snapshot(old, "claude-code").replace("driftgate: 2", "driftgate: 1").replace("rules: {}\n", "")
    assert parse_snapshot(text, where="x").tables["t"].rules is None
    path = tmp_path / "old.yaml"
    path.write_text(text)
    assert same_content(load_snapshot(path), new)
    assert write_snapshot(path, new, "claude-code") is False
    strict = replace(new, tables={**new.tables, "t": FieldTable("t", {"row": (Field("f", "string", required=True),)})})
    assert not same_content(load_snapshot(path), strict)


BAD = [
    (
        "rules of no table",
        TEXT.replace("rules: {}", "rules:\n  t:\n    a: [strip]"),
        "only tables that the snapshot holds",
    ),
    ("rules of no words", TEXT.replace("rules: {}", "rules:\n  t:\n    a: 1"), "a list of names"),
    ("unknown key", TEXT + "extra: 1\n", "unknown key 'extra'"),
    ("near key", TEXT.replace("upstream:", "upstreem:"), "did you mean 'upstream'"),
    ("format", TEXT.replace("driftgate: 2", "driftgate: 3"), "expected: 1 or 2"),
    ("no version", TEXT.replace("\nversion: ", "\n#"), "key 'version' is missing"),
    ("duplicate key", TEXT + "version: x\n", "a second time"),
    ("duplicate name", TEXT.replace("  - B\n", "  - B\n  - B\n"), "more than once: B"),
    ("not a list", TEXT.replace("  hook_shells: []", "  hook_shells: 3"), "a list of names"),
    ("not text", TEXT.replace("  - A\n", "  - 7\n"), "a list of names"),
    ("empty", "", "the document"),
    ("a list", "- 1\n", "the document"),
    ("not yaml", "a: [\n", "not readable as YAML"),
    ("a tag", "!!python/object/apply:os.getcwd []\n", "not readable as YAML"),
    ("anchor index", TEXT.replace("anchor: 0", "anchor: 7"), "an index into anchors"),
    ("evidence of nothing", TEXT + "  nothing: []\n", "evidence.nothing"),
    ("no sets", "driftgate: 1\nupstream: x\nversion: 1.0.0\nanchors: []\nvocabularies: {}\n", "at least one set"),
]


@pytest.mark.parametrize(("text", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_wrong_is_named(text, said):
    with pytest.raises(SnapshotError) as caught:
        parse_snapshot(text, where="the-file.yaml")
    assert said in str(caught.value)
    assert "the-file.yaml" in str(caught.value)


def test_a_missing_snapshot_is_named(tmp_path):
    with pytest.raises(SnapshotError, match=r"cannot read the snapshot(.|\n)*nowhere.yaml"):
        load_snapshot(tmp_path / "nowhere.yaml")


def test_another_version_is_another_content():
    assert not same_content(PLAIN, replace(PLAIN, version="2.1.2"))


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.yaml"
    write_snapshot(path, PLAIN, "claude-code")
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("driftgate.formats.files.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_snapshot(path, observed(hook_events=("Z",)), "claude-code")
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["x.yaml"]


def test_an_interrupt_leaves_no_half_written_file(tmp_path, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("driftgate.formats.files.os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_snapshot(tmp_path / "x.yaml", PLAIN, "claude-code")
    assert list(tmp_path.iterdir()) == []


def test_a_surface_of_nothing_is_no_snapshot():
    with pytest.raises(SnapshotError):
        parse_snapshot(dump_snapshot(Surface("x", "1.0.0"), "x"), where="x")


WHOLE = yaml.safe_load(dump_snapshot(observed_contract(), "claude-code"))
ANY: st.SearchStrategy[object] = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 2**70, 1.0, float("nan"), "", "x", [], ["x"], ["x", "x"], [None], [[]]),
        *({}, {"x": 1}, {1: 2}, [{}], [{"x": []}], {"x": {}}, {None: None}),
    ]
)


def places(value, path=()):
    """Return the path of every value inside `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(places(WHOLE)[1:]), ANY), min_size=1, max_size=2))
def test_odd_values_are_told_as_such(changes):
    """Any value in any place is read, or named as what is malformed; never a failure that nobody knows."""
    data = copy.deepcopy(WHOLE)
    for (*path, last), value in changes:
        here = data
        try:
            for step in path:
                here = here[step]
            here[last] = value
        except (TypeError, IndexError, KeyError):
            continue  # the first change took away the place of the second
    with contextlib.suppress(SnapshotError):
        parse_snapshot(yaml.safe_dump(data), where="x")


@pytest.mark.parametrize("break_", ["\r", "\x85", "\u2028", "\u2029"])
def test_a_name_behind_a_line_break_in_a_comment_is_read(break_):
    """YAML ends a comment there; whoever looks at the file sees one more event, or does not, but all read the same."""
    hidden = TEXT.replace("  - B\n", f"  - B\n# reviewed{break_}  - Hidden\n")
    assert parse_snapshot(hidden, where="x").members("hook_events") == ("A", "B", "Hidden")


def test_many_names_are_read_in_linear_time():
    names = "".join(f"  - n{number}\n" for number in range(60_000))
    assert len(parse_snapshot(TEXT.replace("  - B\n", names), where="x").members("hook_events")) == 60_001
