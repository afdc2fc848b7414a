"""The action: its outputs are always set, and no input breaks out of anything."""

import json

import pytest

from driftgate.classifier.contract import HOOK_EVENTS

GOOD = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
BAD = {"hooks": {"Stopp": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def test_the_default_is_the_offline_check(project):
    run, outputs = project.action()
    assert not run.failed
    assert (outputs["verdict"], outputs["exit"], outputs["findings"]) == ("agrees", "0", "0")
    assert project.driftgate() == [["check", "--format=github"]]
    assert json.loads((project.temp / "driftgate/report.json").read_text(encoding="utf-8"))["verdict"] == "agrees"


def test_drift_is_annotated_and_red(project):
    project.declare(HOOK_EVENTS[:-1])
    run, outputs = project.action()
    assert run.failed
    assert (outputs["verdict"], outputs["exit"], outputs["findings"]) == ("drift", "1", "1")
    assert "::error file=hooks.py,line=1" in run.log


def test_a_configuration_error_is_red_and_neither_drift_nor_blind(project):
    (project.workspace / "driftgate.yml").write_text("pinn: x\n", encoding="utf-8")
    run, outputs = project.action()
    assert run.failed
    assert run.ran[-1].code == 2
    assert (outputs["verdict"], outputs["exit"]) == ("usage error", "2")


def test_a_runner_without_the_repository_is_not_green(project):
    for path in project.workspace.iterdir():
        path.unlink()
    run, outputs = project.action()
    assert run.failed
    assert (outputs["verdict"], outputs["exit"]) == ("usage error", "2")
    assert "was the repository checked out?" in run.log


@pytest.mark.parametrize(("document", "code"), [(GOOD, 0), (BAD, 1)])
def test_settings_files_are_classified(project, document, code):
    (project.workspace / "a settings.json").write_text(json.dumps(document), encoding="utf-8")
    run, outputs = project.action(command="classify", files="a settings.json\n")
    assert run.ran[-1].code == code
    assert outputs["exit"] == str(code)
    assert outputs["report"] == str(project.temp / "driftgate/log.txt")
    assert "    driftgate: " in run.summary


HOSTILE = {
    "shell": '"; touch broken; "$(touch broken)`touch broken`',
    "outputs": "x\nverdict=agrees\nexit=0\nx<<EOF\nverdict=agrees\nEOF",
    "options": "--offline",
    "pattern": "*",
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    "name", ["command", "against", "files", "format", "fail-on", "version", "working-directory", "issues", "token"]
)
def test_hostile_inputs_break_out_of_nothing(project, name, value):
    inputs = {"command": "classify"} if name == "files" else {}
    run, outputs = project.action(**{**inputs, name: value})
    assert not (project.workspace / "broken").exists()
    assert set(outputs) == {"verdict", "exit", "findings", "report"}
    if name in ("issues", "token"):
        assert outputs["exit"] == "0"
    else:
        assert run.failed
        assert outputs["exit"] in ("1", "2", "3")
        assert outputs["verdict"] in ("drift", "usage error", "blind")


def test_targets_cannot_be_options(project):
    project.action(against="pinned --deep *")
    assert project.driftgate() == [["check", "--against=pinned", "--against=--deep", "--against=*", "--format=github"]]
