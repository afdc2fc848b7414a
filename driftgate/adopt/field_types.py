"""How the kinds of fields are written in each form of table, where no sibling of the same kind shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from driftgate.adopt.unsafe import CannotEditError
from driftgate.surface import Field

_CORE: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "typescript": {
            "string": "string", "number": "number", "boolean": "boolean", "unknown": "unknown",
            "array<string>": "string[]", "record<string,string>": "Record<string, string>",
            "record<string,unknown>": "Record<string, unknown>",
        },
        "zod": {
            "string": "z.string()", "number": "z.number()", "boolean": "z.boolean()", "unknown": "z.unknown()",
            "array<string>": "z.array(z.string())", "record<string,string>": "z.record(z.string(), z.string())",
            "record<string,unknown>": "z.record(z.string(), z.unknown())",
        },
        "python": {
            "string": "str", "number": "float", "boolean": "bool", "unknown": "object",
            "array<string>": "list[str]", "record<string,string>": "dict[str, str]",
            "record<string,unknown>": "dict[str, object]",
        },
        "go": {
            "string": "string", "number": "float64", "boolean": "bool", "unknown": "any",
            "array<string>": "[]string", "record<string,string>": "map[string]string",
            "record<string,unknown>": "map[string]any",
        },
        "rust": {
            "string": "String", "number": "f64", "boolean": "bool", "unknown": "serde_json::Value",
            "array<string>": "Vec<String>", "record<string,string>": "std::collections::HashMap<String, String>",
            "record<string,unknown>": "std::collections::HashMap<String, serde_json::Value>",
        },
        "schema": {
            "string": '{ "type": "string" }', "number": '{ "type": "number" }', "boolean": '{ "type": "boolean" }',
            "unknown": "{}", "array<string>": '{ "type": "array", "items": { "type": "string" } }',
            "record<string,string>": '{ "type": "object", "additionalProperties": { "type": "string" } }',
            "record<string,unknown>": '{ "type": "object" }',
        },
    }
)  # fmt: skip

_ENUM: Final[Mapping[str, Callable[[tuple[str, ...], str], str]]] = MappingProxyType(
    {
        "typescript": lambda values, quote: " | ".join(f"{quote}{value}{quote}" for value in values),
        "zod": lambda values, quote: f"z.enum([{', '.join(f'{quote}{value}{quote}' for value in values)}])",
        "python": lambda values, quote: f"Literal[{', '.join(f'{quote}{value}{quote}' for value in values)}]",
        "schema": lambda values, _: '{ "enum": [' + ", ".join(f'"{value}"' for value in values) + "] }",
    }
)

_ZOD_WORDS: Final = MappingProxyType({"positive": ".positive()", "url": ".url()", "int": ".int()"})
_SCHEMA_WORDS: Final = MappingProxyType({"positive": '"exclusiveMinimum": 0', "url": '"format": "uri"'})


def core(form: str, field: Field, quote: str) -> str:
    """Return the type of `field` in a form of table, as if it were required.

    Raises `CannotEditError` where that form has no plain way to say it.
    """
    if form == "words":
        values = f"enum({'|'.join(field.values)})" if field.values else field.kind
        return quote + " & ".join((values, *field.constraints)) + quote
    if field.kind == "enum" and field.values and form in _ENUM:
        return _ENUM[form](field.values, quote)
    text = _CORE[form].get(field.kind)
    if text is None:
        raise CannotEditError(f"how a field of the kind {field.kind} is written here is not known")
    return _constrained(form, text, field)


def _constrained(form: str, text: str, field: Field) -> str:
    for word in field.constraints:
        least = re.fullmatch(r"min\((\d+)\)", word)
        if form == "zod":
            text += f".min({least[1]})" if least else _ZOD_WORDS.get(word, "")
        elif form == "schema":
            key = "minLength" if field.kind == "string" else "minimum"
            more = f'"{key}": {least[1]}' if least else _SCHEMA_WORDS.get(word)
            text = f"{text[:-2]}, {more} }}" if more and text.endswith(" }") else text
    return text


_WRAPPERS: Final = (
    re.compile(r"(?P<open>(?:\w+\.)?(?:NotRequired|Required|Optional)\[)(?P<inner>.*)(?P<close>\])\Z", re.DOTALL),
    re.compile(r"(?P<open>)(?P<inner>.*?)(?P<close>\s*\|\s*(?:None|null|undefined))\Z", re.DOTALL),
    re.compile(r"(?P<open>Option<)(?P<inner>.*)(?P<close>>)\Z", re.DOTALL),
    re.compile(
        r"(?P<open>)(?P<inner>.*?)(?P<close>(?:\s*\.(?:optional|nullish|nullable|exactOptional)\(\))+"
        r"(?:\s*\.describe\([^()]*\))?)\Z",
        re.DOTALL,
    ),
)  # fmt: skip


def like(template: str, text: str) -> str:
    """Return the type `text` wrapped as the type `template` of an optional field is."""
    for pattern in _WRAPPERS:
        if match := pattern.match(template):
            close = re.sub(r"\s*\.describe\(.*\)", "", match["close"])
            return match["open"] + text + close
    return text


def unwrapped(text: str) -> str:
    """Return a type without what makes it optional."""
    for pattern in _WRAPPERS:
        if match := pattern.match(text):
            return match["inner"]
    return text
