"""Extending a project's history when its snapshot is refreshed: by the release that was read, and by those it skipped.

A history grows only here where it is there already; `driftgate history --scan` begins one.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError
from driftgate.gate.refresh import RefreshReport, refresh
from driftgate.gate.target import Target
from driftgate.history import published as registry
from driftgate.history.location import own_path
from driftgate.history.reading import Effort, Limits, Plan, Progress, reading_of, scan
from driftgate.history.record import History, history_of
from driftgate.history.sentences import joined
from driftgate.history.store import dump_history, load_history, write_history
from driftgate.project.configuration import Config
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, Surface
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM
from driftgate.versions import is_version, version_key

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions

MOST: Final = 50
"""So many skipped releases are read in one refresh at the most: they are small, and a refresh is to be quick."""


def refresh_and_extend(
    config: Config,
    target: Target,
    options: FetchOptions,
    *,
    deep: bool = False,
    dry_run: bool = False,
    keep_pin: bool = False,
) -> RefreshReport:
    """Refresh as `driftgate.gate.refresh` does, and extend the history that the project keeps. Raises as both do."""
    report = refresh(config, target, options, deep=deep, dry_run=dry_run, keep_pin=keep_pin)
    said = () if dry_run else extend(config, report.observed, options)
    return replace(report, notices=(*report.notices, *said))


def extend(config: Config, observed: Surface, options: FetchOptions) -> tuple[str, ...]:
    """Put `observed`, a release, into the project's history, and read the releases since the newest that it knows.

    Returns what there is to say of it: nothing where the project keeps no history. What cannot be read stays unknown
    and is said; it is no reason for a refresh to fail. Raises SnapshotError where the history is damaged.
    """
    path = own_path(config)
    version = observed.version
    if path is None or not path.is_file() or version is None or not is_version(version):
        return ()
    old = load_history(path)
    if old.upstream != config.upstream:
        return ()
    fresh = reading_of(version, _built_in(observed))
    new = history_of(old.upstream, (*old.read().values(), fresh), old.published())
    problems: tuple[str, ...] = ()
    if config.upstream == DEFAULT_UPSTREAM:
        new, problems = _with_skipped(new, old, options)
    if dump_history(new) == dump_history(old):
        return problems
    write_history(path, new)
    added = tuple(v for v in new.published() if v not in old.published())
    said = f"the history has {len(new.read()) - len(old.read())} more releases that were read"
    return (said + (f"; new in it: {joined(added)}" if added else ""), *problems)


def _with_skipped(history: History, old: History, options: FetchOptions) -> tuple[History, tuple[str, ...]]:
    """Return `history` with the small releases read that were published after the newest of `old`."""
    newest = version_key(old.published()[-1]) if old.published() else ()
    try:
        plan = registry.plan_of(options)
    except BlindError as problem:
        return history, (f"the history may lack releases: what is published is not known ({problem.what})",)
    published = tuple(sorted({*plan.published, *history.published()}, key=version_key))
    later = frozenset(version for version in plan.small if version_key(version) > newest)
    failed: list[str] = []

    def report(step: Progress) -> None:
        if step.problem:
            failed.append(f"the history lacks {step.version}: {step.problem.what}")

    since = tuple(version for version in published if version_key(version) >= newest)
    scanned = scan(
        history,
        Plan(since, later),
        lambda version: registry.read_release(version, options),
        Effort.SPARSE,
        limits=Limits(MOST),
        report=report,
    )
    return history_of(history.upstream, scanned.read().values(), published), tuple(failed)


def _built_in(surface: Surface) -> Surface:
    """Return the sets that every release is read for, without those that the project looks for beside them."""
    return replace(
        surface,
        vocabularies=MappingProxyType({n: v for n, v in surface.vocabularies.items() if n in HOOK_SETS}),
        tables=MappingProxyType({n: t for n, t in surface.tables.items() if n == HOOK_ENTRY_FIELDS_TABLE}),
    )
