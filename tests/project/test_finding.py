"""Which configuration is in force: the nearest readable one, and an error for everything that only looks like one."""

import os
from pathlib import Path

import pytest

from driftgate.cli import main
from driftgate.errors import ConfigError, NoConfigError
from driftgate.project.finding import config_file, config_in, projects_below

YAML = "pin: '2.1.296'\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n"
TOML = "[tool.driftgate]\npin = '2.1.296'\n[tool.driftgate.declared]\nhook_events = 'hooks.py#HOOK_EVENTS'\n"


def fifo(path):
    os.mkfifo(path)


UNREADABLE = {
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a loop of links": lambda path: path.symlink_to(path),
    "a folder": lambda path: path.mkdir(),
    "a pipe": fifo,
    "a link to a folder": lambda path: path.symlink_to(path.parent),
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=list(UNREADABLE))
@pytest.mark.parametrize("name", ["driftgate.yml", "driftgate.yaml", "pyproject.toml"])
def test_one_that_is_there_and_cannot_be_read(tmp_path, name, make):
    make(tmp_path / name)
    with pytest.raises(ConfigError, match="is there and cannot be read") as caught:
        config_file(tmp_path)
    assert not isinstance(caught.value, NoConfigError)
    assert caught.value.where == str(tmp_path / name)


SPELLINGS = [
    ".driftgate.yml",
    ".driftgate.yaml",
    "driftgate.toml",
    ".driftgate.toml",
    "driftgate.json",
    "driftgate.YML",
    "Driftgate.yml",
    "drift-gate.yml",
    "driftgate.config.yml",
    ".driftgaterc",
    ".driftgaterc.json",
]


@pytest.mark.parametrize("name", SPELLINGS)
def test_another_spelling_of_the_name(tmp_path, name):
    (tmp_path / name).write_text(YAML)
    with pytest.raises(ConfigError, match="a name that driftgate does not read") as caught:
        config_file(tmp_path)
    assert name in caught.value.where


@pytest.mark.parametrize("name", ["driftgate", ".driftgate", "driftgate.py", "driftgate.md", "my-driftgate.yml.txt"])
def test_a_name_that_nobody_meant_for_a_configuration(tmp_path, name):
    (tmp_path / name).mkdir() if name == ".driftgate" else (tmp_path / name).write_text("")
    with pytest.raises(NoConfigError):
        config_file(tmp_path)


@pytest.mark.parametrize("mark", ["package.json", "go.mod", "Cargo.toml", "build.zig", "setup.py", "deno.json"])
def test_the_nearest_one_upwards_is_found_beyond_a_projects_marks(tmp_path, mark):
    (tmp_path / "driftgate.yml").write_text(YAML)
    package = tmp_path / "packages" / "a"
    package.mkdir(parents=True)
    (package / mark).write_text("")
    (package / "pyproject.toml").write_text("[project]\nname = 'driftgate-user'\n")
    assert config_file(package) == tmp_path / "driftgate.yml"


def test_a_repository_ends_the_search(tmp_path):
    (tmp_path / "driftgate.yml").write_text(YAML)
    repository = tmp_path / "cloned"
    (repository / ".git").mkdir(parents=True)
    with pytest.raises(NoConfigError):
        config_file(repository)


def test_a_folder_that_is_gone(tmp_path):
    with pytest.raises(ConfigError, match="does not exist"):
        config_file(tmp_path / "gone")


def test_projects_below(tmp_path):
    for name in ("a", "b", "node_modules/c", ".hidden", "a/deep"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "driftgate.yml").write_text(YAML)
    (tmp_path / "pyproject.toml").write_text(TOML)
    found = [path.relative_to(tmp_path).as_posix() for path in projects_below(tmp_path)]
    assert found == ["pyproject.toml", "a/driftgate.yml", "a/deep/driftgate.yml", "b/driftgate.yml"]
    assert config_in(tmp_path / "node_modules") is None


def test_a_deleted_current_folder_is_an_error(tmp_path, monkeypatch, capsys):
    (tmp_path / "driftgate.yml").write_text(YAML)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("PWD", str(gone))
    gone.rmdir()
    assert main(["check"]) == 2
    assert "does not exist" in capsys.readouterr().err
    monkeypatch.chdir(Path(tmp_path).parent)
