"""Two judges: each says its own, and the code is that of the stricter one unless one alone is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftgate.classifier.result import HooksOutcome
from driftgate.cli import main
from driftgate.formats.json import read_json_text
from driftgate.settings import FileKind, Judge, classify_text

OK = {"type": "command", "command": "x"}


def stop(**fields: Any) -> dict[str, Any]:
    return {"hooks": {"Stop": [{"hooks": [{**OK, **fields}]}]}}


SKILL = {"hooks": {"PreSkillShellCommand": [{"hooks": [OK]}]}}

# a document, whether all loads in 2.1.332, and whether it obeys the contract
DOCUMENTS: list[tuple[Any, bool, bool]] = [
    (stop(), True, True),
    (stop(timeout=0), False, False),
    (stop(command=""), True, False),
    ({"a": {"b": {"c": {"d": {"e": {"PreToolUse": [1]}}}}}}, True, False),
    ({"env": {"PreToolUse": [1]}}, True, False),
    ({"PreToolUse": [1]}, False, False),
    (SKILL, True, True),
]


@pytest.mark.parametrize(("document", "loads", "obeys"), DOCUMENTS)
def test_the_code_is_that_of_the_judge(document, loads, obeys, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text(json.dumps(document))
    codes = {judge: main(["classify", "x.json", "--judge", judge]) for judge in Judge}
    assert codes == {
        Judge.RELEASE: 0 if loads else 1,
        Judge.CONTRACT: 0 if obeys else 1,
        Judge.BOTH: 0 if loads and obeys else 1,
    }
    capsys.readouterr()
    main(["classify", "x.json"])
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first.startswith("x.json: loads;") == loads
    assert second.startswith("  contract of 2.1.332: ")
    assert second.endswith(": obeyed") == obeys
    if loads:
        assert "reject" not in first


def test_configuration_chooses_the_judge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text(json.dumps(stop(command="")))
    for judge, code in (("release", 0), ("contract", 1), ("both", 1)):
        (tmp_path / "driftgate.yml").write_text(f"classify:\n  judge: {judge}\n")
        assert main(["classify", "x.json"]) == code
    (tmp_path / "driftgate.yml").write_text("classify:\n  judge: nobody\n")
    assert main(["classify", "x.json"]) == 2


PROJECTS = [
    ("pin: '2.1.296'\n", "2.1.296", 1),
    ("pin: '2.1.332'\n", "2.1.332", 0),
    ("classify:\n  releases: '>=2.1.332'\n", "2.1.332", 0),
    ("pin: '2.1.332'\nclassify:\n  releases: '>=2.1.332'\n", "2.1.332", 0),
    ("pin: '2.1.296'\nclassify:\n  releases: '>=2.1.332'\n", "2.1.332", 0),
    ("pin: '2.1.296'\nupstream: gemini-cli\n", "2.1.332", 0),
]


@pytest.mark.parametrize(("config", "release", "code"), PROJECTS)
def test_a_project_is_judged_by_its_own_vocabulary(config, release, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text(json.dumps(SKILL))
    (tmp_path / "driftgate.yml").write_text(config)
    assert main(["classify", "x.json"]) == code
    assert f"vocabulary: Claude Code {release} " in capsys.readouterr().out


def test_names_of_later_releases_and_of_others_are_theirs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "driftgate.yml").write_text("pin: '2.1.296'\n")
    (tmp_path / "x.json").write_text(json.dumps({"hooks": {"PreSkillShellCommand": [], "BeforeTool": []}}))
    assert main(["classify", "x.json"]) == 1
    shown = capsys.readouterr().out
    assert (
        "hooks.PreSkillShellCommand: an event that this release does not know yet; Claude Code knows it since 2.1.332"
        in shown
    )
    assert "Gemini CLI 0.61.0 knows it" in shown
    assert "remove" not in shown


def test_what_lies_behind_a_fault_is_shown_with_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    document = {
        "hooks": {
            "Stopp": [{"matcher": 4, "hooks": [{"type": "comand", "timeout": -4}]}],
            "SessionStart": [{"hooks": [{"type": "command", "timeout": 0, "shell": "fish"}]}],
        }
    }
    (tmp_path / "x.json").write_text(json.dumps(document))
    assert main(["classify", "x.json", "--format", "json", "--show-names"]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [piece["coordinate"] for piece in file["next"]] == [
        "hooks.Stopp[0].matcher",
        "hooks.Stopp[0].hooks[0].command",
        "hooks.Stopp[0].hooks[0].type",
        "hooks.Stopp[0].hooks[0].timeout",
    ]
    assert [piece["coordinate"] for piece in file["dropped"]] == [
        "hooks.Stopp",
        "hooks.SessionStart[0].hooks[0].command",
        "hooks.SessionStart[0].hooks[0].timeout",
        "hooks.SessionStart[0].hooks[0].shell",
    ]


CASES = [
    json.loads(line)
    for name in ("classifier-cases.jsonl",)
    for line in (Path(__file__).parents[1] / "data" / name).read_text(encoding="utf-8").splitlines()
]


def test_no_document_is_red_by_the_release_that_claude_code_loads_and_none_is_greener():
    for record in CASES:
        file = classify_text(read_json_text(record["text"]), "x", FileKind.SETTINGS, "2.1.296")
        drops = any(note["severity"] == "warning" for note in record["cc"]["notes"])
        assert (file.outcome is HooksOutcome.REJECTED) == record["cc"]["rejected"], record["id"]
        if not record["cc"]["rejected"]:
            lost = [
                problem for problem in file.problems if problem.effect == "dropped" and problem.code != "duplicate-key"
            ]
            assert bool(lost) == drops, record["id"]
        if record["cc"]["rejected"] or drops:
            assert not file.all_loads
