"""Every CI sample of the docs: linted, and its own shell seen going green, and red on drift and on blind."""

import json
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from driftgate.classifier.contract import HOOK_EVENTS
from tests.docs.samples import all_samples
from tests.integration import runner
from tests.integration.runner import Job
from tests.integration.test_workflows import tool

WORKFLOWS = all_samples("yaml", r"\.github/workflows/")
SCHEDULED = [one for one in WORKFLOWS if one.title.endswith("/drift.yml")]
REFRESHING = [one for one in WORKFLOWS if one.title.endswith("/refresh.yml")]
(WAITING,) = (one for one in WORKFLOWS if one.title.endswith("/drift-may-wait.yml"))
OFFLINE = [one for one in WORKFLOWS if one not in [*SCHEDULED, *REFRESHING, WAITING]]
(RENOVATE,) = all_samples("json", r"renovate\.json")
(GITLAB,) = all_samples("yaml", r"\.gitlab-ci\.yml")
(CRON,) = all_samples("sh", r"driftgate-daily\.sh")
(PRE_COMMIT,) = all_samples("yaml", r"\.pre-commit-config\.yaml")


def run(project, sample):
    for stale in project.temp.glob("step-*"):
        stale.unlink()
    job = Job(project.workspace, project.temp, project.environ)
    for one in yaml.load(sample.text, Loader=runner._Loader)["jobs"].values():  # noqa: S506 - our own text
        job.run_job(one)
    return job


@pytest.mark.parametrize("sample", WORKFLOWS, ids=str)
def test_workflows_are_linted(sample, tmp_path):
    path = tmp_path / sample.title
    path.parent.mkdir(parents=True)
    path.write_text(sample.text, encoding="utf-8")
    for command in (
        [tool("actionlint"), "-shellcheck", tool("shellcheck"), path],
        [tool("zizmor"), "--offline", "--no-progress", path],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("sample", SCHEDULED, ids=str)
def test_the_scheduled_check_is_seen_in_all_three_colours(project, sample):
    project.release()
    assert not run(project, sample).failed
    project.release("Added")
    drift = run(project, sample)
    assert drift.failed
    assert "title=driftgate: drift" in drift.log
    assert project.open_issues() == ["driftgate: drift: event-only-upstream Added"]
    del project.environ["FAKE_LATEST"]
    blind = run(project, sample)
    assert blind.failed
    assert "title=driftgate: blind" in blind.log
    assert len(project.open_issues()) == 2


def test_drift_may_wait_and_blindness_may_not(project):
    """The called job's outputs reach the second job, which is red unless the first one looked."""
    looked = yaml.safe_load(WAITING.text)["jobs"]["looked"]
    (step,) = looked["steps"]
    assert step["env"] == {"BLIND": "${{ needs.drift.outputs.blind }}"}
    outputs = runner.load(".github/workflows/drift.yml")["on"]["workflow_call"]["outputs"]
    assert outputs["blind"]["value"] == "${{ jobs.drift.outputs.blind }}"
    for release, expected in (((), 0), (("Added",), 0), (None, 1)):
        if release is None:
            del project.environ["FAKE_LATEST"]
        else:
            project.release(*release)
        job = Job(project.workspace, project.temp, project.environ)
        job.run_job(yaml.load(WAITING.text, Loader=runner._Loader)["jobs"]["drift"])  # noqa: S506 - our own text
        blind = job.steps["driftgate"].outputs["blind"]
        assert subprocess.run(["bash", "-ec", step["run"]], env={"BLIND": blind}, check=False).returncode == expected
    assert subprocess.run(["bash", "-ec", step["run"]], env={"BLIND": ""}, check=False).returncode == 1


def test_renovate_finds_the_pin_and_only_the_pin():
    (manager,) = json.loads(RENOVATE.text)["customManagers"]
    # Renovate's expressions are RE2's; named groups are spelt differently here.
    (pattern,) = (re.compile(text.replace("(?<", "(?P<")) for text in manager["matchStrings"])
    files = [re.compile(text.strip("/")) for text in manager["managerFilePatterns"]]
    own = (runner.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [match["currentValue"] for match in pattern.finditer(own)] == [
        tomllib.loads(own)["tool"]["driftgate"]["pin"]
    ]
    (found,) = pattern.finditer('pin: "2.1.296"\ndeclared: {}\n')
    assert found["currentValue"] == "2.1.296"
    assert not pattern.search('spin = "2.1.296"\n# pin = "2.1.1"\nversion = "1.2.3"\n')
    for path in ("pyproject.toml", "packages/a/pyproject.toml", "driftgate.yml", ".driftgate.yaml", "x/driftgate.yaml"):
        assert any(one.search(path) for one in files), path
    assert not any(one.search("notpyproject.toml") for one in files)


@pytest.mark.parametrize("sample", OFFLINE, ids=str)
def test_the_offline_check_is_seen_in_all_three_colours(project, sample):
    green = run(project, sample)
    assert not green.failed, green.log
    project.declare(HOOK_EVENTS[:-1])
    red = run(project, sample)
    assert red.failed
    assert HOOK_EVENTS[-1] in red.log
    (project.workspace / "hooks.py").write_text("HOOK_EVENTS = load()\n", encoding="utf-8")
    blind = run(project, sample)
    assert blind.failed
    assert "driftgate: blind" in blind.log


@pytest.mark.parametrize("sample", REFRESHING, ids=str)
def test_the_refresh_is_red_where_it_cannot_see(project, sample):
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=project.workspace, check=True)
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=A"]
    subprocess.run(["git", "add", "--all"], cwd=project.workspace, check=True)
    subprocess.run(["git", *identity, "commit", "--quiet", "-m", "x"], cwd=project.workspace, check=True)
    subprocess.run(["git", "remote", "add", "origin", "."], cwd=project.workspace, check=True)
    job = run(project, sample)
    assert job.failed
    assert [call for call in project.driftgate() if call[0] == "refresh"] == [["refresh", "--to", "latest", "--adopt"]]


def shell(project, lines, **environ):
    return subprocess.run(
        ["bash", "-c", "\n".join(["set -eo pipefail", *lines])],
        cwd=project.workspace,
        env={**project.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_gitlab_is_seen_in_all_three_colours(project):
    job = yaml.safe_load(GITLAB.text)["driftgate"]
    (variables,) = (rule["variables"] for rule in job["rules"] if "variables" in rule)
    assert shell(project, job["script"]).returncode == 0
    project.declare(HOOK_EVENTS[:-1])
    assert shell(project, job["script"]).returncode == 1
    for report in job["artifacts"]["reports"].values():
        assert HOOK_EVENTS[-1] in (project.workspace / report).read_text(encoding="utf-8")
    project.declare(HOOK_EVENTS)
    blind = shell(project, job["script"], **variables)
    assert blind.returncode == 3
    project.release("Added")
    scheduled = shell(project, job["script"], **variables)
    assert scheduled.returncode == 1
    assert "Added" in scheduled.stdout


def test_cron_is_silent_while_all_is_well_and_says_the_rest(project):
    script = project.bin / "daily"
    script.write_text(CRON.text, encoding="utf-8")
    script.chmod(0o755)
    command = [f"'{script}' '{project.workspace}'"]
    project.release()
    well = shell(project, command)
    assert (well.returncode, well.stdout, well.stderr) == (0, "", "")
    project.release("Added")
    drift = shell(project, command)
    assert drift.returncode == 1
    assert "Added" in drift.stdout
    del project.environ["FAKE_LATEST"]
    blind = shell(project, command)
    assert blind.returncode == 3
    assert "driftgate: blind, exit 3" in blind.stdout
    assert shell(project, [f"'{script}' /nowhere"]).returncode not in (0, 3)


def test_the_pre_commit_configuration_names_hooks_that_exist(tmp_path):
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(PRE_COMMIT.text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", path], check=False)
    assert done.returncode == 0
    named = {hook["id"] for repo in yaml.safe_load(PRE_COMMIT.text)["repos"] for hook in repo["hooks"]}
    manifest = yaml.safe_load((runner.ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert named == {hook["id"] for hook in manifest}


def test_the_inputs_and_outputs_of_the_action_are_documented():
    page = (runner.ROOT / "docs/ci.md").read_text(encoding="utf-8")
    action = runner.load("action.yml")
    for name, spec in action["inputs"].items():
        if name == "token":
            continue
        (row,) = re.findall(rf"^\| `{name}` \| (.*?) \|", page, re.MULTILINE)
        assert row.strip("`") == spec["default"] or not spec["default"], name
    assert all(f"`{name}`" in page for name in action["outputs"])
