"""Small pieces that the schemas are built from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

Schema = dict[str, Any]

STRING: Final[Schema] = {"type": "string"}
BOOLEAN: Final[Schema] = {"type": "boolean"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
VERSION: Final[Schema] = {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"}


def text(description: str = "", **more: Any) -> Schema:
    """Return the schema of a text that says something."""
    return {"type": "string", "pattern": r"\S", **({"description": description} if description else {}), **more}


def one_of(words: Iterable[str], description: str = "") -> Schema:
    """Return the schema of one of `words`."""
    return {"enum": list(words), **({"description": description} if description else {})}


def list_of(item: Schema, **more: Any) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": item, **more}


def mapping_of(value: Schema, **more: Any) -> Schema:
    """Return the schema of an object with free keys."""
    return {"type": "object", "additionalProperties": value, **more}


def record(required: Schema, optional: Schema | None = None, **more: Any) -> Schema:
    """Return the schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def nullable(schema: Schema) -> Schema:
    """Return the schema of the same or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def unique(items: Schema) -> Schema:
    """Return the schema of a list that holds nothing twice."""
    return list_of(items, uniqueItems=True)
