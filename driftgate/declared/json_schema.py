"""The reader of JSON Schema (drafts 4 to 2020-12): closed sets and types with fields at a JSON pointer.

`#/properties/hooks/propertyNames` is read as a schema, `#/$defs/HookEvent/enum` as the list that it is, a plain name
(`#HookEvent`) as a definition. Local references are followed, and those to files beside the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from driftgate.declared.algebra import intersect, to_shape
from driftgate.declared.documents import at_pointer, descend, from_json, from_yaml, pointer_parts
from driftgate.declared.kind_words import array_of, record_of
from driftgate.declared.source import Source, load
from driftgate.declared.steps import keys_of
from driftgate.declared.unreadable import missing
from driftgate.declared.values import Entries, Foreign, Items, Keyed, Opaque, Record, Shape, Stated, Text, Value

_MAPS_OF_SCHEMAS: Final = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_LISTS_OF_SCHEMAS: Final = frozenset({"oneOf", "anyOf"})
_PLAIN: Final = frozenset({"enum", "required", "const", "examples", "type", "default", "*"})
_KINDS: Final = MappingProxyType(
    {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
)
_ALTERNATIVES: Final = re.compile(r"\^\((?:\?:)?(\w+(?:\|\w+)*)\)\$")
_PATTERNS: Final = "several patternProperties"
_FORMATS: Final = MappingProxyType({"uri": "url", "url": "url", "iri": "url"})


def read(source: Source, name: str) -> Value:
    """Return what the schema at the pointer `name` states.

    Raises:
        DeclaredError: the file is not JSON (or YAML), or nothing is there.
    """
    schemas = Schemas(source, _document(source))
    if name.startswith("/"):
        return schemas.at(name)
    for container in ("$defs", "definitions", "properties"):
        if found := _entry(_entry(schemas.root, container), name):
            return _named(schemas.value(found), name)
    containers = [_entry(schemas.root, container) for container in ("$defs", "definitions")]
    raise missing(name, source, (key for container in containers if container for key in keys_of(container)))


def stated(source: Source) -> Iterator[Stated]:
    """Yield what the definitions and the top-level properties state."""
    schemas = Schemas(source, _document(source))
    for container in ("$defs", "definitions", "properties"):
        inner = _entry(schemas.root, container)
        for key, schema in inner.entries if isinstance(inner, Entries) else ():
            yield Stated(key.value, _named(schemas.value(schema), key.value), key.place)


def _document(source: Source) -> Value:
    return from_yaml(source) if source.path.suffix in (".yaml", ".yml") else from_json(source)


def _entry(value: Value | None, key: str) -> Value | None:
    return descend(value, key) if isinstance(value, Entries) else None


def _named(value: Value, name: str) -> Value:
    return replace(value, name=name) if isinstance(value, Record) and not value.name else value


@dataclass(frozen=True, slots=True)
class Schemas:
    """One document of schemas. `following` are the references that are being followed, against cycles."""

    source: Source
    root: Value
    following: frozenset[str] = frozenset()

    def at(self, pointer: str) -> Value:
        """Return what the schema, or the plain part of one, at `pointer` states; references on the way are followed."""
        value, last, is_name = self.root, "", False
        for part in pointer_parts(pointer):
            is_name = last in _MAPS_OF_SCHEMAS and not is_name  # under `properties` stands a name, not a keyword
            inner = descend(value, part)
            reference = _entry(value, "$ref")
            if inner is None and isinstance(reference, Text):
                return self._follow(reference, below=part)
            if inner is None:
                raise missing(part, self.source, keys_of(value), inside=pointer)
            value, last = inner, part
        if is_name:
            return _named(self.value(value), last)
        if last in _LISTS_OF_SCHEMAS:
            return self._alternatives(value)
        if last in _MAPS_OF_SCHEMAS and isinstance(value, Entries):
            return Entries(tuple((key, to_shape(self.value(schema))) for key, schema in value.entries), value.place)
        return value if last in _PLAIN else _named(self.value(value), last)

    def value(self, schema: Value) -> Value:
        """Return what a schema states."""
        if not isinstance(schema, Entries):
            return Shape("unknown", schema.place) if isinstance(schema, Opaque) else Opaque("no schema", schema.place)
        rules = (self._reference, self._closed, self._fields, self._combined)
        found = [part for rule in rules for part in rule(schema)]
        if not found:
            return self._plain(schema)
        return found[0] if len(found) == 1 else intersect(found, schema.place)

    def _reference(self, schema: Entries) -> Iterator[Value]:
        reference = _entry(schema, "$ref")
        if isinstance(reference, Text):
            yield self._follow(reference)

    def _follow(self, reference: Text, below: str = "") -> Value:
        file, _, pointer = reference.value.partition("#")
        place = reference.place
        if reference.value in self.following:
            return Shape("object", place)
        following = self.following | {reference.value}
        path = self.source.path.parent / file
        if file and ("://" in file or not path.is_file()):
            return Foreign(pointer or file, file, place)
        source = load(path, root=self.source.root) if file else self.source
        other = Schemas(source, _document(source) if file else self.root, following)
        target = other.root if not pointer else at_pointer(other.root, pointer, source)
        name = pointer.rpartition("/")[2]
        if below:
            inner = _entry(target, below)
            if inner is None:
                raise missing(below, source, keys_of(target), inside=reference.value)
            return inner if below in _PLAIN else other.value(inner)
        return _named(other.value(target), name)

    def _closed(self, schema: Entries) -> Iterator[Value]:
        if (const := _entry(schema, "const")) is not None:
            yield const if isinstance(const, Text) else Shape("literal", const.place)
        enum = _entry(schema, "enum")
        if isinstance(enum, Items):
            yield replace(enum, items=tuple(i for i in enum.items if not (isinstance(i, Opaque) and "null" in i.what)))

    def _fields(self, schema: Entries) -> Iterator[Value]:
        properties, names = _entry(schema, "properties"), _entry(schema, "propertyNames")
        needed = _entry(schema, "required")
        required = {
            text.value for text in (needed.items if isinstance(needed, Items) else ()) if isinstance(text, Text)
        }
        if isinstance(properties, Entries) and properties.entries:
            fields = tuple(
                (key, replace(to_shape(self.value(inner)), required=key.value in required))
                for key, inner in properties.entries
                if not (isinstance(inner, Opaque) and inner.what == "the value false")  # it is forbidden
            )
            yield Record("", fields, properties.place, strict=_refuses_others(schema))
        elif names is not None:
            yield Keyed(_pattern(names) or self.value(names), names.place, self._mapping(schema))
        elif isinstance(patterns := _entry(schema, "patternProperties"), Entries):
            keys = [_closed_pattern(key) for key, _ in patterns.entries]
            yield Keyed(next(iter(keys)) if len(keys) == 1 else Opaque(_PATTERNS, patterns.place), patterns.place)

    def _mapping(self, schema: Entries) -> str:
        more = _entry(schema, "additionalProperties")
        return record_of(["string", to_shape(self.value(more)).kind if more else "unknown"])

    def _combined(self, schema: Entries) -> Iterator[Value]:
        for word in ("oneOf", "anyOf"):
            if (options := _entry(schema, word)) is not None:
                yield self._alternatives(options)
        everything = _entry(schema, "allOf")
        if isinstance(everything, Items):
            yield intersect([self.value(part) for part in everything.items], everything.place)

    def _alternatives(self, options: Value) -> Value:
        found: tuple[Value, ...] = ()
        for option in options.items if isinstance(options, Items) else ():
            value = self.value(option)
            if not (isinstance(value, Shape) and value.kind == "null"):
                found += value.items if isinstance(value, Items) else (value,)
        return Items(found, options.place)

    def _plain(self, schema: Entries) -> Value:
        of = _entry(schema, "type")
        kinds = [of] if isinstance(of, Text) else list(of.items) if isinstance(of, Items) else []
        names = [kind.value for kind in kinds if isinstance(kind, Text) and kind.value != "null"]
        place = schema.place
        if names == ["array"]:
            items = _entry(schema, "items")
            return Shape(array_of(to_shape(self.value(items)).kind if items else "unknown"), place)
        if names == ["object"]:
            return Keyed(Shape("string", place), place, self._mapping(schema))
        kind = " | ".join(dict.fromkeys(_KINDS.get(name, name) for name in names)) or ("null" if kinds else "")
        return Shape(kind or "unknown", place, constraints=tuple(_constraints(schema)))


def _refuses_others(schema: Entries) -> bool:
    """Whether a schema refuses what is not among its properties."""
    others = (_entry(schema, word) for word in ("additionalProperties", "unevaluatedProperties"))
    return any(isinstance(other, Opaque) and other.what == "the value false" for other in others)


def _pattern(names: Value) -> Value | None:
    pattern = _entry(names, "pattern")
    return _closed_pattern(pattern) if isinstance(pattern, Text) and not _entry(names, "enum") else None


def _closed_pattern(pattern: Text) -> Value:
    """Return the names of `^(A|B)$`; any other pattern is no list of names."""
    match = _ALTERNATIVES.fullmatch(pattern.value)
    if not match:
        return Opaque(f"the pattern {pattern.value[:40]}", pattern.place)
    return Items(tuple(Text(name, pattern.place) for name in match[1].split("|")), pattern.place)


def _constraints(schema: Entries) -> Iterator[str]:
    texts = {key.value: inner for key, inner in schema.entries}
    numbers = {key: inner.what.removeprefix("the value ") for key, inner in texts.items() if isinstance(inner, Opaque)}
    written = texts.get("format")
    if isinstance(written, Text) and written.value in _FORMATS:
        yield _FORMATS[written.value]
    if numbers.get("exclusiveMinimum") in ("0", "0.0"):
        yield "positive"
    if least := numbers.get("minLength") or numbers.get("minimum"):
        yield f"min({least})"
