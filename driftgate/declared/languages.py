"""The languages that declared sets are read from: one row each. A new one is a row here, and the module that it names.

The module has two functions: `read(source, name) -> Value` and `stated(source) -> Iterator[Stated]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from driftgate.errors import ConfigError

if TYPE_CHECKING:
    from typing import Protocol

    from driftgate.declared.source import Source
    from driftgate.declared.values import Stated, Value

    class ReaderModule(Protocol):
        """What the module of a reader offers."""

        def read(self, source: Source, name: str) -> Value:
            """Return what `name` holds."""

        def stated(self, source: Source) -> Iterator[Stated]:
            """Return every named value of the file."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How one language is read.

    `suffixes` are those of its files, in lower case; a longer suffix goes before a shorter one. `example` is a place
    that it reads, `reads` what it reads, in one line. `is_script`: large files of the language are bundles.
    """

    name: str
    module: str
    suffixes: tuple[str, ...]
    example: str
    reads: str


READERS: Final = (
    Reader(
        "python",
        "driftgate.declared.python",
        (".py", ".pyi"),
        "src/hooks.py#HOOK_EVENTS",
        "tuples, lists, sets, dict keys, Enum, Literal, TypedDict and other classes with fields, and sums",
    ),
    Reader(
        "typescript",
        "driftgate.declared.typescript",
        (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"),
        "src/hooks.ts#HOOK_EVENTS",
        "tuples, arrays, unions, enums, interfaces, objects, Set; zod schemas in all of them",
    ),
    Reader(
        "zod",
        "driftgate.declared.typescript",
        (),
        "zod:src/schemas.ts#HookEventSchema",
        "zod schemas: objects, enums, literals, unions, records",
    ),
    Reader(
        "zig",
        "driftgate.declared.zig",
        (".zig",),
        "src/hooks.zig#HookKind",
        "tags, error sets, arrays, maps, constants of structs; `Kind.function.field` for what a function gives",
    ),
    Reader(
        "rust",
        "driftgate.declared.rust",
        (".rs",),
        "src/hooks.rs#HookEvent",
        "constant arrays and maps, enums with serde's or strum's names, structs, the texts a function matches",
    ),
    Reader(
        "go",
        "driftgate.declared.go",
        (".go",),
        "hooks/events.go#HookEvents",
        "constants of a type, `Prefix*` of constants, slices, map keys, structs",
    ),
    Reader(
        "java",
        "driftgate.declared.more.java",
        (".java",),
        "src/Hooks.java#HookEvent",
        "enumerations (`@JsonProperty`, a single text), static lists, sets, arrays and maps, texts",
    ),
    Reader(
        "csharp",
        "driftgate.declared.more.csharp",
        (".cs",),
        "src/Hooks.cs#HookEvent",
        "enumerations (`[EnumMember]`), constant and static arrays, lists, sets and maps, texts",
    ),
    Reader(
        "kotlin",
        "driftgate.declared.more.kotlin",
        (".kt", ".kts"),
        "src/Hooks.kt#HookEvent",
        "enumerations (`@SerialName`, a single text), `listOf`, `setOf`, `mapOf`, texts",
    ),
    Reader(
        "swift",
        "driftgate.declared.more.swift",
        (".swift",),
        "Sources/Hooks.swift#HookEvent",
        "enumerations with raw values, arrays, sets, dictionaries, texts",
    ),
    Reader(
        "php",
        "driftgate.declared.more.php",
        (".php",),
        "src/HookEvent.php#HookEvent",
        "enumerations with values, constants, static properties, arrays",
    ),
    Reader(
        "ruby",
        "driftgate.declared.more.ruby",
        (".rb",),
        "lib/hooks.rb#Hooks::EVENTS",
        "constants of modules and classes: arrays, `%w[]`, sets, hashes",
    ),
    Reader(
        "jsonschema",
        "driftgate.declared.json_schema",
        (".schema.json", "-schema.json"),
        "jsonschema:settings.schema.json#/properties/hooks/propertyNames",
        "a pointer or a definition: enum, const, properties, propertyNames, oneOf, allOf, $ref",
    ),
    Reader(
        "json",
        "driftgate.declared.json_data",
        (".json",),
        "hooks.json#/events",
        "a pointer to a list, or to an object for its keys; `*` for each item",
    ),
    Reader(
        "yaml",
        "driftgate.declared.yaml_data",
        (".yaml", ".yml"),
        "hooks.yaml#/events",
        "a pointer to a list, or to a mapping for its keys; `*` for each item",
    ),
    Reader(
        "markdown",
        "driftgate.declared.markdown",
        (".md", ".mdx", ".markdown"),
        "docs/hooks.md#Hook events/Event",
        "the column of a table under a heading",
    ),
)


def readers() -> dict[str, Reader]:
    """Return every reader by its name."""
    return {reader.name: reader for reader in READERS}


def module_of(name: str) -> ReaderModule:
    """Return the module of the reader called `name`; loaded now, for some bring a parser along."""
    module: ReaderModule = import_module(readers()[name].module)
    return module


def suffixes() -> frozenset[str]:
    """Return the suffixes of all files that a reader knows."""
    return frozenset(suffix for reader in READERS for suffix in reader.suffixes)


def reader_for(path: str) -> str:
    """Return the name of the reader for a file called `path`.

    Raises:
        ConfigError: no reader knows the suffix.
    """
    lower = path.lower()
    known = {suffix: reader.name for reader in READERS for suffix in reader.suffixes if lower.endswith(suffix)}
    if not known:
        raise ConfigError(
            f"'{path}': no reader for files of this kind",
            expected="a suffix among " + " ".join(sorted(suffixes())),
            next="write the names to a file of a kind that is read (a JSON list), and let your tests compare the two; "
            "if the text is of such a kind under another suffix, put the reader before it: json:path#/pointer",
        )
    return known[max(known, key=len)]
