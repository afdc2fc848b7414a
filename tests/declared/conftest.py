"""What the tests of all readers share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from driftgate.surface import FieldTable, Vocabulary

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a source file (default m.py) and return the root that it lies under."""

    def write(text: str, name: str = "m.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return tmp_path

    return write


def members(found: Vocabulary | FieldTable) -> tuple[str, ...]:
    """Return the members of what was read, having seen that each has its place."""
    assert isinstance(found, Vocabulary)
    assert found.members is not None
    assert all(found.places[name].line is not None for name in found.members)
    return found.members


def places(found: Vocabulary | FieldTable) -> dict[str, str]:
    """Return where each member stands."""
    assert isinstance(found, Vocabulary)
    return {name: str(place) for name, place in found.places.items()}


def rows(table: Vocabulary | FieldTable) -> dict[str, dict[str, tuple[object, ...]]]:
    """Return a field table as (kind, required, values and constraints) by row and field."""
    assert isinstance(table, FieldTable)
    return {
        row: {f.name: (f.kind, f.required, *(f.values or ()), *f.constraints) for f in fields}
        for row, fields in table.rows.items()
    }
