"""Finding the hooks schema in a program's modules, by what refers to what.

The anchor is the schema of a document's `hooks`: `record(enum(EVENTS), array(MATCHER))`, where MATCHER is an object one
of whose fields is an array of entries, and an entry is an object with a literal `type`, or a union of such. That use is
what makes a list of names the list of events: bundles hold a dozen other lists and sets of event names, and some of
them are longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.extraction.fields import entry_types_of, shape_of
from driftgate.extraction.javascript.evaluate import Evaluator
from driftgate.extraction.javascript.module import Module, found_at
from driftgate.extraction.javascript.values import Schema, Value

_COMMAND: Final = re.compile(rb"""\btype\s*:\s*[\w$.]+\(\s*(["'])command\1\s*\)""")
_USE: Final = re.compile(
    rb"(?<![\w$.])(?P<record>[\w$.]+)\(\s*"
    rb"(?P<enum>[\w$.]+)\(\s*(?P<events>[\w$]+|\[[^()\]]*\])\s*\)\s*,\s*"
    rb"(?P<array>[\w$.]+)\(\s*(?P<matcher>[\w$]+)(?P<call>(?:\(\))?)\s*\)"
    rb"(?=\s*[,)])"
)
"""The shape of record(enum(EVENTS), array(MATCHER)); what each helper makes is looked up afterwards."""

_NEAR: Final = 96 * 1024
"""How far from the entry schema its use is first looked for, in bytes. Elsewhere it is looked for only after that."""


@dataclass(frozen=True)
class HooksSchema:
    """A hooks schema that was found: where it stands (from byte `offset` to `end` of its module), and its parts.

    `options` are the entry schemas in the order of their union; `entry_offset` is where the first of them stands.
    """

    module: Module
    offset: int
    end: int
    events: tuple[str, ...]
    events_name: str
    matcher_name: str
    entry_offset: int
    options: tuple[Value, ...]


def find_schemas(evaluator: Evaluator, module: Module) -> Iterator[HooksSchema]:
    """Yield each hooks schema of a module, in order. Usually there is one."""
    text = module.text
    literals = [match.start() for at in _commands(text) if (match := _COMMAND.search(text, max(0, at - 80), at + 2))]
    if not literals:
        return
    found = list(_in_windows(evaluator, module, literals, _windows(literals, len(text))))
    yield from found or _in_windows(evaluator, module, literals, [(0, len(text))])


def _commands(text: bytes) -> Iterator[int]:
    """Yield the offsets behind each word "command" in quotes. Searching for that and then looking back is fast."""
    for quoted in (b'"command"', b"'command'"):
        for offset in found_at(text, quoted):
            yield offset + len(quoted)


def _windows(offsets: list[int], length: int) -> list[tuple[int, int]]:
    """Return the stretches around `offsets`, merged where they overlap."""
    merged: list[tuple[int, int]] = []
    for offset in sorted(offsets):
        start, end = max(0, offset - _NEAR), min(length, offset + _NEAR)
        if merged and start <= merged[-1][1]:
            start = merged.pop()[0]
        merged.append((start, end))
    return merged


def _in_windows(
    evaluator: Evaluator, module: Module, literals: list[int], windows: list[tuple[int, int]]
) -> Iterator[HooksSchema]:
    for start, end in windows:
        for match in _USE.finditer(module.text, start, end):
            schema = _schema_at(evaluator, module, match, _nearest(literals, match.start()))
            if schema is not None:
                yield schema


def _nearest(offsets: list[int], to: int) -> int:
    return min(offsets, key=lambda offset: abs(offset - to))


def _schema_at(evaluator: Evaluator, module: Module, match: re.Match[bytes], entry: int) -> HooksSchema | None:
    for part, kinds in (("enum", ("enum",)), ("array", ("array",)), ("record", ("record", "partialRecord"))):
        if evaluator.factory(module, match[part].decode()) not in kinds:
            return None
    events = strings(evaluator.source(module, match["events"]))
    matcher = evaluator.force(evaluator.source(module, match["matcher"] + match["call"]))
    options = _options(evaluator, matcher)
    if not events or options is None:
        return None
    return HooksSchema(
        module, match.start(), match.end(), events, match["events"].decode(), match["matcher"].decode(), entry, options
    )


def strings(value: Value) -> tuple[str, ...] | None:
    """Return the members of a list of strings, each once, as a set has them; None where `value` is no such list."""
    if not isinstance(value, tuple):
        return None
    members = [each for each in value if isinstance(each, str)]
    return tuple(dict.fromkeys(members)) if len(members) == len(value) else None


def _options(evaluator: Evaluator, matcher: Value) -> tuple[Value, ...] | None:
    """Return the entry schemas that a matcher's schema leads to; None where it is no matcher's schema."""
    for each in (shape_of(evaluator, matcher) or {}).values():
        field = evaluator.force(each)
        if isinstance(field, Schema) and field.kind == "array" and field.args:
            options = entry_types_of(evaluator, evaluator.force(field.args[0]))
            if options is not None:
                return options
    return None
