"""Exports: what is read back from one is what went in, and each language takes its file."""

import json
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest

from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.surfaces import contract_of
from driftgate.declared import read_declared
from driftgate.declared.file_surface import read_file_surface
from driftgate.errors import UsageError
from driftgate.export import FORMATS, export
from driftgate.judge.comparison import diff
from driftgate.snapshot import load_snapshot
from driftgate.surface import Evidence, Field, FieldTable, Origin, Place, Vocabulary, surface_of
from driftgate.upstreams.shipped import snapshots_of
from tests.core.sides import observed_contract

SUFFIXES = {"python": ".py", "typescript": ".ts"}
SNAPSHOTS = {version: load_snapshot(path) for version, path in snapshots_of("claude-code").items()}
ODD_FIELDS = (
    Field("command", "string", required=True),
    Field("a-b", "string", required=True, constraints=("transform",)),
    Field("class", "enum", required=False, values=("x", "y z", "é"), constraints=("coerced",)),
    Field("both", "string", required=False, constraints=("min(1)", "transform"), internal=True),
    Field("map", "record<string,string>", required=True),
)


def surface(*vocabularies, rows=None):
    table = [FieldTable("hook_entry_fields", rows)] if rows else []
    return replace(surface_of([*vocabularies, *table], "Claude Code 9.9.9"), version="9.9.9")


SURFACES = {
    **SNAPSHOTS,
    "the contract": observed_contract(),
    "odd fields": surface(
        Vocabulary("hook_events", ("A", "B")),
        Vocabulary("hook_entry_types", ("command", "x")),
        rows={"command": ODD_FIELDS, "x": ODD_FIELDS[:1]},
    ),
    "without guards": surface(Vocabulary("hook_events", ("A", "B")), Vocabulary("guard_events", None)),
}


def read_back(given, format_name, folder):
    path = folder / f"vocabulary{SUFFIXES[format_name]}"
    path.write_text(export(given, format_name), encoding="utf-8")
    return read_file_surface(path)


@pytest.mark.parametrize("format_name", SUFFIXES)
@pytest.mark.parametrize("name", SURFACES)
def test_round_trip(name, format_name, tmp_path):
    given = SURFACES[name]
    back = read_back(given, format_name, tmp_path)
    for one, other in ((given, back), (back, given)):
        assert diff(one, other).changes == ()
    stated = {held.name for held in given.sets() if getattr(held, "members", True)}
    assert {held.name for held in back.sets()} == stated


@pytest.mark.parametrize("format_name", SUFFIXES)
def test_sets_of_ones_own(format_name, tmp_path):
    given = surface(Vocabulary("tool_modes", ("auto", "plan")), Vocabulary("levels", ("a", "b")))
    path = tmp_path / f"own{SUFFIXES[format_name]}"
    path.write_text(export(given, format_name), encoding="utf-8")
    for name, vocabulary in given.vocabularies.items():
        read = read_declared(f"{path.name}#{name.upper()}", root=tmp_path, vocabulary=name)
        assert isinstance(read, Vocabulary)
        assert read.members == vocabulary.members


@pytest.mark.parametrize("format_name", SUFFIXES)
def test_a_release_of_one_entry_type(format_name, tmp_path):
    given = surface(Vocabulary("hook_events", ("A", "B")), rows={"command": ODD_FIELDS})
    assert diff(given, read_back(given, format_name, tmp_path)).changes == ()


@pytest.mark.parametrize("format_name", SUFFIXES)
def test_a_name_less_and_a_name_more_are_found_in_what_is_read_back(format_name, tmp_path):
    given = SURFACES["the contract"]
    fewer = replace(
        given, vocabularies={**given.vocabularies, "hook_shells": Vocabulary("hook_shells", ("bash", "fish"))}
    )
    changes = diff(given, read_back(fewer, format_name, tmp_path)).changes
    assert {change.subject for change in changes} == {"powershell", "fish"}


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_header_names_release_and_integrity(format_name):
    origin = Origin("@scope/package", "2.1.296", "sha512-abc==")
    evidence = (Evidence(origin, Place("package/cli.js", 3)),)
    given = observed_contract()
    sets = {name: replace(one, evidence=evidence) for name, one in given.vocabularies.items()}
    text = export(replace(given, title="Claude Code 2.1.296", vocabularies=sets), format_name)
    assert "Claude Code 2.1.296" in text
    assert "Read from @scope/package@2.1.296, sha512-abc==" in text
    assert text.count("sha512-abc==") == 1
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text == export(replace(given, title="Claude Code 2.1.296", vocabularies=sets), format_name)


# --- Python ----------------------------------------------------------------------------------------------------------


def imported(path):
    return SimpleNamespace(**runpy.run_path(str(path)))


@pytest.mark.parametrize("name", SURFACES)
def test_python_runs(name, tmp_path):
    read_back(SURFACES[name], "python", tmp_path)
    module = imported(tmp_path / "vocabulary.py")
    for vocabulary in SURFACES[name].vocabularies.values():
        assert getattr(module, vocabulary.name.upper()) == (vocabulary.members or ())
    assert SURFACES[name].version == getattr(module, "RELEASE", None)


def test_python_passes_mypy(tmp_path):
    for number, given in enumerate(SURFACES.values()):
        (tmp_path / f"vocabulary_{number}.py").write_text(export(given, "python"), encoding="utf-8")
    (tmp_path / "use.py").write_text(
        "from vocabulary_0 import HOOK_EVENTS, CommandHookEntry, HookEvent\n"
        'entry: CommandHookEntry = {"type": "command", "command": "x"}\n'
        "events: tuple[HookEvent, ...] = HOOK_EVENTS\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


# --- JSON Schema -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SNAPSHOTS, "the contract"])
def test_json_schema_takes_what_the_release_takes(name):
    given = SURFACES[name]
    schema = json.loads(export(given, "json-schema"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    contract = contract_of(given, given)
    assert contract is not None
    entry = {"type": "command", "command": "x", "timeout": 1}
    documents = [{event: [{"hooks": [entry]}]} for event in given.members("hook_events")]
    documents += [
        {"Stop": [{"hooks": [{**entry, "timeout": 0}]}]},
        {"Nonsense": []},
        {"Stop": [{"hooks": [{"type": "x"}]}]},
    ]
    for document in documents:
        result = classify_hooks_config({"hooks": document}, contract)
        assert validator.is_valid(document) == (result.outcome.value == "loaded"), document


@pytest.mark.parametrize(
    "given",
    [surface(Vocabulary("tool_modes", ("a",))), surface(Vocabulary("hook_events", ("A",)))],
    ids=["none", "some"],
)
def test_json_schema_needs_hooks(given):
    with pytest.raises(UsageError, match="cannot be a schema of hooks"):
        export(given, "json-schema")


# --- hostile text ----------------------------------------------------------------------------------------------------

HOSTILE = [
    '"""\nimport os\nos.abort()\n"""',
    "*/ evil() /*",
    '"]; evil(); ["',
    "\\",
    "\u202e\x1b[31m\0",
    "${x}`",
    "a\nb",
    "\ud800",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text, tmp_path):
    origin = Origin(text, text, text)
    vocabulary = Vocabulary("hook_events", ("Fine", text), (Evidence(origin, Place("x")),))
    fields = (
        Field("x", "string", required=True, constraints=(text,)),
        Field("y", "enum", required=False, values=(text, "z")),
    )
    given = replace(surface(vocabulary, rows={"command": fields, text: fields[:1]}), title=text, version=text)
    for format_name in FORMATS:
        try:
            out = export(given, format_name)
        except UsageError:  # a row's type needs a name, and not every text gives one
            continue
        assert all(one == "\n" or one.isprintable() for one in out)
        assert not re.search(r"(?m)^\s*(import os|evil\(\))", out)
    only_names = surface(Vocabulary("hook_events", ("Fine", text)))
    (tmp_path / "names.py").write_text(export(only_names, "python"), encoding="utf-8")
    names = imported(tmp_path / "names.py")
    assert ("Fine", text) == names.HOOK_EVENTS
    if text != "\ud800":
        assert read_back(only_names, "typescript", tmp_path).members("hook_events") == ("Fine", text)


@pytest.mark.parametrize("name", ["", "---", "1x"])
def test_a_set_without_a_name(name):
    for format_name in SUFFIXES:
        with pytest.raises(UsageError, match="no identifier"):
            export(surface(Vocabulary(name, ("A",))), format_name)


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_pin_is_what_is_exported_unless_something_else_is_named(project, run):
    code, out, err = run("export", "--format", "python")
    assert (code, err) == (0, "")
    Path("own.py").write_text(out, encoding="utf-8")
    assert run("diff", "2.1.296.yaml", "own.py")[0] == 0
    assert run("export", "own.py", "--format", "typescript")[0] == 0
    code, _, err = run("export", "--format", "typscript")
    assert code == 2
    assert "did you mean 'typescript'?" in err
    assert run("export")[0] == 2
