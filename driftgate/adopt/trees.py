"""Series in the syntax trees of the languages: one row for each kind of node that holds elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.adopt.series import Element, Series, run_of, with_comments
from driftgate.declared import go, rust, zig
from driftgate.declared.syntax import Grammar, parse_bytes
from driftgate.declared.typescript.expressions import TSX, TYPESCRIPT

if TYPE_CHECKING:
    from tree_sitter import Node

PYTHON: Final = Grammar("tree_sitter_python")


@dataclass(frozen=True, slots=True)
class Holder:
    """A kind of node that holds elements: `separator` between them; `run`: statements, of which few are elements."""

    separator: str = ","
    run: bool = False


_LIST: Final = Holder()
_LINES: Final = Holder("")
_RUN: Final = Holder("", run=True)

HOLDERS: Final[Mapping[str, Mapping[str, Holder]]] = MappingProxyType(
    {
        "python": {
            **dict.fromkeys(("list", "tuple", "set", "dictionary", "argument_list", "expression_list"), _LIST),
            **dict.fromkeys(("subscript", "type_parameter"), _LIST),
            "binary_operator": Holder("|"),
            "block": _RUN,
            "module": _RUN,
        },
        "typescript": {
            **dict.fromkeys(("array", "object", "tuple_type", "enum_body", "arguments"), _LIST),
            "union_type": Holder("|"),
            **dict.fromkeys(("interface_body", "object_type"), _LINES),
            **dict.fromkeys(("class_body", "statement_block", "program"), _RUN),
        },
        "go": {
            **dict.fromkeys(("literal_value", "argument_list", "expression_list"), _LIST),
            **dict.fromkeys(("const_declaration", "var_declaration", "field_declaration_list"), _LINES),
            "source_file": _RUN,
        },
        "rust": {
            **dict.fromkeys(("array_expression", "enum_variant_list", "field_declaration_list", "match_block"), _LIST),
            **dict.fromkeys(("arguments", "tuple_expression"), _LIST),
            "or_pattern": Holder("|"),
            **dict.fromkeys(("declaration_list", "source_file", "block"), _RUN),
        },
        "zig": {
            **dict.fromkeys(("initializer_list", "enum_declaration", "union_declaration"), _LIST),
            **dict.fromkeys(("error_set_declaration", "switch_expression"), _LIST),
            "struct_declaration": _RUN,
            "source_file": _RUN,
        },
    }
)  # fmt: skip

_COMMENTS: Final = frozenset({"comment", "line_comment", "block_comment"})
_NESTING: Final = frozenset({"union_type", "binary_operator", "or_pattern"})
_OPEN: Final = frozenset("([{")
_CLOSE: Final = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed file. `shift` is how many bytes were put before the text for the parser's sake."""

    data: bytes
    language: str
    root: Node
    shift: int = 0

    def leaf(self, start: int, end: int) -> Node | None:
        """Return the innermost node that holds [start, end) of the text."""
        return self.root.named_descendant_for_byte_range(start + self.shift, end + self.shift)


_GRAMMARS: Final = MappingProxyType({"python": PYTHON, "go": go.GRAMMAR, "rust": rust.GRAMMAR, "zig": zig.GRAMMAR})


def tree_of(data: bytes, reader: str, suffix: str) -> Tree | None:
    """Return the syntax tree of a file that `reader` reads, None where that is no programming language or JSON."""
    if reader in ("typescript", "zod"):
        grammar = TYPESCRIPT if suffix in (".ts", ".mts", ".cts") else TSX
        return Tree(data, "typescript", parse_bytes(data, grammar))
    if reader in ("json", "jsonschema") and suffix not in (".yaml", ".yml"):
        return Tree(data, "typescript", parse_bytes(b"(" + data + b")", TYPESCRIPT), 1)  # an expression, with brackets
    if reader in _GRAMMARS:
        return Tree(data, reader, parse_bytes(data, _GRAMMARS[reader]))
    return None


@dataclass(frozen=True, slots=True)
class _Step:
    """One holder around a name: the holder, and the child of it that holds the name."""

    holder: Node
    child: Node


def series_of(tree: Tree, spans: Mapping[str, tuple[int, int]]) -> list[Series]:
    """Return the series in which the names stand whose literals are `spans`: one, or several where they are scattered.

    The innermost holder in which each name has an element of its own is the series.
    """
    if inside := (run_of(tree.data, spans, tree.language) if len(set(spans.values())) == 1 < len(spans) else None):
        return [inside]
    chains = {name: list(_chain(tree, *span)) for name, span in spans.items()}
    if any(not chain for chain in chains.values()):
        return []
    if common := _common(tree, chains):
        return [_series(tree, common, {name: _child_in(chain, common) for name, chain in chains.items()})]
    if run := run_of(tree.data, spans, tree.language):
        return [run]
    groups: dict[int, tuple[Node, dict[str, Node]]] = {}
    for name, chain in chains.items():
        groups.setdefault(chain[0].holder.id, (chain[0].holder, {}))[1][name] = chain[0].child
    return [_series(tree, holder, found) for holder, found in groups.values()]


def _chain(tree: Tree, start: int, end: int) -> Iterator[_Step]:
    """Yield the holders around [start, end), the innermost first."""
    holders = HOLDERS[tree.language]
    child = tree.leaf(start, end)
    while child is not None and child.parent is not None:
        parent, child = child.parent, _attributed(child)
        if parent.type in holders and _is_element(parent, child):
            while parent.parent is not None and parent.type in _NESTING and parent.parent.type == parent.type:
                parent = parent.parent
            yield _Step(parent, child)
            child = parent
            continue
        child = parent


def _attributed(node: Node) -> Node:
    """Return the element that an attribute speaks of; any other node is itself."""
    after: Node | None = node
    while after is not None and (after.type in ("attribute_item", "decorator") or after.type in _COMMENTS):
        after = after.next_named_sibling
    return after or node


def _is_element(parent: Node, child: Node) -> bool:
    if parent.type == "subscript":
        return child in parent.children_by_field_name("subscript")
    if parent.type == "binary_operator":
        return any(sign.type == "|" for sign in parent.children)
    return child.type not in _COMMENTS


def _common(tree: Tree, chains: Mapping[str, list[_Step]]) -> Node | None:
    """Return the innermost holder in which each name has an element of its own."""
    first, *_ = chains.values()
    for depth, step in enumerate(first):
        holder = HOLDERS[tree.language].get(step.holder.type, _LIST)
        if len(chains) == 1 and len(_elements(step.holder)) == 1 and not holder.run and depth + 1 < len(first):
            outer = first[depth + 1]
            if step.holder.type in ("argument_list", "arguments", "expression_list", "block") and outer:
                continue  # the brackets of a call around one name hold no series
        found = [_index(chain, step.holder) for chain in chains.values()]
        if any(at is None for at in found):
            continue
        children = {chain[at].child.id for chain, at in zip(chains.values(), found, strict=True) if at is not None}
        thin = all(
            len(_elements(inner.holder)) == 1
            for chain, at in zip(chains.values(), found, strict=True)
            for inner in chain[:at]
        )
        if len(children) == len(chains) and (thin or not holder.run):
            return step.holder
    return None


def _index(chain: list[_Step], holder: Node) -> int | None:
    return next((at for at, step in enumerate(chain) if step.holder.id == holder.id), None)


def _child_in(chain: list[_Step], holder: Node) -> Node:
    return next(step.child for step in chain if step.holder.id == holder.id)


def _elements(holder: Node) -> list[Node]:
    """Return the nodes that are elements of a holder."""
    if holder.type in _NESTING:
        return list(_operands(holder, holder.type))
    if holder.type == "subscript":
        return list(holder.children_by_field_name("subscript"))
    skipped = _COMMENTS | {"attribute_item", "decorator", "ERROR"}
    children = [child for child in holder.named_children if child.type not in skipped]
    if holder.type == "switch_expression":
        return [child for child in children if child.type == "switch_case"]
    if holder.type in ("enum_declaration", "union_declaration"):
        return [child for child in children if child.type == "container_field"]
    return children


def _operands(node: Node, kind: str) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == kind:
            yield from _operands(child, kind)
        elif child.type not in _COMMENTS:
            yield child


def _series(tree: Tree, holder: Node, named: Mapping[str, Node]) -> Series:
    kind, shift, data = HOLDERS[tree.language].get(holder.type, _LIST), tree.shift, tree.data
    names = {node.id: name for name, node in named.items()}
    start, end, brackets = _region(holder)
    elements = []
    for node in _elements(holder):
        first, last = node.start_byte - shift, node.end_byte - shift
        if data[first:last].endswith(b",") and node.type == "match_arm":
            last -= 1
        after = _after(data, last, kind.separator, end - shift)
        elements.append(Element(first, last, after, _attributes(node) - shift, names.get(node.id)))
    length, lengths_name = _length(holder, len(elements), shift)
    return Series(
        data,
        tree.language,
        holder.type,
        start - shift,
        end - shift,
        with_comments(data, elements),
        _separator(data, elements, kind.separator),
        leading=kind.separator == "|" and _leads(data, elements, start - shift),
        brackets=brackets,
        alone=holder.type in ("tuple", "expression_list") and tree.language == "python",
        length=length,
        lengths_name=lengths_name,
    )


def _region(holder: Node) -> tuple[int, int, bool]:
    """Return where elements may stand, and whether there are brackets around."""
    opening = next((child for child in holder.children if child.type in _OPEN), None)
    closing = next((child for child in reversed(holder.children) if child.type in _CLOSE), None)
    if holder.type == "subscript":
        opening = next((child for child in holder.children if child.type == "["), None)
    if opening is None or closing is None:
        return holder.start_byte, holder.end_byte, False
    return opening.end_byte, closing.start_byte, True


def _after(data: bytes, end: int, separator: str, limit: int) -> int:
    """Return the byte after the separator that follows an element; its end where none does."""
    at = end
    while at < limit and data[at : at + 1].isspace():
        at += 1
    signs = (separator,) if separator == "," else (";", ",") if separator == "" else ()
    return at + 1 if at < limit and data[at : at + 1].decode(errors="replace") in signs else end


def _separator(data: bytes, elements: list[Element], separator: str) -> str:
    """Of elements that end with lines, the sign before the line end that they have, if any."""
    if separator:
        return separator
    found = [data[element.after - 1 : element.after].decode() for element in elements if element.after > element.end]
    return max(set(found), key=found.count) if 2 * len(found) > len(elements) else ""


def _leads(data: bytes, elements: list[Element], start: int) -> bool:
    return bool(elements) and data[start : elements[0].start].rstrip().endswith(b"|")


def _attributes(node: Node) -> int:
    """Return where the attributes and decorators of an element begin."""
    start, before = node.start_byte, node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "decorator", "line_comment"):
        if before.type != "line_comment":
            start = before.start_byte
        elif not (before.prev_named_sibling and before.prev_named_sibling.type == "attribute_item"):
            break
        before = before.prev_named_sibling
    return start


def _length(holder: Node, count: int, shift: int) -> tuple[tuple[int, int] | None, str]:
    """Return the number in the type of an array that says how many elements it has; or the name of that."""
    above, of = holder.parent, None
    for _ in range(4):
        if above is None or of is not None:
            break
        of = _array_type(above)
        above = above.parent
    if of is None or not holder.type.endswith(("expression", "literal_value", "initializer_list")):
        return None, ""
    number = of.child_by_field_name("length") or next((c for c in of.named_children if c.type == "integer"), None)
    if number is None:
        return None, ""
    text = (number.text or b"").decode()
    if text.isdigit() and int(text) == count:
        return (number.start_byte - shift, number.end_byte - shift), ""
    return None, "" if text.isdigit() or text == "_" else text


def _array_type(node: Node) -> Node | None:
    """Return the type of a constant that is an array with a length."""
    if node.type not in ("const_item", "static_item", "composite_literal", "struct_initializer"):
        return None
    of = node.child_by_field_name("type") or next((c for c in node.named_children if c.type == "array_type"), None)
    while of is not None and of.type == "reference_type":
        of = of.child_by_field_name("type")
    return of if of is not None and of.type == "array_type" else None


def empty_series(tree: Tree, start: int, end: int) -> Series | None:
    """Return the series without elements that stands at [start, end), or inside what does."""
    node = tree.leaf(start, end)
    while node is not None and node.end_byte - tree.shift <= end:
        if node.type in HOLDERS[tree.language] and _region(node)[2] and not _elements(node):
            return _series(tree, node, {})
        inner = [child for child in node.named_children if child.type not in _COMMENTS]
        node = inner[-1] if inner else None
    return None


def list_at(tree: Tree, start: int, end: int) -> Series | None:
    """Return the list that [start, end) is, or that is all that it holds (in calls and brackets around it)."""
    node = tree.leaf(start, end)
    while node is not None:
        inner = [child for child in node.named_children if child.type not in _COMMENTS]
        holder = HOLDERS[tree.language].get(node.type)
        if holder is not None and not holder.run and (len(inner) > 1 or not inner):
            return _series(tree, node, {})
        node = inner[-1] if inner else None
    return None


def whole_series(tree: Tree, holder: Node, named: Mapping[str, Node]) -> Series:
    """Return the series of a holder, some of whose elements state `named` members."""
    return _series(tree, holder, named)


def elements_of(holder: Node) -> list[Node]:
    """Return the nodes that are elements of a holder."""
    return _elements(holder)
