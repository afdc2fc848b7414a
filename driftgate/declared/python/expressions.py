"""Python expressions as literal values, computed from the syntax tree alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from driftgate.declared.algebra import iterate, same
from driftgate.declared.bounds import Weights, bounded
from driftgate.declared.opened import Opened
from driftgate.declared.python import classes, comprehension, types, uses
from driftgate.declared.python.imports import module_files
from driftgate.declared.python.operators import combine, describe, tail_of
from driftgate.declared.python.scope import Binding, How, Scope, module_scope
from driftgate.declared.python.stars import Stars
from driftgate.declared.values import Entries, Foreign, Items, Opaque, Text, Value, texts
from driftgate.surface import Place, Span

Env = Mapping[str, Value]
MODULES: Final = Opened(module_scope)
"""The parsed modules."""

_UNBOUND: Final = "the name {}, which is never bound"
NOTHING: Final[Env] = MappingProxyType({})

_COLLECTIONS: Final = frozenset({"tuple", "list", "set", "frozenset", "get_args", "deque"})
_SAME: Final = frozenset({"MappingProxyType", "OrderedDict", "deepcopy", "copy", "mappingproxy", "frozendict"})
_SET_METHODS: Final = MappingProxyType(
    {
        "union": ast.BitOr,
        "intersection": ast.BitAnd,
        "difference": ast.Sub,
        "symmetric_difference": ast.BitXor,
    }
)


class Evaluator:
    """Evaluates names and expressions of one project's modules. One object a reading: it remembers what it read."""

    def __init__(self) -> None:
        self.modules: dict[Path, Scope] = {}
        self.known: dict[tuple[int, str], Value] = {}
        self.partial: dict[tuple[int, str], Value | None] = {}
        self.holding: dict[ast.AST, uses.Held] = {}
        self.stars = Stars(self)
        self.weights = Weights()

    def place(self, node: ast.AST, scope: Scope) -> Place:
        """Return where `node` stands."""
        source, line, column = scope.source, getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        last, end = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
        if last is None or end is None:
            return source.place(line, column)
        span = Span(source.offset(line, column), source.offset(last, end), type(node).__name__)
        return source.place(line, column, span)

    def name(self, name: str, scope: Scope, at: Place) -> Value:
        """Return the value that `name` has once the whole body has run."""
        found = scope.find(name)
        if found is None:
            starred = self.stars.find(name, scope, at)
            return starred or Opaque(f"the name {name}, which the file does not define", at)
        owner, bindings = found
        key = (id(owner), name)
        if key in self.known:
            return self.known[key]
        if key in self.partial:  # inside its own definition: what it was before
            return self.partial[key] or Opaque(f"{name}, which refers to itself", at)
        self.partial[key] = None
        try:
            for binding in bindings:
                self.partial[key] = self._bound(name, binding, owner, self.partial[key])
            value = self.partial[key]
        finally:
            del self.partial[key]
        value = self.weights.bounded(name, value) if value else Opaque(_UNBOUND.format(name), at)
        self.known[key] = self._unchanged(name, owner, bindings, value)
        return self.known[key]

    def _unchanged(self, name: str, owner: Scope, bindings: list[Binding], value: Value) -> Value:
        """Return `value`, unless something in the module may change what `name` stands for."""
        index = owner.index()
        block = owner.node or owner.tree
        if isinstance(value, Opaque | Foreign) or index is None or block is None:
            return value
        definition = next((binding.node for binding in reversed(bindings) if binding.how is How.IS), bindings[-1].node)
        known = frozenset(binding.node for binding in bindings)
        found = uses.change(index, block, name, self.held(definition, owner), known)
        found = found or self.stars.change(name, definition, owner)
        return Opaque(f"{name}, which {found.what}", self.place(found.node, owner)) if found else value

    def held(self, node: ast.AST, scope: Scope) -> uses.Held:
        """Return what of that which `node` evaluates to can be changed in place, followed through names and imports."""
        if node not in self.holding:
            self.holding[node] = True, False  # while it is looked at, and where it refers to itself
            if isinstance(node, ast.Name) and (found := self.definition(node.id, scope)):
                self.holding[node] = self.held(*found)
            else:
                self.holding[node] = uses.changeable(node, lambda part: self.held(part, scope))
        return self.holding[node]

    def definition(self, name: str, scope: Scope) -> tuple[ast.AST, Scope] | None:
        """Return the node that defines `name`, and where it stands; imports are followed."""
        found = scope.find(name)
        if found is None:
            return None
        owner, bindings = found
        target = self.follow(bindings[-1], owner)
        if target and target[1] and target[0] is not owner:
            return self.definition(target[1], target[0])
        return bindings[-1].node, owner

    def _bound(self, name: str, binding: Binding, scope: Scope, before: Value | None) -> Value:
        place = self.place(binding.node, scope)
        match binding.how:
            case How.NEVER:
                return before or Opaque(f"{name}, which is defined under a condition", place)
            case How.CHANGES:
                return Opaque(f"{name}, which a later statement changes", place)
            case How.GROWS if binding.conditional or before is None:
                return Opaque(f"{name}, which is changed under a condition", place)
            case How.GROWS:
                return self._grown(binding.node, scope, before or Opaque("", place))
            case How.IS:
                value = self._is(name, binding, scope)
                if binding.conditional and before is None and not isinstance(value, Foreign):
                    return Opaque(f"{name}, which is defined under a condition", place)
                if binding.conditional and before is not None and not same(before, value):
                    return Opaque(f"two definitions of {name} that differ (the other one: {before.place})", place)
                return value

    def _is(self, name: str, binding: Binding, scope: Scope) -> Value:
        node = binding.node
        if binding.imported:
            return self._imported(name, binding, scope)
        if isinstance(node, ast.ClassDef):
            return classes.class_value(self, node, scope)
        if isinstance(node, ast.expr):
            return self.expr(node, scope)
        return Opaque(f"the function {name}", self.place(node, scope))

    def _imported(self, name: str, binding: Binding, scope: Scope) -> Value:
        place = self.place(binding.node, scope)
        target = self.follow(binding, scope)
        if target is None or target[1] is None:
            imported = binding.imported
            dots = "." * imported.level if imported else ""
            return Foreign((imported and imported.name) or name, dots + (imported.module if imported else ""), place)
        return self.name(target[1], target[0], place)

    def follow(self, binding: Binding, scope: Scope) -> tuple[Scope, str | None] | None:
        """Return the module that an import means, with the name in it (None: the module itself)."""
        if binding.imported is None:
            return None
        for path, name in module_files(binding.imported, scope.source):
            module = self.module(path, scope)
            if name is None or module.find(name):
                return module, name
        return None

    def is_stale(self) -> bool:
        """Return whether a module that was followed is not what it was when it was read."""
        return any(MODULES.at(path, scope.source) is not scope for path, scope in self.modules.items())

    def module(self, path: Path, beside: Scope) -> Scope:
        """Return the parsed module at `path`."""
        if path not in self.modules:
            self.modules[path] = MODULES.at(path, beside.source)
        return self.modules[path]

    def _grown(self, node: ast.AST, scope: Scope, before: Value) -> Value:
        match node:
            case ast.AugAssign(op=op, value=value):
                return combine(op, before, self.expr(value, scope), self.place(node, scope))
            case ast.Call(func=ast.Attribute(attr="append" | "add"), args=[one]):
                return Items((*iterate(before), self.expr(one, scope)), before.place)
            case ast.Call(args=args, keywords=[]):
                for arg in args:
                    before = combine(ast.BitOr(), before, self.expr(arg, scope), before.place)
                return before
            case _:
                return Opaque("a change of it that cannot be followed", self.place(node, scope))

    def expr(self, node: ast.expr, scope: Scope, env: Env = NOTHING) -> Value:  # noqa: C901 (one flat match)
        """Return what `node` evaluates to; `env` holds the loop variables of comprehensions."""
        place = self.place(node, scope)
        match node:
            case ast.Constant(value=str() as value):
                return Text(value, place)
            case ast.Constant(value=value):
                return Opaque(f"the constant {value!r}" if value is not ... else "an ellipsis", place)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return Items(self.elements(elements, scope, env), place)
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values, scope, env)
            case ast.Name(id=name):
                return env[name] if name in env else self._read(node, scope, place)
            case ast.Attribute(value=base, attr=attr):
                return self._attribute(base, attr, scope, env, place)
            case ast.Call():
                return self._call(node, scope, env)
            case ast.BinOp(left=left, op=op, right=right):
                return combine(op, self.expr(left, scope, env), self.expr(right, scope, env), place)
            case ast.Subscript(value=base, slice=index):
                return types.subscript(self, base, index, scope, env, place)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return comprehension.evaluate(self, node, scope, env)
            case ast.NamedExpr(value=value):
                return self.expr(value, scope, env)
            case _:
                return Opaque(describe(node), place)

    def _read(self, node: ast.Name, scope: Scope, place: Place) -> Value:
        """Return what a name stands for where it is read; where it changes afterwards, nobody knows."""
        owner, bindings = scope.find(node.id) or (scope, [])
        is_partial = (id(owner), node.id) in self.partial
        last = max((getattr(binding.node, "lineno", 0) for binding in bindings), default=0)
        if len(bindings) > 1 and owner is scope and not is_partial and last > node.lineno:
            return Opaque(f"{node.id}, which a later statement changes", place)
        return self.name(node.id, scope, place)

    def elements(self, nodes: list[ast.expr], scope: Scope, env: Env) -> tuple[Value, ...]:
        """Return the elements of a display, starred ones unpacked."""
        found: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += iterate(self.expr(node.value, scope, env))
            else:
                found.append(self.expr(node, scope, env))
        return bounded(found, self.place(nodes[0], scope) if nodes else Place(scope.source.shown))

    def _dict(self, keys: list[ast.expr | None], values: list[ast.expr], scope: Scope, env: Env) -> Value:
        entries: list[tuple[Text, Value]] = []
        start = None
        for key, node in zip(keys, values, strict=True):
            value = self.expr(node, scope, env)
            at = self.expr(key, scope, env) if key else value
            start = start or at.place
            if key is None and (spread := as_entries(value)) is not None:
                entries += spread
            elif key is not None and isinstance(at, Text):
                entries.append((at, value))
            else:
                what = at.what if isinstance(at, Opaque) else "a key that is not a literal name"
                return at if isinstance(at, Foreign) else Opaque(what, at.place)
        return Entries(tuple(entries), start or Place(scope.source.shown))

    def _attribute(self, base: ast.expr, attr: str, scope: Scope, env: Env, place: Place) -> Value:
        if attr in ("value", "_value_"):  # the value of an enumeration's member
            return self.expr(base, scope, env)
        if attr in ("__args__", "__members__", "__value__"):
            return self.expr(base, scope, env)
        inside = self.enter(base, scope)
        if inside is not None:
            value = self.name(attr, inside, place)
            return Text(value.value, place) if isinstance(value, Text) else value
        value = self.expr(base, scope, env)
        return value if isinstance(value, Foreign) else Opaque(f"the attribute {attr}", place)

    def enter(self, base: ast.expr, scope: Scope) -> Scope | None:
        """Return the scope behind a name or dotted name: a class, or an imported module."""
        if isinstance(base, ast.Attribute):
            outer = self.enter(base.value, scope)
            return self._inside(base.attr, outer) if outer else None
        return self._inside(base.id, scope) if isinstance(base, ast.Name) else None

    def _inside(self, name: str, scope: Scope) -> Scope | None:
        found = scope.find(name)
        if found is None:
            return None
        owner, bindings = found
        node = bindings[-1].node
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return owner.within(node)
        target = self.follow(bindings[-1], owner)
        if target is None:
            return None
        return target[0] if target[1] is None else self._inside(target[1], target[0])

    def _call(self, node: ast.Call, scope: Scope, env: Env) -> Value:
        place, tail = self.place(node, scope), tail_of(node.func)
        if isinstance(node.func, ast.Name) and self.is_own(tail, scope):
            if (instance := classes.instance(self, node, scope, env)) is not None:
                return instance
            return Opaque(f"a call of {tail}()", place)
        args = node.args
        if tail == "TypedDict" and len(args) > 1:
            return classes.functional_typed_dict(self, node, scope)
        if tail in classes.ENUMS and len(args) > 1:
            return classes.functional_enum(self, node, scope)
        if tail in ("cast", "TypeAliasType") and len(args) == 2:
            return self.expr(args[1], scope, env)
        if isinstance(node.func, ast.Attribute) and (value := self._method(node, node.func, scope, env)):
            return value
        if tail == "dict":
            return self._dict([None] * len(args), args, scope, env) if args else self._keywords(node, scope, env)
        handler = _CALLS.get(tail)
        values = self.elements(args, scope, env)
        return handler(values, place) if handler else Opaque(f"a call of {tail or 'something'}()", place)

    def is_own(self, name: str, scope: Scope) -> bool:
        """Return whether the project itself defines `name`, as a function or class, over a well-known meaning."""
        found = scope.find(name)
        return found is not None and isinstance(found[1][-1].node, ast.FunctionDef | ast.ClassDef)

    def _keywords(self, node: ast.Call, scope: Scope, env: Env) -> Value:
        entries = tuple(
            (Text(word.arg, self.place(word, scope)), self.expr(word.value, scope, env))
            for word in node.keywords
            if word.arg
        )
        return Entries(entries, self.place(node, scope))

    def _split(self, call: ast.Call, func: ast.Attribute, scope: Scope, env: Env) -> Value | None:
        text = self.expr(func.value, scope, env)
        separator = self.expr(call.args[0], scope, env) if call.args else None
        return _split_text(text, separator) if isinstance(text, Text) else None

    def _method(self, call: ast.Call, func: ast.Attribute, scope: Scope, env: Env) -> Value | None:
        place, method = self.place(call, scope), func.attr
        if method == "fromkeys" and call.args:
            keys = iterate(self.expr(call.args[0], scope, env))
            blank = Opaque("no value", place)
            if len(texts(keys)) == len(keys):
                return Entries(tuple((key, blank) for key in texts(keys)), place)
        if method in ("keys", "copy"):
            value = self.expr(func.value, scope, env)
            return Items(iterate(value), value.place) if method == "keys" else value
        if method == "split" and not call.keywords and len(call.args) < 2:
            return self._split(call, func, scope, env)
        if method == "items":
            value = self.expr(func.value, scope, env)
            pairs = value.entries if isinstance(value, Entries) else ()
            return Items(tuple(Items(pair, pair[0].place) for pair in pairs), value.place) if pairs else value
        if method == "values":
            value = self.expr(func.value, scope, env)
            return Items(tuple(v for _, v in value.entries), value.place) if isinstance(value, Entries) else value
        if method in _SET_METHODS:
            parts = [self.expr(arg, scope, env) for arg in call.args]
            if tail_of(func.value) not in ("set", "frozenset") or isinstance(func.value, ast.Call):
                parts.insert(0, self.expr(func.value, scope, env))
            result = parts[0]
            for part in parts[1:]:
                result = combine(_SET_METHODS[method](), result, part, place)
            return result
        return None


def _split_text(text: Text, separator: Value | None) -> Value:
    if separator is None:
        return Items(tuple(Text(part, text.place) for part in text.value.split()), text.place)
    if not isinstance(separator, Text) or not separator.value:
        return Opaque("a text that is taken apart", text.place)
    return Items(tuple(Text(part, text.place) for part in text.value.split(separator.value)), text.place)


def as_entries(value: Value) -> tuple[tuple[Text, Value], ...] | None:
    """Return the entries of a mapping, also of one that is given as pairs; None where it is none."""
    match value:
        case Entries(entries=entries):
            return entries
        case Items(items=items) if items:
            pairs = [item.items for item in items if isinstance(item, Items) and len(item.items) == 2]
            entries = tuple((key, held) for key, held in pairs if isinstance(key, Text))
            return entries if len(entries) == len(items) else None
        case _:
            return None


def _all(values: tuple[Value, ...], place: Place) -> Value:
    return Items(tuple(item for value in values for item in iterate(value)), values[0].place if values else place)


def _first(values: tuple[Value, ...], place: Place) -> Value:
    return values[0] if values else Items((), place)


_CALLS: Final[Mapping[str, Callable[[tuple[Value, ...], Place], Value]]] = MappingProxyType(
    dict.fromkeys((*_COLLECTIONS, "sorted", "reversed", "chain"), _all) | dict.fromkeys(_SAME, _first)
)
