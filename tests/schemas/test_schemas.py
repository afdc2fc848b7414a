"""The schemas and the readers agree: on this repository's own files, on real reports, and on a table of mistakes."""

import datetime as dt
import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

from driftgate.errors import ConfigError, SnapshotError
from driftgate.project.reading import parse_config
from driftgate.report import FORMATS, render
from driftgate.schemas import SCHEMAS, schema_of
from driftgate.snapshot import dump_snapshot, parse_snapshot
from driftgate.upstreams.shipped import PACKAGE, snapshots_dir, snapshots_of
from tests.commands.conftest import edit
from tests.core.sides import observed_contract
from tests.report.reports import WIDE, Words, all_kinds

VALIDATORS = {name: jsonschema.Draft202012Validator(schema_of(name)) for name in SCHEMAS}


def plain(value):
    """Return data as JSON has it: YAML and TOML have dates."""
    return json.loads(json.dumps(value, default=lambda date: date.isoformat()))


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_and_the_command_prints_it(name, run):
    jsonschema.Draft202012Validator.check_schema(VALIDATORS[name].schema)
    code, out, _ = run("schema", "--of", name)
    assert code == 0
    assert json.loads(out) == schema_of(name)


def test_the_hooks_where_none_is_named(run):
    assert run("schema") == run("schema", "--of", "hooks")


def test_an_unknown_one(run):
    code, _, err = run("schema", "--of", "confg")
    assert code == 2
    assert "did you mean 'config'?" in err


# --- configuration ---------------------------------------------------------------------------------------------------


def test_this_repositorys_own_configuration():
    data = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    VALIDATORS["config"].validate(plain(data["tool"]["driftgate"]))


GOOD_CONFIGS = {
    "the least": {},
    "several places": {"declared": {"hook_events": ["a.py#E", "b.ts#E"], "hook_entry_fields": "a.py#T"}},
    "a shipped pin": {"snapshot": ..., "pin": "2.1.296"},
    "an entry": {"accepted": [{"rule": "event-only-here", "subject": "X", "reason": "y"}]},
    "a whole entry": {
        "accepted": [
            {
                "rule": "event-only-here",
                "subject": "X",
                "reason": "y",
                "until": dt.date(2030, 1, 1),
                "versions": ">=2.1.3,<3",
            }
        ]
    },
    "a date as text": {"accepted": [{"rule": "event-only-here", "subject": "X", "reason": "y", "until": "2030-01-01"}]},
    "severities": {"severity": {"event-only-here": "error", "field-looser": "notice"}},
    "a set of one's own": {"vocabularies": {"modes": {"export": "MODES", "declared": "a.py#MODES"}}},
    "only sets of one's own": {
        "declared": ...,
        "vocabularies": {
            "modes": {"contains": ["a", "b"], "used-by": "enum(X)", "least": 2, "form": "array", "declared": ["a.py#M"]}
        },
    },
    "forms": {
        "vocabularies": {"m": {"contains": "a", "form": ["array", "set"], "declared": "a.py#M", "member": "x.js"}}
    },
    "options": {
        "against": ["latest", "pinned"],
        "format": "json",
        "fail-on": "error",
        "offline": True,
        "registry": "https://registry.example",
        "cache": "c",
    },
    "one target": {"against": "latest"},
    "releases": {"classify": {"releases": ">=2.1.3"}},
    "docs": {"docs": {"hook_events": "docs/a.md#Events/Event"}},
    "an upstream": {"upstream": "claude-code"},
}
BAD_CONFIGS = {
    "an unknown key": {"snapshots": "x"},
    "neither snapshot nor pin": {"snapshot": ...},
    "snapshot and pin": {"pin": "2.1.296"},
    "no version": {"snapshot": ..., "pin": "latest"},
    "nothing declared": {"declared": {}},
    "nothing at all declared": {"declared": ...},
    "an unknown set": {"declared": {"hook_event": "a.py#E"}},
    "a number for a place": {"declared": {"hook_events": 3}},
    "no place": {"declared": {"hook_events": []}},
    "a blank place": {"declared": {"hook_events": [" "]}},
    "a list for declared": {"declared": ["a.py#E"]},
    "an unknown upstream": {"upstream": "claude"},
    "an entry without reason": {"accepted": [{"rule": "event-only-here", "subject": "X"}]},
    "an entry with a blank reason": {"accepted": [{"rule": "event-only-here", "subject": "X", "reason": " "}]},
    "an entry without subject": {"accepted": [{"rule": "event-only-here", "reason": "X"}]},
    "an entry of no rule": {"accepted": [{"rule": "event", "subject": "X", "reason": "y"}]},
    "an entry with a message": {
        "accepted": [{"rule": "event-only-here", "subject": "X", "reason": "y", "message": "z"}]
    },
    "no date": {"accepted": [{"rule": "event-only-here", "subject": "X", "reason": "y", "until": "soon"}]},
    "a number for versions": {"accepted": [{"rule": "event-only-here", "subject": "X", "reason": "y", "versions": 3}]},
    "an entry alone": {"accepted": {"rule": "event-only-here", "subject": "X", "reason": "y"}},
    "no severity": {"severity": {"event-only-here": "bad"}},
    "a severity of no rule": {"severity": {"event": "error"}},
    "a set without a way to it": {"vocabularies": {"modes": {"declared": "a.py#M"}}},
    "a set with two ways to it": {"vocabularies": {"m": {"export": "M", "contains": "a", "declared": "a.py#M"}}},
    "a set that is not declared": {"vocabularies": {"modes": {"export": "MODES"}}},
    "a set with a taken name": {"vocabularies": {"hook_shells": {"export": "M", "declared": "a.py#M"}}},
    "a set with an unknown key": {"vocabularies": {"m": {"exports": "M", "declared": "a.py#M"}}},
    "a set with no form": {"vocabularies": {"m": {"export": "M", "declared": "a.py#M", "form": "heap"}}},
    "a set of none": {"vocabularies": {"m": {"export": "M", "declared": "a.py#M", "least": 0}}},
    "a set of yes": {"vocabularies": {"m": {"export": "M", "declared": "a.py#M", "least": True}}},
    "an unknown key of classify": {"classify": {"release": ">2"}},
    "offline in words": {"offline": "yes"},
    "a mild severity": {"fail-on": "mild"},
    "no targets": {"against": []},
    "a number for a format": {"format": 3},
    "a number for a registry": {"registry": 3},
    "docs of no place": {"docs": {"hook_events": 3}},
}


def config(changes):
    data = {"snapshot": "s.yaml", "declared": {"hook_events": "a.py#E"}, **changes}
    return {key: value for key, value in data.items() if value is not ...}


def reads(data):
    try:
        parse_config(yaml.safe_dump(data), Path("driftgate.yml"))
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("changes", GOOD_CONFIGS.values(), ids=list(GOOD_CONFIGS))
def test_good_configurations(changes):
    assert reads(config(changes))
    VALIDATORS["config"].validate(plain(config(changes)))


@pytest.mark.parametrize("changes", BAD_CONFIGS.values(), ids=list(BAD_CONFIGS))
def test_bad_configurations(changes):
    assert not reads(config(changes))
    assert not VALIDATORS["config"].is_valid(plain(config(changes)))


# --- snapshots -------------------------------------------------------------------------------------------------------


SNAPSHOTS = [path for upstream in snapshots_dir().iterdir() for path in snapshots_of(upstream.name).values()]


@pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_snapshots_of_this_repository(path):
    VALIDATORS["snapshot"].validate(yaml.safe_load(path.read_text(encoding="utf-8")))


SNAPSHOT = yaml.safe_load(dump_snapshot(observed_contract(), "claude-code"))
SNAPSHOT["anchors"] = [{"package": "p", "version": "1", "integrity": "sha512-x"}]
SNAPSHOT["evidence"] = {"hook_events": [{"anchor": 0, "member": "a.js", "offset": 3, "witnesses": ["an array"]}]}

GOOD_SNAPSHOTS = {
    "as written": {},
    "no guard events": {"vocabularies.guard_events": None},
    "an empty set": {"vocabularies.guard_events": []},
    "no tables": {"tables": None},
    "no evidence": {"evidence": ...},
    "a field with everything": {
        "tables.hook_entry_fields.command": [
            {"name": "x", "kind": "enum", "required": True, "values": ["a"], "constraints": ["c"], "internal": True}
        ]
    },
    "an anchor that is a file": {"anchors": [{}], "evidence": {}},
}
BAD_SNAPSHOTS = {
    "another form": {"driftgate": 3},
    "no version": {"version": ...},
    "a number for a version": {"version": 2.1},
    "an unknown key": {"versions": "2"},
    "a list of anchors with an unknown key": {"anchors": [{"name": "p"}]},
    "a name twice": {"vocabularies.hook_events": ["A", "A"]},
    "a text for a set": {"vocabularies.hook_events": "A"},
    "a number in a set": {"vocabularies.hook_events": [1]},
    "a list of sets": {"vocabularies": ["A"]},
    "a field without kind": {"tables.hook_entry_fields.command": [{"name": "x", "required": True}]},
    "a field without required": {"tables.hook_entry_fields.command": [{"name": "x", "kind": "string"}]},
    "a field with an unknown key": {
        "tables.hook_entry_fields.command": [{"name": "x", "kind": "y", "required": True, "z": 1}]
    },
    "a field that is perhaps required": {
        "tables.hook_entry_fields.command": [{"name": "x", "kind": "y", "required": "no"}]
    },
    "a row of names": {"tables.hook_entry_fields.command": "x"},
    "evidence without a member": {"evidence.hook_events": [{"anchor": 0}]},
    "evidence of no anchor": {"evidence.hook_events": [{"member": "x"}]},
    "evidence with an unknown key": {"evidence.hook_events": [{"anchor": 0, "member": "x", "line": 1}]},
}


def snapshot(changes):
    data = json.loads(json.dumps(SNAPSHOT))
    for path, value in changes.items():
        *folders, last = path.split(".")
        target = data
        for folder in folders:
            target = target[folder]
        target[last] = value
        if value is ...:
            del target[last]
    return data


@pytest.mark.parametrize("changes", GOOD_SNAPSHOTS.values(), ids=list(GOOD_SNAPSHOTS))
def test_good_snapshots(changes):
    parse_snapshot(yaml.safe_dump(snapshot(changes)), where="x")
    VALIDATORS["snapshot"].validate(snapshot(changes))


@pytest.mark.parametrize("changes", BAD_SNAPSHOTS.values(), ids=list(BAD_SNAPSHOTS))
def test_bad_snapshots(changes):
    with pytest.raises(SnapshotError):
        parse_snapshot(yaml.safe_dump(snapshot(changes)), where="x")
    assert not VALIDATORS["snapshot"].is_valid(snapshot(changes))


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", all_kinds(Words()))
def test_every_kind_of_report(kind):
    assert "json" in FORMATS
    document = json.loads(render(all_kinds(Words())[kind][0], "json", WIDE))
    VALIDATORS["report"].validate(document)
    assert not VALIDATORS["report"].is_valid({**document, "verdict": "agrees", "exit": 3})
    assert not VALIDATORS["report"].is_valid({**document, "more": 1})


def test_real_reports(drifting, run):
    Path("old.yaml").write_text(Path("2.1.296.yaml").read_text().replace("2.1.296", "2.1.295"))
    edit("old.yaml", "  - Setup\n", "  - Brandnew\n")
    runs = [
        ("check",),
        ("check", "--against", "old.yaml", "--against", "2.1.296.yaml"),
        ("check", "--against", "gone.yaml"),
        ("check", "--nonsense"),
        ("diff", "old.yaml", "2.1.296.yaml"),
        ("diff", "src/contract.py", "2.1.296.yaml"),
        ("extract", "2.1.296.yaml"),
        ("extract", "src/contract.py"),
        ("refresh", "--to", "old.yaml", "--dry-run"),
    ]
    seen = []
    for words in runs:
        code, out, _ = run(*words, "--format", "json")
        VALIDATORS["report"].validate(json.loads(out))
        seen.append(code)
    assert seen == [1, 1, 2, 2, 1, 1, 0, 0, 0]
