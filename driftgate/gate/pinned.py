"""The snapshot that a project is pinned to, and what it says of the artefacts that it was read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from driftgate.errors import BlindError, SnapshotError
from driftgate.judge.comparison import Diff
from driftgate.project.configuration import Config
from driftgate.snapshot import load_snapshot
from driftgate.surface import Origin, Surface
from driftgate.upstreams.catalogue import title_of
from driftgate.versions import is_version

_AGAIN: Final = "write it again with `driftgate refresh --to {}`, and look at what changed"


def origins_of(surface: Surface) -> tuple[Origin, ...]:
    """Return the artefacts that a surface was read from, each once."""
    every = (evidence.origin for held in surface.sets() for evidence in held.evidence)
    return tuple(dict.fromkeys(origin for origin in every if str(origin)))  # a snapshot of a checkout names no place


def pinned_snapshot(config: Config) -> Surface:
    """Return the configuration's snapshot; a file named after another version than it states is an error."""
    snapshot = load_snapshot(config.snapshot)
    of = title_of(config.upstream)
    if not snapshot.title.startswith(f"{of} "):
        raise SnapshotError(
            "the snapshot is of another upstream than the configuration names",
            where=str(config.snapshot),
            expected=of,
            found=snapshot.title,
            next="name the right upstream, or the right snapshot",
        )
    stem = config.snapshot.stem
    if is_version(stem) and stem != snapshot.version:
        raise SnapshotError(
            "the snapshot states another version than its name",
            where=str(config.snapshot),
            expected=stem,
            found=str(snapshot.version),
            next="write it again with `driftgate refresh --to " + stem + "`",
        )
    return snapshot


def uncompared(result: Diff, observed: Surface) -> BlindError:
    """Return the error for sets that are declared and that `observed` does not state."""
    return BlindError(
        f"not everything that is declared could be compared: {', '.join(result.uncompared)}",
        where=observed.title,
        expected="a source that states every declared set",
        found=f"it states {', '.join(held.name for held in observed.sets()) or 'none'}",
        next="compare with a release or with its bundle; declarations alone (.d.ts) leave guard events out",
    )


def pinned_integrity(snapshot: Surface, where: str) -> dict[str, str]:
    """Return the integrity of each artefact that a snapshot was read from: "package@version" -> "sha512-...".

    Raises `SnapshotError` where the snapshot pins nothing: it names no release, or no artefact with an integrity.
    """
    if not is_version(snapshot.version or ""):
        raise SnapshotError(
            "the snapshot names no release, so there is no anchor to compare it with",
            where=where,
            expected="a version such as 2.1.296",
            found=repr((snapshot.version or "")[:80]),
            next="write it again with `driftgate refresh --to VERSION`",
        )
    pins = {str(origin): origin.integrity for origin in origins_of(snapshot) if origin.package and origin.integrity}
    if not pins:
        raise SnapshotError(
            "the snapshot pins nothing: it has no evidence that states an artefact and its integrity",
            where=where,
            expected="anchors with package, version and integrity, and evidence that names them",
            next=_AGAIN.format(snapshot.version),
        )
    return pins


def read_as_pinned(observed: Surface, pins: Mapping[str, str], where: str) -> Surface:
    """Return what was read of a snapshot's own anchor; artefacts that the snapshot does not pin are said.

    Raises `SnapshotError` where none of them is pinned: then the snapshot is of something else.
    """
    read = tuple(origin for origin in origins_of(observed) if origin.package)
    unpinned = [str(origin) for origin in read if str(origin) not in pins]
    if not read or str(read[0]) in unpinned:
        raise SnapshotError(
            f"the snapshot does not pin what its release is read from: {', '.join(unpinned) or observed.title}",
            where=where,
            expected="evidence with an integrity for it",
            found=", ".join(pins),
            next=_AGAIN.format(observed.version),
        )
    notes = (f"{name} is not pinned by the snapshot; its registry's word was taken" for name in unpinned)
    return replace(observed, notices=(*observed.notices, *notes))
