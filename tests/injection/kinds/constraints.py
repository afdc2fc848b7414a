"""What a field accepts changes: its kind, its constraints, and the details within nested kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.injection.copies import Copy, chain_base
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit
from tests.injection.truth import FIELDS, MUST_BE_BLIND, SHELLS, Truth

_ON_STRING = (
    ".min(3)", ".max(99)", ".length(4)", ".nonempty()", ".regex(/^z/)", ".regex(/^z/i)", '.startsWith("z")', '.endsWith("z")',
    '.includes("z")', ".email()", ".uuid()", ".url()", ".trim()", ".toLowerCase()", ".refine((q)=>q!==\"z\")",
    ".transform((q)=>q+\"z\")", '.or(%boolean())', '.or(%literal("z"))', ".pipe(%string().min(3))", '.catch("z")',
    ".superRefine((q,c)=>{if(q>9)c.addIssue({})})", ".nullable()", ".datetime()", ".and(%string().min(3))",
)  # fmt: skip
_ON_NUMBER = (
    ".int()", ".min(3)", ".max(600)", ".lt(10)", ".gt(5)", ".gte(5)", ".lte(5)", ".multipleOf(5)", ".finite().max(1e9)",
    ".max(1234567)", ".max(1234568)", ".step(.5)", ".safe()", ".nonnegative().max(3)", ".negative()", ".or(%string())", ".catch(1)",
    ".refine((q)=>q<9)", ".max(ZQMAX)",
)  # fmt: skip


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants of each field's schema."""
    for kind, site in subject.copies[0].entries.items():
        for name in site.pairs:
            if name != "type":
                yield from _of_field(subject, kind, name)


def _of_field(subject: Subject, kind: str, name: str) -> Iterator[Mutant]:
    value = subject.copies[0].entries[kind].value(name)
    base = chain_base(value)
    made = base.field("function")
    word = next(
        (word for word, text in subject.copies[0].words.items() if made is not None and text == made.text), None
    )
    allowed = ((SHELLS,),) if name == "shell" else ()
    truth = Truth(changed=frozenset({(FIELDS, kind, name)}), allowed=allowed)
    changed = "field accepts otherwise"

    def inner(copy: Copy, text: str) -> list[Edit] | None:
        call = chain_base(copy.entries[kind].value(name))
        filled = _filled(copy, text)
        return None if filled is None else [call.span.after(filled)]

    def instead(copy: Copy, text: str) -> list[Edit] | None:
        call = chain_base(copy.entries[kind].value(name))
        filled = _filled(copy, text)
        return None if filled is None else [call.span.to(filled)]

    declared = subject.declared.field(kind, name)

    def retyped(to: str) -> list[Edit]:
        return subject.declared.change_field(kind, name, to=to) if declared else []

    for text in _ON_STRING if word == "string" else _ON_NUMBER if word == "number" else ():
        if text.startswith(".or(%literal"):
            continue  # a literal beside a string accepts nothing more
        told: list[Edit] = []
        if text.startswith(".or("):
            told = retyped("string | boolean" if word == "string" else "number | string")
        if text == ".nullable()":
            told = retyped("string | null")
        if (text == ".url()" and ".url()" in value.text) or (text == ".nonempty()" and ".min(1)" in value.text):
            continue
        wanted = MUST_BE_BLIND if "ZQMAX" in text else truth
        yield from everywhere(subject, f"{changed}, {word}", text, lambda c, t=text: inner(c, t), wanted, also=told)
    retypes = {
        "string": (
            ("%number()", "number"),
            ("%boolean()", "boolean"),
            ("%array(%string())", "string[]"),
            ('%enum(["a","b"])', "'a' | 'b'"),
        ),
        "number": (
            ("%string()", "string"),
            ("%coerce.number()", "number"),
            ("%boolean()", "boolean"),
            ("%bigint()", "bigint"),
        ),
        "boolean": (
            ("%string()", "string"),
            ("%literal(!0)", "true"),
            ('%enum(["true","false"])', "'true' | 'false'"),
            ("%literal(!1)", "false"),
        ),
        "array": (
            ("%string()", "string"),
            ("%array(%number())", "number[]"),
            ("%array(%boolean())", "boolean[]"),
            ("%array(%array(%string()))", "string[][]"),
            ("%unknown()", "unknown"),
        ),
        "record": (
            ("%record(%string(),%number())", "{ [k: string]: number; }"),
            ("%record(%string(),%boolean())", "{ [k: string]: boolean; }"),
            ("%array(%string())", "string[]"),
            ("%object({})", "{}"),
        ),
        "enum": (("%string()", "string"), ("%number()", "number")),
    }
    for text, type_ in retypes.get(word or "", ()):
        yield from everywhere(
            subject,
            f"{changed}, another kind",
            f"{word} -> {text.replace('%', '')}",
            lambda c, t=text: instead(c, t),
            truth,
            also=retyped(type_),
        )
    nested = {
        "array": (
            "%array(%string().min(1))",
            "%array(%string().regex(/z/))",
            "%array(%string()).min(1)",
            "%array(%string()).max(9)",
            "%array(%string()).nonempty()",
            "%array(%string().max(9)).length(2)",
            "%array(%string().trim())",
            "%array(%string().url())",
            "%array(%string().refine((q)=>q))",
        ),
        "record": (
            "%record(%string(),%string().min(1))",
            "%record(%string().min(1),%string())",
            "%record(%string().regex(/z/),%unknown())",
            '%record(%enum(["a"]),%string())',
            "%record(%string(),%string().optional())",
            "%record(%string(),%string()).refine((q)=>q)",
            "%record(%string(),%array(%string()))",
        ),
    }
    for text in nested.get(word or "", ()):
        types = {"array": "string[]", "record": "{ [k: string]: string; }"}
        told = retyped("{ [k: string]: unknown; }") if "%unknown" in text else retyped(types[word or ""])
        if "%array(%string()))" in text and word == "record":
            told = retyped("{ [k: string]: string[]; }")
        if declared and ("optional()" in text or text.startswith("%record(%enum")):
            continue
        yield from everywhere(
            subject, f"{changed}, within", text.replace("%", ""), lambda c, t=text: instead(c, t), truth, also=told
        )
    for text in (
        "zq9()",
        "zq9",
        "%string().zq9()",
        "%string().min(zq9)",
        "%enum(zq9)",
        "%array(zq9)",
        "%string().or(zq9)",
        "zq9(%string())",
        "%literal(zq9)",
        "%record(%string(),zq9)",
        "%object({a:zq9})",
    ):
        if text == "zq9" and value.text != base.text:
            continue  # `zq9.optional()` would be read as a namespace's, of which this may be one
        if word in ("string", "array", "record", "number"):
            yield from everywhere(
                subject, "field unknowable", text.replace("%", ""), lambda c, t=text: instead(c, t), MUST_BE_BLIND
            )
    if word in ("string", "array", "record", "number"):
        yield from everywhere(
            subject, "field unknowable", "a namespace of its own", lambda c: _own(instead, c), MUST_BE_BLIND
        )


def _own(instead: Callable[[Copy, str], list[Edit] | None], copy: Copy) -> list[Edit]:
    """Return the edits by which a field comes from an object of the module that only looks like the library."""
    end = len(copy.source.text)
    return [*(instead(copy, "zown.string()") or ()), Edit(copy.source.member, end, end, ";var zown={string:()=>zq9};")]


def _filled(copy: Copy, text: str) -> str | None:
    """Return a text with the schema library's words of a bundle in the place of %word; None where it lacks one."""
    out, rest = "", text
    while "%" in rest:
        before, _, after = rest.partition("%")
        word = next(
            (w for w in ("coerce.number", *sorted(copy.words, key=len, reverse=True)) if after.startswith(w)), None
        )
        if word is None or word not in copy.words:
            return None
        out += before + copy.words[word]
        rest = after[len(word) :]
    return out + rest
