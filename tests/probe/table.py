"""The data of `driftgate.releases.firing`: facts read out of bundles, and what fired in sessions, by release."""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from packaging.version import Version

from driftgate.extraction.firing import FiringFacts, read_firing
from driftgate.releases import surface_of
from tests.probe.answers import sessions
from tests.probe.client import Client

TABLE = Path(__file__).parents[2] / "driftgate" / "releases" / "firing.json"


def facts_data(facts: FiringFacts) -> dict[str, Any]:
    """Facts as they are recorded."""
    return dict(json.loads(json.dumps({each.name: getattr(facts, each.name) for each in fields(facts)})))


def read_client(client: Client) -> dict[str, Any]:
    """What the bundle of `client` states."""
    from driftgate.anchors import find_local

    program = Path(client.command[-1])
    return facts_data(read_firing(find_local(program.name, program)))


def recorded() -> dict[str, dict[str, Any]]:
    """The facts that are recorded, by release."""
    if not TABLE.exists():
        return {}
    return {
        release: row["facts"] for row in json.loads(TABLE.read_text("utf-8"))["read"] for release in row["releases"]
    }


def text(read: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of the table: each state of the facts once, a fact a line."""
    rows: list[dict[str, Any]] = []
    for release in sorted(read, key=Version):
        row = next((row for row in rows if row["facts"] == read[release]), None)
        if row is None:
            rows.append({"releases": [release], "facts": read[release]})
        else:
            row["releases"].append(release)
    seen = {
        release: {"types": sorted((surface and surface.members("hook_entry_types")) or ["command"]), **session}
        for release, session in sessions().items()
        for surface in [surface_of(release)]
    }
    return _lines({"read": rows, "seen": seen}) + "\n"


def _lines(value: Any, depth: int = 0) -> str:
    """JSON with lists and small values on one line, so that a change shows as the lines that it changes."""
    pad = " " * (depth + 1)
    if isinstance(value, dict) and value:
        inner = ",\n".join(f"{pad}{json.dumps(key)}: {_lines(each, depth + 1)}" for key, each in value.items())
        return f"{{\n{inner}\n{' ' * depth}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        inner = ",\n".join(f"{pad}{_lines(each, depth + 1)}" for each in value)
        return f"[\n{inner}\n{' ' * depth}]"
    return json.dumps(value, ensure_ascii=False)
