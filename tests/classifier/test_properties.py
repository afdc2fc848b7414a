"""What holds for every document."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from driftgate.classifier.contract import GUARD_EVENTS, HOOK_EVENTS
from driftgate.classifier.hooks_config import classify_hooks_config, read_pieces
from driftgate.classifier.result import DroppedPiece, HooksOutcome, Rejection
from tests.classifier.fuzz import flat
from tests.classifier.reference import answer
from tests.classifier.strategies import (
    documents,
    good_documents,
    good_entries,
    guardless_documents,
    harmless_keys,
    harmless_values,
    json_values,
)

Path = tuple[Any, ...]

guard_values = json_values.filter(lambda value: value is not None and value != [])
guard_members: st.SearchStrategy[Any] = st.dictionaries(
    st.sampled_from(GUARD_EVENTS), guard_values, min_size=1, max_size=1
)
matchers: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"hooks": st.lists(json_values, min_size=1, max_size=2)}
) | st.builds(lambda: {"matcher": 1, "hooks": {}})


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of a document with its path, in the order of the document."""
    yield path, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield from places(item, (*path, key))


def without(document: Any, pieces: tuple[DroppedPiece, ...]) -> Any:
    """The document with the pieces taken out, the last one first so that indices stay true."""
    document = copy.deepcopy(document)
    for piece in reversed(pieces):
        around = document
        for segment in piece.path[:-1]:
            around = around[segment]
        del around[piece.path[-1]]
    return document


@given(documents)
def test_the_outcome_follows_from_the_pieces(document):
    result = classify_hooks_config(document)
    assert (result.outcome == HooksOutcome.LOADED) == (not result.dropped and not result.rejections)
    assert (result.outcome == HooksOutcome.REJECTED) == bool(result.rejections)
    if result.outcome == HooksOutcome.REJECTED:
        assert (result.hooks, result.dropped) == (None, ())
    if not isinstance(document, dict) or "hooks" not in document:
        assert result.hooks is None


@given(documents)
def test_the_reference_gives_the_same_answer(document):
    assert repr(flat(classify_hooks_config(document))) == repr(answer(document))


@given(documents)
def test_the_document_is_not_changed(document):
    before = copy.deepcopy(document)
    classify_hooks_config(document)
    assert repr(document) == repr(before)


@given(documents)
def test_the_result_shares_nothing_with_the_document(document):
    hooks = classify_hooks_config(document).hooks
    own = {id(value) for _, value in places(document) if isinstance(value, dict | list)}
    assert not [value for _, value in places(hooks) if isinstance(value, dict | list) and id(value) in own]


@given(documents)
def test_findings_are_in_the_order_of_the_document(document):
    order = {path: number for number, (path, _) in enumerate(places(document))}
    _, pieces = read_pieces(document)
    numbers = [order[piece.path] for piece in pieces]
    assert numbers == sorted(set(numbers))


@given(guardless_documents)
def test_dropping_by_hand_what_is_dropped_leaves_what_loads(document):
    result = classify_hooks_config(document)
    assert result.outcome != HooksOutcome.REJECTED
    again = classify_hooks_config(without(document, result.dropped))
    assert again.outcome == HooksOutcome.LOADED
    assert repr(again.hooks) == repr(result.hooks)


@given(guardless_documents | documents)
def test_so_does_it_in_any_document_that_is_not_rejected(document):
    result = classify_hooks_config(document)
    assume(result.outcome != HooksOutcome.REJECTED)
    again = classify_hooks_config(without(document, result.dropped))
    assert (again.outcome, repr(again.hooks)) == (HooksOutcome.LOADED, repr(result.hooks))


@given(guardless_documents | documents)
def test_what_loads_loads_again_and_unchanged(document):
    hooks = classify_hooks_config(document).hooks
    assume(hooks is not None)
    again = classify_hooks_config({"hooks": hooks})
    assert (again.outcome, repr(again.hooks)) == (HooksOutcome.LOADED, repr(hooks))


@given(documents, st.data(), harmless_keys, harmless_values)
def test_an_unknown_field_without_a_sign_changes_nothing(document, data, key, value):
    """In the document, a matcher or an entry; under `hooks` a key is an event's name, and in `input` it is carried."""
    before = classify_hooks_config(document)
    legal = [
        item
        for path, item in places(document)
        if isinstance(item, dict)
        and (path == () or (path[0] == "hooks" and len(path) in (3, 5) and "type" not in path))
    ]
    assume(legal)
    place = data.draw(st.sampled_from(legal))
    assume(key not in place)
    place[key] = value
    after = classify_hooks_config(document)
    assert (after.pieces, repr(after.hooks)) == (before.pieces, repr(before.hooks))


@given(documents, st.data(), guard_members)
def test_a_guard_member_anywhere_but_under_hooks_rejects(document, data, member):
    objects = [value for path, value in places(document) if isinstance(value, dict) and path != ("hooks",)]
    assume(objects)
    data.draw(st.sampled_from(objects)).update(member)
    assert classify_hooks_config(document).outcome == HooksOutcome.REJECTED


def is_legal_place(path: Path) -> bool:
    """Whether the elements of a list at `path` are where matchers may be."""
    return path[-1:] != () and (path[-1] in HOOK_EVENTS or (len(path) == 2 and path[0] == "hooks"))


@given(documents, st.data(), matchers)
def test_a_matcher_anywhere_but_in_a_legal_place_rejects(document, data, matcher):
    spots = [
        value
        for path, value in places(document)
        if isinstance(value, dict) or (isinstance(value, list) and not is_legal_place(path))
    ]
    assume(spots)
    around = data.draw(st.sampled_from(spots))
    if isinstance(around, dict):
        around["misplaced"] = matcher
    else:
        around.insert(data.draw(st.integers(0, len(around))), matcher)
    assert classify_hooks_config(document).outcome == HooksOutcome.REJECTED


@given(good_documents)
def test_a_document_that_is_right_loads_whole(document):
    result = classify_hooks_config(document)
    assert result.outcome == HooksOutcome.LOADED
    assert list(result.hooks or {}) == list(document["hooks"])


@given(good_entries(), st.sampled_from(GUARD_EVENTS), st.data())
def test_one_bad_entry_in_a_guard_event_rejects_and_elsewhere_is_dropped(entry, guard, data):
    entry[data.draw(st.sampled_from(("type", "timeout")))] = None
    document: Any = {"permissions": {"deny": ["x"]}, "hooks": {"Stop": [{"hooks": [entry]}]}}
    assert classify_hooks_config(document).outcome == HooksOutcome.LOADED_PARTIAL
    document["hooks"] = {guard: [{"hooks": [entry]}]}
    assert classify_hooks_config(document).outcome == HooksOutcome.REJECTED


@given(documents)
def test_no_value_of_the_document_is_in_a_repr(document):
    text = json.dumps(document, skipkeys=True)
    marked = json.loads(text.replace("echo ok", "s3cr3t"))
    assert "s3cr3t" not in repr(classify_hooks_config(marked))


def test_pieces_are_of_two_classes_and_never_both():
    document: Any = {"hooks": {"Stop": 1, "Foo": 1}}
    assert [type(piece) for piece in classify_hooks_config(document).pieces] == [DroppedPiece, DroppedPiece]
    document["hooks"]["PreToolUse"] = 1
    assert [type(piece) for piece in classify_hooks_config(document).pieces] == [Rejection]
    assert len(read_pieces(document)[1]) == 3
