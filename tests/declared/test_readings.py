"""Readings that were wrong: rows, maps, pointers, unions by a key; each kind in every language that has it."""

from __future__ import annotations

import pytest

from driftgate.declared import notices, read_declared
from driftgate.errors import DeclaredError
from driftgate.surface import Vocabulary

NAMES = ("Pre", "Stop")
ROWS = {
    "python tuples": ("m.py", 'X = [("Pre", "one"), ("Stop", "two")]', "X"),
    "python lists": ("m.py", 'X = (["Pre", "one"], ["Stop", "two"])', "X"),
    "typescript": ("m.ts", 'export const X = [["Pre", "one"], ["Stop", "two"]] as const', "X"),
    "typescript set": ("m.ts", 'export const X = new Set([["Pre", "one"], ["Stop", "two"]])', "X"),
    "go arrays": ("m.go", 'package p\nvar X = [][2]string{{"Pre", "one"}, {"Stop", "two"}}', "X"),
    "go structs": ("m.go", 'package p\nvar X = []struct{ N, L string }{{"Pre", "one"}, {"Stop", "two"}}', "X"),
    "go constructors": (
        "m.go",
        'package p\nfunc n(e, m string) g { return g{e, m} }\nvar X = []g{n("Pre", "one"), n("Stop", "two")}',
        "X",
    ),
    "zig": ("m.zig", 'pub const X = .{ .{ "Pre", "one" }, .{ "Stop", "two" } };', "X"),
    "rust arrays": ("m.rs", 'pub const X: &[&[&str]] = &[&["Pre", "one"], &["Stop", "two"]];', "X"),
    "json": ("m.json", '{"x": [["Pre", "one"], ["Stop", "two"]]}', "/x"),
    "yaml": ("m.yaml", "x:\n- [Pre, one]\n- [Stop, two]\n", "/x"),
}


@pytest.mark.parametrize(("name", "text", "at"), ROWS.values(), ids=ROWS)
def test_of_rows_the_first_column_is_read_and_said(write, name, text, at):
    root = write(text, name)
    found = read_declared(f"{name}#{at}", root=root, vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert found.members == NAMES
    if name != "m.rs":  # a list of pairs is a map in Rust
        (note,) = notices(found)
        assert "rows of 2 columns: the first one is read" in note
        column = f"{at}/*/1" if at.startswith("/") else f"{at}.1"
        other = read_declared(f"{name}#{column}", root=root, vocabulary="hook_events")
        assert isinstance(other, Vocabulary)
        assert other.members == ("one", "two")


READ = {
    "one column": ("m.py", 'X = (("Pre",), ("Stop",))', "X", NAMES),
    "pairs as a map": ("m.rs", 'pub const X: &[(&str, &str)] = &[("Pre", "one"), ("Stop", "two")];', "X", NAMES),
    "dict of pairs": ("m.py", 'X = dict([("Pre", 1), ("Stop", 2)])', "X", NAMES),
    "keys": ("m.py", 'X = {"PRE_TOOL": "a", "STOP": "b"}', "X{keys}", ("PRE_TOOL", "STOP")),
    "values": ("m.py", 'X = {"Pre": "a", "Stop": "b"}', "X{values}", ("a", "b")),
    "values by rule": ("m.ts", 'const X = { A_A: "a", STOP: "Halt" }', "X", ("a", "Halt")),
    "keys of an enumeration": ("m.ts", 'enum X { One = "Pre", Two = "Stop" }', "X{keys}", ("One", "Two")),
    "values of a pointer": ("m.json", '{"x": {"k": "Pre", "l": "Stop"}}', "/x{values}", NAMES),
    "nested maps": ("m.py", 'X = {"k": {"claude": "Pre"}, "l": {"claude": "Stop"}}', "X.*.claude", NAMES),
    "nested maps, typescript": (
        "m.ts",
        'const X = { k: { "claude-code": "Pre" }, l: { "claude-code": "Stop" } }',
        "X.*.claude-code",
        NAMES,
    ),
    "nested keys": ("m.ts", 'const X = { claude: ["Pre", "Stop"], other: ["C"] }', "X.claude", NAMES),
    "computed by items": ("m.py", 'Y = {"k": "Pre", "l": "Stop"}\nX = {v: k for k, v in Y.items()}', "X", NAMES),
    "computed by a list": ("m.py", 'Y = [("Pre", 1), ("Stop", 2)]\nX = [name for name, _ in Y]', "X", NAMES),
    "computed by fromEntries": (
        "m.ts",
        'const Y = { k: "Pre", l: "Stop" }\nconst X = Object.fromEntries(Object.entries(Y).map(([k, v]) => [v, k]))',
        "X",
        NAMES,
    ),
    "computed by map": ("m.ts", 'const Y = [{ n: "Pre" }, { n: "Stop" }]\nconst X = Y.map((y) => y.n)', "X", NAMES),
    "objects of a class": (
        "m.py",
        "@dataclass\nclass H:\n    event: str\n    n: int = 0\nX = [H('Pre', 1), H(event='Stop')]",
        "X.event",
        NAMES,
    ),
    "union by keyof": (
        "m.ts",
        (
            "interface P { e: 'Pre'; t: string }\ninterface Q { e: 'Stop' }\n"
            "interface M { one: P; two: Q }\ntype X = M[keyof M]"
        ),
        "X",
        NAMES,
    ),
    "one field of a union": (
        "m.ts",
        "interface P { type: 's'; e: 'Pre' | 'Stop' }\ninterface Q { type: 't' }\ntype X = P | Q",
        "X.e",
        NAMES,
    ),
    "words of a text": ("m.py", 'X = tuple("Pre Stop".split())', "X", NAMES),
    "words of a text, typescript": ("m.ts", 'const X = "Pre,Stop".split(",")', "X", NAMES),
    "property called type": (
        "m.schema.json",
        '{"$defs": {"E": {"properties": {"type": {"enum": ["Pre", "Stop"]}}}}}',
        "/$defs/E/properties/type",
        NAMES,
    ),
    "property called enum": (
        "m.schema.json",
        '{"properties": {"enum": {"enum": ["Pre", "Stop"]}}}',
        "/properties/enum",
        NAMES,
    ),
    "property called properties": (
        "m.schema.json",
        '{"properties": {"properties": {"enum": ["Pre", "Stop"]}}}',
        "/properties/properties",
        NAMES,
    ),
    "a schema by its mark": (
        "m.json",
        (
            '{"$schema": "http://json-schema.org/draft-07/schema#", '
            '"properties": {"hooks": {"type": "object", "properties": {"Pre": {}, "Stop": {}}}}}'
        ),
        "/properties/hooks",
        NAMES,
    ),
    "no schema where json is said": (
        "json:m.json",
        '{"$schema": "http://json-schema.org/draft-07/schema#", "x": {"Pre": {}, "Stop": {}}}',
        "/x",
        NAMES,
    ),
}


@pytest.mark.parametrize(("name", "text", "at", "expected"), READ.values(), ids=READ)
def test_what_is_meant_is_read(write, name, text, at, expected):
    found = read_declared(f"{name}#{at}", root=write(text, name.removeprefix("json:")), vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert found.members == expected


IMPORTS = """
import * as Schema from "effect/Schema"
import { Schema as S } from "effect"
import { Type } from "@sinclair/typebox"
import * as v from "valibot"
import { picklist } from "valibot"
import { type } from "arktype"
import * as t from "io-ts"
import Joi from "joi"
import * as yup from "yup"
import { enums } from "superstruct"
import { load } from "./load"
"""
SCHEMAS = {
    "effect": 'Schema.Literal("Pre", "Stop")',
    "effect, renamed": 'S.Literal("Pre", "Stop")',
    "effect, a union": 'S.Union(S.Literal("Pre"), S.Literal("Stop"))',
    "effect, a list": 'Schema.Literals(["Pre", "Stop"])',
    "typebox": 'Type.Union([Type.Literal("Pre"), Type.Literal("Stop")])',
    "valibot": 'v.picklist(["Pre", "Stop"])',
    "valibot, by name": 'picklist(["Pre", "Stop"])',
    "valibot, a union": 'v.union([v.literal("Pre"), v.literal("Stop")])',
    "arktype": 'type.enumerated("Pre", "Stop")',
    "arktype, a text": "type(\"'Pre' | 'Stop'\")",
    "io-ts": "t.keyof({ Pre: null, Stop: null })",
    "joi": 'Joi.string().valid("Pre", "Stop")',
    "yup": 'yup.string().oneOf(["Pre", "Stop"])',
    "superstruct": 'enums(["Pre", "Stop"])',
}


@pytest.mark.parametrize("text", SCHEMAS.values(), ids=SCHEMAS)
def test_other_schema_libraries_are_read(write, text):
    found = read_declared("m.ts#X", root=write(f"{IMPORTS}const X = {text}\n", "m.ts"), vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert found.members == NAMES


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("v.custom(f)", r"a call of custom\(\) of valibot, which is not read"),
        ("load(['Pre'])", r"a call of load\(\) of \./load, which is not read"),
        ("Type.Unsafe({})", r"a call of Unsafe\(\) of @sinclair/typebox, which is not read"),
    ],
)
def test_a_call_that_is_not_read_is_named(write, text, what):
    with pytest.raises(DeclaredError, match=what):
        read_declared("m.ts#X", root=write(f"{IMPORTS}const X = {text}\n", "m.ts"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.ts", "class Rule {\n  private static readonly HOOK_EVENTS = new Set(['Pre', 'Stop'])\n}\n"),
        ("m.py", "class Rule:\n    HOOK_EVENTS: ClassVar = ('Pre', 'Stop')\n"),
    ],
)
def test_a_constant_of_a_class_is_read_and_suggested(write, name, text):
    root = write(text, name)
    found = read_declared(f"{name}#Rule.HOOK_EVENTS", root=root)
    assert isinstance(found, Vocabulary)
    assert found.members == NAMES
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"{name}#HOOK_EVENTS", root=root)
    assert caught.value.found == "did you mean Rule.HOOK_EVENTS?"


BLIND = {
    "rows of different lengths": ("m.py", 'X = [["Pre", "Stop"], ["C"]]', "X", "lists within a list"),
    "names beside lists": ("m.py", 'X = ["Pre", ["Stop", "C"]]', "X", "lists within a list"),
    "no such column": ("m.py", 'X = [("Pre", "one")]', "X.2", "2 in X not found"),
    "keys of a list": ("m.py", 'X = ["Pre"]', "X{keys}", "no mapping, so it has no keys"),
    "a function that does more": (
        "m.go",
        'package p\nfunc n(e string) string { log(e); return "x" }\nvar X = []string{n("Pre")}',
        "X",
        "a function without a plain return",
    ),
    "an instance that computes": (
        "m.py",
        "class H:\n    e: str\n    def __init__(self, e): self.e = 'x'\nX = [H('Pre')]",
        "X.e",
        r"a call of H\(\)",
    ),
}


@pytest.mark.parametrize(("name", "text", "at", "message"), BLIND.values(), ids=BLIND)
def test_what_is_not_understood_is_blind(write, name, text, at, message):
    with pytest.raises(DeclaredError, match=message):
        read_declared(f"{name}#{at}", root=write(text, name), vocabulary="hook_events")
