"""A surface as a Python module: Literal types, tuples of their members, and a TypedDict for each row of a table.

Runs on Python 3.11 and later and passes mypy's strict mode. Constraints are marks of `Annotated`, in upstream's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from driftgate.classifier.kinds import KINDS, kind_stated
from driftgate.export.spelling import constant_name, header, member_type_name, row_name, table_type_name
from driftgate.formats.harmless import quoted
from driftgate.surface import Field, FieldTable, Surface, Vocabulary

_TYPING: Final = ("Annotated", "Any", "Final", "Literal", "NotRequired", "TypeAlias", "TypedDict", "Union", "get_args")


def export(surface: Surface) -> str:
    """Return the module's text."""
    body = "\n".join(_body(surface))
    first, *more = header(surface)
    docstring = "\n".join([f'"""{_in_docstring(first)}', *(["", *map(_in_docstring, more), '"""'] if more else [])])
    docstring = docstring if more else f'{docstring}"""'
    used = ", ".join(name for name in _TYPING if name in body)
    head = [docstring, "", "from __future__ import annotations", "", f"from typing import {used}", ""]
    return "\n".join([*head, body]) + "\n"


def _in_docstring(line: str) -> str:
    return line.replace("\\", "\\\\").replace('"', "'")


def _body(surface: Surface) -> Iterator[str]:
    if surface.version is not None:
        yield f"RELEASE: Final = {quoted(surface.version)}"
    aliases = {frozenset(one.members or ()): member_type_name(one.name) for one in surface.vocabularies.values()}
    for vocabulary in surface.vocabularies.values():
        yield from ("", *_vocabulary(vocabulary))
    for table in surface.tables.values():
        yield from ("", *_table(table, aliases))


def _vocabulary(vocabulary: Vocabulary) -> Iterator[str]:
    constant, member = constant_name(vocabulary.name), member_type_name(vocabulary.name)
    if not vocabulary.members:
        yield f"{constant}: Final[tuple[str, ...]] = ()"
        return
    yield f"{member}: TypeAlias = Literal["
    yield from (f"    {quoted(name)}," for name in vocabulary.members)
    yield "]"
    yield f"{constant}: Final[tuple[{member}, ...]] = get_args({member})"


def _table(table: FieldTable, aliases: Mapping[frozenset[str], str]) -> Iterator[str]:
    names = [row_name(row, table) for row in table.rows]
    for (row, fields), name in zip(table.rows.items(), names, strict=True):
        yield f"{name} = TypedDict("
        yield f"    {quoted(name)},"
        yield "    {"
        yield f'        "type": Literal[{quoted(row)}],'
        for field in fields:
            note = "  # internal upstream" if field.internal else ""
            yield f"        {quoted(field.name)}: {_annotation(field, aliases)},{note}"
        yield "    },"
        yield ")"
    union = " | ".join(names) if len(names) > 1 else f"Union[{', '.join(names)}]"
    if names:
        yield f"{table_type_name(table)}: TypeAlias = {union}"


def _annotation(field: Field, aliases: Mapping[frozenset[str], str]) -> str:
    kind = (kind_stated(field) or KINDS["any"]).python
    if field.values:
        kind = aliases.get(frozenset(field.values), kind)
    if field.constraints:
        kind = f"Annotated[{kind}, {', '.join(map(quoted, field.constraints))}]"
    return kind if field.required else f"NotRequired[{kind}]"
