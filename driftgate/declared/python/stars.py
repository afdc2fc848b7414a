"""`from module import *`: what it may bind, and whether it binds a name again that the module defines itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from driftgate.declared.python.imports import module_files
from driftgate.declared.python.scope import Import, Scope
from driftgate.declared.python.uses import Change
from driftgate.declared.values import Foreign, Value
from driftgate.surface import Place

if TYPE_CHECKING:
    from driftgate.declared.python.expressions import Evaluator


class Stars:
    """The star imports of an evaluator's modules."""

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self.following: set[tuple[int, str]] = set()

    def find(self, name: str, scope: Scope, at: Place) -> Value | None:
        """Return what `name` stands for by a star import; None where none can bind it."""
        scope = _module(scope)
        if name.startswith("_") or (id(scope), name) in self.following:
            return None
        self.following.add((id(scope), name))
        try:
            for node in reversed(list(_stars(scope))):
                target = self._target(node, scope)
                if target is None and not _is_standard(node) and at.line is not None:
                    return Foreign(name, "." * node.level + (node.module or ""), at)
                if target is not None and self._binds(name, target):
                    return self.ev.name(name, target, at)
        finally:
            self.following.discard((id(scope), name))
        return None

    def change(self, name: str, definition: ast.AST, scope: Scope) -> Change | None:
        """Return the star import after `definition` that may bind `name` again."""
        if scope.parent is not None or name.startswith("_"):
            return None
        for node in _stars(scope):
            if node.lineno <= getattr(definition, "lineno", 0):
                continue
            target = self._target(node, scope)
            if (target is None and not _is_standard(node)) or (target is not None and self._binds(name, target)):
                return Change(f"`from {'.' * node.level}{node.module or ''} import *` may bind again", node)
        return None

    def _binds(self, name: str, module: Scope) -> bool:
        if name in module.bindings:
            return True
        return self.find(name, module, Place(module.source.shown, line=1, column=1)) is not None

    def _target(self, node: ast.ImportFrom, scope: Scope) -> Scope | None:
        for path, _ in module_files(Import(node.module or "", None, node.level), scope.source):
            return self.ev.module(path, scope)
        return None


def _module(scope: Scope) -> Scope:
    while scope.parent is not None:
        scope = scope.parent
    return scope


def _stars(scope: Scope) -> Iterator[ast.ImportFrom]:
    index = scope.index()
    yield from index.stars if index else ()


def _is_standard(node: ast.ImportFrom) -> bool:
    return not node.level and (node.module or "").partition(".")[0] in sys.stdlib_module_names
