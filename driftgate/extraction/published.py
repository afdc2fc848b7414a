"""What an upstream's package states: the sets that its catalogue row finds in an artefact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.finders.exported import NOT_READ
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.finders.pieces import Pieces, pieces_of
from driftgate.extraction.finders.search import find_in_pieces
from driftgate.extraction.written import member_names
from driftgate.surface import FieldTable, Surface, Vocabulary, Witness, surface_of
from driftgate.upstreams.catalogue import Published, Upstream


def read_published(upstream: Upstream, artefact: Artefact) -> Surface:
    """Return what a published artefact of `upstream` states.

    Raises ExtractionError where a set is not found, several could be meant, or two ways to find it disagree.
    """
    pieces = pieces_of(artefact, (way for row in upstream.published for way in (*row.ways, *row.described)))
    held = tuple(_published(row, pieces, artefact) for row in upstream.published)
    lagging = tuple(
        note for row, one in zip(upstream.published, held, strict=True) for note in _lagging(row, one, pieces, artefact)
    )
    beside = tuple(
        f"{artefact.origin}: {one.name} is {witness.how}; {witness.note}"
        for one in held
        for evidence in one.evidence
        for witness in evidence.witnesses
        if witness.note.startswith(NOT_READ)
    )
    title = (
        f"{upstream.title} {artefact.upstream_version}"
        if artefact.upstream_version
        else f"{upstream.title} ({artefact.origin})"
    )
    return replace(surface_of(held, title), version=artefact.upstream_version, notices=(*lagging, *beside))


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
        missing, beyond = (
            sorted(member_names(held) - member_names(other)),
            sorted(member_names(other) - member_names(held)),
        )
        if missing or beyond:
            words = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"adds {', '.join(beyond)}"] * bool(beyond)
            yield f"{artefact.origin}: {other.evidence[0].place} describes {row.set} and {' and '.join(words)}"


def _must_agree(one: Vocabulary | FieldTable, other: Vocabulary | FieldTable, artefact: Artefact) -> None:
    names = [member_names(held) for held in (one, other)]
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
