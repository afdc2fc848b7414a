"""Every use of every name of a TypeScript or JavaScript module: what asks who may change a constant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from driftgate.declared.syntax import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "function_declaration", "method_definition"}
    | {"generator_function", "generator_function_declaration"}
)
_NAMES: Final = frozenset({"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"})
_SCOPES: Final = FUNCTIONS | {
    "program", "statement_block", "for_statement", "for_in_statement", "switch_body", "catch_clause", "class_body",
}  # fmt: skip
_PATTERNS: Final = frozenset({"object_pattern", "array_pattern", "rest_pattern", "assignment_pattern", "pair_pattern"})
_DECLARED_OUTSIDE: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration"}
)


class ModuleIndex:
    """One file's tree with its parents, its names by their text, and what each block declares."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.parents: dict[int, Node] = {}
        self.names: defaultdict[str, list[Node]] = defaultdict(list)
        self.members: defaultdict[str, list[Node]] = defaultdict(list)
        self.calls: list[Node] = []
        self._declared: defaultdict[int, set[str]] = defaultdict(set)
        self._walk()
        self._loaded: frozenset[str] | None = None

    def _walk(self) -> None:
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            for child in node.named_children:
                self.parents[child.id] = node
                waiting.append(child)
            if node.type in _NAMES:
                self.names[text_of(node)].append(node)
            elif node.type == "member_expression":
                self.members[text_of(node.child_by_field_name("property"))].append(node)
            elif node.type in ("call_expression", "new_expression"):
                self.calls.append(node)
        for name, nodes in self.names.items():
            for node in nodes:
                if scope := self._declares(node):
                    self._declared[scope.id].add(name)

    def parent(self, node: Node) -> Node | None:
        """Return the node that holds `node`."""
        return self.parents.get(node.id)

    def around(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that hold `node`, the innermost first."""
        outer = self.parent(node)
        while outer is not None:
            yield outer
            outer = self.parent(outer)

    def _declares(self, node: Node) -> Node | None:
        """Return the block in which `node` declares its name; None where it only uses it."""
        inner, outer = node, self.parent(node)
        while outer is not None and outer.type in _PATTERNS:
            if outer.type == "assignment_pattern" and outer.child_by_field_name("left") != inner:
                return None
            if outer.type == "pair_pattern" and outer.child_by_field_name("value") != inner:
                return None
            inner, outer = outer, self.parent(outer)
        return self._declaring(outer, inner) if outer is not None else None

    def _declaring(self, outer: Node, inner: Node) -> Node | None:
        """Return the block of what `inner` declares in `outer`, if it declares anything there."""
        is_name = outer.child_by_field_name("name") == inner
        match outer.type:
            case "variable_declarator" if is_name:
                declaration = self.parent(outer)
                is_var = declaration is not None and declaration.type == "variable_declaration"
                return self._block(outer, functions_only=is_var)
            case "required_parameter" | "optional_parameter":
                is_pattern = outer.child_by_field_name("pattern") == inner
                return next((n for n in self.around(outer) if n.type in FUNCTIONS), None) if is_pattern else None
            case "formal_parameters":  # of JavaScript
                return self.parent(outer)
            case kind if kind in _DECLARED_OUTSIDE:
                return self._block(outer) if is_name else None
            case kind if kind in FUNCTIONS:
                return outer if outer.child_by_field_name("parameter") == inner else None
            case "catch_clause":
                return outer
            case "for_in_statement":
                return outer if _declared_there(outer, inner) else None
            case _:
                return None

    def _block(self, node: Node, *, functions_only: bool = False) -> Node | None:
        kinds = FUNCTIONS | {"program"} if functions_only else _SCOPES
        return next((outer for outer in self.around(node) if outer.type in kinds), None)

    def binder(self, name: str, node: Node) -> Node:
        """Return the block whose name `name`, used at `node`, is; the file's root where none declares it."""
        return next((outer for outer in self.around(node) if name in self._declared.get(outer.id, ())), self.root)

    def is_declaration(self, node: Node) -> bool:
        """Return whether `node` declares its name."""
        return self._declares(node) is not None

    def runs(self, node: Node) -> bool:
        """Return whether `node` may be evaluated while the module is loaded."""
        for outer in self.around(node):
            if outer.type not in FUNCTIONS:
                continue
            holder = self.parent(outer)
            if holder is not None and holder.type in ("arguments", "parenthesized_expression", "call_expression"):
                continue  # given to a call, or called where it stands
            name = self._name_of(outer)
            return name is not None and name in self._called_at_load()
        return True

    def _name_of(self, function: Node) -> str | None:
        name = text_of(function.child_by_field_name("name"))
        holder = self.parent(function)
        if function.type == "method_definition":
            classes = (outer.child_by_field_name("name") for outer in self.around(function) if "class" in outer.type)
            return text_of(next(filter(None, classes), None)) if name == "constructor" else None
        if holder is not None and holder.type == "variable_declarator":
            name = text_of(holder.child_by_field_name("name"))
        return name or None

    def _called_at_load(self) -> frozenset[str]:
        if self._loaded is None:
            self._loaded = frozenset()
            called: defaultdict[str | None, set[str]] = defaultdict(set)
            for call in self.calls:
                callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
                if callee is not None and callee.type == "identifier":
                    called[self._within(call)].add(text_of(callee))
            found: set[str] = set()
            waiting = list(called[None])
            while waiting:
                name = waiting.pop()
                if name not in found:
                    found.add(name)
                    waiting += called.get(name, ())
            self._loaded = frozenset(found)
        return self._loaded

    def _within(self, node: Node) -> str | None:
        """Return the name of the function that a call stands in; None where it runs as the module is loaded."""
        for outer in self.around(node):
            if outer.type in FUNCTIONS:
                holder = self.parent(outer)
                if holder is None or holder.type not in ("arguments", "parenthesized_expression", "call_expression"):
                    return self._name_of(outer) or ""
        return None


def _declared_there(loop: Node, target: Node) -> bool:
    return loop.child_by_field_name("left") == target and loop.child_by_field_name("kind") is not None
