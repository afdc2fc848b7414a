"""Where the parts of the hooks schema stand in a bundle that has one of the known structures.

Found by parsing, apart from the reader that is tried: the record over events, the matcher, the union, the object
schema of each entry type, and the guard set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.injection.text import Node, Source, Span

_RECORD: Final = re.compile(
    rb"(?<![\w$.])(?P<record>[\w$.]+)\(\s*(?P<enum>[\w$.]+)\(\s*(?P<events>[\w$]+)\s*\)\s*,"
    rb"\s*(?P<array>[\w$.]+)\(\s*(?P<matcher>[\w$]+)(?:\(\))?\s*\)\s*[,)]"
)
_COMMAND: Final = re.compile(rb"""\btype\s*:\s*[\w$.]+\(\s*["']command["']\s*\)""")
_NEAR: Final = 40 * 1024
_BOUND: Final = ("variable_declarator", "assignment_expression")


@dataclass(frozen=True, slots=True)
class ListSite:
    """A list of strings: the array, its elements, and the name that it is bound to (None: it stands in its place)."""

    array: Node
    name: str | None

    @property
    def members(self) -> tuple[str, ...]:
        """What stands in it."""
        return tuple(each.text[1:-1] for each in self.array.children)

    @property
    def elements(self) -> list[Span]:
        """Each member with its quotes."""
        return [each.span for each in self.array.children]


@dataclass(frozen=True, slots=True)
class ObjectSite:
    """An object schema: the call that makes it, its literal, and its members by key."""

    call: Node
    literal: Node

    @property
    def callee(self) -> str:
        """What makes it, as written."""
        callee = self.call.field("function")
        assert callee is not None
        return callee.text

    @property
    def pairs(self) -> Mapping[str, Node]:
        """Each member, by its key."""
        pairs = [each for each in self.literal.children if each.type == "pair"]
        return {_of(each, "key").text.strip("\"'"): each for each in pairs}

    def value(self, key: str) -> Node:
        """Return the value of a member."""
        return _of(self.pairs[key], "value")

    @property
    def bound(self) -> str | None:
        """The name that it is bound to, if it is."""
        parent = self.call.parent
        if parent is None or parent.type not in _BOUND:
            return None
        return _of(parent, "name" if parent.type == "variable_declarator" else "left").text


@dataclass(frozen=True, slots=True)
class GuardSite:
    """The guard set, its name, and each place where a function that uses the matcher's schema asks it."""

    made: Node
    members: ListSite
    name: str
    asks: tuple[Node, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Copy:
    """One copy of the hooks schema. `words` are the schema library's words (string, object) as this bundle has them."""

    source: Source
    record: Node
    events: ListSite
    matcher: ObjectSite
    matcher_name: str
    union: Node | None
    options: Node | None
    entries: Mapping[str, ObjectSite]
    shells: ListSite | None
    guards: GuardSite | None
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def maker(self) -> Node | None:
        """The function that makes the entry schemas, where one does."""
        return next(iter(self.entries.values())).call.up("function_declaration")


def find_copies(sources: Mapping[str, Source]) -> Iterator[Copy]:
    """Yield each copy of the hooks schema in the modules of an artefact (file name -> module)."""
    for source in sources.values():
        commands = [found.start() for found in _COMMAND.finditer(source.text)]
        for use in _RECORD.finditer(source.text) if commands else ():
            command = min(commands, key=lambda each: abs(each - use.start()))
            copy = _copy(sources, source, command, use) if abs(command - use.start()) < _NEAR else None
            if copy is not None:
                yield copy


def _copy(sources: Mapping[str, Source], source: Source, command: int, use: re.Match[bytes]) -> Copy | None:
    at = use.start()
    matcher_node = defined(source, use["matcher"].decode(), at)
    matcher = _object_in(matcher_node, "hooks") if matcher_node else None
    if matcher is None:
        return None
    record = source.node(at, at + len(use[0]) - 1)
    while record.type != "call_expression" or record.span.start != at:
        record = record.parent or record
    events = list_named(sources, source, use["events"].decode(), at)
    options_holder, union, options = _union(source, matcher, at)
    entries = dict(_entries(source, options_holder, union, options, command))
    if events is None or "command" not in entries:
        return None
    words = dict(_words(use, matcher, union, entries))
    shells = _shells(sources, source, entries)
    name = use["matcher"].decode()
    guards = _guards(source, name, events.members)
    return Copy(source, record, events, matcher, name, union, options, entries, shells, guards, words)


def bindings(source: Source, name: str, near: int) -> Iterator[Node]:
    """Yield the values that a name is bound to, the nearest to a place first."""
    pattern = re.compile(rb"(?<![\w$.])" + re.escape(name.encode()) + rb"\s*=(?![=>])")
    for found in sorted(pattern.finditer(source.text), key=lambda each: abs(each.start() - near)):
        bound = source.node(found.start(), found.end())
        value = (bound.field("value") or bound.field("right")) if bound.type in _BOUND else None
        if value is not None:
            yield value


def defined(source: Source, name: str, near: int) -> Node | None:
    """Return the value that a name is bound to, nearest to a place."""
    return next(bindings(source, name, near), None)


def list_named(sources: Mapping[str, Source], source: Source, name: str, near: int) -> ListSite | None:
    """Return the list of strings that a name of a module stands for, there or in the module that it comes from."""
    for value in bindings(source, name, near):
        if value.type == "array" and value.children and all(each.type == "string" for each in value.children):
            return ListSite(value, name)
    imported = re.compile(rb"import\s*\{([^}]*)\}\s*from\s*[\"']\./([^\"']+)[\"']")
    for found in imported.finditer(source.text):
        for part in found[1].decode().split(","):
            exported, _, local = part.strip().partition(" as ")
            if (local or exported) == name:
                other = next((each for file, each in sources.items() if file.endswith(found[2].decode())), None)
                if other is not None:
                    own = re.search(rb"([\w$]+) as " + re.escape(exported.encode()) + rb"[,}]", other.text)
                    return list_named(sources, other, own[1].decode() if own else exported, 0)
    return None


def _of(node: Node, role: str) -> Node:
    found = node.field(role)
    assert found is not None, f"{node.type} without {role}: {node.text[:80]}"
    return found


def _object_in(node: Node, key: str) -> ObjectSite | None:
    for each in node.walk():
        if each.type == "call_expression":
            arguments = _of(each, "arguments").children
            if len(arguments) == 1 and arguments[0].type == "object":
                site = ObjectSite(each, arguments[0])
                if key in site.pairs:
                    return site
    return None


def _first_name(node: Node) -> str:
    """Return the name that stands innermost in `array(NAME())...`."""
    call = chain_base(node)
    (argument, *_) = _of(call, "arguments").children
    inner = chain_base(argument)
    return inner.text if inner.type == "identifier" else _of(inner, "function").text


def chain_base(node: Node) -> Node:
    """Return the innermost call of a chain of methods: `string()` of `string().min(1).optional()`."""
    while node.type == "call_expression":
        function = _of(node, "function")
        if function.type != "member_expression":
            return node
        owner = _of(function, "object")
        if owner.type != "call_expression":
            return node
        node = owner
    return node


def _union(source: Source, matcher: ObjectSite, at: int) -> tuple[Node, Node | None, Node | None]:
    name = _first_name(matcher.value("hooks"))
    holder = defined(source, name, at)
    assert holder is not None, name
    for each in holder.walk():
        if each.type == "call_expression":
            arguments = _of(each, "arguments").children
            if arguments and arguments[0].text.strip("\"'") == "type" and len(arguments) > 1:
                options = next(
                    (n for n in arguments[1].walk() if n.type == "array" and not n.text.startswith("[...")), None
                )
                return holder, each, options
    return holder, None, None


def _entries(
    source: Source, holder: Node, union: Node | None, options: Node | None, command: int
) -> Iterator[tuple[str, ObjectSite]]:
    if union is None:
        site = _object_in(holder, "type")
        if site is not None:
            yield "command", site
        return
    found: dict[int, tuple[str, ObjectSite]] = {}
    start, end = command - 24 * 1024, command + 48 * 1024
    pattern = re.compile(rb"""[{,]\s*type\s*:\s*[\w$.]+\(\s*["']([\w-]+)["']\s*\)""")
    names = {each.text for each in options.children} if options else set()
    function = source.node(command, command + 4).up("function_declaration")
    for match in pattern.finditer(source.text, max(0, start), end):
        literal = source.node(match.start() + 1, match.end()).up("object") or source.node(match.start(), match.end())
        arguments = literal.parent
        if literal.type != "object" or arguments is None or arguments.type != "arguments" or arguments.parent is None:
            continue
        site = ObjectSite(arguments.parent, literal)
        inside = function is not None and function.span.start <= match.start() < function.span.end
        if inside or (function is None and site.bound in names):
            found[match.start()] = (match[1].decode(), site)
    yield from found.values()


def _words(
    use: re.Match[bytes], matcher: ObjectSite, union: Node | None, entries: Mapping[str, ObjectSite]
) -> Iterator[tuple[str, str]]:
    command = entries["command"]
    prefix = command.callee.rpartition(".")[0]
    if prefix:
        for word in [
            "string",
            "number",
            "boolean",
            "object",
            "array",
            "record",
            "enum",
            "literal",
            "union",
            "unknown",
            "any",
            "optional",
            "nullable",
            "preprocess",
            "null",
            "intersection",
            "lazy",
            "strictObject",
            "looseObject",
            "partialRecord",
            "never",
            "date",
            "bigint",
            "tuple",
        ]:
            yield word, f"{prefix}.{word}"
        yield "coerce.number", f"{prefix}.coerce.number"
        if union is not None:
            yield "discriminatedUnion", _of(union, "function").text
        return
    yield "object", command.callee
    yield "enum", use["enum"].decode()
    yield "array", use["array"].decode()
    yield "literal", _of(chain_base(command.value("type")), "function").text
    yield "string", _of(chain_base(command.value("command")), "function").text
    if union is not None:
        yield "discriminatedUnion", _of(union, "function").text
    for site in entries.values():
        for key, word in (("timeout", "number"), ("async", "boolean"), ("headers", "record"), ("input", "record")):
            if key in site.pairs:
                base = chain_base(site.value(key))
                yield word, _of(base, "function").text
                if key == "input":
                    yield "unknown", _of(_of(base, "arguments").children[1], "function").text


def _shells(sources: Mapping[str, Source], source: Source, entries: Mapping[str, ObjectSite]) -> ListSite | None:
    for site in entries.values():
        if "shell" in site.pairs:
            base = chain_base(site.value("shell"))
            (argument,) = _of(base, "arguments").children
            if argument.type == "array":
                return ListSite(argument, None)
            return list_named(sources, source, argument.text, argument.span.start)
    return None


def _guards(source: Source, matcher: str, events: tuple[str, ...]) -> GuardSite | None:
    pattern = re.compile(rb"(?<![\w$.])([\w$]+)\s*=\s*new Set\(\s*\[")
    for found in pattern.finditer(source.text):
        made = source.node(found.end() - 1, found.end()).up("new_expression")
        if made is None:
            continue
        (array, *_) = _of(made, "arguments").children
        site = ListSite(array, found[1].decode())
        if not site.members or not set(site.members) <= set(events):
            continue
        asks = tuple(_asks(source, site.name or "", matcher, made.span.end))
        if asks:
            return GuardSite(made, site, site.name or "", asks)
    return None


def _asks(source: Source, name: str, matcher: str, near: int) -> Iterator[Node]:
    pattern = re.compile(rb"(?<![\w$.])" + re.escape(name.encode()) + rb"\.has\([\w$]+\)")
    for found in pattern.finditer(source.text, max(0, near - 16 * 1024), near + 16 * 1024):
        call = source.node(*found.span())
        function = call.up("function_declaration", "arrow_function", "function_expression")
        while function is not None and not re.search(rf"(?<![\w$.]){re.escape(matcher)}(\(\)|\.)", function.text):
            function = function.up("function_declaration", "arrow_function", "function_expression")
        if function is not None:
            yield call
