"""JSON and YAML documents as values with places, and JSON pointers into them (RFC 6901, and `*` for every part)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from driftgate.declared.source import Source
from driftgate.declared.steps import keys_of
from driftgate.declared.unreadable import missing, unparsable
from driftgate.declared.values import Entries, Items, Opaque, Text, Value
from driftgate.errors import DeclaredError
from driftgate.surface import Place

if TYPE_CHECKING:
    from yaml.nodes import Node

    from driftgate.formats.json import JsonText

_JSON_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_YAML_FORMS: Final = MappingProxyType({"ScalarNode": "scalar", "SequenceNode": "sequence", "MappingNode": "mapping"})
_WORD: Final = re.compile(rb"[^\s,\]}]*")


def from_json(source: Source) -> Value:
    """Return the document; a key that an object has twice stands in it twice.

    Raises:
        DeclaredError: it is not JSON.
    """
    from driftgate.formats.json import read_json_text

    read = read_json_text(source.text)
    if read.fault:
        spot = read.spot(read.fault.at)
        raise DeclaredError(
            f"{source.shown} is not JSON: {read.fault.kind}",
            where=f"{source.shown}:{spot.line}:{spot.column}",
            next="correct the file, or name another reader",
        )
    return _JsonReading(source, read).whole()


class _JsonReading:
    """Turns what JSON holds into values with their places. Offsets are bytes."""

    def __init__(self, source: Source, read: JsonText) -> None:
        self.source, self.read, self.data = source, read, source.text.encode()
        self.again: defaultdict[tuple[str | int, ...], list[Text]] = defaultdict(list)
        for duplicate in read.duplicates:
            self.again[duplicate.path[:-1]].append(self._text(str(duplicate.path[-1]), duplicate.key.byte))

    def whole(self) -> Value:
        """Return the document."""
        return self._value(self.read.value, ())[0]

    def _value(self, found: Any, path: tuple[str | int, ...]) -> tuple[Value, int]:
        """Return a value, and the byte after it."""
        location = self.read.locate(path)
        start = location.value.byte if location else 0
        match found:
            case dict():
                return self._object(found, path, start)
            case list():
                return self._array(found, path, start)
            case str():
                text = self._text(found, start)
                return text, self._end_of_string(start)
            case _:
                what = "null" if found is None else str(found).lower()
                word = _WORD.match(self.data, start)
                end = word.end() if word else start
                return Opaque(f"the value {what}", self.source.at_bytes(start, end, "scalar")), end

    def _object(self, found: dict[str, Any], path: tuple[str | int, ...], start: int) -> tuple[Value, int]:
        entries: list[tuple[Text, Value]] = []
        end = start + 1
        for name, inner in found.items():
            location = self.read.locate((*path, name))
            key = self._text(name, location.key.byte if location and location.key else start)
            value, after = self._value(inner, (*path, name))
            entries.append((key, value))
            end = max(end, after)
        entries += [(text, Opaque("a value that is not read", text.place)) for text in self.again[path]]
        end = self._closing(end, b"}")
        return Entries(tuple(entries), self.source.at_bytes(start, end, "object")), end

    def _array(self, found: list[Any], path: tuple[str | int, ...], start: int) -> tuple[Value, int]:
        items: list[Value] = []
        end = start + 1
        for index, inner in enumerate(found):
            value, end = self._value(inner, (*path, index))
            items.append(value)
        end = self._closing(end, b"]")
        return Items(tuple(items), self.source.at_bytes(start, end, "array")), end

    def _closing(self, after: int, bracket: bytes) -> int:
        found = self.data.find(bracket, after)
        return found + 1 if found >= 0 else len(self.data)

    def _text(self, value: str, start: int) -> Text:
        return Text(value, self.source.at_bytes(start, self._end_of_string(start), "string"))

    def _end_of_string(self, start: int) -> int:
        match = _JSON_STRING.match(self.data, start)
        return match.end() if match else start


def from_yaml(source: Source) -> Value:
    """Return the document.

    Raises:
        DeclaredError: it is not YAML, or holds several documents.
    """
    import yaml

    try:
        root = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        raise unparsable(source, mark.line + 1 if mark else 1, mark.column if mark else 0, str(e.problem)) from e
    except yaml.YAMLError as e:
        raise unparsable(source, 1, 0, str(e).splitlines()[0]) from e
    if root is None:
        return Opaque("nothing", Place(source.shown, line=1, column=1))
    return _yaml_value(root, source, {})


def _yaml_value(node: Node, source: Source, known: dict[int, Value]) -> Value:
    """`known` holds what anchors stand for, so that an alias is read once."""
    if id(node) in known:
        return known[id(node)]
    place = _at(node, source)
    known[id(node)] = Opaque("an alias of what holds it", place)
    if isinstance(node.value, list) and node.tag.endswith(":map"):
        value: Value = Entries(tuple(_yaml_entries(node, source, known)), place)
    elif isinstance(node.value, list):
        value = Items(tuple(_yaml_value(item, source, known) for item in node.value), place)
    elif node.tag == "tag:yaml.org,2002:str":
        value = Text(node.value, place)
    else:
        value = Opaque(f"the value {node.value or 'null'}", place)
    known[id(node)] = value
    return value


def _yaml_entries(node: Node, source: Source, known: dict[int, Value]) -> Iterator[tuple[Text, Value]]:
    for key, item in node.value:
        value = _yaml_value(item, source, known)
        if key.tag == "tag:yaml.org,2002:merge" and isinstance(value, Entries):
            yield from value.entries
        else:
            yield Text(str(key.value), _at(key, source)), value


def _at(node: Node, source: Source) -> Place:
    start, end = node.start_mark, node.end_mark
    form = _YAML_FORMS[type(node).__name__]
    return source.at_characters(start.line + 1, start.column + 1, (end.line + 1, end.column + 1), form)


def pointer_parts(pointer: str) -> list[str]:
    """Return the parts of a JSON pointer; "/" alone is the whole document, a plain name a key of it."""
    if pointer == "/":
        return []
    parts = (pointer.removeprefix("/")).split("/")
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def descend(value: Value, part: str) -> Value | None:
    """Return the part of a document under one part of a pointer."""
    match value:
        case Entries(entries=entries) if part == "*":
            return Items(tuple(item for _, item in entries), value.place)
        case Entries(entries=entries):
            return next((item for key, item in entries if key.value == part), None)
        case Items(items=items) if part == "*":
            return value if items else None
        case Items(items=items) if part.isdigit():
            return items[int(part)] if int(part) < len(items) else None
        case _:
            return None


def at_pointer(document: Value, pointer: str, source: Source) -> Value:
    """Return the part of `document` at `pointer`; after `*`, of each item.

    Raises:
        DeclaredError: there is nothing.
    """
    values, many = [document], None
    for part in pointer_parts(pointer):
        if part == "*":
            spread = [descend(value, part) for value in values]
            many = many or values[0].place
            values = [item for value in spread if isinstance(value, Items) for item in value.items]
            if not values:
                raise missing("*", source, (), inside=pointer)
            continue
        found = [inner for value in values if (inner := descend(value, part)) is not None]
        if len(found) < len(values) or not found:
            known = [key for value in values for key in keys_of(value)]
            raise missing(part, source, known, inside=pointer if pointer.startswith("/") else "")
        values = found
    return Items(tuple(values), many) if many else values[0]
