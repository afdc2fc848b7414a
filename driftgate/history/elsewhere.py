"""Names that other harnesses of the catalogue know: where someone who asks for one may have it from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from driftgate.history.stated import Name, matching, names_of
from driftgate.snapshot import load_snapshot
from driftgate.surface import Surface
from driftgate.upstreams.catalogue import UPSTREAMS
from driftgate.upstreams.shipped import snapshots_of


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A name as another harness has it, and the release whose snapshot says so."""

    harness: str
    version: str
    name: Name


def elsewhere(text: str, but: str) -> tuple[Elsewhere, ...]:
    """Return where harnesses other than `but` know a name that `text` stands for, by their newest shipped snapshots.

    Raises SnapshotError for a damaged one.
    """
    return tuple(
        Elsewhere(UPSTREAMS[upstream].title, surface.version or "", name)
        for upstream, surface in _newest(but)
        for name in matching(text, names_of(surface))
    )


def _newest(but: str) -> Iterator[tuple[str, Surface]]:
    for upstream in UPSTREAMS:
        path = next(reversed(snapshots_of(upstream).values()), None)
        if upstream != but and path is not None:
            yield upstream, load_snapshot(path)
