"""The JSON Schema of the configuration. Its keys are those that `driftgate.project.configuration` reads."""

from __future__ import annotations

from driftgate.judge.rules import RULES, Severity
from driftgate.project.configuration import (
    ACCEPTED_KEYS,
    CLASSIFY_FAILS,
    DECLARED_KEYS,
    FINDER_KEYS,
    JUDGES,
    KEYS,
    MIRROR_KEYS,
)
from driftgate.report import FORMATS
from driftgate.schemas.parts import BOOLEAN, VERSION, Schema, list_of, mapping_of, one_of, record, text
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS
from driftgate.upstreams.catalogue import UPSTREAMS
from driftgate.upstreams.finder import Form

_BUILT_IN = (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE)


def schema() -> Schema:
    """Return the schema. Left to the reader: whether files exist, ranges of versions, and whether names are free."""
    described = _properties()
    mirror = {"oneOf": [{"required": ["snapshot"]}, {"required": ["pin"]}], **_declares_something()}
    table = {
        "type": "object",
        "properties": {key: described[key] for key in MIRROR_KEYS},
        "additionalProperties": False,
        **mirror,
    }
    tables = {
        name: {**table, "description": f"the mirror of {UPSTREAMS[name].title}, where a project mirrors several"}
        for name in UPSTREAMS
    }
    # Beside such tables, the top states a mirror of its own or nothing of one.
    stated = [{"required": [key]} for key in MIRROR_KEYS if key != "severity"]
    return {
        "title": "driftgate configuration",
        "description": "driftgate.yml, or [tool.driftgate] of pyproject.toml",
        "type": "object",
        "properties": {**{key: described[key] for key in KEYS}, **tables},
        "additionalProperties": False,
        "if": {"anyOf": [{"required": [name]} for name in UPSTREAMS]},
        "then": {"if": {"anyOf": stated}, "then": mirror, "else": {"not": {"required": ["upstream"]}}},
        "else": mirror,
    }


def _declares_something() -> Schema:
    return {"anyOf": [_some("declared"), _some("vocabularies")]}


def _some(key: str) -> Schema:
    return {"required": [key], "properties": {key: {"minProperties": 1}}}


def _properties() -> dict[str, Schema]:
    places = _texts("where it is declared: path#NAME, or several such places that must agree")
    built_in = {"propertyNames": one_of(_BUILT_IN)}
    return {
        "upstream": one_of(UPSTREAMS, "whose sets are mirrored"),
        "snapshot": text("the snapshot's path, relative to this file"),
        "pin": {**VERSION, "description": "a release; its snapshot is one of your own, else one that driftgate ships"},
        "declared": mapping_of(
            {"anyOf": [*places["anyOf"], _declared(places)]},
            description="where each built-in set is declared",
            **built_in,
        ),
        "docs": mapping_of(
            _texts("tables that describe the set"),
            description="where a set is described, e.g. a table in Markdown; its gaps are notices, not drift",
        ),
        "accepted": list_of(_accepted(), description="drift that is meant to be"),
        "vocabularies": mapping_of(
            _finder(), description="further sets, by their names", propertyNames={"not": {"enum": list(_BUILT_IN)}}
        ),
        "severity": mapping_of(
            one_of(Severity), description="another severity for a rule", propertyNames=one_of(RULES)
        ),
        "classify": record(
            {},
            {
                "releases": text('releases that `classify` asks about, e.g. ">=2.1.250"'),
                "judge": one_of(JUDGES, "who judges: what the release does, the contract, or the stricter of both"),
                "fail-on": one_of(CLASSIFY_FAILS, "whether a warning fails too"),
            },
            description="settings of `driftgate classify`: its keys `releases`, `judge` and `fail-on`",
        ),
        "against": _texts("what `check` compares with, instead of the snapshot"),
        "format": one_of(FORMATS, "how commands print"),
        "fail-on": one_of(Severity, "the mildest severity that fails a check"),
        "offline": {**BOOLEAN, "description": "open no socket"},
        "registry": text("the package registry, instead of the one that npm is configured for"),
        "cache": text("the folder in which artefacts are kept"),
        "timeout": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "seconds that fetching may take altogether (300 where it is not stated)",
        },
    }


def _texts(description: str) -> Schema:
    return {"anyOf": [text(), list_of(text(), minItems=1)], "description": description}


def _declared(places: Schema) -> Schema:
    described = {"place": places, "subset": _subset()}
    return record({"place": described["place"]}, {key: described[key] for key in DECLARED_KEYS if key != "place"})


def _subset() -> Schema:
    return text("why it is right that names which upstream has at the pin are left out; new ones are still drift")


def _accepted() -> Schema:
    described = {
        "rule": one_of(rule.id for rule in RULES.values() if rule.is_acceptable),
        "subject": text("the event, type or field, as reports name it"),
        "subjects": list_of(text(), minItems=1, uniqueItems=True, description="several of them, under one reason"),
        "of": text("the set that is meant, where the name could be in several"),
        "reason": text("why it is right here"),
        "until": {"type": "string", "format": "date", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "versions": text('the upstream releases for which it holds, e.g. ">=2.1.300"'),
    }
    needed = ("rule", "reason")
    return record(
        {key: described[key] for key in needed},
        {key: described[key] for key in ACCEPTED_KEYS if key not in needed},
        oneOf=[{"required": ["subject"]}, {"required": ["subjects"]}],
    )


def _finder() -> Schema:
    described = {
        "export": text("the name that a .d.ts exports"),
        "contains": _texts("members that the set surely holds"),
        "used-by": text('what refers to the set, e.g. "enum(X)"'),
        "least": {"type": "integer", "minimum": 1, "description": "how many members it has at the least"},
        "form": {"anyOf": [one_of(Form), list_of(one_of(Form), minItems=1)], "description": "how it is written"},
        "member": text("the file of the artefact that states it"),
        "declared": _texts("where it is declared here"),
        "subset": _subset(),
    }
    needed = ("declared",)
    return record(
        {key: described[key] for key in needed},
        {key: described[key] for key in FINDER_KEYS if key not in needed},
        oneOf=[{"required": ["export"]}, {"required": ["contains"]}],
    )
