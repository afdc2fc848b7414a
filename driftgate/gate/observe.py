"""What a target states: the one way in for everybody who wants to know what a release, a file or a package says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.declared import read_declared, read_file_surface
from driftgate.declared.file_surface import canonical
from driftgate.errors import BlindError, UsageError
from driftgate.extraction.written import read_written, written_in
from driftgate.gate.target import Target, TargetKind
from driftgate.snapshot import load_snapshot
from driftgate.surface import HOOK_EVENTS_SET, FieldTable, Surface, Vocabulary, surface_of
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM, UPSTREAMS, Upstream, upstream_named
from driftgate.upstreams.shipped import snapshots_of

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions
    from driftgate.artefact import Artefact
    from driftgate.upstreams.finder import Finder

_NO_FINDERS: Final[Mapping[str, Finder]] = MappingProxyType({})
_FETCHED: Final = frozenset({TargetKind.RELEASE, TargetKind.LATEST})


def observe(
    target: Target,
    options: FetchOptions,
    *,
    deep: bool = False,
    pinned: Mapping[str, str] | None = None,
    upstream: str = DEFAULT_UPSTREAM,
    finders: Mapping[str, Finder] = _NO_FINDERS,
) -> Surface:
    """Return the surface that `target` states.

    Releases are those of `upstream`; anything else says itself what it belongs to. `finders` are the sets of one's own
    to find in an artefact beside those that are built in (a snapshot holds them already); `pinned` maps
    "package@version" to the integrity that a snapshot recorded. Raises `UsageError` for a target that names nothing or
    has no meaning here, and `BlindError` where it cannot be read or where two of its artefacts contradict each other.
    """
    if target.kind in (TargetKind.PINNED, TargetKind.PROJECT):
        raise UsageError(
            "what is pinned is known to a project only",
            where=target.text,
            expected="a version, latest, npm:PACKAGE@VERSION, or a path",
            next="driftgate check --against pinned",
        )
    if deep and target.kind not in _FETCHED:
        raise UsageError(
            "deep reads two artefacts of a release, and must agree on both; this is one",
            where=target.text,
            expected="a version, latest, or pinned",
        )
    if target.kind is TargetKind.SNAPSHOT and target.path:
        return load_snapshot(target.path)
    if target.spec and target.path:
        return _one_set(target.spec, target.path)
    known = upstream_named(upstream)
    tree = _tree(target, known)
    if tree is not None and target.path:
        return read_written(tree, target.path)
    is_source = bool(target.path) and not finders and not known.written
    if is_source and target.kind is TargetKind.SOURCE and target.path:
        return read_file_surface(target.path, root=_project(target.path))
    try:
        return _in_artefacts(target, known, options, deep=deep, pinned=pinned, finders=finders)
    except BlindError:
        # A script may also be a module that someone wrote, and declares hook events in. Anything less stays blind: a
        # bundle without its anchor holds many a list, and none of them is the answer.
        declared = _hooks_declared(target.path) if is_source and target.kind is TargetKind.SCRIPT else None
        if declared is None:
            raise
        return declared


def observe_or_shipped(target: Target, options: FetchOptions, *, deep: bool = False) -> Surface:
    """As `observe`, for who wants to know what a release states: where it cannot be fetched, as driftgate ships it.

    The snapshot that is shipped was read from the same release; which of the two was read is said. With `deep` it will
    not do: what was asked for is that two artefacts agree.
    """
    from driftgate.anchors.unavailable import NotCachedError, UnreachableError  # snapshots need none of it

    try:
        return observe(target, options, deep=deep)
    except (NotCachedError, UnreachableError) as problem:
        path = snapshots_of(DEFAULT_UPSTREAM).get(target.version or "") if target.kind is TargetKind.RELEASE else None
        if path is None or deep:
            raise
        surface = load_snapshot(path)
        note = f"{problem.what}; read from the snapshot of {target.version} that driftgate ships"
        return replace(surface, notices=(note, *surface.notices))


def artefacts_of(
    target: Target,
    options: FetchOptions,
    *,
    upstream: Upstream | None = None,
    deep: bool = False,
    pinned: Mapping[str, str] | None = None,
    pinned_in: str = "the snapshot",
) -> tuple[Artefact, ...]:
    """Return the artefacts of `target` (a release, a package version, or what lies on this machine), the anchor first.

    Raises `AnchorError` where one is not to be had, `ConfigError` where npm's configuration names no registry, and
    `UsageError` for a path where nothing is.
    """
    # Imported here: sources and snapshots need none of it.
    from driftgate.anchors import find_local, find_package, find_release
    from driftgate.upstreams.catalogue import CLAUDE_CODE, program_of

    if target.path:
        return (find_local(target.text, target.path),)
    if target.package and target.version:
        return (find_package(target.package, target.version, options, pinned=pinned, pinned_in=pinned_in),)
    program = program_of(upstream.package) if upstream and upstream.package else None
    return find_release(
        target.version,
        options,
        program=program[0] if program else CLAUDE_CODE,
        deep=deep,
        pinned=pinned,
        pinned_in=pinned_in,
    )


def _one_set(spec: str, path: Path) -> Surface:
    """Return the surface of the one set that `spec` names in the file at `path`."""
    name = canonical(spec.rpartition("#")[2])
    return surface_of((read_declared(spec, root=path.parent, vocabulary=name),), f"{path}#{spec.rpartition('#')[2]}")


def _tree(target: Target, upstream: Upstream) -> Upstream | None:
    """Return whose source tree `target` is; where an upstream of that kind is asked for, one file of it will do."""
    if target.kind is TargetKind.CHECKOUT and target.upstream:
        return upstream_named(target.upstream)
    return written_in(target.path, upstream) if target.path and upstream.written else None


def _project(path: Path) -> Path | None:
    """Return the folder that bounds where imports of a file are looked for: the current one, if the file is in it."""
    here = Path.cwd()
    return here if here in path.resolve().parents else None


def _hooks_declared(path: Path | None) -> Surface | None:
    """Return what a module declares, if it names hook events as such."""
    try:
        surface = read_file_surface(path) if path else None
    except BlindError:
        return None
    return surface if surface and surface.members(HOOK_EVENTS_SET) else None


def _in_artefacts(
    target: Target,
    upstream: Upstream,
    options: FetchOptions,
    *,
    deep: bool,
    pinned: Mapping[str, str] | None,
    finders: Mapping[str, Finder],
) -> Surface:
    if target.kind in _FETCHED and not upstream.package:
        raise UsageError(
            f"{upstream.title} has no releases that driftgate fetches",
            where=target.text,
            expected=f"a checkout of it, or its {' or '.join(row.path for row in upstream.written)}",
        )
    from driftgate.anchors.unavailable import DamagedError  # sources and snapshots need none of it

    read = partial(_once, target, upstream, options, deep=deep, pinned=pinned, finders=finders)
    try:
        return read()
    except DamagedError as problem:
        if options.offline:
            raise
        surface = read()
        again = "read again" if target.path else "fetched again"
        return replace(surface, notices=(f"{problem.what}; {again}", *surface.notices))


def _once(
    target: Target,
    upstream: Upstream,
    options: FetchOptions,
    *,
    deep: bool,
    pinned: Mapping[str, str] | None,
    finders: Mapping[str, Finder],
) -> Surface:
    artefacts = artefacts_of(target, options, upstream=upstream, deep=deep, pinned=pinned)
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
        from driftgate.extraction.published import read_published

        return read_published(known, artefacts[0])
    from driftgate.extraction import combine, read_surface

    return combine([read_surface(artefact) for artefact in artefacts])


def _upstream_of(artefact: Artefact) -> Upstream | None:
    """Return the upstream whose package an artefact is; None for a file that says nothing of itself."""
    from driftgate.upstreams.catalogue import program_of

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
