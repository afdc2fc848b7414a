"""Which events guard permissions: the set, the condition around it, and readers that come new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.injection.copies import Copy
from tests.injection.kinds import lists
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit
from tests.injection.truth import ANY, GUARDS, MUST_BE_BLIND, SAME, Key, Truth


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of the guard events."""
    if subject.copies[0].guards is None:
        yield from _first_reader(subject)
        return
    yield from _set(subject)
    yield from _asked(subject)


def _exactly(subject: Subject, members: Iterable[str]) -> Truth:
    """Return the truth of a guard set that holds these members now."""
    before, now = set(subject.base.members(GUARDS)), set(members)
    present: dict[Key, object] = {(GUARDS, name): ANY for name in now - before}
    return Truth(
        present, frozenset((GUARDS, name) for name in before - now), allowed=((GUARDS,),) if before != now else ()
    )


def _set(subject: Subject) -> Iterator[Mutant]:
    site = subject.copies[0].guards
    assert site is not None
    names = site.members.members
    new = next(each for each in subject.copies[0].events.members if each not in names)
    grown, shrunk = _exactly(subject, (*names, new)), _exactly(subject, names[:-1])
    array = lambda text: lambda c: [c.guards.members.array.span.to(text)]  # noqa: E731
    for how, text in lists.grown(names, new):
        yield from everywhere(subject, "guard added", how, array(text), grown)
    for how, text in lists.shrunk(names, names[-1]):
        yield from everywhere(subject, "guard removed", how, array(text), shrunk)
    for how, text in lists.kept(names):
        yield from everywhere(subject, "guard set rewritten", how, array(text), SAME)
    for how, text in lists.unknowable(names, new):
        yield from everywhere(subject, "guard set unknowable", how, array(text), MUST_BE_BLIND)
    made = lambda make: lambda c: [c.guards.made.span.to(make(c.guards.made.text))]  # noqa: E731
    for how, make in {
        "add, chained": lambda t: f'{t}.add("{new}")',
        "a Set of a Set": lambda t: f'new Set([...{t},"{new}"])',
        "union of sets": lambda t: f'{t}.union(new Set(["{new}"]))',
        "a condition that is true": lambda t: f'!0?{t}.add("{new}"):{t}',
        "an arrow called": lambda t: f'(()=>{t}.add("{new}"))()',
    }.items():
        yield from everywhere(subject, "guard added", how, made(make), grown)
    for how, make in {
        "difference of sets": lambda t: f'{t}.difference(new Set(["{names[-1]}"]))',
        "a Set of a filter": lambda t: f'new Set([...{t}].filter((q)=>q!=="{names[-1]}"))',
    }.items():
        yield from everywhere(subject, "guard removed", how, made(make), shrunk)
    for how, make in {
        "a call around it": lambda t: f"zq9({t})",
        "union with what is not there": lambda t: f"{t}.union(zq9)",
        "a condition on the environment": lambda t: f"process.env.ZQ?{t}:new Set",
        "a subclass": lambda t: t.replace("new Set", "new ZSet"),
    }.items():
        yield from everywhere(subject, "guard set unknowable", how, made(make), MUST_BE_BLIND)
    for how, make in {
        "Object.freeze": lambda t: f"Object.freeze({t})",
        "a Set of a Set": lambda t: f"new Set({t})",
    }.items():
        yield from everywhere(subject, "guard set rewritten", how, made(make), SAME)
    after = lambda make: lambda c: lists.after(c.guards.made, make(c.guards.name))  # noqa: E731
    for how, make in {
        "add": lambda n: f'{n}.add("{new}")',
        "add by key": lambda n: f'{n}["add"]("{new}")',
        "add, twice chained": lambda n: f'{n}.add("{names[0]}").add("{new}")',
        "add in a loop": lambda n: f'for(let q of["{new}"]){n}.add(q)',
        "add in a callback": lambda n: f'["{new}"].forEach((q)=>{n}.add(q))',
        "add if true": lambda n: f'if(!0){n}.add("{new}")',
        "assigned anew": lambda n: f"{n}=new Set({lists.quoted((*names, new))})",
        "assigned with a spread": lambda n: f'{n}=new Set([...{n},"{new}"])',
        "add through an alias": lambda n: f'var zal={n};zal.add("{new}")',
        "add in a function called": lambda n: f'function zfn(q){{q.add("{new}")}}zfn({n})',
    }.items():
        yield from everywhere(subject, "guard added, by statement", how, after(make), grown)
    for how, make in {
        "delete": lambda n: f'{n}.delete("{names[-1]}")',
        "assigned with a filter": lambda n: f'{n}=new Set([...{n}].filter((q)=>q!=="{names[-1]}"))',
        "clear and add": lambda n: f"{n}.clear()," + "".join(f'{n}.add("{x}"),' for x in names[:-1]) + "0",
    }.items():
        yield from everywhere(subject, "guard removed, by statement", how, after(make), shrunk)
    yield from everywhere(
        subject,
        "guard set unknowable",
        "add on a condition",
        after(lambda n: f'if(process.env.ZQ){n}.add("{new}")'),
        MUST_BE_BLIND,
    )
    yield from everywhere(
        subject, "guard set unknowable", "passed to what is not there", after(lambda n: f"zq9({n})"), MUST_BE_BLIND
    )
    yield from everywhere(
        subject, "guard set rewritten", "read elsewhere", after(lambda n: f"console.log({n}.size,[...{n}])"), SAME
    )
    for x in names:  # a member renamed to another event
        yield from everywhere(
            subject,
            "guard renamed",
            "in the literal",
            lambda c, x=x: [c.guards.members.elements[names.index(x)].to(f'"{new}"')],
            _exactly(subject, (*(n for n in names if n != x), new)),
        )


def _asked(subject: Subject) -> Iterator[Mutant]:
    site = subject.copies[0].guards
    assert site is not None
    names, events = site.members.members, subject.copies[0].events.members
    new = next(each for each in events if each not in names)
    other = next(each for each in events if each not in (*names, new))

    def ask(make):
        def change(copy: Copy) -> list[Edit]:
            assert copy.guards is not None
            return [n.span.to(make(n.text, n.role("arguments").text[1:-1])) for n in copy.guards.asks]

        return change

    forms = {
        "|| ===": (lambda g, t: f'({g}||{t}==="{new}")', (*names, new)),
        "=== ||": (lambda g, t: f'("{new}"==={t}||{g})', (*names, new)),
        "|| includes": (lambda g, t: f'({g}||["{new}","{other}"].includes({t}))', (*names, new, other)),
        "|| another set": (lambda g, t: f'({g}||new Set(["{new}"]).has({t}))', (*names, new)),
        "|| a regular expression": (lambda g, t: f"({g}||/^{new}$/.test({t}))", (*names, new)),
        "|| startsWith": (lambda g, t: f'({g}||{t}.startsWith("{new}"))', (*names, *(e for e in events if e.startswith(new)))),
        "|| endsWith": (lambda g, t: f'({g}||{t}.endsWith("{new}"))', (*names, *(e for e in events if e.endswith(new)))),
        "|| two names": (lambda g, t: f'({g}||{t}==="{new}"||{t}==="{other}")', (*names, new, other)),
        "&& !==": (lambda g, t: f'({g}&&{t}!=="{names[0]}")', names[1:]),
        "!== &&": (lambda g, t: f'({t}!=="{names[0]}"&&{g})', names[1:]),
        "&& not includes": (lambda g, t: f'({g}&&!["{names[0]}"].includes({t}))', names[1:]),
        "&& ===": (lambda g, t: f'({g}&&{t}==="{names[0]}")', names[:1]),
        "negated": (lambda g, t: f"!{g}", [e for e in events if e not in names]),
        "=== false": (lambda g, t: f"({g}===!1)", [e for e in events if e not in names]),
        "?:": (lambda g, t: f'({t}==="{new}"?!0:{g})', (*names, new)),
        "?? ": (lambda g, t: f"({g}??!1)", names),
        "=== alone": (lambda g, t: f'({t}==="{new}")', (new,)),
        "includes alone": (lambda g, t: f'["{new}","{names[0]}"].includes({t})', (new, names[0])),
        "indexOf alone": (lambda g, t: f'(["{new}"].indexOf({t})>=0)', (new,)),
        "in an object": (lambda g, t: f"({t} in{{{new}:1}})", (new,)),
        "a key of an object": (lambda g, t: f"!!{{{new}:1}}[{t}]", (new,)),
        "a regular expression alone": (lambda g, t: f"/^{new}$/.test({t})", (new,)),
        "a new set alone": (lambda g, t: f'new Set(["{new}"]).has({t})', (new,)),
        "always": (lambda g, t: f"({g}||!0)", events),
        "never": (lambda g, t: f"({g}&&!1)", ()),
        "has of another name": (lambda g, t: g.replace(f"({t})", f'({t}==="{new}"?"{names[0]}":{t})'), (*names, new)),
        "has of a changed name": (lambda g, t: g.replace(f"({t})", f'({t}.replace("{new}","{names[0]}"))'), (*names, new)),
        "some": (lambda g, t: f'["{new}"].some((q)=>q==={t})', (new,)),
    }  # fmt: skip
    for how, (make, now) in forms.items():
        truth = _exactly(subject, now)
        kind = "guard condition changed" if truth.matters else "guard condition rewritten"
        yield from everywhere(subject, kind, how, ask(make), truth)
    for how, make in {
        "|| what is not there": lambda g, t: f"({g}||zq9({t}))",
        "|| another set that is not there": lambda g, t: f"({g}||zq9.has({t}))",
        "&& the environment": lambda g, t: f"({g}&&process.env.ZQ)",
        "what is not there": lambda g, t: f"zq9({t})",
        "a set that is not there": lambda g, t: f"zq9.has({t})",
        "?: on the environment": lambda g, t: f'(process.env.ZQ?{g}:["{new}"].includes({t}))',
    }.items():
        yield from everywhere(subject, "guard condition unknowable", how, ask(make), MUST_BE_BLIND)
    for how, make in {
        "parenthesised": lambda g, t: f"({g})",
        "twice negated": lambda g, t: f"!!{g}",
        "Boolean": lambda g, t: f"Boolean({g})",
        "=== true": lambda g, t: f"({g}===!0)",
        "optional call": lambda g, t: g.replace(".has", "?.has"),
        "by key": lambda g, t: g.replace(".has(", '["has"]('),
    }.items():
        yield from everywhere(subject, "guard condition rewritten", how, ask(make), SAME)


def _first_reader(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which a release without guards gets a reader of single matchers."""
    names = subject.copies[0].events.members
    guards = (names[0],)
    truth = Truth({(GUARDS, guards[0]): ANY, (GUARDS,): ANY})

    def reader(ask: str, use: str, before: str = ""):
        def change(copy: Copy) -> list[Edit] | None:
            call = copy.record.role("arguments").children[1].role("arguments").children[0]
            matcher = call.text  # M or M()
            text = (
                (
                    f";var zG=new Set({lists.quoted(guards)});{before}function zR(e,t){{let n={ask};for(let l of e)"
                    f"if(!{use}.success&&!n)return l}}"
                )
                .replace("%MN%", copy.matcher_name)
                .replace("%M%", matcher)
            )
            return [Edit(copy.source.member, len(copy.source.text), len(copy.source.text), text)]

        return change

    forms = {
        "a set": ("zG.has(t)", "%M%.safeParse(l)", ""),
        "an array": (f"{lists.quoted(guards)}.includes(t)", "%M%.safeParse(l)", ""),
        "===": (f't==="{guards[0]}"', "%M%.safeParse(l)", ""),
        "the schema aliased": ("zG.has(t)", "zM.safeParse(l)", "var zM=%M%;"),
        "the getter aliased": ("zG.has(t)", "zM.safeParse(l)" if "x" else "", "var zM=%MN%;"),
        "the schema passed": ("zG.has(t)", "zP(%M%,l)", "function zP(e,t){return e.safeParse(t)}"),
        "the getter passed": ("zG.has(t)", "zP(%MN%,l)", "function zP(e,t){return (e.safeParse?e:e()).safeParse(t)}"),
        "an optional call": ("zG.has(t)", "%M%?.safeParse(l)", ""),
        "by key": ("zG.has(t)", '%M%["safeParse"](l)', ""),
        "in an object": ("zG.has(t)", "zO.m.safeParse(l)", "var zO={m:%M%};"),
        "in an array": ("zG.has(t)", "zO[0].safeParse(l)", "var zO=[%M%];"),
        "the method taken": ("zG.has(t)", "zS(l)", "var{safeParse:zS}=%M%;"),
        "a default argument": ("zG.has(t)", "zP(l)", "function zP(t,e=%M%){return e.safeParse(t)}"),
        "bound": ("zG.has(t)", "zS(l)", "var zS=%M%.safeParse.bind(%M%);"),
        "optional and then read": ("zG.has(t)", "%M%.optional().safeParse(l)", ""),
    }
    for how, (ask, use, before) in forms.items():
        if how == "the getter aliased" and subject.copies[0].record.text.count("()") == 0:
            continue
        before_, use_ = (before, use.replace("zM.", "zM().")) if how == "the getter aliased" else (before, use)
        yield from everywhere(subject, "first guard reader", how, reader(ask, use_, before_), truth)
