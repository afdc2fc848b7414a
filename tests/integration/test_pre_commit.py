"""The pre-commit hooks, run by the real pre-commit on a real repository."""

import json
import re
import subprocess
import sys

import pytest
import yaml

from driftgate.classifier.contract import HOOK_EVENTS
from tests.integration.runner import ROOT

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
GOOD = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
BAD = {"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}


def run(project, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *arguments],
        cwd=project.workspace,
        env=project.environ,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def settings(project, path, document):
    file = project.workspace / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document), encoding="utf-8")
    stage(project)


def stage(project):
    subprocess.run(["git", "add", "--all"], cwd=project.workspace, check=True)


@pytest.fixture
def repository(project, tmp_path):
    """The project as a repository, with pre-commit's own files apart from the user's."""
    project.environ["PRE_COMMIT_HOME"] = str(tmp_path / "pre-commit")
    subprocess.run(["git", "init", "--quiet"], cwd=project.workspace, check=True)
    stage(project)
    return project


@pytest.fixture
def configured(repository):
    """The hooks as they are, but run by this Python: only the environment that pre-commit would build is left out."""
    hooks = [{**hook, "language": "system", "entry": f"{sys.executable} -m {hook['entry']}"} for hook in HOOKS]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (repository.workspace / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    stage(repository)
    return repository


def test_the_manifest_is_valid():
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"], cwd=ROOT, check=False
    )
    assert done.returncode == 0


def test_our_own_configuration_is_valid():
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"], cwd=ROOT, check=False
    )
    assert done.returncode == 0


def test_what_agrees_passes(configured):
    settings(configured, ".claude/settings.json", GOOD)
    done = run(configured, "run")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Passed") == len(HOOKS)


def test_drift_stops_the_commit(configured):
    configured.declare(HOOK_EVENTS[:-1])
    stage(configured)
    done = run(configured, "run")
    assert done.returncode == 1
    assert "driftgate: drift, exit 1" in done.stdout
    assert HOOK_EVENTS[-1] in done.stdout


def test_the_installed_hook_stops_git_commit(configured):
    assert run(configured, "install").returncode == 0
    settings(configured, ".claude/settings.json", BAD)
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "x"]
    done = subprocess.run(
        command, cwd=configured.workspace, env=configured.environ, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert "driftgate: drift, exit 1" in done.stderr


@pytest.mark.parametrize(
    "path",
    [".claude/settings.json", ".claude/settings.local.json", "sub/.claude/settings.json", "hooks/hooks.json"],
)
def test_settings_files_are_classified(configured, path):
    settings(configured, path, BAD)
    done = run(configured, "run", "driftgate-classify")
    assert done.returncode == 1
    assert "driftgate: drift, exit 1" in done.stdout


@pytest.mark.parametrize(
    "path",
    ["settings.json", ".vscode/settings.json", ".claude/other.json", "hooks/hooks.json.bak", "webhooks/hooks.json"],
)
def test_other_files_are_not(path):
    (pattern,) = (hook["files"] for hook in HOOKS if hook["id"] == "driftgate-classify")
    assert not re.search(pattern, path)


@pytest.mark.upstream
def test_pre_commit_builds_the_environment_and_runs_both_hooks(repository):
    settings(repository, ".claude/settings.json", GOOD)
    repository.environ.pop("PYTHONPATH")
    done = run(repository, "try-repo", str(ROOT), "--all-files", "--verbose")
    assert done.returncode == 0, done.stdout + done.stderr
    repository.declare(HOOK_EVENTS[:-1])
    settings(repository, ".claude/settings.json", BAD)
    done = run(repository, "try-repo", str(ROOT), "--all-files")
    assert done.returncode == 1
    assert done.stdout.count("driftgate: drift, exit 1") == len(HOOKS)
