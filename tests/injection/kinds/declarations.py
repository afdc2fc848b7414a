"""The declarations beside a bundle: against it, spelt otherwise, or gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.injection.subject import Mutant, Subject
from tests.injection.text import Edit
from tests.injection.truth import FIELDS, MUST_BE_BLIND, MUST_BE_SAID, SAME


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of the other witnesses alone."""
    if subject.declared:
        yield from _against(subject)
        yield from _respelt(subject)
    if subject.literals:
        edits = tuple(Edit(source.member, *match.span(1), "hook_event_gone") for source, match in subject.literals)
        yield Mutant(subject, "witness lost", "the input schemas", edits, MUST_BE_SAID)
        one = subject.literals[0]
        yield Mutant(
            subject,
            "witness against the list",
            "an input's name is not there",
            (Edit(one[0].member, one[1].end(2), one[1].end() - 1, "(zq9"),),
            MUST_BE_SAID,
        )


def _against(subject: Subject) -> Iterator[Mutant]:
    site = subject.declared
    for kind in site.options:
        for field in subject.base.tables[FIELDS].rows[kind]:
            if site.field(kind, field.name) is None:
                continue
            made = {
                "a field gone": site.drop_field(kind, field.name),
                "a field of another type": site.change_field(kind, field.name, to="bigint"),
                "a field's requiredness": site.change_field(kind, field.name, mark="?" if field.required else ""),
                "a field renamed": site.change_field(kind, field.name, renamed="zedField"),
            }
            for how, edits in made.items():
                yield Mutant(subject, "declarations against the bundle", how, tuple(edits), MUST_BE_BLIND)
        yield Mutant(
            subject,
            "declarations against the bundle",
            "a field more",
            tuple(site.add_field(kind, "zedField?: string")),
            MUST_BE_BLIND,
        )
        yield Mutant(
            subject,
            "declarations against the bundle",
            "a type renamed",
            tuple(site.rename_type(kind, "zed")),
            MUST_BE_BLIND,
        )
        if len(site.options) > 1:
            yield Mutant(
                subject, "declarations against the bundle", "a type gone", tuple(site.drop_type(kind)), MUST_BE_BLIND
            )
    yield Mutant(
        subject,
        "declarations against the bundle",
        "a type more",
        tuple(site.add_type("{ type: 'zed'; a: string; }")),
        MUST_BE_BLIND,
    )


def _respelt(subject: Subject) -> Iterator[Mutant]:
    site = subject.declared
    text, member = site.text.decode(), site.member
    yield Mutant(subject, "witness lost", "no declarations", (), MUST_BE_SAID, more={member: None})
    spans = list(site.options.values())
    start = len(text.encode()[: min(s for s, _ in spans)].decode().rpartition("(")[0].encode())
    end = site.text.index(b")", max(e for _, e in spans)) + 1
    union = site.text[start + 1 : end - 1].decode()
    named = (
        Edit(member, start, end, "ZedEntry"),
        Edit(member, len(site.text), len(site.text), f"\nexport declare type ZedEntry = {union};\n"),
    )
    yield Mutant(subject, "declarations rewritten", "the union has a name", named, MUST_BE_SAID)
    yield Mutant(
        subject,
        "declarations rewritten",
        "Array<...>",
        (Edit(member, start, end + 2, f"Array<{union}>"),),
        MUST_BE_SAID,
    )
    yield Mutant(
        subject, "declarations rewritten", "readonly", (Edit(member, start, start, "readonly "),), MUST_BE_SAID
    )
    first = min(spans)
    option = site.text[first[0] : first[1]].decode()
    one = (
        Edit(member, *first, "ZedOne"),
        Edit(member, len(site.text), len(site.text), f"\nexport declare type ZedOne = {option};\n"),
    )
    yield Mutant(subject, "declarations rewritten", "an option has a name", one, MUST_BE_SAID)
    one = (
        Edit(member, *first, "ZedOne"),
        Edit(member, len(site.text), len(site.text), f"\nexport declare interface ZedOne {option}\n"),
    )
    yield Mutant(subject, "declarations rewritten", "an option is an interface", one, MUST_BE_SAID)
    for how, pattern, to in (
        ("HookEvent by typeof", r"(type\s+HookEvent\s*=)[^;]*;", r"\1 (typeof HOOK_EVENTS)[number];"),
        ("HookEvent by Extract", r"(type\s+HookEvent\s*=)([^;]*);", r"\1 Extract<\2, string>;"),
        ("HookEvent in brackets", r"(type\s+HookEvent\s*=)([^;]*);", r"\1 (\2);"),
        (
            "HOOK_EVENTS as ReadonlyArray",
            r"(HOOK_EVENTS\s*:)\s*readonly\s*\[([^\]]*)\]",
            r"\1 ReadonlyArray<HookEvent>",
        ),
        ("HOOK_EVENTS as Readonly", r"(HOOK_EVENTS\s*:)\s*readonly\s*(\[[^\]]*\])", r"\1 Readonly<\2>"),
        ("HOOK_EVENTS gone", r"\bHOOK_EVENTS\b", "ZED_EVENTS"),
        ("HookEvent gone", r"\btype HookEvent\b", "type ZedEvent"),
        ("inputs gone", r"\bhook_event_name\b", "hook_event_gone"),
        ("the setting gone", r"\bhooks\?\s*:\s*\{", "zooks?: {"),
    ):
        edits = tuple(
            Edit(member, len(text[: found.start()].encode()), len(text[: found.end()].encode()), found.expand(to))
            for found in re.finditer(pattern, text)
        )
        kind = "witness lost" if how.endswith("gone") else "declarations rewritten"
        if edits:
            yield Mutant(subject, kind, how, edits, MUST_BE_SAID)
    quotes = tuple(
        Edit(member, at.start(), at.end(), f'"{at[1].decode()}"')
        for at in re.finditer(rb"(?<=[ \[(])'(\w+)'(?=[;,\] |)])", site.text)
    )
    yield Mutant(subject, "declarations: quotes", "double", quotes, SAME, cosmetic=True)
    comments = tuple(Edit(member, *found.span(), "") for found in re.finditer(rb"/\*\*.*?\*/\s*", site.text, re.DOTALL))
    yield Mutant(subject, "declarations: comments", "gone", comments, SAME, cosmetic=True)
