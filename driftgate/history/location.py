"""Which history a project has: a file beside its snapshot, else the one that driftgate ships."""

from __future__ import annotations

from pathlib import Path

from driftgate.errors import UsageError
from driftgate.history.record import History
from driftgate.history.store import load_history, shipped_history
from driftgate.project.configuration import Config
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM, title_of
from driftgate.upstreams.shipped import snapshots_dir

NAME = "history.yaml"


def own_path(config: Config) -> Path | None:
    """Return where a project keeps a history of its own: beside its snapshot. None where that is not its to write."""
    if config.builtin or (config.snapshot.parent.parent == snapshots_dir() and not config.is_own):
        return None
    return config.snapshot.parent / NAME


def history_in_force(config: Config | None) -> History:
    """Return the project's own history where it has one, else the one that driftgate ships."""
    if config is not None:
        path = own_path(config)
        if path is not None and path.is_file():
            return load_history(path)
        if config.upstream != DEFAULT_UPSTREAM:
            return shipped_history(config.upstream)
    return shipped_history()


def claude_code_only(config: Config | None, *, where: str) -> None:
    """Raise UsageError, naming `where`, in a project of another upstream: only Claude Code's releases are searched."""
    if config is not None and config.upstream != DEFAULT_UPSTREAM:
        raise UsageError(
            f"only the releases of {title_of(DEFAULT_UPSTREAM)} have a history",
            where=where,
            found=f"upstream = {config.upstream} in {config.source}",
        )
