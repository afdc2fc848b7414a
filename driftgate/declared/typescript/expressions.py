"""TypeScript and JavaScript expressions as literal values, computed from the syntax tree alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.algebra import concat, iterate, merge_entries, merge_records, same
from driftgate.declared.bounds import Weights, bounded
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.steps import step
from driftgate.declared.syntax import Grammar, broken, children, first, parse, place_of, text_of
from driftgate.declared.typescript import schemas, types, uses, zod
from driftgate.declared.typescript.imports import module_files
from driftgate.declared.typescript.module_index import ModuleIndex
from driftgate.declared.typescript.scope import DECLARATIONS, Bound, Scope, block_scope, object_pattern
from driftgate.declared.values import Entries, Enumeration, Foreign, Items, Opaque, Record, Shape, Text, Value
from driftgate.formats.ecmascript import unescape
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

TYPESCRIPT: Final = Grammar("tree_sitter_typescript", "language_typescript")
TSX: Final = Grammar("tree_sitter_typescript", "language_tsx")

_TRANSPARENT: Final = frozenset(
    {"as_expression", "satisfies_expression", "non_null_expression", "parenthesized_expression", "type_assertion"}
)
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "function_declaration", "method_definition"})
_EXPORTS: Final = frozenset({"exports", "module.exports"})


def module_scope(source: Source) -> Scope:
    """Return the scope of a whole file."""
    grammar = TYPESCRIPT if source.path.suffix in (".ts", ".mts", ".cts") else TSX
    return block_scope(source, parse(source, grammar))


MODULES: Final = Opened(module_scope)
"""The parsed modules."""


@dataclass(slots=True, eq=False)
class Evaluator:
    """Evaluates names and expressions of one project's modules. One object a reading: it remembers what it read."""

    modules: dict[Path, Scope] = field(default_factory=dict)
    known: dict[tuple[int, str], Value | None] = field(default_factory=dict)
    holding: dict[int, uses.Held] = field(default_factory=dict)
    calls: list[Scope] = field(default_factory=list)  # kept, so that the ids in `known` stay their own
    weights: Weights = field(default_factory=Weights)

    def is_stale(self) -> bool:
        """Return whether a module that was followed is not what it was when it was read."""
        return any(MODULES.at(path, scope.source) is not scope for path, scope in self.modules.items())

    def name(self, name: str, scope: Scope, at: Place) -> Value:
        """Return the value (or, where there is none that can be read, the type) that `name` stands for."""
        found = scope.find(name)
        if found is None:
            return self._through_stars(name, scope) or Opaque(f"the name {name}, which the file does not define", at)
        owner, bounds = found
        key = (id(owner), name)
        if key in self.known:
            return self.known[key] or Opaque(f"{name}, which refers to itself", at)
        self.known[key] = None
        value = self.weights.bounded(name, self._all(name, bounds, owner))
        self.known[key] = self._unchanged(name, bounds, owner, value)
        return self.known[key] or value

    def _unchanged(self, name: str, bounds: list[Bound], scope: Scope, value: Value) -> Value:
        """Return `value`, unless something in the module may change what `name` stands for."""
        constants = [bound for bound in bounds if _is_constant(bound)]
        alone = scope.source.text.count(name) < 2  # as often as it is defined
        if not constants or alone or isinstance(value, Opaque | Foreign) or scope.block is None:
            return value
        index, node = scope.index(), constants[-1].node
        if index is None or node is None:
            return value
        held = uses.Held(own=True, parts=False, guarded=True) if constants[-1].guarded else self.held(node, scope)
        found = uses.change(index, name, _block_of(scope.block, index), held)
        return Opaque(f"{name}, which {found.what}", place_of(found.node, scope.source)) if found else value

    def static(self, name: str, of_class: str, node: Node, scope: Scope) -> Value:
        """Return the static constant `name` of a class, unless something in the module may change it."""
        value, index = self.value(node, scope), scope.index()
        if isinstance(value, Opaque | Foreign) or index is None or scope.source.text.count(name) < 2:
            return value
        found = uses.change(index, name, index.root, self.held(node, scope), of_class=of_class)
        return Opaque(f"{name}, which {found.what}", place_of(found.node, scope.source)) if found else value

    def held(self, node: Node, scope: Scope) -> uses.Held:
        """Return what of that which `node` evaluates to can be changed in place."""
        if node.id not in self.holding:
            self.holding[node.id] = uses.Held(own=True, parts=False)  # while it is looked at
            if node.type == "identifier" and (found := scope.find(text_of(node))) and found[1][-1].node is not None:
                self.holding[node.id] = self.held(found[1][-1].node, found[0])
            else:
                self.holding[node.id] = uses.held(node, lambda part: self.held(part, scope))
        return self.holding[node.id]

    def _all(self, name: str, bounds: list[Bound], scope: Scope) -> Value:
        values = [self._bound(name, bound, scope) for bound in bounds]
        readable = [value for value in values if _is_readable(value)]
        records = [value for value in readable if isinstance(value, Record)]
        if len(records) > 1 and len(records) == len(values):  # declarations of one interface merge
            return merge_records(name, records, records[0].place)
        enumerations = [value for value in readable if isinstance(value, Enumeration)]
        if len(enumerations) > 1:  # so do those of one enumeration
            return Enumeration(tuple(pair for one in enumerations for pair in one.entries), enumerations[0].place)
        constants = [v for v, bound in zip(values, bounds, strict=True) if _is_constant(bound) and _is_readable(v)]
        if other := next((v for v in constants if not same(v, constants[0])), None):
            return Opaque(f"two definitions of {name} that differ (the other one: {constants[0].place})", other.place)
        value = readable[0] if readable else values[0]
        return replace(value, name=name) if isinstance(value, Record) and not value.name else value

    def _bound(self, name: str, bound: Bound, scope: Scope) -> Value:
        if bound.value is not None:
            return bound.value
        place = place_of(bound.node, scope.source) if bound.node else Place(scope.source.shown)
        if bound.imported:
            return self._imported(name, bound.imported, scope, place)
        if bound.node is None:
            return Opaque(f"{name} without a value", place)
        value = types.ambient(self, bound.node, scope) if bound.ambient else self.value(bound.node, scope)
        for key in bound.path:
            value = step(value, key) or Opaque(f"no {key} in what is taken apart", place)
        return value

    def _imported(self, name: str, imported: tuple[str, str | None], scope: Scope, place: Place) -> Value:
        module, inner = imported
        target = self.module(module, scope)
        if target is None or inner is None:
            return Foreign(inner or name, module, place)
        if not target.find(inner) and not target.everything_from:
            return Foreign(inner, module, place)
        return self.name(inner, target, place)

    def module(self, module: str, scope: Scope) -> Scope | None:
        """Return the module that `module`, as written, means; None where it is not in the project."""
        for path in module_files(module, scope.source):
            if path not in self.modules:
                self.modules[path] = MODULES.at(path, scope.source)
            return self.modules[path]
        return None

    def _through_stars(self, name: str, scope: Scope) -> Value | None:
        for module in scope.everything_from:
            target = self.module(module, scope)
            if target and (target.find(name) or target.everything_from):
                value = self.name(name, target, Place(scope.source.shown))
                if not isinstance(value, Opaque):
                    return value
        return self._through_stars(name, scope.parent) if scope.parent else None

    def value(self, node: Node, scope: Scope) -> Value:
        """Return what an expression, a type or a declaration stands for."""
        place = place_of(node, scope.source)
        if broken(node):
            return Opaque("text that cannot be parsed", place)
        if node.type in _TRANSPARENT:
            parts = list(children(node))
            inner = parts[-1] if node.type == "type_assertion" else parts[0]
            return self.value(inner, scope)
        if handler := _EXPRESSIONS.get(node.type):
            return handler(self, node, scope, place)
        if node.type in _FUNCTIONS:
            return Opaque("a function", place)
        return types.value(self, node, scope, place)

    def function(self, node: Node | None, scope: Scope) -> tuple[Node, Scope] | None:
        """Return the function of the project that `node` names or is, and where it is defined."""
        if node is None:
            return None
        if node.type in _FUNCTIONS:
            return node, scope
        found = scope.find(text_of(node)) if node.type == "identifier" else None
        if found is None:
            return None
        owner, bounds = found
        if bounds[0].imported and bounds[0].imported[1]:
            target = self.module(bounds[0].imported[0], owner)
            inner = target.find(bounds[0].imported[1]) if target else None
            owner, bounds = inner or (owner, bounds)
        definition = bounds[0].node
        return (definition, owner) if definition and definition.type in _FUNCTIONS else None

    def returned(self, function: Node, scope: Scope, arguments: list[Value]) -> Value:
        """Return what calling a function with one plain `return` gives."""
        place = place_of(function, scope.source)
        single = function.child_by_field_name("parameter")
        listed = [single] if single else list(children(function.child_by_field_name("parameters")))
        given: dict[str, list[Bound]] = {}
        for position, parameter in enumerate(listed):
            pattern = parameter.child_by_field_name("pattern") or parameter
            unknown = Opaque(f"the parameter {text_of(pattern)[:40]}", place)
            value = arguments[position] if position < len(arguments) else unknown
            given |= {name: [Bound(value=part)] for name, part in _taken_apart(pattern, value, place)}
        outer = Scope(scope.source, given, scope) if given else scope
        self.calls.append(outer)
        body = function.child_by_field_name("body")
        if body is None:
            return Opaque("a function without a body", place)
        if body.type != "statement_block":
            return self.value(body, outer)
        inside = outer.within(body)
        returns = list(children(body, "return_statement"))
        result = first(returns[-1]) if returns else None
        return self.value(result, inside) if result else Opaque("a call of a function without a plain return", place)

    def elements(self, node: Node | None, scope: Scope) -> tuple[Value, ...]:
        """Return the elements of an array or of arguments, spread ones unpacked."""
        found: list[Value] = []
        for child in children(node):
            inner = first(child)
            if child.type == "spread_element" and inner:
                found += iterate(self.value(inner, scope))
            else:
                found.append(self.value(child, scope))
        return bounded(found, place_of(node, scope.source) if node else Place(scope.source.shown))


def _is_constant(bound: Bound) -> bool:
    """Whether a name is bound to a value of this file, and not to a type, a function, an import or an argument."""
    if bound.node is None or bound.imported or bound.ambient or bound.value is not None:
        return False
    return bound.node.type not in DECLARATIONS and bound.node.type not in _FUNCTIONS


def _block_of(block: Node, index: ModuleIndex) -> Node:
    """Return the node by which the index knows the block of a scope: that of a function's body is the body."""
    return index.root if block.id == index.root.id else block


def _is_readable(value: Value) -> bool:
    """Whether a value says something; a plain type such as `string` does not, beside one that does."""
    return not isinstance(value, Opaque | Foreign) and not (isinstance(value, Shape) and value.members is None)


def _taken_apart(pattern: Node, value: Value, place: Place) -> Iterator[tuple[str, Value]]:
    """Yield the names of a parameter, each with what of its value it stands for."""
    if pattern.type == "array_pattern":
        for position, part in enumerate(children(pattern)):
            held = value.items[position] if isinstance(value, Items) and position < len(value.items) else None
            yield text_of(part), held or Opaque(f"the parameter {text_of(part)}", place)
    elif pattern.type == "object_pattern":
        for key, local in object_pattern(pattern):
            yield local, step(value, key) or Opaque(f"the parameter {local}", place)
    else:
        yield text_of(pattern), value


def key_of(node: Node | None, scope: Scope, ev: Evaluator) -> Text | None:
    """Return the literal name of a property; None if it is computed from something unreadable."""
    if node is None:
        return None
    place = place_of(node, scope.source)
    if node.type == "computed_property_name":
        inner = first(node)
        value = ev.value(inner, scope) if inner else None
        return Text(value.value, place) if isinstance(value, Text) else None
    text = text_of(node)
    return Text(unescape(text[1:-1]) if node.type == "string" else text, place)


def _string(_: Evaluator, node: Node, __: Scope, place: Place) -> Value:
    if first(node, "template_substitution"):
        return Opaque("a template with a substitution", place)
    return Text(unescape(text_of(node)[1:-1]), place)


def _number(_: Evaluator, node: Node, __: Scope, place: Place) -> Value:
    return Opaque(f"the number {text_of(node)}", place)


def _array(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    return Items(ev.elements(node, scope), place)


def _object(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    result = Entries((), place)
    for part in children(node):
        if part.type == "spread_element":
            inner = first(part)
            spread = ev.value(inner, scope) if inner else None
            if isinstance(spread, Foreign):
                return spread
            if not isinstance(spread, Entries):
                return spread if isinstance(spread, Opaque) else Opaque("a spread of no object", place)
            result = merge_entries(result, spread)
            continue
        key = key_of(part.child_by_field_name("key") or part.child_by_field_name("name") or part, scope, ev)
        if key is None:
            return Opaque("a computed key that cannot be read", place_of(part, scope.source))
        node_ = part.child_by_field_name("value")
        value = ev.value(node_, scope) if node_ else _shorthand(ev, part, scope, key)
        result = Entries((*result.entries, (key, value)), place)
    return result


def _shorthand(ev: Evaluator, part: Node, scope: Scope, key: Text) -> Value:
    if part.type == "shorthand_property_identifier":
        return ev.name(key.value, scope, key.place)
    return Opaque(f"the method {key.value}", place_of(part, scope.source))


def _identifier(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    return ev.name(text_of(node), scope, place)


def _member(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    base, attribute = node.child_by_field_name("object"), node.child_by_field_name("property")
    index = node.child_by_field_name("index")
    if base is None:
        return Opaque("a member of nothing", place)
    if index is not None:
        key_value = ev.value(index, scope)
        key = key_value.value if isinstance(key_value, Text) else ""
    else:
        key = text_of(attribute)
    if text_of(base) in _EXPORTS:
        return ev.name(key, scope, place)
    if namespace := _namespace(ev, base, scope):
        return ev.name(key, namespace, place)
    value = ev.value(base, scope)
    if (found := step(value, key)) is not None:
        return Text(found.value, place) if isinstance(found, Text) else found
    if key in zod.VIEWS:
        return zod.VIEWS[key](value)
    return value if isinstance(value, Foreign) else Opaque(f"the member {key}", place)


def _namespace(ev: Evaluator, base: Node, scope: Scope) -> Scope | None:
    found = scope.find(text_of(base)) if base.type == "identifier" else None
    if found is None:
        return None
    imported = found[1][0].imported
    return ev.module(imported[0], found[0]) if imported and imported[1] is None else None


def _new(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    kind = text_of(node.child_by_field_name("constructor"))
    arguments = ev.elements(node.child_by_field_name("arguments"), scope)
    if kind == "Set":
        return Items(iterate(arguments[0]) if arguments else (), place)
    return _from_entries(arguments, place) if kind == "Map" and arguments else Opaque(f"a new {kind}", place)


def _call(ev: Evaluator, node: Node, scope: Scope, place: Place) -> Value:
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None:
        return Opaque("a call of nothing", place)
    name = text_of(callee)
    if lazy := _lazy(arguments):
        return ev.returned(lazy, scope, [])
    if name in _GLOBALS:
        return _GLOBALS[name](ev.elements(arguments, scope), place)
    if (root := _root(callee)) and (package := schemas.package_of(root, scope)):
        called = text_of(callee.child_by_field_name("property")) or _imported_as(root, scope)
        return schemas.schema(package, called, ev.elements(arguments, scope), place)
    if zod.is_constructor(callee, scope):
        return zod.construct(ev, callee, arguments, scope, place)
    if function := ev.function(callee, scope):
        return ev.returned(*function, list(ev.elements(arguments, scope)))
    if callee.type == "member_expression":
        return _method(ev, callee, arguments, scope, place)
    value = ev.value(callee, scope)
    if isinstance(value, Foreign) and list(children(arguments)):
        return Opaque(f"a call of {name[:40]}() of {value.module}, which is not read", place)
    if not list(children(arguments)) and not isinstance(value, Opaque):  # a lazy wrapper, called for what it holds
        return value
    return Opaque(f"a call of {name.split('(')[0][:40]}()", place)


def _root(callee: Node) -> str:
    """Return the name that a call begins with: `Joi` of `Joi.string().valid(...)`."""
    node: Node | None = callee
    while node is not None and node.type in ("member_expression", "call_expression"):
        node = node.child_by_field_name("object") or node.child_by_field_name("function")
    return text_of(node) if node is not None and node.type == "identifier" else ""


def _imported_as(name: str, scope: Scope) -> str:
    found = scope.find(name)
    imported = found[1][0].imported if found else None
    return (imported[1] if imported else None) or name


def _lazy(arguments: Node | None) -> Node | None:
    """The function of `wrapper(() => value)`, whatever the wrapper is called."""
    given = list(children(arguments))
    if len(given) != 1 or given[0].type not in ("arrow_function", "function_expression"):
        return None
    return None if list(children(given[0].child_by_field_name("parameters"))) else given[0]


def _method(ev: Evaluator, callee: Node, arguments: Node | None, scope: Scope, place: Place) -> Value:
    base, method = callee.child_by_field_name("object"), text_of(callee.child_by_field_name("property"))
    receiver = ev.value(base, scope) if base else Opaque("nothing", place)
    if method in zod.METHODS and not isinstance(receiver, Opaque | Foreign):
        return zod.METHODS[method](receiver, ev.elements(arguments, scope), place)
    function = first(arguments)
    if method == "map" and isinstance(receiver, Items) and function is not None and function.type == "arrow_function":
        mapped = tuple(ev.returned(function, scope, [item]) for item in receiver.items)
        return Items(mapped, receiver.place)
    given = ev.elements(arguments, scope)
    if method == "entries" and not given and isinstance(receiver, Entries):
        return _pairs((receiver,), place)
    if method == "split" and isinstance(receiver, Text) and len(given) == 1 and isinstance(given[0], Text):
        parts = receiver.value.split(given[0].value) if given[0].value else list(receiver.value)
        return Items(tuple(Text(part, receiver.place) for part in parts), receiver.place)
    if method == "concat":
        for value in given:
            receiver = concat(iterate(receiver), iterate(value), receiver.place)
        return receiver
    if method in ("keys", "values", "slice", "sort", "toSorted") and not given and not isinstance(receiver, Opaque):
        return Items(iterate(receiver), receiver.place)
    if isinstance(receiver, Foreign):
        is_namespace = base is not None and base.type == "identifier" and given
        what = f"a call of {text_of(callee)[:40]}() of {receiver.module}, which is not read"
        return Opaque(what, place) if is_namespace else receiver
    return Opaque(f"a call of {method}()", place)


def _keys(values: tuple[Value, ...], place: Place) -> Value:
    if values and isinstance(values[0], Enumeration):
        return Items(tuple(key for key, _ in values[0].entries), place)
    return Items(iterate(values[0]), values[0].place) if values else Opaque("no argument", place)


def _values(values: tuple[Value, ...], place: Place) -> Value:
    if values and isinstance(values[0], Entries | Enumeration):
        return Items(tuple(value for _, value in values[0].entries), values[0].place)
    return values[0] if values else Opaque("no argument", place)


def _pairs(values: tuple[Value, ...], place: Place) -> Value:
    if values and isinstance(values[0], Entries | Enumeration):
        return Items(tuple(Items(pair, pair[0].place) for pair in values[0].entries), values[0].place)
    return values[0] if values else Opaque("no argument", place)


def _from_entries(values: tuple[Value, ...], place: Place) -> Value:
    listed = values[0] if values else Opaque("no argument", place)
    if not isinstance(listed, Items):
        return listed
    pairs = [item.items for item in listed.items if isinstance(item, Items) and len(item.items) == 2]
    entries = tuple((key, value) for key, value in pairs if isinstance(key, Text))
    return Entries(entries, place) if len(entries) == len(listed.items) else Opaque("pairs that cannot be read", place)


def _first(values: tuple[Value, ...], place: Place) -> Value:
    return values[0] if values else Opaque("no argument", place)


_GLOBALS: Final[Mapping[str, Callable[[tuple[Value, ...], Place], Value]]] = MappingProxyType(
    {
        "Object.keys": _keys,
        "Object.values": _values,
        "Object.entries": _pairs,
        "Object.fromEntries": _from_entries,
        "Object.freeze": _first,
        "Object.seal": _first,
        "Array.from": _keys,
        "Array.of": lambda values, place: Items(values, place),
        "structuredClone": _first,
    }
)

_EXPRESSIONS: Final[Mapping[str, Callable[[Evaluator, Node, Scope, Place], Value]]] = MappingProxyType(
    {
        "string": _string,
        "template_string": _string,
        "number": _number,
        "array": _array,
        "object": _object,
        "identifier": _identifier,
        "member_expression": _member,
        "subscript_expression": _member,
        "new_expression": _new,
        "call_expression": _call,
    }
)
