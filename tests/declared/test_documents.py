"""The readers of JSON, YAML and JSON Schema."""

from __future__ import annotations

import json
import re

import pytest

from driftgate.declared import notices, read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places, rows

ABC = ("A", "B", "C")

DOCUMENTS = {
    "list": ({"events": ["A", "B", "C"]}, "/events"),
    "plain name": ({"events": ["A", "B", "C"]}, "events"),
    "keys": ({"hooks": {"A": [], "B": 1, "C": None}}, "/hooks"),
    "whole list": (["A", "B", "C"], "/"),
    "index": ({"sets": [["x"], ["A", "B", "C"]]}, "/sets/1"),
    "of each": ({"events": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}, "/events/*/name"),
    "of each value": ({"events": {"x": {"n": "A"}, "y": {"n": "B"}, "z": {"n": "C"}}}, "/events/*/n"),
    "escaped": ({"a/b": {"c~d": ["A", "B", "C"]}}, "/a~1b/c~0d"),
}


@pytest.mark.parametrize("case", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, "\t"])
def test_a_set_at_a_pointer_of_json(write, case, indent):
    document, pointer = DOCUMENTS[case]
    root = write(json.dumps(document, indent=indent), "m.json")
    assert members(read_declared(f"m.json#{pointer}", root=root, vocabulary="hook_events")) == ABC


@pytest.mark.parametrize("case", DOCUMENTS)
def test_the_same_in_yaml(write, case):
    document, pointer = DOCUMENTS[case]
    root = write(json.dumps(document, indent=1), "m.yml")
    assert members(read_declared(f"m.yml#{pointer}", root=root, vocabulary="hook_events")) == ABC


def test_yaml_in_its_own_style(write):
    text = "base: &base\n  A: 1\nevents:\n  <<: *base\n  B: {x: y}\n  'C':\nlist:\n- A\n- \"é\"   # c\n- >-\n  C\n"
    root = write(text, "m.yaml")
    assert members(read_declared("m.yaml#/events", root=root, vocabulary="hook_events")) == ABC
    assert places(read_declared("m.yaml#/list", root=root)) == {
        "A": "m.yaml:8:3",
        "é": "m.yaml:9:3",
        "C": "m.yaml:10:3",
    }


def test_members_stand_where_they_are_written(write):
    root = write('{\n  "events": {\n    "é": 1, "B": [] }\n}', "m.json")
    assert places(read_declared("m.json#/events", root=root)) == {"é": "m.json:3:5", "B": "m.json:3:13"}


def test_a_key_listed_twice_is_one_member_and_a_notice(write):
    found = read_declared("m.json#/e", root=write('{"e": {"A": 1, "B": 2, "A": 3}}', "m.json"))
    assert members(found) == ("A", "B")
    assert notices(found) == ("/e lists A twice: m.json:1:24 and m.json:1:8",)


def test_a_field_table_of_kind_words(write):
    root = write('{"t": {"command": {"timeout": "seconds?", "command": "text"}}}', "m.json")
    assert rows(read_declared("m.json#/t", root=root)) == {
        "command": {"timeout": ("number", False, "positive"), "command": ("string", True, "min(1)")}
    }


WRONG = {
    "number": ("m.json", '{"e": ["A", 1]}', "/e", "the value 1", "m.json:1:13"),
    "null": ("m.json", '{"e": null}', "/e", "the value null", "m.json:1:7"),
    "missing key": ("m.json", '{"events": []}', "/event", "event in /event not found", "m.json"),
    "missing index": ("m.json", '{"e": []}', "/e/0", "0 in /e/0 not found", "m.json"),
    "no json": ("m.json", '{"e": [}', "/e", "m.json is not JSON", "m.json:1:8"),
    "no yaml": ("m.yml", "e: [", "/e", "m.yml cannot be parsed", "m.yml:1:5"),
    "two documents": ("m.yml", "e: 1\n---\ne: 2", "/e", "m.yml cannot be parsed", "m.yml:2:1"),
    "empty yaml": ("m.yml", "", "/", "it holds nothing", "m.yml:1:1"),
    "itself": ("m.yml", "e: &x [A, *x]", "/e", "an alias of what holds it", "m.yml:1:4"),
    "tagged yaml": ("m.yml", "e: [A, 2001-01-01]", "/e", "the value 2001-01-01", "m.yml:1:8"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_place(write, case):
    name, text, pointer, what, where = WRONG[case]
    with pytest.raises(DeclaredError, match=re.escape(what)) as caught:
        read_declared(f"{name}#{pointer}", root=write(text, name), vocabulary="hook_events")
    assert caught.value.where == where


def test_a_missing_key_shows_near_ones(write):
    with pytest.raises(DeclaredError, match=r"did you mean events\?"):
        read_declared("m.json#/event", root=write('{"events": []}', "m.json"))


NAMES = {"A": {}, "B": {"type": "array"}, "C": True}
SCHEMAS = {
    "what two enums share": (
        {"$defs": {"X": {"allOf": [{"enum": ["A", "D", "B", "C"]}, {"enum": ["C", "B", "A"]}]}}},
        "X",
    ),
    "without the forbidden": ({"$defs": {"X": {"properties": {"A": {}, "B": {}, "D": False, "C": {}}}}}, "X"),
    "closed pattern": ({"$defs": {"X": {"type": "object", "propertyNames": {"pattern": "^(A|B|C)$"}}}}, "X"),
    "closed pattern properties": ({"$defs": {"X": {"patternProperties": {"^(?:A|B|C)$": {}}}}}, "X"),
    "enum": ({"$defs": {"X": {"type": "string", "enum": ["A", "B", "C", None]}}}, "/$defs/X"),
    "the list itself": ({"$defs": {"X": {"enum": ["A", "B", "C"]}}}, "/$defs/X/enum"),
    "definition": ({"definitions": {"X": {"enum": ["A", "B", "C"]}}}, "X"),
    "oneOf const": ({"$defs": {"X": {"oneOf": [{"const": "A"}, {"const": "B"}, {"enum": ["C"]}]}}}, "X"),
    "anyOf with null": ({"$defs": {"X": {"anyOf": [{"type": "null"}, {"enum": ["A", "B", "C"]}]}}}, "X"),
    "oneOf itself": ({"$defs": {"X": {"oneOf": [{"const": "A"}, {"const": "B"}, {"const": "C"}]}}}, "/$defs/X/oneOf"),
    "propertyNames": ({"properties": {"X": {"propertyNames": {"enum": ["A", "B", "C"]}}}}, "/properties/X"),
    "propertyNames itself": (
        {"properties": {"X": {"propertyNames": {"enum": ["A", "B", "C"]}}}},
        "/properties/X/propertyNames",
    ),
    "properties": ({"properties": {"X": {"type": "object", "properties": NAMES}}}, "/properties/X"),
    "properties themselves": ({"properties": {"X": {"properties": NAMES}}}, "/properties/X/properties"),
    "required": ({"properties": {"X": {"required": ["A", "B", "C"]}}}, "/properties/X/required"),
    "reference": ({"$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"enum": ["A", "B", "C"]}}}, "X"),
    "through a reference": ({"p": {"$ref": "#/$defs/Y"}, "$defs": {"Y": {"enum": ["A", "B", "C"]}}}, "/p/enum"),
    "allOf": ({"$defs": {"X": {"allOf": [{"type": "string"}, {"enum": ["A", "B", "C"]}]}}}, "X"),
    "merged properties": (
        {"$defs": {"X": {"properties": {"A": {}}, "allOf": [{"properties": {"B": {}, "C": {}}}]}}},
        "X",
    ),
    "discriminator": (
        {"$defs": {"X": {"oneOf": [{"properties": {"type": {"const": n}}, "required": ["type"]} for n in ABC]}}},
        "X",
    ),
    "YAML": ({"$defs": {"X": {"enum": ["A", "B", "C"]}}}, "X"),
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_every_spelling_of_the_same_set_reads_the_same(write, case):
    schema, pointer = SCHEMAS[case]
    name = "m.yaml" if case == "YAML" else "m.schema.json"
    reader = "jsonschema:" if case == "YAML" else ""
    found = read_declared(f"{reader}{name}#{pointer}", root=write(json.dumps(schema), name), vocabulary="hook_events")
    assert sorted(members(found)) == sorted(ABC)


def test_a_reference_to_a_file_beside_the_schema_is_followed(write):
    write(json.dumps({"$defs": {"Y": {"enum": ["A", "B", "C"]}}}), "names.json")
    root = write(json.dumps({"$defs": {"X": {"$ref": "names.json#/$defs/Y"}}}), "m.schema.json")
    found = read_declared("m.schema.json#X", root=root)
    assert (members(found), places(found)["A"]) == (ABC, "names.json:1:27")


def test_a_schema_of_entries_is_a_field_table(write):
    timeout = {"type": "number", "exclusiveMinimum": 0}
    schema = {
        "$defs": {
            "base": {"properties": {"timeout": timeout, "once": {"type": "boolean"}}},
            "command": {
                "allOf": [{"$ref": "#/$defs/base"}],
                "type": "object",
                "required": ["type", "command"],
                "properties": {
                    "type": {"type": "string", "const": "command"},
                    "command": {"type": "string", "minLength": 1},
                    "shell": {"enum": ["bash", "powershell"]},
                    "args": {"type": "array", "items": {"type": "string"}},
                    "input": {"type": "object"},
                    "next": {"$ref": "#/$defs/entry"},
                },
            },
            "http": {
                "required": ["type", "url"],
                "properties": {
                    "type": {"enum": ["http"]},
                    "url": {"type": "string", "format": "uri"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}},
                    "code": {"type": ["integer", "string", "null"]},
                },
            },
            "entry": {"oneOf": [{"$ref": "#/$defs/command"}, {"$ref": "#/$defs/http"}]},
        }
    }
    root = write(json.dumps(schema), "m.schema.json")
    assert rows(read_declared("m.schema.json#/$defs/entry", root=root)) == {
        "command": {
            "timeout": ("number", False, "positive"),
            "once": ("boolean", False),
            "command": ("string", True, "min(1)"),
            "shell": ("enum", False, "bash", "powershell"),
            "args": ("array<string>", False),
            "input": ("record<string,unknown>", False),
            "next": ("object", False),
        },
        "http": {
            "url": ("string", True, "url"),
            "headers": ("record<string,string>", False),
            "code": ("number | string", False),
        },
    }


BAD_SCHEMAS = {
    "pattern": ({"$defs": {"X": {"propertyNames": {"pattern": "^(Pre|Post).*$"}}}}, "X", "the pattern ^(Pre|Post).*$"),
    "pattern properties": ({"$defs": {"X": {"patternProperties": {"^x-": {}}}}}, "X", "the pattern ^x-"),
    "open": ({"$defs": {"X": {"type": "string"}}}, "X", "the type string"),
    "no schema": ({"$defs": {"X": ["A"]}}, "X", "no schema"),
    "elsewhere": ({"$defs": {"X": {"$ref": "https://x.test/s.json#/$defs/Y"}}}, "X", "stated elsewhere: /$defs/Y from"),
    "dangling": ({"$defs": {"X": {"$ref": "#/$defs/Y"}}}, "X", "Y in /$defs/Y not found"),
    "cycle": ({"$defs": {"X": {"$ref": "#/$defs/X"}}}, "X", "the type object"),
    "missing": ({"$defs": {"HookEvent": {}}}, "HookEvents", "did you mean HookEvent?"),
    "missing below": ({"$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {}}}, "/$defs/X/enum", "enum in #/$defs/Y not found"),
}


@pytest.mark.parametrize("case", BAD_SCHEMAS)
def test_what_no_schema_states_is_an_error(write, case):
    schema, pointer, message = BAD_SCHEMAS[case]
    with pytest.raises(DeclaredError, match=re.escape(message)):
        read_declared(
            f"m.schema.json#{pointer}", root=write(json.dumps(schema), "m.schema.json"), vocabulary="hook_events"
        )
