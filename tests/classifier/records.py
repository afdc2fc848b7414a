"""The recorded answers of Claude Code 2.1.296, `tests/data/classifier-cases.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parent.parent / "data"


class Record(NamedTuple):
    number: int
    text: str
    rejected: bool
    loads: Any
    """What Claude Code loads; None for nothing."""


def no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def parse(text: str) -> Any:
    """A document as JSON.parse gives it. Raises `ValueError`."""
    return json.loads(text.removeprefix("\ufeff"), parse_constant=no_constant)


def records() -> list[Record]:
    lines = (DATA / "classifier-cases.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [
        Record(
            row["id"],
            row["text"],
            row["cc"]["rejected"],
            None if row["cc"]["loads"] == "absent" else row["cc"]["loads"],
        )
        for row in rows
    ]


def documents() -> list[tuple[Record, dict[str, Any]]]:
    """The records whose text is a JSON object: the law speaks of no others."""
    found = []
    for record in records():
        try:
            document = parse(record.text)
        except ValueError:
            continue
        if isinstance(document, dict):
            found.append((record, document))
    return found
