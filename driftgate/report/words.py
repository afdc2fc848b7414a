"""Words that several reports share: verdicts, directions, counts, and upstream's text made harmless."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.findings import Finding
from driftgate.rules import Direction

DIRECTIONS: Final[Mapping[Direction, str]] = MappingProxyType(
    {
        Direction.ONLY_UPSTREAM: "only upstream",
        Direction.ONLY_HERE: "only here",
        Direction.DIFFERS: "differs",
        Direction.HERE: "in this project",
    }
)

NOUNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hook_events": "events",
        "hook_entry_types": "types",
        "hook_shells": "shells",
        "guard_events": "guard events",
        "hook_entry_fields": "fields",
    }
)
"""What the members of each built-in set are called in counts; other sets go by their name."""


def plural(count: int, noun: str) -> str:
    """Return "1 finding", "2 findings"; words in -y become -ies."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def by_direction(findings: Iterable[Finding]) -> dict[Direction, list[Finding]]:
    """Return the findings in one group per direction, in the order of `Direction`; empty groups are left out."""
    groups: dict[Direction, list[Finding]] = {direction: [] for direction in Direction}
    for finding in findings:
        groups[finding.direction].append(finding)
    return {direction: group for direction, group in groups.items() if group}
