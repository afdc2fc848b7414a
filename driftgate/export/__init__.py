"""A surface as an importable vocabulary: what one release states, in another language, so that nobody copies lists.

One module a format; each is `export(surface: Surface) -> str`, deterministic, with a header that names the release and
the artefacts that it was read from. Reading an export with `driftgate.declared` gives the surface back.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from driftgate.surface import Surface

FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "json-schema": "JSON Schema (2020-12) of the `hooks` of a settings document",
        "python": "a module with Literal types, tuples and TypedDicts",
        "typescript": "a module with `as const` arrays, unions and interfaces",
    }
)
"""Every format and what it is; the module of a format has its name, with an underscore for the hyphen."""


def export(surface: Surface, format_name: str) -> str:
    """Return `surface` as a file of the format called `format_name` (a key of `FORMATS`), with a line end at its end.

    Raises UsageError where the format cannot say what the surface states.
    """
    text: str = import_module(f"driftgate.export.{format_name.replace('-', '_')}").export(surface)
    return text
