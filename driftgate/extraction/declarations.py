"""Reading a declaration file: the second witness in the SDK's package, or a source of its own.

`sdk.d.ts` states the events three times (the constant HOOK_EVENTS, the union HookEvent, the `hook_event_name` of each
hook's input) and, from 0.2.113 on, the entry types with their public fields. It says nothing of constraints, leaves out
internal fields, and does not know guard events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.declared_types import ArrayOf, Name, ObjectOf, Text, Type, TypesError, UnionOf, parse_type
from driftgate.extraction.fields import Entry
from driftgate.extraction.hooks import DISCRIMINATOR
from driftgate.surface import Field, Place, Witness, union_kind

_CONSTANT: Final = re.compile(rb"\bHOOK_EVENTS\s*:\s*(?=readonly\b)")
_UNION: Final = re.compile(rb"\btype\s+HookEvent\s*=\s*(?=['\"|])")
_INPUT: Final = re.compile(rb"\bhook_event_name\s*:\s*(?P<quote>['\"])(?P<event>\w+)(?P=quote)\s*;")
_INPUTS: Final = "hook_event_name of the input types"
_SETTING: Final = re.compile(rb"\bhooks\?\s*:\s*(?=\{)")


@dataclass(frozen=True)
class Declarations:
    """What a declaration file states: events by each way that it has, and the entry types if it has them."""

    name: str
    events: tuple[Witness, ...]
    entries: tuple[Entry, ...] | None
    entries_place: Place | None


def read_declarations(name: str, text: bytes) -> Declarations | None:
    """Read what the declaration file `name` states of hooks; None where it states nothing of them.

    Raises TypesError where a statement is there and is not understood.
    """
    events = tuple(_events(name, text))
    place, entries = None, None
    for match in _SETTING.finditer(text):
        found = _entries(parse_type(text, match.end()))
        if found is not None:
            place, entries = Place(name, offset=match.start()), found
            break
    states = entries or any(each.members is not None for each in events)
    return Declarations(name, events, entries, place) if states else None


def _events(name: str, text: bytes) -> Iterator[Witness]:
    for how, pattern in (("const HOOK_EVENTS", _CONSTANT), ("type HookEvent", _UNION)):
        match = pattern.search(text)
        if match is not None:
            members = _texts(parse_type(text, match.end()))
            if members is None:
                raise TypesError(f"{how} at byte {match.start()} is no list of strings")
            yield Witness(how, Place(name, offset=match.start()), members)
        else:
            yield Witness(how, None, None, f"{name} has none in a form that is known")
    inputs = list(_INPUT.finditer(text))
    if inputs:
        members = tuple(dict.fromkeys(match["event"].decode() for match in inputs))
        yield Witness(_INPUTS, Place(name, offset=inputs[0].start()), members)
    else:
        yield Witness(_INPUTS, None, None, f"{name} has none in a form that is known")


def _texts(value: Type) -> tuple[str, ...] | None:
    options = value.options if isinstance(value, UnionOf) else (value,)
    texts = tuple(option.text for option in options if isinstance(option, Text))
    return texts if len(texts) == len(options) else None


def _entries(setting: Type) -> tuple[Entry, ...] | None:
    """Return the entry types of {[event]: {matcher?, hooks: (entry | ...)[]}[]}; None where the type is another one."""
    if not (
        isinstance(setting, ObjectOf)
        and isinstance(setting.index, ArrayOf)
        and isinstance(setting.index.item, ObjectOf)
    ):
        return None
    for member in setting.index.item.members:
        if isinstance(member.type, ArrayOf):
            item = member.type.item
            options = item.options if isinstance(item, UnionOf) else (item,)
            entries = [entry for option in options if (entry := _entry(option)) is not None]
            if len(entries) == len(options):
                return tuple(entries)
    return None


def _entry(value: Type) -> Entry | None:
    if not isinstance(value, ObjectOf):
        return None
    kinds = [member.type for member in value.members if member.name == DISCRIMINATOR]
    if len(kinds) != 1 or not isinstance(kinds[0], Text):
        return None
    fields = tuple(
        Field(member.name, kind_of(member.type), required=not member.optional, values=_texts(member.type))
        for member in value.members
        if member.name != DISCRIMINATOR
    )
    return Entry(kinds[0].text, fields)


def kind_of(value: Type) -> str:
    """Return a type's kind in the words of the snapshots."""
    match value:
        case Name():
            return value.name
        case Text():
            return "enum"
        case UnionOf():
            return "enum" if _texts(value) else union_kind(map(kind_of, value.options))
        case ArrayOf():
            return f"array<{kind_of(value.item)}>"
        case ObjectOf():
            return (
                f"record<string,{kind_of(value.index)}>" if value.index is not None and not value.members else "object"
            )
