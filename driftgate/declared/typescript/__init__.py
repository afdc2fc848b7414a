"""The reader of TypeScript, `.d.ts` and JavaScript: constants, unions, enums, interfaces, object tables, zod schemas.

Works on the syntax tree; nothing is compiled or run. Modules of the same project are followed through their imports.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of, step
from driftgate.declared.syntax import place_of
from driftgate.declared.typescript.expressions import MODULES, Evaluator
from driftgate.declared.typescript.scope import Scope
from driftgate.declared.unreadable import missing, no_part
from driftgate.declared.values import Stated, Value
from driftgate.surface import Place


def read(source: Source, name: str) -> Value:
    """Return the value of `name`, which may be dotted: a member of a namespace or class, a field, an entry.

    Raises:
        DeclaredError: the file has no such name.
    """
    evaluator, scope = _opened(source)
    first, *rest = name.split(".")
    value = _named(evaluator, first, scope)
    if value is None:
        raise missing(first, source, [*scope.names, *_within(evaluator, scope)])
    for part in rest:
        inner = step(value, part)
        if inner is None:
            raise no_part(part, value, source, keys_of(value), inside=first)
        value, first = inner, part
    return value


def _opened(source: Source) -> tuple[Evaluator, Scope]:
    """Parse a module, or take what was read of it last time; if what it imports changed on disk, it is read again."""
    if _OPENED.of(source)[0].is_stale():
        _OPENED.forget(source)
    return _OPENED.of(source)


_OPENED: Final = Opened(lambda source: (Evaluator(), MODULES.of(source)))


def _within(evaluator: Evaluator, scope: Scope) -> Iterator[str]:
    """Yield the names of constants of classes and namespaces."""
    for name, bounds in scope.names.items():
        if bounds[0].node is not None and bounds[0].node.type in _HOLDERS:
            yield from (f"{name}.{key}" for key in keys_of(evaluator.name(name, scope, file_place(scope))))


_HOLDERS: Final = frozenset({"class_declaration", "abstract_class_declaration", "internal_module", "module"})


def _named(evaluator: Evaluator, name: str, scope: Scope) -> Value | None:
    if name in scope.names or scope.everything_from:
        return evaluator.name(name, scope, file_place(scope))
    exports = scope.names.get("module.exports")
    return step(evaluator.name("module.exports", scope, file_place(scope)), name) if exports else None


def file_place(scope: Scope) -> Place:
    """Return the place of a file as a whole."""
    return Place(scope.source.shown, line=1, column=1)


def stated(source: Source) -> Iterator[Stated]:
    """Yield every value that the file itself binds to a name, in order, also where it cannot be read."""
    evaluator, scope = _opened(source)
    for name, bounds in scope.names.items():
        if all(bound.imported for bound in bounds):
            continue
        place = place_of(bounds[0].node, source) if bounds[0].node else file_place(scope)
        yield Stated(name, evaluator.name(name, scope, place), place)
