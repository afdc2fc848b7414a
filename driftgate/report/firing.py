"""What a bundle states of when hooks fire, as text and as JSON. The sets are named as in the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from driftgate.extraction.firing import FiringFacts
from driftgate.surface import Origin


def firing_sets(facts: FiringFacts) -> dict[str, Any]:
    """The facts as named sets and tables; None for what the bundle does not state.

    `hook_event_matchers`: event -> what its matcher is compared with (`none`: it is not looked at), only where the
    table of events and the code agree. `hook_event_refused_types`: event -> types of entries that never run under it,
    as far as the code states it.
    """
    refused: dict[str, list[str]] = {}
    for event in facts.no_http or ():
        refused.setdefault(event, []).append("http")
    for event in facts.without_conversation or ():
        refused.setdefault(event, []).extend(("prompt", "agent"))
    for event in facts.no_agent:
        refused.setdefault(event, []).append("agent")
    return {
        "hook_event_matchers": _matchers(facts),
        "hook_event_matcher_values": {event: list(values) for event, values in facts.values.items()},
        "hook_event_refused_types": None if facts.without_conversation is None else dict(sorted(refused.items())),
        "hook_if_events": None if facts.with_if is None else list(facts.with_if),
        "hook_exit_two": dict(facts.exit_codes),
        "hook_events_watching_files": list(facts.watching),
        "hook_events_ignoring_on_failure": None if facts.no_on_failure is None else list(facts.no_on_failure),
    }


def _matchers(facts: FiringFacts) -> dict[str, str] | None:
    if facts.described is None or facts.compared is None:
        return None
    compared = {event: facts.compared.get(event, "none") for event in facts.described}
    return {event: field for event, field in compared.items() if facts.described[event] == (field != "none")}


def firing_json(origin: Origin, facts: FiringFacts) -> str:
    """Return the facts as JSON."""
    return json.dumps({"artefact": str(origin), **firing_sets(facts)}, indent=2, ensure_ascii=False)


def firing_text(origin: Origin, facts: FiringFacts) -> str:
    """Return the facts as lines for people."""
    return "\n".join([f"when hooks fire, by {origin}", *_lines(facts)])


def _lines(facts: FiringFacts) -> Iterator[str]:
    for name, value in firing_sets(facts).items():
        yield ""
        if value is None:
            yield f"{name}: not stated"
        elif isinstance(value, dict):
            yield f"{name} ({len(value)})"
            for event, what in value.items():
                yield f"  {event:<22} {what if isinstance(what, str) else ', '.join(what)}"
        else:
            yield f"{name} ({len(value)}): {', '.join(value)}"
