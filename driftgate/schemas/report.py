"""The JSON Schema of what check, diff, extract and refresh print with --format json, and of a failure."""

from __future__ import annotations

from driftgate.errors import BELOW_THE_LIMIT, VERDICTS, ExitCode
from driftgate.judge.comparison import ChangeKind
from driftgate.judge.impact import Effect
from driftgate.judge.rules import RULES, Direction, Severity
from driftgate.report.document import SCHEMA
from driftgate.schemas.parts import (
    BOOLEAN,
    COUNT,
    STRING,
    Schema,
    list_of,
    mapping_of,
    nullable,
    one_of,
    record,
)

_TEXTS = list_of(STRING)
_FINGERPRINT: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}


def schema() -> Schema:
    """Return the schema: one alternative a command, and one for a command that could not do its work."""
    names = ("check", "diff", "extract", "refresh", "failure")
    return {
        "title": "driftgate json report",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": {
            "check": _check(),
            "diff": _diff(),
            "extract": _extract(),
            "refresh": _refresh(),
            "failure": _failure(),
            "finding": _finding(),
            "problem": _problem(),
            "place": record({"source": STRING}, {"offset": COUNT, "line": COUNT, "column": COUNT}),
            "origin": record({}, dict.fromkeys(("package", "version", "integrity", "location"), STRING)),
            "field": _field(),
            "change": _change(),
        },
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _head(command: Schema, *codes: ExitCode) -> Schema:
    """Return the keys that every report begins with. Verdict and code are one thing, said twice."""
    return {
        "schema": {"const": SCHEMA},
        "driftgate": STRING,
        "command": command,
        "verdict": one_of(VERDICTS[code] for code in codes),
        "exit": {"enum": list(map(int, codes))},
    }


def _verdicts_fit(*codes: ExitCode) -> Schema:
    pairs = [{"properties": {"verdict": {"const": VERDICTS[code]}, "exit": {"const": int(code)}}} for code in codes]
    return {"oneOf": pairs}


def _check() -> Schema:
    codes = (ExitCode.AGREES, ExitCode.DRIFT, ExitCode.USAGE, ExitCode.BLIND)
    below = {"properties": {"verdict": {"const": BELOW_THE_LIMIT}, "exit": {"const": int(ExitCode.AGREES)}}}
    return record(
        {
            **_head({"const": "check"}, *codes),
            "verdict": one_of((*(VERDICTS[code] for code in codes), BELOW_THE_LIMIT)),
            **{name: nullable(schema) for name, schema in _mirror_head().items()},
            "declared": mapping_of(_TEXTS, description="set -> the places that declare it; {} for several mirrors"),
            "mirrors": list_of(_mirror()),
            "fail_on": one_of(Severity),
            "findings": list_of(_ref("finding")),
            "compared": mapping_of(_count(), description="the counts of the first comparison"),
            "comparisons": list_of(_comparison()),
            "accepted_used": COUNT,
            "notices": _TEXTS,
        },
        oneOf=[*_verdicts_fit(*codes)["oneOf"], below],
    )


def _mirror_head() -> Schema:
    return {
        "pin": {**STRING, "description": "the release that the snapshot is of"},
        "source": {**STRING, "description": "the configuration's file"},
    }


def _mirror() -> Schema:
    return record(
        {
            "name": {**STRING, "description": "what tells it from the other mirrors of the run, if there are others"},
            "upstream": STRING,
            **_mirror_head(),
            "declared": mapping_of(_TEXTS, description="set -> the places that declare it"),
            "subset": mapping_of(STRING, description="set -> why it leaves names out on purpose"),
            "error": {**nullable(_ref("problem")), "description": "why nothing could be compared"},
        }
    )


def _comparison() -> Schema:
    return record(
        {
            "against": {**STRING, "description": "what was asked for"},
            "mirror": {**STRING, "description": "whose comparison it is: the name of a mirror"},
            "title": {**STRING, "description": "what that turned out to be"},
            "version": nullable(STRING),
            "blind": {**nullable(_ref("problem")), "description": "why the comparison could not be made"},
            "compared": mapping_of(_count()),
            "findings": list_of(_FINGERPRINT),
            "accepted": list_of(_ref("finding")),
            "left_out": list_of(_ref("finding")),
            "anchors": list_of(_ref("origin")),
            "notices": _TEXTS,
        }
    )


def _count() -> Schema:
    names = ("observed", "declared", "agree", "differ", "only_upstream", "only_here", "accepted", "left_out")
    return record(dict.fromkeys(names, COUNT))


def _finding() -> Schema:
    return record(
        {
            "rule": one_of(RULES),
            "subject": STRING,
            "mirror": STRING,
            "set": STRING,
            "direction": one_of(Direction),
            "severity": one_of(Severity),
            "fingerprint": _FINGERPRINT,
            "summary": STRING,
            "detail": STRING,
            "remedy": STRING,
            "against": STRING,
            "places": list_of(_ref("place")),
            "impacts": list_of(_impact()),
            "also": {**_TEXTS, "description": "where else this side states the name; it proves nothing"},
            "accepted": {**nullable(STRING), "description": "the reason, if it is accepted"},
        }
    )


def _impact() -> Schema:
    return record(
        {
            "case": STRING,
            "document": {"type": "object", "description": "the smallest settings document of the case"},
            "upstream": STRING,
            "here": STRING,
            "effect": one_of(effect.name.lower().replace("_", "-") for effect in Effect),
            "severity": one_of(Severity),
            "words": STRING,
        }
    )


def _problem() -> Schema:
    return record({"what": STRING}, dict.fromkeys(("where", "expected", "found", "next"), STRING))


def _failure() -> Schema:
    codes = (ExitCode.USAGE, ExitCode.BLIND)
    return record({**_head(STRING, *codes), "error": _ref("problem")}, **_verdicts_fit(*codes))


def _field() -> Schema:
    required = {"name": STRING, "kind": STRING, "required": BOOLEAN}
    optional = {"values": nullable(_TEXTS), "constraints": _TEXTS, "internal": BOOLEAN}
    return record(required, optional)


def _change() -> Schema:
    side = nullable({"anyOf": [_ref("field"), list_of(_ref("field")), _TEXTS]})
    return record(
        {
            "kind": one_of(ChangeKind),
            "set": STRING,
            "subject": STRING,
            "a": side,
            "b": side,
            "place": nullable(STRING),
        }
    )


def _diff() -> Schema:
    codes = (ExitCode.AGREES, ExitCode.DRIFT, ExitCode.BLIND)
    return record(
        {
            **_head({"const": "diff"}, *codes),
            "a": STRING,
            "b": STRING,
            "changes": list_of(_ref("change")),
            "compared": mapping_of(record(dict.fromkeys(("a", "b", "both"), COUNT))),
            "uncompared": _TEXTS,
        },
        **_verdicts_fit(*codes),
    )


def _refresh() -> Schema:
    return record(
        {
            **_head({"const": "refresh"}, ExitCode.AGREES),
            "old": nullable(STRING),
            "new": STRING,
            "path": STRING,
            "written": BOOLEAN,
            "changes": list_of(_ref("change")),
        }
    )


def _extract() -> Schema:
    witness = record({"how": STRING, "place": nullable(_ref("place")), "read": nullable(_TEXTS), "note": STRING})
    evidence = {
        "type": "object",
        "properties": {"member": STRING, "witnesses": list_of(witness)},
        "required": ["member", "witnesses"],
    }
    sets = nullable({"anyOf": [_TEXTS, mapping_of(list_of(_ref("field")))]})
    return record(
        {
            **_head({"const": "extract"}, ExitCode.AGREES),
            "title": STRING,
            "version": nullable(STRING),
            "surface": mapping_of(
                sets, description="every set by its name; null for one that the source does not hold"
            ),
            "rules": mapping_of(mapping_of(_TEXTS)),
            "stated": _TEXTS,
            "elsewhere": list_of(record(dict.fromkeys(("what", "name", "module"), STRING))),
            "evidence": mapping_of(list_of(evidence)),
            "notices": _TEXTS,
        }
    )
