"""The action: its outputs are always set, and no input breaks out of anything."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from driftgate.classifier.contract import HOOK_EVENTS
from tests.integration.runner import ROOT

GOOD = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
BAD = {"hooks": {"Stopp": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def test_the_default_is_the_offline_check(project):
    run, outputs = project.action()
    assert not run.failed
    assert (outputs["verdict"], outputs["exit"], outputs["findings"]) == ("agrees", "0", "0")
    assert project.driftgate() == [["check", "--against=snapshot", "--format=github"]]
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
    assert "there is no driftgate configuration here" in run.log


@pytest.mark.parametrize(("document", "code"), [(GOOD, 0), (BAD, 1)])
def test_settings_files_are_classified(project, document, code):
    (project.workspace / "a settings.json").write_text(json.dumps(document), encoding="utf-8")
    run, outputs = project.action(command="classify", files="a settings.json\n")
    assert run.ran[-1].code == code
    assert outputs["exit"] == str(code)
    assert outputs["findings"] == str(code)
    assert json.loads(Path(outputs["report"]).read_text(encoding="utf-8"))["command"] == "classify"
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
    assert set(outputs) == {"verdict", "exit", "drift", "blind", "findings", "report"}
    if name in ("issues", "token"):
        assert outputs["exit"] == "0"
    else:
        assert run.failed
        assert outputs["exit"] in ("1", "2", "3")
        assert outputs["verdict"] in ("drift", "usage error", "blind")


def test_targets_cannot_be_options(project):
    project.action(against="pinned --deep *")
    assert project.driftgate() == [["check", "--against=pinned", "--against=--deep", "--against=*", "--format=github"]]


SHADOWS = (
    "driftgate/__main__.py",
    "driftgate/__init__.py",
    "json.py",
    "os.py",
    "pip.py",
    "venv.py",
    "sitecustomize.py",
)


@pytest.mark.parametrize("name", SHADOWS)
def test_nothing_of_the_workspace_is_run(project, name):
    """Python looks in the current folder first, unless it is told not to: a pull request could speak for driftgate."""
    project.declare(HOOK_EVENTS[:-1])
    shadow = project.workspace / name
    shadow.parent.mkdir(exist_ok=True)
    shadow.write_text("open('ran', 'w').close()\nprint('driftgate: agrees, exit 0')\nraise SystemExit(0)\n", "utf-8")
    run, outputs = project.action(issues="true")
    assert not (project.workspace / "ran").exists()
    assert run.failed
    assert (outputs["verdict"], outputs["drift"], outputs["blind"]) == ("drift", "true", "false")
    assert len(project.open_issues()) == 1


LIARS = {
    "silent": "exit 0",
    "talkative": "echo 'driftgate: agrees, exit 0'",
    "no json": 'for word; do case $word in --output=json:*) echo nonsense >"${word#--output=json:}" ;; esac; done',
    "another verdict": 'for word; do case $word in --output=json:*) echo "{\\"command\\": \\"check\\", \\"exit\\": 1}" '
    '>"${word#--output=json:}" ;; esac; done',
}


@pytest.mark.parametrize("script", LIARS.values(), ids=LIARS)
def test_green_without_a_report_that_says_so_is_blind(project, script):
    fake = project.bin / "fake-python"
    honest = fake.read_text(encoding="utf-8")
    lie = f'if [ "$1 $2 $3 $4" = "-I -m driftgate check" ]; then {script}; exit 0; fi\n'
    fake.write_text(honest.replace("#!/bin/bash\n", "#!/bin/bash\n" + lie), encoding="utf-8")
    run, outputs = project.action()
    assert run.failed
    assert run.ran[-1].code == 3
    assert (outputs["verdict"], outputs["exit"], outputs["blind"]) == ("blind", "3", "true")
    assert "left no report of that" in run.log


def test_what_the_action_installs_is_locked_and_is_what_driftgate_needs():
    from packaging.requirements import Requirement

    lock = (ROOT / ".github/action/requirements.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)((?:.*\\\n)+(?:.*\n)?)", lock, re.MULTILINE)
    locked = {name.lower(): version for name, version, _ in rows}
    assert all("--hash=sha256:" in hashes for _, _, hashes in rows)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for text in wanted:
        requirement = Requirement(text)
        assert requirement.name.lower() in locked, f"{requirement.name}: run .github/action/lock.sh"
        assert requirement.specifier.contains(locked[requirement.name.lower()]), text
