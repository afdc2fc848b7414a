"""Fields in the words of the snapshots, for every way in which a schema can be written."""

from __future__ import annotations

import pytest

from driftgate.extraction.fields import FieldError, read_entry
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.surface import Field

FIELDS = [
    ("z.string()", Field("f", "string", required=True)),
    ("z.string().optional()", Field("f", "string", required=False)),
    ("z.string().nullish()", Field("f", "string", required=False, constraints=("nullish",))),
    ("z.string().default('x')", Field("f", "string", required=False, constraints=('default("x")',))),
    ("z.optional(z.string().min(2)).describe('x')", Field("f", "string", required=False, constraints=("min(2)",))),
    (
        "z.number().int().min(0).max(2.5)",
        Field("f", "number", required=True, constraints=("int", "min(0)", "max(2.5)")),
    ),
    ("z.string().url({message:'no'})", Field("f", "string", required=True, constraints=("url",))),
    ("z.url()", Field("f", "string", required=True, constraints=("url",))),
    ("z.boolean().catch(!1)", Field("f", "boolean", required=True, constraints=("catch(false)",))),
    ("z.enum(['a','b'])", Field("f", "enum", required=True, values=("a", "b"))),
    ("z.enum({A:'a',B:'b'})", Field("f", "enum", required=True, values=("a", "b"))),
    ("z.literal('a')", Field("f", "literal", required=True, values=("a",))),
    ("z.array(z.array(z.number()))", Field("f", "array<array<number>>", required=True)),
    ("z.record(z.unknown())", Field("f", "record<string,unknown>", required=True)),
    ("z.record(z.enum(['a']),z.string())", Field("f", "record<enum,string>", required=True)),
    ("z.union([z.string(),z.array(z.string())])", Field("f", "string|array<string>", required=True)),
    ("z.object({a:z.string()})", Field("f", "object", required=True)),
    ("z.lazy(()=>z.string().optional())", Field("f", "string", required=False)),
    ("z.any()", Field("f", "any", required=True)),
    (
        "z.string().transform((a)=>a).refine(x,'no')",
        Field("f", "string", required=True, constraints=("transform", 'refine("no")')),
    ),
    (
        "z.preprocess((a)=>a,z.number().positive()).optional()",
        Field("f", "number", required=False, constraints=("coerced", "positive")),
    ),
    (
        "z.string().describe(`@internal ${x}`)",
        Field("f", "string", required=True, internal=True),
    ),
    ("z.string().describe('not @internal'+x)", Field("f", "string", required=True)),
    ("z.string().describe(text)", Field("f", "string", required=True)),
]
BAD = [
    "q",
    "1",
    "z.what()",
    "z.enum(q)",
    "z.enum([1])",
    "z.enum([])",
    "z.array(q)",
    "z.array(z.string(),...q)[0]",
    "z.record(q)",
]


def read(source: str) -> Field:
    module = Module("x.js", 0, b"")
    evaluator = Evaluator(Program((module,)))
    entry = read_entry(
        evaluator,
        evaluator.source(module, f"z.object({{type:z.literal('t').describe('x'),f:{source}}}).strict()".encode()),
    )
    assert entry.type == "t"
    (field,) = entry.fields
    return field


@pytest.mark.parametrize(("source", "field"), FIELDS)
def test_a_field(source, field):
    assert read(source) == field


@pytest.mark.parametrize("source", BAD)
def test_a_field_that_cannot_be_read(source):
    with pytest.raises(FieldError):
        read(source)


@pytest.mark.parametrize(
    "source", ["z.string()", "z.object({a:z.string()})", "z.object({type:z.string()})", "z.object(q)"]
)
def test_an_entry_needs_a_literal_type(source):
    module = Module("x.js", 0, b"")
    evaluator = Evaluator(Program((module,)))
    with pytest.raises(FieldError, match="no object with a literal `type`"):
        read_entry(evaluator, evaluator.source(module, source.encode()))
