"""Events come, go and are renamed, in every form in which a list or its use can be written."""

from __future__ import annotations

from collections.abc import Iterator

from tests.injection.copies import Copy
from tests.injection.kinds import lists
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit
from tests.injection.truth import ANY, EVENTS, GUARDS, MUST_BE_BLIND, SAME, Truth, added, removed

NEW = "PostLunchBreak"


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of the list of events."""
    names = subject.copies[0].events.members
    yield from _added(subject, names)
    yield from _removed(subject, names)
    yield from _renamed(subject, names)
    yield from _kept(subject, names)
    yield from _used(subject, names)


def _replaced(expression: str):
    return lambda copy: [copy.events.array.span.to(expression)]


def _after(statement):
    return lambda copy: lists.after(copy.events, statement(copy.events.name))


def _added(subject: Subject, names: tuple[str, ...]) -> Iterator[Mutant]:
    truth, told = added(EVENTS, NEW), subject.told(add=[NEW])
    for how, text in lists.grown(names, NEW):
        yield from everywhere(subject, "event added", how, _replaced(text), truth, also=told)
    for how, _ in lists.grown_after("q", NEW):
        pick = lambda name, how=how: dict(lists.grown_after(name, NEW))[how]  # noqa: E731
        yield from everywhere(subject, "event added, by statement", how, _after(pick), truth, also=told)
    for how, text in lists.unknowable(names, NEW):
        yield from everywhere(subject, "event list unknowable", how, _replaced(text), MUST_BE_BLIND)
    yield from everywhere(
        subject, "event list unknowable", "push of what is not there", _after(lambda n: f"{n}.push(zq9)"), MUST_BE_BLIND
    )
    yield from everywhere(
        subject,
        "event list unknowable",
        "push on a condition",
        _after(lambda n: f'if(process.env.ZQ){n}.push("{NEW}")'),
        MUST_BE_BLIND,
    )
    yield from everywhere(
        subject, "event list unknowable", "passed to what is not there", _after(lambda n: f"zq9({n})"), MUST_BE_BLIND
    )
    if subject.declared or subject.literals:
        yield from everywhere(
            subject, "event in one witness only", "in the list", _replaced(lists.quoted((*names, NEW))), MUST_BE_BLIND
        )
        yield Mutant(subject, "event in one witness only", "in the others", tuple(told), MUST_BE_BLIND)


def _removed(subject: Subject, names: tuple[str, ...]) -> Iterator[Mutant]:
    guards = subject.copies[0].guards
    kept = set(guards.members.members) if guards else set()
    loose = [name for name in names if name not in kept]
    for x in dict.fromkeys((loose[0], loose[len(loose) // 2], loose[-1])):
        truth, told = removed(EVENTS, x), subject.told(drop=[x])
        for how, text in lists.shrunk(names, x):
            yield from everywhere(subject, "event removed", how, _replaced(text), truth, also=told)
        for how, _ in lists.shrunk_after("q", names, x):
            pick = lambda name, how=how, x=x: dict(lists.shrunk_after(name, names, x))[how]  # noqa: E731
            yield from everywhere(subject, "event removed, by statement", how, _after(pick), truth, also=told)
    if subject.declared or subject.literals:
        rest = lists.quoted(name for name in names if name != loose[-1])
        yield from everywhere(
            subject, "event in one witness only", "gone from the list", _replaced(rest), MUST_BE_BLIND
        )
        gone = tuple(subject.told(drop=[loose[-1]]))
        yield Mutant(subject, "event in one witness only", "gone from the others", gone, MUST_BE_BLIND)


def _renamed(subject: Subject, names: tuple[str, ...]) -> Iterator[Mutant]:
    guards = subject.copies[0].guards
    for x in names:
        truth = removed(EVENTS, x) | added(EVENTS, NEW)
        told = subject.told(rename={x: NEW})
        renamed = lists.quoted(NEW if name == x else name for name in names)

        def change(copy: Copy, x: str = x, renamed: str = renamed) -> list[Edit]:
            edits = [copy.events.array.span.to(renamed)]
            if copy.guards and x in copy.guards.members.members:
                at = copy.guards.members.members.index(x)
                edits.append(copy.guards.members.elements[at].to(f'"{NEW}"'))
            return edits

        if guards and x in guards.members.members:
            truth |= Truth({(GUARDS, NEW): ANY}, frozenset({(GUARDS, x)}), allowed=((GUARDS,),))
        yield from everywhere(subject, "event renamed", "literal", change, truth, also=told)


def _kept(subject: Subject, names: tuple[str, ...]) -> Iterator[Mutant]:
    for how, text in lists.kept(names):
        yield from everywhere(subject, "event list rewritten", how, _replaced(text), SAME)
    yield from everywhere(
        subject, "event list rewritten", "freeze afterwards", _after(lambda n: f"Object.freeze({n})"), SAME
    )
    yield from everywhere(
        subject,
        "event list rewritten",
        "read afterwards",
        _after(lambda n: f"console.log({n}.length,{n}[0],{n}.join())"),
        SAME,
    )
    yield from everywhere(
        subject, "event list rewritten", "a copy that grows", _after(lambda n: f'var zc=[...{n}];zc.push("Zed")'), SAME
    )


def _used(subject: Subject, names: tuple[str, ...]) -> Iterator[Mutant]:
    """Yield the mutants of the place where the list becomes an enum."""
    truth, told = added(EVENTS, NEW), subject.told(add=[NEW])
    gone = names[-1] if not subject.copies[0].guards else names[len(names) // 2]
    less, untold = removed(EVENTS, gone), subject.told(drop=[gone])

    def at_enum(make):
        def change(copy: Copy) -> list[Edit] | None:
            enum = _enum(copy)
            text = make(copy, copy.words["enum"], enum.role("arguments").text[1:-1])
            return None if text is None else [enum.span.to(text)]

        return change

    grown = {
        "enum of a spread": lambda c, e, n: f'{e}([...{n},"{NEW}"])',
        "enum of concat": lambda c, e, n: f'{e}({n}.concat("{NEW}"))',
        "enum.or(literal)": lambda c, e, n: f"{e}({n}).or({_one(c)})",
        "union of enum and literal": lambda c, e, n: (
            f"{c.words['union']}([{e}({n}),{_one(c)}])" if "union" in c.words else None
        ),
        "union of two enums": lambda c, e, n: (
            f"{c.words['union']}([{e}({n}),{e}({lists.quoted([NEW])})])" if "union" in c.words else None
        ),
        "enum of options": lambda c, e, n: f'{e}([...{e}({n}).options,"{NEW}"])',
        "enum of an object": lambda c, e, n: e + "(" + lists.keyed((*names, NEW), '"*"') + ")",
        "union of literals": lambda c, e, n: (
            f"{c.words['union']}({lists.literals(c.words['literal'], (*names, NEW))})" if "union" in c.words else None
        ),
        "literal of a list": lambda c, e, n: f"{c.words['literal']}({lists.quoted((*names, NEW))})",
    }
    for how, make in grown.items():
        yield from everywhere(subject, "event added, in the enum", how, at_enum(make), truth, also=told)
    shrunk = {
        "exclude": lambda c, e, n: f'{e}({n}).exclude(["{gone}"])',
        "extract": lambda c, e, n: f"{e}({n}).extract({lists.quoted(x for x in names if x != gone)})",
        "filter": lambda c, e, n: f'{e}({n}.filter((q)=>q!=="{gone}"))',
    }
    for how, make in shrunk.items():
        yield from everywhere(subject, "event removed, in the enum", how, at_enum(make), less, also=untold)
    for how, make in {
        "refine": lambda c, e, n: f'{e}({n}).refine((q)=>q!=="{gone}")',
        "or a string": lambda c, e, n: f"{e}({n}).or({c.words['string']}())",
        "or what is not there": lambda c, e, n: f"{e}({n}).or(zq9)",
    }.items():
        yield from everywhere(subject, "event list unknowable", how, at_enum(make), MUST_BE_BLIND)


def _enum(copy: Copy):
    arguments = copy.record.field("arguments")
    assert arguments is not None
    return arguments.children[0]


def _one(copy: Copy) -> str:
    return f"{copy.words['literal']}({lists.quoted([NEW])[1:-1]})"
