"""Surfaces for the tests of releases: what was recorded of real artefacts, as data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from driftgate.releases.vocabulary import surface_of
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, Field, FieldTable, Surface, Vocabulary
from driftgate.versions import version_key

FACTS = Path(__file__).parents[1] / "data" / "facts"

SurfaceOf = Callable[[str], Surface | None]


def _field(record: dict[str, Any]) -> Field:
    values = record.get("values")
    return Field(
        record["name"],
        record["kind"],
        record["required"],
        values=tuple(values) if values else None,
        constraints=tuple(record.get("constraints", ())),
    )


def _surface(path: Path) -> Surface:
    record = yaml.safe_load(path.read_text(encoding="utf-8"))
    rows = {entry: tuple(map(_field, fields)) for entry, fields in record["hook_entry_fields"].items()}
    return Surface(
        title=f"Claude Code {record['version']}",
        version=record["version"],
        vocabularies={
            name: Vocabulary(name, None if record[name] is None else tuple(record[name])) for name in HOOK_SETS
        },
        tables={HOOK_ENTRY_FIELDS_TABLE: FieldTable(HOOK_ENTRY_FIELDS_TABLE, rows)},
    )


def _content(surface: Surface) -> Any:
    rows = surface.tables[HOOK_ENTRY_FIELDS_TABLE].rows
    return {name: frozenset(surface.members(name)) for name in HOOK_SETS}, {
        entry: frozenset(fields) for entry, fields in rows.items()
    }


@pytest.fixture(scope="session")
def recorded() -> dict[str, Surface]:
    """The recorded surfaces by release, oldest first."""
    surfaces = (_surface(path) for path in FACTS.glob("*.yaml"))
    by_release = {surface.version or "": surface for surface in surfaces}
    return {release: by_release[release] for release in sorted(by_release, key=version_key)}


@pytest.fixture(scope="session")
def surface_for(recorded: dict[str, Surface]) -> SurfaceOf:
    """The surface of a release: its own, known or recorded, else that of recorded neighbours which are equal."""

    def find(release: str) -> Surface | None:
        own = surface_of(release) or recorded.get(release)
        if own is not None:
            return own
        key = version_key(release)
        before = [surface for version, surface in recorded.items() if version_key(version) < key]
        after = [surface for version, surface in recorded.items() if version_key(version) > key]
        return before[-1] if before and after and _content(before[-1]) == _content(after[0]) else None

    return find
