"""Parts that stand in another module, under another name, or twice."""

from __future__ import annotations

from collections.abc import Iterator

from tests.injection.copies import Copy, ListSite
from tests.injection.kinds import lists
from tests.injection.kinds.events import NEW
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit
from tests.injection.truth import ANY, EVENTS, GUARDS, MUST_BE_BLIND, SAME, Truth, added


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which a part moves."""
    copy = subject.copies[0]
    if all(each.source.member.endswith(".mjs") for each in subject.copies):
        yield from _list_moved(subject, "event list", lambda c: c.events, EVENTS, NEW, subject.told(add=[NEW]))
        if copy.guards is not None:
            new = next(e for e in copy.events.members if e not in copy.guards.members.members)
            yield from _list_moved(subject, "guard list", lambda c: c.guards.members, GUARDS, new, [])
        yield from _file_renamed(subject)
    yield from _named(subject)
    yield from _second_copies(subject)


def _list_moved(subject: Subject, what: str, site, of: str, new: str, told: list[Edit]) -> Iterator[Mutant]:
    names = site(subject.copies[0]).members
    folder = subject.copies[0].source.member.rpartition("/")[0]
    for chunk in ("core-zed0.mjs", "chunk-zed0.mjs"):
        for how, out, into in (
            ("export{a as b}", "var zl=%L%;export{zl as zL};", 'import{zL as zN}from"./%F%";'),
            ("export{a}", "var zL=%L%;export{zL};", 'import{zL as zN}from"./%F%";'),
            ("export const", "export const zL=%L%;", 'import{zL as zN}from"./%F%";'),
            ("export default", "export default %L%;", 'import zN from"./%F%";'),
            ("import *", "var zL=%L%;export{zL};", 'import*as zQ from"./%F%";var zN=zQ.zL;'),
        ):
            for change, members in (("moved", names), ("moved and grown", (*names, new))):
                module = out.replace("%L%", lists.quoted(members)).encode()

                def edit(copy: Copy, into: str = into, chunk: str = chunk) -> list[Edit]:
                    place: ListSite = site(copy)
                    source = place.array.source
                    return [Edit(source.member, 0, 0, into.replace("%F%", chunk)), place.array.span.to("zN")]

                truth = SAME if change == "moved" else _grown(of, new)
                for made in everywhere(
                    subject, f"{what} {change}", f"{how}, {chunk}", edit, truth, also=told if change != "moved" else ()
                ):
                    yield Mutant(subject, made.kind, made.how, made.edits, truth, more={f"{folder}/{chunk}": module})
    gone = everywhere(
        subject,
        f"{what} unknowable",
        "imported from what is not there",
        lambda c: [
            Edit(site(c).array.source.member, 0, 0, 'import{zL as zN}from"./zed.mjs";'),
            site(c).array.span.to("zN"),
        ],
        MUST_BE_BLIND,
    )
    yield from gone


def _grown(of: str, new: str) -> Truth:
    return added(of, new) if of == EVENTS else Truth({(of, new): ANY}, allowed=((of,),))


def _file_renamed(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which a chunk of the schema has another kind of file name."""
    for copy in subject.copies:
        member = copy.source.member
        file = member.rpartition("/")[2]
        if not file.startswith("core"):
            continue
        for new in ("chunk-zed1.mjs", "shared/zed1.mjs", "zed1.js"):
            edits = [
                Edit(name, at, at + len(file), new)
                for name, source in subject.sources.items()
                if name != member
                for at in _found(source.text, file.encode())
            ]
            more = {member: None, f"{member[: -len(file)]}{new}": copy.source.text}
            yield Mutant(subject, "schema's file renamed", new, tuple(edits), SAME, more=more)
            grown = copy.events.array.span.to(lists.quoted((*copy.events.members, NEW)))
            if grown.member != member:
                others = [c.events.array.span.to(lists.quoted((*c.events.members, NEW))) for c in subject.copies]
                everything = tuple(dict.fromkeys([*edits, *others]))
                yield Mutant(
                    subject,
                    "schema's file renamed, event added",
                    new,
                    (*everything, *subject.told(add=[NEW])),
                    added(EVENTS, NEW),
                    more=more,
                )


def _found(text: bytes, what: bytes) -> Iterator[int]:
    at = text.find(what)
    while at >= 0:
        yield at
        at = text.find(what, at + 1)


def _named(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which a part goes through another name."""

    def name_of(copy: Copy):
        arguments = copy.record.role("arguments").children
        return arguments[0].role("arguments").children[0], arguments[1].role("arguments").children[0]

    for how, make in {
        "the list through a name": lambda e, m, c: [
            e.span.to("zA"),
            *(lists.after(c.events, f"var zA={c.events.name}") or ()),
        ],
        "the list through an object": lambda e, m, c: [
            e.span.to("zA.e"),
            *(lists.after(c.events, f"var zA={{e:{c.events.name}}}") or ()),
        ],
        "the list by a call": lambda e, m, c: [
            e.span.to("zA()"),
            *(lists.after(c.events, f"function zA(){{return {c.events.name}}}") or ()),
        ],
        "the list in place": lambda e, m, c: [e.span.to(lists.quoted(c.events.members))],
        "the matcher in place": lambda e, m, c: [m.span.to(c.matcher.call.text)],
        "the matcher called twice over": lambda e, m, c: [m.span.to(f"(()=>{m.text})()")],
        "the record as optional": lambda e, m, c: [c.record.span.after(".optional()")],
        "the record described": lambda e, m, c: [c.record.span.after('.describe("x")')],
    }.items():

        def change(copy: Copy, make=make) -> list[Edit] | None:
            edits = make(*name_of(copy), copy)
            return edits if all(edits) else None

        elsewhere = any(c.events.array.source.member != c.source.member for c in subject.copies)
        if elsewhere and ("through" in how or how.endswith("call")):
            continue
        yield from everywhere(subject, "hooks schema rewritten", how, change, SAME)
    for how, unknown in {
        "a call around the record": lambda c: [c.record.span.to(f"zq9({c.record.text})")],
        "the record or what is not there": lambda c: [c.record.span.after(".or(zq9)")],
        "the record and what is not there": lambda c: [c.record.span.after(".and(zq9)")],
        "a method that is not known": lambda c: [c.record.span.after(".zq9()")],
        "a condition on the environment": lambda c: [c.record.span.to(f"process.env.ZQ?{c.record.text}:zq9")],
        "the matcher or what is not there": lambda c: [name_of(c)[1].span.after(".or(zq9)")],
        "what is not there for the matcher": lambda c: [name_of(c)[1].span.to("zq9")],
        "what is not there for the list": lambda c: [name_of(c)[0].span.to("zq9")],
    }.items():
        yield from everywhere(subject, "hooks schema unknowable", how, unknown, MUST_BE_BLIND)


def _second_copies(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which one of two copies differs."""
    if len(subject.copies) < 2:
        return
    for copy in subject.copies:
        at = copy.source.member.rpartition("/")[2]
        command = copy.entries["command"]
        yield Mutant(
            subject,
            "one copy only",
            f"a field, {at}",
            (command.literal.children[-1].span.after(f",zed:{copy.words['string']}()"),),
            MUST_BE_BLIND,
        )
        yield Mutant(
            subject,
            "one copy only",
            f"not understood, {at}",
            (command.call.span.to(f"zq9({command.call.text})"),),
            MUST_BE_BLIND,
        )
        yield Mutant(
            subject,
            "one copy only",
            f"no union, {at}",
            (copy.union.span.to(f"zq9({copy.union.text})"),) if copy.union else (),
            MUST_BE_BLIND,
        )
        enum = copy.record.role("arguments").children[0]
        yield Mutant(
            subject,
            "one copy only",
            f"an event, {at}",
            (enum.role("arguments").children[0].span.to(f'[...{copy.events.name},"{NEW}"]'),),
            MUST_BE_BLIND,
        )
        if copy.guards is not None:
            array = copy.guards.members.array
            yield Mutant(
                subject,
                "one copy only",
                f"a guard, {at}",
                (array.span.to(f'{array.text[:-1]},"Stop"]'),),
                MUST_BE_BLIND,
            )
            ask = copy.guards.asks[0]
            yield Mutant(
                subject,
                "one copy only",
                f"a guard's condition, {at}",
                (ask.span.to(f'({ask.text}||{ask.role("arguments").text[1:-1]}==="Stop")'),),
                MUST_BE_BLIND,
            )
