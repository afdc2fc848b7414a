"""Documents to ask the client about, from a seed: whole and faulty hooks files, plugins, and settings files.

Faults are rare enough that most documents hold none, one or two, and reach every level: the text, the document,
`hooks`, an event, a matcher, an entry, a field.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "PermissionRequest",
    "Setup",
    "PostToolUseFailure",
    "SubagentStart",
    "TaskCreated",
    "FileChanged",
    "PostToolBatch",
    "MessageDisplay",
    "PreModelSwitch",
    "DirectoryAdded",
    "PreSkillShellCommand",
)
NO_EVENTS = ("Foo", "Stopp", "stop", "PreTooluse", "hooks", "matcher", "type", "__proto__", "constructor", "Stop ", "é")
GUARDS = ("PreToolUse", "PermissionRequest", "PreSkillShellCommand")
NO_LIST: tuple[Any, ...] = (None, {}, "x", 0, False, True, 1.5)
ENTRIES: dict[str, dict[str, tuple[list[Any], list[Any]]]] = {
    # type -> field -> (values that are right in some release, values that are wrong once the release knows the field)
    "command": {
        "command": (["x", "echo hi", ""], [None, 1, [], {}]),
        "timeout": ([1, 0.5, 60, 600000], [0, -1, None, "5", True]),
        "args": ([[], ["a", "b"]], ["a", None, [1]]),
        "shell": (["bash", "powershell"], ["zsh", None, 1]),
        "if": (["Bash(git *)", ""], [None, 1]),
        "once": ([True, False], ["true", None]),
        "async": ([True, False], [1, None]),
        "asyncRewake": ([True], ["x"]),
        "statusMessage": (["s", ""], [None, 3]),
        "onFailure": (["block", "continue"], ["x", None]),
        "rewakeMessage": (["m"], ["", None]),
        "cloud": (["skip", "device", "x", None], []),
        "holdsTools": ([True], ["x"]),
    },
    "prompt": {
        "prompt": (["x", ""], [None, 1]),
        "model": (["m"], [None, 1]),
        "timeout": ([30], [0, "1"]),
        "continueOnBlock": ([True], ["x"]),
    },
    "agent": {"prompt": (["x"], [None, 1]), "model": (["m"], [1]), "timeout": ([30], [-1])},
    "http": {
        "url": (["http://x/", " https://x/y ", "mailto:a"], ["", "x", None, "http://"]),
        "headers": ([{}, {"A": "b"}], [{"A": 1}, [], None]),
        "allowedEnvVars": ([[], ["A"]], ["A", [1]]),
        "onFailure": (["block"], ["x"]),
    },
    "mcp_tool": {
        "server": (["s", ""], [None, 1]),
        "tool": (["t"], [None, []]),
        "input": ([{}, {"a": [1]}], [[], None, "x"]),
        "onFailure": (["block", "x", None], []),
    },
}
REQUIRED = {
    "command": ("command",),
    "prompt": ("prompt",),
    "agent": ("prompt",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
}
TYPES = ("command",) * 6 + ("prompt", "agent", "http", "mcp_tool")


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes pieces of documents; `faults` is how likely any one piece is made wrong (0 to 1)."""

    rng: random.Random
    faults: float

    def wrong(self, times: float = 1.0) -> bool:
        return self.rng.random() < self.faults * times

    def pick(self, values: Any) -> Any:
        return self.rng.choice(list(values))

    def entry(self) -> Any:
        if self.wrong(0.6):
            return self.pick([None, 1, "x", [], {}, {"type": "foo"}, {"type": 1}, {"type": None}, {"command": "x"}])
        kind = self.pick(TYPES)
        fields = ENTRIES[kind]
        made: dict[str, Any] = {"type": kind}
        for name in REQUIRED[kind]:
            if not self.wrong(0.4):
                made[name] = self.pick(fields[name][0])
        for name in self.rng.sample(sorted(fields), k=self.rng.choice([0, 0, 1, 1, 2])):
            right, bad = fields[name]
            made[name] = self.pick(bad) if bad and self.wrong() else self.pick(right)
        if self.wrong(0.5):
            made[self.pick(["foo", "description", "matcher", "id"])] = self.pick([None, 1, "x", {"a": 1}, self.sign(1)])
        return made

    def matcher(self) -> Any:
        if self.wrong(0.5):
            return self.pick([None, 1, "x", [], {}, {"matcher": "x"}, {"hooks": None}, {"hooks": {}}, {"hooks": "x"}])
        made: dict[str, Any] = {}
        if self.rng.random() < 0.5:
            made["matcher"] = (
                self.pick([None, 1, [], {}]) if self.wrong() else self.pick(["", "Bash", "*", "Edit|Write"])
            )
        made["hooks"] = [self.entry() for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))]
        if self.wrong():
            made[self.pick(["id", "description", "timeout", "PreToolUse", "Stop"])] = self.pick(
                [None, [], "x", 1, {}, {"a": self.sign(1)}, [self.entry()]]
            )
        return made

    def matchers(self) -> Any:
        if self.wrong(0.5):
            return self.pick([*NO_LIST, self.matcher(), self.sign(1), {"a": self.sign(1)}])
        return [self.matcher() for _ in range(self.rng.choice([0, 1, 1, 1, 2]))]

    def hooks(self) -> Any:
        if self.wrong(0.4):
            return self.pick(
                [*NO_LIST, [], [[]], ["x"], [{}], [self.matcher()], self.matcher(), self.entry(), self.sign(1)]
            )
        made = {name: self.matchers() for name in self.rng.sample(EVENTS, k=self.rng.choice([0, 1, 1, 2, 3]))}
        if self.wrong(1.5):
            made[self.pick(NO_EVENTS)] = self.pick(
                [self.matchers(), self.matcher(), self.sign(1), {"a": {"b": self.sign(1)}}]
            )
        return made

    def sign(self, depth: int) -> Any:
        """What may be a guard that cannot be loaded, or nearly: under a guard's name, or the shape of a matcher."""
        inner: Any = self.pick(
            [
                {self.pick(GUARDS): self.pick([None, [], {}, 0, [None], [self.matcher()]])},
                {"matcher": self.pick(["x", None]), "hooks": self.pick([[], [1], {}, None, {"type": "command"}])},
                {"hooks": self.pick([[1], {}, {"type": "x"}, {"type": 1}])},
                {"Stop": [{"matcher": "x", "hooks": [1]}]},
            ]
        )
        for _ in range(self.rng.randrange(depth)):
            inner = self.pick([[inner], {self.pick(["a", "Stop", "hooks", "env", "metadata"]): inner}])
        return inner

    def around(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Keys beside `hooks`, some of them with signs below."""
        made: dict[str, Any] = {}
        while self.rng.random() < 0.25:
            made[self.pick(names)] = self.pick([1, "x", None, [], {}, {"a": 1}]) if not self.wrong(3) else self.sign(5)
        return made

    def shuffled(self, document: dict[str, Any]) -> dict[str, Any]:
        keys = list(document)
        self.rng.shuffle(keys)
        return {key: document[key] for key in keys}


FILE_KEYS = (
    "foo",
    "description2",
    "metadata",
    "mcpServers",
    "lspServers",
    "env",
    "Stop",
    "matcher",
    "experimental",
    *GUARDS,
)


NO_DOCUMENTS = (
    "",
    " ",
    "null",
    "[]",
    '"x"',
    "1",
    "{",
    '{"hooks": {},}',
    '{"hooks": {} /* c */}',
    '\ufeff{"hooks": {}}',
)


def hooks_file(maker: Maker) -> str:
    """The text of a plugin's hooks file."""
    if maker.wrong(0.3):
        return str(maker.pick(NO_DOCUMENTS))
    if maker.wrong(0.5):
        bare = maker.hooks()
        return text(bare if isinstance(bare, dict) else [bare])
    made: dict[str, Any] = maker.around(FILE_KEYS)
    if not maker.wrong(0.3):
        made["hooks"] = maker.hooks()
    if maker.rng.random() < 0.15:
        made["description"] = maker.pick([1, None, []]) if maker.wrong(3) else "d"
    if maker.rng.random() < 0.1:
        made["$schema"] = maker.pick([1, None]) if maker.wrong(3) else "https://example.org/s.json"
    if maker.rng.random() < 0.08:
        made["modules"] = maker.pick([[], ["./m.js"], ["./a.js", "./b.js"], "./m.js", None, [1], ["../../../m.js"]])
    if maker.wrong(0.05):
        made["surface"] = maker.pick([1, {}, None])
    return text(maker.shuffled(made))


def manifest(maker: Maker) -> str:
    """The text of a plugin's manifest."""
    kinds: list[Any] = [
        "./hooks/hooks.json",
        "./hooks/other.json",
        "./none.json",
        "hooks/hooks.json",
        "./hooks",
        "../x.json",
    ]
    one: list[Any] = [*kinds, maker.hooks(), maker.hooks(), {"hooks": maker.hooks()}]
    made: dict[str, Any] = {"name": "@NAME@"} | maker.around(("foo", "metadata", "experimental", "mcpServers", *GUARDS))
    made["hooks"] = maker.pick([*one, [maker.pick(one), maker.pick(one)], [maker.pick(one)], [], None, 5])
    return text(maker.shuffled(made))


def plugins(seed: int, count: int) -> Iterator[dict[str, str]]:
    """`count` plugins: nine in ten are a hooks file alone, the others have a manifest of their own besides."""
    rng = random.Random(seed)  # noqa: S311 -- documents, not secrets
    for _ in range(count):
        maker = Maker(rng, rng.choice([0.0, 0.05, 0.1, 0.2]))
        if rng.random() < 0.9:
            yield {"hooks/hooks.json": hooks_file(maker)}
            continue
        files = {".claude-plugin/plugin.json": manifest(maker)}
        if rng.random() < 0.7:
            files["hooks/hooks.json"] = hooks_file(maker)
        if rng.random() < 0.7:
            files["hooks/other.json"] = hooks_file(maker)
        yield files


SETTINGS_KEYS = ("foo", "mcpx", "metadata", "Stop", "matcher", "hook", *GUARDS)


def settings(seed: int, count: int) -> Iterator[str]:
    """`count` texts of settings files whose other keys are of no consequence to any release."""
    rng = random.Random(seed)  # noqa: S311 -- documents, not secrets
    for _ in range(count):
        maker = Maker(rng, rng.choice([0.0, 0.05, 0.1, 0.2]))
        made = maker.around(SETTINGS_KEYS)
        if not maker.wrong(0.3):
            made["hooks"] = maker.hooks()
        yield text(maker.shuffled(made))


def text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
