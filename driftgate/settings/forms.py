"""The forms that driftgate shows for imitation: each is part of a whole document, and all these documents load."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from driftgate.classifier import samples
from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.classifier.kinds import kind_named

_COMMAND: Final = {"type": "command", "command": "echo ok"}
_MATCHER: Final = {"matcher": "Bash", "hooks": [_COMMAND]}
_GUARD: Final = CONTRACT.guard_events[0]

PARTS: Final[Mapping[str, tuple[Any, Any]]] = MappingProxyType(
    {
        "hooks": ({"hooks": {_GUARD: [_MATCHER]}}, {"hooks": {_GUARD: [_MATCHER]}}),
        "matcher": ({"hooks": {_GUARD: [_MATCHER]}}, _MATCHER),
        "wrapped": ({"hooks": {_GUARD: [{"hooks": [_COMMAND]}]}}, {"hooks": [_COMMAND]}),
        "entry": ({"hooks": {_GUARD: [_MATCHER]}}, _COMMAND),
    }
)
"""Name -> the document, and the part of it that is shown."""

_SHOWN_INSTEAD: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "timeout": 30,
        "command": "echo ok",
        "if": "Bash(git *)",
        "once": False,  # in a settings file, `true` has no effect
    }
)
"""Values that say more than those made from the kind."""


_WATCHED: Final[Mapping[str, dict[str, Any]]] = MappingProxyType({"FileChanged": {"matcher": ".env"}})
"""What else an event needs to fire: without names this one watches no file."""


def part(name: str) -> str:
    """Return the part called `name` of `PARTS` as JSON."""
    return json.dumps(PARTS[name][1])


def event_sample(event: str) -> str:
    """Return a whole event of the contract as JSON."""
    return json.dumps(_event(event))


def _event(event: str) -> dict[str, Any]:
    return {event: [{**_WATCHED.get(event, {}), "hooks": [_COMMAND]}]}


@cache
def entry_with(entry_type: str, field: str | None = None, contract: Contract = CONTRACT) -> dict[str, Any]:
    """Return the smallest entry of `entry_type` that has `field`."""
    rules = contract.fields[entry_type]
    wanted = [name for name, rule in rules.items() if rule.required or name == field]
    return {"type": entry_type, **{name: _value(name, rules[name].kind, contract) for name in wanted}}


def entry_sample(entry_type: str, field: str | None = None) -> str:
    """Return `entry_with` as JSON."""
    return json.dumps(entry_with(entry_type, field))


def documents() -> Iterator[tuple[str, Any, Any]]:
    """Yield every sample that is ever shown: its name, the whole document, and the part that is shown."""
    for name, (document, shown) in PARTS.items():
        yield name, document, shown
    for event in CONTRACT.events:
        yield event, {"hooks": _event(event)}, _event(event)
    for entry_type, rules in CONTRACT.fields.items():
        for field in (None, *rules):
            entry = entry_with(entry_type, field)
            yield f"{entry_type}.{field or ''}", samples.document(_GUARD, entry), entry


def _value(name: str, kind: str, contract: Contract) -> Any:
    return _SHOWN_INSTEAD[name] if name in _SHOWN_INSTEAD else kind_named(kind, contract).good
