"""The reader of YAML: a set at a JSON pointer."""

from __future__ import annotations

from collections.abc import Iterator

from driftgate.declared.documents import at_pointer, from_yaml
from driftgate.declared.json_data import top_level
from driftgate.declared.source import Source
from driftgate.declared.values import Stated, Value


def read(source: Source, name: str) -> Value:
    """Return what stands at the pointer `name`.

    Raises:
        DeclaredError: the file is not YAML, or nothing is there.
    """
    return at_pointer(from_yaml(source), name, source)


def stated(source: Source) -> Iterator[Stated]:
    """Yield what stands under each key of the document."""
    yield from top_level(from_yaml(source))
