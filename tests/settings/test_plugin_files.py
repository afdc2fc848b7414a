"""A plugin's hooks file by release: what a fault costs, as the client showed it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftgate.cli import main
from driftgate.releases import FileKind, load_verdict

DATA = Path(__file__).parents[1] / "data" / "plugin"

PIECE, FILE, PLUGIN, LOADS = "piece", "hooks-file", "plugin", "loads"

# file -> what it costs on 2.0.5, 2.1.168, 2.1.250 and 2.1.332
COSTS: dict[str, tuple[str, str, str, str]] = {
    "good": (FILE, LOADS, LOADS, LOADS),
    "bare": (LOADS, FILE, FILE, FILE),
    "empty": (LOADS, FILE, FILE, FILE),
    "true": (FILE, FILE, FILE, PLUGIN),
    "lsp": (FILE, FILE, FILE, PLUGIN),
    "unk": (FILE, FILE, FILE, PIECE),
    "onebad": (FILE, FILE, FILE, PIECE),
    "badmatcher": (FILE, FILE, FILE, PIECE),
    "mod": (FILE, FILE, LOADS, LOADS),
    "mod2": (FILE, LOADS, LOADS, LOADS),
}


def cost(document: Any, release: str, kind: FileKind = FileKind.PLUGIN_HOOKS) -> str:
    text = document if isinstance(document, str) else json.dumps(document)
    verdict = load_verdict(text, release, kind=kind)
    if verdict.rejections:
        return verdict.reach.value
    return PIECE if verdict.dropped else LOADS


@pytest.mark.parametrize("name", COSTS)
def test_what_a_file_costs_by_release(name):
    text = (DATA / f"{name}.json").read_text(encoding="utf-8")
    assert tuple(cost(text, release) for release in ("2.0.5", "2.1.168", "2.1.250", "2.1.332")) == COSTS[name]
    assert cost(text, "1.0.100") == FILE


STOP = [{"hooks": [{"type": "command", "command": "x"}]}]

# a document, and what it costs on 2.1.168 and 2.1.332
DOCUMENTS: list[tuple[Any, str, str]] = [
    ({"hooks": None}, FILE, FILE),
    ({"hooks": []}, FILE, PLUGIN),
    ({"hooks": 1}, FILE, PLUGIN),
    ({"hooks": STOP[0]}, FILE, PLUGIN),
    ({"hooks": {}}, LOADS, LOADS),
    ({"hooks": {"Stop": []}}, LOADS, LOADS),
    ({"hooks": {"Stop": None}}, FILE, PIECE),
    ({"hooks": {"PreToolUse": {}}}, FILE, PLUGIN),
    ({"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}, FILE, PLUGIN),
    ({"hooks": {"PreSkillShellCommand": [{"hooks": 1}]}}, FILE, PLUGIN),
    ({"hooks": {"Foo": {"PreToolUse": [1]}}}, FILE, PLUGIN),
    ({"hooks": {"Stop": STOP}, "description": 1}, FILE, FILE),
    ({"hooks": {"PreToolUse": STOP}, "description": 1}, FILE, PLUGIN),
    ({"hooks": {"Stop": STOP}, "mcpServers": {"PreToolUse": [1]}}, LOADS, PLUGIN),
    ({"hooks": {"Stop": STOP}, "permissions": {"allow": [{"PreToolUse": [1]}]}}, LOADS, PLUGIN),
    ({"hooks": {"Stop": STOP}, "surface": 1}, LOADS, FILE),
    ({"modules": ["a", "b"], "hooks": {}}, LOADS, FILE),
    ({"modules": []}, FILE, FILE),
    ({"PreToolUse": STOP}, FILE, PLUGIN),
    ({"matcher": "", "hooks": {"type": "command"}}, FILE, PLUGIN),
    ([], FILE, FILE),
    ([{"PreToolUse": [1]}], FILE, PLUGIN),
    ("", FILE, FILE),
    ("\ufeff{}", FILE, FILE),
    ("{ // no\n}", FILE, FILE),
    ({"hooks": {"Stop": [{"id": 1, **STOP[0]}]}, "$schema": "x", "x": 1}, LOADS, LOADS),
]


@pytest.mark.parametrize(("document", "older", "newer"), DOCUMENTS)
def test_what_a_document_costs(document, older, newer):
    assert (cost(document, "2.1.168"), cost(document, "2.1.332")) == (older, newer)


# `hooks` of a manifest, and what it costs on 2.1.168 and 2.1.332
MANIFESTS: list[tuple[Any, str, str]] = [
    ("./hooks/more.json", LOADS, LOADS),
    ("hooks/more.json", PLUGIN, PLUGIN),
    ("./hooks/", PLUGIN, PLUGIN),
    (["./a.json", "./b.json"], LOADS, LOADS),
    (["./a.json", {"Stop": STOP}], LOADS, LOADS),
    (["a.json"], PLUGIN, PLUGIN),
    ([], LOADS, LOADS),
    (None, PLUGIN, PLUGIN),
    (5, PLUGIN, PLUGIN),
    ({}, LOADS, LOADS),
    ({"Stop": STOP}, LOADS, LOADS),
    ({"hooks": {"Stop": STOP}}, PLUGIN, PIECE),
    ({"Foo": STOP}, PLUGIN, PIECE),
    ({"Stop": [{"matcher": 1, "hooks": []}]}, PLUGIN, PIECE),
    ({"PreToolUse": [{"hooks": [{}]}]}, PLUGIN, PLUGIN),
    ([{"PreToolUse": 1}], PLUGIN, PLUGIN),
]


@pytest.mark.parametrize(("hooks", "older", "newer"), MANIFESTS)
def test_what_hooks_of_a_manifest_cost(hooks, older, newer):
    document = {"name": "demo", "hooks": hooks}
    costs = tuple(cost(document, release, FileKind.MANIFEST) for release in ("2.1.168", "2.1.332"))
    assert costs == (older, newer)


def test_a_manifest_is_searched_for_lost_guards_but_for_three_keys():
    for key in ("metadata", "mcpServers", "lspServers"):
        assert cost({"name": "x", key: {"PreToolUse": {"command": "x"}}}, "2.1.332", FileKind.MANIFEST) == LOADS
    assert cost({"name": "x", "experimental": {"PreToolUse": [1]}}, "2.1.332", FileKind.MANIFEST) == PLUGIN
    assert cost({"name": "x", "experimental": {"PreToolUse": [1]}}, "2.1.168", FileKind.MANIFEST) == LOADS


HEADLINES = [
    ("bare", "2.1.332", "no hook of this file loads; the rest of the plugin does"),
    ("true", "2.1.332", "the whole plugin is disabled; nothing of it loads"),
    ("unk", "2.1.332", "loads in part; 1 entry loads, 1 piece dropped"),
    ("unk", "2.1.168", "no hook of this file loads; 1 well-formed entry lost; the rest of the plugin does"),
    ("mod", "2.1.332", "loads; 0 entries load"),
]


@pytest.mark.parametrize(("name", "release", "headline"), HEADLINES)
def test_the_headline_says_what_is_lost(name, release, headline, capsys):
    path = str(DATA / f"{name}.json")
    code = main(["classify", "--as", "plugin", "--release", release, path])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{path}: {headline}"
    assert code == (0 if headline.startswith("loads;") else 1)


def test_ranges_of_releases_say_it_too(capsys):
    main(["classify", "--as", "plugin", str(DATA / "unk.json"), "--releases"])
    shown = capsys.readouterr().out
    assert "no hook of it loads: hooks.<S...> (unknown-event)" in shown
    assert "loses 1 piece: hooks.<S...> (unknown-event)" in shown


def test_keys_without_an_effect_are_named(tmp_path, capsys):
    (file := tmp_path / "hooks.json").write_text(
        json.dumps({"$schema": "x", "hooks": {"Stop": [{"id": 1, "description": "y", **STOP[0]}]}})
    )
    assert main(["classify", "--show-names", str(file)]) == 0
    shown = capsys.readouterr().out
    for name in ("$schema", "id", "description"):
        assert name in shown
    assert main(["classify", "--fail-on", "warning", str(file)]) == 1
