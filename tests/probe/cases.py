"""Plugins that were written by hand, one idea each: the shapes that the readers of the releases tell apart."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[3] / "shared" / "cases2"  # the cases of public reports, where this project is worked on

ENTRY = {"type": "command", "command": "x"}
OK = [{"hooks": [ENTRY]}]
AUTOMATIC = "hooks/hooks.json"
OTHER = "hooks/other.json"
MANIFEST = ".claude-plugin/plugin.json"
GOOD = json.dumps({"hooks": {"Stop": OK}})

TEXTS = [
    "null",
    "[]",
    '"x"',
    '{"hooks":',
    "",
    '\ufeff{"hooks":{}}',
    '{"hooks":{} /* x */}',
    '{"hooks":{"__proto__":[],"Stop":[]}}',
]
DOCUMENTS: list[Any] = [
    {},
    {"SessionStart": OK},
    {"PreToolUse": OK},
    [{"PreToolUse": OK}],
    {"matcher": "x", "hooks": [ENTRY]},
    {"lspServers": {"matcher": "Bash", "hooks": [ENTRY]}},
    {"hooks": {"Stop": OK}, "PreToolUse": OK},
    {"hooks": {"Stop": OK}, "x": {"y": {"PreToolUse": OK}}},
    {"hooks": {"Stop": OK}, "x": {"a": {"b": {"c": {"PreToolUse": OK}}}}},
    {"hooks": {"Stop": OK}, "x": {"a": {"b": {"c": {"d": {"PreToolUse": OK}}}}}},
    {"hooks": {"Stop": OK}, "x": OK},
    {"hooks": {"Stop": OK}, "PreToolUse": []},
    {"hooks": {"Stop": OK}, "metadata": {"PreToolUse": OK}},
    {"hooks": {"Stop": OK}, "mcpServers": {"PreToolUse": OK}},
    {"Stop": OK, "hooks": {"Stop": OK}},
    {"description": "d", "hooks": {"Stop": OK}},
    {"description": 1, "hooks": {"Stop": OK}},
    {"description": 1, "hooks": {"PreToolUse": OK}},
    {"$schema": "https://example.org/s.json", "hooks": {"Stop": OK}},
    {"$schema": 1, "hooks": {"Stop": OK}},
    {"foo": {"bar": 1}, "hooks": {"Stop": OK}},
    {"//": "generated", "description": "x", "$schema": "y", "version": 1, "hooks": {"Stop": OK}},
    {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "hooks": {}},
    {"surface": 1, "hooks": {"Stop": OK}},
]
HOOKS: list[Any] = [
    {},
    [],
    None,
    "x",
    True,
    1,
    OK,
    [{}],
    {"matcher": "x", "hooks": [ENTRY]},
    ENTRY,
    ["x"],
    {"hooks": {"type": "x"}},
]
EVENTS_VALUE: list[Any] = [
    OK,
    None,
    {},
    "x",
    [],
    OK[0],
    [None],
    [{}],
    [{"hooks": None}],
    [{"hooks": []}],
    [{"matcher": 1, "hooks": [ENTRY]}],
    [{"matcher": None, "hooks": [ENTRY]}],
    [{"hooks": [None]}],
    [{"hooks": [{"type": "foo"}]}],
    [{"hooks": [{"type": "command"}]}],
    [{"hooks": [{"type": "command"}, ENTRY]}],
    [{"hooks": [{**ENTRY, "timeout": 0}]}],
    [{"hooks": [{**ENTRY, "foo": 1}]}],
    [{"id": "x", "description": "d", "hooks": [ENTRY]}],
    [{"hooks": [{"type": "prompt", "prompt": "x"}]}],
    [{"hooks": [{"type": "http", "url": "http://x/"}]}],
    [{"hooks": [{"type": "mcp_tool", "server": "x", "tool": "y"}]}],
    [{"hooks": [{"type": "agent", "prompt": "x"}]}],
    [{"hooks": [{**ENTRY, "x": {"PreToolUse": OK}}]}],
    [{"hooks": [{**ENTRY, "args": "a"}]}],
    [{"matcher": "x", "hooks": [ENTRY], "PreToolUse": OK}],
    [{"PreToolUse": OK}],
]
UNKNOWN_VALUE: list[Any] = [
    OK,
    OK[0],
    [],
    None,
    "x",
    [{"hooks": [{"PreToolUse": OK}]}],
    {"PreToolUse": []},
    {"a": OK},
    [OK],
]
MODULES: list[Any] = [[], [1], "./m.js", ["./m.js"], ["./a.js", "./b.js"], None, ["/m.js"], ["../../../m.js"]]

MANIFEST_HOOKS: list[Any] = [
    "./hooks/hooks.json",
    "hooks/hooks.json",
    ["./hooks/hooks.json"],
    "./hooks/../hooks/hooks.json",
    "./hooks/other.json",
    "hooks/other.json",
    ["./hooks/other.json", "./hooks/other.json"],
    ["./hooks/other.json", "./hooks/more.json"],
    "./hooks/none.json",
    "../x.json",
    "/x.json",
    5,
    None,
    [],
    "",
    "./hooks/other.txt",
    "./hooks",
    {"Stop": OK},
    {"hooks": {"Stop": OK}},
    {"Foo": OK, "Stop": OK},
    {},
    [{"Stop": OK}],
    ["./hooks/other.json", {"Stop": OK}],
    {"modules": ["./m.js"]},
    {"Stop": [{"hooks": [{"type": "command"}]}], "SessionStart": OK},
    {"PreToolUse": [{"hooks": [{"type": "command"}]}], "SessionStart": OK},
    {"Stop": [{"matcher": 1, "hooks": [ENTRY]}]},
    {"Stop": {}, "SessionStart": OK},
    {"Stop": None, "SessionStart": OK},
    {"PreToolUse": {}},
    {"Foo": {"PreToolUse": OK}},
    {"description": "x", "hooks": {"Stop": OK}},
    [[{"PreToolUse": OK}]],
    [[{"Stop": OK}]],
    OK,
    {"PreToolUse": OK},
]
MANIFEST_KEYS: list[dict[str, Any]] = [
    {"foo": 1, "bar": {"x": 1}},
    {"PreToolUse": OK},
    {"metadata": {"PreToolUse": OK}},
    {"experimental": {"PreToolUse": OK}},
    {"x": {"matcher": "y", "hooks": [ENTRY]}},
    {"commands": 5},
    {"version": 1},
    {"description": "d", "version": "1.0.0"},
]
OTHERS = [GOOD, '{"hooks":true}', json.dumps({"Stop": OK}), json.dumps({"hooks": {"Foo": OK, "Stop": OK}}), "{"]


def _files() -> Iterator[Any]:
    yield from TEXTS
    yield from DOCUMENTS
    for hooks in HOOKS:
        yield {"hooks": hooks}
    for value in UNKNOWN_VALUE:
        yield {"hooks": {"Foo": value, "Stop": OK}}
    for event in ("Stop", "PreToolUse", "PermissionRequest", "PreSkillShellCommand", "Setup"):
        for value in EVENTS_VALUE:
            yield {"hooks": {event: value, "SessionStart": OK}}
    for modules in MODULES:
        yield {"modules": modules}
        yield {"modules": modules, "hooks": {"Stop": OK}}
    if SHARED.is_dir():
        yield from (path.read_text("utf-8") for path in sorted((SHARED / "plugin").rglob("*.json")))
        yield from ((SHARED / "docs" / name).read_text("utf-8") for name in ("n01/hooks/hooks.json", "n01b/hooks.json"))


def plugins() -> Iterator[dict[str, str]]:
    """Each plugin by its files."""
    for file in _files():
        yield {AUTOMATIC: file if isinstance(file, str) else json.dumps(file)}
    for hooks in MANIFEST_HOOKS:
        manifest = json.dumps({"name": "@NAME@", "hooks": hooks})
        yield {MANIFEST: manifest, AUTOMATIC: GOOD, OTHER: GOOD, "hooks/more.json": GOOD}
        yield {MANIFEST: manifest}
    for keys in MANIFEST_KEYS:
        yield {MANIFEST: json.dumps({"name": "@NAME@", **keys}), AUTOMATIC: GOOD}
    for text in OTHERS:
        yield {MANIFEST: json.dumps({"name": "@NAME@", "hooks": "./hooks/other.json"}), AUTOMATIC: GOOD, OTHER: text}
        yield {MANIFEST: json.dumps({"name": "@NAME@", "hooks": "./hooks/other.json"}), OTHER: text}
    yield {MANIFEST: "{", AUTOMATIC: GOOD}
    yield {MANIFEST: "[]", AUTOMATIC: GOOD}
    yield {"plugin.json": '{"name": "@NAME@", "hooks": "./hooks/other.json"}', OTHER: '{"hooks":true}'}
    yield {"hooks.json": '{"hooks":true}'}
