"""What loads and never fires, as `classify` warns of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from driftgate.cli import main

DEAD = Path(__file__).parents[1] / "data" / "plugins" / "n18-loaded-and-dead.json"
WARNED = ["type-never-runs", "watches-nothing", "matcher-ignored", "if-never-holds", "once-without-effect"]


def warnings(capsys) -> list[str]:
    (file,) = json.loads(capsys.readouterr().out)["files"]
    return [warning["code"] for warning in file["warnings"]]


def test_the_public_report_is_warned_of(capsys):
    assert main(["classify", "--release", "2.1.332", "--format", "json", str(DEAD)]) == 0
    assert warnings(capsys) == WARNED
    assert main(["classify", "--release", "2.1.332", "--fail-on", "warning", str(DEAD)]) == 1
    shown = capsys.readouterr().out
    assert "http hooks never run under this event (Claude Code: refused by the code of 2.1.332;" in shown


def test_what_a_release_does_not_state_is_not_warned_of(capsys):
    assert main(["classify", "--release", "2.0.30", "--format", "json", str(DEAD)]) in (0, 1)
    assert set(warnings(capsys)).isdisjoint({"type-never-runs", "if-never-holds"})


def test_once_is_for_hooks_that_something_brings_along(tmp_path, capsys):
    (file := tmp_path / "hooks.json").write_text(
        json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "a", "once": True}]}]}})
    )
    for kind, expected in (("settings", ["once-without-effect"]), ("plugin", [])):
        assert main(["classify", "--release", "2.1.332", "--as", kind, "--format", "json", str(file)]) == 0
        assert warnings(capsys) == expected


@pytest.mark.parametrize("bad", [[{"hooks": [{"type": "http"}]}], [{"matcher": 1, "hooks": []}], {}])
def test_what_does_not_load_is_not_called_dead(tmp_path, capsys, bad):
    (file := tmp_path / "settings.json").write_text(json.dumps({"hooks": {"SessionStart": bad}}))
    assert main(["classify", "--release", "2.1.332", "--format", "json", str(file)]) == 1
    assert warnings(capsys) == []
