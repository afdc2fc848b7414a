"""What a name stands for in the end, where it is changed before anybody looks at it.

    var E = ["a"]; E.push("b"); E = [...E, "c"];

Statements of the module's own level run in the order of the text. As long as nothing else names the value in between,
each can be evaluated in its turn; anything else is left alone, and is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.extraction.javascript import builtins, cut, scopes, syntax
from driftgate.extraction.javascript.module import Module
from driftgate.extraction.javascript.values import Scope, SetOf, Unknown, Value
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.extraction.javascript.evaluate import Evaluator

_CALL: Final = re.compile(rb"\s*\.\s*(push|unshift|splice|pop|shift|add|delete|clear|reverse|sort)\s*\(")
_ENDS: Final = re.compile(rb"\s*(?:[;}]|\Z)|[ \t]*\n\s*[\w$]")
_BEGINS: Final = re.compile(rb"(?:\A|[;}\n])\s*\Z")
_DECLARES: Final = re.compile(rb"(?:\A|[^\w$.])(?:var|let|const)\s(?:[^;{}]*,)?\s*\Z")
_MOST: Final = 16


@dataclass(frozen=True, slots=True)
class Change:
    """One statement that gives a name a value or changes it: where the name stands, and the expression."""

    offset: int
    start: int
    source: bytes
    method: str | None = None


def changes(module: Module, name: str) -> tuple[Change, ...] | None:
    """Return the statements that make up the value of a name, in order.

    None where there is but its definition, where something else names it in between, or where they do not stand at the
    module's own level.
    """
    defined = module.defined(name)
    if not defined or any(each.value is None for each in defined):
        return None
    found = [Change(each.offset, each.value.offset, each.value.source) for each in defined if each.value]
    found += _calls(module, name, {each.offset for each in defined})
    found.sort(key=lambda change: change.offset)
    if not 1 < len(found) <= _MOST or found[0].method is not None:
        return None
    if not all(_at_own_level(module, change, first=at == 0) for at, change in enumerate(found)):
        return None
    spans = [(change.offset, change.start + len(change.source)) for change in found]
    first, last = spans[0][0], spans[-1][1]
    between = (at for at in module.named(name) if first <= at < last)
    if any(not any(start <= at < end for start, end in spans) for at in between):
        return None
    return tuple(found)


def _calls(module: Module, name: str, defined: set[int]) -> list[Change]:
    text, length = module.text, len(name.encode())
    found = []
    for offset in module.named(name):
        call = _CALL.match(text, offset + length)
        if call is None or offset in defined or not _BEGINS.search(text, max(0, offset - 8), offset):
            continue
        try:
            end = cut.end_of_brackets(text, call.end() - 1)
        except cut.CutError:
            continue
        if _ENDS.match(text, end):
            found.append(Change(offset, offset, text[offset:end], call[1].decode()))
    return found


def _at_own_level(module: Module, change: Change, *, first: bool) -> bool:
    before = module.text[max(0, change.offset - 400) : change.offset]
    begins = _BEGINS.search(before) or (first and _DECLARES.search(before))
    return bool(begins) and not scopes.closers_after(module.text, change.offset)


def value_of(evaluator: Evaluator, module: Module, name: str, made: tuple[Change, ...]) -> Value:
    """Return what a name stands for after all of its changes."""
    value: Value = Unknown(f"`{name}` before it is defined")
    for change in made:
        names: Mapping[str, Value] = MappingProxyType({name: value})
        try:
            node = syntax.parse(change.source)
        except syntax.JsError as error:
            return Unknown(f"a statement that cannot be parsed ({error})", module.place(change.offset))
        scope = Scope(module, names, change.source.decode(errors="replace"), change.start)
        if change.method is None:
            value = evaluator.value(node, scope)
        else:
            args = tuple(evaluator.value(each, scope) for each in node.arguments if each.type != "SpreadElement")
            if len(args) != len(node.arguments):
                spread = evaluator.arguments(node.arguments, scope)
                if isinstance(spread, Unknown):
                    return spread
                args = tuple(map(evaluator.force, spread))
            value = _changed(evaluator, value, change.method, args, module.place(change.offset))
        if isinstance(value, Unknown):
            return value
    return value


def _changed(evaluator: Evaluator, value: Value, method: str, args: tuple[Value, ...], place: Place) -> Value:  # noqa: C901 - one case a method reads best in one place
    unknown = next((each for each in args if isinstance(each, Unknown)), None)
    if unknown is not None:
        return unknown
    if isinstance(value, SetOf):
        match method, args:
            case "add", (one,):
                return SetOf(evaluator.distinct((*value.members, one)))
            case "delete", (one,):
                return SetOf(tuple(each for each in evaluator.distinct(value.members) if each != one))
            case "clear", ():
                return SetOf(())
    if isinstance(value, tuple):
        match method, args:
            case "push", _:
                return (*value, *args)
            case "unshift", _:
                return (*args, *value)
            case "pop", ():
                return value[:-1]
            case "shift", ():
                return value[1:]
            case "splice", _:
                return builtins.METHODS[tuple, "toSpliced"](evaluator, value, args, None)
            case "reverse" | "sort", ():
                return value
    return Unknown(f"`.{method}` of this value is not understood", place)
