"""Finding the guard events: the set that the reader of single matchers asks about its event.

A release that has guard events judges the matchers of an event one by one (bad ones are dropped, or reject the document
if the event is a guard). So it uses the schema of one matcher by itself, in a function that asks a constant set about
the event: `GUARDS.has(event)`. A release that has none uses that schema only inside `array(...)`: all matchers of an
event stand or fall together, and no code exists that could treat one event differently. That use is looked for, and
it is what tells "has none" from "not found": a reader of single matchers without a set that can be read is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.hooks import HooksSchema, strings
from driftgate.extraction.javascript import cut, syntax
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module
from driftgate.extraction.javascript.syntax import Node
from driftgate.extraction.javascript.values import Schema
from driftgate.surface import Place, Witness

_HOW: Final = "the set that the reader of single matchers asks about its event"
_CALLEE: Final = re.compile(rb"([\w$.]+)\(\s*\Z")
_USED: Final = re.compile(rb"\(\)|\.\w")
_FUNCTION: Final = re.compile(rb"\bfunction\b[^(){}]{0,80}\(|(?:\([^()]*\)|[\w$]+)\s*=>\s*\{")
_BACK: Final = 8 * 1024
"""How far back the beginning of the reader is looked for, in bytes: it is a small function."""


class GuardError(ValueError):
    """There is a reader of single matchers, and which events it guards could not be read."""


@dataclass(frozen=True)
class Guards:
    """The guard events (None: it is established that there are none), where they stand, and how that was found."""

    members: tuple[str, ...] | None
    place: Place
    witness: Witness


def read_guards(evaluator: Evaluator, schema: HooksSchema) -> Guards:
    """Read the guard events that go with a hooks schema. Raises GuardError."""
    places = list(evaluator.uses_of(schema.module, schema.matcher_name))
    read = [_guards_of(evaluator, schema, *use) for place in places for use in _single_uses(evaluator, schema, *place)]
    found = [guards for guards in read if guards is not None]
    place = schema.module.place(schema.offset)
    if not found and len(places) == 1 and schema.matcher_name in schema.module.exports.values():
        raise GuardError(f"the schema of one matcher (`{schema.matcher_name}`) is exported, and no use of it was seen")
    if not found:
        note = (
            f"the schema of one matcher (`{schema.matcher_name}`) is used only inside of array(...): this release has "
            "no reader that judges matchers one by one, so none that could guard an event"
        )
        return Guards(None, place, Witness(_HOW, place, None, note))
    if any(set(each.members or ()) != set(found[0].members or ()) for each in found):
        raise GuardError(
            "readers of single matchers ask different sets: " + "; ".join(str(each.members) for each in found)
        )
    return found[0]


def _single_uses(
    evaluator: Evaluator, schema: HooksSchema, module: Module, name: str
) -> Iterator[tuple[Module, str, int]]:
    """Yield where the matcher's schema is used by itself rather than as what a list holds."""
    spelt = name.encode()
    for offset in cut.occurrences(module.text, spelt):
        if module is schema.module and schema.offset <= offset < schema.end:
            continue
        callee = _CALLEE.search(module.text, max(0, offset - 40), offset)
        if callee and evaluator.factory(module, callee[1].decode()) == "array":
            continue
        if _USED.match(module.text, offset + len(spelt)):
            yield module, name, offset


def _guards_of(evaluator: Evaluator, schema: HooksSchema, module: Module, name: str, offset: int) -> Guards | None:
    """Return the set that the reader around `offset` asks; None where the name means something else there."""
    for start, source in _functions_around(module, offset):
        try:
            function = syntax.parse(source)
        except syntax.JsError as error:
            raise GuardError(
                f"the reader of single matchers at {module.place(start)} cannot be parsed: {error}"
            ) from error
        if name in _declared(function):
            return None
        asked = sorted(set(_asked(function)))
        sets = [guards for each in asked if (guards := _set_of_events(evaluator, schema, module, each)) is not None]
        if len(sets) > 1:
            raise GuardError(f"the reader of single matchers at {module.place(start)} asks {len(sets)} sets of events")
        if sets:
            return sets[0]
    raise GuardError(
        f"the schema of one matcher (`{name}`) is used by itself at {module.place(offset)}, so matchers are judged one "
        "by one there; no set of events that is asked there could be read"
    )


def _functions_around(module: Module, offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield the functions that enclose `offset`, the innermost first."""
    begins = [match.start() for match in _FUNCTION.finditer(module.text, max(0, offset - _BACK), offset)]
    for start in reversed(begins):
        try:
            end = cut.end_of_body(module.text, start)
        except cut.CutError:
            continue
        if end > offset:
            yield start, module.text[start:end]


def _declared(function: Node) -> set[str]:
    """Return the names that a function, or one within it, declares."""
    found = {
        each.id.name
        for each in syntax.walk(function)
        if each.type == "VariableDeclarator" and each.id.type == "Identifier"
    }
    return found | {parameter.name for parameter in function.params if parameter.type == "Identifier"}


def _asked(node: Node) -> Iterator[str]:
    """Yield each X of X.has(y)."""
    for each in syntax.walk(node):
        if (
            each.type == "CallExpression"
            and each.callee.type == "MemberExpression"
            and getattr(each.callee.property, "name", "") == "has"
            and each.callee.object.type == "Identifier"
            and [argument.type for argument in each.arguments] == ["Identifier"]
        ):
            yield each.callee.object.name


def _set_of_events(evaluator: Evaluator, schema: HooksSchema, module: Module, name: str) -> Guards | None:
    """Return the constant set of that name, if all it holds are hook events."""
    value = evaluator.global_name(module, name)
    members = strings(evaluator.force(value.args[0])) if isinstance(value, Schema) and value.kind == "Set" else None
    if not members or not set(members) <= set(schema.events):
        return None
    place = evaluator.place_of(module, name) or schema.module.place(schema.offset)
    return Guards(members, place, Witness(_HOW, place, members))
