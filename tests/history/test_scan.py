"""Scans: what they read, that they resume and can be split, and that they stop where they are told to."""

from __future__ import annotations

import pytest

from driftgate.history import History, Known, dump_history
from driftgate.history.reading import PATIENCE, SPARSE_GAP, Effort, Limits, Progress, Shard, merge, scan, wanted
from tests.history.world import World

EMPTY = History("claude-code", ())


def changing(length: int = 40, at: int = 17) -> World:
    return World(*["A"] * at, *["A B"] * (length - at), small=range(length - 5, length))


def ways(history: History) -> dict[str, Known]:
    return {reading.version: reading.known for reading in history.readings}


def test_sparse_reads_small_anchors_ends_changes_and_leaves_no_wide_gap() -> None:
    world = changing()
    history = scan(EMPTY, world.plan, world.read, Effort.SPARSE)
    known = ways(history)
    assert history.unknown == ()
    assert all(known[f"2.0.{index}"] is Known.READ for index in (0, 16, 17, 35, 36, 37, 38, 39))
    gaps = "".join("r" if how is Known.READ else "b" for how in known.values()).split("r")
    assert max(map(len, gaps)) <= SPARSE_GAP
    assert len(world.reads) == len(set(world.reads)) < 25
    assert wanted(history, world.plan, Effort.SPARSE) == ()


def test_all_reads_all() -> None:
    world = changing(12, 5)
    history = scan(EMPTY, world.plan, world.read, Effort.ALL)
    assert set(ways(history).values()) == {Known.READ}
    assert len(world.reads) == 12


def test_verify_halves_gaps_and_finds_what_came_and_went() -> None:
    events = ["A"] * 9
    events[4] = "A B"
    world = World(*events)
    history = world.history(0, 8)
    assert {reading.surface.members("hook_events") for reading in history.readings} == {("A",)}
    history = scan(history, world.plan, world.read, Effort.VERIFY)
    assert world.reads == ["2.0.4"]
    assert len(history.runs()) == 3
    assert history.unknown == ("2.0.1", "2.0.2", "2.0.3", "2.0.5", "2.0.6", "2.0.7")


def test_what_cannot_be_read_stays_unknown_and_stops_nothing() -> None:
    world = World("A", "A", "A", "A B", "A B", "A B", broken=[2, 5], small=[5])
    steps: list[Progress] = []
    history = scan(EMPTY, world.plan, world.read, Effort.SPARSE, report=steps.append)
    assert history.unknown == ("2.0.2", "2.0.5")
    assert [step.version for step in steps if step.problem] == ["2.0.5", "2.0.2"]
    assert ways(history)["2.0.1"] is ways(history)["2.0.3"] is Known.READ


def test_it_resumes_where_it_stopped() -> None:
    world = changing()
    saved: list[History] = []

    def interrupted(version: str):
        if len(world.reads) == 7:
            raise KeyboardInterrupt
        return world.read(version)

    with pytest.raises(KeyboardInterrupt):
        scan(EMPTY, world.plan, interrupted, Effort.SPARSE, save=saved.append)
    first = list(world.reads)
    history = scan(saved[-1], world.plan, world.read, Effort.SPARSE)
    assert not set(first) & set(world.reads[len(first) :])
    whole = changing()
    assert dump_history(history) == dump_history(scan(EMPTY, whole.plan, whole.read, Effort.SPARSE))


@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_parts_read_every_release_once_and_merge_to_the_whole(parts: int) -> None:
    world = changing()
    histories = [
        scan(EMPTY, world.plan, world.read, Effort.ALL, shard=Shard(number, parts)) for number in range(1, parts + 1)
    ]
    assert sorted(world.reads) == sorted(world.published)
    whole = changing()
    assert dump_history(merge(histories)) == dump_history(scan(EMPTY, whole.plan, whole.read, Effort.ALL))


def test_a_part_resumes_with_its_own_releases() -> None:
    world = changing()
    shard = Shard(1, 3)
    half = scan(EMPTY, world.plan, world.read, Effort.ALL, shard=shard, limits=Limits(4))
    scan(half, world.plan, world.read, Effort.ALL, shard=shard)
    assert len(world.reads) == len(set(world.reads))
    assert all(map(shard.holds, world.reads))


def test_limits() -> None:
    world = changing()
    history = scan(EMPTY, world.plan, world.read, Effort.ALL, limits=Limits(releases=5))
    assert len(history.read()) == len(world.reads) == 5
    spent = Limits(exhausted=lambda: len(world.reads) >= 8)
    assert len(scan(history, world.plan, world.read, Effort.ALL, limits=spent).read()) == 8


def test_what_the_budget_cut_off_is_no_failure() -> None:
    world = changing(6, 3)
    world.broken = {"2.0.3"}
    steps: list[Progress] = []
    limits = Limits(exhausted=lambda: "2.0.3" in world.reads)
    scan(EMPTY, world.plan, world.read, Effort.ALL, limits=limits, report=steps.append)
    assert [step.version for step in steps] == ["2.0.0", "2.0.1", "2.0.2"]


def test_a_scan_of_what_nobody_can_read_ends_soon() -> None:
    world = World(*["A"] * 40, broken=range(3, 40))
    history = scan(EMPTY, world.plan, world.read, Effort.ALL)
    assert len(world.reads) == 3 + PATIENCE
    assert len(history.read()) == 3
