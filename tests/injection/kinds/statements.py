"""Statements in the function that makes the entry schemas, and behind schemas that are bound to names."""

from __future__ import annotations

from collections.abc import Iterator

from tests.injection.copies import Copy
from tests.injection.kinds import lists
from tests.injection.kinds.entries import FIELD, optional_string
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit, Node
from tests.injection.truth import FIELDS, MUST_BE_BLIND, SAME, Truth


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants by statements."""
    kind = "command"
    if subject.copies[0].entries[kind].bound is None:
        return
    truth = Truth({(FIELDS, kind, FIELD): ("string", False, None, frozenset(), True)})
    told = subject.declared.add_field(kind, f"{FIELD}?: string")
    fields = [n for n in subject.copies[0].entries[kind].pairs if n != "type"]
    gone = fields[-1]
    less = Truth(absent=frozenset({(FIELDS, kind, gone)}))
    untold = subject.declared.drop_field(kind, gone)

    def statement(make):
        def change(copy: Copy) -> list[Edit] | None:
            name = copy.entries[kind].bound
            text = make(name, f"{{{FIELD}:{optional_string(copy)}}}", copy)
            return None if text is None else _put(copy, text)

        return change

    for how, make in {
        "assigned": lambda n, x, c: f"{n}={n}.extend({x})",
        "assigned if true": lambda n, x, c: f"if(!0){n}={n}.extend({x})",
        "assigned in a block": lambda n, x, c: f"{{{n}={n}.extend({x})}}",
        "assigned in a try": lambda n, x, c: f"try{{{n}={n}.extend({x})}}catch{{}}",
        "assigned in a loop": lambda n, x, c: f"for(let q of[1]){n}={n}.extend({x})",
        "assigned in a while": lambda n, x, c: f"let zi=0;while(zi++<1){n}={n}.extend({x})",
        "assigned in a switch": lambda n, x, c: f"switch(1){{case 1:{n}={n}.extend({x})}}",
        "assigned by &&": lambda n, x, c: f"!0&&({n}={n}.extend({x}))",
        "assigned by destructuring": lambda n, x, c: f"[{n}]=[{n}.extend({x})]",
        "assigned in a called arrow": lambda n, x, c: f"(()=>{{{n}={n}.extend({x})}})()",
        "a property of the shape": lambda n, x, c: f"{n}.shape.{FIELD}={optional_string(c)}",
        "a key of the shape": lambda n, x, c: f'{n}.shape["{FIELD}"]={optional_string(c)}',
        "Object.assign to the shape": lambda n, x, c: f"Object.assign({n}.shape,{x})",
        "a property of the definition": lambda n, x, c: f"{n}._def.shape.{FIELD}={optional_string(c)}",
    }.items():
        yield from everywhere(subject, "field added, by statement", how, statement(make), truth, also=told)
    for how, make in {
        "omit, assigned": lambda n, x, c: f"{n}={n}.omit({{{gone}:!0}})",
        "delete of the shape": lambda n, x, c: f"delete {n}.shape.{gone}",
        "delete by key": lambda n, x, c: f'delete {n}.shape["{gone}"]',
        "Reflect.deleteProperty": lambda n, x, c: f'Reflect.deleteProperty({n}.shape,"{gone}")',
    }.items():
        yield from everywhere(subject, "field removed, by statement", how, statement(make), less, also=untold)
    for how, make in {
        "assigned on the environment": lambda n, x, c: f"if(process.env.ZQ){n}={n}.extend({x})",
        "assigned what is not there": lambda n, x, c: f"{n}=zq9({n})",
        "extended with what is not there": lambda n, x, c: f"{n}={n}.extend(zq9)",
        "assigned in a catch": lambda n, x, c: f"try{{zq9()}}catch{{{n}={n}.extend({x})}}",
        "assigned in a loop over what is not there": lambda n, x, c: f"for(let q of zq9){n}={n}.extend({x})",
        "assigned by || on what is not there": lambda n, x, c: f"zq9||({n}={n}.extend({x}))",
        "Object.assign of what is not there": lambda n, x, c: f"Object.assign({n}.shape,zq9)",
    }.items():
        yield from everywhere(subject, "entry schema unknowable", how, statement(make), MUST_BE_BLIND)
    for how, make in {
        "extended and thrown away": lambda n, x, c: f"{n}.extend({x})",
        "another name extended": lambda n, x, c: f"let zx={n}.extend({x})",
        "passed on": lambda n, x, c: f"zq9({n})",  # schemas are passed about everywhere; nothing changes them so
        "an empty statement": lambda n, x, c: ";",
        "a log": lambda n, x, c: 'console.log("made")',
        "assigned if false": lambda n, x, c: f"if(!1){n}={n}.extend({x})",
        "assigned itself": lambda n, x, c: f"{n}={n}.extend({{}})",
    }.items():
        yield from everywhere(subject, "entry schema rewritten", how, statement(make), SAME)
    yield from _returns(subject, truth, told)


def _put(copy: Copy, text: str) -> list[Edit] | None:
    """Return the edit that puts a statement behind the definitions of the entry schemas."""
    back = returned(copy)
    if back is not None:
        return [back.span.before(f"{text};")]
    made = lists.after(copy.entries["command"].call, text)
    return None if made is None else list(made)


def returned(copy: Copy) -> Node | None:
    """Return the statement with which the function that makes the entry schemas ends."""
    if copy.maker is None:
        return None
    body = copy.maker.field("body")
    assert body is not None
    return next(each for each in reversed(body.children) if each.type == "return_statement")


def _returns(subject: Subject, truth: Truth, told: list[Edit]) -> Iterator[Mutant]:
    if returned(subject.copies[0]) is None:
        return

    def change(make):
        def edits(copy: Copy) -> list[Edit]:
            back = returned(copy)
            assert back is not None
            value = back.children[0]
            name = copy.entries["command"].bound or ""
            pair = next(p for p in value.children if p.field("value") is not None and p.role("value").text == name)
            more = value.text.replace(pair.text, f"{pair.text}.extend({{{FIELD}:{optional_string(copy)}}})")
            return [back.span.to(make(value.text, more))]

        return edits

    for how, make in {
        "extended where it is returned": lambda v, m: f"return{m};",
        "returned early if true": lambda v, m: f"if(!0)return{m};return{v};",
        "returned late if false": lambda v, m: f"if(!1)return{v};return{m};",
        "returned by ?:": lambda v, m: f"return!0?{m}:{v};",
        "returned by else": lambda v, m: f"if(!1)return{v};else return{m};",
        "returned in a block": lambda v, m: f"{{return{m}}}return{v};",
        "returned in a try": lambda v, m: f"try{{return{m}}}catch{{}}return{v};",
        "returned in a switch": lambda v, m: f"switch(1){{case 1:return{m};default:return{v}}}",
        "returned by a name": lambda v, m: f"let zr={m};return zr;",
        "returned with a spread": lambda v, m: f"return{{...{m}}};",
        "returned by Object.freeze": lambda v, m: f"return Object.freeze({m});",
        "returned by a sequence": lambda v, m: f"return(0,{m});",
        "returned by Object.assign": lambda v, m: f"return Object.assign({{}},{m});",
        "returned in finally": lambda v, m: f"try{{return{v}}}finally{{return{m}}}",
    }.items():
        yield from everywhere(subject, "field added, by return", how, change(make), truth, also=told)
    for how, make in {
        "returned on the environment": lambda v, m: f"if(process.env.ZQ)return{m};return{v};",
        "returned by ?: on the environment": lambda v, m: f"return process.env.ZQ?{m}:{v};",
        "returned in a catch": lambda v, m: f"try{{zq9()}}catch{{return{m}}}return{v};",
        "returned in a loop over what is not there": lambda v, m: f"for(let q of zq9)return{m};return{v};",
        "returned by a switch on the environment": lambda v, m: (
            f'switch(process.env.ZQ){{case"1":return{m}}}return{v};'
        ),
        "returned by what is not there": lambda v, m: f"return zq9({v});",
        "returned with a spread of what is not there": lambda v, m: f"return{{...{v},...zq9}};",
    }.items():
        yield from everywhere(subject, "entry schema unknowable", how, change(make), MUST_BE_BLIND)
    for how, make in {
        "returned early if false": lambda v, m: f"if(!1)return{m};return{v};",
        "returned by ?: on false": lambda v, m: f"return!1?{m}:{v};",
        "a return after the return": lambda v, m: f"return{v};return{m};",
        "parenthesised": lambda v, m: f"return({v});",
    }.items():
        yield from everywhere(subject, "entry schema rewritten", how, change(make), SAME)
