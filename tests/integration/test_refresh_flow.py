"""The refresh workflow on a real repository: a branch, a pull request, and nobody's commits overwritten."""

import shutil
import subprocess

import pytest

from driftgate.upstreams.shipped import snapshots_dir
from tests.integration.conftest import CONFIG

REFRESH = ".github/workflows/refresh.yml"
BRANCH = "driftgate/refresh"


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def repository(project, tmp_path):
    """The project as a clone of a repository that has its own snapshot."""
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        project.environ.pop(name, None)
    (project.workspace / "snapshots").mkdir()
    shutil.copy(snapshots_dir() / "claude-code/2.1.296.yaml", project.workspace / "snapshots")
    config = CONFIG.replace('pin: "2.1.296"', "snapshot: snapshots/2.1.296.yaml")
    (project.workspace / "driftgate.yml").write_text(config, encoding="utf-8")
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
    git(project.workspace, "init", "--quiet", "--initial-branch=main")
    git(project.workspace, "remote", "add", "origin", str(tmp_path / "origin.git"))
    commit(project.workspace, "the project")
    git(project.workspace, "push", "--quiet", "origin", "main")
    project.release("Added")
    return project


def commit(folder, message, email="somebody@example.org"):
    git(folder, "add", "--all")
    git(folder, "-c", f"user.email={email}", "-c", "user.name=Somebody", "commit", "--quiet", "--message", message)


def run(project):
    git(project.workspace, "switch", "--quiet", "main")
    return project.workflow(REFRESH, "refresh")


def tip(project):
    return git(project.workspace, "ls-remote", "origin", f"refs/heads/{BRANCH}").partition("\t")[0]


def test_a_new_release_becomes_a_pull_request_that_says_what_it_means(repository):
    job = run(repository)
    assert not job.failed, job.log
    (pull,) = repository.github()["pulls"]
    assert pull["title"] == "Refresh the snapshot: 2.1.296 -> 2.1.900"
    assert pull["body"].startswith("## driftgate: agrees")
    assert "    added: Added (hooks.py:1)" in pull["body"]
    assert "Added" in pull["body"]
    changed = git(repository.workspace, "diff", "--name-only", "origin/main", f"origin/{BRANCH}")
    assert changed.splitlines() == ["driftgate.yml", "hooks.py", "snapshots/2.1.900.yaml"]


def test_a_pin_that_driftgate_ships_becomes_a_snapshot_of_ones_own(repository):
    git(repository.workspace, "rm", "--quiet", "-r", "snapshots")
    (repository.workspace / "driftgate.yml").write_text(CONFIG, encoding="utf-8")
    commit(repository.workspace, "a shipped snapshot")
    git(repository.workspace, "push", "--quiet", "origin", "main")
    job = run(repository)
    assert not job.failed, job.log
    changed = git(repository.workspace, "diff", "--name-only", "origin/main", f"origin/{BRANCH}")
    assert changed.splitlines() == ["driftgate.yml", "hooks.py", "snapshots/claude-code/2.1.900.yaml"]


def test_the_next_release_updates_the_same_pull_request(repository):
    assert not run(repository).failed
    first = tip(repository)
    repository.release("Added", "More")
    job = run(repository)
    assert not job.failed, job.log
    assert tip(repository) != first
    (pull,) = repository.github()["pulls"]
    assert "More" in pull["body"]
    assert git(repository.workspace, "rev-list", "--count", f"origin/main..{tip(repository)}") == "1"


@pytest.mark.parametrize("amend", [False, True])
def test_commits_of_people_are_never_overwritten(repository, amend):
    assert not run(repository).failed
    git(repository.workspace, "switch", "--quiet", BRANCH)
    (repository.workspace / "hooks.py").write_text("HOOK_EVENTS = ()\n", encoding="utf-8")
    if amend:
        git(repository.workspace, "add", "--all")
        identity = ("-c", "user.email=somebody@example.org", "-c", "user.name=Somebody")
        git(repository.workspace, *identity, "commit", "--quiet", "--amend", "--no-edit")
    else:
        commit(repository.workspace, "adopt the event")
    git(repository.workspace, "push", "--quiet", "--force", "origin", BRANCH)
    theirs = tip(repository)
    repository.release("Added", "More")
    job = run(repository)
    assert not job.failed, job.log
    assert tip(repository) == theirs
    assert "::notice title=driftgate: refresh::" in job.log
    assert "More" not in repository.github()["pulls"][0]["body"]


def test_nothing_new_means_no_branch(repository):
    assert not run(repository).failed
    git(repository.workspace, "switch", "--quiet", "main")
    git(repository.workspace, "merge", "--quiet", "--ff-only", f"origin/{BRANCH}")
    git(repository.workspace, "push", "--quiet", "origin", "main", f":{BRANCH}")
    job = run(repository)
    assert not job.failed, job.log
    assert "already" in job.log
    assert tip(repository) == ""


def test_blind_is_red_and_pushes_nothing(repository):
    del repository.environ["FAKE_LATEST"]
    job = run(repository)
    assert job.failed
    assert job.ran[-1].code == 3
    assert tip(repository) == ""


def test_constants_that_cannot_be_read_are_red_and_push_nothing(repository):
    (repository.workspace / "hooks.py").write_text("HOOK_EVENTS = load()\n", encoding="utf-8")
    commit(repository.workspace, "break the constants")
    git(repository.workspace, "push", "--quiet", "origin", "main")
    job = run(repository)
    assert job.failed
    assert job.ran[-1].code == 3
    assert tip(repository) == ""
