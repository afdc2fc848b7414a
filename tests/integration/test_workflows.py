"""The workflows and the action: linted, and their own shell seen going green, and red with different words."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from driftgate.init.workflow import PATH, workflow_text
from tests.integration.runner import OWN, ROOT, Job, RefusedError, _Loader, load, path_first, reference

WORKFLOWS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / ".github/workflows").glob("*.yml"))
UPSTREAM = ".github/workflows/upstream.yml"
DRIFT = ".github/workflows/drift.yml"
CALLED = {"against": "pinned latest", "fail-on": "", "working-directory": ".", "issues": "true"}


def tool(name):
    """Return the path of a linter that the test extra installs; without it there is no test, so that is a failure."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"{name} is not installed; pip install -e '.[test]'"
    return found


def lint(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_nothing():
    lint(tool("actionlint"), "-shellcheck", tool("shellcheck"), *WORKFLOWS)


def test_zizmor_finds_nothing():
    lint(tool("zizmor"), "--offline", "--no-progress", "--persona=pedantic", ".github", "action.yml")


@pytest.mark.parametrize("folder", [".", "packages/a b's"])
def test_the_workflow_that_init_writes_is_linted_too(tmp_path, folder):
    path = tmp_path / PATH
    path.parent.mkdir(parents=True)
    path.write_text(workflow_text("Claude Code", tmp_path / folder, tmp_path), encoding="utf-8")
    lint(tool("actionlint"), "-shellcheck", tool("shellcheck"), str(path))
    lint(tool("zizmor"), "--offline", "--no-progress", str(path))


def written(project, job):
    """Run one job of the workflow that `init` writes."""
    for stale in project.temp.glob("step-*"):
        stale.unlink()
    text = workflow_text("Claude Code", project.workspace, project.workspace)
    run = Job(project.workspace, project.temp, project.environ)
    run.run_job(yaml.load(text, Loader=_Loader)["jobs"][job])  # noqa: S506 - our own text
    return run


def test_the_workflow_that_init_writes_files_issues_and_is_red_on_drift_and_on_blind(project):
    project.release()
    assert not written(project, "declared").failed
    assert not written(project, "upstream").failed
    assert project.open_issues() == []
    project.release("Added")
    run = written(project, "upstream")
    assert run.failed
    assert project.open_issues() == ["driftgate: drift: event-only-upstream Added"]
    assert written(project, "upstream").failed
    assert len(project.github()["issues"]) == 1
    project.release()
    assert not written(project, "upstream").failed
    assert project.open_issues() == []
    del project.environ["FAKE_LATEST"]
    assert written(project, "upstream").failed
    assert project.open_issues()[0].startswith("driftgate: blind: ")


def scripts():
    for path in (".ci/run", *(one.relative_to(ROOT).as_posix() for one in (ROOT / ".github/action").glob("*.sh"))):
        yield path, (ROOT / path).read_text(encoding="utf-8")
    documents = {path: load(path) for path in (*WORKFLOWS, "action.yml")}
    for path, document in documents.items():
        runs = [document["runs"]] if "runs" in document else document["jobs"].values()
        for step in (step for job in runs for step in job.get("steps", ()) if "run" in step):
            yield f"{path}: {step['name']}", step["run"]


@pytest.mark.parametrize(("name", "text"), [pytest.param(*script, id=script[0]) for script in scripts()])
def test_shellcheck_finds_nothing_and_no_exit_code_is_swallowed(name, text, tmp_path):
    script = tmp_path / "script.sh"
    script.write_text(text if text.startswith("#!") else f"#!/usr/bin/env bash\n{text}", encoding="utf-8")
    lint(tool("shellcheck"), str(script))
    assert "pipefail" in text or "|" not in text


@pytest.mark.parametrize("path", WORKFLOWS)
def test_workflows_have_no_permission_by_default_and_pin_what_they_use(path):
    document = load(path)
    assert document["permissions"] == {}
    for job in document["jobs"].values():
        assert set(job["permissions"].values()) <= {"read", "write"}
        named = [reference(step["uses"]) for step in job.get("steps", ()) if "uses" in step]
        named += [reference(job["uses"], workflow=True)] if "uses" in job else []
        assert all(one.kind == "self" or re.fullmatch(r"[0-9a-f]{40}", one.ref) for one in named)


ACCEPTED = {
    "$/.github/workflows/drift.yml": (".github/workflows/drift.yml", "self"),
    "$//action": ("action", "self"),
    "./action": ("action", "workspace"),
    "actions/checkout@v6": ("", "repository"),
    "owner/repository/some/action@main": ("some/action", "repository"),
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_the_runner_of_the_tests_takes_what_the_runner_takes(text):
    found = reference(text)
    assert (found.path, found.kind) == ACCEPTED[text]


@pytest.mark.parametrize(
    "text", ["$/", "$//", "$///", "$/action@main", "./action@main", "actions/checkout", "checkout@v6", "owner/repo@"]
)
def test_the_runner_of_the_tests_refuses_what_the_runner_refuses(text):
    with pytest.raises(RefusedError):
        reference(text)


@pytest.mark.parametrize("text", ["$/action.yml", "./workflows/x.yml", "owner/repo/x.yml@main", "owner/repo@main"])
def test_a_job_calls_a_workflow_file_and_nothing_else(text):
    with pytest.raises(RefusedError):
        reference(text, workflow=True)


def test_a_step_of_a_composite_action_needs_its_shell(project):
    job = Job(project.workspace, project.temp, project.environ)
    with pytest.raises(RefusedError):
        job.run_steps([{"run": "true"}], composite=True)


def test_a_server_that_does_not_say_which_commit_runs_is_told_by_the_inputs(project):
    """GitHub Enterprise Server has no job.workflow_* and no $/."""
    project.release()
    run = project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"}, own={})
    assert run.failed
    assert "give the inputs driftgate-repository and driftgate-ref" in run.log
    assert run.steps["driftgate"].outputs == {}
    given = {"driftgate-repository": OWN["workflow_repository"], "driftgate-ref": OWN["workflow_sha"]}
    run = project.workflow(DRIFT, "drift", {**CALLED, **given, "against": "latest"}, own={})
    assert not run.failed, run.log
    assert run.steps["driftgate"].outputs["verdict"] == "agrees"


def test_an_agreeing_day_is_green_and_files_nothing(project):
    project.release()
    run = project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"})
    assert not run.failed
    assert run.steps["driftgate"].outputs["verdict"] == "agrees"
    assert project.open_issues() == []
    assert "## driftgate: agrees" in run.summary


def test_drift_is_red_says_so_and_files_one_issue_per_drift(project):
    project.release("PreSkillShellCommand", "Another")
    run = project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"})
    assert run.failed
    assert run.ran[-1].code == 1
    assert "::error title=driftgate: drift::" in run.log
    assert "title=driftgate: blind" not in run.log
    assert run.steps["driftgate"].outputs == {
        "verdict": "drift",
        "exit": "1",
        "drift": "true",
        "blind": "false",
        "findings": "2",
        "report": str(project.temp / "driftgate/report.json"),
    }
    assert project.open_issues() == [
        "driftgate: drift: event-only-upstream PreSkillShellCommand",
        "driftgate: drift: event-only-upstream Another",
    ]
    assert "https://git.example/owner/project/actions/runs/42" in project.github()["issues"][0]["body"]
    assert "PreSkillShellCommand" in run.summary


def test_the_scheduled_check_looks_at_the_pin_and_at_the_newest_and_is_red_when_it_cannot(project):
    run = project.workflow(UPSTREAM, "drift")
    assert [call for call in project.driftgate() if call[0] == "check"] == [
        ["check", "--against=pinned", "--against=latest", "--format=github"]
    ]
    assert run.failed
    assert run.ran[-1].code == 3
    assert "::error title=driftgate: blind::" in run.log
    assert "title=driftgate: drift" not in run.log
    (title,) = project.open_issues()
    assert title.startswith("driftgate: blind: ")


def test_the_same_drift_is_not_filed_again_and_is_closed_when_it_is_gone(project):
    project.release("Added")
    for _ in range(3):
        assert project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"}).failed
    assert len(project.github()["issues"]) == 1
    project.release()
    assert not project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"}).failed
    assert project.open_issues() == []
    project.release("Added")
    assert project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"}).failed
    assert len(project.github()["issues"]) == 1
    assert len(project.open_issues()) == 1


def test_issues_that_cannot_be_filed_make_the_job_red_and_do_not_hide_the_drift(project):
    project.release("Added")
    project.change_github(broken=True)
    run = project.workflow(DRIFT, "drift", {**CALLED, "against": "latest"})
    assert run.failed
    assert "gh failed" in run.log
    assert run.ran[-1].code == 1


def test_a_driftgate_that_cannot_be_installed_is_red_and_blind(project):
    project.environ["FAKE_PIP"] = "1"
    run, outputs = project.action()
    assert run.failed
    assert (outputs["verdict"], outputs["exit"], outputs["findings"]) == ("blind", "3", "0")
    assert "title=driftgate: blind" in run.log


@pytest.mark.upstream
def test_the_scheduled_check_as_it_is_installed_and_run_on_the_real_registry(project, tmp_path):
    """Everything real but GitHub. What the newest release says is not ours to know; blind it must not be."""
    (tmp_path / "only-gh").mkdir()
    shutil.copy(project.bin / "gh", tmp_path / "only-gh")
    kept = {name: value for name, value in project.environ.items() if name not in ("DRIFTGATE_OFFLINE", "PYTHONPATH")}
    project.environ = {**kept, "PATH": path_first(tmp_path / "only-gh")}
    project.workspace = ROOT
    run = project.workflow(UPSTREAM, "drift")
    outputs = run.steps["driftgate"].outputs
    assert outputs["verdict"] in ("agrees", "drift"), run.log
    assert run.failed == (outputs["verdict"] == "drift")
    assert bool(project.open_issues()) == run.failed
    assert all(title.startswith("driftgate: drift: ") for title in project.open_issues())
