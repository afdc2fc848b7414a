"""The reader of Python: constants, enumerations, `Literal`s, `TypedDict`s and what is computed from them.

Works on the syntax tree (https://docs.python.org/3/library/ast.html); nothing is imported or run. Modules of the same
project are followed through their imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from driftgate.declared.opened import Opened
from driftgate.declared.python.expressions import MODULES, Evaluator
from driftgate.declared.python.scope import Scope
from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of, step
from driftgate.declared.unreadable import missing, no_part
from driftgate.declared.values import Stated, Value


def read(source: Source, name: str) -> Value:
    """Return the value of `name`, which may be dotted: a class's attribute, a field, an entry of an object.

    Raises:
        DeclaredError: the file is not valid Python, or has no such name.
    """
    evaluator, scope = _opened(source)
    first, *rest = name.split(".")
    start = source.place(1, 0)
    if first not in scope.bindings and evaluator.stars.find(first, scope, start) is None:
        raise missing(first, source, [*scope.bindings, *_within(scope)])
    value = evaluator.name(first, scope, start)
    for part in rest:
        value, scope = _step(evaluator, value, scope, first, part, source)
        first = part
    return value


def _opened(source: Source) -> tuple[Evaluator, Scope]:
    """Parse a module, or take what was read of it last time: one file mostly declares several sets.

    A module that it imports may have changed on disk since: then it is evaluated again.
    """
    if _OPENED.of(source)[0].is_stale():
        _OPENED.forget(source)
    return _OPENED.of(source)


_OPENED: Final = Opened(lambda source: (Evaluator(), MODULES.of(source)))


def _within(scope: Scope) -> Iterator[str]:
    """Yield the names of constants of classes."""
    for name, bindings in scope.bindings.items():
        node = bindings[-1].node
        if isinstance(node, ast.ClassDef):
            inner = scope.within(node).bindings.items()
            yield from (f"{name}.{key}" for key, bound in inner if isinstance(bound[-1].node, ast.expr))


def _step(
    evaluator: Evaluator, value: Value, scope: Scope, outer: str, part: str, source: Source
) -> tuple[Value, Scope]:
    inner = step(value, part)
    inside = evaluator.enter(ast.Name(outer, ast.Load()), scope)
    if inner is None and inside and part in inside.bindings:
        return evaluator.name(part, inside, value.place), inside
    if inner is None:
        raise no_part(part, value, source, [*keys_of(value), *(inside.bindings if inside else ())], inside=outer)
    return inner, scope


def stated(source: Source) -> Iterator[Stated]:
    """Yield every value that the module's own statements bind, in order, also where it cannot be read."""
    evaluator, scope = _opened(source)
    for name, bindings in scope.bindings.items():
        if bindings[-1].imported is None:
            value = evaluator.name(name, scope, source.place(1, 0))
            place = evaluator.place(bindings[-1].node, scope)
            yield Stated(name, value, place)
