"""Searches: few reads, verified hints, honest about what was not read."""

from __future__ import annotations

import math

import pytest

from driftgate.history import History
from driftgate.history.bisect import How, bisect, name_for
from driftgate.history.bisect_report import bisect_text, exit_code
from driftgate.history.stated import Name, Sort
from tests.history.world import World

B = Name(Sort.EVENT, "B")
EMPTY = History("claude-code", ())


def search(world: World, history: History = EMPTY, **options):
    return bisect(B, history, world.published, world.read, **options)


def test_the_history_is_verified_by_two_reads() -> None:
    world = World(*["A"] * 20, *["A B"] * 20)
    found = search(world, world.history())
    assert (found.how, found.first, found.before, found.exact) == (How.HISTORY, "2.0.20", "2.0.19", True)
    assert world.reads == ["2.0.20", "2.0.19"]
    assert "2 reads" in bisect_text((found,))


@pytest.mark.parametrize("at", [0, 1, 2, 50, 98, 99])
def test_without_history_it_is_halved(at: int) -> None:
    world = World(*["A"] * at, *["A B"] * (100 - at))
    found = search(world)
    assert found.first == f"2.0.{at}"
    assert found.before == (f"2.0.{at - 1}" if at else None)
    assert found.exact
    assert len(world.reads) <= math.ceil(math.log2(100)) + 2
    assert any("stays" in note for note in found.assumed)


def test_a_history_that_ends_too_early_says_where_to_look() -> None:
    world = World(*["A"] * 90, *["A B"] * 10)
    history = World(*["A"] * 85).history()
    found = search(world, history)
    assert (found.first, found.before) == ("2.0.90", "2.0.89")
    assert len(world.reads) <= 6


def test_a_history_that_is_wrong_is_not_believed() -> None:
    world = World(*["A"] * 30, *["A B"] * 30)
    for wrong in (10, 45):
        world.reads.clear()
        history = World(*["A"] * wrong, *["A B"] * (60 - wrong)).history()
        found = search(world, history)
        assert (found.first, found.before) == ("2.0.30", "2.0.29")
        assert found.notices


def test_a_gap_of_the_history_is_searched() -> None:
    world = World(*["A"] * 30, *["A B"] * 30)
    found = search(world, world.history(0, 20, 40, 59))
    assert (found.first, found.exact) == ("2.0.30", True)
    assert len(world.reads) < 9


def test_a_name_that_came_and_went_is_known_by_the_history() -> None:
    world = World("A", "A", "A B", "A", "A", "A", "A B", "A B")
    assert search(world, world.history()).first == "2.0.2"
    assert search(world).first in ("2.0.2", "2.0.6")


def test_a_name_that_the_newest_lacks() -> None:
    world = World("A", "A", "A B", "A B", "A", "A")
    nowhere = search(world)
    assert (nowhere.how, exit_code((nowhere,))) == (How.NOWHERE, 1)
    assert world.reads == ["2.0.5"]
    assert search(world, world.history()).first == "2.0.2"
    assert search(world, known_in="2.0.3").first == "2.0.2"


def test_what_cannot_be_read_leaves_a_bracket() -> None:
    world = World(*["A"] * 10, *["A B"] * 10, broken=[9, 10, 11])
    found = search(world)
    assert (found.first, found.before, found.between) == ("2.0.12", "2.0.8", ("2.0.9", "2.0.10", "2.0.11"))
    assert exit_code((found,)) == 3
    text = bisect_text((found,))
    assert "after 2.0.8 and up to 2.0.12" in text
    assert text.endswith("driftgate: blind, exit 3")


def test_nothing_that_can_be_read_is_blind_and_soon() -> None:
    world = World(*["A B"] * 50, broken=range(50))
    found = search(world)
    assert (found.how, exit_code((found,))) == (How.UNSEEN, 3)
    assert len(world.reads) == 8


def test_a_hint_that_cannot_be_verified_is_blind() -> None:
    world = World("A", "A B", "A B")
    history = world.history()
    world.broken = {"2.0.0", "2.0.1", "2.0.2"}
    found = search(world, history)
    assert found.how is How.UNSEEN
    assert found.notices == ("the history says 2.0.1; that could not be verified by reading",)


def test_each_release_is_read_once() -> None:
    world = World(*["A"] * 30, *["A B"] * 30)
    for history in (EMPTY, world.history(), World(*["A"] * 45, *["A B"] * 15).history()):
        world.reads.clear()
        search(world, history)
        assert len(world.reads) == len(set(world.reads))


def test_names_to_search_for() -> None:
    history = World("A").history()
    assert [str(name) for name in name_for("A", history)] == ["event A"]
    assert [str(name) for name in name_for("event New", history)] == ["event New"]
    assert name_for("New", history) == ()
    assert name_for("field args", history) == ()
    assert [str(name) for name in name_for("field command.args", history)] == ["field command.args"]
