"""What the client says of plugins: many at once, by `plugin list --json` and its debug file.

A plugin is a mapping of its files (`hooks/hooks.json` to its text, say). Without a manifest of its own it gets one that
states a name and nothing else. In a manifest, `@NAME@` stands for the name that the batch gives the plugin.
"""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.probe.client import Client, ClientUnavailableError

MANIFEST = ".claude-plugin/plugin.json"
AUTOMATIC = "hooks/hooks.json"
BATCH = 100  # plugins a run; the output of more than that comes out of some releases in pieces


@dataclass(frozen=True, slots=True)
class PluginAnswer:
    """What a release said of one plugin.

    `outcome`: `disabled` (the plugin is refused whole), `fails` (a hooks file of it gives nothing, the rest of the
    plugin stays), `loads`, or `silent` (the client never answered). `dropped`: coordinates of pieces that it ignored
    (`Stop.0.hooks.1`); `unknown`: keys that it listed as unknown (at most five, as it says them); `errors`: what else
    it reported, by kind; `issues`: the coordinates that a failing file's schema named.
    """

    outcome: str
    dropped: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """As recorded: what is empty is left out."""
        lists = {name: list(getattr(self, name)) for name in ("dropped", "unknown", "errors", "issues")}
        return {"outcome": self.outcome} | {name: value for name, value in lists.items() if value}


@dataclass(slots=True)
class _Heard:
    """What was heard of one plugin while the output is read."""

    outcome: str = "loads"
    dropped: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    errors: set[str] = field(default_factory=set)
    issues: list[str] = field(default_factory=list)

    def answer(self) -> PluginAnswer:
        if self.outcome == "disabled":  # what it would have dropped besides is of no consequence
            return PluginAnswer("disabled")
        return PluginAnswer(
            self.outcome, tuple(self.dropped), tuple(self.unknown), tuple(sorted(self.errors)), tuple(self.issues)
        )


def ask(client: Client, plugins: Sequence[Mapping[str, str]]) -> list[PluginAnswer]:
    """What `client` says of each plugin, in their order.

    A plugin that keeps the client from ever answering (2.1.112 has such) is found by halving, and is `silent`.
    Raises ClientUnavailableError: it did not answer in the form that is read here.
    """
    answers: list[PluginAnswer] = []
    for start in range(0, len(plugins), BATCH):
        answers += _ask_some(client, plugins[start : start + BATCH])
    return answers


def _ask_some(client: Client, plugins: Sequence[Mapping[str, str]]) -> list[PluginAnswer]:
    with tempfile.TemporaryDirectory(prefix="probe-") as folder:
        answers = _ask_batch(client, plugins, Path(folder))
    if answers is not None:
        return answers
    if len(plugins) == 1:
        return [PluginAnswer("silent")]
    half = len(plugins) // 2
    return _ask_some(client, plugins[:half]) + _ask_some(client, plugins[half:])


def write(plugin: Mapping[str, str], name: str, folder: Path) -> None:
    """The files of `plugin` below `folder`."""
    for path, text in ({MANIFEST: '{"name": "@NAME@"}'} | dict(plugin)).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.replace("@NAME@", name).encode("utf-8", "surrogatepass"))


def _ask_batch(client: Client, plugins: Sequence[Mapping[str, str]], folder: Path) -> list[PluginAnswer] | None:
    """None: no answer within the time that such a batch takes at most."""
    names = [f"p{number:04}" for number in range(len(plugins))]
    arguments = ["--debug-file", str(folder / "debug.txt")]
    for name, plugin in zip(names, plugins, strict=True):
        write(plugin, name, folder / "plugins" / name)
        arguments += ["--plugin-dir", str(folder / "plugins" / name)]
    allowed = 8 + 0.2 * len(plugins)
    said = client.run(folder / "home", [*arguments, "plugin", "list", "--json"], timeout=allowed)
    if said.code is None:
        return None
    try:
        listed = json.loads(said.out, strict=False)
    except ValueError as error:
        shown = (said.err or said.out)[-300:]
        raise ClientUnavailableError(f"{client.release}: `plugin list --json` gave no JSON: {shown}") from error
    heard = {name: _Heard() for name in names}
    present = set()
    for item in listed:
        listed_as = _name_of(item, names)
        if listed_as is not None:
            present.add(listed_as)
            _hear_errors(item, heard[listed_as])
    if len(present) != len(names):
        raise ClientUnavailableError(f"{client.release}: says nothing of {sorted(set(names) - present)[:5]}")
    _hear_notes((folder / "debug.txt").read_text(encoding="utf-8", errors="replace"), heard)
    return [heard[name].answer() for name in names]


def _name_of(item: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The batch's name of a listed plugin: the last folder of its path, or its number in the command."""
    folder = Path(item.get("installPath", "")).name
    if folder in names:
        return folder
    numbered = re.fullmatch(r"inline\[(\d+)\]", item.get("id", ""))
    return names[int(numbered[1])] if numbered else None


def _hear_errors(item: Mapping[str, Any], heard: _Heard) -> None:
    for text in item.get("errors", ()):
        if text.startswith("Failed to load plugin: "):
            heard.outcome = "disabled"
        elif text.startswith("Hook load failed: Duplicate hooks file detected"):
            heard.errors.add("duplicate")
        elif text.startswith("Hook load failed: "):
            heard.outcome = "fails" if heard.outcome == "loads" else heard.outcome
            heard.issues += _issues(text.removeprefix("Hook load failed: "))
        elif text.startswith("Path not found: "):
            heard.errors.add("path-not-found")
        elif text.startswith(("Path escapes plugin directory", "Path traversal")):
            heard.errors.add("path-traversal")
        else:
            heard.errors.add(re.sub(r"\S*/\S*", "PATH", text)[:60])


def _issues(text: str) -> list[str]:
    """The coordinates in a schema's error, which is JSON; newer releases change its quotes, and cut it short."""
    plain = text.replace("”", '"').replace("“", '"')
    if not plain.startswith("["):
        return ["text"]
    try:
        paths = [issue["path"] for issue in json.loads(plain)]
    except ValueError:
        paths = [json.loads(f"[{found}]") for found in re.findall(r'"path": \[([^\]…]*)\]', plain)]
    return [".".join(map(str, path)) or "." for path in paths]


_NOTE = re.compile(r"Plugin (p\d{4}): hooks\.(.+?): .*; entry ignored$", re.MULTILINE)
_UNKNOWN = re.compile(r"Plugin (p\d{4}): hooks\.json: unknown keys? (.+) ignored \(", re.MULTILINE)


def _hear_notes(debug: str, heard: Mapping[str, _Heard]) -> None:
    for match in _NOTE.finditer(debug):
        if match[2] not in heard[match[1]].dropped:
            heard[match[1]].dropped.append(match[2])
    for match in _UNKNOWN.finditer(debug):
        for key in match[2].split(", "):
            if key not in heard[match[1]].unknown:
                heard[match[1]].unknown.append(key)
