"""Refresh: a release's snapshot written, and the pin moved to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError, ConfigError
from driftgate.gate.observe import observe
from driftgate.gate.pinned import pinned_snapshot, uncompared
from driftgate.gate.target import Target
from driftgate.judge.comparison import Change, Count, Diff, diff
from driftgate.project import pin
from driftgate.project.configuration import Config
from driftgate.snapshot import write_snapshot
from driftgate.surface import HOOK_ENTRY_FIELDS_TABLE, HOOK_SETS, Surface
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM, UPSTREAMS
from driftgate.versions import is_version

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions

_BUILT_IN: Final = (*HOOK_SETS, HOOK_ENTRY_FIELDS_TABLE)


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What `refresh` did, or would do: the snapshot's path, the pin before and after, and what changed between them.

    `observed` is what the new release states.
    """

    path: Path
    old: str | None
    new: str
    changes: tuple[Change, ...]
    counts: Mapping[str, Count]
    written: bool
    observed: Surface
    notices: tuple[str, ...] = ()


def _is_source(upstream: str) -> bool:
    """Return whether an upstream is read from its source tree, which has no release."""
    return bool(UPSTREAMS[upstream].written)


def _must_be_whole(config: Config, observed: Surface) -> None:
    """Raise `BlindError` where `observed` is a part of what its release states: a snapshot would pass it off as all."""
    needed = {*config.declared, *(_BUILT_IN if config.upstream == DEFAULT_UPSTREAM else ())}
    missing = sorted(needed - {held.name for held in observed.sets()})
    partial = [f"{table.name} (its public fields only)" for table in observed.tables.values() if not table.complete]
    if missing or partial:
        raise BlindError(
            f"not everything was read, so nothing is written: {', '.join((*missing, *partial))}",
            where=observed.title,
            expected="a source that states all sets whole, such as a release or its bundle",
            next="name a release: declarations alone (.d.ts) leave some sets and fields out",
        )


def refresh(
    config: Config,
    target: Target,
    options: FetchOptions,
    *,
    deep: bool = False,
    dry_run: bool = False,
    keep_pin: bool = False,
) -> RefreshReport:
    """Read the release `target` (a version, or "latest"), write its snapshot and move the pin to it.

    `keep_pin` writes the snapshot beside the pinned one and leaves the pin where it is. Nothing is written unless
    everything was read. Raises `BlindError`, and `ConfigError` where there is no project whose snapshot it would be.
    """
    if config.builtin:
        raise ConfigError(
            "there is no project here whose snapshot could be refreshed",
            where=str(config.source),
            next="run it in a project, or `driftgate init` first",
        )
    old = pinned_snapshot(config) if config.snapshot.exists() else None
    observed = observe(target, options, deep=deep, upstream=config.upstream, finders=config.finders)
    if observed.version is None or not (is_version(observed.version) or _is_source(config.upstream)):
        raise ConfigError(
            "a snapshot is of a release",
            where=target.text,
            expected="a version such as 2.1.296, or latest",
            found=observed.title,
        )
    _must_be_whole(config, observed)
    path = pin.path_of(config, observed.version)
    if keep_pin and path == config.snapshot and old is not None and old.version != observed.version:
        raise ConfigError(
            "the snapshot of another release would take the place of the pinned one",
            where=str(config.snapshot),
            expected="a snapshot that is named after its version, so that two can stand side by side",
            next="rename it, or refresh without --keep-pin",
        )
    between = diff(observed, old) if old is not None else Diff((), {}, ())
    # A set of one's own that is no longer looked for leaves the snapshot; a built-in one never does so silently.
    if old is not None and any(name in _BUILT_IN for name in between.uncompared):
        raise uncompared(between, observed)
    written = False
    if not dry_run:
        written = write_snapshot(path, observed, config.upstream)
        written |= not keep_pin and pin.move(config, path, observed.version)
    return RefreshReport(
        path=path,
        old=old.version if old is not None else None,
        new=observed.version,
        changes=between.changes,
        counts=between.counts,
        written=written,
        notices=observed.notices,
        observed=observed,
    )
