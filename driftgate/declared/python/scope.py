"""What a Python module or class body binds to its names, found without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from driftgate.declared.source import Source
from driftgate.declared.unreadable import unparsable

_TYPE_STATEMENT: Final = re.compile(r"^type (\s*)(\w+)(?=\s*=)", re.MULTILINE)

_GROWING: Final = frozenset({"append", "add", "extend", "update"})
_CHANGING: Final = frozenset(
    {"remove", "discard", "pop", "popitem", "clear", "insert", "setdefault", "difference_update"}
    | {"intersection_update", "symmetric_difference_update"}
)


Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
"""A statement with a body of its own."""


class How(StrEnum):
    """What a statement does to a name."""

    IS = "is"
    GROWS = "grows"
    CHANGES = "changes"


class Import(NamedTuple):
    """`from module import name` (`name` None: the module itself), with the number of leading dots."""

    module: str
    name: str | None
    level: int


class Binding(NamedTuple):
    """One statement's effect on a name. `node` is the value, the class, or the whole growing statement."""

    how: How
    node: ast.AST
    conditional: bool
    imported: Import | None = None


class Scope:
    """A body of statements, of `node` or of the module. Names that it does not bind are looked up in `parent`."""

    def __init__(
        self,
        source: Source,
        bindings: dict[str, list[Binding]],
        parent: Scope | None = None,
        node: Definition | None = None,
    ) -> None:
        self.source = source
        self.bindings = bindings
        self.parent = parent
        self.node = node
        self.inner: dict[ast.AST, Scope] = {}

    def find(self, name: str) -> tuple[Scope, list[Binding]] | None:
        """Return the scope that binds `name`, and how."""
        if name in self.bindings:
            return self, self.bindings[name]
        return self.parent.find(name) if self.parent else None

    def within(self, node: Definition) -> Scope:
        """Return the scope of a class or function body."""
        if node not in self.inner:
            self.inner[node] = Scope(self.source, bind(node.body), self, node)
        return self.inner[node]


def module_scope(source: Source) -> Scope:
    """Parse a module.

    Raises:
        DeclaredError: it is not valid Python.
    """
    return Scope(source, bind(_parse(source).body))


def _parse(source: Source) -> ast.Module:
    try:
        return ast.parse(source.text, source.shown)
    except (SyntaxError, ValueError) as e:
        try:  # `type X = ...` on a Python before 3.12: the same value, every column kept
            return ast.parse(_TYPE_STATEMENT.sub(r"\2\1     ", source.text), source.shown)
        except (SyntaxError, ValueError):
            line, column = (e.lineno or 1, (e.offset or 1) - 1) if isinstance(e, SyntaxError) else (1, 0)
            raise unparsable(source, line, max(column, 0), getattr(e, "msg", None) or str(e)) from e


def bind(body: Iterable[ast.stmt], *, conditional: bool = False) -> dict[str, list[Binding]]:
    """Return what the statements of `body` do to each name, in order."""
    found: dict[str, list[Binding]] = {}
    for statement in body:
        for name, binding in _bindings(statement, conditional=conditional):
            found.setdefault(name, []).append(binding)
    return found


def _bindings(  # noqa: C901 (one flat match)
    statement: ast.stmt, *, conditional: bool
) -> Iterator[tuple[str, Binding]]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value, conditional=conditional)
        case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=annotation):
            yield name, Binding(How.IS, value or annotation, conditional)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, Binding(How.GROWS, statement, conditional)
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, Binding(How.IS, statement, conditional)
        case ast.Import() | ast.ImportFrom():
            yield from _imported(statement, conditional=conditional)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))):
            if method in _GROWING | _CHANGING:
                how = How.GROWS if method in _GROWING else How.CHANGES
                yield name, Binding(how, statement.value, conditional)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from ((name, Binding(How.CHANGES, target, conditional)) for name in _base(target))
        case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
            certain = isinstance(statement, ast.With)
            for block in _blocks(statement):
                for name, bindings in bind(block, conditional=conditional or not certain).items():
                    yield from ((name, binding) for binding in bindings)
        case _ if type(statement).__name__ == "TypeAlias":  # Python 3.12 and later
            yield statement.name.id, Binding(How.IS, statement.value, conditional)  # type: ignore[attr-defined]
        case _:
            return


def _assigned(target: ast.expr, value: ast.expr, *, conditional: bool) -> Iterator[tuple[str, Binding]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, Binding(How.IS, value, conditional)
        case ((ast.Tuple(elts=names) | ast.List(elts=names)), (ast.Tuple(elts=values) | ast.List(elts=values))) if len(
            names
        ) == len(values):
            for one, part in zip(names, values, strict=True):
                yield from _assigned(one, part, conditional=conditional)
        case _:
            yield from ((name, Binding(How.CHANGES, target, conditional)) for name in _base(target))


def _base(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) | ast.Starred(value=ast.Name(id=name)):
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _base(part)
        case _:
            return


def _imported(statement: ast.Import | ast.ImportFrom, *, conditional: bool) -> Iterator[tuple[str, Binding]]:
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            imported = Import(statement.module or "", alias.name, statement.level)
            yield alias.asname or alias.name, Binding(How.IS, statement, conditional, imported)
        elif alias.asname or "." not in alias.name:
            yield alias.asname or alias.name, Binding(How.IS, statement, conditional, Import(alias.name, None, 0))


def _blocks(statement: ast.If | ast.Try | ast.With | ast.For | ast.While) -> Iterator[list[ast.stmt]]:
    yield statement.body
    for handler in getattr(statement, "handlers", []):
        yield handler.body
    yield getattr(statement, "orelse", [])
    yield getattr(statement, "finalbody", [])
