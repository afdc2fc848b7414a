"""Every use of every name of a Python module, resolved to the scope that binds it: what asks who may change a constant.

Scoping as in https://docs.python.org/3/reference/executionmodel.html#naming-and-binding.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Block: TypeAlias = ast.Module | ast.ClassDef | Function | Comprehension

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BLOCKS: Final = (ast.Module, ast.ClassDef, *_FUNCTIONS, *_COMPREHENSIONS)


class ModuleIndex:
    """One module's tree with its parents, and the names in it by the block that binds them.

    `captures` are the nodes that bind a name without a Name node: patterns of `match`, `except ... as name`.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.parents: dict[ast.AST, ast.AST] = {}
        self.uses: defaultdict[tuple[Block, str], list[ast.Name]] = defaultdict(list)
        self.captures: defaultdict[tuple[Block, str], list[ast.AST]] = defaultdict(list)
        self.attributes: defaultdict[str, list[ast.Attribute]] = defaultdict(list)
        self.calls: list[ast.Call] = []
        self.stars: list[ast.ImportFrom] = []
        self._local: dict[Block, frozenset[str]] = {}
        self._inside: set[ast.AST] = set()
        self._walk()
        self._runs: frozenset[Block] | None = None

    def _walk(self) -> None:
        names: list[ast.Name] = []
        captures: list[tuple[str, ast.AST]] = []
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            if isinstance(node, ast.Name):
                names.append(node)
            elif name := captured(node):
                captures.append((name, node))
            else:
                self._note(node)
        for one in names:
            self.uses[self.binder(one.id, one), one.id].append(one)
        for name, node in captures:
            self.captures[self.binder(name, node), name].append(node)

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Attribute(attr=attr):
                self.attributes[attr].append(node)
            case ast.Call():
                self.calls.append(node)
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
                self._inside.update(body)
            case ast.Lambda(body=result):
                self._inside.add(result)
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                self.stars.append(node)
            case _:
                return

    def block(self, node: ast.AST) -> Block:
        """Return the block in which `node` is evaluated; decorators, defaults and bases belong to the one outside."""
        inner, outer = node, self.parents.get(node)
        while outer is not None:
            if isinstance(outer, _BLOCKS) and not self._is_outside(inner, outer):
                return outer
            inner, outer = outer, self.parents.get(outer)
        return self.tree

    def _is_outside(self, inner: ast.AST, outer: Block) -> bool:
        return not isinstance(outer, ast.Module | Comprehension) and inner not in self._inside

    def blocks(self, node: ast.AST) -> Iterator[Block]:
        """Yield the blocks around `node`, the innermost first."""
        block = self.block(node)
        yield block
        while block is not self.tree:
            block = self.block(block)
            yield block

    def binder(self, name: str, node: ast.AST) -> Block:
        """Return the block whose name `name`, used at `node`, is; the module where none binds it."""
        innermost = True
        for block in self.blocks(node):
            hidden = isinstance(block, ast.ClassDef) and not innermost
            if not hidden and name in self.local(block):
                return block
            innermost = innermost and isinstance(block, _COMPREHENSIONS)
        return self.tree

    def local(self, block: Block) -> frozenset[str]:
        """Return the names that `block` binds itself."""
        if block not in self._local:
            self._local[block] = frozenset(_local_names(block))
        return self._local[block]

    def function(self, node: ast.AST) -> Function | None:
        """Return the innermost function in whose body `node` stands."""
        return next((block for block in self.blocks(node) if isinstance(block, _FUNCTIONS)), None)

    def runs(self, node: ast.AST) -> bool:
        """Return whether `node` may be evaluated while the module is imported."""
        if self._runs is None:
            self._runs = self._run_at_import()
        blocks = [block for block in self.blocks(node) if isinstance(block, _FUNCTIONS)]
        return all(isinstance(block, ast.Lambda) or block in self._runs for block in blocks)

    def _run_at_import(self) -> frozenset[Block]:
        """The functions that the module's own statements call or decorate with, and those that these call."""
        definitions = self._definitions()
        called: defaultdict[Block | None, set[str]] = defaultdict(set)
        for call in self.calls:
            function = self.function(call)
            called[None if isinstance(function, ast.Lambda) else function].add(_tail(call.func))
        for node in {node for nodes in definitions.values() for node in nodes}:
            for decorator in getattr(node, "decorator_list", ()):
                called[self.function(decorator)].add(_tail(decorator))
        runs: set[Block] = set()
        waiting = list(called[None])
        while waiting:
            for block in definitions.get(waiting.pop(), ()):
                if block not in runs:
                    runs.add(block)
                    waiting += called[block]
        return frozenset(runs)

    def _definitions(self) -> dict[str, list[Block]]:
        """The functions of each name; those of a class are what making an instance runs."""
        found: defaultdict[str, list[Block]] = defaultdict(list)
        for node in self.parents:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name].append(node)
            elif isinstance(node, ast.ClassDef):
                found[node.name] += (f for f in node.body if isinstance(f, ast.FunctionDef) and f.name in _MAKERS)
        return found


_MAKERS: Final = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"})


def captured(node: ast.AST) -> str | None:
    """Return the name that a node binds without a Name node."""
    match node:
        case (
            ast.MatchAs(name=name)
            | ast.MatchStar(name=name)
            | ast.MatchMapping(rest=name)
            | ast.ExceptHandler(name=name)
        ):
            return name
        case _:
            return None


def _tail(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _local_names(block: Block) -> Iterator[str]:
    """Yield the names that the statements of a block bind in it."""
    if isinstance(block, _FUNCTIONS):
        arguments = block.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        yield from (argument.arg for argument in every if argument)
    if isinstance(block, ast.Lambda):
        return
    if isinstance(block, _COMPREHENSIONS):
        for generator in block.generators:
            yield from (n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name))
        return
    found: list[str] = []
    outer: set[str] = set()
    for statement in block.body:
        _bound_in(statement, found, outer)
    yield from (name for name in found if name not in outer)


def _bound_in(node: ast.AST, found: list[str], outer: set[str]) -> None:
    """Note what `node` binds in its own block, and what it declares to be another's."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if name := captured(one):
            found.append(name)
        match one:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer.update(names)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.append(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.append(name)
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found += [(alias.asname or alias.name).partition(".")[0] for alias in names]
            case ast.Lambda():
                continue
            case _ if isinstance(one, _COMPREHENSIONS):  # only `:=` in it binds outside of it
                found += [n.target.id for n in ast.walk(one) if isinstance(n, ast.NamedExpr)]
                continue
            case _:
                pass
        waiting += ast.iter_child_nodes(one)
