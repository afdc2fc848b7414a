"""A surface as a TypeScript module: `as const` arrays, unions of their members, and an interface a row of a table.

What interfaces cannot say (constraints) stands in the table of kind words, e.g. "number & positive?".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from driftgate.classifier.kinds import KINDS, kind_stated
from driftgate.errors import UsageError
from driftgate.export.spelling import constant_name, header, member_type_name, row_name, table_type_name
from driftgate.formats.harmless import neutral
from driftgate.surface import Field, FieldTable, Surface, Vocabulary

_NO_WORD: Final = re.compile(r"[|()&?]")
_KEY: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def export(surface: Surface) -> str:
    """Return the module's text. Raises UsageError where a member cannot be written in a kind word."""
    lines = [f"// {line}" for line in header(surface)]
    if surface.version is not None:
        lines += ["", f"export const RELEASE = {json.dumps(surface.version)} as const;"]
    for vocabulary in surface.vocabularies.values():
        lines += ["", *_vocabulary(vocabulary)]
    for table in surface.tables.values():
        lines += ["", *_table(table)]
    return "\n".join(lines) + "\n"


def _vocabulary(vocabulary: Vocabulary) -> Iterator[str]:
    constant = constant_name(vocabulary.name)
    if vocabulary.members:
        yield f"export const {constant} = ["
        yield from (f"  {json.dumps(name)}," for name in vocabulary.members)
        yield "] as const;"
    else:
        yield f"export const {constant} = [] as const;"
    yield f"export type {member_type_name(vocabulary.name)} = (typeof {constant})[number];"


def _table(table: FieldTable) -> Iterator[str]:
    for row, fields in table.rows.items():
        yield f"export interface {row_name(row, table)} {{"
        yield f"  type: {json.dumps(row)};"
        for field in fields:
            note = "; ".join([*map(neutral, field.constraints), *["internal upstream"] * field.internal])
            yield from [f"  /** {note.replace('*/', '* /')} */"] * bool(note)
            kind = kind_stated(field) or KINDS["any"]
            yield f"  {_key(field.name)}{'' if field.required else '?'}: {kind.typescript};"
        yield "}"
    if table.rows:
        union = " | ".join(row_name(row, table) for row in table.rows)
        yield f"export type {table_type_name(table)} = {union};"
        yield f"export const {constant_name(table.name)} = {{"
        for row, fields in table.rows.items():
            yield f"  {_key(row)}: {{"
            yield from (f"    {_key(field.name)}: {json.dumps(_word(field))}," for field in fields)
            yield "  },"
        yield "} as const;"


def _key(name: str) -> str:
    return name if _KEY.fullmatch(name) else json.dumps(name)


def _word(field: Field) -> str:
    kind = field.kind
    if field.values:
        for value in filter(_NO_WORD.search, field.values):
            raise UsageError(
                "a value that no kind word can hold", found=neutral(value), next="--format python has no words"
            )
        kind = f"enum({'|'.join(field.values)})"
    return " & ".join([kind, *field.constraints]) + ("" if field.required else "?")
