"""The faults that users reported (`tests/data/cases`, kind B): what the classifier says of their documents.

What is wrong with a document's text (comments, NaN, its size, a key twice) is the text reader's and is tested there.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.outgoing import render_path
from tests.classifier.records import DATA, parse

TEXT_IS_AT_FAULT = {
    "b24-line-comment",
    "b26-same-event-key-twice",
    "b27-nan-literal",
    "b29-over-two-mebibytes",
    "b30-root-is-null",
}
OUTCOMES = {"loads": "loaded", "partial": "loaded-partial", "rejected": "rejected"}
OVERRULED = {
    "b09-event-value-is-an-object": ("rejected", ["hooks.PostToolUse"]),
    "b32-events-at-the-root": ("rejected", ["PreToolUse"]),
}
"""Where the classifier's own page says otherwise, and stands: a matcher that is not in a list, and a guard outside
`hooks`, are guard signs and reject."""


def cases() -> list[dict[str, Any]]:
    everything = yaml.safe_load((DATA / "cases" / "cases.yaml").read_text(encoding="utf-8"))["cases"]
    return [case for case in everything if case["kind"] == "B"]


def loaded_places(hooks: Any) -> list[str]:
    return [
        render_path(("hooks", event, i, "hooks", j), reveal=True)
        for event, matchers in (hooks or {}).items()
        for i, matcher in enumerate(matchers)
        for j, _ in enumerate(matcher["hooks"])
    ]


def document_of(case: dict[str, Any]) -> Any:
    text = (DATA / "cases" / case["doc"]).read_bytes().decode("utf-8", "replace")
    return parse(text)


def test_all_cases_are_here():
    assert len(cases()) == 22
    assert {case["id"] for case in cases()} > TEXT_IS_AT_FAULT | OVERRULED.keys()


@pytest.mark.parametrize(
    "case", [case for case in cases() if case["id"] not in TEXT_IS_AT_FAULT], ids=lambda case: case["id"]
)
def test_the_document_is_classified_as_expected(case):
    expected = case["expected"]
    result = classify_hooks_config(document_of(case))
    # The cases name the field of what rejects, and the piece of what is dropped.
    fatal = [render_path(piece.path, piece.field, reveal=True) for piece in result.rejections]
    dropped = [render_path(piece.path, reveal=True) for piece in result.dropped]
    if case["id"] in OVERRULED:
        assert (result.outcome.value, fatal) == OVERRULED[case["id"]]
        return
    assert result.outcome.value == OUTCOMES[expected["outcome"]]
    assert sorted(fatal) == sorted(expected.get("fatal", []))
    assert sorted(dropped) == sorted(expected.get("dropped", []))
    loaded = expected["loaded"]
    if isinstance(loaded, list):
        assert loaded_places(result.hooks) == loaded
    else:
        assert f"{len(loaded_places(result.hooks))} entries" in loaded
