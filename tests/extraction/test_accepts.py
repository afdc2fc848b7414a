"""What a field accepts is a normal form: alike only what accepts the same, and what accepts the same is alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftgate.extraction.accepts import Form, Reader
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program

TEXT = (
    "var MAX=600,RX=/^a/,LOW=-1,NAMES=['a','b'],S=z.string(),own={string:()=>z.number()};"
    "function opt(q){return q.optional()}function id(q){return q}f([z.object({})]);"
)


def form(source: str) -> Form:
    module = Module("x.js", 0, TEXT.encode())
    evaluator = Evaluator(Program((module,)))
    return Reader(evaluator).form(evaluator.source(module, source.encode()))


def read(source: str) -> tuple[object, ...]:
    """Return everything that is compared of a form."""
    found = form(source)
    values = None if found.values is None else frozenset(found.values)
    return found.kind, values, frozenset(found.checks), found.required


ALIKE = [
    ("z.string().min(1)", "z.string().nonempty()", "z.string().min(1,'no')", "z.string().min(1,{message:'no'})"),
    ("z.number().positive()", "z.number().gt(0)", "z.number().positive('no')", "z.number().gt(0).gt(-5)"),
    ("z.number().min(0)", "z.number().gte(0)", "z.number().nonnegative()", "z.number().min(0).finite()"),
    ("z.number().max(600)", "z.number().max(MAX)", "z.number().lte(600)", "z.number().max(6e2).max(700)"),
    ("z.number().int()", "z.int()", "z.number().int().int()"),
    ("z.number().int().positive()", "z.number().int().min(1)", "z.number().int().gt(0.5)"),
    (
        "z.string().optional()",
        "z.optional(z.string())",
        "opt(z.string())",
        "S.optional()",
        "z.string().optional().readonly()",
    ),
    ("z.string().nullish()", "z.string().nullable().optional()", "z.string().optional().nullable()"),
    ("z.string().nullable()", "z.union([z.string(),z.null()])", "z.string().or(z.null())", "z.nullable(z.string())"),
    (
        "z.enum(['a','b'])",
        "z.enum(NAMES)",
        "z.literal('b').or(z.literal('a'))",
        "z.union([z.literal('a'),z.literal('b')])",
    ),
    (
        "z.enum(['a'])",
        "z.literal('a')",
        "z.enum(['a','b']).exclude(['b'])",
        "z.enum(NAMES).extract(['a'])",
        "z.nativeEnum({A:'a'})",
    ),
    (
        "z.string()",
        "S",
        "id(S)",
        "z.string().describe('x')",
        "z.string().brand()",
        "z.string().meta({a:1})",
        "z.string('no')",
    ),
    ("z.string()", "z.union([z.string(),z.literal('a')])", "z.union([z.string(),z.string().min(1)])", "(0,z.string)()"),
    ("z.url()", "z.string().url()", "z.string().url('no')", "z.string().url({message:'no'})"),
    ("z.boolean()", "z.literal(!0).or(z.literal(!1))", "z.literal([true,false])"),
    ("z.string().length(3)", "z.string().min(3).max(3)"),
    ("z.array(z.string())", "z.string().array()", "S.array()"),
    ("z.array(z.string()).nonempty()", "z.array(z.string()).min(1)"),
    ("z.record(z.unknown())", "z.record(z.string(),z.unknown())", "z.record(z.string(),z.any())"),
    ("z.string().regex(/^a/)", "z.string().regex(RX)", "z.string().regex(/^a/,'no')"),
    ("z.string().check(z.minLength(1))", "z.string().min(1)"),
    ("z.string().pipe(z.string().min(1))", "z.string().min(1)"),
    (
        "z.string().refine((a)=>a!=='x')",
        "z.string().refine(function(b){return 'x'!==b})",
        "z.string().refine((q)=>q!==`x`,'no')",
    ),
    ("z.object({a:z.string(),b:z.number().optional()})", "z.object({b:z.number().optional()}).extend({a:z.string()})"),
    ("z.object({a:z.string().optional()})", "z.object({a:z.string()}).partial()"),
    (
        "z.object({a:z.string()})",
        "z.object({a:z.string(),b:z.number()}).omit({b:!0})",
        "z.object({a:z.string(),b:z.number()}).pick({a:!0})",
    ),
    (
        "z.strictObject({a:z.string()})",
        "z.object({a:z.string()}).strict()",
        "z.object({a:z.string()}).catchall(z.never())",
    ),
    ("z.looseObject({a:z.string()})", "z.object({a:z.string()}).passthrough()", "z.object({a:z.string()}).loose()"),
    ("z.preprocess((v)=>v,z.number())", "z.number()"),
    ("z.number().min(LOW)", "z.number().min(-1)"),
    ("z.lazy(()=>z.string())", "z.string()"),
]


@pytest.mark.parametrize("sources", ALIKE, ids=lambda sources: sources[0])
def test_what_accepts_the_same_reads_the_same(sources):
    assert {source: read(source) for source in sources} == dict.fromkeys(sources, read(sources[0]))


DIFFERENT = [
    *("z.string()", "z.number()", "z.boolean()", "z.any()", "z.null()", "z.date()", "z.bigint()", "z.never()"),
    *(
        "z.coerce.string()",
        "z.coerce.number()",
        "z.coerce.boolean()",
        "z.number({coerce:!0}).positive()",
        "z.coerce.number().min(1)",
    ),
    *(
        "z.string().optional()",
        "z.string().nullable()",
        "z.string().nullish()",
        "z.string().default('a')",
        "z.string().default('b')",
    ),
    *("z.string().catch('a')", "z.string().catch('b')", "z.string().prefault('a')", "z.number().catch(1)"),
    *(
        "z.string().min(1)",
        "z.string().min(2)",
        "z.string().max(1)",
        "z.string().length(5)",
        "z.string().min(1).max(9)",
    ),
    *(
        "z.string().regex(/a/)",
        "z.string().regex(/a/i)",
        "z.string().regex(/b/)",
        "z.string().startsWith('a')",
        "z.string().startsWith('b')",
    ),
    *(
        "z.string().endsWith('a')",
        "z.string().includes('a')",
        "z.string().email()",
        "z.string().uuid()",
        "z.string().datetime()",
    ),
    *(
        "z.string().datetime({offset:!0})",
        "z.string().url()",
        "z.url({hostname:/^a$/})",
        "z.url({protocol:/^https$/})",
        "z.ipv4()",
    ),
    *(
        "z.string().trim()",
        "z.string().trim().min(3)",
        "z.string().min(3).trim()",
        "z.string().toLowerCase()",
        "z.string().transform((a)=>a)",
    ),
    *("z.string().transform((a,c)=>{c.addIssue({})})", "z.string().transform((a,c)=>{if(!a)c.addIssue({})})"),
    *(
        "z.string().refine((a)=>a!=='x')",
        "z.string().refine((a)=>a!=='y')",
        "z.string().refine((a)=>a.length>1)",
        "z.string().superRefine((a,c)=>{})",
    ),
    *(
        "z.string().pipe(z.number())",
        "z.string().pipe(z.coerce.number())",
        "z.string().pipe(z.transform((a)=>a)).pipe(z.number().min(1))",
    ),
    *(
        "z.number().positive()",
        "z.number().negative()",
        "z.number().min(0)",
        "z.number().min(1)",
        "z.number().min(-1)",
        "z.number().gt(-1)",
    ),
    *(
        "z.number().max(600)",
        "z.number().max(600.5)",
        "z.number().max(1234567)",
        "z.number().max(1234568)",
        "z.number().lt(600)",
    ),
    *(
        "z.number().int()",
        "z.number().multipleOf(5)",
        "z.number().multipleOf(0.1)",
        "z.number().int().min(5)",
        "z.number().min(0.123456789)",
    ),
    *(
        "z.enum(['a','b'])",
        "z.enum(['a','c'])",
        "z.enum(['a'])",
        "z.literal(1)",
        "z.literal('1')",
        "z.literal(!0)",
        "z.literal(null).or(z.literal(2))",
    ),
    *(
        "z.array(z.string())",
        "z.array(z.number())",
        "z.array(z.string().min(1))",
        "z.array(z.string().min(2))",
        "z.array(z.string().optional())",
    ),
    *(
        "z.array(z.string()).min(1)",
        "z.array(z.string()).max(1)",
        "z.array(z.string().regex(/a/))",
        "z.array(z.enum(['a']))",
        "z.array(z.enum(['b']))",
    ),
    *(
        "z.array(z.any())",
        "z.array(z.array(z.string()))",
        "z.array(z.coerce.string())",
        "z.array(z.string().nullable())",
    ),
    *(
        "z.record(z.string(),z.string())",
        "z.record(z.string(),z.number())",
        "z.record(z.string(),z.string().min(1))",
        "z.record(z.enum(['a']),z.string())",
    ),
    *(
        "z.record(z.enum(['b']),z.string())",
        "z.record(z.string().regex(/a/),z.string())",
        "z.partialRecord(z.enum(['a']),z.string())",
    ),
    *(
        "z.tuple([z.string()])",
        "z.tuple([z.string(),z.number()])",
        "z.tuple([z.string()],z.number())",
        "z.tuple([z.string().min(1)])",
    ),
    *(
        "z.union([z.string(),z.number()])",
        "z.union([z.string().min(1),z.number()])",
        "z.union([z.string(),z.number().positive()])",
    ),
    *("z.string().or(z.boolean())", "z.string().or(z.array(z.string()))", "z.string().or(z.array(z.string().min(1)))"),
    *(
        "z.object({a:z.string()})",
        "z.object({a:z.number()})",
        "z.object({a:z.string().optional()})",
        "z.object({b:z.string()})",
    ),
    *(
        "z.object({a:z.string()}).strict()",
        "z.object({a:z.string()}).passthrough()",
        "z.object({a:z.string()}).catchall(z.number())",
    ),
    *(
        "z.object({a:z.string().min(1)})",
        "z.object({a:z.object({b:z.string()})})",
        "z.object({a:z.object({b:z.number()})})",
    ),
    *(
        "z.object({a:z.string()}).refine((o)=>o.a)",
        "z.object({a:z.string()}).refine((o)=>!o.a)",
        "z.object({a:z.enum(['a'])})",
    ),
    *(
        "z.preprocess((v)=>v==='a'?v:'b',z.enum(['a','b']))",
        "z.preprocess((v)=>v==='a'?v:'c',z.enum(['a','b']))",
        "z.preprocess((v)=>+v,z.number())",
    ),
    *(
        "z.set(z.string())",
        "z.map(z.string(),z.number())",
        "z.intersection(z.string().min(1),z.string().max(2))",
        "own.string().min(7)",
    ),
]


def test_more_than_a_hundred_schemas_that_accept_different_documents_never_read_alike():
    assert len(DIFFERENT) >= 100
    known = {source: (read(source), form(source).text) for source in DIFFERENT}
    alike = [(one, other) for one, other in combinations(DIFFERENT, 2) if known[one][0] == known[other][0]]
    assert alike == []
    assert [pair for pair in combinations(DIFFERENT, 2) if known[pair[0]][1] == known[pair[1]][1]] == []


# --- a reference evaluator: schemas that are made together with what they accept -------------------------------------

MISSING = object()
SAMPLES: tuple[object, ...] = (
    *(MISSING, None, True, False, 0, 1, 2, 3, 0.5, -1, -0.5, 10),
    *("", "a", "b", "ab", "abc", "zzzzz", "1"),
    *([], ["a"], ["", "a"], [1], ["a", "b", "c"], [None], [[]]),
    *({}, {"a": "x"}, {"a": 1}, {"a": ""}, {"a": "x", "q": 1}, {"b": 1}),
)


@dataclass(frozen=True)
class Known:
    """A schema's source, and what it accepts, told by Python."""

    source: str
    accepts: Callable[[object], bool]


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _refined(base: Known, method: str, holds: Callable[[object], bool]) -> Known:
    return Known(f"{base.source}.{method}", lambda value: base.accepts(value) and holds(value))


def strings() -> st.SearchStrategy[Known]:
    base = Known("z.string()", lambda value: isinstance(value, str))
    steps = {
        "min(1)": lambda value: len(value) >= 1,
        "nonempty('no')": lambda value: len(value) >= 1,
        "min(2)": lambda value: len(value) >= 2,
        "max(2)": lambda value: len(value) <= 2,
        "length(1)": lambda value: len(value) == 1,
        "startsWith('a')": lambda value: value.startswith("a"),
        "regex(/^a/)": lambda value: re.match("a", value) is not None,
        "describe('x')": lambda _: True,
    }
    return st.lists(st.sampled_from(sorted(steps)), max_size=3).map(lambda chosen: _chain(base, chosen, steps))


def numbers() -> st.SearchStrategy[Known]:
    base = Known("z.number()", _number)
    steps = {
        "positive()": lambda value: value > 0,
        "gt(0)": lambda value: value > 0,
        "min(0)": lambda value: value >= 0,
        "nonnegative()": lambda value: value >= 0,
        "max(2)": lambda value: value <= 2,
        "lt(2)": lambda value: value < 2,
        "int()": lambda value: float(value).is_integer(),
        "min(1)": lambda value: value >= 1,
    }
    return st.lists(st.sampled_from(sorted(steps)), max_size=3).map(lambda chosen: _chain(base, chosen, steps))


def _chain(base: Known, chosen: list[str], steps: dict[str, Callable[..., bool]]) -> Known:
    for each in chosen:
        base = _refined(base, each, steps[each])
    return base


PLAIN = st.one_of(
    strings(),
    numbers(),
    st.just(Known("z.boolean()", lambda value: isinstance(value, bool))),
    st.sampled_from([("a",), ("a", "b"), ("b", "ab")]).map(
        lambda names: Known(f"z.enum({list(names)!r})", lambda value: isinstance(value, str) and value in names)
    ),
    st.sampled_from(["a", "b"]).map(lambda name: Known(f"z.literal({name!r})", lambda value: value == name)),
)


def _wrapped(inner: st.SearchStrategy[Known]) -> st.SearchStrategy[Known]:
    return st.one_of(
        inner.map(
            lambda one: Known(
                f"z.array({one.source})", lambda value: isinstance(value, list) and all(map(one.accepts, value))
            )
        ),
        inner.map(lambda one: Known(f"{one.source}.optional()", lambda value: value is MISSING or one.accepts(value))),
        inner.map(lambda one: Known(f"{one.source}.nullable()", lambda value: value is None or one.accepts(value))),
        st.tuples(inner, inner).map(
            lambda two: Known(
                f"z.union([{two[0].source},{two[1].source}])",
                lambda value: two[0].accepts(value) or two[1].accepts(value),
            )
        ),
        inner.map(
            lambda one: Known(
                f"z.object({{a:{one.source}}})",
                lambda value: isinstance(value, dict) and one.accepts(value.get("a", MISSING)),
            )
        ),
    )


SCHEMAS = st.recursive(PLAIN, _wrapped, max_leaves=4)


@settings(max_examples=150, deadline=None)
@given(st.lists(SCHEMAS, min_size=2, max_size=6))
def test_schemas_that_read_alike_accept_alike(schemas):
    told = [(each, read(each.source)) for each in schemas]
    for (one, first), (other, second) in combinations(told, 2):
        if first == second:
            differing = [value for value in SAMPLES if one.accepts(value) != other.accepts(value)]
            assert differing == [], (one.source, other.source)


@settings(max_examples=150, deadline=None)
@given(SCHEMAS)
def test_what_is_required_is_what_must_be_there(schema):
    assert form(schema.source).required is not schema.accepts(MISSING)
