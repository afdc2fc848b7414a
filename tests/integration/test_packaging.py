"""What is published: it builds, its description renders, and installed it checks itself without a checkout."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from driftgate.classifier.contract import HOOK_ENTRY_TYPES, HOOK_EVENTS
from tests.integration import fakes
from tests.integration.runner import ROOT


def run(*command, cwd, **environ):
    environment = {**fakes.clean_environment(), **environ}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist, and the wheel that is built from it; no environment of its own is made, so nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def test_the_wheel_holds_what_an_installed_driftgate_needs_and_nothing_else(built):
    names = set(zipfile.ZipFile(built[1]).namelist())
    assert {
        "driftgate/py.typed",
        "driftgate/own/pyproject.toml",
        "driftgate/snapshots/claude-code/2.1.296.yaml",
    } <= names
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"driftgate"}


def test_the_sdist_holds_what_the_wheel_is_built_from(built):
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "snapshots/claude-code/2.1.296.yaml"} <= names


def test_the_description_renders(built):
    done = run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built), cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def says_that_it_agrees(done):
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(HOOK_EVENTS)} events agree" in done.stdout
    assert f"{len(HOOK_ENTRY_TYPES)} types agree" in done.stdout
    assert done.stdout.endswith("driftgate: agrees, exit 0\n")


def test_the_wheel_checks_its_own_constants_outside_any_checkout(built, tmp_path):
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target)]
    done = run(*install, str(built[1]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    where = run(
        sys.executable, "-c", "import driftgate; print(driftgate.__file__)", cwd=tmp_path, PYTHONPATH=str(target)
    )
    assert Path(where.stdout.strip()).is_relative_to(target)
    says_that_it_agrees(run(sys.executable, "-m", "driftgate", "check", "--self", cwd=tmp_path, PYTHONPATH=str(target)))


@pytest.mark.upstream
@pytest.mark.parametrize("kind", [0, 1], ids=["sdist", "wheel"])
def test_a_fresh_environment_checks_outside_any_checkout(built, tmp_path, kind):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    done = run(str(tmp_path / "venv/bin/pip"), "install", "-q", str(built[kind]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    says_that_it_agrees(run(str(tmp_path / "venv/bin/driftgate"), "check", "--self", cwd=tmp_path, PYTHONPATH=""))
    version = run(str(tmp_path / "venv/bin/driftgate"), "--version", cwd=tmp_path, PYTHONPATH="")
    assert version.stdout.startswith("driftgate ")
