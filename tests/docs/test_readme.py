"""The README's samples are what the commands print; what needs the registry is looked at by its own tests."""

import re

import pytest

from driftgate.cli import main
from driftgate.commands import COMMANDS
from driftgate.project.reading import parse_config
from tests.integration.runner import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def console(start):
    (text,) = (block for block in blocks("console") if block.startswith(f"$ {start}"))
    first, _, output = text.partition("\n")
    return first.removeprefix("$ ").split()[1:], output


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    for name in ("DRIFTGATE_CONFIG", "DRIFTGATE_FORMAT", "DRIFTGATE_FAIL_ON", "DRIFTGATE_AGAINST", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


def test_the_main_job(monkeypatch, capsys):
    (shown,) = blocks("text")
    monkeypatch.chdir(ROOT)
    assert main(["check"]) == 0
    assert capsys.readouterr().out == shown


def test_the_settings_file(tmp_path, monkeypatch, capsys):
    (settings,) = blocks("json")
    words, shown = console("driftgate classify")
    (tmp_path / "settings.json").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    assert capsys.readouterr().out == shown


def test_the_configuration(tmp_path):
    (text,) = blocks("toml")
    config = parse_config(text, tmp_path / "pyproject.toml")
    assert list(config.declared) == ["hook_events", "hook_entry_types"]
    assert [entry.subject for entry in config.accepted] == ["MessageDisplay"]


def test_the_function():
    (text,) = blocks("python")
    exec(compile(text, "README.md", "exec"), {})  # noqa: S102 - our own sample


def test_the_commands_are_there():
    named = set(re.findall(r"`driftgate (\w+)", README))
    assert named
    assert named <= {*COMMANDS}
