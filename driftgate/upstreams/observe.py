"""What a release, a package, a local artefact or a source tree of any upstream states: the one way in for the gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from driftgate.anchors import FetchOptions, find, parse_target
from driftgate.anchors.catalogue import CLAUDE_CODE, program_of
from driftgate.artefact import Artefact
from driftgate.errors import UsageError
from driftgate.surface import FieldTable, Surface, Vocabulary
from driftgate.upstreams.catalogue import UPSTREAMS, Upstream
from driftgate.upstreams.source_trees import read_written, written_in

if TYPE_CHECKING:
    from driftgate.extraction.finders.finder import Finder

_NO_FINDERS: Mapping[str, Finder] = MappingProxyType({})


def observe_upstream(
    target: str,
    upstream: Upstream,
    options: FetchOptions,
    *,
    deep: bool = False,
    pinned: Mapping[str, str] | None = None,
    finders: Mapping[str, Finder] = _NO_FINDERS,
) -> Surface:
    """Return what `target` states: the sets of the upstream that it belongs to, and those that `finders` find in it.

    A release, or "latest", is one of `upstream`; anything else says itself what it belongs to. Raises `UsageError` for
    a target that names nothing, and `BlindError` where it cannot be read, or two readings of it contradict each other.
    """
    path = Path(target)
    tree = written_in(path, upstream if upstream.written else None)
    if tree is not None:
        return read_written(tree, path)
    program = program_of(upstream.package) if upstream.package else None
    if program is None and not path.exists() and not target.startswith("npm:"):
        raise UsageError(
            f"{upstream.title} has no releases that driftgate fetches",
            where=target,
            expected=f"a checkout of it, or its {' or '.join(row.path for row in upstream.written)}",
        )
    parsed = parse_target(target)
    artefacts = find(parsed, options, deep=deep, pinned=pinned, program=program[0] if program else CLAUDE_CODE)
    surface = _read(artefacts, upstream)
    notices = (note for artefact in artefacts for note in artefact.notices)
    surface = replace(surface, notices=(*notices, *surface.notices))
    if not finders:
        return surface
    from driftgate.extraction.finders.search import find_sets  # most projects have no sets of their own to find

    return with_sets(surface, find_sets(finders, artefacts))


def _read(artefacts: tuple[Artefact, ...], upstream: Upstream) -> Surface:
    known = _upstream_of(artefacts[0]) or upstream
    # One of the two ways to read is needed, and each brings its own parsers.
    if known.published:
        from driftgate.upstreams.packages import read_published

        return read_published(known, artefacts[0])
    from driftgate.extraction import combine, read_surface

    return combine([read_surface(artefact) for artefact in artefacts])


def _upstream_of(artefact: Artefact) -> Upstream | None:
    """Return the upstream whose package an artefact is; None for a file that says nothing of itself."""
    known = program_of(artefact.origin.package) if artefact.origin.package else None
    if known is None:
        return None
    return next((row for row in UPSTREAMS.values() if row.package == known[0].main.name), None)


def with_sets(surface: Surface, held: tuple[Vocabulary | FieldTable, ...]) -> Surface:
    """Return `surface` with further sets."""
    vocabularies = {one.name: one for one in held if isinstance(one, Vocabulary)}
    tables = {one.name: one for one in held if isinstance(one, FieldTable)}
    return replace(
        surface,
        vocabularies=MappingProxyType({**surface.vocabularies, **vocabularies}),
        tables=MappingProxyType({**surface.tables, **tables}),
    )
