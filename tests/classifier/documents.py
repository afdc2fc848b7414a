"""Random settings documents that are right, nearly right, or wrong in every way that the page speaks of.

A seeded `random.Random` makes them, fast enough for millions; Hypothesis has its own in `strategies.py`.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from driftgate.classifier.contract import CONTRACT, GUARD_EVENTS, HOOK_ENTRY_TYPES, HOOK_EVENTS

PLAIN_EVENTS = tuple(name for name in HOOK_EVENTS if name not in GUARD_EVENTS)
FIELD_NAMES = tuple(dict.fromkeys(name for row in CONTRACT.fields.values() for name in row))
STRANGE_KEYS = ("", "a", "foo", "Foo", "pretooluse", "PreToolUse ", "__proto__", "constructor", "\ud800", "0", "env")
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, -0.0, 1, -1, 2.5, 5e-324, 1e308, float("inf"), float("-inf"), float("nan"), 10**400,
    2**1024 - 2**970, 2**1024 - 2**970 - 1, "", "x", "bash", "powershell", "Bash", "continue", "block", "stop",
    "command", "prompt", "PreToolUse", "hooks", "\udc00", "0", "true",
)  # fmt: skip
URLS = (
    "https://example.com/h", " http://x/ ", "\ufeffhttp://x", "\x85http://x", "\x1fhttp://x", "http:x", "a:b", "x",
    "/p", "http://", "http://h:99999/", "http://${HOST}/", "${URL}", "https://exa mple.com", "ht\ntp://x/", "http://\ud800/",
    "data:", "http://[::1]/", "http://[::1", "HTTP://EXAMPLE.COM", "mailto:x", "http://x/\ud83d\ude00",
)  # fmt: skip
GOOD_VALUES: dict[str, tuple[Any, ...]] = {
    "text": ("x", "echo ok", " "),
    "string": ("", "x", "\ud800"),
    "url": ("https://example.com/h", " a:b "),
    "shell": ("bash", "powershell"),
    "boolean": (True, False),
    "seconds": (1, 0.5, 5e-324, 600, 1.7976931348623157e308),
    "stringRecord": ({}, {"A": "b"}, {"x": "", "y": "z"}),
    "stringList": ([], ["A"], ["", "B"]),
    "record": ({}, {"a": 1}, {"a": {"b": [1, None]}}),
    "failureMode": ("continue", "block"),
}


class Documents:
    """A stream of documents from one seed."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)  # noqa: S311 - test data

    def chance(self, probability: float) -> bool:
        return self.r.random() < probability

    def key(self) -> Any:
        return self.r.choice(
            (
                self.r.choice(HOOK_EVENTS),
                self.r.choice(GUARD_EVENTS),
                self.r.choice(("hooks", "matcher", "type")),
                self.r.choice(FIELD_NAMES),
                self.r.choice(STRANGE_KEYS),
            )
        )

    def value(self, depth: int = 4) -> Any:
        roll = self.r.random()
        if depth == 0 or roll < 0.4:
            return self.r.choice(SCALARS)
        if roll < 0.55:
            return [self.value(depth - 1) for _ in range(self.r.randrange(3))]
        if roll < 0.8:
            return {self.key(): self.value(depth - 1) for _ in range(self.r.randrange(4))}
        if roll < 0.9:
            return self.matcher(depth - 1)
        return self.entry(depth - 1)

    def entry(self, depth: int = 3) -> dict[Any, Any]:
        kind = self.r.choice(HOOK_ENTRY_TYPES)
        members: dict[Any, Any] = {"type": kind}
        for name, rule in CONTRACT.fields[kind].items():
            if rule.required or self.chance(0.2):
                members[name] = copy.deepcopy(
                    self.r.choice(GOOD_VALUES[rule.kind])
                )  # or mutations would change the table
        if self.chance(0.15):
            members[self.r.choice(list(members))] = self.value(max(depth - 1, 0))
        if self.chance(0.1) and "url" in members:
            members["url"] = self.r.choice(URLS)
        if self.chance(0.1):
            members.pop(self.r.choice(list(members)))
        if self.chance(0.15):
            members[self.key()] = self.value(max(depth - 1, 0))
        if self.chance(0.3):
            pairs = list(members.items())
            self.r.shuffle(pairs)
            members = dict(pairs)
        return members

    def matcher(self, depth: int = 4) -> Any:
        members: dict[Any, Any] = {}
        if self.chance(0.6):
            members["matcher"] = self.r.choice(("", "Bash", "*", "Edit|Write"))
        members["hooks"] = [
            self.value(max(depth - 1, 0)) if self.chance(0.08) else self.entry(max(depth - 1, 0))
            for _ in range(self.r.randrange(4))
        ]
        if self.chance(0.08):
            members[self.key()] = self.value(max(depth - 1, 0))
        if self.chance(0.05):
            members.pop(self.r.choice(list(members)))
        if self.chance(0.03):
            members[self.r.choice(("matcher", "hooks"))] = self.value(max(depth - 1, 0))
        return members

    def hooks(self) -> Any:
        if self.chance(0.06):
            return self.value()
        events: dict[Any, Any] = {}
        for _ in range(self.r.randrange(4)):
            name = self.r.choice(PLAIN_EVENTS) if self.chance(0.7) else self.key()
            if self.chance(0.08):
                events[name] = self.value()
            else:
                size = self.r.randrange(3)
                events[name] = [self.value() if self.chance(0.05) else self.matcher() for _ in range(size)]
        return events

    def document(self) -> Any:
        if self.chance(0.03):
            return self.value()
        members: dict[Any, Any] = {}
        if self.chance(0.15):
            members[self.key()] = self.value()
        if self.chance(0.9):
            members["hooks"] = self.hooks()
        if self.chance(0.15):
            members[self.key()] = self.value()
        return members

    def mutated(self, document: Any) -> Any:
        """A copy of `document` with one to three random changes anywhere in it."""
        document = copy.deepcopy(document)
        for _ in range(self.r.randrange(1, 4)):
            places = list(containers(document))
            if not places:
                return self.document()
            self._change(self.r.choice(places))
        return document

    def _change(self, place: Any) -> None:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        change = self.r.randrange(4)
        if change == 0 or not keys:
            if isinstance(place, dict):
                place[self.key()] = self.value(2)
            else:
                place.insert(self.r.randrange(len(place) + 1), self.value(2))
        elif change == 1:
            del place[self.r.choice(keys)]
        elif change == 2:
            place[self.r.choice(keys)] = self.value(2)
        elif isinstance(place, dict):
            old = self.r.choice(keys)
            place[self.key()] = place.pop(old)
        else:
            place.append(copy.deepcopy(self.r.choice(place)))


def containers(value: Any) -> Any:
    """Every list and object of a document, itself included."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from containers(item)
    elif isinstance(value, list):
        yield value
        for item in value:
            yield from containers(item)
