"""The reader of Rust: constant arrays, enumerations with serde's names, structs, maps.

serde: https://serde.rs/attributes.html (`rename`, `rename_all`, `alias`, `skip`, `other`, `tag`, `default`,
`flatten`); strum's `serialize` and `serialize_all` likewise. An alias is a further name that is accepted, so it is a
member too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared.algebra import iterate, merge_records, to_shape
from driftgate.declared.kind_words import array_of, record_of
from driftgate.declared.module import Module
from driftgate.declared.naming import restyle, restyle_snake
from driftgate.declared.opened import Opened
from driftgate.declared.source import Source
from driftgate.declared.syntax import Grammar, children, first, parse, text_of, within
from driftgate.declared.values import (
    NO_CONSTRAINTS,
    Entries,
    Enumeration,
    Foreign,
    Items,
    Opaque,
    Record,
    Shape,
    Stated,
    Text,
    Value,
)
from driftgate.surface import Place

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR: Final = Grammar("tree_sitter_rust")
_NAMED: Final = frozenset({"const_item", "static_item", "enum_item", "struct_item", "type_item"})
_SCALARS: Final = re.compile(r"(?:[iuf](?:\d+|size)|(?:std::num::)?NonZero\w*)\Z")
_TEXTS: Final = frozenset({"String", "str", "&str", "&'static str", "Cow<'static, str>", "PathBuf", "Url"})
_LISTS: Final = frozenset({"Vec", "HashSet", "BTreeSet", "IndexSet", "VecDeque", "SmallVec"})
_MAPS: Final = frozenset({"HashMap", "BTreeMap", "IndexMap", "Map"})
_WRAPPERS: Final = frozenset({"Box", "Arc", "Rc", "Cow"})
_KEEPING: Final = frozenset(
    {"into_iter", "iter", "collect", "to_vec", "into", "cloned", "copied", "as_slice", "concat"}
)
_MAKING: Final = frozenset({"from", "new", "from_iter", "from_array"})
_CELLS: Final = frozenset(
    {"Mutex", "RwLock", "RefCell", "Cell", "OnceCell", "OnceLock", "DashMap", "DashSet", "UnsafeCell"}
)
_MACROS: Final = frozenset({"vec", "phf_set", "hashset", "btreeset", "phf_map", "hashmap", "btreemap", "concat"})
_WORDING: Final = frozenset({"as_str", "as_wire", "wire_name", "to_str", "as_ref", "name", "event_name"})
_SKIPPED: Final = frozenset({"skip", "skip_deserializing", "other", "untagged", "disabled"})


def read(source: Source, name: str) -> Value:
    """Return the value of `name`; `::` and `.` both separate the parts of a path.

    Raises:
        DeclaredError: the file has no such name.
    """
    return FILES.of(source).read(name.replace("::", ".").split("."))


def stated(source: Source) -> Iterator[Stated]:
    """Yield the constants, enumerations and structs of a file and of the modules in it."""
    module = FILES.of(source)
    for name, node in module.names.items():
        if node.type in _NAMED:
            yield Stated(name, module.name(name, module.place(node)), module.place(node))


def _module(source: Source) -> RustModule:
    names: dict[str, Node] = {}
    faults: dict[str, tuple[str, Node]] = {}
    for name, node in _items(parse(source, GRAMMAR)):
        if (under := condition(node)) is False:
            continue
        known = names.setdefault(name, node)
        if known is node:
            if under is None and node.type in _NAMED:
                faults[name] = f"{name}, which is defined under #[cfg]", node
            continue
        if known.type not in _NAMED or node.type not in _NAMED:
            continue
        if _depth(node) < _depth(known):
            names[name] = node
            faults.pop(name, None)
        elif _depth(node) == _depth(known):
            faults.pop(name, None)  # the other case of a condition
            if text_of(node) != text_of(known):
                faults[name] = f"two definitions of {name} that differ", node
    faults |= {n: (f"{n}, which is static mut", i) for n, i in names.items() if first(i, "mutable_specifier")}
    return RustModule(source, names, faults)


FILES: Final = Opened(_module)
"""The parsed files."""


def _depth(node: Node) -> int:
    return 0 if node.parent is None else 1 + _depth(node.parent)


def _items(body: Node | None, prefix: str = "") -> Iterator[tuple[str, Node]]:
    """Yield the items of a file: those of modules under their own name, those of an `impl` as `Type::NAME`."""
    for item in children(body):
        name = text_of(item.child_by_field_name("name"))
        if item.type in _NAMED or item.type == "function_item":
            yield prefix + name, item
        elif item.type == "mod_item" and name != "tests":
            yield name, item
            yield from _items(item.child_by_field_name("body"))
        elif item.type == "impl_item":
            yield from _items(item.child_by_field_name("body"), text_of(item.child_by_field_name("type")) + "::")
        elif item.type == "use_declaration":
            for used in _used(item.child_by_field_name("argument")):
                yield used, item


def _used(node: Node | None) -> Iterator[str]:
    if node is None:
        return
    if node.type in ("identifier", "scoped_identifier"):
        yield text_of(node).rpartition("::")[2]
    elif node.type == "use_as_clause":
        yield text_of(node.child_by_field_name("alias"))
    else:
        for child in children(node, "use_list", "scoped_use_list", "identifier", "scoped_identifier", "use_as_clause"):
            if child != node.child_by_field_name("path"):
                yield from _used(child)


def condition(item: Node) -> bool | None:
    """Return whether an item is compiled into a library; None where `#[cfg(...)]` asks for features or targets.

    Elements, variants and fields under such a condition are among what the source states; a whole definition is not.
    """
    found: list[bool | None] = [True]
    before = item.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        attribute = first(before, "attribute") if before.type == "attribute_item" else None
        if attribute and text_of(first(attribute)) == "cfg":
            found.append(_known(text_of(attribute.child_by_field_name("arguments"))[1:-1].replace(" ", "")))
        before = before.prev_named_sibling
    return False if False in found else None if None in found else True


def _known(predicate: str) -> bool | None:
    if predicate in ("test", "any()"):
        return False
    if predicate in ("all()", "not(test)", "not(any())"):
        return True
    return False if predicate.startswith("all(") and "test" in predicate[4:-1].split(",") else None


def attributes(item: Node) -> dict[str, list[Node]]:
    """Return the arguments of the `serde` and `strum` attributes before an item: name -> the value nodes."""
    found: dict[str, list[Node]] = {}
    before = item.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        attribute = first(before, "attribute") if before.type == "attribute_item" else None
        if attribute:
            _attribute(text_of(first(attribute)), attribute.child_by_field_name("arguments"), found)
        before = before.prev_named_sibling
    return found


def _attribute(name: str, tree: Node | None, found: dict[str, list[Node]]) -> None:
    """Note the arguments of one attribute, also of those that `cfg_attr(condition, ...)` gives."""
    if name in ("serde", "strum"):
        _arguments(tree, found)
    elif name == "cfg_attr" and tree is not None:
        for before, inner in pairwise(tree.named_children):
            if inner.type == "token_tree":
                _attribute(text_of(before), inner, found)


def _arguments(tree: Node | None, found: dict[str, list[Node]]) -> None:
    name = ""
    for token in tree.children if tree else ():
        if token.type in ("identifier", "default"):  # `default` is a keyword of Rust
            name = text_of(token)
            found.setdefault(name, [])
        elif token.type == "token_tree":
            _arguments(token, found)
        elif token.is_named:
            found.setdefault(name, []).append(token)


def _string(node: Node) -> str:
    return "".join(text_of(part) for part in children(node)) if node.named_children else text_of(node).strip('"')


class RustModule(Module):
    """One Rust file. `faults` are why a name has no one value: it stands under `cfg`, or twice, or is `static mut`."""

    __slots__ = ("faults",)

    def __init__(self, source: Source, names: dict[str, Node], faults: dict[str, tuple[str, Node]]) -> None:
        super().__init__(source, names)
        self.faults = faults

    def name(self, name: str, at: Place) -> Value:
        """Return what `name` stands for, if that is one thing."""
        if name in self.faults:
            what, node = self.faults[name]
            return Opaque(what, self.place(node))
        return super().name(name, at)

    def step(self, outer: str, value: Value, part: str) -> Value | None:
        """Return a part of `value`, or what an `impl` of the type `outer`, or the module `outer`, defines."""
        for name in (f"{outer.rpartition('.')[2]}::{part}", part):
            if name in self.names and (name != part or self._is_module(outer)):
                return self.name(name, Place(self.source.shown))
        return super().step(outer, value, part)

    def parts(self, outer: str, value: Value) -> list[str]:
        """Return the names of parts, and of what the `impl` defines."""
        return [*super().parts(outer, value), *(n.partition("::")[2] for n in self.names if n.startswith(outer + "::"))]

    def _is_module(self, name: str) -> bool:
        node = self.names.get(name.rpartition(".")[2])
        return node is not None and node.type == "mod_item"

    def text(self, node: Node) -> Value:
        """Return a string's value."""
        return Text(_string(node), self.place(node))

    def constant(self, node: Node) -> Value:
        """Return what a constant holds."""
        return self.value(node.child_by_field_name("value"))

    def alias(self, node: Node) -> Value:
        """Return what a type alias stands for."""
        return self.value(node.child_by_field_name("type"))

    def array(self, node: Node) -> Value:
        """Return a list; a list of pairs is a map."""
        listed = [child for child in children(node) if child.type != "attribute_item"]
        items = tuple(self.value(child) for child in listed if condition(child) is not False)
        pairs = [item.items for item in items if isinstance(item, Items) and len(item.items) > 1]
        keyed = tuple((pair[0], pair[1]) for pair in pairs if isinstance(pair[0], Text))
        if keyed and len(keyed) == len(items):
            return Entries(keyed, self.place(node))
        return Items(items, self.place(node))

    def pair(self, node: Node) -> Value:
        """Return a tuple."""
        return Items(tuple(self.value(child) for child in children(node)), self.place(node))

    def inner(self, node: Node) -> Value:
        """Return what a wrapper holds: a reference, a block, brackets."""
        return self.value(node.child_by_field_name("value") or first(node))

    def identifier(self, node: Node) -> Value:
        """Return what a name stands for."""
        return self.name(text_of(node), self.place(node))

    def used(self, node: Node) -> Value:
        """Return a name of another module."""
        path = text_of(node.child_by_field_name("argument"))
        return Foreign(path.rpartition("::")[2], path.rpartition("::")[0] or path, self.place(node))

    def path(self, node: Node) -> Value:
        """Return the variant of an enumeration, a constant of a type, or a name of another module."""
        outer, name = text_of(node.child_by_field_name("path")), text_of(node.child_by_field_name("name"))
        if outer == "Self":
            outer = self._self(node)
        if f"{outer}::{name}" in self.names:
            return self.name(f"{outer}::{name}", self.place(node))
        tail = outer.rpartition("::")[2]
        if tail not in self.names:
            return Foreign(name, outer, self.place(node))
        container = self.name(tail, self.place(node))
        found = self.step(tail, container, name)
        if isinstance(container, Enumeration) and isinstance(found, Items):  # a variant with aliases
            found = found.items[0]
        if isinstance(found, Text):
            return Text(found.value, self.place(node))
        return found or Opaque(f"the path {outer}::{name}", self.place(node))

    def _self(self, node: Node) -> str:
        outer = node.parent
        while outer is not None and outer.type != "impl_item":
            outer = outer.parent
        return text_of(outer.child_by_field_name("type")) if outer else "Self"

    def call(self, node: Node) -> Value:
        """Return what making, collecting or lazily making a collection gives."""
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        place = self.place(node)
        if function is None:
            return Opaque("a call", place)
        field = function.child_by_field_name("field")
        method = text_of(field or function.child_by_field_name("name") or function)
        if field is not None and method in _KEEPING:
            return self.value(function.child_by_field_name("value"))
        given = first(arguments)
        if any(part in _CELLS for part in re.split(r"\W+", text_of(function))):
            return Opaque(f"a call of {text_of(function)[:40]}(), whose value can be changed", place)
        if given is not None and method in _MAKING:
            value = self.value(given)
            return value if isinstance(value, Entries | Foreign | Opaque | Text) else Items(iterate(value), place)
        return Opaque(f"a call of {text_of(function)[:40]}()", place)

    def closure(self, node: Node) -> Value:
        """Return what a closure without parameters gives."""
        return self.value(node.child_by_field_name("body"))

    def macro(self, node: Node) -> Value:
        """Return the literals of `vec![...]`, `phf_set! { ... }`, or the keys of `phf_map! { key => value }`."""
        name = text_of(node.child_by_field_name("macro")).rpartition("::")[2]
        tree = first(node, "token_tree")
        if name not in _MACROS or tree is None:
            return Opaque(f"a call of {name}!", self.place(node))
        tokens = [token for token in tree.children if token.type not in ("[", "]", "{", "}", "(", ")", "line_comment")]
        if name == "concat" and all(token.type in ("string_literal", ",") for token in tokens):
            return Text("".join(_string(token) for token in tokens if token.type != ","), self.place(node))
        items: list[Value] = []
        expecting = True
        for token in tokens:
            if token.type in (",", "=>"):
                expecting = token.type == ","
            elif expecting:
                items.append(self.value(token))
                expecting = False
        return Items(tuple(items), self.place(node))

    def enumeration(self, node: Node) -> Value:
        """Return the names that the variants have on the wire; of a tagged one, each variant's fields."""
        own = attributes(node)
        variants = list(children(node.child_by_field_name("body"), "enum_variant"))
        kept = [(v, attributes(v)) for v in variants if condition(v) is not False]
        kept = [(v, a) for v, a in kept if not _SKIPPED & a.keys()]
        if "tag" in own and any(v.child_by_field_name("body") for v, _ in kept):
            strict = "deny_unknown_fields" in own
            tagged = (self._tagged(v, a, own) for v, a in kept)
            return Items(tuple(replace(r, strict=r.strict or strict) for r in tagged), self.place(node))
        as_text = self._as_text(text_of(node.child_by_field_name("name"))) if not _styled(own, kept) else {}
        entries = []
        for variant, given in kept:
            ident = text_of(variant.child_by_field_name("name"))
            names = self._names(variant, given, own)
            written: Value = as_text.get(ident) or (names[0] if len(names) == 1 else Items(names, names[0].place))
            entries.append((Text(ident, self.place(variant)), written))
        return Enumeration(tuple(entries), self.place(node))

    def _names(self, item: Node, given: dict[str, list[Node]], own: dict[str, list[Node]]) -> tuple[Text, ...]:
        """The names of a variant: its own one first, then its aliases. Of strum's several the last is written."""
        renamed = given.get("deserialize") or given.get("rename") or given.get("serialize", [])[::-1]
        found = [Text(_string(node), self.place(node)) for node in renamed[:1]]
        if not found:
            style = [_string(node) for node in _styles(own) or own.get("serialize_all", [])]
            ident = text_of(item.child_by_field_name("name"))
            found = [Text(restyle(ident, style[-1]) if style else ident, self.place(item))]
        return (*found, *(Text(_string(node), self.place(node)) for node in given.get("alias", [])))

    def _as_text(self, enum: str) -> dict[str, Text]:
        """What a function of an enumeration without serde's names matches each variant with, e.g. `as_str`."""
        own = [(name, node) for name, node in self.names.items() if name.startswith(f"{enum}::")]
        for _, node in sorted(own, key=lambda pair: pair[0].rpartition("::")[2] not in _WORDING):
            if node.type == "function_item" and (arms := self._arms(node)):
                return arms
        return {}

    def _arms(self, function: Node) -> dict[str, Text]:
        """The text for each variant that a function matches; none where one arm stands for all others."""
        arms: dict[str, Text] = {}
        for arm in children(first(within(function, "match_expression"), "match_block"), "match_arm"):
            value = self.value(arm.child_by_field_name("value"))
            pattern = text_of(arm.child_by_field_name("pattern")).split("(")[0].split("{")[0].strip()
            if pattern == "_":
                return {}
            if isinstance(value, Text):
                arms[pattern.rpartition("::")[2]] = value
        return arms

    def _tagged(self, variant: Node, given: dict[str, list[Node]], own: dict[str, list[Node]]) -> Record:
        """A variant of an enumeration with a tag: the tag's literal, then the fields."""
        (name, *_), tag = self._names(variant, given, own), _string(own["tag"][0])
        body = variant.child_by_field_name("body")
        inner: Value | None = None
        if body and body.type == "ordered_field_declaration_list":
            inner = self.value(first(body))
        elif body:
            styles = _styles(given) or own.get("rename_all_fields", [])
            inner = self._record(text_of(variant.child_by_field_name("name")), body, styles)
        label = (Text(tag, name.place), Shape("enum", name.place, members=(name,)))
        fields = inner.fields if isinstance(inner, Record) else ()
        strict = isinstance(inner, Record) and inner.strict
        return Record(name.value, (label, *fields), self.place(variant), strict)

    def struct(self, node: Node) -> Value:
        """Return the fields of a struct."""
        name = text_of(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        if body is None or body.type != "field_declaration_list":
            return Opaque(f"the struct {name}, which has no named fields", self.place(node))
        given = attributes(node)
        record = self._record(name, body, _styles(given))
        return replace(record, strict="deny_unknown_fields" in given)

    def _record(self, name: str, body: Node, styles: list[Node]) -> Record:
        parts = []
        for declaration in children(body, "field_declaration"):
            given = attributes(declaration)
            of = declaration.child_by_field_name("type")
            if of is None or "skip" in given:
                continue
            if "flatten" in given:
                inner = self.value(of)
                parts += [inner] if isinstance(inner, Record) else []
                continue
            shape = self.kind(of)
            optional = "default" in given or text_of(of).startswith(("Option<", "std::option::Option<"))
            key = self._field_name(declaration, given, styles)
            field = replace(shape, required=not optional, constraints=(), inner=None, unstated=NO_CONSTRAINTS)
            parts.append(Record("", ((key, field),), key.place))
        return merge_records(name, parts, self.place(body))

    def _field_name(self, declaration: Node, given: dict[str, list[Node]], styles: list[Node]) -> Text:
        node = declaration.child_by_field_name("name") or declaration
        if renamed := given.get("deserialize") or given.get("rename"):
            return Text(_string(renamed[0]), self.place(renamed[0]))
        ident = text_of(node).removeprefix("r#")
        return Text(restyle_snake(ident, _string(styles[-1])) if styles else ident, self.place(node))

    def kind(self, node: Node) -> Shape:
        """Return the type of a field."""
        text, place = text_of(node), self.place(node)
        arguments = list(children(first(node, "type_arguments"))) if node.type == "generic_type" else []
        outer = text_of(node.child_by_field_name("type")).rpartition("::")[2] if arguments else ""
        if text in _TEXTS:
            return Shape("string", place)
        if text == "bool":
            return Shape("boolean", place)
        if _SCALARS.match(text) or text.endswith("Duration"):
            return Shape("number", place)
        if text.endswith("Value"):
            return Shape("unknown", place)
        if outer == "Option" or outer in _WRAPPERS:
            return self.kind(arguments[-1])
        if outer in _LISTS:
            return Shape(array_of(self.kind(arguments[0]).kind), place)
        if outer in _MAPS:
            return Shape(record_of([self.kind(argument).kind for argument in arguments]), place)
        found = self.name(text, place) if text in self.names else None
        return to_shape(found) if isinstance(found, Enumeration) else Shape(" ".join(text.split()), place)

    def matched(self, node: Node) -> Value:
        """Return the texts that a function matches its argument with (in `match`, `matches!`), or each variant with."""
        body = node.child_by_field_name("body")
        block = first(within(body, "match_expression"), "match_block")
        patterns = [arm.child_by_field_name("pattern") for arm in children(block, "match_arm")]
        if not patterns and (macro := within(body, "macro_invocation")):
            patterns = [first(macro, "token_tree")] if text_of(macro).startswith("matches!") else []
        found: list[Value] = [self.value(text) for pattern in patterns for text in _literals(pattern)]
        found = found or list(self._arms(node).values())
        return Items(tuple(found), self.place(node)) if found else Opaque("a function", self.place(node))

    HANDLERS = MappingProxyType(
        {
            "string_literal": text,
            "raw_string_literal": text,
            "const_item": constant,
            "static_item": constant,
            "type_item": alias,
            "array_expression": array,
            "tuple_expression": pair,
            "reference_expression": inner,
            "parenthesized_expression": inner,
            "block": inner,
            "identifier": identifier,
            "type_identifier": identifier,
            "scoped_identifier": path,
            "use_declaration": used,
            "call_expression": call,
            "closure_expression": closure,
            "macro_invocation": macro,
            "enum_item": enumeration,
            "function_item": matched,
            "struct_item": struct,
        }
    )


def _literals(pattern: Node | None) -> Iterator[Node]:
    """Yield the literal texts of a pattern, not those of the condition after `if`."""
    for part in children(pattern):
        if part.type == "or_pattern":
            yield from _literals(part)
        elif part.type in ("string_literal", "raw_string_literal"):
            yield part


def _styles(given: dict[str, list[Node]]) -> list[Node]:
    """The style of `rename_all`, of `rename_all(deserialize = ...)` that of reading."""
    styles = given.get("rename_all", [])
    return styles or (given.get("deserialize") or given.get("serialize", []) if "rename_all" in given else [])


def _styled(own: dict[str, list[Node]], variants: list[tuple[Node, dict[str, list[Node]]]]) -> bool:
    """Whether serde or strum say anything about the names of an enumeration."""
    return bool(own) or any(given for _, given in variants)
