"""A refresh extends the history that a project has, and never begins one."""

from __future__ import annotations

import pytest

from driftgate.anchors import FetchOptions
from driftgate.errors import AnchorError
from driftgate.history import load_history, published, write_history
from driftgate.history.extend import extend
from driftgate.project.configuration import Config
from driftgate.project.reading import load_config
from driftgate.surface import Vocabulary
from tests.history.world import World

CONFIG = "snapshot: snap/2.0.0.yaml\ndeclared:\n  hook_events: x.py#X\n"
OFFLINE = FetchOptions(offline=True)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World("A", "A", "A", "A B", "A B", "A B C", small=range(6))
    monkeypatch.setattr(published, "plan_of", lambda _: world.plan)
    monkeypatch.setattr(published, "read_release", lambda version, _: world.read(version))
    return world


@pytest.fixture
def config(tmp_path) -> Config:
    (tmp_path / "driftgate.yml").write_text(CONFIG)
    (tmp_path / "snap").mkdir()
    return load_config(tmp_path / "driftgate.yml")


def observed(world: World, version: str):
    from dataclasses import replace

    surface = replace(world.read(version), version=version)
    world.reads.clear()
    return surface


def test_a_project_without_a_history_gets_none(world: World, config: Config, tmp_path) -> None:
    assert extend(config, observed(world, "2.0.5"), OFFLINE) == ()
    assert list((tmp_path / "snap").iterdir()) == []


def test_it_reads_what_was_skipped(world: World, config: Config, tmp_path) -> None:
    path = tmp_path / "snap" / "history.yaml"
    older = World("A", "A", "A")
    write_history(path, older.history(0, 1, 2))
    (said,) = extend(config, observed(world, "2.0.5"), OFFLINE)
    assert sorted(world.reads) == ["2.0.3", "2.0.4"]
    history = load_history(path)
    assert history.versions() == world.published
    assert len(history.read()) == 6
    assert said == "the history has 3 more releases that were read; new in it: 2.0.3, 2.0.4, 2.0.5"
    assert extend(config, observed(world, "2.0.5"), OFFLINE) == ()


def test_an_older_release_that_was_between_is_read_now(world: World, config: Config, tmp_path) -> None:
    path = tmp_path / "snap" / "history.yaml"
    write_history(path, world.history(0, 2, 3, 5))
    extend(config, observed(world, "2.0.1"), OFFLINE)
    assert "2.0.1" in load_history(path).read()


def test_what_cannot_be_read_is_said_and_no_failure(world: World, config: Config, tmp_path) -> None:
    path = tmp_path / "snap" / "history.yaml"
    write_history(path, World("A", "A", "A").history(0, 1, 2))
    world.broken = {"2.0.4"}
    said = extend(config, observed(world, "2.0.5"), OFFLINE)
    assert said[1:] == ("the history lacks 2.0.4: 2.0.4 cannot be read",)
    assert load_history(path).unknown == ("2.0.4",)


def test_without_a_registry_the_release_alone_is_added(world: World, config: Config, tmp_path, monkeypatch) -> None:
    path = tmp_path / "snap" / "history.yaml"
    write_history(path, World("A", "A", "A").history(0, 1, 2))

    def away(_: FetchOptions) -> None:
        raise AnchorError("no network")

    monkeypatch.setattr(published, "plan_of", away)
    said = extend(config, observed(world, "2.0.5"), OFFLINE)
    assert "may lack releases" in said[-1]
    assert load_history(path).versions() == ("2.0.0", "2.0.1", "2.0.2", "2.0.5")


def test_sets_of_the_projects_own_stay_out(world: World, config: Config, tmp_path) -> None:
    from dataclasses import replace
    from types import MappingProxyType

    path = tmp_path / "snap" / "history.yaml"
    write_history(path, world.history(0, 1, 2, 3, 4))
    stated = observed(world, "2.0.5")
    own = {**stated.vocabularies, "own_set": Vocabulary("own_set", ("x",))}
    extend(config, replace(stated, vocabularies=MappingProxyType(own)), OFFLINE)
    assert "own_set" not in load_history(path).readings[-1].surface.vocabularies
