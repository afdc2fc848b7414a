"""The law: what Claude Code rejects is rejected here, and a piece that it drops does not load here."""

from __future__ import annotations

from typing import Any

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.result import HooksOutcome
from tests.classifier.records import Record, documents, records

NOT_OBJECTS = 4
"""Records that are no JSON object (blank, cut off, with a comment, with NaN): Claude Code's own parser judges those."""


def without_own_fields(entry: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """What Claude Code loads of an entry, reduced to what the contract carries, a URL as it was written."""
    reduced = {name: value for name, value in entry.items() if name in like}
    if isinstance(like.get("url"), str) and reduced.get("url") == like["url"].strip():
        reduced["url"] = like["url"]
    return reduced


def is_part_of(mine: list[Any], theirs: list[Any], same: Any) -> bool:
    """Whether each element of `mine` is, in order, an element of `theirs`."""
    rest = iter(theirs)
    return all(any(same(element, other) for other in rest) for element in mine)


def same_entry(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return mine == without_own_fields(theirs, mine)


def same_matcher(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return mine.get("matcher") == theirs.get("matcher") and is_part_of(mine["hooks"], theirs["hooks"], same_entry)


def broken_by(record: Record, document: dict[str, Any]) -> str:
    """What in the record breaks the law; "" if nothing does."""
    result = classify_hooks_config(document)
    if record.rejected:
        return "" if result.outcome == HooksOutcome.REJECTED else "the document is not rejected"
    hooks: Any = result.hooks or {}
    for event, matchers in hooks.items():
        if not is_part_of(matchers, (record.loads or {}).get(event, []), same_matcher):
            return f"more of {event} loads"
    return ""


def test_every_record_that_is_an_object_is_held_to_the_law():
    tested = documents()
    assert len(tested) == len(records()) - NOT_OBJECTS
    broken = {record.number: what for record, document in tested if (what := broken_by(record, document))}
    assert broken == {}


def test_the_records_have_every_kind_of_answer():
    tested = documents()
    outcomes = [classify_hooks_config(document).outcome for _, document in tested]
    assert {outcome: outcomes.count(outcome) > 100 for outcome in HooksOutcome} == dict.fromkeys(HooksOutcome, True)
    assert sum(record.rejected for record, _ in tested) > 300


def test_the_comparison_sees_a_broken_law():
    entry = {"type": "command", "command": "true"}
    document = {"hooks": {"Stop": [{"hooks": [entry]}]}}
    assert broken_by(Record(0, "", rejected=True, loads=None), document)
    assert broken_by(Record(0, "", rejected=False, loads=None), document)
    assert broken_by(Record(0, "", rejected=False, loads={"Stop": []}), document)
    assert broken_by(Record(0, "", rejected=False, loads={"Stop": [{"hooks": []}]}), document)
    assert broken_by(Record(0, "", rejected=False, loads={"Stop": [{"hooks": [{**entry, "command": "x"}]}]}), document)
    assert not broken_by(Record(0, "", rejected=False, loads={"Stop": [{"hooks": [{**entry, "args": []}]}]}), document)
