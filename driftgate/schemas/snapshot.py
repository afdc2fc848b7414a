"""The JSON Schema of a snapshot. Its keys are those that `driftgate.snapshot` reads."""

from __future__ import annotations

from driftgate.schemas.parts import BOOLEAN, COUNT, STRING, Schema, list_of, mapping_of, nullable, record, unique
from driftgate.snapshot import ANCHOR_KEYS, EVIDENCE_KEYS, FIELD_KEYS, FORMATS, TOP_KEYS

_NAME: Schema = {"type": "string", "minLength": 1}


def schema() -> Schema:
    """Return the schema. Left to the reader: that evidence is of a set that is there, and no field stands twice."""
    described = {
        "driftgate": {"enum": list(FORMATS), "description": "the version of this form"},
        "upstream": {**_NAME, "description": "whose sets these are, e.g. claude-code"},
        "version": {**_NAME, "description": "the upstream release, in quotes"},
        "anchors": list_of(_anchor(), description="the artefacts that were read"),
        "vocabularies": {
            **mapping_of(nullable(unique(STRING))),
            "description": "the closed sets; null for one that this release does not have",
        },
        "tables": nullable(mapping_of(mapping_of(list_of(_field())))),
        "rules": {
            **nullable(mapping_of(mapping_of(unique(STRING)))),
            "description": "what decides about an entry or a matcher as a whole, by table and row, in words",
        },
        "evidence": nullable(mapping_of(nullable(list_of(_evidence())))),
    }
    needed = ("driftgate", "upstream", "version", "anchors", "vocabularies")
    optional = {key: described[key] for key in TOP_KEYS if key not in needed}
    return {"title": "driftgate snapshot", **record({key: described[key] for key in needed}, optional)}


def _anchor() -> Schema:
    return record({}, {key: nullable(STRING) for key in ANCHOR_KEYS})


def _field() -> Schema:
    described = {
        "name": _NAME,
        "kind": _NAME,
        "required": BOOLEAN,
        "values": unique(STRING),
        "constraints": unique(STRING),
        "internal": BOOLEAN,
    }
    needed = ("name", "kind", "required")
    return record(
        {key: described[key] for key in needed}, {key: described[key] for key in FIELD_KEYS if key not in needed}
    )


def _evidence() -> Schema:
    described = {
        "anchor": COUNT,
        "member": _NAME,
        "offset": nullable(COUNT),
        "how": STRING,
        "witnesses": nullable(list_of(_NAME)),
    }
    needed = ("anchor", "member")
    return record(
        {key: described[key] for key in needed}, {key: described[key] for key in EVIDENCE_KEYS if key not in needed}
    )
