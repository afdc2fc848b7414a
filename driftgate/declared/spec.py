"""Where a set is declared: `path#NAME`, with the reader chosen by the file's suffix or spelled out before the path."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple

from driftgate.errors import ConfigError

SUFFIXES: Final = MappingProxyType(
    {
        ".py": "python",
        ".pyi": "python",
        ".ts": "typescript",
        ".mts": "typescript",
        ".cts": "typescript",
        ".tsx": "typescript",
        ".js": "typescript",
        ".mjs": "typescript",
        ".cjs": "typescript",
        ".jsx": "typescript",
        ".zig": "zig",
        ".rs": "rust",
        ".go": "go",
        ".json": "json",
        ".yaml": "yaml",
        ".yml": "yaml",
        ".md": "markdown",
        ".mdx": "markdown",
        ".markdown": "markdown",
    }
)
"""The reader of each kind of file. `.schema.json` is JSON Schema."""

EXAMPLES: Final = MappingProxyType(
    {
        "python": "src/hooks.py#HOOK_EVENTS",
        "typescript": "src/hooks.ts#HOOK_EVENTS",
        "zod": "zod:src/schemas.ts#HookEventSchema",
        "zig": "src/hooks.zig#HookKind",
        "rust": "src/hooks.rs#HookEvent",
        "go": "hooks/events.go#HookEvents",
        "jsonschema": "jsonschema:settings.schema.json#/properties/hooks/propertyNames",
        "json": "hooks.json#/events",
        "yaml": "hooks.yaml#/events",
        "markdown": "docs/hooks.md#Hook events/Event",
    }
)
"""Every reader, with an example of a place that it reads."""


READS: Final = MappingProxyType(
    {
        "python": "tuples, lists, sets, dict keys, Enum, Literal, TypedDict and other classes with fields, and sums",
        "typescript": "tuples, arrays, unions, enums, interfaces, objects, Set; zod schemas in all of them",
        "zod": "zod schemas: objects, enums, literals, unions, records",
        "zig": "tags, error sets, arrays, maps, constants of structs; `Kind.function.field` for what a function gives",
        "rust": "constant arrays and maps, enums with serde's or strum's names, structs, the texts a function matches",
        "go": "constants of a type, `Prefix*` of constants, slices, map keys, structs",
        "jsonschema": "a pointer or a definition: enum, const, properties, propertyNames, oneOf, allOf, $ref",
        "json": "a pointer to a list, or to an object for its keys; `*` for each item",
        "yaml": "a pointer to a list, or to a mapping for its keys; `*` for each item",
        "markdown": "the column of a table under a heading",
    }
)
"""What each reader reads, in one line."""


class Spec(NamedTuple):
    """A parsed spec: the reader's name, the path as written, and the name (or pointer, or heading) within the file."""

    text: str
    reader: str
    path: str
    name: str


def parse_spec(text: str) -> Spec:
    """Parse `path#NAME` or `reader:path#NAME`.

    Raises:
        ConfigError: no '#', nothing before or after it, an unknown reader, or a suffix that no reader knows.
    """
    place, hash_, name = text.partition("#")
    reader, path = _reader_and_path(place, text)
    if not (hash_ and path and name.strip()):
        example = EXAMPLES.get(reader or "", EXAMPLES["python"])
        raise ConfigError(f"'{text}' does not say where the set stands", expected=f"path#NAME, for example {example}")
    return Spec(text, reader or reader_for(path), path, name.strip())


def _reader_and_path(place: str, text: str) -> tuple[str | None, str]:
    prefix, colon, rest = place.partition(":")
    if not colon or len(prefix) == 1 or "/" in prefix or "\\" in prefix:  # no prefix; or a drive letter
        return None, place
    if prefix not in EXAMPLES:
        from difflib import get_close_matches  # only a mistake needs it

        near = get_close_matches(prefix, EXAMPLES, n=1)
        raise ConfigError(
            f"'{text}' names a reader that does not exist: {prefix}",
            expected="one of " + ", ".join(sorted(EXAMPLES)),
            found=f"did you mean {near[0]}?" if near else "",
        )
    return prefix, rest


def reader_for(path: str) -> str:
    """Return the name of the reader for a file called `path`.

    Raises:
        ConfigError: no reader knows the suffix.
    """
    lower = path.lower()
    if lower.endswith((".schema.json", "-schema.json")):
        return "jsonschema"
    suffix = lower[lower.rfind(".") :] if "." in lower else ""
    if suffix not in SUFFIXES:
        raise ConfigError(
            f"'{path}': no reader for files of this kind",
            expected="a suffix among " + " ".join(sorted(SUFFIXES)),
            next="name the reader, for example json:path/to/file#/pointer",
        )
    return SUFFIXES[suffix]
