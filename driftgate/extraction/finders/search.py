"""From finders and artefacts to sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.finders.exported import find_exported
from driftgate.extraction.finders.in_bundle import find_in_bundle
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.finders.pieces import Pieces, pieces_of, within
from driftgate.surface import FieldTable, Origin, Vocabulary
from driftgate.upstreams.finder import Finder


def find_sets(finders: Mapping[str, Finder], artefacts: Iterable[Artefact]) -> tuple[Vocabulary | FieldTable, ...]:
    """Return the sets that `finders` (set name -> how it is found) mean, each from the first artefact that states it.

    Raises ExtractionError where a set is stated by none of the artefacts, or several could be meant; AnchorError where
    an artefact cannot be read.
    """
    found: dict[str, Vocabulary | FieldTable] = {}
    problems: dict[str, NotStatedError] = {}
    for artefact in artefacts:
        rest = {name: finder for name, finder in finders.items() if name not in found}
        if not rest:
            break
        pieces = pieces_of(artefact, rest.values())
        for name, finder in rest.items():
            try:
                found[name] = find_in_pieces(name, finder, pieces, artefact.origin)
            except NotStatedError as problem:
                problems.setdefault(name, problem)
    missing = [problem for name, problem in problems.items() if name not in found]
    if missing:
        raise missing[0] if len(missing) == 1 else ExtractionError("\n".join(map(str, missing)))
    return tuple(found[name] for name in finders)


def find_in_pieces(name: str, finder: Finder, pieces: Pieces, origin: Origin) -> Vocabulary | FieldTable:
    """Return the set that one finder means, from what was kept of an artefact. Raises ExtractionError."""
    if finder.export:
        files = [(file, text) for file, text in pieces.declarations if within(finder, file)]
        return find_exported(name, finder, files, origin)
    modules = tuple(module for module in pieces.modules if within(finder, module.member))
    reading = find_in_bundle(name, finder, modules, origin)
    return Vocabulary(name, reading.members, (reading.evidence,))
