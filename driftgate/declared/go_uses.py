"""Who may change a variable of a Go package: what functions, `init` above all, do to its name.

Constants and types cannot be changed. A variable is blind where any function of the package assigns to it or to a part
of it, takes its address, or changes it in place (`delete`, `clear`, `copy`), through another name for it too, and
where code that runs at initialisation passes it to a function that is not known to read only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from driftgate.declared.syntax import children, first, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CHANGING: Final = frozenset({"delete", "clear", "copy"})
_READING: Final = frozenset(
    {"len", "cap", "append", "string", "min", "max", "print", "println", "panic", "make", "new"}
    | {"Contains", "ContainsFunc", "Index", "IndexFunc", "Equal", "Clone", "Join", "Sprint", "Sprintf", "Sprintln"}
    | {"Print", "Printf", "Println", "Errorf", "Fprintf", "Fprintln", "Keys", "Values", "Sorted", "Strings", "Sort"}
    | {"SortFunc", "Collect", "DeepEqual", "BinarySearch", "Marshal", "MarshalIndent", "Compare", "Concat", "Repeat"}
)
"""Functions, by their last name, that leave what they are given as it is; sorting changes the order alone."""

_FUNCTIONS: Final = frozenset({"function_declaration", "method_declaration", "func_literal"})
_KEEPS: Final = frozenset({"parenthesized_expression", "slice_expression", "literal_element", "expression_list"})
_PARTS: Final = frozenset({"index_expression", "selector_expression", "parenthesized_expression"})
_SCOPES: Final = _FUNCTIONS | {"block", "for_statement", "if_statement", "expression_switch_statement"}


@dataclass(frozen=True, slots=True)
class Change:
    """A use that may change a variable. `what` continues its name."""

    what: str
    node: Node


class FileUses:
    """The identifiers of one file, by their text."""

    def __init__(self, root: Node) -> None:
        self.parents: dict[int, Node] = {}
        self.names: dict[str, list[Node]] = {}
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.type == "identifier":
                self.names.setdefault(text_of(node), []).append(node)
            for child in node.named_children:
                self.parents[child.id] = node
                waiting.append(child)

    def change(self, name: str) -> Change | None:
        """Return a use of the package's variable `name` in this file that may change it."""
        uses = (node for node in self.names.get(name, ()) if self._is_outer(node, name))
        return next(filter(None, (self._use(node, set()) for node in uses)), None)

    def _around(self, node: Node) -> Iterator[Node]:
        outer = self.parents.get(node.id)
        while outer is not None:
            yield outer
            outer = self.parents.get(outer.id)

    def _is_outer(self, node: Node, name: str) -> bool:
        """Whether no function around a use declares the name for itself."""
        return not any(outer.type in _SCOPES and name in set(_declared(outer)) for outer in self._around(node))

    def _use(self, node: Node, seen: set[str]) -> Change | None:
        parent = self.parents.get(node.id)
        if parent is None:
            return None
        outer = self.parents.get(parent.id)
        match parent.type:
            case "index_expression" if parent.child_by_field_name("operand") == node:
                return self._stored(parent)
            case "selector_expression":
                return self._stored(parent)
            case "unary_expression" if text_of(parent).startswith("&"):
                return Change("whose address is taken", parent) if self._in_function(parent) else None
            case "expression_list" if outer is not None:
                return self._listed(node, parent, outer, seen)
            case "inc_statement" | "dec_statement":
                return Change(f"which {self._who(parent)} changes", parent)
            case "argument_list" if outer is not None:
                return self._passed(node, parent, outer)
            case kind if kind in _KEEPS:
                return self._use(parent, seen)
            case _:
                return None

    def _stored(self, part: Node) -> Change | None:
        """A part that is assigned to."""
        outer = self.parents.get(part.id)
        while outer is not None and outer.type in _PARTS:
            part, outer = outer, self.parents.get(outer.id)
        if outer is None:
            return None
        if outer.type in ("inc_statement", "dec_statement"):
            return Change(f"which {self._who(outer)} changes", outer)
        statement = self.parents.get(outer.id)
        if outer.type == "expression_list" and statement is not None and statement.type == "assignment_statement":
            is_left = statement.child_by_field_name("left") == outer
            return Change(f"which {self._who(statement)} changes", statement) if is_left else None
        return None

    def _listed(self, node: Node, parent: Node, statement: Node, seen: set[str]) -> Change | None:
        if statement.type == "assignment_statement" and statement.child_by_field_name("left") == parent:
            return Change(f"which {self._who(statement)} changes", statement)
        targets = statement.child_by_field_name("left") or statement.child_by_field_name("name")
        if statement.type not in ("short_var_declaration", "assignment_statement", "var_spec") or targets is None:
            return None
        names = list(children(targets)) if targets.type == "expression_list" else [targets]
        position = list(children(parent)).index(node)
        target = names[position] if position < len(names) else None
        name = text_of(target)
        if target is None or target.type != "identifier" or name in seen:
            return None
        seen.add(name)
        scope = next((outer for outer in self._around(statement) if outer.type in _SCOPES), None)
        uses = (use for use in self.names.get(name, ()) if scope is None or scope in self._around(use))
        found = (self._use(use, seen) for use in uses if use != target and not self._is_assigned(use))
        return next(filter(None, found), None)

    def _is_assigned(self, node: Node) -> bool:
        """Whether a name itself, and not a part of what it stands for, is given another value."""
        parent = self.parents.get(node.id)
        statement = self.parents.get(parent.id) if parent else None
        is_assignment = statement is not None and statement.type == "assignment_statement"
        return is_assignment and statement is not None and statement.child_by_field_name("left") == parent

    def _passed(self, node: Node, arguments: Node, call: Node) -> Change | None:
        function = call.child_by_field_name("function")
        name = text_of(function).rpartition(".")[2]
        if name in _CHANGING and first(arguments) == node:
            return Change(f"which {name}() changes", call)
        if name in _READING or call.type != "call_expression" or not self._at_start(call):
            return None
        return Change(f"which is passed to {name[:40]}()", call)

    def _who(self, node: Node) -> str:
        """The function that a statement stands in."""
        names = (text_of(outer.child_by_field_name("name")) for outer in self._around(node) if outer.type in _FUNCTIONS)
        name = next(filter(None, names), "")
        return f"{name}()" if name else "a later statement"

    def _in_function(self, node: Node) -> bool:
        return any(outer.type in _FUNCTIONS for outer in self._around(node))

    def _at_start(self, node: Node) -> bool:
        """Whether a call runs when the package is initialised: in `init`, or where a variable is defined."""
        functions = [outer for outer in self._around(node) if outer.type in _FUNCTIONS]
        return all(f.type == "func_literal" or text_of(f.child_by_field_name("name")) == "init" for f in functions)


def _declared(scope: Node) -> Iterator[str]:
    """Yield the names that a block or function declares at its own level."""
    for parameters in (scope.child_by_field_name("parameters"), scope.child_by_field_name("receiver")):
        for parameter in children(parameters):
            yield from (text_of(name) for name in parameter.children_by_field_name("name"))
    statements = children(first(scope, "statement_list") or scope)
    for statement in statements:
        if statement.type in ("short_var_declaration", "range_clause"):
            if any(child.type == ":=" for child in statement.children):
                yield from (text_of(name) for name in children(statement.child_by_field_name("left")))
        elif statement.type in ("var_declaration", "const_declaration"):
            for spec in children(statement):
                yield from (text_of(name) for name in spec.children_by_field_name("name"))
