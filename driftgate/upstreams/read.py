"""From an artefact, or a source tree, of an upstream to what it states."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from driftgate.artefact import Artefact
from driftgate.declared import read_declared, read_file_surface
from driftgate.errors import ExtractionError
from driftgate.finders.find import find_in_pieces
from driftgate.finders.missing import NotStatedError
from driftgate.finders.modules import Pieces, pieces_of
from driftgate.surface import FieldTable, Surface, Vocabulary, Witness, surface_of
from driftgate.upstreams.rows import UPSTREAMS, Published, Upstream, Written


def read_published(upstream: Upstream, artefact: Artefact) -> Surface:
    """Return what a published artefact of `upstream` states.

    Raises ExtractionError where a set is not found, several could be meant, or two ways to find it disagree.
    """
    pieces = pieces_of(artefact, (way for row in upstream.published for way in (*row.ways, *row.described)))
    held = tuple(_published(row, pieces, artefact) for row in upstream.published)
    lagging = tuple(
        note for row, one in zip(upstream.published, held, strict=True) for note in _lagging(row, one, pieces, artefact)
    )
    title = (
        f"{upstream.title} {artefact.upstream_version}"
        if artefact.upstream_version
        else f"{upstream.title} ({artefact.origin})"
    )
    return replace(surface_of(held, title), version=artefact.upstream_version, notices=lagging)


def _published(row: Published, pieces: Pieces, artefact: Artefact) -> Vocabulary | FieldTable:
    first, *others = row.ways
    held = find_in_pieces(row.set, first, pieces, artefact.origin)
    witnesses: list[Witness] = []
    for way in others:
        try:
            other = find_in_pieces(row.set, way, pieces, artefact.origin)
        except NotStatedError:
            witnesses.append(Witness(way.used_by or str(way), note="no such construct in this release"))
            continue
        _must_agree(held, other, artefact)
        witnesses += other.evidence[0].witnesses
    (evidence,) = held.evidence
    return replace(held, evidence=(replace(evidence, witnesses=(*evidence.witnesses, *witnesses)),))


def _lagging(row: Published, held: Vocabulary | FieldTable, pieces: Pieces, artefact: Artefact) -> Iterator[str]:
    """Yield what the places that only describe the set say otherwise."""
    for way in row.described:
        try:
            other = find_in_pieces(row.set, way, pieces, artefact.origin)
        except ExtractionError:
            continue
        missing, beyond = sorted(_names(held) - _names(other)), sorted(_names(other) - _names(held))
        if missing or beyond:
            words = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"adds {', '.join(beyond)}"] * bool(beyond)
            yield f"{artefact.origin}: {other.evidence[0].place} describes {row.set} and {' and '.join(words)}"


def _names(held: Vocabulary | FieldTable) -> set[str]:
    return set(held.members or ()) if isinstance(held, Vocabulary) else set(held.rows)


def _must_agree(one: Vocabulary | FieldTable, other: Vocabulary | FieldTable, artefact: Artefact) -> None:
    names = [_names(held) for held in (one, other)]
    if names[0] == names[1]:
        return
    places = [held.evidence[0].place for held in (one, other)]
    only = [sorted(names[0] - names[1]), sorted(names[1] - names[0])]
    raise ExtractionError(
        f"{one.name}: {artefact.origin} contradicts itself",
        where=f"{places[0]}; {places[1]}",
        expected="two readings of one set that agree",
        found="; ".join(
            f"{len(names[side])} in {places[side]}" + (f", only there: {', '.join(only[side])}" if only[side] else "")
            for side in (0, 1)
        ),
        next="look at both places; which one upstream means cannot be told from here",
    )


def written_in(path: Path, upstream: Upstream | None = None) -> Upstream | None:
    """Return the upstream whose source tree or source file `path` is; of `upstream` only, where that is given."""
    rows: Iterable[Upstream] = (upstream,) if upstream else UPSTREAMS.values()
    return next((row for row in rows if any(_file(path, each) for each in row.written)), None)


def _file(path: Path, row: Written) -> Path | None:
    if path.is_dir():
        file = path / row.path
        return file if file.is_file() else None
    return path if path.name == row.path.rsplit("/", 1)[-1] and path.is_file() else None


def read_written(upstream: Upstream, path: Path) -> Surface:
    """Return what the source tree (or the source file) at `path` states.

    A source tree has no release: its version is named after the bytes that were read. Raises DeclaredError where a set
    cannot be read, ExtractionError where one is missing or smaller than it must be.
    """
    held: dict[str, Vocabulary | FieldTable] = {}
    digest = hashlib.sha256()
    for row in upstream.written:
        file = _file(path, row)
        if file is None:
            raise ExtractionError(
                f"{row.set}: not found in {path}",
                where=str(path),
                expected=f"a checkout of {upstream.title} with {row.path}, or that file",
                next="upstream moved it, or this is another folder",
            )
        digest.update(file.read_bytes())
        held |= {one.name: one for one in _written(row, file)}
        size = len(_names(held[row.set])) if row.set in held else 0
        if size < row.least:
            raise ExtractionError(
                f"{row.set}: not found, or smaller than it must be",
                where=str(file),
                expected=f"at least {row.least} members" + (f" in {row.name}" if row.name else ""),
                found=str(size),
                next="upstream renamed, moved or withheld it: look at what the file states now",
            )
    version = f"sha256-{digest.hexdigest()[:16]}"
    return replace(surface_of(held.values(), f"{upstream.title} ({path})"), version=version)


def _written(row: Written, file: Path) -> tuple[Vocabulary | FieldTable, ...]:
    if row.name is None:
        return read_file_surface(file).sets()
    return (read_declared(f"{file.name}#{row.name}", root=file.parent, vocabulary=row.set),)
