"""Two states of a file: the hooks that loaded before and do not now.

A hook is the same if its event, what it runs for and what it runs are: a changed timeout loses nothing, another matcher
does. No value of either document is shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from driftgate.classifier.outgoing import ConfigPath
from driftgate.formats.json import JsonText, Spot

_EVERYTHING: Final = frozenset({"", "*"})
_RUNS: Final = {
    "command": ("command", "args"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
    "http": ("url",),
    "mcp_tool": ("server", "tool", "input"),
}
"""The fields that say what an entry of each type runs; of any other type all fields do."""


@dataclass(frozen=True, slots=True)
class LostHook:
    """A hook that loaded before and does not now: its coordinate and place there, and what became of it."""

    path: ConfigPath
    spot: Spot | None
    guard: bool
    why: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The hooks of a file that load: its text, and the coordinates of what does not; `nothing` where it is refused."""

    text: JsonText
    dropped: frozenset[ConfigPath] = frozenset()
    nothing: bool = False

    def hooks(self) -> Iterator[tuple[ConfigPath, _Hook]]:
        """Yield each entry that loads: its coordinate, and what makes it the same hook."""
        value = self.text.value
        events = value.get("hooks") if isinstance(value, dict) and not self.nothing else None
        for event, matchers in events.items() if isinstance(events, dict) else ():
            for index, matcher in enumerate(matchers if isinstance(matchers, list) else ()):
                here: ConfigPath = ("hooks", event, index)
                if self.dropped.isdisjoint({here[:2], here}) and isinstance(matcher, dict):
                    yield from self._entries(event, matcher, here)

    def _entries(self, event: str, matcher: dict[str, Any], path: ConfigPath) -> Iterator[tuple[ConfigPath, _Hook]]:
        entries = matcher.get("hooks")
        for position, entry in enumerate(entries if isinstance(entries, list) else ()):
            here = (*path, "hooks", position)
            if isinstance(entry, dict) and self.dropped.isdisjoint({here, (*here, "type")}):
                yield here, _hook(event, str(matcher.get("matcher", "")), entry)


_Hook: TypeAlias = tuple[str, str, str]
"""An event, what it runs for ("": everything), and what it runs."""


def _hook(event: str, matcher: str, entry: dict[str, Any]) -> _Hook:
    fields = _RUNS.get(str(entry.get("type")), tuple(entry))
    runs = json.dumps([entry.get("type"), *(entry.get(field) for field in fields)], sort_keys=True)
    return event, "" if matcher in _EVERYTHING else matcher, runs


def lost_hooks(before: Loaded, after: Loaded, guards: tuple[str, ...]) -> tuple[LostHook, ...]:
    """Return the hooks that load `before` and not `after`, guards first."""
    now = [hook for _, hook in after.hooks()]
    left = Counter(now)
    events = {event for event, _, _ in now}
    running = {(event, runs) for event, _, runs in now}
    lost = []
    for path, hook in before.hooks():
        if left[hook]:
            left[hook] -= 1
            continue
        event, _, runs = hook
        location = before.text.locate(path)
        why = _why(event in events, (event, runs) in running, something=bool(events))
        lost.append(LostHook(path, location.value if location else None, event in guards, why))
    return tuple(sorted(lost, key=lambda one: not one.guard))


def _why(event_is_there: bool, runs: bool, *, something: bool) -> str:
    if runs:
        return "it is there for another matcher"
    if event_is_there:
        return "its event has other hooks now"
    return "its event has no hooks now" if something else "no hooks load now"
