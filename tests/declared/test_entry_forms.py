# ruff: noqa: E501 (sources are written as mirrors write them)
"""Entries as mirrors write them: strict types, one flat type for all, mere names; what a form has no word for."""

from __future__ import annotations

import pytest

from driftgate.declared import notices, read_declared
from driftgate.judge.comparison import diff
from driftgate.judge.impact import Probe
from driftgate.surface import Field, FieldTable, ObjectRules, Vocabulary, surface_of

Z = 'import { z } from "zod";\n'
STRICT = {
    "zod": (
        "m.ts",
        Z
        + 'export const X = z.discriminatedUnion("type", [z.object({ type: z.literal("a"), b: z.string() }).strict()]);',
    ),
    "zod strictObject": (
        "m.ts",
        Z + 'export const X = z.union([z.strictObject({ type: z.literal("a"), b: z.string() })]);',
    ),
    "zod, extended": (
        "m.ts",
        Z
        + 'const B = z.object({ type: z.literal("a") }).strict();\nexport const X = z.union([B.extend({ b: z.string() })]);',
    ),
    "schema": (
        "m.schema.json",
        (
            '{"$defs": {"X": {"anyOf": [{"type": "object", "additionalProperties": false, "required": ["b"], '
            '"properties": {"type": {"const": "a"}, "b": {"type": "string"}}}]}}}'
        ),
    ),
    "pydantic": (
        "m.py",
        'class A(BaseModel):\n    model_config = ConfigDict(extra="forbid")\n    type: Literal["a"]\n    b: str\nX = A',
    ),
    "pydantic, a dict": (
        "m.py",
        'class A(BaseModel):\n    model_config = {"extra": "forbid"}\n    type: Literal["a"]\n    b: str\nX = A',
    ),
    "pydantic 1": (
        "m.py",
        'class A(BaseModel):\n    type: Literal["a"]\n    b: str\n    class Config:\n        extra = Extra.forbid\nX = A',
    ),
    "pydantic, inherited": (
        "m.py",
        'class S(BaseModel, extra="forbid"): pass\nclass A(S):\n    type: Literal["a"]\n    b: str\nX = A',
    ),
    "msgspec": ("m.py", 'class A(Struct, forbid_unknown_fields=True):\n    type: Literal["a"]\n    b: str\nX = A'),
    "serde": (
        "m.rs",
        '#[derive(Deserialize)]\n#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]\npub enum X { A { b: String } }',
    ),
    "serde, of the variant": (
        "m.rs",
        '#[serde(tag = "type", rename_all = "snake_case")]\npub enum X { A(Inner) }\n#[serde(deny_unknown_fields)]\npub struct Inner { b: String }',
    ),
}
LOOSE = {
    "zod": ("m.ts", Z + 'export const X = z.union([z.object({ type: z.literal("a"), b: z.string() })]);'),
    "zod, loose again": (
        "m.ts",
        Z + 'export const X = z.union([z.object({ type: z.literal("a"), b: z.string() }).strict().passthrough()]);',
    ),
    "interface": ("m.ts", 'interface A { type: "a"; b: string }\nexport type X = A;'),
    "pydantic": (
        "m.py",
        'class A(BaseModel):\n    model_config = ConfigDict(extra="ignore")\n    type: Literal["a"]\n    b: str\nX = A',
    ),
    "schema": (
        "m.schema.json",
        '{"$defs": {"X": {"anyOf": [{"properties": {"type": {"const": "a"}, "b": {"type": "string"}}, "required": ["b"]}]}}}',
    ),
    "serde": ("m.rs", '#[serde(tag = "type", rename_all = "snake_case")]\npub enum X { A { b: String } }'),
}


def table(write, name: str, text: str) -> FieldTable:
    found = read_declared(f"{name}#X", root=write(text, name), vocabulary="hook_entry_fields")
    assert isinstance(found, FieldTable)
    return found


@pytest.mark.parametrize(("name", "text"), STRICT.values(), ids=STRICT)
def test_types_that_refuse_other_fields_say_so(write, name, text):
    found = table(write, name, text)
    assert found.rules == {"a": ObjectRules(("strict",))}
    assert [(f.name, f.kind, f.required) for f in found.rows["a"]] == [("b", "string", True)]


@pytest.mark.parametrize(("name", "text"), LOOSE.values(), ids=LOOSE)
def test_others_state_no_rules(write, name, text):
    assert table(write, name, text).rules is None


def test_a_decoder_that_refuses_makes_the_structs_of_its_file_strict(write):
    text = 'package p\ntype X struct {\n\tType string `json:"type"`\n\tB string `json:"b"`\n}\n'
    assert table(write, "m.go", text).rules is None
    assert table(write, "m.go", text + "func f() { d.DisallowUnknownFields() }\n").rules is not None


FLAT = {
    "pydantic": (
        "m.py",
        'class X(BaseModel):\n    type: Literal["command", "prompt"]\n    command: str | None = None\n    timeout: float | None = None',
        {"command", "prompt"},
    ),
    "typescript": (
        "m.ts",
        'export interface X { type: "command" | "prompt"; command?: string; timeout?: number }',
        {"command", "prompt"},
    ),
    "go": (
        "m.go",
        (
            'package p\ntype X struct {\n\tType string `json:"type"`\n\tCommand string `json:"command,omitempty"`\n'
            '\tTimeout int `json:"timeout,omitempty"`\n}'
        ),
        {"command", "prompt", "agent", "http", "mcp_tool"},
    ),
}


@pytest.mark.parametrize(("name", "text", "types"), FLAT.values(), ids=FLAT)
def test_one_flat_type_stands_for_every_entry(write, name, text, types):
    found = table(write, name, text)
    assert set(found.rows) == types
    assert {row: [f.name for f in fields] for row, fields in found.rows.items()} == {
        key: ["command", "timeout"] for key in types
    }
    (note,) = notices(found)
    assert note.startswith("X is one flat type for all entries")
    theirs = {
        row: (Field("command", "string", required=row == "command"), Field("timeout", "number", required=False))
        for row in types
    }
    observed = surface_of([FieldTable("hook_entry_fields", theirs)], "upstream")
    assert diff(observed, surface_of([found], "here")).changes == ()
    as_set = read_declared(f"{name}#X", root=write(text, name), vocabulary="hook_shells")
    assert isinstance(as_set, Vocabulary)


def test_the_types_of_a_flat_type_are_what_its_field_says(write):
    name, text, types = FLAT["pydantic"]
    found = read_declared(f"{name}#X", root=write(text, name), vocabulary="hook_entry_types")
    assert isinstance(found, Vocabulary)
    assert set(found.members or ()) == types


NAMES = {
    "python": ("m.py", 'X = {"a": {"b", "c"}, "d": ("e",)}', "X"),
    "typescript": ("m.ts", 'const X = { a: ["b", "c"], d: ["e"] } as const', "X"),
    "json": ("m.json", '{"x": {"a": ["b", "c"], "d": ["e"]}}', "/x"),
    "yaml": ("m.yaml", "x: {a: [b, c], d: [e]}\n", "/x"),
    "go": ("m.go", 'package p\nvar X = map[string][]string{"a": {"b", "c"}, "d": {"e"}}', "X"),
}


@pytest.mark.parametrize(("name", "text", "at"), NAMES.values(), ids=NAMES)
def test_a_table_of_mere_names_states_names_and_nothing_else(write, name, text, at):
    found = read_declared(f"{name}#{at}", root=write(text, name), vocabulary="hook_entry_fields")
    assert isinstance(found, FieldTable)
    assert {row: {f.name for f in fields} for row, fields in found.rows.items()} == {"a": {"b", "c"}, "d": {"e"}}
    theirs = {
        "a": (Field("b", "string", required=True), Field("c", "number", required=False, constraints=("positive",))),
        "d": (Field("e", "enum", required=True, values=("x",)), Field("f", "string", required=False)),
    }
    (change,) = diff(surface_of([FieldTable("hook_entry_fields", theirs)], "up"), surface_of([found], "here")).changes
    assert (change.subject if hasattr(change, "subject") else (change.name, change.field)) is not None


INTERFACES = {
    "typescript": ("m.ts", 'interface A { type: "a"; t?: number }\nexport type X = A;'),
    "go": ("m.go", 'package p\ntype X struct {\n\tT *float64 `json:"t"`\n}'),
    "rust": ("m.rs", '#[serde(tag = "type", rename_all = "snake_case")]\npub enum X { A { t: Option<f64> } }'),
    "zig": ("m.zig", "pub const X = struct { t: ?f64 };"),
}


@pytest.mark.parametrize(("name", "text"), INTERFACES.values(), ids=INTERFACES)
def test_constraints_that_a_language_has_no_word_for_are_no_difference(write, name, text):
    found = table(write, name, text)
    (row,) = found.rows
    theirs = {row: (Field("t", "number", required=False, constraints=("positive",)),)}
    observed = surface_of([FieldTable("hook_entry_fields", theirs)], "upstream")
    assert diff(observed, surface_of([found], "here")).changes == ()


def test_constraints_that_a_language_can_say_are_compared(write):
    found = table(
        write, "m.ts", Z + 'export const X = z.union([z.object({ type: z.literal("a"), t: z.number().optional() })]);'
    )
    theirs = {"a": (Field("t", "number", required=False, constraints=("positive",)),)}
    observed = surface_of([FieldTable("hook_entry_fields", theirs)], "upstream")
    assert len(diff(observed, surface_of([found], "here")).changes) == 1


@pytest.mark.parametrize(("strict", "effect"), [(True, "DROPPED_HERE"), (False, "VALUE_LOST")])
def test_a_strict_mirror_refuses_what_a_loose_one_loses(write, strict, effect):
    spelt = 'z.object({ type: z.literal("command"), command: z.string() })' + ".strict()" * strict
    found = table(write, "m.ts", Z + f"export const X = z.union([{spelt}]);")
    sets = (Vocabulary("hook_events", ("Stop",)), Vocabulary("hook_entry_types", ("command",)))
    theirs = {"command": (Field("command", "string", required=True), Field("args", "array<string>", required=False))}
    observed = surface_of([*sets, FieldTable("hook_entry_fields", theirs)], "upstream")
    declared = surface_of([*sets, found], "here")
    changes = [change for change in diff(observed, declared).changes if change.field == "args"]
    effects = {impact.effect.name for change in changes for impact in Probe(observed, declared).impacts(change)}
    assert effect in effects
