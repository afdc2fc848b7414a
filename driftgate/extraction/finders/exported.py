"""A closed set, or a table of types with their fields, that a package's `.d.ts` exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from driftgate.declared.interpret import to_vocabulary
from driftgate.declared.matching import table_of
from driftgate.declared.source import Source, source_of
from driftgate.declared.typescript import read, stated
from driftgate.declared.unreadable import not_too_deep
from driftgate.declared.values import Foreign
from driftgate.errors import DeclaredError, ExtractionError
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.finders.usage import parse_usage
from driftgate.surface import Evidence, FieldTable, Origin, Place, Vocabulary, Witness
from driftgate.upstreams.finder import Finder

NOT_READ: Final = "also exported and not read:"
"""How a witness's note begins that names files in which the same name stands for something else."""

_NOWHERE: Final = Path(__file__).parent / "no-such-folder"
"""Where an artefact's file is said to stand, so that its imports are never looked for on this machine."""

_EXPORTED: Final = re.compile(
    r"^\s*export\s+(?:declare\s+)?(?:const\s+enum|abstract\s+class|type|interface|const|let|var|enum|class)\s+([\w$]+)"
    r"|^\s*export\s*(?:type\s*)?\{([^}]*)\}",
    re.MULTILINE,
)


def find_exported(
    name: str, finder: Finder, files: Iterable[tuple[str, bytes]], origin: Origin
) -> Vocabulary | FieldTable:
    """Return what `finder.export` stands for in one of `files` (name, text).

    Raises NotStatedError where none of them exports it, ExtractionError where it cannot be read, is smaller than it
    must be, or where two of them differ.
    """
    found: list[Vocabulary | FieldTable] = []
    beside: list[str] = []
    for file, text in files:
        source = source_of(
            _NOWHERE / file, _NOWHERE, file, text.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        )
        if _is_used(finder, source):
            found += _in_file(name, finder, source, origin)
        elif _matching(finder, source):
            beside.append(file)
    if not found:
        raise NotStatedError(
            f"{name}: not found in {origin}",
            where=str(origin),
            expected=f"{finder}, in a declaration file (.d.ts)",
            found="no declaration file that exports it",
            next="upstream renamed, moved or withheld it: look for it there, and correct how it is found",
        )
    first, *others = found
    if any(_content(other) != _content(first) for other in others):
        raise ExtractionError(
            f"{name}: the declaration files of {origin} contradict each other",
            where=", ".join(str(one.evidence[0].place) for one in found),
            found="; ".join(", ".join(sorted(map(str, _content(one)))) for one in found),
            next="name the file that is meant",
        )
    return _with_note(first, f"{NOT_READ} {', '.join(beside)}, where it is not used so") if beside else first


def _with_note(held: Vocabulary | FieldTable, note: str) -> Vocabulary | FieldTable:
    (evidence,) = held.evidence
    witnesses = tuple(replace(witness, note=note) for witness in evidence.witnesses)
    return replace(held, evidence=(replace(evidence, witnesses=witnesses),))


def _in_file(name: str, finder: Finder, source: Source, origin: Origin) -> Iterator[Vocabulary | FieldTable]:
    pattern = finder.export or ""
    matching = _matching(finder, source)
    if not matching:
        return
    try:
        with not_too_deep(source):
            exported = (statement for statement in stated(source) if statement.name in matching)
            held = table_of(name, pattern, exported) if finder.is_table else _set(name, pattern, source)
    except DeclaredError as problem:
        raise ExtractionError(
            f"{name}: {problem.what}",
            where=f"{origin}, {problem.where}",
            expected=problem.expected,
            found=problem.found,
        ) from problem
    if held is None:
        return
    members = tuple(held.rows) if isinstance(held, FieldTable) else held.members or ()
    if len(members) < finder.least:
        raise ExtractionError(
            f"{name}: {pattern} is smaller than it must be",
            where=f"{origin}, {held.evidence[0].place}",
            expected=f"at least {finder.least}",
            found=str(len(members)),
        )
    place = _with_offset(held.evidence[0].place, source)
    how = f"exported {'types' if finder.is_table else 'name'} {pattern}"
    yield replace(held, evidence=(Evidence(origin, place, (Witness(how, place, members),)),))


def _matching(finder: Finder, source: Source) -> list[str]:
    return sorted(exported for exported in _exports(source.text) if fnmatchcase(exported, finder.export or ""))


def _exports(text: str) -> set[str]:
    names: set[str] = set()
    for direct, listed in _EXPORTED.findall(text):
        names |= (
            {direct} if direct else {part.split(" as ")[-1].split()[-1] for part in listed.split(",") if part.strip()}
        )
    return names


def _is_used(finder: Finder, source: Source) -> bool:
    if finder.used_by is None:
        return True
    usage, text = parse_usage(finder.used_by), source.text.encode()
    spelt = re.compile(rb"(?<![\w$.])" + re.escape((finder.export or "").encode()) + rb"(?![\w$])")
    return any(usage.matches(text, *found.span(), lambda _: None) for found in spelt.finditer(text))


def _set(name: str, export: str, source: Source) -> Vocabulary | None:
    value = read(source, export)
    return None if isinstance(value, Foreign) else to_vocabulary(name, export, value)


def _content(held: Vocabulary | FieldTable) -> frozenset[object]:
    if isinstance(held, Vocabulary):
        return frozenset(held.members or ())
    return frozenset((row, frozenset(fields)) for row, fields in held.rows.items())


def _with_offset(place: Place, source: Source) -> Place:
    """Return a place by byte offset: what a snapshot records of a place in an artefact."""
    if place.line is None or place.column is None:
        return place
    before = source.lines[: place.line - 1]
    line = source.lines[place.line - 1].decode(errors="replace")
    return Place(place.source, offset=sum(len(each) + 1 for each in before) + len(line[: place.column - 1].encode()))
