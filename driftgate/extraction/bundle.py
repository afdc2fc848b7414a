"""Reading everything that the bundles of an artefact state of hooks: one reading for each copy of the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.contents import Contents
from driftgate.extraction.fields import Entry, FieldError, read_entry, type_of
from driftgate.extraction.guards import GuardError, Guards, read_guards
from driftgate.extraction.hooks import HooksSchema, find_schemas
from driftgate.extraction.input_literals import read_literals
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.not_shown import where_in
from driftgate.surface import Place, Witness

SHELL_FIELD: Final = "shell"
_VERSION: Final = re.compile(rb"^// Version: (\d+\.\d+\.\d+)\s", re.MULTILINE)
_HEADER: Final = 4096


@dataclass(frozen=True)
class Reading:
    """What one copy of the hooks schema states, and where its parts stand.

    `program` is the release that the bundle says it is, None for one of the SDK (which has its own numbers) or one that
    says nothing.
    """

    events: tuple[str, ...]
    entries: tuple[Entry, ...]
    guards: Guards
    place: Place
    events_place: Place
    entries_place: Place
    program: str | None
    note: str = ""

    @property
    def entry_types(self) -> tuple[str, ...]:
        """The entry types in the order of their union."""
        return tuple(entry.type for entry in self.entries)

    @property
    def shells(self) -> tuple[str, ...] | None:
        """The members of the field `shell`; None where no entry type has it."""
        fields = [field for entry in self.entries for field in entry.fields if field.name == SHELL_FIELD]
        return fields[0].values if fields else None


def read_bundles(artefact: Artefact, contents: Contents) -> tuple[tuple[Reading, ...], Witness, tuple[str, ...]]:
    """Return each reading of the hooks schema, the second witness of the events, and what was met that is ambiguous.

    Raises ExtractionError where a schema is there and a part of it cannot be read.
    """
    evaluator = Evaluator(Program(contents.modules))
    found = [schema for module in contents.modules for schema in find_schemas(evaluator, module)]
    readings = tuple(_read(artefact, contents, evaluator, schema) for schema in found)
    literals = read_literals(evaluator, contents.modules)
    return readings, literals, tuple(sorted(evaluator.doubts))


def _read(artefact: Artefact, contents: Contents, evaluator: Evaluator, schema: HooksSchema) -> Reading:
    module = schema.module
    container = contents.container(module.member)
    try:
        guards = read_guards(evaluator, schema)
    except GuardError as error:
        raise ExtractionError(
            "guard events: not found, and not known to be absent",
            where=where_in(artefact, module.place(schema.offset)),
            expected="one constant set of hook events that the reader of single matchers asks about its event",
            found=str(error),
            next="read the release's other artefact (the SDK or the native package), or report this release",
        ) from error
    return Reading(
        events=schema.events,
        entries=tuple(_entries(artefact, evaluator, schema)),
        guards=guards,
        place=module.place(schema.offset),
        events_place=evaluator.place_of(module, schema.events_name) or module.place(schema.offset),
        entries_place=module.place(schema.entry_offset),
        program=_program_of(module),
        note=f"text scan: the {container} container is not parsed" if container else "",
    )


def _program_of(module: Module) -> str | None:
    stated = _VERSION.search(module.text, 0, _HEADER)
    return stated[1].decode() if stated and not stated[1].startswith(b"0.") else None


def _entries(artefact: Artefact, evaluator: Evaluator, schema: HooksSchema) -> Iterator[Entry]:
    """Yield every entry type of a schema; all of them, or an error."""
    read: list[Entry] = []
    failed: list[str] = []
    for number, option in enumerate(schema.options, 1):
        name = type_of(evaluator, option)
        try:
            read.append(read_entry(evaluator, option))
        except FieldError as error:
            failed.append(f"fields of type {name or f'number {number} of the union'}: anchor not found ({error})")
    if failed:
        raise ExtractionError(
            f"{'; '.join(failed)}; {len(read)} of {len(schema.options)} types read",
            where=where_in(artefact, schema.module.place(schema.entry_offset)),
            expected="an object schema of known kinds for each type of the union",
            found=f"read: {', '.join(entry.type for entry in read) or 'none'}"
            + (f"; unclear: {'; '.join(sorted(evaluator.doubts))}" if evaluator.doubts else ""),
            next="nothing of this release is believed; read its other artefact, or report this release",
        )
    yield from read
