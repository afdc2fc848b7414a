"""What diff and refresh print: counts, both directions apart, and nothing that breaks out of a format."""

import json
import re
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from driftgate.gate.compare import DiffReport
from driftgate.gate.refresh import RefreshReport
from driftgate.judge.comparison import diff
from driftgate.report.surface_changes import (
    diff_json,
    diff_markdown,
    diff_text,
    refresh_json,
    refresh_markdown,
    refresh_text,
)
from driftgate.report.surfaces import surface_json, surface_text
from driftgate.surface import Field, FieldTable, Surface, Vocabulary, surface_of
from tests.report.test_hostile import HOSTILE


def side(name, kind, *rows):
    fields = (Field("same", "string", required=True), Field("changed", kind, required=True, constraints=(name,)))
    table = dict.fromkeys(("command", *rows), fields)
    events = Vocabulary("hook_events", ("Both", name))
    return surface_of([events, FieldTable("hook_entry_fields", table), Vocabulary(f"own {name}", (name,))], name)


def compared(name="New", other="Old"):
    a, b = side(name, "string", "http"), side(other, "number")
    result = diff(b, a)
    return DiffReport(a.title, b.title, result, result.uncompared)


def refreshed(name="New", other="Old", **changes):
    report = compared(other, name)
    fields = {"path": Path.cwd() / "new.yaml", "old": other, "new": name, "written": True, **changes}
    return RefreshReport(changes=report.diff.changes, counts=report.diff.counts, observed=Surface("New"), **fields)


def test_a_diff_in_words():
    assert diff_text(compared()) == (
        "A: New\nB: Old\n  1 event in both\n  2 fields in both; 1 differs\n"
        "  own New: stated on one side only, not compared\n"
        "only in A (2):\n  event New\n  type http\n"
        "only in B (1):\n  event Old\n"
        "differs (1):\n  field command.changed: retyped; A required string, New | B required number, Old"
    )


def test_a_refresh_in_words():
    text = refresh_text(refreshed())
    assert text.startswith("Old -> New\nnew in New (1):\n  event New\nnot in New (2):\n  event Old\n")
    assert text.endswith("\nwrote new.yaml")
    assert refresh_text(refreshed(written=False)).endswith("\ndid not write new.yaml")
    nothing = RefreshReport(
        path=Path("x"), old="1", new="2", changes=(), counts={}, written=True, observed=Surface("New")
    )
    assert "nothing that a declared set holds has changed" in refresh_text(nothing)
    assert "Nothing that a declared set holds has changed." in refresh_markdown(nothing)
    assert refresh_text(refreshed(old=None)).startswith("no snapshot -> New\n")


def renderings(name):
    return {
        "diff text": diff_text(compared(name)),
        "diff json": diff_json(compared(name)),
        "diff markdown": diff_markdown(compared(name)),
        "refresh text": refresh_text(refreshed(name)),
        "refresh json": refresh_json(refreshed(name)),
        "refresh markdown": refresh_markdown(refreshed(name)),
        "surface text": surface_text(side(name, "string"), verbose=True),
        "surface json": surface_json(side(name, "string")),
    }


@pytest.mark.parametrize("name", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_breaks_out(name):
    benign = renderings("Benign")
    for what, text in renderings(name).items():
        assert all(one == "\n" or one.isprintable() for one in text), what
        assert not re.search(r"##\w*\[|^\s*::", text, re.MULTILINE), what
        assert text.count("\n") == benign[what].count("\n"), what
        if what.endswith("json"):
            assert json.loads(text).keys() == json.loads(benign[what]).keys()
        if what.endswith("markdown"):
            assert elements(text) == elements(benign[what]), what


def elements(text):
    page = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
    return [tag for tag in re.findall(r"</?[a-zA-Z!][^>]*>", page) if "code" not in tag]
