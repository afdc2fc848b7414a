"""`driftgate history` and `driftgate bisect` as people call them, on a small world instead of a registry."""

from __future__ import annotations

import json

import pytest

from driftgate.anchors import FetchOptions
from driftgate.anchors.registry import Registry as AnchorRegistry
from driftgate.cli import main
from driftgate.history import load_history, published, write_history
from driftgate.history.published import Budget, BudgetError
from tests.anchors.conftest import Registry
from tests.history.world import World

CONFIG = "snapshot: snap/2.0.0.yaml\ndeclared:\n  hook_events: x.py#X\n"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World("Stop", "Stop", "Stop PreCompact", "Stop PreCompact", "Stop PreCompaction", "Stop PreCompaction")
    monkeypatch.setattr(published, "plan_of", lambda _: world.plan)
    monkeypatch.setattr(published, "read_release", lambda version, _: world.read(version))
    return world


@pytest.fixture
def project(world: World, tmp_path, monkeypatch: pytest.MonkeyPatch):
    """A project with a history of its own beside its snapshot."""
    monkeypatch.chdir(tmp_path)
    for name in ("DRIFTGATE_CONFIG", "DRIFTGATE_FORMAT", "DRIFTGATE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "driftgate.yml").write_text(CONFIG)
    (tmp_path / "snap").mkdir()
    write_history(tmp_path / "snap" / "history.yaml", world.history())
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    def call(*words: str):
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


QUESTIONS = [
    (["Stop"], 0, ["event Stop", "since 2.0.0 (read: @example/program@2.0.0 sha512-2.0.0)", "found, exit 0"]),
    (["event", "PreCompact"], 0, ["since 2.0.2", "gone from 2.0.4", "renamed? event PreCompact -> PreCompaction"]),
    (
        ["BeforeTool"],
        1,
        ["found nowhere, exit 1", "no known release of Claude Code has it", "event BeforeTool is known to Gemini CLI"],
    ),
    (["tool.execute.before"], 1, ["is known to OpenCode"]),
    (["Stopp"], 1, ["near: event Stop", "driftgate bisect", "driftgate: found nowhere, exit 1"]),
    (["Qqqqqq"], 1, ["no known release", "found nowhere, exit 1"]),
]


@pytest.mark.parametrize(("words", "code", "said"), QUESTIONS, ids=[" ".join(words) for words, _, _ in QUESTIONS])
def test_a_question_for_a_name(words, code: int, said, project, call) -> None:
    got, out, _ = call("history", *words)
    assert got == code
    flat = " ".join(out.split())
    assert [one for one in said if one not in flat] == []
    assert out.rstrip().splitlines()[-1].endswith(f"exit {code}")
    got, out, _ = call("history", *words, "--format", "json")
    document = json.loads(out)
    assert (got, document["exit"]) == (code, code)
    assert bool(document["names"]) == (code == 0)


def test_the_history_newest_first(project, call) -> None:
    code, out, _ = call("history")
    assert code == 0
    assert out.index("2.0.4") < out.index("2.0.2") < out.index("2.0.0: the first known release")
    _, out, _ = call("history", "--format", "json")
    assert [step["release"] for step in json.loads(out)["changes"]] == ["2.0.4", "2.0.2"]


def test_escapes_in_a_question_stay_out_of_the_terminal(project, call) -> None:
    _, out, _ = call("history", "\x1b[31mX")
    assert "\x1b" not in out


def test_a_scan_says_what_it_will_fetch_and_goes_on_where_it_was(world: World, project, call) -> None:
    path = project / "new.yaml"
    code, out, err = call("history", "--all", "--out", "new.yaml", "--limit", "2")
    assert code == 0
    assert err.startswith("network: 0 releases to read")
    assert "no more than 1000 MB in all" in err
    (project / "snap" / "history.yaml").unlink()
    path.unlink()
    write_history(path, World().history())
    code, out, err = call("history", "--all", "--out", "new.yaml", "--limit", "2")
    assert "network: 2 releases to read" in err
    assert "2 read" in out
    assert "4 left to read" in out
    call("history", "--all", "--out", "new.yaml")
    assert len(load_history(path).read()) == 6
    assert len(world.reads) == 6


def test_a_scan_that_was_blind_somewhere_is_blind(world: World, project, call) -> None:
    write_history(project / "new.yaml", World().history())
    world.broken = {"2.0.3"}
    code, _, err = call("history", "--all", "--out", "new.yaml")
    assert code == 3
    assert "notice: 2.0.3 could not be read" in err
    assert load_history(project / "new.yaml").unknown == ("2.0.3",)


def test_an_interrupted_scan_keeps_what_it_read(world: World, project, call, monkeypatch) -> None:
    write_history(project / "new.yaml", World().history())

    def read(version, _):
        if len(world.reads) == 3:
            raise KeyboardInterrupt
        return world.read(version)

    monkeypatch.setattr(published, "read_release", read)
    code, _, err = call("history", "--all", "--out", "new.yaml")
    assert code == 3
    assert "every release that was read is kept" in err
    assert len(load_history(project / "new.yaml").read()) == 3


def test_without_a_place_of_its_own_the_project_writes_to_its_own_history(world: World, project, call) -> None:
    path = project / "snap" / "history.yaml"
    write_history(path, world.history(0, 5))
    assert call("history", "--scan")[0] == 0
    assert load_history(path).unknown == ()


def test_parts_and_their_merger(world: World, project, call) -> None:
    for number in (1, 2):
        write_history(project / f"part{number}.yaml", World().history())
        call("history", "--all", "--shard", f"{number}/2", "--out", f"part{number}.yaml")
    code, _, _ = call("history", "--merge", "part1.yaml", "part2.yaml", "--out", "whole.yaml")
    assert code == 0
    assert (project / "whole.yaml").read_text() == (project / "snap" / "history.yaml").read_text()


WRONG = [
    ["history", "--all", "--shard", "3/2", "--out", "x.yaml"],
    ["history", "--all", "--shard", "0/2", "--out", "x.yaml"],
    ["history", "--all", "--shard", "x", "--out", "x.yaml"],
    ["history", "--all", "--shard", "1/2"],
    ["history", "--all", "--limit", "0"],
    ["history", "--all", "--at-most", "0"],
    ["history", "--all", "--scan"],
    ["history", "--merge", "a.yaml"],
    ["bisect", "Unheard"],
    ["bisect", "event Stop", "--known-in", "9.9.9"],
]


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_usage(words, project, call) -> None:
    code, _, err = call(*words)
    assert code == 2
    assert "exit 2" in err


@pytest.mark.parametrize("words", [["history", "--all", "--out", "x.yaml"], ["bisect", "event Stop"]], ids=" ".join)
def test_another_upstream_has_no_releases_to_read(words, project, call) -> None:
    (project / "driftgate.yml").write_text("upstream: gemini-cli\n" + CONFIG)
    code, _, err = call(*words)
    assert code == 2
    assert "upstream = gemini-cli" in err


def test_bisect(world: World, project, call) -> None:
    code, out, _ = call("bisect", "event PreCompact")
    assert code == 0
    assert "event PreCompact: first in 2.0.2; the release before, 2.0.1, lacks it" in out
    assert "2 reads: 2.0.2 has it, 2.0.1 lacks it" in out
    assert world.reads == ["2.0.2", "2.0.1"]
    code, out, _ = call("bisect", "event", "PreCompaction", "--no-history", "--format", "json")
    (name,) = json.loads(out)["names"]
    assert (name["first"], name["before"], name["exact"], name["how"]) == ("2.0.4", "2.0.3", True, "search")


def test_bisect_for_a_name_that_nobody_has(project, call) -> None:
    code, out, _ = call("bisect", "event Nothing")
    assert code == 1
    assert out.endswith("driftgate: not found, exit 1\n")


def test_bisect_offline_asks_nobody_what_is_published(world: World, project, call, monkeypatch) -> None:
    monkeypatch.setattr(published, "plan_of", lambda _: pytest.fail("asked"))
    assert call("bisect", "event PreCompact", "--offline")[0] == 0


def test_a_budget_counts_what_comes_and_ends_the_transfer(registry: Registry, options: FetchOptions) -> None:
    registry.publish("p", "1.0.0")
    budget = Budget(1_000_000)
    AnchorRegistry(budget.within(options)).published("p", "1.0.0")
    assert budget.used == len(registry.answers["/p/1.0.0"][0].body)
    small = Budget(10)
    with pytest.raises(BudgetError):
        AnchorRegistry(small.within(options)).published("p", "1.0.0")
    assert small.spent


@pytest.fixture
def registry():
    served = Registry()
    yield served
    served.close()


@pytest.fixture
def options(registry: Registry, tmp_path) -> FetchOptions:
    return FetchOptions(
        cache=tmp_path / "cache",
        environ={"HOME": str(tmp_path), "PATH": "", "NPM_CONFIG_REGISTRY": registry.url},
        project=tmp_path,
    )


@pytest.mark.parametrize(
    ("release", "kind"),
    [("1.0.23", "script"), ("2.1.112", "script"), ("2.1.113", "native"), ("2.1.135", "native"), ("2.1.136", "sdk")],
)
def test_what_kind_of_anchor_a_release_has(release: str, kind: str) -> None:
    assert published.kind_of(release) == kind
