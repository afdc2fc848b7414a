"""The parts of extraction, each by a table: cutting, scanning, modules, kinds, declaration types."""

from __future__ import annotations

import pytest

from driftgate.extraction.declarations import read_declarations
from driftgate.extraction.declared_types import ArrayOf, Name, ObjectOf, Property, Text, TypesError, UnionOf, parse_type
from driftgate.extraction.javascript import cut, syntax, windows
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.javascript.values import UNDEFINED, Pattern, Schema, SetOf, Unknown
from driftgate.extraction.javascript.zod_makers import AmbiguousKindError, KindReader
from tests.extraction import bundles

# --- cut -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "rest"),
    [
        ("a", ",b"),
        ("f(a,b)", ",c"),
        ('"a,b;c)"', ","),
        (r"'it\'s, \\'", ";"),
        ("`a,${b({x:`,${1}`},2)},c`", ","),
        ("a/b", ",c/d"),
        (r"/[/,\]]+,\/(/g.test(x)", ","),
        ("x=>/,/u", ")"),
        ("()=>{let a=1,b;return[a,b]}", "}"),
        ("a/*,*/+b", ";"),
        ("a//,\n+b", ","),
        ("(a,b)", "]"),
    ],
)
def test_an_expression_ends_where_javascript_says(expression, rest):
    assert cut.end_of_expression((expression + rest).encode(), 0) == len(expression)


@pytest.mark.parametrize(
    "body",
    [
        "function f(a,b={c:1}){return `}`}",
        "function(){}",
        "class A extends B{get x(){return/}/}}",
        "class{static a=1;#b(){return'}'}}",
        "(e,t)=>{return{e,t}}",
    ],
)
def test_a_function_ends_with_its_body(body):
    assert cut.end_of_body((body + ";x()}").encode(), 0) == len(body)


@pytest.mark.parametrize("text", ['f("', "f(`${", "f(/*", "f(", "`a", "f([)", "/[", "'a\nb'"])
def test_what_does_not_end_is_an_error(text):
    with pytest.raises(cut.CutError):
        cut.end_of_expression(text.encode(), 0)
    with pytest.raises(cut.CutError):
        cut.end_of_body(b"function f();{" if text == "f(" else text.encode(), 0)


def test_occurrences_are_whole_names():
    text = b"ab;xab;ab1;a.ab;[...ab];$ab;ab$;ab"
    assert [text[at - 1 : at + 3] for at in cut.occurrences(text, b"ab")] == [b"", b".ab]", b";ab"]


# --- scan ------------------------------------------------------------------------------------------------------------

NEEDLES = (b"needle", b"pin")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"", []),
        (b"\0\0\0", []),
        (b"hay", []),
        (b"needle", [(0, b"needle")]),
        (b"\0needle\0", [(1, b"needle")]),
        (b"a\0hay needle\0pin hay needle\0\0hay\0a pin", [(2, b"hay needle"), (13, b"pin hay needle"), (33, b"a pin")]),
        (b"need\0le", []),
        (b"pin" + b"x" * 50 + b"\0" + b"y" * 50, [(0, b"pin" + b"x" * 50)]),
        (b"x" * 50 + b"pin\0", [(0, b"x" * 50 + b"pin")]),
    ],
)
@pytest.mark.parametrize("piece", [1, 2, 3, 5, 8, 1000])
def test_runs_that_hold_a_needle_are_kept_whole(text, found, piece):
    pieces = (text[at : at + piece] for at in range(0, len(text), piece))
    assert [(run.offset, run.text) for run in windows.runs(pieces, NEEDLES)] == found


@pytest.mark.parametrize("read", [windows.runs, windows.whole])
def test_a_run_has_a_greatest_length(read, monkeypatch):
    monkeypatch.setattr(windows, "MAX_RUN", 99)
    with pytest.raises(windows.RunTooLongError):
        list(read(b"x" * 10 for _ in range(10)))


def test_a_script_is_one_run():
    assert [run.text for run in windows.whole([b"a\0", b"b"])] == [b"a\0b"]
    assert list(windows.whole([])) == []


# --- modules ---------------------------------------------------------------------------------------------------------


def module(text: str, file: str | None = None) -> Module:
    return Module(file or "cli.js", 0, text.encode(), file)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('var ab=["x"],c=1;', ("x",)),
        ('let ab = [ "x" ];' * 1, ("x",)),
        ('var ab;z(()=>{ab=["x"]});', ("x",)),
        ('function q(){let ab=["no"];return ab}var ab=["x"];', ("x",)),
        ('var ab=["x"];function q(b,ab){let c=2,ab=["no"]}', ("x",)),
        ('var ab=["x"];ab=["y"];', ("y",)),
        ('var ab=["x"];ab.push("y");ab=[...ab,"z"];', ("x", "y", "z")),
        ('var ab=["x","y"];ab.splice(ab.indexOf("x"),1);', ("y",)),
        ('var ab=new Set(["x"]);ab.add("y");ab.delete("x");', ("y",)),
        ('var ab=["x"];f(ab);ab=["y"];', None),
        ('var ab=["x"];if(q)ab=["y"];', None),
        ('var ab=["x"];function g(){ab=["y"]}', None),
        ('var ab=["x"];ab.push(q);', None),
        ('var ab=["x"];z(()=>{ab=["x"]});', None),
        ('var ab=["x"];var b="ab=1";', ("x",)),
        ('const ab = ["x"];\nconst c = 1;', ("x",)),
        ('var c,ab=["x"],d;', ("x",)),
        ('var \u00e9b=["x"],ab=[...\u00e9b];', ("x",)),
        ('var ab=["x"].concat(["y"],"z");', ("x", "y", "z")),
        ('var o={a:"x",b:"y"},ab=Object.keys(o);', ("a", "b")),
        ('var o={a:"x",b:"y"},ab=Object.values(o);', ("x", "y")),
        ('var ab=[...new Set(["x","x","y"])];', ("x", "y")),
        ('var t=!0,ab=t?["x"]:["y"];', ("x",)),
        ('var ab=c?["x"]:["y"];', None),
        ('var ab=["x","y"].filter((e)=>e!=="y");', ("x",)),
        ('var ab=["x","y"].filter(Boolean);', ("x", "y")),
        ('var ab=["x"].map((e)=>e+"1");', ("x1",)),
        ('var ab=["x"].map(other);', None),
        ('var ab=/* @__PURE__ */Object.freeze(["x"]);', ("x",)),
        ('var ab=(0,["x"]);', ("x",)),
        ('var ab=(q(),["x"]);', ("x",)),
        ('var ab=(q(1),["x"]);', None),
        ('var ab=["x"]\n.concat(["y"]);', ("x", "y")),
        ("var ab=[`x`,`${1}y`];", ("x", "1y")),
        ("var ab=[`x${y}`];", None),
        ('class A{#ab=["no"];f(){this.#ab=1}}var ab=["x"];', ("x",)),
        ('x.ab=["no"];var $ab=["no"],ab$=["no"];ab==["no"];', None),
        ('var ab=Object.freeze(["x"]);', ("x",)),
        ('var cd=["y"],ab=[...cd,"x"];', ("y", "x")),
        ('var ab=[...more,"x"];', None),
        ('var ab=["x",,"y"];', None),
        ("var ab=cd,cd=ab;", None),
        ("var ab=(", None),
        ('function ab(){return["x"]}', None),
    ],
)
def test_what_a_name_stands_for(text, value):
    read = module(text)
    evaluator = Evaluator(Program((read,)))
    found = evaluator.global_name(read, "ab")
    if value:
        assert evaluator.plain(found) == value
    else:
        plain = evaluator.plain(found)
        assert not isinstance(plain, tuple) or any(isinstance(each, Unknown) for each in plain)


def test_imports_lead_to_the_module_that_is_named():
    user = module('import{a as b,c}from"./one.mjs";import d from"node:x";', "user.mjs")
    one = module('var z=["x"];export{z as a};', "one.mjs")
    two = module('var z=["no"];export{z as a,z as c};', "two.mjs")
    program = Program((user, one, two))
    assert program.resolve(user, "b") == (one, "z")
    assert program.resolve(user, "c") is None
    assert program.resolve(user, "d") is None
    evaluator = Evaluator(program)
    assert evaluator.plain(evaluator.global_name(user, "b")) == ("x",)


def test_modules_without_names_are_found_by_what_they_export():
    user = module('import{a as b,c}from"/$bunfs/root/chunk-1.js";')
    one, two, three = module("export{z as a};"), module("export{c};"), module("export{d as c};")
    assert Program((user, one, two)).resolve(user, "b") == (one, "z")
    assert Program((user, one, two)).resolve(user, "c") == (two, "c")
    assert Program((user, one, two, three)).resolve(user, "c") is None


# --- kinds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [bundles.ZOD, bundles.CLASSES])
def test_kinds_are_read_from_definitions(library):
    read = module(library)
    kinds = KindReader(Program((read,)))
    assert {name: kinds.kind_of(read, name) for name in bundles.HELPERS} == {
        "S": "string",
        "ee": "number",
        "v": "boolean",
        "ve": "unknown",
        "T": "object",
        "Li": "literal",
        "K": "enum",
        "de": "record",
        "C$": "record",
        "L": "array",
        "as": "union",
        "He": "preprocess",
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("function u(e){return new C({type:'x'})}", "x"),
        ("var u=(e)=>new C({type:'x'});", "x"),
        ("function u(e){return w(e)}", None),
        ("function u(e){return new C(e)}class C extends C{}", None),
        ("function u(e){return new C}class C{get type(){return this.t}}", None),
        ("function u(e){return e}", None),
        ("function u(e,C){return new C}class C{get type(){return'x'}}", None),
        ('function u(e){return new C}var C=make("ZodEmailFormat",f);', "emailFormat"),
        ('function u(e){if(e){return new C}else return new C}var C=make("ZodDate",f);', "date"),
        ("var u=1;", None),
        ("function u(e){return new C({type:'x'}) oops", None),
        ("function u(e){(}", None),
    ],
)
def test_a_kind_or_none(text, kind):
    read = module(text)
    assert KindReader(Program((read,))).kind_of(read, "u") == kind


def test_two_kinds_of_one_name_are_an_error():
    read = module("function u(e){return new C({type:'x'})}function u(e){return new C({type:'y'})}")
    with pytest.raises(AmbiguousKindError, match="`u` makes x or y"):
        KindReader(Program((read,))).kind_of(read, "u")


# --- expressions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"a"+"b"', "ab"),
        ("`a${x}b`", Unknown),
        ("`a${1+1}b`", "a2b"),
        ('"a"+x', Unknown),
        ("1", 1),
        ("!0", True),
        ("!x", Unknown),
        ("void 0", UNDEFINED),
        ("null", None),
        ("/x/g", Pattern("x", "g")),
        ("new Set(['a','b','a'])", SetOf(("a", "b"))),
        ("new Map([])", Unknown),
        ("new Set(q)", Unknown),
        ("[1,[2]]", (1, (2,))),
        ('({a:"x",...{b:"y"}}).b', "y"),
        ('({a:"x"})["a"]', "x"),
        ("({a:1,...q}).a", Unknown),
        ("({[k]:1}).a", Unknown),
        ("({['a'+'b']:1}).ab", 1),
        ("({get a(){return 1}}).a", Unknown),
        ("({a(){return 2}}).a()", 2),
        ("({a:1}).b", Unknown),
        ("(()=>3)()", 3),
        ("((a,b)=>a)(4)", 4),
        ("((a,b)=>b)(4)", UNDEFINED),
        ("((a,b=5)=>b)(4)", 5),
        ("((...a)=>a.length)(4,5)", 2),
        ("(({a,...r})=>r)({a:1,b:2}).b", 2),
        ("(()=>{let a=5,{b,c:d}={b:6,c:7};return[a,b,d]})()", (5, 6, 7)),
        ("(()=>{let[a,b]=[1,2];return b})()", 2),
        ("(()=>{let{b}=q;return b})()", Unknown),
        ("(()=>{function f(){return 8}return f()})()", 8),
        ("((a)=>{if(a)return 1;return 2})(!0)", 1),
        ("((a)=>{if(a)return 1;else{return 2}})(0)", 2),
        ("((a)=>{if(q)return 1;return 2})(0)", Unknown),
        ("(()=>{f()})()", UNDEFINED),
        ("(()=>{f(1)})()", Unknown),
        ("(()=>{return})()", UNDEFINED),
        ("(()=>{let a=[1];a.push(2);return a})()", Unknown),
        ("(()=>{let a=[1],b=a.push(2);return a})()", Unknown),
        ("((a)=>{delete a.b;return a})({b:1})", Unknown),
        ("((a)=>{a.b=2;return a})({b:1})", Unknown),
        ("((a)=>{for(;;)return a})(1)", Unknown),
        ("(()=>{try{return 1}catch{}return 2})()", Unknown),
        ("((a)=>{switch(a){case 1:return 2}})(1)", Unknown),
        ("(function(){return arguments[0]})(1)", Unknown),
        ("(async()=>1)()", Unknown),
        ("[1,2].at(0)", Unknown),
        ("[...[1],...'ab']", (1, "a", "b")),
        ("[,1]", Unknown),
        ("q.w", Unknown),
        ("[1,2].concat(q)", Unknown),
        ("Math.random()", Unknown),
        ("a?.b", Unknown),
        ("null?.b", UNDEFINED),
        ("null??1", 1),
        ("0||'x'", "x"),
        ("1&&'x'", "x"),
        ("1===1?'a':'b'", "a"),
        ("'a'!=='a'", False),
        ("x===1", Unknown),
        ("typeof 'a'", "string"),
        ("f(", Unknown),
        ("a b", Unknown),
    ],
)
def test_an_expression_evaluates_or_stays_unknown(source, value):
    read = module("var b=9,x0=9;f(q,x,k,[a],{w});")
    evaluator = Evaluator(Program((read,)))
    found = evaluator.plain(evaluator.source(read, source.encode()))
    if value is Unknown:
        assert isinstance(found, Unknown)
    elif isinstance(value, SetOf):
        assert found == value.members
    else:
        assert found == value


def test_lazy_schemas_are_seen_through():
    read = module("")
    evaluator = Evaluator(Program((read,)))
    found = evaluator.force(evaluator.source(read, b'z.lazy(()=>z.string().min(1)).describe("x")'))
    assert isinstance(found, Schema)
    assert (found.kind, [step.name for step in found.steps]) == ("string", ["min", "describe"])
    assert isinstance(evaluator.force(evaluator.source(read, b"z.lazy(()=>1)")), Unknown)


def test_depth_is_bounded():
    read = module("function f(){return g()}function g(){return f()}" + "(" * 5)
    evaluator = Evaluator(Program((read,)))
    assert isinstance(evaluator.force(evaluator.source(read, b"f()")), Unknown)
    assert evaluator.source(read, b"(()=>" * 70 + b"1" + b")" * 70) is not None
    assert evaluator.source(read, b"[" * 70 + b"1" + b"]" * 70) is not None


WRAPPERS = [
    ("(q)=>{let k;return()=>k??=q()}", True),
    ("(q)=>{let k;return()=>k||(k=q())}", True),
    ("function(q){var k;return function(){return void 0===k&&(k=q()),k}}", True),
    ("(q)=>{let k,r=()=>{k=void 0};return all.push(r),()=>{if(k===void 0)k=q();return k}}", True),
    ("(q)=>()=>q()", True),
    ("(q)=>q", True),
    ("(q)=>()=>q().optional()", False),
    ("(q)=>{let k;return()=>k??=q().optional()}", False),
    ("(q)=>{let k;return()=>k??=other(q)}", False),
    ("(q)=>{let k=1;return()=>k}", False),
    ("(q,r)=>()=>q()", True),
    ("(q)=>(a)=>q()", True),
    ("(q)=>{let k;return(a)=>k??=q()}", False),
]


@pytest.mark.parametrize(("source", "is_one"), WRAPPERS)
def test_a_wrapper_is_told_by_its_definition(source, is_one):
    read = module(f"var mm={source};f([all],z.object());")
    evaluator = Evaluator(Program((read,)))
    found = evaluator.force(evaluator.source(read, b"mm(()=>z.string())()"))
    assert (isinstance(found, Schema) and found.steps == ()) is is_one


def test_a_slice_has_a_greatest_length():
    with pytest.raises(syntax.JsError, match="at most"):
        syntax.parse(b" " * (syntax.MAX_SLICE + 1))
    with pytest.raises(syntax.JsError):
        syntax.parse(b"'\xff'")


# --- declarations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("string;", Name("string")),
        ("| 'a' | \"b\";", UnionOf((Text("a"), Text("b")))),
        ("readonly ['a', 'b',];", UnionOf((Text("a"), Text("b")))),
        ("('a' | string)[][];", ArrayOf(ArrayOf(UnionOf((Text("a"), Name("string")))))),
        ("Partial<A, B<C>>;", Name("Partial<...>")),
        ("{ /* } */ a?: b.c; readonly 'd-e': null, [k: string]: 1 }", None),
        ("{};", ObjectOf((), None)),
    ],
)
def test_types(text, parsed):
    expected = parsed or ObjectOf((Property("a", True, Name("b.c")), Property("d-e", False, Name("null"))), Name("1"))
    assert parse_type(text.encode(), 0) == expected


@pytest.mark.parametrize(
    "text", ["", "(", "{ a", "{ a b }", "'a' |", "[...", "string[1]", "=> x", "{ a: b(): c }", "(" * 9999]
)
def test_types_that_are_not_understood(text):
    with pytest.raises(TypesError):
        parse_type(text.encode(), 0)


def test_a_file_that_states_nothing_of_hooks():
    assert read_declarations("x.d.ts", b"export type Hooks = string; hooks?: { a: string; }") is None


def test_kinds_of_declared_fields():
    entries = (
        "{ type: 'a'; b: boolean; c?: string | number; d?: { e: string; }; f?: 'x'; g: { [k: string]: number; }[];"
        " h: 'x' | 'y'; }"
    )
    read = read_declarations("x.d.ts", bundles.declared(entries=entries).encode())
    assert read is not None
    assert read.entries is not None
    (entry,) = read.entries
    assert [(field.name, field.kind, field.required, field.values) for field in entry.fields] == [
        ("b", "boolean", True, None),
        ("c", "string|number", False, None),
        ("d", "object", False, None),
        ("f", "enum", False, ("x",)),
        ("g", "array<record<string,number>>", True, None),
        ("h", "enum", True, ("x", "y")),
    ]


@pytest.mark.parametrize("entries", ["{ kind: 'a'; }", "{ type: string; }", "string", "{ type: 'a'; } | string"])
def test_declared_entries_need_a_literal_type(entries):
    read = read_declarations("x.d.ts", bundles.declared(entries=entries).encode())
    assert read is not None
    assert read.entries is None
