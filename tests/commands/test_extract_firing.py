"""`extract --firing`: what a program states of when hooks fire."""

from __future__ import annotations

import json

from driftgate.cli import main
from tests.extraction.test_firing import WHOLE


def test_a_program_is_read(tmp_path, capsys):
    (script := tmp_path / "cli.js").write_text("// a program\n" + WHOLE + "\n" + "// filler\n" * 20_000)
    assert main(["extract", str(script), "--firing", "--format", "json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["hook_event_refused_types"]["SessionStart"] == ["http", "prompt", "agent"]
    assert read["hook_event_matchers"]["Stop"] == "none"
    assert "FileChanged" not in read["hook_event_matchers"]  # the table and the code say different things
    assert read["hook_events_ignoring_on_failure"] is None
    assert main(["extract", str(script), "--firing"]) == 0
    shown = capsys.readouterr().out
    assert "hook_events_ignoring_on_failure: not stated" in shown
    assert shown.endswith("driftgate: agrees, exit 0\n")


def test_what_states_nothing_is_blind(tmp_path, capsys):
    (script := tmp_path / "cli.js").write_text("function nothing(){}\n" + "// filler\n" * 20_000)
    assert main(["extract", str(script), "--firing"]) == 3
    assert "nothing is stated of when hooks fire" in capsys.readouterr().err


def test_another_shape_is_blind(tmp_path, capsys):
    broken = WHOLE.replace("v=e.source", "v=e.source+e.cwd")
    (script := tmp_path / "cli.js").write_text(broken + "\n" + "// filler\n" * 20_000)
    assert main(["extract", str(script), "--firing"]) == 3
    assert "report this release" in capsys.readouterr().err


def test_a_source_is_no_program(tmp_path, capsys):
    (source := tmp_path / "hooks.py").write_text("HOOK_EVENTS = ('Stop',)\n")
    assert main(["extract", str(source), "--firing"]) == 2
    assert "programs only" in capsys.readouterr().err
