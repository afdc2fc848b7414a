"""What a TypeScript or JavaScript module, function, class or namespace binds to its names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from driftgate.declared.source import Source
from driftgate.declared.syntax import children, first, text_of
from driftgate.declared.typescript.module_index import ModuleIndex
from driftgate.declared.values import Value

if TYPE_CHECKING:
    from tree_sitter import Node

DECLARATIONS: Final = frozenset(
    {
        "type_alias_declaration",
        "interface_declaration",
        "enum_declaration",
        "function_declaration",
        "function_signature",
        "generator_function_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "internal_module",
        "module",
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """One thing that a name is bound to.

    `node` is an expression, a declaration, or (with `ambient`) the type of a constant without a value; `path` are the
    keys that destructuring takes out of it; `imported` the module, and the name in it (None: the module itself);
    `value` what an argument already is. `guarded`: the type that it is declared with lets nobody change it.
    """

    node: Node | None = None
    path: tuple[str, ...] = ()
    imported: tuple[str, str | None] | None = None
    value: Value | None = None
    ambient: bool = False
    guarded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The names of a block. `everything_from` are the modules of `export * from`; `block` is its node."""

    source: Source
    names: dict[str, list[Bound]]
    parent: Scope | None = None
    everything_from: tuple[str, ...] = ()
    block: Node | None = None
    inner: dict[int, Scope] = field(default_factory=dict)
    indexed: list[ModuleIndex] = field(default_factory=list)

    def find(self, name: str) -> tuple[Scope, list[Bound]] | None:
        """Return the scope that binds `name`, and to what."""
        if name in self.names:
            return self, self.names[name]
        return self.parent.find(name) if self.parent else None

    def index(self) -> ModuleIndex | None:
        """Return every use of every name in the file; made once."""
        if self.parent is not None:
            return self.parent.index()
        if not self.indexed and self.block is not None:
            self.indexed.append(ModuleIndex(self.block))
        return self.indexed[0] if self.indexed else None

    def within(self, block: Node) -> Scope:
        """Return the scope of a block inside this one."""
        if block.id not in self.inner:
            self.inner[block.id] = block_scope(self.source, block, self)
        return self.inner[block.id]


def block_scope(source: Source, block: Node, parent: Scope | None = None) -> Scope:
    """Return the scope of a program, a statement block or a namespace body."""
    names: dict[str, list[Bound]] = {}
    stars = []
    for statement in children(block):
        for name, bound in _bound(statement):
            names.setdefault(name, []).append(bound)
        if statement.type == "export_statement" and any(child.type == "*" for child in statement.children):
            stars.append(_module(statement))
    return Scope(source, names, parent, tuple(stars), block)


def _bound(statement: Node) -> Iterator[tuple[str, Bound]]:
    match statement.type:
        case "export_statement":
            yield from _exported(statement)
        case "ambient_declaration":
            for child in children(statement):
                yield from _bound(child)
        case "lexical_declaration" | "variable_declaration":
            for declarator in children(statement, "variable_declarator"):
                yield from _variable(declarator)
        case "import_statement":
            yield from _imported(statement)
        case "expression_statement":
            yield from _assigned(first(statement))
        case kind if kind in DECLARATIONS:
            yield text_of(statement.child_by_field_name("name")), Bound(statement)
        case _:
            return


def _variable(declarator: Node) -> Iterator[tuple[str, Bound]]:
    target, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if target is None:
        return
    required = _required_module(value)
    if value is None:
        annotation = first(declarator.child_by_field_name("type"))
        yield text_of(target), Bound(annotation, ambient=True)
    elif target.type == "identifier":
        guarded = "readonly" in text_of(declarator.child_by_field_name("type")).lower()
        yield text_of(target), Bound(imported=(required, None)) if required else Bound(value, guarded=guarded)
    elif target.type == "object_pattern":
        for key, local in object_pattern(target):
            yield local, Bound(imported=(required, key)) if required else Bound(value, (key,))


def _required_module(value: Node | None) -> str | None:
    if value is None or value.type != "call_expression" or text_of(value.child_by_field_name("function")) != "require":
        return None
    return _string(first(value.child_by_field_name("arguments"), "string"))


def object_pattern(pattern: Node) -> Iterator[tuple[str, str]]:
    """Yield what an object is taken apart into: (key, local name)."""
    for part in children(pattern):
        if part.type == "shorthand_property_identifier_pattern":
            yield text_of(part), text_of(part)
        elif part.type == "pair_pattern":
            yield text_of(part.child_by_field_name("key")), text_of(part.child_by_field_name("value"))


def _imported(statement: Node) -> Iterator[tuple[str, Bound]]:
    module = _module(statement)
    for part in children(first(statement, "import_clause")):
        if part.type == "identifier":
            yield text_of(part), Bound(statement, imported=(module, "default"))
        elif part.type == "namespace_import":
            yield text_of(first(part)), Bound(statement, imported=(module, None))
        else:
            for name, alias in _specifiers(part, "import_specifier"):
                yield alias, Bound(statement, imported=(module, name))


def _specifiers(clause: Node, kind: str) -> Iterator[tuple[str, str]]:
    for specifier in children(clause, kind):
        name = text_of(specifier.child_by_field_name("name"))
        yield name, text_of(specifier.child_by_field_name("alias")) or name


def _exported(statement: Node) -> Iterator[tuple[str, Bound]]:
    if declaration := statement.child_by_field_name("declaration"):
        yield from _bound(declaration)
    elif value := statement.child_by_field_name("value"):
        yield "default", Bound(value)
    module = _module(statement)
    for clause in children(statement, "export_clause"):
        for name, alias in _specifiers(clause, "export_specifier"):
            if module:
                yield alias, Bound(statement, imported=(module, name))
            elif alias != name:
                specifier = next(s for s in children(clause) if text_of(s.child_by_field_name("name")) == name)
                yield alias, Bound(specifier.child_by_field_name("name"))


def _assigned(expression: Node | None) -> Iterator[tuple[str, Bound]]:
    """`exports.X = ...`, `module.exports = ...`."""
    if expression is None:
        return
    if expression.type == "internal_module":
        yield text_of(expression.child_by_field_name("name")), Bound(expression)
    elif expression.type == "assignment_expression":
        left, right = expression.child_by_field_name("left"), expression.child_by_field_name("right")
        base, _, name = text_of(left).rpartition(".")
        if text_of(left) == "module.exports":
            yield "module.exports", Bound(right)
        elif base in ("exports", "module.exports"):
            yield name, Bound(right)


def _module(statement: Node) -> str:
    return _string(statement.child_by_field_name("source")) or ""


def _string(node: Node | None) -> str | None:
    return text_of(node)[1:-1] if node and node.type == "string" else None
