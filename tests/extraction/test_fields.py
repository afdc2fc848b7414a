"""Fields in the words of the snapshots, for every way in which a schema can be written."""

from __future__ import annotations

import pytest

from driftgate.extraction.accepts import NotUnderstoodError, Reader
from driftgate.extraction.fields import field_of
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.surface import Field

FIELDS = [
    ("z.string()", Field("f", "string", required=True)),
    ("z.string().optional()", Field("f", "string", required=False)),
    ("z.string().nullish()", Field("f", "string", required=False, constraints=("nullable",))),
    ("z.string().default('x')", Field("f", "string", required=False, constraints=('default("x")',))),
    ("z.optional(z.string().min(2)).describe('x')", Field("f", "string", required=False, constraints=("min(2)",))),
    (
        "z.number().int().min(0).max(2.5)",
        Field("f", "number", required=True, constraints=("int", "min(0)", "max(2)")),
    ),
    ("z.string().url({message:'no'})", Field("f", "string", required=True, constraints=("url",))),
    ("z.url()", Field("f", "string", required=True, constraints=("url",))),
    ("z.boolean().catch(!1)", Field("f", "boolean", required=False, constraints=("catch(false)",))),
    ("z.enum(['a','b'])", Field("f", "enum", required=True, values=("a", "b"))),
    ("z.enum({A:'a',B:'b'})", Field("f", "enum", required=True, values=("a", "b"))),
    ("z.literal('a')", Field("f", "enum", required=True, values=("a",))),
    ("z.array(z.array(z.number()))", Field("f", "array<array<number>>", required=True)),
    ("z.record(z.unknown())", Field("f", "record<string,unknown>", required=True)),
    ("z.record(z.enum(['a']),z.string())", Field("f", 'record<enum("a"),string>', required=True)),
    ("z.union([z.string(),z.array(z.string())])", Field("f", "string|array<string>", required=True)),
    ("z.object({b:z.number().optional(),a:z.string()})", Field("f", "object{a:string,b?:number}", required=True)),
    ("z.lazy(()=>z.string().optional())", Field("f", "string", required=False)),
    ("z.any()", Field("f", "any", required=True)),
    (
        "z.string().transform((a)=>a).refine((y)=>x,'no')",
        Field("f", "string", required=True, constraints=("transform", "transform>refine(($0)=>?)")),
    ),
    (
        "z.preprocess((a)=>a,z.number().positive()).optional()",
        Field("f", "number", required=False, constraints=("positive",)),
    ),
    (
        "z.preprocess((a)=>a==='x'?a:'y',z.enum(['x','y'])).optional()",
        Field("f", "enum", required=False, values=("x", "y"), constraints=("coerced",)),
    ),
    (
        "z.preprocess((a)=>a==='x'?a:'w',z.enum(['x','y']))",
        Field(
            "f",
            "enum",
            required=True,
            values=("x", "y"),
            constraints=('preprocess(($0)=>ConditionalExpression{alternate:"w";consequent:$0;test:($0==="x")})',),
        ),
    ),
    (
        "z.string().describe(`@internal ${x}`)",
        Field("f", "string", required=True, internal=True),
    ),
    ("z.string().describe('not @internal'+x)", Field("f", "string", required=True, internal=True)),
    ("z.string().describe(text)", Field("f", "string", required=True)),
]
BAD = [
    "q",
    "1",
    "z.what()",
    "z.string().what()",
    "z.string().max(q)",
    "z.string().max()",
    "z.string().max('1')",
    "z.string().min(1).or(q)",
    "z.string().refine(q)",
    "z.string().optional().default(q)",
    "z.literal(q)",
    "z.literal([more])",
    "z.union(q)",
    "z.union([z.string(),q])",
    "z.string(q.w)",
    "z.string().url(q)",
    "z.object({a:q})",
    "z.object({a:z.string()}).what()",
    "z.tuple(q)",
    "z.string().pipe(q)",
    "z.string().check(q)",
    "own.string()",
    "z.nativeEnum(q)",
    "z.enum(q)",
    "z.enum([1])",
    "z.enum([])",
    "z.array(q)",
    "z.record(q)",
]


def read(source: str, text: str = "f(q,x,text,[more],[own],z.object({}));") -> Field:
    module = Module("x.js", 0, text.encode())
    evaluator = Evaluator(Program((module,)))
    return field_of(Reader(evaluator), "f", evaluator.source(module, source.encode()))


@pytest.mark.parametrize(("source", "field"), FIELDS)
def test_a_field(source, field):
    assert read(source) == field


@pytest.mark.parametrize("source", BAD)
def test_a_field_that_cannot_be_read(source):
    with pytest.raises(NotUnderstoodError, match="field `f`"):
        read(source)
