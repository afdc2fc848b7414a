"""A plugin as a whole: its files, what is wrong between them, and the scripts that its commands name."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from driftgate.cli import main

DATA = Path(__file__).parents[1] / "data" / "plugins"
STOP = {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
GUARD = {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}


def plugin(root: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        (file := root / name).parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return root


@pytest.fixture
def classify(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, dict[str, dict[str, Any]]]:
        code = main(["classify", "--show-names", "--format", "json", *args])
        return code, {file["file"]: file for file in json.loads(capsys.readouterr().out)["files"]}

    return run


def codes(file: dict[str, Any]) -> list[str]:
    found = file["rejections"] + file["dropped"] + file["contract_only"] + file["warnings"]
    return [piece["code"] for piece in found]


MANIFEST = ".claude-plugin/plugin.json"

# files of a plugin -> exit code, and the codes of each file that is judged
PLUGINS: dict[str, tuple[dict[str, Any], int, dict[str, list[str]]]] = {
    "a hooks file alone": ({"hooks/hooks.json": {"hooks": STOP}}, 0, {"hooks/hooks.json": []}),
    "a manifest without hooks": ({MANIFEST: {"name": "x"}}, 0, {MANIFEST: []}),
    "inline": ({MANIFEST: {"name": "x", "hooks": STOP}}, 0, {MANIFEST: []}),
    "inline with a fault": ({MANIFEST: {"name": "x", "hooks": {"Foo": []}}}, 1, {MANIFEST: ["unknown-event"]}),
    "the automatic file is named": (
        {MANIFEST: {"name": "x", "hooks": "./hooks/hooks.json"}, "hooks/hooks.json": {"hooks": STOP}},
        1,
        {MANIFEST: ["loaded-already"], "hooks/hooks.json": []},
    ),
    "the automatic file by another way": (
        {MANIFEST: {"name": "x", "hooks": ["./hooks/../hooks/hooks.json"]}, "hooks/hooks.json": {"hooks": STOP}},
        1,
        {MANIFEST: ["loaded-already"], "hooks/hooks.json": []},
    ),
    "other files": (
        {MANIFEST: {"name": "x", "hooks": ["./a.json", "./b.json"]}, "a.json": {"hooks": STOP}, "b.json": STOP},
        1,
        {MANIFEST: [], "a.json": [], "b.json": ["no-hooks", "unknown-field"]},
    ),
    "a file twice": (
        {MANIFEST: {"name": "x", "hooks": ["./a.json", "./a.json"]}, "a.json": {"hooks": STOP}},
        1,
        {MANIFEST: ["named-twice"], "a.json": []},
    ),
    "a file that is not there": ({MANIFEST: {"name": "x", "hooks": "./a.json"}}, 1, {MANIFEST: ["hooks-file-missing"]}),
    "a file outside": ({MANIFEST: {"name": "x", "hooks": "./../a.json"}}, 1, {MANIFEST: ["outside-plugin"]}),
    "no path": ({MANIFEST: {"name": "x", "hooks": "hooks.json"}}, 1, {MANIFEST: ["hooks-path-invalid"]}),
    "a skill": (
        {
            MANIFEST: {"name": "x"},
            "skills/s/SKILL.md": "---\nname: s\nhooks:\n  Stop:\n  - hooks: [{type: command}]\n---\n",
        },
        1,
        {MANIFEST: [], "skills/s/SKILL.md": ["entry-invalid"]},
    ),
    "a skill that is fine": (
        {"hooks/hooks.json": {"hooks": {}}, "skills/s/SKILL.md": "---\nhooks:\n  Stop: []\n---\ntext\n"},
        0,
        {"hooks/hooks.json": [], "skills/s/SKILL.md": []},
    ),
    "a skill without hooks": (
        {MANIFEST: {"name": "x"}, "skills/s/SKILL.md": "---\nname: s\n---\nhooks: of a fish\n"}, 0, {MANIFEST: []},
    ),
    "skills and agents elsewhere": (
        {
            MANIFEST: {"name": "x", "skills": ["./more", "./one/s"], "agents": ["./who/a.md"]},
            "more/s/SKILL.md": "---\nhooks: {Stop: 1}\n---\n",
            "one/s/SKILL.md": "---\nhooks: {Stop: []}\n---\n",
            "who/a.md": "---\nhooks: {Stop: []}\n---\n",
        },
        1,
        {
            MANIFEST: [],
            "more/s/SKILL.md": ["event-not-array"],
            "one/s/SKILL.md": [],
            "who/a.md": ["hooks-not-read"],
        },
    ),
    "an agent and a command": (
        {
            MANIFEST: {"name": "x"},
            "agents/a.md": "---\nhooks: {Stop: []}\n---\n",
            "commands/c.md": "---\nhooks: {}\n---\n",
        },
        1,
        {MANIFEST: [], "agents/a.md": ["hooks-not-read"], "commands/c.md": ["hooks-not-read"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLUGINS)
def test_a_folder_and_its_manifest_stand_for_the_plugin(name, tmp_path, classify):
    files, code, found = PLUGINS[name]
    plugin(tmp_path / "p", files)
    expected = {f"p/{file}": problems for file, problems in found.items()}
    shown, judged = classify("p")
    assert (shown, {file: codes(verdict) for file, verdict in judged.items()}) == (code, expected)
    if MANIFEST in files:
        assert classify(f"p/{MANIFEST}") == (shown, judged)
        assert classify(f"p/{MANIFEST}", *expected, "p") == (shown, judged)


def test_the_manifest_that_names_the_automatic_file_by_release(tmp_path, classify):
    shutil.copytree(DATA / "n04", tmp_path / "p")
    for release, code in (("2.0.30", 0), ("2.0.36", 1), ("2.1.278", 1), ("2.1.280", 0), ("2.1.332", 0)):
        assert classify("p", "--release", release)[0] == code, release
    code, files = classify("p")
    (piece,) = files[f"p/{MANIFEST}"]["contract_only"]
    assert code == 1
    assert "the file is loaded already" in piece["says"]
    assert piece["fix"] == "remove the key"


@pytest.mark.parametrize(("name", "code"), [("n01", 0), ("n04", 1), ("n04b", 0), ("n04c", 1)])
def test_reported_plugins(name, code, tmp_path, classify):
    shutil.copytree(DATA / name, tmp_path / "p")
    shown, files = classify("p")
    assert shown == code
    if name == "n01":
        (file,) = files.values()
        assert len(file["warnings"]) == 5
        assert any("$schema" in caution["says"] for caution in file["warnings"])


def test_a_manifest_is_never_read_as_a_hooks_file(tmp_path, classify):
    for hooks in ("./hooks/hooks.json", ["./a.json"], STOP):
        plugin(tmp_path / "p", {MANIFEST: {"name": "x", "version": "1", "hooks": hooks}})
        _, files = classify(f"p/{MANIFEST}")
        assert files[f"p/{MANIFEST}"]["read_as"] == "plugin-manifest"
        assert "hooks-not-object" not in codes(files[f"p/{MANIFEST}"])


def test_an_unknown_key_disables_the_plugin_in_old_releases(tmp_path, classify):
    plugin(tmp_path / "p", {MANIFEST: {"name": "x", "$schema": "y"}})
    assert [classify("p", "--release", release)[0] for release in ("2.1.75", "2.1.76", "2.1.332")] == [1, 0, 0]


def test_a_marketplace_stands_for_its_own_plugins(tmp_path, classify):
    market = {"name": "m", "plugins": [
        {"name": "a", "source": "./plugins/a"},
        {"name": "b", "source": {"source": "github", "repo": "o/r"}},
        {"name": "c", "source": "./plugins/c", "hooks": {"Foo": []}},
        {"name": "d", "source": "./../elsewhere"},
    ]}  # fmt: skip
    plugin(tmp_path / "m", {
        ".claude-plugin/marketplace.json": market,
        "plugins/a/hooks/hooks.json": {"hooks": {"PreToolUse": 1}},
    })  # fmt: skip
    code, files = classify("m/.claude-plugin/marketplace.json")
    assert code == 1
    assert {name: codes(file) for name, file in files.items()} == {
        "m/plugins/a/hooks/hooks.json": ["guard-event-not-array"],
        "m/.claude-plugin/marketplace.json#plugins[2]": ["unknown-event"],
    }


def test_a_folder_that_is_no_plugin_and_frontmatter_that_is_none(tmp_path, classify):
    (tmp_path / "p").mkdir()
    assert classify("p")[0] == 3
    plugin(tmp_path / "q", {MANIFEST: {"name": "x"}, "skills/s/SKILL.md": "---\nhooks: [\n---\n"})
    code, files = classify("q")
    assert (code, files["q/skills/s/SKILL.md"]["outcome"]) == (3, "unreadable")


COMMANDS = [
    ("${CLAUDE_PLUGIN_ROOT}/run.sh", []),
    ('"${CLAUDE_PLUGIN_ROOT}"/run.sh --quick', []),
    ("${CLAUDE_PLUGIN_ROOT}/plain.sh", ["script-not-executable"]),
    ("bash ${CLAUDE_PLUGIN_ROOT}/plain.sh", []),
    ("${CLAUDE_PLUGIN_ROOT}/gone.sh", ["script-missing"]),
    ("X=1 $CLAUDE_PLUGIN_ROOT/gone.sh", ["script-missing"]),
    ("node ${CLAUDE_PLUGIN_ROOT}/gone.js", ["script-missing"]),
    ("${CLAUDE_PLUGIN_ROOT}/gone.sh; true", ["script-missing"]),
    ("${CLAUDE_PLUGIN_ROOT}/$X.sh", []),
    ("echo '${CLAUDE_PLUGIN_ROOT}", []),
    ("gone.sh", []),
]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no mark of what can be run")
@pytest.mark.parametrize(("command", "found"), COMMANDS)
def test_scripts(command, found, tmp_path, classify):
    entry = {"type": "command", "command": command}
    root = plugin(
        tmp_path / "p",
        {
            "hooks/hooks.json": {"hooks": {"Stop": [{"hooks": [entry]}]}},
            "run.sh": "",
            "plain.sh": "",
            MANIFEST: {"name": "x"},
        },
    )
    (root / "run.sh").chmod(0o755)
    (root / "plain.sh").chmod(0o644)
    code, files = classify("p")
    assert (code, codes(files["p/hooks/hooks.json"])) == (0, found)
    assert classify("p", "--fail-on", "warning")[0] == (1 if found else 0)


def test_the_script_of_a_guard_in_a_project(tmp_path, classify):
    shutil.copy(DATA / "n14-guard-script-that-does-not-exist.json", tmp_path / "x.json")
    code, files = classify("x.json")
    assert (code, codes(files["x.json"])) == (0, ["script-missing"])
    plugin(tmp_path, {".claude/hooks/gone.sh": ""})
    (tmp_path / ".claude/hooks/gone.sh").chmod(0o755)
    shutil.copy(tmp_path / "x.json", tmp_path / ".claude" / "settings.json")
    assert [codes(file) for file in classify("x.json", ".claude/settings.json")[1].values()] == [[], []]


# before, after, exit code, and the coordinates of what is lost
STATES = [
    ({"hooks": GUARD}, {"hooks": GUARD}, 0, []),
    ({"hooks": {**STOP, **GUARD}}, {"hooks": STOP}, 1, ["hooks.PreToolUse[0].hooks[0]"]),
    ({"hooks": {**STOP, **GUARD}}, {"PreToolUse": GUARD}, 1,
     ["hooks.PreToolUse[0].hooks[0]", "hooks.Stop[0].hooks[0]"]),
    ({"hooks": STOP}, {"hooks": {"Stop": [{"matcher": "*", "hooks": [
        {"type": "command", "command": "x", "timeout": 5}]}]}}, 0, []),
    ({"hooks": GUARD}, {"hooks": {"PreToolUse": [{"matcher": "Bash", **GUARD["PreToolUse"][0]}]}}, 1,
     ["hooks.PreToolUse[0].hooks[0]"]),
    ({"hooks": {"Stop": [1, *STOP["Stop"]]}}, {"hooks": {}}, 1, ["hooks.Stop[1].hooks[0]"]),
    ({"hooks": {"Stop": [*STOP["Stop"], *STOP["Stop"]]}}, {"hooks": STOP}, 1, ["hooks.Stop[1].hooks[0]"]),
    ({"hooks": {"PreToolUse": 1}}, {"hooks": {}}, 0, []),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "code", "lost"), STATES)
def test_what_loaded_before_and_does_not_now(before, after, code, lost, tmp_path, classify):
    plugin(tmp_path, {"old.json": before, "new.json": after})
    shown, files = classify("--before", "old.json", "new.json")
    assert (shown, [hook["coordinate"] for hook in files["new.json"]["lost_hooks"]]) == (code, lost)


def test_the_reported_installer(tmp_path, capsys):
    before, after = (str(DATA / f"n16-{state}.json") for state in ("before", "after"))
    assert main(["classify", "--before", before, after]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  2 hooks that load in" in lines[2]
    assert "lost guard: hooks.PreToolUse[0].hooks[0]: its event has no hooks now [lost-hook]" in lines[3]
    assert "lost: hooks.SessionStart[0].hooks[0]: its event has other hooks now [lost-hook]" in lines[4]


def test_an_earlier_state_that_is_not_there_is_blind(tmp_path, classify):
    plugin(tmp_path, {"new.json": {}})
    assert classify("--before", "old.json", "new.json")[0] == 3


WARNED = [
    ({"disableAllHooks": True, "hooks": STOP}, ["hooks-disabled"]),
    ({"disableAllHooks": False, "hooks": STOP}, []),
    ({"disableAllHooks": True}, []),
    ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 15000}]}]}}, ["long-timeout"]),
    ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 3600}]}]}}, []),
    ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 600}]}]}}, []),
]


@pytest.mark.parametrize(("document", "found"), WARNED)
def test_what_loads_and_never_runs(document, found, tmp_path, classify):
    plugin(tmp_path, {"x.json": document})
    code, files = classify("x.json")
    assert (code, codes(files["x.json"])) == (0, found)


def test_once_counts_in_a_skill_and_not_in_settings(tmp_path, classify):
    entry = {"type": "command", "command": "x", "once": True}
    hooks = {"hooks": {"Stop": [{"hooks": [entry]}]}}
    skill = f"---\n{json.dumps(hooks)[1:-1]}\n---\n"
    plugin(tmp_path, {"x.json": hooks, "p/hooks/hooks.json": {"hooks": {}}, "p/skills/s/SKILL.md": skill})
    code, files = classify("x.json", "p")
    assert (code, codes(files["x.json"]), codes(files["p/skills/s/SKILL.md"])) == (0, ["once-without-effect"], [])


def test_the_reported_hooks_that_load_and_are_dead(tmp_path, classify):
    shutil.copy(DATA / "n18-loaded-and-dead.json", tmp_path / "x.json")
    code, files = classify("x.json")
    assert (code, files["x.json"]["outcome"]) == (0, "loaded")
    assert codes(files["x.json"]) == [
        "type-never-runs", "watches-nothing", "matcher-ignored", "if-never-holds", "once-without-effect",
    ]  # fmt: skip
    assert classify("x.json", "--fail-on", "warning")[0] == 1
