"""Who may change a constant of a Python module: each use of its name is of a kind known to be harmless, or it is blind.

A constant is what its name stands for once its module has been imported. Its name may be bound again (by `for`, `with`,
`:=`, `match`, `global` in a function, `globals()`), or, where it is a list, a set or a dict, what it holds may be
changed: by a method, through another name for it, or by whoever it is passed to. What changes it anywhere in the
module makes it unreadable; what it is passed to matters only in code that runs at import.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from driftgate.declared.python.module_index import Block, Function, ModuleIndex
from driftgate.declared.python.operators import tail_of

CHANGING: Final = frozenset(
    {"append", "add", "extend", "update", "insert", "remove", "discard", "pop", "popitem", "clear", "setdefault"}
    | {"difference_update", "intersection_update", "symmetric_difference_update", "appendleft", "extendleft", "popleft"}
    | {"__setitem__", "__delitem__", "__iadd__", "__ior__", "__iand__", "__isub__", "__setattr__", "move_to_end"}
)
"""Methods that change what they are called on. `sort` and `reverse` change the order alone, which means nothing."""

_FIRST_ARGUMENT: Final = frozenset({"setitem", "delitem", "iadd", "ior", "iand", "isub", "iconcat", "heappush"}) | {
    "insort", "insort_left", "insort_right", "heappop", "heappushpop", "heapreplace", "setattr", "delattr",
}  # fmt: skip
"""Functions of the standard library that change their first argument."""

READING: Final = frozenset(
    {"index", "count", "copy", "keys", "values", "items", "get", "union", "intersection", "difference", "issubset"}
    | {"issuperset", "isdisjoint", "symmetric_difference", "sort", "reverse", "join", "format", "most_common", "lower"}
    | {"__contains__", "__len__", "__iter__", "__getitem__", "__eq__", "__str__", "__repr__", "__or__", "__and__"}
)
"""Methods that only look at what they are called on."""

_PARTS: Final = frozenset({"get", "values", "items", "__getitem__", "copy"})
"""Those that hand out its parts, which may be changeable themselves."""

_STORING: Final = frozenset({"append", "add", "insert", "setdefault", "appendleft", "put", "__setitem__"})
"""Methods that keep their argument as it is, so that it may be changed through whoever keeps it."""

HARMLESS_CALLS: Final = frozenset(
    # builtins, and what copies
    {"len", "sorted", "list", "tuple", "set", "frozenset", "dict", "any", "all", "min", "max", "enumerate", "zip"}
    | {"map", "filter", "reversed", "iter", "next", "sum", "str", "repr", "print", "isinstance", "issubclass", "type"}
    | {"id", "hash", "bool", "range", "format", "ascii", "callable", "getattr", "hasattr", "fromkeys", "Counter"}
    | {"OrderedDict", "defaultdict", "deque", "deepcopy", "copy", "MappingProxyType", "mappingproxy", "frozendict"}
    | {"chain", "from_iterable", "product", "combinations", "permutations", "cycle", "islice", "groupby", "starmap"}
    | {"reduce", "partial", "namedtuple", "choice", "choices", "sample", "shuffle", "array", "asarray", "memoryview"}
    # of typing and enum
    | {"get_args", "get_origin", "cast", "TypedDict", "Enum", "StrEnum", "IntEnum", "Flag", "NewType", "TypeVar"}
    | {"Literal", "Final", "Annotated", "TypeAliasType", "assert_type", "reveal_type", "final"}
    # methods of others that read what they are given
    | {"join", "extend", "update", "union", "intersection", "difference", "issubset", "issuperset", "isdisjoint"}
    | {"symmetric_difference", "difference_update", "intersection_update", "symmetric_difference_update", "isin"}
    | {"count", "index", "startswith", "endswith", "get", "fullmatch", "match", "search", "compile", "escape"}
    # text, logs and files
    | {"dumps", "dump", "pformat", "pprint", "log", "debug", "info", "warning", "warn", "error", "exception"}
    | {"critical", "write", "writelines", "echo", "secho", "safe_dump"}
    # what declares options, fields, schemas and test cases from a list of names
    | {"add_argument", "Choice", "Option", "Argument", "option", "argument", "Field", "field", "PrivateAttr", "attrib"}
    | {"ib", "Query", "Path", "Body", "Header", "Param", "parametrize", "fixture", "param", "sampled_from"}
    | {"CharField", "TextField", "ChoiceField", "MultipleChoiceField", "OneOf", "one_of", "AnyOf", "In", "Any", "All"}
    | {"Select", "Dropdown", "Schema", "Optional", "Required", "String", "Column", "CheckConstraint", "in_", "enum"}
    | {"create_model", "make_dataclass", "RootModel", "TypeAdapter", "AfterValidator", "BeforeValidator", "ContextVar"}
    | {"Draft7Validator", "Draft202012Validator", "is_valid", "validate"}
    | {"assertEqual", "assertIn", "assertSetEqual", "assertCountEqual", "assertTrue"}
)
"""Functions and methods, by their last name, that leave what they are given as it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """A use that may change a constant. `what` continues its name: ", which append() changes"."""

    what: str
    node: ast.AST


@dataclass(frozen=True, slots=True)
class _Alias:
    """A name that stands for the constant, or (`holds`) for something that holds it."""

    block: Block
    name: str
    holds: bool


def change(index: ModuleIndex, block: Block, name: str, held: Held, known: frozenset[ast.AST]) -> Change | None:
    """Return a use of `name`, that `block` binds, which may change it; None if there is none.

    `held` says whether what it holds, and whether the parts of that, can be changed in place (see `changeable`);
    `known` are the statements whose effect is part of the value already.
    """
    again = _bound_again(index, block, name, known) or _by_text(index, block, name)
    if again:
        return again
    own, parts = held
    if not own and not parts:
        return None
    return _Escape(index, known, parts=parts, own=own).look(_Alias(block, name, holds=False))


def _bound_again(index: ModuleIndex, block: Block, name: str, known: frozenset[ast.AST]) -> Change | None:
    """A binding of the name other than by a plain statement of its own block."""
    for use in index.uses[block, name]:
        if isinstance(use.ctx, ast.Load):
            continue
        parent = index.parents[use]
        while isinstance(parent, ast.Tuple | ast.List | ast.Starred):
            parent = index.parents[parent]
        is_plain = isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete)
        if type(parent).__name__ == "TypeAlias":  # Python 3.12 and later
            is_plain = True
        if not is_plain or index.block(use) is not block:
            return Change("a later statement changes", use)
    for node in index.captures[block, name]:
        return Change("a later statement changes", node)
    if isinstance(block, ast.ClassDef):
        for attribute in index.attributes[name]:
            if not isinstance(attribute.ctx, ast.Load) and attribute not in known:
                return Change("a later statement changes", attribute)
    return None


_NAMESPACES: Final = frozenset({"globals", "vars", "locals"})


def _by_text(index: ModuleIndex, block: Block, name: str) -> Change | None:
    """A change by the name's text: `globals()["X"] = ...`, `setattr(module, "X", ...)`, `exec(...)`."""
    for call in index.calls:
        called = tail_of(call.func)
        if called in ("exec", "eval") and isinstance(call.func, ast.Name) and index.runs(call):
            if called == "exec" or not isinstance(call.args[0] if call.args else None, ast.Constant):
                return Change(f"{called}() may change", call)
        elif called in _NAMESPACES and isinstance(call.func, ast.Name) and not call.args and index.runs(call):
            if (called == "globals" or index.block(call) is block) and _namespace_changes(index, call, name):
                return Change(f"{called}() may change", call)
        elif called in ("setattr", "delattr", "__setattr__") and _sets(index, call, name):
            return Change(f"{called}() changes", call)
    return _through_modules(index, name)


def _namespace_changes(index: ModuleIndex, call: ast.Call, name: str) -> bool:
    parent = index.parents[call]
    match parent:
        case ast.Subscript(slice=key, ctx=context):
            is_other = isinstance(key, ast.Constant) and key.value != name
            return not (isinstance(context, ast.Load) or is_other)
        case ast.Attribute(attr=method):
            return method in CHANGING and _may_name(index.parents[parent], name)
        case ast.Compare() | ast.For() | ast.comprehension() | ast.Starred() | ast.FormattedValue():
            return False
        case ast.Call(func=func):
            return tail_of(func) not in HARMLESS_CALLS
        case _:
            return True


def _may_name(call: ast.AST, name: str) -> bool:
    """Whether a call of `update` and the like may mean `name`: only literal keys say that it does not."""
    if not isinstance(call, ast.Call):
        return True
    for argument in call.args:
        keys = argument.keys if isinstance(argument, ast.Dict) else [argument]
        if any(not (isinstance(key, ast.Constant) and key.value != name) for key in keys):
            return True
    return any(word.arg in (None, name) for word in call.keywords)


def _sets(index: ModuleIndex, call: ast.Call, name: str) -> bool:
    if len(call.args) < 2:
        return False
    target, key = call.args[:2]
    if isinstance(key, ast.Constant):
        return bool(key.value == name)
    spelt = ast.unparse(target)
    return index.runs(call) and ("modules" in spelt or "__name__" in spelt)


def _through_modules(index: ModuleIndex, name: str) -> Change | None:
    """`sys.modules[__name__].X = ...`."""
    for attribute in index.attributes[name]:
        if isinstance(attribute.ctx, ast.Load) or not isinstance(attribute.value, ast.Subscript):
            continue
        if tail_of(attribute.value.value) == "modules":
            return Change("a later statement changes", attribute)
    return None


Held: TypeAlias = tuple[bool, bool]
"""Whether a value can be changed in place, and whether its parts can."""


def changeable(node: ast.AST, inner: Callable[[ast.expr], Held]) -> Held:
    """Return what of that which `node` evaluates to can be changed; `inner` says it of the expressions in it."""

    def among(nodes: list[ast.expr]) -> bool:
        return any(any(inner(each)) for each in nodes)

    match node:
        case ast.Tuple(elts=elements):
            return False, among(elements)
        case ast.List(elts=elements) | ast.Set(elts=elements) | ast.Dict(values=elements):
            return True, among(elements)
        case ast.Call(func=func, args=[first, *_]) if tail_of(func) in ("MappingProxyType", "mappingproxy", "cast"):
            return False, inner(first)[1]
        case ast.BinOp():
            sides = [inner(side) for side in _operands(node)]
            return any(own for own, _ in sides), any(parts for _, parts in sides)
        case ast.Starred(value=value) | ast.NamedExpr(value=value):
            return inner(value)
        case ast.Call(func=func):
            return tail_of(func) not in _UNCHANGEABLE, False
        case _:
            return not isinstance(node, _FIXED), False


def _operands(sum_: ast.BinOp) -> list[ast.expr]:
    waiting: list[ast.expr] = [sum_]
    found = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.BinOp):
            waiting += (node.left, node.right)
        else:
            found.append(node)
    return found


_FIXED: Final = (
    ast.Constant, ast.JoinedStr, ast.ClassDef, ast.Compare, ast.Subscript, ast.Attribute, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.Import, ast.ImportFrom, ast.Name,
)  # fmt: skip
_UNCHANGEABLE: Final = frozenset(
    {"tuple", "frozenset", "get_args", "TypedDict", "Enum", "StrEnum", "NewType", "TypeAliasType", "frozendict", "str"}
    | {"join", "namedtuple", "NamedTuple", "TypeVar", "Literal"}
)


class _Escape:
    """Follows a changeable value through the names that it goes by."""

    def __init__(self, index: ModuleIndex, known: frozenset[ast.AST], *, parts: bool, own: bool) -> None:
        self.index, self.known, self.parts, self.own = index, known, parts, own
        self.waiting: list[_Alias] = []
        self.seen: set[_Alias] = set()

    def look(self, start: _Alias) -> Change | None:
        """Return the first use, of this name or of another one for the same value, that may change it."""
        self._also(start)
        while self.waiting:
            alias = self.waiting.pop()
            for node in self._uses(alias):
                found = self._use(node, holds=alias.holds)
                if found:
                    return found
        return None

    def _also(self, alias: _Alias) -> None:
        if alias not in self.seen:
            self.seen.add(alias)
            self.waiting.append(alias)

    def _uses(self, alias: _Alias) -> list[ast.expr]:
        found: list[ast.expr] = [
            use
            for use in self.index.uses[alias.block, alias.name]
            if isinstance(use.ctx, ast.Load) or isinstance(self.index.parents[use], ast.AugAssign)  # changed in place
        ]
        if isinstance(alias.block, ast.ClassDef):
            found += [a for a in self.index.attributes[alias.name] if isinstance(a.ctx, ast.Load)]
        return found

    def _use(self, node: ast.expr, *, holds: bool) -> Change | None:  # noqa: C901 (one flat match)
        """Classify one expression that is the value, or holds it."""
        parent = self.index.parents[node]
        inner = holds or self.parts  # something changeable may be reached through it
        match parent:
            case ast.Attribute():
                return self._attribute(parent, holds=holds)
            case ast.Subscript(value=value) if value is node:
                if not isinstance(parent.ctx, ast.Load):
                    return self._changed("a later statement", parent, holds=holds)
                return self._use(parent, holds=False) if inner else None
            case ast.Call() if parent.func is not node:
                return self._passed(node, parent, holds=holds)
            case ast.keyword():
                call = self.index.parents[parent]
                return self._passed(node, call, holds=holds) if isinstance(call, ast.Call) else None
            case ast.For(iter=iterated) | ast.AsyncFor(iter=iterated) | ast.comprehension(iter=iterated):
                if iterated is node and inner:
                    self._targets(parent.target, parent)
                return None
            case ast.BoolOp() | ast.IfExp() | ast.NamedExpr() | ast.Await():
                return self._through(parent, node, holds=holds)
            case ast.Assign() | ast.AnnAssign():
                return self._assigned(parent, holds=holds)
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
                return self._use(parent, holds=True)
            case ast.Return() | ast.Lambda():
                return self._returned(parent, holds=holds)
            case ast.arguments():
                self._default(parent, node, holds=holds)
                return None
            case ast.AugAssign(target=target) if target is node:
                return self._changed("a later statement", parent, holds=holds)
            case ast.Starred() | ast.stmt() | ast.expr() | ast.withitem() | ast.Slice() | ast.FormattedValue():
                return None  # iterated, compared, combined into something new, printed, tested
            case ast.match_case() | ast.pattern():
                return None
            case _:
                return self._run("a statement may change", parent)

    def _through(self, parent: ast.expr, node: ast.expr, *, holds: bool) -> Change | None:
        if isinstance(parent, ast.IfExp) and parent.test is node:
            return None
        if isinstance(parent, ast.NamedExpr):
            self._targets(parent.target, parent, holds=holds)
        return self._use(parent, holds=holds)

    def _changed(self, who: str, node: ast.AST, *, holds: bool) -> Change | None:
        """A change of the value itself; of what only holds it, it is none."""
        if node in self.known or holds or not (self.own or self.parts):
            return None
        return Change(f"{who} changes", node)

    def _run(self, what: str, node: ast.AST) -> Change | None:
        return Change(what, node) if self.index.runs(node) else None

    def _attribute(self, node: ast.Attribute, *, holds: bool) -> Change | None:
        call = self.index.parents[node]
        is_called = isinstance(call, ast.Call) and call.func is node
        if not isinstance(node.ctx, ast.Load):
            return self._changed("a later statement", node, holds=holds)
        if node.attr in CHANGING:
            return self._changed(f"{node.attr}()", call if is_called else node, holds=holds)
        if isinstance(call, ast.Call) and is_called and node.attr in _PARTS and (holds or self.parts):
            return self._use(call, holds=node.attr != "get")
        if is_called and node.attr not in READING:
            return self._run(f"{node.attr}() may change", call)
        return None

    def _passed(self, node: ast.expr, call: ast.Call, *, holds: bool) -> Change | None:
        called = tail_of(call.func)
        is_first = bool(call.args) and call.args[0] is node
        if is_first and (called in _FIRST_ARGUMENT or (called in CHANGING and self._is_type(call.func))):
            return self._changed(f"{called}()", call, holds=holds)
        if called in _STORING and isinstance(call.func, ast.Attribute):
            return self._run(f"{called}() keeps under another name", call)
        if called in HARMLESS_CALLS:
            return None
        if not self.index.runs(call):
            return None
        if self._parameters(node, call, holds=holds):
            return None
        return Change(f"is passed to {called or 'something'}()", call)

    def _is_type(self, func: ast.expr) -> bool:
        return isinstance(func, ast.Attribute) and tail_of(func.value) in _TYPES

    def _parameters(self, node: ast.expr, call: ast.Call, *, holds: bool) -> bool:
        """Follow an argument into a function of the module; return whether that can be done."""
        if not isinstance(call.func, ast.Name):
            return False
        block = self.index.binder(call.func.id, call.func)
        definitions = [s for s in getattr(block, "body", ()) if getattr(s, "name", None) == call.func.id]
        if len(definitions) != 1:
            return False
        (definition,) = definitions
        if isinstance(definition, ast.ClassDef):
            return not any(getattr(part, "name", "") in _MAKERS for part in definition.body) and not any(
                tail_of(base) not in _PLAIN_BASES for base in definition.bases
            )
        if not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef) or definition.decorator_list:
            return False
        name = _parameter(definition, call, node)
        if name:
            self._also(_Alias(definition, name, holds))
        return name is not None

    def _targets(self, target: ast.expr, at: ast.AST, *, holds: bool = False) -> None:
        for name in ast.walk(target):
            if isinstance(name, ast.Name):
                self._named(name.id, at, holds=holds)

    def _named(self, name: str, at: ast.AST, *, holds: bool) -> None:
        """Follow another name; in a function that does not run at import, only one that is bound once."""
        block = self.index.binder(name, at)
        if isinstance(at, ast.comprehension):
            parent = self.index.parents[at]
            block = (
                parent if isinstance(parent, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) else block
            )
        stores = [use for use in self.index.uses[block, name] if not isinstance(use.ctx, ast.Load)]
        if len(stores) < 2 or self.index.runs(at):
            self._also(_Alias(block, name, holds))

    def _assigned(self, node: ast.Assign | ast.AnnAssign, *, holds: bool) -> Change | None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                self._named(target.id, node, holds=holds)
            elif isinstance(target, ast.Attribute | ast.Subscript):
                if found := self._run("is kept under another name", target):
                    return found
            elif holds or self.parts:
                self._targets(target, node)
        return None

    def _returned(self, node: ast.Return | ast.Lambda, *, holds: bool) -> Change | None:
        """Calls at import of a function that returns it stand for it."""
        function = self.index.function(node)
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        for call in self.index.calls:
            if isinstance(call.func, ast.Name) and call.func.id == function.name and self.index.runs(call):
                if call in self.known or self.index.function(call) is function:
                    continue
                if found := self._use(call, holds=holds):
                    return found
        return None

    def _default(self, arguments: ast.arguments, node: ast.expr, *, holds: bool) -> None:
        function = self.index.parents[arguments]
        positional = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)]
        pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
        for argument, default in pairs:
            if default is node and isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                self._also(_Alias(function, argument.arg, holds))


_TYPES: Final = frozenset(
    {"list", "dict", "set", "deque", "OrderedDict", "defaultdict", "MutableSequence", "MutableSet"}
)
_MAKERS: Final = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__", "__attrs_post_init__"})
_PLAIN_BASES: Final = frozenset(
    {"NamedTuple", "TypedDict", "BaseModel", "object", "Protocol", "Generic", "Enum", "str"}
)


def _parameter(function: Function, call: ast.Call, node: ast.expr) -> str | None:
    """The name under which `function` gets the argument `node` of `call`."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    for position, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            return None
        if argument is node:
            return positional[position].arg if position < len(positional) else None
    for word in call.keywords:
        if word.value is node and word.arg in {a.arg for a in (*arguments.args, *arguments.kwonlyargs)}:
            return word.arg
    return None
