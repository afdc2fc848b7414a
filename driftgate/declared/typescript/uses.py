"""Who may change a constant of a TypeScript or JavaScript module: each use is known to be harmless, or it is blind.

As for Python (see `python.uses`): the name may be assigned again, or what it holds changed by a method, an assignment
to a part, `Object.assign`, through another name, or by whoever it is passed to while the module is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from driftgate.declared.syntax import children, first, text_of
from driftgate.declared.typescript.module_index import FUNCTIONS, ModuleIndex

if TYPE_CHECKING:
    from tree_sitter import Node

CHANGING: Final = frozenset(
    {"push", "pop", "shift", "unshift", "splice", "add", "delete", "clear", "set", "fill", "copyWithin"}
)
"""Methods that change what they are called on. `sort` and `reverse` change the order alone, which means nothing."""

_FIRST_ARGUMENT: Final = frozenset(
    {"Object.assign", "Object.defineProperty", "Object.defineProperties", "Object.setPrototypeOf", "Reflect.set"}
    | {"Reflect.defineProperty", "Reflect.deleteProperty", "Reflect.setPrototypeOf"}
)
"""Functions of the language that change their first argument."""

READING: Final = frozenset(
    {"includes", "indexOf", "lastIndexOf", "map", "filter", "forEach", "some", "every", "find", "findIndex", "findLast"}
    | {"join", "slice", "concat", "reduce", "reduceRight", "entries", "keys", "values", "has", "get", "at", "flat"}
    | {"flatMap", "toString", "toLocaleString", "sort", "reverse", "toSorted", "toReversed", "toSpliced", "with"}
    | {"hasOwnProperty", "union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf"}
    | {"isDisjointFrom", "propertyIsEnumerable", "valueOf", "findLastIndex"}
)
"""Methods that only look at what they are called on."""

_STORING: Final = frozenset({"push", "unshift", "add", "set"})

HARMLESS_CALLS: Final = frozenset(
    # of the language
    {"keys", "values", "entries", "freeze", "seal", "preventExtensions", "fromEntries", "isFrozen", "hasOwn", "ownKeys"}
    | {"getOwnPropertyNames", "from", "isArray", "of", "stringify", "String", "Boolean", "Number", "structuredClone"}
    | {"Set", "Map", "log", "info", "warn", "error", "debug", "all", "has", "concat", "includes", "indexOf", "join"}
    | {"max", "min", "deepEqual", "strictEqual", "deepStrictEqual", "equal", "ok", "assert", "assign"}
    # what declares schemas, options, columns and test cases from a list of names
    | {"enum", "nativeEnum", "picklist", "Literal", "literal", "union", "Union", "oneOf", "isIn", "IsIn", "In", "valid"}
    | {"Enum", "enumType", "pgEnum", "mysqlEnum", "choices", "option", "addOption", "expect", "each", "enumerated"}
    | {"array", "keyof", "record", "partialRecord", "object", "strictObject", "Record", "Type", "Unsafe"}
    | {"toEqual", "toContain", "toStrictEqual", "toBe", "toHaveLength", "toMatchObject"}
)  # fmt: skip
"""Functions, methods and classes, by their last name, that leave what they are given as it is."""

_THROUGH: Final = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "ternary_expression"}
    | {"await_expression", "sequence_expression", "type_assertion"}
)
_IGNORED: Final = frozenset(
    {"spread_element", "export_specifier", "export_statement", "import_specifier", "type_query", "for_statement"}
    | {"template_substitution", "unary_expression", "expression_statement", "if_statement", "while_statement"}
    | {"do_statement", "throw_statement", "jsx_expression", "switch_statement", "switch_case", "yield_expression"}
    | {"index_type_query", "lookup_type", "import_clause", "namespace_import", "computed_property_name"}
    | {"type_annotation", "nested_identifier", "enum_assignment", "extends_clause", "class_heritage"}
    | {"jsx_opening_element", "jsx_self_closing_element", "jsx_closing_element", "type_predicate", "decorator"}
    | {"labeled_statement", "instantiation_expression", "asserts", "export_clause", "extends_type_clause"}
    | {"generic_type", "nested_type_identifier", "type_arguments", "import_alias", "break_statement"}
    | {"continue_statement", "meta_property", "internal_module"}
)
"""What only looks: spreads, types, exports, tests, templates."""

_WRITES: Final = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})


@dataclass(frozen=True, slots=True)
class Held:
    """Whether a value can be changed in place, and whether its parts can.

    `guarded`: its type lets nobody change it (`as const`, `readonly`), but for casts where it is used.
    """

    own: bool
    parts: bool
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A use that may change a constant. `what` continues its name: ", which push() changes"."""

    what: str
    node: Node


def change(index: ModuleIndex, name: str, block: Node, held: Held, *, of_class: str = "") -> Change | None:
    """Return a use of `name`, that `block` declares, which may change it; None if there is none.

    With `of_class`, it is the static constant `name` of that class.
    """
    return _Escape(index, held).look(name, block, of_class)


class _Escape:
    """Follows a value through the names that it goes by."""

    def __init__(self, index: ModuleIndex, held: Held) -> None:
        self.index, self.held = index, held
        self.waiting: list[tuple[str, Node, bool, bool]] = []
        self.seen: set[tuple[str, int, bool]] = set()

    def look(self, name: str, block: Node, of_class: str) -> Change | None:
        """Return the first use that may change it."""
        if of_class:
            for node in self._members(name, (of_class, "this")):
                if found := self._use(node, holds=False):
                    return found
            return None
        for node in self._members(name, ("exports", "module.exports")):
            if not self._is_definition(node) and (found := self._use(node, holds=False)):
                return found
        self._also(name, block, holds=False, alias=False)
        while self.waiting:
            name, block, holds, alias = self.waiting.pop()
            for node in self.index.names.get(name, ()):
                if self.index.binder(name, node).id != block.id or self.index.is_declaration(node):
                    continue
                if found := self._use(node, holds=holds, alias=alias):
                    return found
        return None

    def _members(self, name: str, owners: tuple[str, ...]) -> list[Node]:
        found = self.index.members.get(name, ())
        return [node for node in found if text_of(node.child_by_field_name("object")) in owners]

    def _is_definition(self, node: Node) -> bool:
        """Whether `exports.X = ...` is a statement of the module: one of the definitions that are compared."""
        outer = self.index.parent(node)
        if outer is None or outer.type != "assignment_expression" or outer.child_by_field_name("left") != node:
            return False
        kinds = [around.type for around in self.index.around(outer)]
        return all(kind in ("expression_statement", "program", "assignment_expression") for kind in kinds)

    def _also(self, name: str, block: Node, *, holds: bool, alias: bool = True) -> None:
        if (name, block.id, holds) not in self.seen:
            self.seen.add((name, block.id, holds))
            self.waiting.append((name, block, holds, alias))

    def _use(self, node: Node, *, holds: bool, alias: bool = False) -> Change | None:  # noqa: C901 (one flat match)
        """Classify one expression that is the value, or holds it. An `alias` may be assigned again."""
        parent = self.index.parent(node)
        if parent is None or parent.type in _IGNORED:
            return self._deleted(node, parent)
        match parent.type:
            case kind if kind in _WRITES:
                return self._written(node, parent, holds=holds, alias=alias)
            case "member_expression" | "subscript_expression":
                return self._member(node, parent, holds=holds)
            case "arguments":
                call = self.index.parent(parent)
                return self._passed(node, call, holds=holds) if call else None
            case kind if kind in _THROUGH or (kind == "binary_expression" and _chooses(parent)):
                is_condition = kind == "ternary_expression" and parent.child_by_field_name("condition") == node
                return None if is_condition else self._use(parent, holds=holds)
            case "array" | "pair" | "object":
                return self._use(parent, holds=True)
            case "variable_declarator":
                self._targets(parent.child_by_field_name("name"), holds=holds)
                return None
            case "for_in_statement":
                return self._looped(node, parent, holds=holds, alias=alias)
            case kind if kind == "return_statement" or kind in FUNCTIONS:
                return self._returned(parent, holds=holds)
            case "assignment_pattern" | "required_parameter" | "optional_parameter":
                return self._default(node, parent, holds=holds)
            case kind if kind in _PATTERN_LIKE:
                return None if alias or holds else Change("a later statement changes", parent)
            case "binary_expression" | "call_expression" | "new_expression" | "public_field_definition":
                return None
            case _:
                return self._run("a statement may change", parent)

    def _deleted(self, node: Node, parent: Node | None) -> Change | None:
        is_delete = parent is not None and parent.type == "unary_expression" and text_of(parent).startswith("delete")
        return Change("a later statement changes", node) if is_delete and node.type.endswith("_expression") else None

    def _run(self, what: str, node: Node) -> Change | None:
        may = (self.held.own or self.held.parts) and not self.held.guarded
        return Change(what, node) if may and self.index.runs(node) else None

    def _changed(self, who: str, node: Node, *, holds: bool) -> Change | None:
        may = not holds and (self.held.own or self.held.parts)
        return Change(f"{who} changes", node) if may else None

    def _written(self, node: Node, parent: Node, *, holds: bool, alias: bool) -> Change | None:
        left = parent.child_by_field_name("left") or parent.child_by_field_name("argument")
        if left == node:
            return None if alias or holds else Change("a later statement changes", parent)
        if left is None or parent.type != "assignment_expression":
            return None
        if left.type == "identifier":
            self._targets(left, holds=holds)
            return self._use(parent, holds=holds)
        if text_of(left).startswith(("exports", "module.exports")):
            return self._use(parent, holds=holds)
        return self._run("is kept under another name", parent)

    def _member(self, node: Node, member: Node, *, holds: bool) -> Change | None:
        if member.child_by_field_name("object") != node:
            return None
        outer = self.index.parent(member)
        key = text_of(member.child_by_field_name("property")) or text_of(member.child_by_field_name("index"))
        key = key.strip("'\"`")
        if outer is not None and (_assigns(outer, member) or self._deleted(member, outer)):
            return self._changed("a later statement", outer, holds=holds)
        is_called = outer is not None and outer.type == "call_expression"
        is_called = is_called and outer is not None and outer.child_by_field_name("function") == member
        if key in CHANGING and (is_called or member.type == "member_expression"):
            return self._changed(f"{key}()", outer or member, holds=holds)
        inner = holds or self.held.parts
        if not is_called or outer is None:
            return self._use(member, holds=False) if inner else None
        if key not in READING and not holds:
            return self._run(f"{key}() may change", outer)
        return self._use(outer, holds=True) if inner and key in _PARTS else None

    def _passed(self, node: Node, call: Node, *, holds: bool) -> Change | None:
        callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
        if callee is None:
            return None
        spelt = text_of(callee)
        tail = text_of(callee.child_by_field_name("property")) or spelt
        if first(call.child_by_field_name("arguments")) == node:
            if spelt in _FIRST_ARGUMENT:
                return self._changed(f"{spelt}()", call, holds=holds)
            method = text_of(callee.child_by_field_name("object")).rpartition(".")[2]
            if tail in ("call", "apply", "bind") and method in CHANGING:
                return self._changed(f"{method}()", call, holds=holds)
            if tail in ("freeze", "seal"):
                return self._use(call, holds=holds)
            if spelt in ("Object.values", "Object.entries") and (holds or self.held.parts):
                return self._use(call, holds=True)
        if tail in _STORING and callee.type == "member_expression":
            return self._run(f"{tail}() keeps under another name", call)
        if (
            tail in HARMLESS_CALLS
            or spelt == "Object.create"
            or not self.index.runs(call)
            or self._parameter(node, callee, call, holds=holds)
        ):
            return None
        return self._run(f"is passed to {tail[:40]}()", call)

    def _parameter(self, node: Node, callee: Node, call: Node, *, holds: bool) -> bool:
        """Follow an argument into a function of the module; return whether that can be done."""
        function = self._function(text_of(callee)) if callee.type == "identifier" else None
        if function is None:
            return False
        given = list(children(call.child_by_field_name("arguments")))
        names = list(children(function.child_by_field_name("parameters")))
        position = given.index(node)
        target = function.child_by_field_name("parameter") or (names[position] if position < len(names) else None)
        if target is not None:
            self._targets(target.child_by_field_name("pattern") or target, holds=holds, block=function)
        return True

    def _function(self, name: str) -> Node | None:
        for use in self.index.names.get(name, ()):
            holder = self.index.parent(use) if self.index.is_declaration(use) else None
            if holder is not None and holder.type == "variable_declarator":
                holder = holder.child_by_field_name("value")
            if holder is not None and holder.type in FUNCTIONS:
                return holder
        return None

    def _targets(self, target: Node | None, *, holds: bool, block: Node | None = None) -> None:
        if target is None:
            return
        waiting = [target]
        while waiting:
            node = waiting.pop()
            waiting += node.named_children
            if node.type in ("identifier", "shorthand_property_identifier_pattern"):
                inner = holds if node == target else False
                self._also(text_of(node), block or self.index.binder(text_of(node), node), holds=inner)

    def _looped(self, node: Node, loop: Node, *, holds: bool, alias: bool) -> Change | None:
        left = loop.child_by_field_name("left")
        if left == node:
            return None if alias or holds else Change("a later statement changes", loop)
        if holds or self.held.parts:
            self._targets(left, holds=False)
        return None

    def _returned(self, statement: Node, *, holds: bool) -> Change | None:
        """Calls at load of a function that returns it stand for it."""
        around = (statement, *self.index.around(statement))
        function = next((outer for outer in around if outer.type in FUNCTIONS), None)
        holder = self.index.parent(function) if function else None
        name = text_of(function.child_by_field_name("name")) if function else ""
        if holder is not None and holder.type == "variable_declarator":
            name = text_of(holder.child_by_field_name("name"))
        calls = (call for call in self.index.calls if name and text_of(call.child_by_field_name("function")) == name)
        found = (self._use(call, holds=holds) for call in calls if self.index.runs(call))
        return next(filter(None, found), None)

    def _default(self, node: Node, pattern: Node, *, holds: bool) -> Change | None:
        target = pattern.child_by_field_name("left") or pattern.child_by_field_name("pattern")
        if target != node:
            self._targets(target, holds=holds)
        return None


_PARTS: Final = frozenset({"get", "values", "entries", "at", "slice", "concat", "flat", "find", "filter"})
_PATTERN_LIKE: Final = frozenset({"array_pattern", "object_pattern", "rest_pattern", "pair_pattern"})


def _assigns(outer: Node, member: Node) -> bool:
    """Whether `outer` assigns to `member`: `X[0] = ...`, `[X[0]] = ...`, `for (X[0] of ...)`."""
    if outer.type in _WRITES or outer.type == "for_in_statement":
        return _target_of(outer) == member
    return outer.type in _PATTERN_LIKE


def _target_of(node: Node) -> Node | None:
    return node.child_by_field_name("left") or node.child_by_field_name("argument")


def _chooses(binary: Node) -> bool:
    return text_of(binary.child_by_field_name("operator")) in ("||", "&&", "??")


def held(node: Node, inner: Callable[[Node], Held]) -> Held:
    """Return what of that which `node` evaluates to can be changed; `inner` says it of the expressions in it."""
    match node.type:
        case "as_expression" if text_of(node).endswith("const"):
            return Held(own=True, parts=True, guarded=True)
        case "array":
            return Held(own=True, parts=_any(children(node), inner))
        case "object":
            values = (part.child_by_field_name("value") for part in children(node, "pair"))
            return Held(own=True, parts=_any(filter(None, values), inner))
        case kind if kind in _THROUGH:
            parts = list(children(node))
            return inner(parts[-1] if kind == "type_assertion" else parts[0])
        case "call_expression" if text_of(node.child_by_field_name("function")) in ("Object.freeze", "Object.seal"):
            frozen = first(node.child_by_field_name("arguments"))
            is_set = frozen is not None and frozen.type == "new_expression"  # only its properties are frozen
            return Held(own=is_set, parts=frozen is not None and inner(frozen).parts)
        case "new_expression":
            return Held(own=True, parts=False)
        case "call_expression":
            spelt = text_of(node.child_by_field_name("function"))
            return Held(
                own=spelt.startswith(("Object.", "Array.", "structuredClone")) or spelt.endswith(_MAKING), parts=False
            )
        case kind:
            return Held(own=kind == "identifier", parts=False)


_MAKING: Final = (".concat", ".slice", ".filter", ".map", ".flat")


def _any(nodes: Iterable[Node], inner: Callable[[Node], Held]) -> bool:
    found = [inner(first(node) or node if node.type == "spread_element" else node) for node in nodes]
    return any(each.own or each.parts for each in found)
