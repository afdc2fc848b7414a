"""What a Python module or class body binds to its names, found without running it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from driftgate.declared.python.module_index import ModuleIndex
from driftgate.declared.python.uses import CHANGING
from driftgate.declared.source import Source
from driftgate.declared.unreadable import unparsable

_TYPE_STATEMENT: Final = re.compile(r"^type (\s*)(\w+)(?=\s*=)", re.MULTILINE)

_NEWER: Final = "; if it is written for a Python newer than {0}.{1}, run driftgate with that one"

_GROWING: Final = frozenset({"append", "add", "extend", "update"})

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
"""A statement with a body of its own."""


class How(StrEnum):
    """What a statement does to a name."""

    IS = "is"
    GROWS = "grows"
    CHANGES = "changes"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Import:
    """`from module import name` (`name` None: the module itself), with the number of leading dots."""

    module: str
    name: str | None
    level: int


@dataclass(frozen=True, slots=True)
class Binding:
    """One statement's effect on a name. `node` is the value, the class, or the whole growing statement.

    `conditional`: it may not be run, or another statement in its place.
    """

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
        tree: ast.Module | None = None,
    ) -> None:
        self.source = source
        self.bindings = bindings
        self.parent = parent
        self.node = node
        self.tree = tree
        self.inner: dict[ast.AST, Scope] = {}
        self._index: ModuleIndex | None = None

    def find(self, name: str) -> tuple[Scope, list[Binding]] | None:
        """Return the scope that binds `name`, and how."""
        if name in self.bindings:
            return self, self.bindings[name]
        return self.parent.find(name) if self.parent else None

    def index(self) -> ModuleIndex | None:
        """Return every use of every name in the module; made once."""
        if self.parent:
            return self.parent.index()
        if self._index is None and self.tree is not None:
            self._index = ModuleIndex(self.tree)
        return self._index

    def within(self, node: Definition) -> Scope:
        """Return the scope of a class or function body."""
        if node not in self.inner:
            bound = bind(node.body)  # what only changes a name of the module does not bind it here
            own = {name: done for name, done in bound.items() if any(binding.how is How.IS for binding in done)}
            self.inner[node] = Scope(self.source, own, self, node)
        return self.inner[node]


def module_scope(source: Source) -> Scope:
    """Parse a module.

    Raises:
        DeclaredError: it is not valid Python.
    """
    tree = _parse(source)
    return Scope(source, bind(tree.body), tree=tree)


def _parse(source: Source) -> ast.Module:
    try:
        return ast.parse(source.text, source.shown)
    except (SyntaxError, ValueError) as e:
        try:  # `type X = ...` on a Python before 3.12: the same value, every column kept
            return ast.parse(_TYPE_STATEMENT.sub(r"\2\1     ", source.text), source.shown)
        except (SyntaxError, ValueError):
            line, column = (e.lineno or 1, (e.offset or 1) - 1) if isinstance(e, SyntaxError) else (1, 0)
            why = getattr(e, "msg", None) or str(e)
            raise unparsable(source, line, max(column, 0), why, or_else=_NEWER.format(*sys.version_info)) from e


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
            if method in CHANGING:
                how = How.GROWS if method in _GROWING else How.CHANGES
                yield name, Binding(how, statement.value, conditional)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from ((name, Binding(How.CHANGES, target, conditional)) for name in _base(target))
        case ast.If():
            yield from _branches(statement, conditional=conditional)
        case ast.Try() | ast.TryStar():
            yield from _attempt(statement, conditional=conditional)
        case ast.With() | ast.For() | ast.While() | ast.Match():
            certain = isinstance(statement, ast.With) and not _may_leave(statement)
            for block in _blocks(statement):
                yield from _flat(bind(block, conditional=conditional or not certain))
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
        if alias.name == "*":
            continue
        if isinstance(statement, ast.ImportFrom):
            imported = Import(statement.module or "", alias.name, statement.level)
            yield alias.asname or alias.name, Binding(How.IS, statement, conditional, imported)
        elif alias.asname or "." not in alias.name:
            yield alias.asname or alias.name, Binding(How.IS, statement, conditional, Import(alias.name, None, 0))


def _may_leave(statement: ast.With) -> bool:
    """Whether a block may be left early without a word: `with suppress(ImportError): ...`."""
    suppresses = any("suppress" in ast.dump(item.context_expr) for item in statement.items)
    return suppresses and any(isinstance(inner, ast.Import | ast.ImportFrom | ast.Raise) for inner in statement.body)


def _flat(bound: dict[str, list[Binding]]) -> Iterator[tuple[str, Binding]]:
    for name, bindings in bound.items():
        yield from ((name, binding) for binding in bindings)


def _blocks(statement: ast.With | ast.For | ast.While | ast.Match) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, ast.Match):
        yield from (case.body for case in statement.cases)
    else:
        yield statement.body
        yield getattr(statement, "orelse", [])


def _branches(statement: ast.If, *, conditional: bool) -> Iterator[tuple[str, Binding]]:
    """What an `if` does: a name that both branches define is defined, and both must say the same."""
    known = _known(statement.test)
    if known is not None:
        run, skipped = (statement.body, statement.orelse) if known else (statement.orelse, statement.body)
        yield from ((name, replace(binding, how=How.NEVER)) for name, binding in _flat(bind(skipped)))
        yield from _flat(bind(run, conditional=conditional))
        return
    one, other = bind(statement.body, conditional=conditional), bind(statement.orelse, conditional=True)
    both = {name for name in one if name in other and one[name][0].how is other[name][0].how is How.IS}
    for name, binding in _flat(one):
        yield name, binding if name in both else replace(binding, conditional=True)
    yield from _flat(other)


def _known(test: ast.expr) -> bool | None:
    """What a condition is in a module that is imported and looked at by a type checker; None where that depends."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _known(operand)
            return None if inner is None else not inner
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return False
        case _:
            return None


def _attempt(statement: ast.Try | ast.TryStar, *, conditional: bool) -> Iterator[tuple[str, Binding]]:
    """What a `try` does: its body is certain where every handler leaves, or defines the name too."""
    body = bind([*statement.body, *statement.orelse], conditional=conditional)
    handlers = [bind(handler.body, conditional=True) for handler in statement.handlers]
    leaves = all(isinstance(handler.body[-1], ast.Raise) for handler in statement.handlers)
    for name, binding in _flat(body):
        certain = leaves or all(name in handler for handler in handlers)
        yield name, binding if certain else replace(binding, conditional=True)
    for handler in handlers:
        yield from _flat(handler)
    yield from _flat(bind(statement.finalbody, conditional=conditional))
