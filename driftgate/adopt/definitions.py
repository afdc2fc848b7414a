"""The constants, variants and enumeration members that the elements of a list refer to: a new element needs its own.

`[]Event{EventPreToolUse}` needs the constant, `HookEvent::PreToolUse => "PreToolUse"` the variant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.adopt.series import Element, Series
from driftgate.adopt.spelling import STRING
from driftgate.adopt.trees import Tree, elements_of, list_at, tree_of, whole_series
from driftgate.adopt.uses import name_of
from driftgate.adopt.workspace import Workspace
from driftgate.declared.languages import reader_for
from driftgate.surface import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME: Final = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*")

DEFINERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "python": frozenset({"block", "module"}),
        "typescript": frozenset({"enum_body", "object", "program"}),
        "go": frozenset({"const_declaration", "source_file"}),
        "rust": frozenset({"enum_variant_list", "source_file", "declaration_list"}),
        "zig": frozenset({"enum_declaration", "struct_declaration", "source_file", "union_declaration"}),
    }
)
"""The kinds of nodes whose elements define names."""


@dataclass(frozen=True, slots=True)
class Behind:
    """Where the names that the elements of a series refer to are defined: the file, and the series of definitions.

    `shared` are the names that stand in all elements, `defined` all that the definitions define.
    """

    path: Path
    series: Series
    shared: frozenset[str]
    defined: frozenset[str]

    def missing(self, text: str) -> str | None:
        """Return the name that an element `text` refers to and that is not defined yet."""
        return next(iter(sorted(_names(text) - self.shared - self.defined)), None)


def refers(series: Series) -> bool:
    """Return whether each element of a series has a name of its own outside of its texts, which something defines."""
    if series.language not in DEFINERS or series.form in DEFINERS[series.language] | {"interface_body", "run"}:
        return False
    own = [_names(series.text(element)) for element in series.named]
    shared = frozenset.intersection(*own) if len(own) > 1 else frozenset()
    return bool(own) and all(names - shared for names in own) and not _are_keys(series)


def behind(workspace: Workspace, path: Path, series: Series) -> Behind | None:
    """Return the definitions behind a series that `refers`: all in one place, in its file or in one beside it."""
    own = {element.name or "": _names(series.text(element)) for element in series.named}
    shared = frozenset.intersection(*own.values()) if len(own) > 1 else frozenset()
    for where, tree in _trees(workspace, path, series.language):
        for holder in _definers(tree):
            defined = {name: node for node in elements_of(holder) for name in _defined(node)}
            found = {name: defined[hit] for name, names in own.items() for hit in (names - shared) & defined.keys()}
            if len(found) >= max(1, round(0.8 * len(own))):
                return Behind(where, whole_series(tree, holder, found), shared, frozenset(defined))
    return None


def referring(tree: Tree, at: Span, definitions: Series) -> Series | None:
    """Return the list at `at` whose elements refer to `definitions` one by one, each as what that defines.

    A reader that follows names says where each is defined; the list that makes them a set stands elsewhere.
    """
    found = list_at(tree, at.start, at.end)
    if found is None or definitions.form not in DEFINERS.get(definitions.language, ()) or _is_same(found, definitions):
        return None
    names = {name_of(definitions, element): element.name for element in definitions.named}
    elements = tuple(replace(one, name=names.get(_last_name(found, one))) for one in found.elements)
    referred = [one for one in elements if one.name is not None]
    return replace(found, elements=elements) if referred and len(referred) == len(definitions.named) else None


def _is_same(one: Series, other: Series) -> bool:
    return one.data == other.data and (one.start, one.end) == (other.start, other.end)


def _last_name(series: Series, element: Element) -> str | None:
    words = _NAME.findall(series.data[element.start : element.end].decode())
    return words[-1] if words else None


def _are_keys(series: Series) -> bool:
    """Whether the names outside of texts are the keys of an object, which defines them itself."""
    if series.form in ("object_type", "interface_body"):
        return True
    if series.form not in ("object", "dictionary", "literal_value", "initializer_list", "argument_list"):
        return False
    texts = [series.text(element) for element in series.named]
    if series.language == "go":
        return False
    return all(re.match(r"\.?[\w$]+\s*[:=]", text) is not None for text in texts)


def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(STRING.sub('""', text)))


def _trees(workspace: Workspace, path: Path, language: str) -> Iterator[tuple[Path, Tree]]:
    for where in (path, *workspace.beside(path)):
        tree = tree_of(workspace.draft(where).data, reader_for(where.name), where.suffix)
        if tree is not None and tree.language == language:
            yield where, tree


def _definers(tree: Tree) -> Iterator[Node]:
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        if node.type in DEFINERS[tree.language]:
            yield node
        waiting += reversed(node.named_children)


def _defined(node: Node) -> Iterator[str]:
    """Yield the names that an element defines."""
    match node.type:
        case "expression_statement":
            inner = node.named_children[0] if node.named_children else None
            left = inner.child_by_field_name("left") if inner is not None and inner.type == "assignment" else None
            yield from [(left.text or b"").decode()] if left is not None else []
        case (
            "enum_assignment"
            | "enum_variant"
            | "container_field"
            | "const_item"
            | "static_item"
            | "const_spec"
            | "variable_declarator"
        ):
            name = node.child_by_field_name("name")
            yield from [(name.text or b"").decode()] if name is not None else []
        case "property_identifier":
            yield (node.text or b"").decode()
        case "pair":
            key = node.child_by_field_name("key")
            yield from [(key.text or b"").decode()] if key is not None else []
        case "const_declaration" if len(node.named_children) > 1 or "(" in {child.type for child in node.children}:
            return  # a group: its own elements define names
        case "const_declaration" | "export_statement" | "lexical_declaration" | "variable_declaration":
            for inner in node.named_children:
                if inner.type in ("const_spec", "lexical_declaration", "variable_declarator"):
                    yield from _defined(inner)
                elif inner.type == "identifier":
                    yield (inner.text or b"").decode()
                    return
        case _:
            return
