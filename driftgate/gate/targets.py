"""From what people name to what it states: targets, and the pinned snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError, SnapshotError
from driftgate.judge.comparison import Diff
from driftgate.project.configuration import Config
from driftgate.snapshot import load_snapshot
from driftgate.surface import HOOK_EVENTS_SET, Origin, Surface
from driftgate.upstreams.titles import DEFAULT_UPSTREAM, TITLES
from driftgate.versions import is_version

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions
    from driftgate.extraction.finders.finder import Finder


_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs"})
"""Endings of bundles, and of modules that are written by hand."""


def observe(
    target: str,
    options: FetchOptions,
    *,
    deep: bool = False,
    pinned: Mapping[str, str] | None = None,
    upstream: str = DEFAULT_UPSTREAM,
    finders: Mapping[str, Finder] = MappingProxyType({}),
) -> Surface:
    """Return the surface that `target` states: a release, an npm spec, a local artefact, or a source file.

    Releases are those of `upstream`; `finders` are the sets of one's own to find in an artefact beside those that are
    built in (a snapshot holds them already). Raises `UsageError` for a target that names nothing, and `BlindError`
    where it cannot be read or where two of its artefacts contradict each other.
    """
    path = Path(target)
    if path.suffix in {".yaml", ".yml"} and path.is_file():
        return load_snapshot(path)
    # Imported here: the offline check needs none of this and starts faster without it.
    from driftgate.declared import is_source_file, read_file_surface
    from driftgate.upstreams.catalogue import upstream_named

    known = upstream_named(upstream)
    is_source = path.is_file() and is_source_file(path) and not finders and not known.written
    if is_source and path.suffix not in _SCRIPTS:
        return read_file_surface(path, root=_project(path))
    from driftgate.upstreams.observe import observe_upstream

    try:
        return observe_upstream(target, known, options, deep=deep, pinned=pinned, finders=finders)
    except BlindError:
        # A script may also be a module that someone wrote, and declares hook events in. Anything less stays blind: a
        # bundle without its anchor holds many a list, and none of them is the answer.
        declared = _hooks_declared(path) if is_source else None
        if declared is None:
            raise
        return declared


def _project(path: Path) -> Path | None:
    """Return the folder that bounds where imports of a file are looked for: the current one, if the file is in it."""
    here = Path.cwd()
    return here if here in path.resolve().parents else None


def _hooks_declared(path: Path) -> Surface | None:
    """Return what a module declares, if it names hook events as such."""
    from driftgate.declared import read_file_surface

    try:
        surface = read_file_surface(path)
    except BlindError:
        return None
    return surface if surface.members(HOOK_EVENTS_SET) else None


def pinned_integrity(snapshot: Surface) -> dict[str, str]:
    """Return the integrity of each artefact that a snapshot was read from: "package@version" -> "sha512-..."."""
    return {str(origin): origin.integrity for origin in origins_of(snapshot) if origin.package and origin.integrity}


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
