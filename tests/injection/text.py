"""Text with places: members of an artefact, spans in them, and edits, parsed around the places that matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import tree_sitter
import tree_sitter_javascript

_REACH: Final = 48 * 1024
"""How much text on either side of a place is parsed, in bytes."""


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes `start` to `end` of a member become `text`. Edits of one mutant must not overlap."""

    member: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, eq=False)
class Source:
    """One member of an artefact."""

    member: str
    text: bytes = field(repr=False)
    _windows: list[tuple[int, int, tree_sitter.Node]] = field(default_factory=list, repr=False)

    def root_at(self, offset: int) -> tuple[int, tree_sitter.Node]:
        """Return where the parsed window around `offset` begins, and its root."""
        for start, end, root in self._windows:
            if start + _REACH // 2 <= offset < end - _REACH // 2 or (start == 0 and end == len(self.text)):
                return start, root
        start, end = max(0, offset - _REACH), min(len(self.text), offset + _REACH)
        if start:
            start = self.text.rfind(b";var ", max(0, start - _REACH), start) + 1 or start
        root = _parser().parse(self.text[start:end]).root_node
        self._windows.append((start, end, root))
        return start, root

    def node(self, start: int, end: int) -> Node:
        """Return the smallest node that spans these bytes."""
        base, root = self.root_at(start)
        found = root.descendant_for_byte_range(start - base, end - base)
        assert found is not None
        return Node(self, base, found)


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` to `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text that stands there."""
        return self.source.text[self.start : self.end].decode()

    def to(self, text: str) -> Edit:
        """Return the edit that puts `text` in its place."""
        return Edit(self.source.member, self.start, self.end, text)

    def after(self, text: str) -> Edit:
        """Return the edit that puts `text` behind it."""
        return Edit(self.source.member, self.end, self.end, text)

    def before(self, text: str) -> Edit:
        """Return the edit that puts `text` before it."""
        return Edit(self.source.member, self.start, self.start, text)


@dataclass(frozen=True, slots=True)
class Node:
    """A syntax node of a source."""

    source: Source
    base: int
    raw: tree_sitter.Node

    @property
    def type(self) -> str:
        """The grammar's word for it."""
        return self.raw.type

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.source, self.base + self.raw.start_byte, self.base + self.raw.end_byte)

    @property
    def text(self) -> str:
        """The text of it."""
        return self.span.text

    @property
    def parent(self) -> Node | None:
        """The node around it."""
        return self._of(self.raw.parent)

    def field(self, name: str) -> Node | None:
        """Return the child in a role of the grammar."""
        return self._of(self.raw.child_by_field_name(name))

    def role(self, name: str) -> Node:
        """Return the child in a role of the grammar, which must be there."""
        found = self.field(name)
        assert found is not None, f"{self.type} without {name}: {self.text[:80]}"
        return found

    @property
    def children(self) -> list[Node]:
        """Its named children, without comments."""
        return [Node(self.source, self.base, each) for each in self.raw.named_children if each.type != "comment"]

    @property
    def leaves(self) -> Iterator[Node]:
        """Every token in it; a string, a template and a regular expression count as one."""
        if not self.raw.children or self.type in ("string", "template_string", "regex"):
            yield self
            return
        for each in self.raw.children:
            yield from Node(self.source, self.base, each).leaves

    def walk(self) -> Iterator[Node]:
        """Yield it and all named nodes in it."""
        yield self
        for each in self.children:
            yield from each.walk()

    def up(self, *types: str) -> Node | None:
        """Return the innermost node of one of these types around it."""
        found = self.parent
        while found is not None and found.type not in types:
            found = found.parent
        return found

    def _of(self, raw: tree_sitter.Node | None) -> Node | None:
        return None if raw is None else Node(self.source, self.base, raw)


def applied(members: Mapping[str, bytes], edits: Iterable[Edit]) -> dict[str, bytes]:
    """Return the members after the edits. Insertions at one place stand in the order in which they were given."""
    changed = dict(members)
    by_member: dict[str, list[Edit]] = {}
    for edit in edits:
        by_member.setdefault(edit.member, []).append(edit)
    for member, listed in by_member.items():
        text = members[member]
        parts: list[bytes] = []
        at = 0
        for edit in sorted(listed, key=lambda each: (each.start, each.end)):
            assert edit.start >= at, f"edits overlap in {member} at byte {edit.start}"
            parts += [text[at : edit.start], edit.text.encode()]
            at = edit.end
        changed[member] = b"".join((*parts, text[at:]))
    return changed
