"""docs/CC-DIVERGENCE.md: every example diverges as it says, and every recorded divergence is of a listed kind."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.outgoing import render_path
from driftgate.classifier.result import HooksOutcome
from tests.classifier.records import documents

PAGE = Path(__file__).parent.parent.parent / "docs" / "CC-DIVERGENCE.md"
ENTRY = re.compile(
    r"^### (?P<name>H\d+) .*?```json\n(?P<text>.*?)\n```\n\n"
    r"- Claude Code: (?P<upstream>loads(?: without hooks)?)(?P<recorded> \(recorded\))?\n"
    r"- here: (?P<outcome>[\w-]+), `(?P<code>[\w-]+)` at `(?P<where>[^`]+)`$",
    re.MULTILINE | re.DOTALL,
)


class Example(NamedTuple):
    name: str
    document: dict[str, Any]
    upstream: str
    recorded: bool
    here: tuple[str, str, str]


def examples() -> list[Example]:
    return [
        Example(
            match["name"],
            json.loads(match["text"]),
            match["upstream"],
            match["recorded"] is not None,
            (match["outcome"], match["code"], match["where"]),
        )
        for match in ENTRY.finditer(PAGE.read_text(encoding="utf-8"))
    ]


def test_every_entry_of_the_page_has_an_example():
    headings = re.findall(r"^### (H\d+) ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [f"H{number}" for number in range(1, len(headings) + 1)]
    assert [example.name for example in examples()] == headings
    assert len(headings) == 17


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_the_example_is_classified_as_the_page_says(example):
    result = classify_hooks_config(example.document)
    (piece,) = result.pieces
    where = render_path(piece.path, piece.field, reveal=True)
    assert (result.outcome.value, piece.code.value, where) == example.here


@pytest.mark.parametrize("example", [e for e in examples() if e.recorded], ids=lambda example: example.name)
def test_the_record_says_what_the_page_says_of_claude_code(example):
    (record,) = [record for record, document in documents() if json.dumps(document) == json.dumps(example.document)]
    assert not record.rejected
    assert (record.loads is None) == (example.upstream == "loads without hooks" or "hooks" not in example.document)


def test_only_listed_examples_are_not_recorded():
    assert [example.name for example in examples() if not example.recorded] == ["H6", "H12"]


def test_every_recorded_divergence_has_a_code_of_the_page():
    """A new kind of divergence changes a count, and is looked at before the count is changed."""
    counts: Counter[str] = Counter()
    for record, document in documents():
        result = classify_hooks_config(document)
        if result.outcome == HooksOutcome.REJECTED and not record.rejected:
            counts.update({piece.code.value for piece in result.rejections})
    listed = {example.here[1] for example in examples() if example.here[0] == "rejected"}
    assert set(counts) == listed
    assert counts == {
        "guard-outside-hooks": 58,
        "hooks-is-matcher": 31,
        "guard-under-unknown-event": 46,
        "guard-event-not-array": 21,
        "guard-matcher-invalid": 38,
        "guard-entry-invalid": 5,
    }
