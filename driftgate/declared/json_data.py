"""The reader of JSON: a set at a JSON pointer."""

from __future__ import annotations

from collections.abc import Iterator

from driftgate.declared.documents import at_pointer, from_json
from driftgate.declared.source import Source
from driftgate.declared.values import Entries, Stated, Value


def read(source: Source, name: str) -> Value:
    """Return what stands at the pointer `name`.

    Raises:
        DeclaredError: the file is not JSON, or nothing is there.
    """
    return at_pointer(from_json(source), name, source)


def stated(source: Source) -> Iterator[Stated]:
    """Yield what stands under each key of the document."""
    yield from top_level(from_json(source))


def top_level(document: Value) -> Iterator[Stated]:
    """Yield what stands under each key of `document`."""
    if isinstance(document, Entries):
        yield from (Stated(key.value, value, key.place) for key, value in document.entries)
    else:
        yield Stated("/", document, document.place)
