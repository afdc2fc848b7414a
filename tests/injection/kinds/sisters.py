"""Sister harnesses: an enum whose values are checked, and an interface that a plugin promises."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.injection.subject import Mutant, Subject
from tests.injection.text import Edit
from tests.injection.truth import EVENTS, MUST_BE_BLIND, SAME, Truth, added, removed

NEW = "BeforeLunch"
_ENUM = re.compile(
    rb"\((?:\(|function\()(?P<inner>[\w$]+)\) (?:=> )?\{\n(?P<body>(?:\s*(?P=inner)\[\"[^\n]*\n)+)"
    rb"(?:\s*return (?P=inner);\n)?\}\)\((?P<name>[\w$]+) \|\| [^\n]*\n"
)
_CALL = re.compile(rb"this\.createBaseInput\(\s*\"(?P<event>\w+)\"[^)]*\)")
_CHECK = re.compile(rb"Object\.values\((?P<name>[\w$]+)\)")
_INTERFACE = re.compile(rb"interface Hooks \{(?P<body>.*?)\n\}", re.DOTALL)


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of a sister harness's package, by what states its events."""
    if subject.declared:
        yield from _interface(subject)
        return
    names = subject.base.members(EVENTS)
    enums = [
        (member, found)
        for member, text in subject.members.items()
        for found in _ENUM.finditer(text)
        if all(f'"{name}"'.encode() in found["body"] for name in names)
    ]
    assert enums, f"{subject.name}: its enum was not located"
    yield from _enum(subject, enums, names)
    yield from _used(subject, enums)


def _fired(subject: Subject, *, add: str = "", drop: str = "") -> list[Edit]:
    """Return the edits by which an event is fired, or no longer: the second reading of the same names."""
    edits = []
    for member, text in subject.members.items():
        calls = list(_CALL.finditer(text))
        if add and calls:
            at = len(text)
            edits.append(Edit(member, at, at, f'\nfunction zF(){{return this.createBaseInput("{add}")}}\n'))
        edits += [
            Edit(member, call.start() + 5, call.start() + 20, "otherBaseInput_")
            for call in calls
            if drop and call["event"].decode() == drop
        ]
    return edits


def _enum(subject: Subject, enums: list[tuple[str, re.Match[bytes]]], names: tuple[str, ...]) -> Iterator[Mutant]:
    def each(make) -> list[Edit]:
        return [
            Edit(member, found.end("body"), found.end("body"), make(found["inner"].decode(), found["name"].decode()))
            for member, found in enums
        ]

    def behind(make) -> list[Edit]:
        return [Edit(member, found.end(), found.end(), make(found["name"].decode())) for member, found in enums]

    fired = _fired(subject, add=NEW)
    truth = added(EVENTS, NEW)
    for how, make in {
        "a member": lambda i, n: f'{i}["{NEW}"] = "{NEW}";\n',
        "a member by a dot": lambda i, n: f'{i}.{NEW} = "{NEW}";\n',
        "a member, single quotes": lambda i, n: f"{i}['{NEW}'] = '{NEW}';\n",
    }.items():
        yield Mutant(subject, "sister: event added", how, (*each(make), *fired), truth)
    for how, make in {
        "a template": lambda i, n: f"{i}.{NEW} = `{NEW}`;\n",
        "two texts": lambda i, n: f'{i}.{NEW} = "Before" + "Lunch";\n',
        "by a name": lambda i, n: f"{i}.{NEW} = zN;\n",
        "Object.assign": lambda i, n: f'Object.assign({i}, {{{NEW}: "{NEW}"}});\n',
        "another enum's member": lambda i, n: f"{i}.{NEW} = Other.{NEW};\n",
        "by a call": lambda i, n: f"zN({i});\n",
        "on a condition": lambda i, n: f'if (process.env.ZQ) {i}.{NEW} = "{NEW}";\n',
    }.items():
        for told, told_edits in (("", ()), (", not fired so", fired)):
            wanted = MUST_BE_BLIND if not told else truth
            if told and how in ("by a call", "on a condition", "by a name", "another enum's member"):
                wanted = MUST_BE_BLIND
            yield Mutant(subject, "sister: enum in other forms", f"{how}{told}", (*each(make), *told_edits), wanted)
    for how, later in {
        "a member": lambda n: f'{n}.{NEW} = "{NEW}";\n',
        "a member by key": lambda n: f'{n}["{NEW}"] = "{NEW}";\n',
        "Object.assign": lambda n: f'Object.assign({n}, {{{NEW}: "{NEW}"}});\n',
        "delete": lambda n: f"delete {n}.{names[0]};\n",
        "defineProperty": lambda n: f'Object.defineProperty({n}, "{NEW}", {{value: "{NEW}", enumerable: true}});\n',
    }.items():
        yield Mutant(subject, "sister: enum changed afterwards", how, tuple(behind(later)), MUST_BE_BLIND)
    for name in names:
        edits = [
            Edit(member, found.start("body") + line.start(), found.start("body") + line.end(), "")
            for member, found in enums
            for line in re.finditer(rb'[^\n]*"' + name.encode() + rb'";\n', found["body"])
        ]
        yield Mutant(
            subject, "sister: event removed", name, (*edits, *_fired(subject, drop=name)), removed(EVENTS, name)
        )
        yield Mutant(subject, "sister: event in one reading only", name, tuple(edits), MUST_BE_BLIND)
    yield Mutant(subject, "sister: event in one reading only", "fired", tuple(fired), MUST_BE_BLIND)


def _used(subject: Subject, enums: list[tuple[str, re.Match[bytes]]]) -> Iterator[Mutant]:
    called = {found["name"] for _, found in enums}
    for how, make in {
        "in a list with another": lambda c: f'[...{c}, "{NEW}"]',
        "concat": lambda c: f'{c}.concat("{NEW}")',
        "filtered": lambda c: f"{c}.filter(zq9)",
        "mapped": lambda c: f"{c}.map(zq9)",
    }.items():
        edits = [
            Edit(member, *found.span(), make(found[0].decode()))
            for member, text in subject.members.items()
            for found in _CHECK.finditer(text)
            if found["name"] in called
        ]
        yield Mutant(subject, "sister: check of other names", how, tuple(edits), MUST_BE_BLIND)
    for how, make in {
        "a copy": lambda c: f"[...{c}]",
        "in brackets": lambda c: f"({c})",
        "with a space": lambda c: c.replace("(", "( "),
    }.items():
        edits = [
            Edit(member, *found.span(), make(found[0].decode()))
            for member, text in subject.members.items()
            for found in _CHECK.finditer(text)
            if found["name"] in called
        ]
        yield Mutant(subject, "sister: check rewritten", how, tuple(edits), SAME, cosmetic=how != "a copy")
    for how, before, to in (("single quotes", b'"', "'"),):
        edits = [
            Edit(member, found.start("body") + at.start(), found.start("body") + at.end(), to)
            for member, found in enums
            for at in re.finditer(before, found["body"])
        ]
        yield Mutant(subject, "sister: cosmetic", how, tuple(edits), SAME, cosmetic=True)
    for how, pattern, to in (
        ("no spaces", rb" = ", "="),
        ("more spaces", rb" = ", "  =  "),
        ("comments", rb";\n", "; // x\n"),
    ):
        edits = [
            Edit(member, found.start("body") + at.start(), found.start("body") + at.end(), to)
            for member, found in enums
            for at in re.finditer(pattern, found["body"])
        ]
        yield Mutant(subject, "sister: cosmetic", how, tuple(edits), SAME, cosmetic=True)


def _interface(subject: Subject) -> Iterator[Mutant]:
    site = subject.declared
    found = _INTERFACE.search(site.text)
    assert found is not None
    end = found.end("body")
    key = '"chat.zed"'
    truth = Truth({(EVENTS, "chat.zed"): True})
    one = f"\n    {key}?: (input: {{}}) => Promise<void>;"
    yield Mutant(subject, "sister: event added", "a member", (Edit(site.member, end, end, one),), truth)
    yield Mutant(
        subject,
        "sister: event added",
        "a method",
        (Edit(site.member, end, end, f"\n    {key}(input: {{}}): Promise<void>;"),),
        truth,
    )
    yield Mutant(
        subject,
        "sister: event added",
        "readonly",
        (Edit(site.member, end, end, f"\n    readonly {key}?: () => void;"),),
        truth,
    )
    start = found.start()
    for how, changed, wanted in (
        (
            "extends",
            (
                Edit(
                    site.member,
                    start,
                    start + len("interface Hooks {"),
                    f"interface More {{{one}\n}}\nexport interface Hooks extends More {{",
                ),
            ),
            truth,
        ),
        (
            "extends what is not there",
            (Edit(site.member, start, start + len("interface Hooks {"), "interface Hooks extends Zed {"),),
            MUST_BE_BLIND,
        ),
        (
            "declared twice",
            (Edit(site.member, len(site.text), len(site.text), f"\nexport interface Hooks {{{one}\n}}\n"),),
            truth,
        ),
        ("an index", (Edit(site.member, end, end, "\n    [name: string]: unknown;"),), MUST_BE_BLIND),
        ("a computed key", (Edit(site.member, end, end, "\n    [ZED]?: () => void;"),), MUST_BE_BLIND),
    ):
        yield Mutant(subject, "sister: interface in other forms", how, changed, wanted)
    for member in re.finditer(rb'\n    (?P<key>"[\w.]+"|\w+)\?: ', found["body"]):
        name = member["key"].decode().strip('"')
        at = found.start("body") + member.start("key")
        renamed = (Edit(site.member, at, at + len(member["key"]), key),)
        yield Mutant(subject, "sister: event renamed", name, renamed, truth | removed(EVENTS, name))
    for how, edits in (
        (
            "comments",
            tuple(Edit(site.member, *each.span(), "") for each in re.finditer(rb"/\*\*.*?\*/", site.text, re.DOTALL)),
        ),
        (
            "single quotes",
            tuple(
                Edit(
                    site.member,
                    found.start("body") + each.start(),
                    found.start("body") + each.end(),
                    f"'{each[1].decode()}'",
                )
                for each in re.finditer(rb'"([\w.]+)"(?=\?: )', found["body"])
            ),
        ),
        (
            "a tab",
            tuple(
                Edit(site.member, found.start("body") + each.start(), found.start("body") + each.end(), "\t")
                for each in re.finditer(rb"    ", found["body"])
            ),
        ),
    ):
        yield Mutant(subject, "sister: cosmetic", how, edits, SAME, cosmetic=True)
