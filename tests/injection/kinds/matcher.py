"""The matcher's schema: fields that come new, are renamed or required, and how strict it is."""

from __future__ import annotations

from collections.abc import Iterator

from tests.injection.copies import Copy, chain_base
from tests.injection.kinds.entries import optional_string
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit
from tests.injection.truth import EVENTS, FIELDS, GUARDS, MUST_BE_BLIND, SAME, SHELLS, TYPES, Truth


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of the matcher's schema."""
    said = subject.base
    others = tuple((each.name,) for each in said.sets() if each.name not in (EVENTS, FIELDS, GUARDS, SHELLS, TYPES))
    truth = Truth(somewhere=(("hook_matcher_fields",), ("hook_matcher",), *others))
    whole = lambda make: lambda c: [c.matcher.call.span.to(make(c, c.matcher))]  # noqa: E731
    forms = {
        "a field, last": lambda c, m: f"{m.callee}({m.literal.text[:-1]},zedField:{optional_string(c)}}})",
        "a field by extend": lambda c, m: f"{m.call.text}.extend({{zedField:{optional_string(c)}}})",
        "a field by and": lambda c, m: f"{m.call.text}.and({m.callee}({{zedField:{optional_string(c)}}}))",
        "a field by a spread": lambda c, m: f"{m.callee}({{...{m.literal.text},zedField:{optional_string(c)}}})",
        "a required field": lambda c, m: f"{m.callee}({m.literal.text[:-1]},zedField:{c.words['string']}()}})",
        "strict": lambda c, m: f"{m.call.text}.strict()",
        "passthrough": lambda c, m: f"{m.call.text}.passthrough()",
        "catchall": lambda c, m: f"{m.call.text}.catchall({c.words['string']}())",
        "refine": lambda c, m: f"{m.call.text}.refine((q)=>q.hooks.length)",
        "matcher required": lambda c, m: m.call.text.replace(".optional()", "", 1),
        "matcher required by required": lambda c, m: f"{m.call.text}.required()",
        "matcher renamed": lambda c, m: m.call.text.replace("matcher:", "zedMatcher:", 1),
        "matcher dropped by omit": lambda c, m: f"{m.call.text}.omit({{matcher:!0}})",
        "matcher of another kind": lambda c, m: m.call.text.replace(
            f"matcher:{c.words['string']}()", f"matcher:{c.words['array']}({c.words['string']}())", 1
        ),
        "matcher with a constraint": lambda c, m: m.call.text.replace(
            f"matcher:{c.words['string']}()", f"matcher:{c.words['string']}().min(1)", 1
        ),
        "hooks optional": lambda c, m: f"{m.call.text}.partial()",
    }
    for how, make in forms.items():
        yield from everywhere(subject, "matcher accepts otherwise", how, whole(make), truth)

    def hooks(text: str):
        return lambda c: [chain_base(c.matcher.value("hooks")).span.after(text)]

    for text in (".min(1)", ".max(9)", ".nonempty()", ".optional()", ".nullable()", ".default([])"):
        yield from everywhere(subject, "matcher accepts otherwise", f"hooks{text}", hooks(text), truth)
    for how, make in {
        "extend with what is not there": lambda c, m: f"{m.call.text}.extend(zq9)",
        "a spread of what is not there": lambda c, m: f"{m.callee}({m.literal.text[:-1]},...zq9}})",
        "a call around it": lambda c, m: f"zq9({m.call.text})",
        "or what is not there": lambda c, m: f"{m.call.text}.or(zq9)",
        "a condition on the environment": lambda c, m: f"process.env.ZQ?{m.call.text}:{m.call.text}.strict()",
    }.items():
        yield from everywhere(subject, "matcher unknowable", how, whole(make), MUST_BE_BLIND)

    def list_before(copy: Copy) -> list[Edit]:
        first = copy.matcher.literal.children[0]
        entry = (
            f'{copy.entries["command"].callee}({{type:{copy.words["literal"]}("zed"),path:{copy.words["string"]}()}})'
        )
        return [first.span.before(f"zedList:{copy.words['array']}({entry}).optional(),")]

    yield from everywhere(subject, "matcher accepts otherwise", "another typed list before hooks", list_before, truth)
    for how, make in {
        "extend by nothing": lambda c, m: f"{m.call.text}.extend({{}})",
        "strip": lambda c, m: f"{m.call.text}.strip()",
        "a spread of all": lambda c, m: f"{m.callee}({{...{m.literal.text}}})",
    }.items():
        yield from everywhere(subject, "matcher rewritten", how, whole(make), SAME)
