"""Options that several commands share, and their layers: flag, then environment, then configuration."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from driftgate.commands import IO
from driftgate.errors import NoConfigError, UsageError
from driftgate.near import did_you_mean
from driftgate.project.configuration import Config, Project
from driftgate.project.finding import config_file, find_project
from driftgate.project.layers import layered

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has."""
    group = parser.add_argument_group("output")
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="only the last line, with the verdict")
    volume.add_argument("-v", "--verbose", action="store_true", help="also what agrees, and the evidence")
    group.add_argument("--no-color", action="store_true", help="no colours (so does NO_COLOR)")


def add_config_argument(parser: argparse.ArgumentParser) -> None:
    """Add --config."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration (default: the nearest one upwards)"
    )


def add_fetch_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what has to do with fetching artefacts."""
    group = parser.add_argument_group("artefacts")
    group.add_argument(
        "--offline", action="store_true", help="open no socket: use what is cached, or say that it is not"
    )
    group.add_argument("--registry", metavar="URL", help="the package registry (default: as npm is configured)")
    group.add_argument("--cache", type=Path, metavar="DIR", help="where artefacts are kept (default: the user's cache)")
    group.add_argument(
        "--timeout", metavar="SECONDS", help=f"how long fetching may take altogether (default: {TIMEOUT:g})"
    )


def add_format_argument(parser: argparse.ArgumentParser, choices: tuple[str, ...]) -> None:
    """Add --format."""
    parser.add_argument("--format", metavar="FORMAT", help=f"{' | '.join(choices)} (default: text)")


def add_upstream_argument(parser: argparse.ArgumentParser) -> None:
    """Add --upstream, for projects that mirror several."""
    parser.add_argument("--upstream", metavar="NAME", help="the mirror that is meant, where a project has several")


def project_of(args: argparse.Namespace, io: IO, *, unreasoned: bool = False) -> Project:
    """Return the configuration in force: --config, else DRIFTGATE_CONFIG, else the nearest one upwards.

    `unreasoned` lets accepted entries without a reason pass.
    """
    return find_project(io.cwd, _named_config(args, io), unreasoned=unreasoned)


def config_of(args: argparse.Namespace, io: IO) -> Config:
    """Return the mirror that is meant: the one of --upstream where the command has it, else the only one."""
    return project_of(args, io).one(getattr(args, "upstream", None))


def config_if_any(args: argparse.Namespace, io: IO) -> Config | None:
    """Return the first mirror of the configuration in force, None where there is no configuration."""
    try:
        return project_of(args, io).mirrors[0]
    except NoConfigError:
        return None


def config_file_of(args: argparse.Namespace, io: IO) -> Path:
    """Return the file of the configuration in force. Raises like `config_of`."""
    return _named_config(args, io) or config_file(io.cwd)


def _named_config(args: argparse.Namespace, io: IO) -> Path | None:
    explicit = args.config or io.environ.get("DRIFTGATE_CONFIG")
    return io.cwd / explicit if explicit else None


def format_of(args: argparse.Namespace, io: IO, choices: tuple[str, ...], config: Config | None = None) -> str:
    """Return the chosen format. Raises `UsageError` for an unknown one, wherever it was chosen."""
    chosen = layered("format", args.format, io.environ, config) or "text"
    if chosen not in choices:
        raise UsageError(
            f"there is no format {chosen!r}" + did_you_mean(chosen, choices),
            expected=", ".join(choices),
        )
    io.format = str(chosen)
    return io.format


TIMEOUT: Final = 300.0
"""Seconds that fetching may take altogether, where nothing else is said."""


def fetch_options(
    args: argparse.Namespace, io: IO, config: Config | None = None, *, timeout: float | None = TIMEOUT
) -> FetchOptions:
    """Return how artefacts are to be fetched; `timeout` (seconds, None: no limit) holds where none is stated."""
    from driftgate.anchors import FetchOptions

    cache = layered("cache", args.cache, io.environ, config)
    return FetchOptions(
        offline=bool(layered("offline", args.offline, io.environ, config, _truth)),
        registry=layered("registry", args.registry, io.environ, config),
        cache=Path(cache) if cache else None,
        environ=io.environ,
        project=config.root if config is not None and not config.builtin else io.cwd,
        timeout=_seconds(layered("timeout", args.timeout, io.environ, config), timeout),
        progress=None if args.quiet else io.stderr,
        bar=io.interactive,
    )


def _seconds(value: Any, unstated: float | None) -> float | None:
    """Return a time that was stated as a number of seconds. Raises UsageError."""
    if value is None:
        return unstated
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds < float("inf") or isinstance(value, bool):
        raise UsageError("timeout is a number of seconds above 0", expected="e.g. 300", found=repr(str(value)[:40]))
    return seconds


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}
    if str(value).lower() not in words:
        raise UsageError("offline is on or off", expected="1, true, yes, 0, false or no", found=repr(value))
    return words[str(value).lower()]


def repository_of(io: IO) -> Path:
    """Return the folder that a CI service takes paths to be relative to; elsewhere, the current one."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        named = io.environ.get(name)
        if named and io.cwd.is_relative_to(named):
            return Path(named)
    return io.cwd
