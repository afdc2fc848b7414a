"""Sample values of fields, good and bad, from what a field table states. For probes, self-checks and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from driftgate.surface import Field

_GOOD: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "string": "text",
        "number": 1,
        "boolean": True,
        "array<string>": ["text"],
        "record<string,string>": {"name": "text"},
        "record<string,unknown>": {"name": "text"},
    }
)
"""A value of each kind; an unknown kind is served by a text."""

_BAD: Final[Mapping[str, Any]] = MappingProxyType({"string": 0, "enum": "none-of-these"})
"""A value that is surely not of the kind; for the kinds not listed, a text is not."""

_OUTSIDE: Final[Mapping[str, Any]] = MappingProxyType({"positive": 0, "url": "no-url", "min(1)": ""})
"""A value of the right kind that breaks the constraint."""


def good(field: Field) -> Any:
    """Return a value that the field takes."""
    if field.values:
        return field.values[0]
    return "https://example.com/" if "url" in field.constraints else _GOOD.get(field.kind, "text")


def bad(field: Field) -> Iterator[Any]:
    """Yield values that the field refuses: one of another kind, then one outside each constraint."""
    yield _BAD.get(field.kind, "text")
    yield from (_OUTSIDE[constraint] for constraint in field.constraints if constraint in _OUTSIDE)


def entry(entry_type: str, fields: Iterable[Field]) -> dict[str, Any]:
    """Return the smallest entry of a type: its required fields."""
    return {"type": entry_type, **{field.name: good(field) for field in fields if field.required}}


def document(event: str, *entries: Any) -> dict[str, Any]:
    """Return the smallest settings document with `entries` under one event."""
    return {"hooks": {event: [{"hooks": list(entries)}]}}
