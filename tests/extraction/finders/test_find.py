"""Finding a closed set in an artefact: every form, what tells candidates apart, and what is blind."""

import pytest

from driftgate.errors import ExtractionError
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.finders.search import find_sets
from driftgate.surface import FieldTable, Vocabulary
from driftgate.upstreams.finder import Finder, Form
from tests.extraction.finders.packages import artefact


def find(files, finder):
    (found,) = find_sets({"modes": finder}, [artefact(files)])
    return found


BUNDLED = """var M = /* @__PURE__ */ ((E) => {
  E["Ask"] = "ask";
  E["Plan"] = "plan";
  E.Auto = "auto";
  return E;
})(M || {});"""


MODES = ("ask", "plan", "auto")
ASKED = Finder(contains=("ask", "plan"))

FORMS = [
    ("array", Form.ARRAY, 'var m=["ask","plan","auto"];'),
    ("single quotes, comments, a last comma", Form.ARRAY, "const m = ['ask', /* then */ 'plan',\n 'auto',];"),
    ("set", Form.SET, 'var m=new Set(["ask","plan","auto"]);'),
    ("union of literals", Form.UNION, 'var m=z.union([z.literal("ask"),z.literal("plan"),z.literal("auto")]);'),
    (
        "enum as the compiler writes it",
        Form.ENUM,
        'var M;(function(E){E["Ask"]="ask";E["Plan"]="plan";E["Auto"]="auto"})(M||(M={}));',
    ),
    (
        "enum as a bundler writes it",
        Form.ENUM,
        BUNDLED,
    ),
    ("enum, minified", Form.ENUM, 'var M=(e=>(e.Ask="ask",e.Plan="plan",e.Auto="auto",e))(M||{});'),
]


@pytest.mark.parametrize(("form", "code"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS])
def test_every_form_reads_the_same(form, code):
    found = find({"a.js": f"let x=[];{code}let y=f({{}});"}, ASKED)
    assert found.members == MODES
    assert str(found.evidence[0].witnesses[0].how) == form
    assert found.evidence[0].place.source == "package/a.js"
    assert found.evidence[0].place.offset > 0


def test_keys_of_an_object_are_looked_at_only_where_they_are_asked_for():
    files = {"a.js": 'x={ask:{d:"a"},plan:{d:"b"},["auto" /* auto */]:{d:"c"}}'}
    assert find(files, Finder(contains=("ask", "plan"), forms=(Form.KEYS,))).members == MODES
    with pytest.raises(NotStatedError):
        find(files, ASKED)


def test_what_something_is_called_with():
    files = {"a.js": 'f(){fire("ask");fire("plan");fire("auto")}'}
    assert find(files, Finder(contains=("ask",), used_by="fire(X)", forms=(Form.CALLS,))).members == MODES


DECOYS = 'var d=["ask","plan","auto","old"],e=["ask","plan"],m=["ask","plan","auto"];p=z.enum(m);q=d.length;'


def test_use_tells_it_from_decoys_that_are_larger_or_come_first():
    assert find({"a.js": DECOYS}, Finder(contains=("ask",), used_by="enum(X)")).members == MODES


def test_use_is_followed_through_imports():
    files = {
        "chunk-a.js": 'var m=["ask","plan","auto"],d=["ask","plan","x"];export{m as E,d as D};',
        "chunk-b.js": 'import{E as q,D as r}from"./chunk-a.js";v=Object.values(q);w=r.length;',
    }
    assert find(files, Finder(contains=("ask",), used_by="Object.values(X)")).members == MODES


def test_use_where_the_literal_stands_itself():
    files = {"a.js": 'd=["ask","plan"];p=z.record(z.enum(["ask","plan","auto"]),z.array(x))'}
    assert find(files, Finder(contains=("ask",), used_by="record(enum(X), array(...))")).members == MODES


def test_equal_copies_are_one_set():
    copy = 'm=["ask","plan","auto"];'
    found = find({"a.js": copy, "b.mjs": copy}, ASKED)
    assert found.members == MODES
    assert "2 equal" in found.evidence[0].witnesses[0].note


def test_several_sets_are_blind_and_all_listed_with_what_tells_them_apart():
    with pytest.raises(ExtractionError, match="several sets") as caught:
        find({"a.js": DECOYS}, ASKED)
    text = str(caught.value)
    assert "4 members, array d in package/a.js at byte 6, beyond the others: auto, old, used as: q=X.length" in text
    assert "3 members, array m in package/a.js at byte 53, beyond the others: auto, used as: p=z.enum(X)" in text
    assert "2 members, array e in package/a.js at byte 36, used as: by no name" in text


NOT_FOUND = [
    ("withheld", Finder(contains=("ask", "never")), "no array, set, enum, union that holds all of"),
    ("too small", Finder(contains=("ask",), least=9), "only smaller ones"),
    ("used otherwise", Finder(contains=("ask",), used_by="record(X)"), "none that is used so"),
    ("no such export", Finder(export="Modes"), "no declaration file that exports it"),
]


@pytest.mark.parametrize(("finder", "words"), [case[1:] for case in NOT_FOUND], ids=[case[0] for case in NOT_FOUND])
def test_nothing_found_is_blind_and_says_what_there_is(finder, words):
    with pytest.raises(NotStatedError) as caught:
        find({"a.js": DECOYS, "a.d.ts": "type Modes = 'ask';"}, finder)
    assert words in caught.value.found


def test_a_name_that_stands_everywhere_is_blind_and_says_so():
    with pytest.raises(ExtractionError, match="too many places"):
        find({"a.js": 'f("ask");' * 6000}, Finder(contains=("ask",)))


def test_code_that_cannot_be_parsed_is_passed_over():
    code = 'x=[a b "ask","plan"];y={"ask" "plan"};z=("ask";w=/[("ask/;m=["ask","plan","auto"];'
    assert find({"a.js": code}, ASKED).members == MODES


def test_a_member_pattern_narrows_the_files():
    files = {"a.js": 'm=["ask","plan","auto"]', "old/a.js": 'm=["ask","plan"]'}
    assert find(files, Finder(contains=("ask",), member="a.js")).members == MODES


def test_the_second_artefact_is_asked_for_what_the_first_does_not_state():
    first, second = artefact({"a.js": ""}), artefact({"a.js": 'm=["ask","plan","auto"]'})
    (found,) = find_sets({"modes": ASKED}, [first, second])
    assert isinstance(found, Vocabulary)
    assert found.members == MODES
    with pytest.raises(NotStatedError):
        find_sets({"modes": ASKED}, [first])


EXPORTS = [
    ("union", "export type Mode = 'ask' | 'plan' | 'auto';"),
    ("declared union", "export declare type Mode = 'ask' | 'plan' | 'auto';"),
    ("tuple", "export declare const Mode: readonly ['ask', 'plan', 'auto'];"),
    ("enum", "export declare enum Mode { Ask = 'ask', Plan = 'plan', Auto = 'auto' }"),
    ("keys of an interface", "export interface Mode { ask?: string; plan(): void; 'auto': { x: 1 } }"),
    ("exported at the end", "declare type Mode = 'ask' | 'plan' | 'auto';\nexport { Mode };"),
]


@pytest.mark.parametrize("text", [case[1] for case in EXPORTS], ids=[case[0] for case in EXPORTS])
def test_every_kind_of_export(text):
    found = find({"a.d.ts": f"// modes\n{text}\n"}, Finder(export="Mode"))
    assert found.members == MODES
    assert found.evidence[0].place.offset > len("// modes\n")


def test_an_export_may_have_to_be_used_so():
    text = "export interface Mode { ask: 1; plan: 2; auto: 3 }\n"
    used = text + "export type Plugin = () => Promise<Mode>;"
    finder = Finder(export="Mode", used_by="Promise<X>")
    assert find({"a.d.ts": used}, finder).members == MODES
    with pytest.raises(NotStatedError):
        find({"a.d.ts": text}, finder)


def test_declaration_files_that_contradict_each_other_are_blind():
    files = {"a.d.ts": "export type Mode = 'ask' | 'plan';", "b.d.ts": "export type Mode = 'ask';"}
    with pytest.raises(ExtractionError, match="contradict"):
        find(files, Finder(export="Mode"))
    files["b.d.ts"] = "export { Mode } from './a';"
    assert find(files, Finder(export="Mode")).members == ("ask", "plan")


def test_an_export_that_cannot_be_read_names_the_construct():
    with pytest.raises(ExtractionError, match="string"):
        find({"a.d.ts": "export type Mode = string;"}, Finder(export="Mode"))


def test_a_pattern_gives_the_types_with_their_fields():
    text = """
    type Base = { id: string; /** where */ cwd?: string };
    export type StartInput = Base & { name: 'start'; source: 'a' | 'b' };
    export interface StopInput { active: boolean; tags: string[] }
    export type AnyInput = StartInput | StopInput;
    interface HiddenInput { x: string }
    """
    table = find({"a.d.ts": text}, Finder(export="*Input", least=2))
    assert isinstance(table, FieldTable)
    words = {row: [f"{field.name}: {field.words}" for field in fields] for row, fields in table.rows.items()}
    assert words == {
        "StartInput": [
            "id: required string",
            "cwd: optional string",
            "name: required enum of start",
            "source: required enum of a | b",
        ],
        "StopInput": ["active: required boolean", "tags: required array<string>"],
    }
    with pytest.raises(ExtractionError, match="smaller"):
        find({"a.d.ts": text}, Finder(export="*Input", least=3))


WHOLE = [
    ("a spread of a list", 'var b=["ask","plan"],m=[...b,"auto"];z.enum(m)'),
    ("a spread where it is used", 'var b=["ask","plan"];z.enum([...b,"auto"])'),
    ("concat", 'var b=["ask","plan"],m=b.concat("auto");z.enum(m)'),
    ("a member by a name", 'var x="auto",b=["ask","plan"],m=[...b,x];z.enum(m)'),
    ("a copy that grows beside it", 'var m=["ask","plan","auto"],c=[...m];c.push("old");z.enum(m)'),
    ("asked whether it holds", 'var m=["ask","plan","auto"];if(m.includes(q))z.enum(m).optional()'),
]
"""Sets that are written in a way that can be read whole; the use is enum(X)."""


@pytest.mark.parametrize("code", [case[1] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_a_set_that_is_made_of_another_is_read_whole(code):
    assert set(find({"a.js": code}, Finder(contains=("ask", "plan"), used_by="enum(X)")).members) == set(MODES)


IN_PART = [
    ("a member that is no text", 'var m=["ask","plan",q()];z.enum(m)'),
    ("a spread of what is not there", 'var m=["ask","plan",...q];z.enum(m)'),
    ("push", 'var m=["ask","plan"];m.push("auto");z.enum(m)'),
    ("push in a callback", 'var m=["ask","plan"];["auto"].forEach(e=>m.push(e));z.enum(m)'),
    ("by index", 'var m=["ask","plan"];m[2]="auto";z.enum(m)'),
    ("assigned again", 'var m=["ask","plan"];m=q(m);z.enum(m)'),
    ("given to what is not known", 'var m=["ask","plan"];q(m);z.enum(m)'),
    ("or", 'var m=["ask","plan"];z.enum(m).or(z.literal("auto"))'),
    ("exclude", 'var m=["ask","plan","auto"];z.enum(m).exclude(["auto"])'),
    ("or, in its place", 'z.enum(["ask","plan"]).or(z.literal("auto"))'),
    ("concat, in its place", 'z.enum(["ask","plan"].concat(q))'),
    ("a Set that grows", 'var m=new Set(["ask","plan"]);m.add("auto");z.enum(m)'),
    (
        "another module's push",
        {"a.js": 'var m=["ask","plan"];export{m as E};z.enum(m)', "b.js": 'import{E}from"./a.js";E.push("ask","plan")'},
    ),
]
"""Sets of which a part is not understood: blind, with the place."""


@pytest.mark.parametrize("code", [case[1] for case in IN_PART], ids=[case[0] for case in IN_PART])
def test_a_part_that_is_not_understood_is_blind(code):
    files = code if isinstance(code, dict) else {"a.js": code}
    with pytest.raises(ExtractionError) as caught:
        find(files, Finder(contains=("ask", "plan"), used_by="enum(X)"))
    assert "a.js" in str(caught.value) or "b.js" in str(caught.value)


ENUMS_IN_PART = [
    ("a member of another enum", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e.Auto=Q.Auto,e))(M||{});Object.values(M)'),
    (
        "a member by a call",
        'var M;(function(E){E["Ask"]="ask";E["Plan"]="plan";E["Auto"]=q()})(M||(M={}));Object.values(M)',
    ),
    ("a statement among them", 'var M;(function(E){E["Ask"]="ask";E["Plan"]="plan";q(E)})(M||(M={}));Object.values(M)'),
    ("a member afterwards", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e))(M||{});M.Auto="auto";Object.values(M)'),
    ("assigned to", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e))(M||{});Object.assign(M,{Auto:"auto"});Object.values(M)'),
    ("a part of a list", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e))(M||{});v=[...Object.values(M),"auto"]'),
    ("concat behind it", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e))(M||{});v=Object.values(M).concat("auto")'),
    ("filtered", 'var M=(e=>(e.Ask="ask",e.Plan="plan",e.Auto="auto",e))(M||{});v=Object.values(M).filter(q)'),
]


@pytest.mark.parametrize("code", [case[1] for case in ENUMS_IN_PART], ids=[case[0] for case in ENUMS_IN_PART])
def test_an_enum_of_which_a_part_is_not_understood_is_blind(code):
    with pytest.raises(ExtractionError, match=r"a\.js"):
        find({"a.js": code}, Finder(contains=("ask", "plan"), used_by="Object.values(X)"))


def test_calls_with_something_that_is_no_text_are_blind():
    files = {"a.js": 'fire(e){return e}f(){this.fire("ask");this.fire("plan");this.fire(q)}'}
    with pytest.raises(ExtractionError, match="a call with no text"):
        find(files, Finder(contains=("ask",), used_by="fire(X)", forms=(Form.CALLS,)))


def test_the_same_name_in_another_file_that_is_not_used_so_is_said():
    files = {
        "a.d.ts": "export type P = (x: string) => Promise<Hooks>;\nexport interface Hooks { ask: 1; plan: 2 }\n",
        "v2/b.d.ts": "export type Hooks<T> = { readonly [N in keyof T]: T[N] };\n",
    }
    found = find(files, Finder(export="Hooks", used_by="Promise<X>"))
    assert found.members == ("ask", "plan")
    assert "v2/b.d.ts" in found.evidence[0].witnesses[0].note
