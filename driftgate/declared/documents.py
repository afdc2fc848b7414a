"""JSON and YAML documents as values with places, and JSON pointers into them (RFC 6901, and `*` for every part)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from driftgate.declared.module import keys_of
from driftgate.declared.source import Source
from driftgate.declared.unreadable import missing, unparsable
from driftgate.declared.values import Entries, Items, Opaque, Text, Value
from driftgate.errors import DeclaredError
from driftgate.surface import Place

if TYPE_CHECKING:
    from yaml.nodes import Node


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
    again = defaultdict(list)
    for duplicate in read.duplicates:
        again[duplicate.path[:-1]].append(Text(str(duplicate.path[-1]), _place(source, duplicate.key)))

    def value(found: Any, path: tuple[str | int, ...]) -> Value:
        location = read.locate(path)
        place = _place(source, location.value) if location else Place(source.shown)
        match found:
            case dict():
                entries = [(key(path, name), value(inner, (*path, name))) for name, inner in found.items()]
                entries += [(text, Opaque("a value that is not read", text.place)) for text in again[path]]
                return Entries(tuple(entries), place)
            case list():
                return Items(tuple(value(inner, (*path, i)) for i, inner in enumerate(found)), place)
            case str():
                return Text(found, place)
            case _:
                return Opaque(f"the value {'null' if found is None else str(found).lower()}", place)

    def key(path: tuple[str | int, ...], name: str) -> Text:
        location = read.locate((*path, name))
        return Text(name, _place(source, location.key) if location and location.key else Place(source.shown))

    return value(read.value, ())


def _place(source: Source, spot: Any) -> Place:
    return Place(source.shown, line=spot.line, column=spot.column)


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
    return Place(source.shown, line=node.start_mark.line + 1, column=node.start_mark.column + 1)


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
