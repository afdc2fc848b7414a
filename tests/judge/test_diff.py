"""The neutral diff: what is a change, and what must be none."""

from dataclasses import replace

import pytest

from driftgate.judge.comparison import ChangeKind, diff
from driftgate.judge.examples import BASE, EXAMPLES
from driftgate.surface import Field, FieldTable, Vocabulary, surface_of


def sets(*members, name="hook_events"):
    return surface_of([Vocabulary(name, members or None)], "x")


def table(*fields, row="command"):
    return surface_of([FieldTable("hook_entry_fields", {row: fields})], "x")


STRING = Field("f", "string", required=False)

CASES = [
    ("equal", sets("A", "B"), sets("A", "B"), []),
    ("another order", sets("A", "B"), sets("B", "A"), []),
    ("added", sets("A", "B"), sets("A"), [("added", "B")]),
    ("removed", sets("A"), sets("A", "B"), [("removed", "B")]),
    ("none upstream", sets(), sets("A"), [("removed", "A")]),
    ("none here", sets("A"), sets(), [("added", "A")]),
    ("letter case", sets("Stop"), sets("stop"), [("added", "Stop"), ("removed", "stop")]),
    ("field added", table(STRING, replace(STRING, name="g")), table(STRING), [("added", "command.g")]),
    ("field removed", table(STRING), table(STRING, replace(STRING, name="g")), [("removed", "command.g")]),
    ("fields in another order", table(STRING, replace(STRING, name="g")), table(replace(STRING, name="g"), STRING), []),
    ("retyped", table(replace(STRING, kind="number")), table(STRING), [("retyped", "command.f")]),
    ("required", table(replace(STRING, required=True)), table(STRING), [("requiredness", "command.f")]),
    ("constraint", table(replace(STRING, constraints=("url",))), table(STRING), [("constraint", "command.f")]),
    ("carried", table(STRING), table(replace(STRING, carried=False)), [("carried", "command.f")]),
    ("internal is upstream's own affair", table(replace(STRING, internal=True)), table(STRING), []),
    (
        "values in another order",
        table(replace(STRING, kind="enum", values=("a", "b"))),
        table(replace(STRING, kind="enum", values=("b", "a"))),
        [],
    ),
    (
        "values",
        table(replace(STRING, kind="enum", values=("a", "b"))),
        table(replace(STRING, kind="enum", values=("a",))),
        [("values", "command.f")],
    ),
    ("row", table(STRING), table(STRING, row="http"), [("added", "command"), ("removed", "http")]),
]


@pytest.mark.parametrize(("observed", "declared", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_changes(observed, declared, expected):
    assert [(change.kind.value, change.subject) for change in diff(observed, declared).changes] == expected


@pytest.mark.parametrize(
    "surface", [BASE, *(pair[0] for pair in EXAMPLES.values()), *(p[1] for p in EXAMPLES.values())]
)
def test_nothing_differs_from_itself(surface):
    result = diff(surface, surface)
    assert result.changes == ()
    assert all(count.only_upstream == count.only_here == 0 for count in result.counts.values())
    assert {count.agree > 0 for count in result.counts.values()} == {True}


@pytest.mark.parametrize(("observed", "declared"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_change_seen_from_the_other_side(observed, declared):
    mirrored = {
        ChangeKind.ADDED: ChangeKind.REMOVED,
        ChangeKind.REMOVED: ChangeKind.ADDED,
    }
    there = {(mirrored.get(change.kind, change.kind), change.subject) for change in diff(observed, declared).changes}
    back = {(change.kind, change.subject) for change in diff(declared, observed).changes}
    assert there == back
    assert there


def test_a_set_that_the_other_side_does_not_state_is_named_and_not_compared():
    result = diff(sets("A"), BASE)
    assert set(result.uncompared) == {"hook_entry_types", "hook_shells", "guard_events", "hook_entry_fields"}
    assert list(result.counts) == ["hook_events"]


def test_counts():
    count = diff(sets("A", "B", "C"), sets("B", "C", "D", "E")).counts["hook_events"]
    assert (count.observed, count.declared, count.agree, count.only_upstream, count.only_here) == (3, 4, 2, 1, 2)


def test_an_enum_whose_values_stand_elsewhere_is_not_compared_and_not_called_equal():
    stated = table(replace(STRING, kind="enum", values=("a", "b")))
    elsewhere = table(replace(STRING, kind="enum", values=None))
    for one, other in ((stated, elsewhere), (elsewhere, stated)):
        result = diff(one, other)
        assert result.changes == ()
        assert result.uncompared == ("the values of command.f",)
