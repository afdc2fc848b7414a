"""Entry types and their fields come, go, are renamed, and change their requiredness, in every form of a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.injection.copies import Copy, ObjectSite, chain_base
from tests.injection.kinds import lists
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit, Node
from tests.injection.truth import FIELDS, MUST_BE_BLIND, SAME, SHELLS, TYPES, Truth, added, removed

FIELD = "zedField"
TYPE = "zed_type"


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of the entry schemas and their union."""
    for kind in subject.copies[0].entries:
        yield from _field_added(subject, kind)
        yield from _field_removed(subject, kind)
        yield from _fields_renamed(subject, kind)
        yield from _requiredness(subject, kind)
        yield from _openness(subject, kind)
        yield from _type_renamed(subject, kind)
    yield from _types_added(subject)
    yield from _types_removed(subject)
    yield from _shells(subject)


def called(site: ObjectSite, literal: str) -> str:
    """Return the object schema of a site with another literal."""
    return f"{site.callee}({literal})"


def optional_string(copy: Copy) -> str:
    """Return the schema of an optional string."""
    return f"{copy.words['string']}().optional()"


def _field_added(subject: Subject, kind: str) -> Iterator[Mutant]:
    truth = Truth({(FIELDS, kind, FIELD): ("string", False, None, frozenset(), True)})
    told = subject.declared.add_field(kind, f"{FIELD}?: string")

    def whole(make):
        return lambda copy: [copy.entries[kind].call.span.to(make(copy, copy.entries[kind]))]

    forms = {
        "last in the literal": lambda c, s: called(s, f"{s.literal.text[:-1]},{FIELD}:{optional_string(c)}}}"),
        "first in the literal": lambda c, s: called(s, f"{{{FIELD}:{optional_string(c)},{s.literal.text[1:]}"),
        "a quoted key": lambda c, s: called(s, f'{s.literal.text[:-1]},"{FIELD}":{optional_string(c)}}}'),
        "a computed key": lambda c, s: called(s, f'{s.literal.text[:-1]},["{FIELD}"]:{optional_string(c)}}}'),
        "a computed key of two texts": lambda c, s: called(s, f'{s.literal.text[:-1]},["zed"+"Field"]:{optional_string(c)}}}'),
        "a spread of a literal, last": lambda c, s: called(s, f"{s.literal.text[:-1]},...{{{FIELD}:{optional_string(c)}}}}}"),
        "a spread of the rest": lambda c, s: called(s, f"{{...{s.literal.text},{FIELD}:{optional_string(c)}}}"),
        "a spread of a shape": lambda c, s: called(s, f"{{...{s.call.text}.shape,{FIELD}:{optional_string(c)}}}"),
        "a spread of another object's shape": lambda c, s: called(s, f"{s.literal.text[:-1]},...{called(s, f'{{{FIELD}:{optional_string(c)}}}')}.shape}}"),
        "a spread on a condition that is true": lambda c, s: called(s, f"{s.literal.text[:-1]},...!0&&{{{FIELD}:{optional_string(c)}}}}}"),
        "Object.assign": lambda c, s: called(s, f"Object.assign({{}},{s.literal.text},{{{FIELD}:{optional_string(c)}}})"),
        "Object.fromEntries": lambda c, s: called(s, f'{{...{s.literal.text},...Object.fromEntries([["{FIELD}",{optional_string(c)}]])}}'),
        "extend": lambda c, s: f"{s.call.text}.extend({{{FIELD}:{optional_string(c)}}})",
        "safeExtend": lambda c, s: f"{s.call.text}.safeExtend({{{FIELD}:{optional_string(c)}}})",
        "merge": lambda c, s: f"{s.call.text}.merge({called(s, f'{{{FIELD}:{optional_string(c)}}}')})",
        "and": lambda c, s: f"{s.call.text}.and({called(s, f'{{{FIELD}:{optional_string(c)}}}')})",
        "setKey": lambda c, s: f'{s.call.text}.setKey("{FIELD}",{optional_string(c)})',
        "extend of a shape": lambda c, s: f"{s.call.text}.extend({called(s, f'{{{FIELD}:{optional_string(c)}}}')}.shape)",
        "extend twice": lambda c, s: f"{s.call.text}.extend({{}}).extend({{{FIELD}:{optional_string(c)}}})",
        "a condition that is true": lambda c, s: f"!0?{called(s, f'{s.literal.text[:-1]},{FIELD}:{optional_string(c)}}}')}:{s.call.text}",
        "an arrow called": lambda c, s: f"(()=>{called(s, f'{s.literal.text[:-1]},{FIELD}:{optional_string(c)}}}')})()",
        "an arrow with the schema as argument": lambda c, s: f"((q)=>q.extend({{{FIELD}:{optional_string(c)}}}))({s.call.text})",
        "a getter": lambda c, s: called(s, f"{s.literal.text[:-1]},get {FIELD}(){{return {optional_string(c)}}}}}"),
        "optional of a call": lambda c, s: called(s, f"{s.literal.text[:-1]},{FIELD}:{c.words['optional']}({c.words['string']}())}}") if "optional" in c.words else called(s, f"{s.literal.text[:-1]},{FIELD}:{optional_string(c)}}}"),
    }  # fmt: skip
    for how, make in forms.items():
        yield from everywhere(subject, "field added", how, whole(make), truth, also=told)
    required = Truth({(FIELDS, kind, FIELD): ("string", True, None, frozenset(), True)})
    needed = subject.declared.add_field(kind, f"{FIELD}: string")
    bare = {
        "required": lambda c, s: called(s, f"{s.literal.text[:-1]},{FIELD}:{c.words['string']}()}}"),
        "required by extend": lambda c, s: f"{s.call.text}.extend({{{FIELD}:{c.words['string']}()}})",
        "required by required": lambda c, s: (
            f"{s.call.text}.extend({{{FIELD}:{optional_string(c)}}}).required({{{FIELD}:!0}})"
        ),
    }
    for how, make in bare.items():
        yield from everywhere(subject, "field added", how, whole(make), required, also=needed)
    unknowable = {
        "extend with what is not there": lambda c, s: f"{s.call.text}.extend(zq9)",
        "a spread of what is not there": lambda c, s: called(s, f"{s.literal.text[:-1]},...zq9}}"),
        "a spread on the environment": lambda c, s: called(s, f"{s.literal.text[:-1]},...process.env.ZQ&&{{{FIELD}:{optional_string(c)}}}}}"),
        "a field of what is not there": lambda c, s: called(s, f"{s.literal.text[:-1]},{FIELD}:zq9()}}"),
        "a key of what is not there": lambda c, s: called(s, f"{s.literal.text[:-1]},[zq9]:{optional_string(c)}}}"),
        "a call around it": lambda c, s: f"zq9({s.call.text})",
        "a method that is not known": lambda c, s: f"{s.call.text}.zq9({{{FIELD}:{optional_string(c)}}})",
        "Object.assign of what is not there": lambda c, s: called(s, f"Object.assign({{}},{s.literal.text},zq9)"),
        "a condition on the environment": lambda c, s: f"process.env.ZQ?{called(s, f'{s.literal.text[:-1]},{FIELD}:{optional_string(c)}}}')}:{s.call.text}",
        "a field that is never": lambda c, s: called(s, f"{s.literal.text[:-1]},{FIELD}:{c.words['never']}()}}") if "never" in c.words else called(s, f"{s.literal.text[:-1]},{FIELD}:zq9}}"),
    }  # fmt: skip
    for how, make in unknowable.items():
        if how == "a field that is never":
            continue
        yield from everywhere(subject, "entry schema unknowable", how, whole(make), MUST_BE_BLIND)
    if subject.declared:
        yield from everywhere(
            subject, "field in one witness only", "in the schema", whole(forms["last in the literal"]), MUST_BE_BLIND
        )
        yield Mutant(subject, "field in one witness only", "in the declarations", tuple(told), MUST_BE_BLIND)
    kept = {
        "extend by nothing": lambda c, s: f"{s.call.text}.extend({{}})",
        "a spread of all": lambda c, s: called(s, f"{{...{s.literal.text}}}"),
        "strip": lambda c, s: f"{s.call.text}.strip()",
        "an empty spread": lambda c, s: called(s, f"{s.literal.text[:-1]},...{{}}}}"),
        "a spread on a condition that is false": lambda c, s: called(
            s, f"{s.literal.text[:-1]},...!1&&{{{FIELD}:{optional_string(c)}}}}}"
        ),
        "a getter of the shape": lambda c, s: called(s, f"(()=>({s.literal.text}))()"),
        "omit of a field that was added": lambda c, s: (
            f"{s.call.text}.extend({{{FIELD}:{optional_string(c)}}}).omit({{{FIELD}:!0}})"
        ),
    }
    for how, make in kept.items():
        yield from everywhere(subject, "entry schema rewritten", how, whole(make), SAME)


def _field_truth(subject: Subject, kind: str, name: str) -> Truth:
    """Return the truth of a field that goes; the shells go with the last field `shell`."""
    truth = Truth(absent=frozenset({(FIELDS, kind, name)}))
    if name == "shell" and sum("shell" in site.pairs for site in subject.copies[0].entries.values()) == 1:
        shells = subject.copies[0].shells
        names = shells.members if shells else ()
        truth |= Truth(absent=frozenset((SHELLS, each) for each in names), allowed=((SHELLS,),))
    return truth


def _field_removed(subject: Subject, kind: str) -> Iterator[Mutant]:
    fields = [name for name in subject.copies[0].entries[kind].pairs if name != "type"]
    if len(fields) < 2:
        return
    for name in fields:
        truth, told = _field_truth(subject, kind, name), subject.declared.drop_field(kind, name)

        def literal(copy: Copy, name: str = name) -> str:
            return without(copy.entries[kind], name)

        def change(make):
            return lambda copy: [copy.entries[kind].call.span.to(make(copy, copy.entries[kind]))]

        yield from everywhere(
            subject,
            "field removed",
            "from the literal",
            lambda c, n=name: [c.entries[kind].literal.span.to(without(c.entries[kind], n))],
            truth,
            also=told,
        )
        forms = {
            "omit": lambda c, s, n=name: f"{s.call.text}.omit({{{n}:!0}})",
            "omit, true": lambda c, s, n=name: f'{s.call.text}.omit({{"{n}":true}})',
            "pick": lambda c, s, n=name: f"{s.call.text}.pick({lists.keyed((k for k in s.pairs if k != n), '!0')})",
            "a rest": lambda c, s, n=name: called(s, f"(({{{n}:q,...r}})=>r)({s.literal.text})"),
        }
        if name == fields[-1] or kind == "command":
            for how, make in forms.items():
                yield from everywhere(subject, "field removed", how, change(make), truth, also=told)


def without(site: ObjectSite, name: str) -> str:
    """Return the literal of a site without one member."""
    pairs = [each.text for each in site.literal.children if each.span != site.pairs[name].span]
    return f"{{{','.join(pairs)}}}"


def _fields_renamed(subject: Subject, kind: str) -> Iterator[Mutant]:
    for name in subject.copies[0].entries[kind].pairs:
        if name in ("type", "shell"):
            continue
        before = subject.base.tables[FIELDS].rows[kind]
        old = next(each for each in before if each.name == name)
        detail = (
            old.kind,
            old.required,
            None if old.values is None else frozenset(old.values),
            frozenset(old.constraints),
            True,
        )
        truth = Truth({(FIELDS, kind, FIELD): detail}, frozenset({(FIELDS, kind, name)}))

        def change(copy: Copy, name: str = name) -> list[Edit]:
            key = copy.entries[kind].pairs[name].field("key")
            assert key is not None
            return [key.span.to(FIELD)]

        yield from everywhere(
            subject,
            "field renamed",
            "the key",
            change,
            truth,
            also=subject.declared.change_field(kind, name, renamed=FIELD),
        )


def _requiredness(subject: Subject, kind: str) -> Iterator[Mutant]:
    for name, pair in subject.copies[0].entries[kind].pairs.items():
        value = pair.field("value")
        assert value is not None
        text = value.text
        if name == "type":
            continue
        shared = (
            chain_base(value).text == text and "(" in text and text.endswith("()")
        )  # a getter that may say anything
        fact = (FIELDS, kind, name)
        was = next(each for each in subject.base.tables[FIELDS].rows[kind] if each.name == name)

        def change(make, name=name):
            return lambda copy: [copy.entries[kind].value(name).span.to(make(copy.entries[kind].value(name).text))]

        allowed = ((SHELLS,),) if name == "shell" else ()
        if was.required:
            loosened = Truth(changed=frozenset({fact}), allowed=allowed)
            told = subject.declared.change_field(kind, name, mark="?")
            for how, make in {
                "optional": lambda t: f"{t}.optional()",
                "nullish": lambda t: f"{t}.nullish()",
                "default": lambda t: f'{t}.default("x")',
                "prefault": lambda t: f'{t}.prefault("x")',
                "exactOptional": lambda t: f"{t}.exactOptional()",
            }.items():
                yield from everywhere(subject, "field becomes optional", how, change(make), loosened, also=told)
            yield from everywhere(
                subject,
                "field becomes optional",
                "partial of one",
                lambda c, n=name: [c.entries[kind].call.span.after(f".partial({{{n}:!0}})")],
                loosened,
                also=told,
            )
            yield from everywhere(
                subject,
                "field becomes optional",
                "extend over it",
                lambda c, n=name: [c.entries[kind].call.span.after(f".extend({{{n}:{optional_string(c)}}})")],
                loosened,
                also=told,
            )
        elif not shared and ".optional()" in text and ".catch(" not in text:  # what is caught may always be absent
            tightened = Truth(changed=frozenset({fact}), allowed=allowed)
            told = subject.declared.change_field(kind, name, mark="")
            yield from everywhere(
                subject,
                "field becomes required",
                "without optional",
                change(lambda t: t.replace(".optional()", "", 1)),
                tightened,
                also=told,
            )
            yield from everywhere(
                subject,
                "field becomes required",
                "required of one",
                lambda c, n=name: [c.entries[kind].call.span.after(f".required({{{n}:!0}})")],
                tightened,
                also=told,
            )
            yield from everywhere(subject, "field becomes required", "unwrap", change(_unwrapped), tightened, also=told)
            again = change(lambda t: t.replace(".optional()", ".optional().unwrap().optional()", 1))
            yield from everywhere(subject, "field rewritten", "unwrapped and optional again", again, SAME)
            nullable = Truth(changed=frozenset({fact}), allowed=allowed)
            yield from everywhere(
                subject,
                "field takes null",
                "nullable",
                change(lambda t: f"{t}.nullable()"),
                nullable,
                also=subject.declared.change_field(kind, name, to=f"{_declared_type(subject, kind, name)} | null"),
            )
    partial = _all_partial(subject, kind)
    if partial is not None:
        yield from everywhere(
            subject,
            "field becomes optional",
            "partial of all",
            lambda c: [c.entries[kind].call.span.after(".partial().required({type:!0})")],
            *partial,
        )


def _declared_type(subject: Subject, kind: str, name: str) -> str:
    found = subject.declared.field(kind, name)
    return found["type"].decode() if found else ""


def _unwrapped(text: str) -> str:
    head, _, tail = text.partition(".optional()")
    return f"{head}.optional().unwrap(){tail}"


def _all_partial(subject: Subject, kind: str) -> tuple[Truth] | None:
    required = [each.name for each in subject.base.tables[FIELDS].rows[kind] if each.required]
    if not required or subject.declared:
        return None
    return (Truth(changed=frozenset((FIELDS, kind, name) for name in required)),)


def _openness(subject: Subject, kind: str) -> Iterator[Mutant]:
    """Yield the mutants that accept more or fewer objects with the same fields."""
    somewhere = Truth(somewhere=((FIELDS,), ("hook_entry_openness",), ("hook_entries",)), allowed=())
    forms: Mapping[str, str] = {
        "strict": ".strict()",
        "passthrough": ".passthrough()",
        "loose": ".loose()",
        "catchall": ".catchall(%s())",
        "refine": ".refine((q)=>!!q.zed)",
        "refine with a message": '.refine((q)=>q.a===q.b,{message:"no"})',
        "superRefine": ".superRefine((q,c)=>{if(!q.zed)c.addIssue({})})",
        "check": ".check((q)=>{})",
        "catch": ".catch({})",
        "transform": ".transform((q)=>({...q,zed:1}))",
    }
    for how, text in forms.items():
        yield from everywhere(
            subject,
            "entry accepts otherwise",
            how,
            lambda c, t=text: [c.entries[kind].call.span.after(t.replace("%s", c.words["string"]))],
            somewhere,
        )
    for how, word in (("strictObject", "strictObject"), ("looseObject", "looseObject")):
        yield from everywhere(
            subject,
            "entry accepts otherwise",
            how,
            lambda c, w=word: [c.entries[kind].call.role("function").span.to(c.words[w])] if w in c.words else None,
            somewhere,
        )
    for how, text in (("optional type", ".optional()"), ("default type", f'.default("{kind}")')):
        yield from everywhere(
            subject,
            "entry accepts otherwise",
            how,
            lambda c, t=text: [chain_base(c.entries[kind].value("type")).span.after(t)],
            somewhere,
        )


def _type_renamed(subject: Subject, kind: str) -> Iterator[Mutant]:
    rows = subject.base.tables[FIELDS].rows[kind]
    gone = frozenset({(TYPES, kind), (FIELDS, kind), *((FIELDS, kind, each.name) for each in rows)})
    new = Truth({(TYPES, TYPE): True, (FIELDS, TYPE): True}, gone, allowed=((FIELDS, TYPE), (FIELDS, kind)))
    both = Truth({(TYPES, TYPE): True, (FIELDS, TYPE): True}, allowed=((FIELDS, TYPE),))
    renamed = subject.declared.rename_type(kind, TYPE)

    def at_type(make):
        def change(copy: Copy) -> list[Edit] | None:
            call = chain_base(copy.entries[kind].value("type"))
            text = make(copy, copy.words["literal"])
            return None if text is None else [call.span.to(text)]

        return change

    if kind != "command":
        for how, make in {
            "the literal": lambda c, w: f'{w}("{TYPE}")',
            "a list of one": lambda c, w: f'{w}(["{TYPE}"])',
            "an enum of one": lambda c, w: f'{c.words["enum"]}(["{TYPE}"])',
            "joined from two texts": lambda c, w: f'{w}("zed"+"_type")',
        }.items():
            yield from everywhere(subject, "type renamed", how, at_type(make), new, also=renamed)
    option = subject.declared.options.get(kind) if subject.declared else None
    text = subject.declared.text[option[0] : option[1]].decode() if option else ""
    told = subject.declared.add_type(text.replace(f"type: '{kind}'", f"type: '{TYPE}'")) if option else []
    for how, shared in {
        "a literal of two": lambda c, w: f'{w}(["{kind}","{TYPE}"])',
        "literal.or(literal)": lambda c, w: f'{w}("{kind}").or({w}("{TYPE}"))',
        "an enum": lambda c, w: f'{c.words["enum"]}(["{kind}","{TYPE}"])',
        "a union of literals": lambda c, w: (
            f'{c.words["union"]}([{w}("{kind}"),{w}("{TYPE}")])' if "union" in c.words else None
        ),
    }.items():
        yield from everywhere(subject, "type added, same fields", how, at_type(shared), both, also=told)
    for how, make in {
        "a literal of what is not there": lambda c, w: f"{w}(zq9)",
        "a literal and what is not there": lambda c, w: f'{w}(["{kind}",zq9])',
        "a template": lambda c, w: f"{w}(`{kind}${{zq9}}`)",
        "a string": lambda c, w: f"{c.words['string']}()",
    }.items():
        yield from everywhere(subject, "entry schema unknowable", f"type is {how}", at_type(make), MUST_BE_BLIND)


def _types_added(subject: Subject) -> Iterator[Mutant]:
    if subject.copies[0].options is None:
        return
    truth = Truth(
        {
            (TYPES, TYPE): True,
            (FIELDS, TYPE): True,
            (FIELDS, TYPE, "zedCommand"): ("string", True, None, frozenset(), True),
        },
        allowed=((FIELDS, TYPE),),
    )
    told = subject.declared.add_type(f"{{ type: '{TYPE}'; zedCommand: string; }}")

    def new(copy: Copy) -> str:
        callee = copy.entries["command"].callee
        return f'{callee}({{type:{copy.words["literal"]}("{TYPE}"),zedCommand:{copy.words["string"]}()}})'

    def options(make):
        return lambda copy: [_holder(copy).span.to(make(_holder(copy).text, new(copy), copy))]

    forms = {
        "last in the list": lambda o, x, c: f"[...{o},{x}]" if o.startswith("[...") else f"{o[:-1]},{x}]",
        "first in the list": lambda o, x, c: f"[{x},{o[1:]}",
        "spread": lambda o, x, c: f"[...{o},{x}]",
        "a spread of a list of one": lambda o, x, c: f"[...{o},...[{x}]]",
        "concat": lambda o, x, c: f"{o}.concat({x})",
        "concat of a list": lambda o, x, c: f"{o}.concat([{x}])",
        "a condition that is true": lambda o, x, c: f"!0?[...{o},{x}]:{o}",
        "a spread on a condition that is true": lambda o, x, c: f"[...{o},...!0?[{x}]:[]]",
        "flat": lambda o, x, c: f"[{o},[{x}]].flat()",
        "a union within": lambda o, x, c: f'[...{o},{c.words["discriminatedUnion"]}("type",[{x}])]',
        "Object.values": lambda o, x, c: f"[...{o},...Object.values({{a:{x}}})]",
        "filter(Boolean)": lambda o, x, c: f"[...{o},{x}].filter(Boolean)",
        "a called arrow": lambda o, x, c: f"(()=>[...{o},{x}])()",
    }
    for how, make in forms.items():
        yield from everywhere(subject, "type added", how, options(make), truth, also=told)

    def union(make):
        return lambda copy: [copy.union.span.to(make(copy.union.text, new(copy), copy))]

    unions = {
        "union.or": lambda u, x, c: f"{u}.or({x})",
        "a union around": lambda u, x, c: f"{c.words['union']}([{u},{x}])" if "union" in c.words else f"{u}.or({x})",
        "a condition that is true": lambda u, x, c: f"!0?{u}.or({x}):{u}",
    }
    for how, make in unions.items():
        yield from everywhere(subject, "type added", how, union(make), truth, also=told)

    def at_array(copy: Copy) -> list[Edit] | None:
        call = chain_base(copy.matcher.value("hooks"))
        (argument, *_) = call.role("arguments").children
        return [argument.span.to(f"{argument.text}.or({new(copy)})")]

    yield from everywhere(subject, "type added", "or, where the list is made", at_array, truth, also=told)
    for how, make in {
        "an option that is not there": lambda o, x, c: f"[...{o},zq9]",
        "a spread of what is not there": lambda o, x, c: f"[...{o},...zq9]",
        "an option on the environment": lambda o, x, c: f"[...{o},...process.env.ZQ?[{x}]:[]]",
        "a filter by what is not there": lambda o, x, c: f"{o}.filter(zq9)",
        "a string as an option": lambda o, x, c: f"[...{o},{c.words['string']}()]",
        "an object without a type": lambda o, x, c: (
            f"[...{o},{c.entries['command'].callee}({{zed:{c.words['string']}()}})]"
        ),
    }.items():
        yield from everywhere(subject, "entry union unknowable", how, options(make), MUST_BE_BLIND)
    for how, make in {
        "or what is not there": lambda u, x, c: f"{u}.or(zq9)",
        "a call around it": lambda u, x, c: f"zq9({u})",
        "a method that is not known": lambda u, x, c: f"{u}.zq9()",
        "a condition on the environment": lambda u, x, c: f"process.env.ZQ?{u}:{u}.or({x})",
        "any": lambda u, x, c: f"{u}.or({c.words['any']}())" if "any" in c.words else f"{u}.or(zq9())",
    }.items():
        yield from everywhere(subject, "entry union unknowable", how, union(make), MUST_BE_BLIND)


def _holder(copy: Copy) -> Node:
    """Return the second argument of the union: its list of options, as it is spread or not."""
    assert copy.union is not None
    arguments = copy.union.field("arguments")
    assert arguments is not None
    return arguments.children[1]


def _types_removed(subject: Subject) -> Iterator[Mutant]:
    options = subject.copies[0].options
    if options is None or len(options.children) < 2:
        return
    kinds = list(subject.base.tables[FIELDS].rows)
    count = len(options.children)
    for at in range(1, count):  # `command` is never the one
        kind = kinds[at] if len(kinds) == count else None
        if kind is None or kind == "command":
            continue
        rows = subject.base.tables[FIELDS].rows[kind]
        gone = frozenset({(TYPES, kind), (FIELDS, kind), *((FIELDS, kind, each.name) for each in rows)})
        truth = Truth(absent=gone, allowed=((FIELDS, kind),))
        told = subject.declared.drop_type(kind)

        def options_of(make):
            return lambda copy: [copy.options.span.to(make([n.text for n in copy.options.children]))]

        forms = {
            "from the list": lambda o, at=at: f"[{','.join(x for i, x in enumerate(o) if i != at)}]",
            "two slices": lambda o, at=at: f"[...[{','.join(o)}].slice(0,{at}),...[{','.join(o)}].slice({at + 1})]",
            "filter by identity": lambda o, at=at: f"[{','.join(o)}].filter((q)=>q!=={o[at]})",
            "filter by its type": lambda o, kind=kind: f'[{",".join(o)}].filter((q)=>q.shape.type.value!=="{kind}")',
        }
        for how, make in forms.items():
            yield from everywhere(subject, "type removed", how, options_of(make), truth, also=told)


def _shells(subject: Subject) -> Iterator[Mutant]:
    site = subject.copies[0].shells
    if site is None:
        return
    owners = [kind for kind, each in subject.copies[0].entries.items() if "shell" in each.pairs]
    values = frozenset((FIELDS, kind, "shell") for kind in owners)
    names = site.members
    grown = added(SHELLS, "zsh2") | Truth(changed=values)
    told = [
        e
        for kind in owners
        for e in subject.declared.change_field(kind, "shell", to=" | ".join(f"'{n}'" for n in (*names, "zsh2")))
    ]
    shrunk = removed(SHELLS, names[-1]) | Truth(changed=values)
    untold = [
        e
        for kind in owners
        for e in subject.declared.change_field(kind, "shell", to=" | ".join(f"'{n}'" for n in names[:-1]))
    ]
    at = lambda text: lambda copy: [copy.shells.array.span.to(text)]  # noqa: E731
    for how, text in lists.grown(names, "zsh2"):
        yield from everywhere(subject, "shell added", how, at(text), grown, also=told)
    for how, text in lists.shrunk(names, names[-1]):
        yield from everywhere(subject, "shell removed", how, at(text), shrunk, also=untold)
    for how, text in lists.kept(names):
        yield from everywhere(subject, "shell list rewritten", how, at(text), SAME)
    for how, text in lists.unknowable(names, "zsh2"):
        yield from everywhere(subject, "shell list unknowable", how, at(text), MUST_BE_BLIND)
    if site.name:
        for how, _ in lists.grown_after("q", "zsh2"):
            pick = lambda name, how=how: dict(lists.grown_after(name, "zsh2"))[how]  # noqa: E731
            yield from everywhere(
                subject,
                "shell added, by statement",
                how,
                lambda c, p=pick: lists.after(c.shells, p(c.shells.name)),
                grown,
                also=told,
            )
        for how, _ in lists.shrunk_after("q", names, names[-1]):
            pick = lambda name, how=how: dict(lists.shrunk_after(name, names, names[-1]))[how]  # noqa: E731
            yield from everywhere(
                subject,
                "shell removed, by statement",
                how,
                lambda c, p=pick: lists.after(c.shells, p(c.shells.name)),
                shrunk,
                also=untold,
            )

    def enum(make):
        def change(copy: Copy) -> list[Edit]:
            edits = []
            for kind in owners:
                call = chain_base(copy.entries[kind].value("shell"))
                edits.append(call.span.to(make(copy, call.text)))
            return edits

        return change

    for how, make in {
        "enum.or(literal)": lambda c, t: f'{t}.or({c.words["literal"]}("zsh2"))',
        "enum of options": lambda c, t: f'{c.words["enum"]}([...{t}.options,"zsh2"])',
    }.items():
        yield from everywhere(subject, "shell added", how, enum(make), grown, also=told)
    yield from everywhere(
        subject, "shell removed", "exclude", enum(lambda c, t: f'{t}.exclude(["{names[-1]}"])'), shrunk, also=untold
    )
    yield from everywhere(
        subject,
        "shell removed",
        "extract",
        enum(lambda c, t: f"{t}.extract({lists.quoted(names[:-1])})"),
        shrunk,
        also=untold,
    )

    def literals(c, t):
        return f"{c.words['union']}({lists.literals(c.words['literal'], names)})" if "union" in c.words else t

    yield from everywhere(subject, "shell list rewritten", "a union of literals", enum(literals), SAME)
    yield from everywhere(
        subject,
        "shell list rewritten",
        "a literal of a list",
        enum(lambda c, t: f"{c.words['literal']}({lists.quoted(names)})"),
        SAME,
    )
    yield from everywhere(
        subject,
        "shell list unknowable",
        "or a string",
        enum(lambda c, t: f"{t}.or({c.words['string']}())"),
        Truth(changed=values, allowed=((SHELLS,),)),
        also=[e for kind in owners for e in subject.declared.change_field(kind, "shell", to="string")],
    )
