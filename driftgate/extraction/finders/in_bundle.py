"""A closed set in a JavaScript bundle: candidates by what they hold, the one that is meant by what refers to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.errors import ExtractionError
from driftgate.extraction.finders.candidates import (
    Literal,
    bound_to,
    brackets,
    called_with,
    changed_in_place,
    literals,
)
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.finders.usage import KindOf, Usage, parse_usage
from driftgate.extraction.javascript import cut, uses
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.javascript.zod_makers import AmbiguousKindError, KindReader
from driftgate.surface import Evidence, Origin, Witness
from driftgate.upstreams.finder import Finder, Form

_SHOWN: Final = 8
_CONTEXT: Final = 28
_LISTS: Final = frozenset({Form.ARRAY, Form.SET, Form.UNION})
_CONCAT: Final = re.compile(rb"\s*\.\s*(?:concat|union)\s*\(")
_LEFT: Final = re.compile(rb"[\[({,=:?!&|]\s*\Z|\.\.\.\Z")
_RIGHT: Final = re.compile(rb"\s*[\])},.;?:\[(]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A set that was found: its members in the order of the source, and the evidence for them."""

    members: tuple[str, ...]
    evidence: Evidence


def find_in_bundle(name: str, finder: Finder, modules: tuple[Module, ...], origin: Origin) -> Reading:
    """Return the one set of `modules` that `finder` means.

    Sets that stand in several copies and hold the same are one. Raises NotStatedError where there is none,
    ExtractionError where several differ.
    """
    usage = parse_usage(finder.used_by) if finder.used_by else None
    search = Search(modules)
    every = [literal for module in modules for literal in _literals(module, finder, usage)]
    every += [
        made for literal in every for made in search.made_of(literal) if set(finder.contains) <= set(made.members)
    ]
    large = [literal for literal in every if literal.unread or len(literal.members) >= finder.least]
    chosen = [literal for literal in large if usage is None or search.is_used(literal, usage)]
    if not chosen:
        raise _none(name, finder, every, search, origin)
    # What is made of a set, and cannot be read, is another set if the one that it is made of is used so itself.
    beside = [each for each in chosen if each.made and each.unread and not all(other.made for other in chosen)]
    chosen = [each for each in chosen if each not in beside]
    problems = dict.fromkeys(problem for literal in chosen if (problem := search.not_understood(literal, usage)))
    if problems:
        raise _not_understood(name, finder, chosen, tuple(problems), search, origin)
    first, *others = chosen
    if any(set(other.members) != set(first.members) for other in others):
        raise _several(name, finder, chosen, search, origin)
    how = f"{first.form}{f', used by {usage.text}' if usage else ''}"
    notes = [f"{len(chosen)} equal ones"] if others else []
    notes += [f"also a part of {each.unread}, which is not read" for each in beside]
    place = first.module.place(first.start)
    return Reading(first.members, Evidence(origin, place, (Witness(how, place, first.members, "; ".join(notes)),)))


def _literals(module: Module, finder: Finder, usage: Usage | None) -> Iterator[Literal]:
    if Form.CALLS in finder.forms and usage is not None:
        yield from called_with(module, finder.contains, usage)
    yield from literals(module, finder.contains, finder.forms)


class Search:
    """What refers to the literals of a program's modules, and what is made of them."""

    def __init__(self, modules: tuple[Module, ...]) -> None:
        self._program = Program(modules)
        self._kinds = KindReader(self._program)
        self._evaluator = Evaluator(self._program)

    def made_of(self, literal: Literal) -> Iterator[Literal]:
        """Yield the lists that hold all of `literal` and perhaps more: `[...X, "more"]`, `X.concat("more")`."""
        for module, start, end in list(self._uses(literal))[1:] if literal.form in _LISTS else ():
            if module.text[:start].endswith(b"...") and (around := _list_around(module, start)):
                yield self._evaluated(literal, module, *around)
            elif _CONCAT.match(module.text, end) and (ends := _end_of(module, start)):
                yield self._evaluated(literal, module, start, ends)

    def _evaluated(self, literal: Literal, module: Module, start: int, end: int) -> Literal:
        with self._evaluator.contributions() as names:
            value = self._evaluator.plain(self._evaluator.source(module, module.text[start:end], start))
        members = value if isinstance(value, tuple) and all(isinstance(each, str) for each in value) else None
        unread = "" if members is not None else f"a list that is made of it, {module.place(start)}"
        changed = changed_in_place(module, end) or str(uses.check(self._evaluator, frozenset(names)) or "")
        read = tuple(dict.fromkeys(map(str, members))) if members is not None else literal.members
        return Literal(Form.ARRAY, read, module, start, end, bound_to(module, start), unread or changed, made=True)

    def not_understood(self, literal: Literal, usage: Usage | None) -> str:
        """Return what may make the set another one than `literal` states: in it, where it is used, or elsewhere."""
        if literal.unread:
            return literal.unread
        name, module = literal.name, literal.module
        if name is not None and not module.is_inner(name, literal.start):
            given = module.defined(name) if literal.form in _LISTS else ()
            if len(given) > 1:
                return f"`{name}` is given a value again, {module.place(given[1].offset)}"
            if (changed := uses.check(self._evaluator, frozenset([(module, name)]), as_defined=True)) is not None:
                return str(changed)
        return next(filter(None, (self._odd(literal, *use, usage) for use in self._uses(literal))), "") if usage else ""

    def _odd(self, literal: Literal, module: Module, start: int, end: int, usage: Usage) -> str:
        """Return how a use of the set, which is of the kind that is looked for, takes it for a part of another one."""
        span = usage.span(module.text, start, end, self._kind_of(module))
        if span is None:
            return ""
        if module.text[: span[0]].endswith(b"...") and (around := _list_around(module, span[0])):
            made = self._evaluated(literal, module, *around)
            same = not made.unread and set(made.members) == set(literal.members)
            return "" if same else f"it is only a part of another list, {module.place(span[0])}"
        return changed_in_place(module, span[1]) if module.text[span[1] - 1 : span[1]] == b")" else ""

    def is_used(self, literal: Literal, usage: Usage) -> bool:
        """Return whether `literal` is used as `usage` says, where it stands or by its name."""
        return any(
            usage.matches(module.text, start, end, self._kind_of(module)) for module, start, end in self._uses(literal)
        )

    def _kind_of(self, module: Module) -> KindOf:
        def kind_of(short: str) -> str | None:
            try:
                return self._kinds.kind_of(module, short)
            except AmbiguousKindError:
                return None

        return kind_of

    def _uses(self, literal: Literal) -> Iterator[tuple[Module, int, int]]:
        yield literal.module, literal.start, literal.end
        if literal.name is None:
            return
        for module, name in ((literal.module, literal.name), *self._importers(literal)):
            spelt = name.encode()
            for at in cut.occurrences(module.text, spelt):
                yield module, at, at + len(spelt)

    def _importers(self, literal: Literal) -> Iterator[tuple[Module, str]]:
        for module in self._program.modules:
            if module is not literal.module:
                for name in module.imports:
                    if self._program.resolve(module, name) == (literal.module, literal.name) or _takes(
                        module, name, literal
                    ):
                        yield module, name

    def shown(self, literal: Literal) -> str:
        """Return how a literal is used, for people: the code around its first uses, X in its place."""
        uses = (_around(*use) for use in list(self._uses(literal))[1:])
        return "; ".join(list(dict.fromkeys(filter(None, uses)))[:2]) or "by no name"


def _takes(module: Module, name: str, literal: Literal) -> bool:
    """Return whether `module` imports `literal` as `name` from a file that exports it where it defines it."""
    imported = module.imports[name]
    if imported.name != literal.name or imported.specifier.rsplit("/", 1)[-1] != literal.module.file:
        return False
    exported = rb"\bexport\s+(?:var|let|const)\s+" + re.escape(imported.name.encode()) + rb"(?![\w$])"
    return re.search(exported, literal.module.text) is not None


def _around(module: Module, start: int, end: int) -> str:
    before, after = module.text[max(0, start - _CONTEXT) : start], module.text[end : end + _CONTEXT]
    if re.match(rb"\s*=(?!=)", after) or not (_LEFT.search(before) and _RIGHT.match(after)):
        return ""  # its definition, or a short name that only occurs in some text
    before, after = re.split(rb"[;{}]", before)[-1], re.split(rb"[;{}]", after)[0]
    return re.sub(r"\s+", " ", f"{before.decode(errors='ignore')}X{after.decode(errors='ignore')}").strip()


def _list_around(module: Module, offset: int) -> tuple[int, int] | None:
    """Return where the list stands that something is spread into; None where it is spread into a call or an object."""
    start, end = next(brackets(module.text, offset), (0, 0))
    return (start, end) if module.text[start : start + 1] == b"[" else None


def _end_of(module: Module, start: int) -> int | None:
    try:
        return cut.end_of_expression(module.text, start)
    except cut.CutError:
        return None


def _not_understood(
    name: str, finder: Finder, chosen: list[Literal], problems: tuple[str, ...], search: Search, origin: Origin
) -> ExtractionError:
    return ExtractionError(
        f"{name}: found, and a part of it is not understood",
        where=str(origin),
        expected=f"{finder}, written in a form that can be read whole",
        found=f"{'; '.join(problems[:_SHOWN])}{_listed(chosen, search)}",
        next="what stands there may add to the set or take from it: read it by hand, and report this release",
    )


def _none(name: str, finder: Finder, every: list[Literal], search: Search, origin: Origin) -> NotStatedError:
    if not every:
        found = f"no {', '.join(finder.forms)} that holds all of {', '.join(finder.contains)}"
    elif all(len(literal.members) < finder.least for literal in every):
        found = f"only smaller ones: {_listed(every, search)}"
    else:
        found = f"none that is used so: {_listed(every, search)}"
    return NotStatedError(
        f"{name}: not found in {origin}",
        where=str(origin),
        expected=str(finder),
        found=found,
        next="upstream renamed, moved or withheld it: look at what refers to it now, and correct how it is found",
    )


def _several(name: str, finder: Finder, chosen: list[Literal], search: Search, origin: Origin) -> ExtractionError:
    return ExtractionError(
        f"{name}: several sets could be meant in {origin}",
        where=str(origin),
        expected=f"one, for {finder}",
        found=_listed(chosen, search),
        next="tell them apart: more members in `contains`, a larger `least`, or a `used-by` that only one matches",
    )


def _listed(found: Iterable[Literal], search: Search) -> str:
    """Return each different set in a line: size, form, place, what it holds beyond the others, and how it is used."""
    groups: dict[frozenset[str], list[Literal]] = {}
    for literal in found:
        groups.setdefault(frozenset(literal.members), []).append(literal)
    common = frozenset.intersection(*groups)
    lines = []
    for members, copies in sorted(groups.items(), key=lambda group: -len(group[0])):
        first = copies[0]
        beyond = [member for member in first.members if member not in common][:_SHOWN]
        lines.append(
            f"{len(members)} members, {first.form} {first.name or ''}".rstrip()
            + f" in {first.module.place(first.start)}"
            + (f" and {len(copies) - 1} more" if len(copies) > 1 else "")
            + (f", beyond the others: {', '.join(beyond)}" if beyond and len(groups) > 1 else "")
            + f", used as: {search.shown(first)}"
        )
    more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return "".join(f"\n    - {line}" for line in (*lines[:_SHOWN], *more))
