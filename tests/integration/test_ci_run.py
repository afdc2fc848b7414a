"""`.ci/run`: a failure stays a failure, a hiccup is tried again, and a run without tests is not green."""

import shutil
import subprocess

import pytest

from tests.integration.runner import ROOT

README = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest\n"
INI = "[pytest]\nmarkers = upstream\naddopts = -m 'not upstream'\n"
PASSES = "def test_it():\n    pass\n"
FAILS = "def test_it():\n    assert False\n"
MARK = "import pytest\n@pytest.mark.upstream\n"
FLAKY = """
def test_flaky():
    from pathlib import Path
    tries = Path(__file__).with_name("tries")
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    assert len(tries.read_text()) == 3
"""


@pytest.fixture
def run(project):
    """Run a part of .ci/run in a small repository; `sleep` does not."""
    for name in ("hooks.py", "driftgate.yml"):
        (project.workspace / name).unlink()
    (project.workspace / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", project.workspace / ".ci/run")
    (project.workspace / "pytest.ini").write_text(INI, encoding="utf-8")
    shutil.copy(project.bin / "pip", project.bin / "sleep")
    project.environ |= {
        "PYTEST_ADDOPTS": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # one process starts faster than three

    def run(part, test, readme=README):
        (project.workspace / "README.md").write_text(readme, encoding="utf-8")
        (project.workspace / "test_it.py").write_text(test, encoding="utf-8")
        return subprocess.run(
            ["bash", ".ci/run", part],
            cwd=project.workspace,
            env={**project.environ, "PYTHONPATH": "", "PYTEST_PLUGINS": "", "TMPDIR": str(project.temp)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )

    yield run
    assert not [*project.temp.glob("driftgate-ci.*")], "nothing is left behind"


def test_the_command_of_the_readme_is_what_runs(run):
    done = run("test", PASSES)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.parametrize("test", [FAILS, "", MARK + PASSES], ids=["a failure", "no test", "none of this part"])
def test_what_is_not_green_is_red(run, test):
    assert run("test", test).returncode != 0


@pytest.mark.parametrize("readme", ["", README * 2], ids=["none", "two"])
def test_a_readme_without_the_one_command_is_red(run, readme):
    done = run("test", PASSES, readme)
    assert done.returncode == 1
    assert "ci: README.md names" in done.stdout


def test_a_hiccup_is_tried_again(run):
    done = run("upstream", MARK + FLAKY.lstrip())
    assert done.returncode == 0, done.stdout
    assert "attempt 2 failed" in done.stdout
    assert "1 passed" in done.stdout


def test_what_fails_each_time_stays_failed(run):
    done = run("upstream", MARK + FAILS)
    assert done.returncode == 1
    assert "failed three times" in done.stdout


def test_no_test_that_reaches_the_registry_is_red(run):
    done = run("upstream", PASSES)
    assert done.returncode == 1
    assert "no test that reaches the registry was found" in done.stdout


def test_a_part_that_does_not_exist_is_red(run):
    assert run("tset", PASSES).returncode == 1
