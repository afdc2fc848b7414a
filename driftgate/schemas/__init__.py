"""JSON Schemas (2020-12) of what driftgate reads and writes, each built from the tables of the code that does it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hooks": "the `hooks` of a settings document",
        "settings": "a whole settings document, of which the hooks are looked at",
        "config": "driftgate.yml, and [tool.driftgate] of pyproject.toml",
        "snapshot": "a snapshot",
        "report": "what check, diff, extract and refresh print with --format json",
    }
)
"""What there is a schema of; those of driftgate's own files have a module each."""


def schema_of(what: str) -> dict[str, Any]:
    """Return the JSON Schema of `what`, a key of `SCHEMAS`."""
    if what in ("hooks", "settings"):
        from driftgate.classifier.schema import hooks_schema

        return hooks_schema(document=what == "settings")
    schema: dict[str, Any] = import_module(f"driftgate.schemas.{what}").schema()
    return {"$schema": DIALECT, **schema}
