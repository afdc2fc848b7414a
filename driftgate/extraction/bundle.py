"""Reading everything that the bundles of an artefact state of hooks: one reading for each copy of the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.accepts import NotUnderstoodError, Reader
from driftgate.extraction.contents import Contents
from driftgate.extraction.fields import Entry, read_entries, read_matcher, types_of
from driftgate.extraction.guards import GuardError, Guards, read_guards
from driftgate.extraction.hooks import HooksSchema, find_anywhere, find_schemas
from driftgate.extraction.input_literals import read_literals
from driftgate.extraction.javascript import uses
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, Program
from driftgate.extraction.javascript.values import Value
from driftgate.extraction.not_shown import where_in
from driftgate.surface import Field, Place, Witness

SHELL_FIELD: Final = "shell"
_VERSION: Final = re.compile(rb"^// Version: (\d+\.\d+\.\d+)\s", re.MULTILINE)
_HEADER: Final = 4096


@dataclass(frozen=True, slots=True)
class Reading:
    """What one copy of the hooks schema states, and where its parts stand.

    `program` is the release that the bundle says it is, None for one of the SDK (which has its own numbers) or one that
    says nothing.
    """

    events: tuple[str, ...]
    entries: tuple[Entry, ...]
    matcher: tuple[Field, ...]
    matcher_rules: tuple[str, ...]
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
        """The members of the fields `shell`, of all entry types; None where no entry type has it."""
        fields = [field for entry in self.entries for field in entry.fields if field.name == SHELL_FIELD]
        members = [value for field in fields for value in field.values or ()]
        return tuple(dict.fromkeys(members)) if fields and members else None


def read_bundles(artefact: Artefact, contents: Contents) -> tuple[tuple[Reading, ...], Witness, tuple[str, ...]]:
    """Return each reading of the hooks schema, the second witness of the events, and what was met that is ambiguous.

    Raises ExtractionError where a schema is there and a part of it cannot be read.
    """
    evaluator = Evaluator(Program(contents.modules))
    found = _found(artefact, evaluator, contents.modules, find_schemas)
    if not found:
        scripts = tuple(module for module in contents.modules if module.file is not None)
        found = _found(artefact, evaluator, scripts, find_anywhere)
    readings = tuple(_read(artefact, contents, evaluator, schema, tuple(found)) for schema in found)
    literals = read_literals(evaluator, contents.modules)
    return readings, literals, tuple(sorted(evaluator.doubts))


def _found(
    artefact: Artefact,
    evaluator: Evaluator,
    modules: tuple[Module, ...],
    find: Callable[[Evaluator, Module], Iterator[HooksSchema]],
) -> list[HooksSchema]:
    found: list[HooksSchema] = []
    for module in modules:
        try:
            found += find(evaluator, module)
        except NotUnderstoodError as error:
            raise ExtractionError(
                "a hooks schema is there and is not understood",
                where=where_in(artefact, module.member),
                expected="one use record(enum(EVENTS), array(MATCHER)), every part of which can be evaluated",
                found=str(error) + _unclear(evaluator),
                next=_REPORT,
            ) from error
    return found


_REPORT: Final = "nothing of this release is believed; read its other artefact, or report this release"


def _unclear(evaluator: Evaluator) -> str:
    return f"; unclear: {'; '.join(sorted(evaluator.doubts))}" if evaluator.doubts else ""


def _read(
    artefact: Artefact, contents: Contents, evaluator: Evaluator, schema: HooksSchema, found: tuple[HooksSchema, ...]
) -> Reading:
    module = schema.module
    container = contents.container(module.member)
    where = where_in(artefact, module.place(schema.offset))
    reader = Reader(evaluator)
    with evaluator.contributions() as used:
        entries = tuple(_entries(artefact, reader, schema))
        try:
            matcher, matcher_rules = read_matcher(reader, schema)
        except NotUnderstoodError as error:
            raise ExtractionError(
                "the schema of a matcher is not understood",
                where=where,
                expected="an object schema of known kinds",
                found=str(error) + _unclear(evaluator),
                next=_REPORT,
            ) from error
    changed = uses.check(evaluator, schema.used | used)
    if changed is not None:
        raise ExtractionError(
            "what the hooks schema is made of may change after it was made",
            where=where,
            expected="uses of each list, set, object and schema that leave it alone",
            found=str(changed),
            next=_REPORT,
        )
    try:
        guards = read_guards(evaluator, schema, found)
    except GuardError as error:
        raise ExtractionError(
            "guard events: not found, and not known to be absent",
            where=where,
            expected="one constant set of hook events that alone decides in the reader of single matchers",
            found=str(error),
            next="read the release's other artefact (the SDK or the native package), or report this release",
        ) from error
    events_place = evaluator.place_of(module, schema.events_name) if schema.events_name else None
    return Reading(
        events=schema.events,
        entries=entries,
        matcher=matcher,
        matcher_rules=matcher_rules,
        guards=guards,
        place=module.place(schema.offset),
        events_place=events_place or module.place(schema.offset),
        entries_place=module.place(schema.entry_offset),
        program=_program_of(module),
        note=f"text scan: the {container} container is not parsed" if container else "",
    )


def _program_of(module: Module) -> str | None:
    stated = _VERSION.search(module.text, 0, _HEADER)
    return stated[1].decode() if stated and not stated[1].startswith(b"0.") else None


def _entries(artefact: Artefact, reader: Reader, schema: HooksSchema) -> Iterator[Entry]:
    """Yield every entry type of a schema; all of them, or an error."""
    read: list[Entry] = []
    failed: list[str] = []
    for number, option in enumerate(schema.options, 1):
        try:
            read += read_entries(reader, schema, option)
        except NotUnderstoodError as error:
            failed.append(
                f"fields of type {_name(reader, option) or f'number {number} of the union'}: anchor not found ({error})"
            )
    if failed:
        raise ExtractionError(
            f"{'; '.join(failed)}; {len(schema.options) - len(failed)} of {len(schema.options)} types read",
            where=where_in(artefact, schema.module.place(schema.entry_offset)),
            expected="an object schema of known kinds for each type of the union",
            found=f"read: {', '.join(entry.type for entry in read) or 'none'}" + _unclear(reader.evaluator),
            next=_REPORT,
        )
    yield from read


def _name(reader: Reader, option: Value) -> str | None:
    try:
        found = types_of(reader, option)
    except NotUnderstoodError:
        return None
    return "|".join(found[0]) if found else None
