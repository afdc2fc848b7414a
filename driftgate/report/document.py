"""JSON documents as driftgate writes them: one fact a line, readable, and nothing in them that a terminal obeys."""

from __future__ import annotations

import json
from typing import Any, Final

from driftgate import __version__
from driftgate.errors import VERDICTS, DriftgateError, ExitCode
from driftgate.formats.harmless import COMMAND_ANYWHERE
from driftgate.surface import Origin, Place

SCHEMA: Final = 1
"""The version of the json reports' form; it moves when a program that reads them would have to."""


def dumps(document: Any) -> str:
    """Return `document` as JSON text.

    What a terminal or the log of a CI service obeys leaves as JSON's own escape, so the document means the same.
    """
    text = COMMAND_ANYWHERE.sub(r"\\u0023", json.dumps(document, indent=2, ensure_ascii=False))
    if text.replace("\n", "").isprintable():
        return text
    return "".join(one if one == "\n" or one.isprintable() else json.dumps(one)[1:-1] for one in text)


def head(command: str, code: ExitCode | None) -> dict[str, Any]:
    """Return the keys that every json report begins with; `code` None for one that has no verdict."""
    verdict = {} if code is None else {"verdict": VERDICTS[code], "exit": int(code)}
    return {"schema": SCHEMA, "driftgate": __version__, "command": command, **verdict}


def failure_document(command: str, error: DriftgateError) -> dict[str, Any]:
    """Return what a program reads where a command could not do its work: no findings, and why."""
    return {**head(command, error.code), "error": problem_record(error)}


def problem_record(problem: DriftgateError) -> dict[str, str]:
    """Return an error as plain data: its parts, where it has them."""
    parts = {"what": problem.what, "where": problem.where, "expected": problem.expected, "found": problem.found}
    return {name: text for name, text in {**parts, "next": problem.next}.items() if text}


def place_record(place: Place) -> dict[str, Any]:
    """Return a place as plain data, without what it does not state."""
    record = {"source": place.source, "offset": place.offset, "line": place.line, "column": place.column}
    return {name: value for name, value in record.items() if value is not None}


def origin_record(origin: Origin) -> dict[str, Any]:
    """Return an artefact's identity as plain data."""
    record = {
        "package": origin.package,
        "version": origin.version,
        "integrity": origin.integrity,
        "location": origin.location or None,
    }
    return {name: value for name, value in record.items() if value is not None}
