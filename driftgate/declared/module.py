"""What the readers of Rust, Go and Zig share: names of one file, looked up once, dispatched on the kind of node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from driftgate.declared.bounds import Weights
from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of, step
from driftgate.declared.syntax import broken, place_of
from driftgate.declared.unreadable import missing, no_part
from driftgate.declared.values import Opaque, Record, Value
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(slots=True, eq=False)
class Module:
    """One parsed file. A language adds `HANDLERS` (kind of node -> what it stands for) and fills `names`."""

    HANDLERS: ClassVar[Mapping[str, Callable[..., Value]]] = {}

    source: Source
    names: dict[str, Node] = field(default_factory=dict)
    known: dict[str, Value | None] = field(default_factory=dict)
    weights: Weights = field(default_factory=Weights)

    def place(self, node: Node) -> Place:
        """Return where `node` stands."""
        return place_of(node, self.source)

    def name(self, name: str, at: Place) -> Value:
        """Return what `name` stands for."""
        if name not in self.known:
            node = self.names.get(name)
            if node is None:
                return self.outside(name, at)
            self.known[name] = None
            value = self.value(node)
            value = self.weights.bounded(name, value)
            self.known[name] = replace(value, name=name) if isinstance(value, Record) and not value.name else value
        return self.known[name] or Opaque(f"{name}, which refers to itself", at)

    def outside(self, name: str, at: Place) -> Value:
        """Return what a name that the file does not define stands for."""
        return Opaque(f"the name {name}, which the file does not define", at)

    def value(self, node: Node | None) -> Value:
        """Return what `node` stands for."""
        if node is None:
            return Opaque("nothing", Place(self.source.shown))
        if broken(node):
            return Opaque("text that cannot be parsed", self.place(node))
        handler = self.HANDLERS.get(node.type)
        return handler(self, node) if handler else Opaque(f"a {node.type.replace('_', ' ')}", self.place(node))

    def read(self, path: list[str]) -> Value:
        """Return what the dotted name `path` stands for.

        Raises:
            DeclaredError: there is no such name.
        """
        first, *rest = path
        if first not in self.names:
            raise missing(first, self.source, self.names)
        value, outer = self.name(first, Place(self.source.shown, line=1, column=1)), first
        for part in rest:
            inner = self.step(outer, value, part)
            if inner is None:
                raise no_part(part, value, self.source, self.parts(outer, value), inside=outer)
            value, outer = inner, f"{outer}.{part}"
        return value

    def step(self, outer: str, value: Value, part: str) -> Value | None:  # noqa: ARG002 (languages look into `outer`)
        """Return the part of `value` (that `outer` names) under `part`."""
        return step(value, part)

    def parts(self, outer: str, value: Value) -> list[str]:  # noqa: ARG002
        """Return the names under which `value` has parts."""
        return keys_of(value)
