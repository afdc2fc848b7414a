"""A short run of the fuzzer; `python -m tests.classifier.fuzz` makes a long one."""

from __future__ import annotations

import pytest

from driftgate.classifier.result import DropCode, HooksOutcome, RejectionCode
from tests.classifier import fuzz
from tests.classifier.fuzz import compare


def test_generated_and_mutated_documents_are_classified_as_by_the_reference():
    seen = fuzz.fuzz(4_000, seed=5)
    assert seen.keys() == {word.value for word in (*HooksOutcome, *DropCode, *RejectionCode)}


def test_the_comparison_sees_a_difference(monkeypatch):
    monkeypatch.setattr(fuzz, "answer", lambda _: ("loaded", {}, [], []))
    compare({"hooks": {}})
    with pytest.raises(AssertionError, match="reference"):
        compare({})
