"""Names that other harnesses of the catalogue know: where someone who asks for one may have it from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from driftgate.config import snapshots_dir
from driftgate.history.names import Name, matching, names_of
from driftgate.snapshot import load_snapshot
from driftgate.surface import Surface
from driftgate.upstreams.rows import UPSTREAMS
from driftgate.versions import is_version, version_key


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A name as another harness has it, and the release whose snapshot says so."""

    harness: str
    version: str
    name: Name


def elsewhere(text: str, but: str, folder: Path | None = None) -> tuple[Elsewhere, ...]:
    """Return where harnesses other than `but` know a name that `text` stands for, by their newest snapshots.

    `folder` holds the snapshots (default: those that driftgate ships). Raises SnapshotError for a damaged one.
    """
    return tuple(
        Elsewhere(UPSTREAMS[upstream].title, surface.version or "", name)
        for upstream, surface in _newest(folder or snapshots_dir(), but)
        for name in matching(text, names_of(surface))
    )


def _newest(folder: Path, but: str) -> Iterator[tuple[str, Surface]]:
    for upstream in UPSTREAMS:
        versions = [path.stem for path in (folder / upstream).glob("*.yaml") if is_version(path.stem)]
        if upstream != but and versions:
            yield upstream, load_snapshot(folder / upstream / f"{max(versions, key=version_key)}.yaml")
