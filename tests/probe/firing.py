"""Which hooks fire: sessions of the real client with a hook of every type under every event, against our own model.

Every hook leaves a mark of its own when it runs: a command writes what it was given to a file, an http hook reaches the
model's server, a prompt or agent hook makes the client ask the model, an mcp_tool hook calls the tool that touches a
file. What left no mark although another hook of the same event did, did not fire.
"""

import json
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from driftgate.releases import surface_of
from tests.probe.client import ENVIRONMENT, Client

INSIDE = Path(__file__).parent / "inside"
NOT_MATCHED = "zz_no_such_value"
STEPS = [
    {"name": "Bash", "input": {"command": "echo hi", "description": "says hi"}},
    {"name": "Bash", "input": {"command": "cd sub && touch made", "description": "asks"}},
    {"name": "Bash", "input": {"command": "cd sub", "description": "goes"}},
    {"name": "Bash", "input": {"command": "ls missing", "description": "fails"}},
    {"name": "Read", "input": {"file_path": "missing.txt"}},
    {"name": "TaskCreate", "input": {"subject": "a", "description": "b", "activeForm": "c"}},
    {"name": "TaskUpdate", "input": {"taskId": "1", "status": "completed"}},
    {"name": "Task", "input": {"description": "sub", "prompt": "SUBTASK", "subagent_type": "general-purpose"}},
    {"name": "Agent", "input": {"description": "sub", "prompt": "SUBTASK", "subagent_type": "general-purpose"}},
]


HELLO = "---\nallowed-tools: Bash(echo *)\n---\nsay !`echo hello`\n"
"""A command of the user's, which runs a shell command as it expands."""


@dataclass(frozen=True, slots=True)
class Fired:
    """What happened in the sessions of one release.

    `marks`: `EVENT.TAG` of every hook that ran; the tags are the entry types, and `nomatch` (a command hook under a
    matcher that equals nothing), `ifno` and `ifyes` (under an `if` that no call meets, that a call meets), `async`.
    `payloads`: what the command hook of each event was given, in the order of the calls. `runs`: how often the plain
    command hook ran, and how often the one that says `once`.
    """

    release: str
    marks: frozenset[str]
    payloads: Mapping[str, list[dict[str, Any]]]
    runs: Mapping[str, tuple[int, int]]

    @property
    def events(self) -> tuple[str, ...]:
        """The events that happened: a command hook without conditions ran."""
        return tuple(sorted(self.payloads))


def settings_for(release: str, out: Path, port: int) -> dict[str, Any]:
    """Settings with a hook of every type that `release` knows under each of its events, each with its own mark."""
    surface = surface_of(release)
    if surface is None:
        raise LookupError(f"no surface of {release}")
    types = frozenset(surface.members("hook_entry_types") or {"command"})
    fields = {field.name for field in surface.tables["hook_entry_fields"].rows["command"]}
    hooks = {
        event: list(_matchers(event, types, fields, out, port)) for event in sorted(surface.members("hook_events"))
    }
    return {"hooks": hooks}


def _matchers(event: str, types: frozenset[str], fields: set[str], out: Path, port: int) -> Iterator[dict[str, Any]]:
    def command(tag: str, **more: Any) -> dict[str, Any]:
        line = f"cat > {out}/{event}.{tag}.$(date +%s%N).json; echo x >> {out}/{event}.{tag}; true {tag}"
        return {"type": "command", "command": line, **more}

    plain = [command("command")]
    if "async" in fields:
        plain.append(command("async", **{"async": True}))
    if "once" in fields:
        plain.append(command("once", once=True))
    if "if" in fields:
        plain += [command("ifyes", **{"if": "Bash(*)"}), command("ifno", **{"if": "Bash(zz_none *)"})]
    if "http" in types:
        plain.append({"type": "http", "url": f"http://127.0.0.1:{port}/hook/{event}"})
    if "prompt" in types:
        plain.append({"type": "prompt", "prompt": f"HOOKPROMPT<{event}> $ARGUMENTS", "timeout": 10})
    if "agent" in types:
        plain.append({"type": "agent", "prompt": f"HOOKAGENT<{event}> $ARGUMENTS", "timeout": 10})
    if "mcp_tool" in types:
        plain.append({"type": "mcp_tool", "server": "probe", "tool": "touch", "input": {"name": f"{event}.mcp_tool"}})
    yield {"hooks": plain}
    yield {"matcher": NOT_MATCHED, "hooks": [command("nomatch")]}


def fire(client: Client, *, timeout: float = 90.0) -> Fired:
    """Run the sessions of `client` and return what fired."""
    with tempfile.TemporaryDirectory(prefix="probe-") as name:
        folder = Path(name)
        out, home = folder / "out", folder / "home"
        work = home / "work"
        for made in (out, home / ".claude" / "commands", work / "sub"):
            made.mkdir(parents=True)
        port = _free_port()
        settings = settings_for(client.release, out, port)
        (home / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        (home / ".claude" / "commands" / "hello.md").write_text(HELLO, encoding="utf-8")
        (work / "CLAUDE.md").write_text("be kind\n", encoding="utf-8")
        (folder / "mcp.json").write_text(
            json.dumps({"mcpServers": {"probe": {"command": "python3", "args": [str(INSIDE / "tools.py"), str(out)]}}}),
            encoding="utf-8",
        )
        plan = _plan(client, folder, port, timeout)
        (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        _inside(folder / "plan.json", timeout * len(plan["runs"]) + 30)
        return _collect(client.release, folder, out)


def _plan(client: Client, folder: Path, port: int, timeout: float) -> dict[str, Any]:
    environment = ENVIRONMENT | {
        "HOME": str(folder / "home"),
        "CLAUDE_CONFIG_DIR": str(folder / "home" / ".claude"),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "none",
        "API_TIMEOUT_MS": "20000",
        "CLAUDE_CODE_MAX_RETRIES": "0",
    }
    common = ["--mcp-config", str(folder / "mcp.json"), "--debug"]
    runs: list[dict[str, Any]] = [
        {
            "arguments": [
                "-p",
                "work",
                *common,
                "--allowedTools",
                "Bash(echo *)",
                "Bash(cd sub)",
                "Bash(ls *)",
                "Task",
                "Agent",
                "Read",
            ],
            "steps": STEPS,
        },
        {"arguments": ["-p", "again", "--continue", *common], "steps": []},
        {"arguments": ["-p", "/hello", *common], "steps": []},
        {"arguments": ["-p", "/compact", "--continue", *common], "steps": []},
        {"arguments": ["-p", "fails", *common], "steps": [], "fail": True},
        {"arguments": ["-p", "x", "--init", *common], "steps": []},
        {"arguments": ["--init-only"], "steps": []},
        {"arguments": ["-p", "/model sonnet", *common], "steps": []},
        {"arguments": ["-p", "/add-dir sub", *common], "steps": []},
        {"arguments": ["-p", "x", "--worktree", "w", *common], "steps": []},
    ]
    return {
        "command": list(client.command),
        "environment": environment,
        "cwd": str(folder / "home" / "work"),
        "port": port,
        "runs": runs,
        "timeout": timeout,
        "log": str(folder / "log.txt"),
        "seen": str(folder / "seen.json"),
    }


def _inside(plan: Path, timeout: float) -> None:
    subprocess.run(
        ["unshare", "-rn", sys.executable, "-I", str(INSIDE / "session.py"), str(plan)],
        stdin=subprocess.DEVNULL,
        timeout=timeout,
        check=True,
    )


def _collect(release: str, folder: Path, out: Path) -> Fired:
    marks = set(json.loads((folder / "seen.json").read_text("utf-8"))["seen"])
    payloads: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(out.iterdir()):
        parts = path.name.split(".")
        marks.add(".".join(parts[:2]))
        if len(parts) == 4 and parts[1] == "command":
            payloads.setdefault(parts[0], []).append(json.loads(path.read_text("utf-8")))
    runs = {event: (_lines(out / f"{event}.command"), _lines(out / f"{event}.once")) for event in payloads}
    return Fired(release, frozenset(marks), payloads, runs)


_PROBE_FOLDER = re.compile(r"/[^\s\"']*?/probe-\w+")
_DASHED_FOLDER = re.compile(r"-[\w-]*-probe-[\w-]+?-home")
_CLIENT_FOLDER = re.compile(r"/[a-z/]*claude-\d+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def neutral(payload: Any, key: str = "") -> Any:
    """`payload` without what belongs to one machine or one run: its folders, ids, times and measured durations."""
    if isinstance(payload, dict):
        return {name: neutral(value, name) for name, value in payload.items()}
    if isinstance(payload, list):
        return [neutral(value, key) for value in payload]
    if isinstance(payload, str):
        plain = _DASHED_FOLDER.sub("-home-user", _PROBE_FOLDER.sub("/home/user", payload))
        plain = plain.replace("/home/user/home", "/home/user").replace("/home/user/out", "/home/user/marks")
        plain = plain.replace("/home/user/work", "/home/user/project").replace("-home-user-work", "-home-user-project")
        plain = _CLIENT_FOLDER.sub("/run/client", plain)
        plain = _TIME.sub("2026-01-01T00:00:00.000Z", _UUID.sub("00000000-0000-4000-8000-000000000000", plain))
        return _HEX.sub("0123abcd", plain)
    if isinstance(payload, float) or (
        isinstance(payload, int) and key.endswith(("_ms", "Ms", "_at", "tokens", "_usd"))
    ):
        return 1
    return payload


def shapes(payloads: Mapping[str, list[dict[str, Any]]]) -> dict[str, list[Any]]:
    """The payloads of each event made neutral: one of each set of members (and of each tool)."""
    kept: dict[str, list[Any]] = {}
    for event, given in sorted(payloads.items()):
        seen = set()
        for payload in given:
            shape = (payload.get("tool_name"), payload.get("source"), *sorted(payload))
            if shape not in seen and "HOOK" not in json.dumps(payload):
                seen.add(shape)
                kept.setdefault(event, []).append(neutral(payload))
    return kept


def _lines(path: Path) -> int:
    return path.read_text("utf-8").count("\n") if path.exists() else 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
