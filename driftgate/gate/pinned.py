"""The snapshot that a project is pinned to, and what it says of the artefacts that it was read from."""

from __future__ import annotations

from driftgate.errors import BlindError, SnapshotError
from driftgate.judge.comparison import Diff
from driftgate.project.configuration import Config
from driftgate.snapshot import load_snapshot
from driftgate.surface import Origin, Surface
from driftgate.upstreams.titles import TITLES
from driftgate.versions import is_version


def origins_of(surface: Surface) -> tuple[Origin, ...]:
    """Return the artefacts that a surface was read from, each once."""
    every = (evidence.origin for held in surface.sets() for evidence in held.evidence)
    return tuple(dict.fromkeys(origin for origin in every if str(origin)))  # a snapshot of a checkout names no place


def pinned_snapshot(config: Config) -> Surface:
    """Return the configuration's snapshot; a file named after another version than it states is an error."""
    snapshot = load_snapshot(config.snapshot)
    of = TITLES[config.upstream]
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


def pinned_integrity(snapshot: Surface) -> dict[str, str]:
    """Return the integrity of each artefact that a snapshot was read from: "package@version" -> "sha512-..."."""
    return {str(origin): origin.integrity for origin in origins_of(snapshot) if origin.package and origin.integrity}
