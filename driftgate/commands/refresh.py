"""Write the snapshot of a release and move the pin to it. Nothing is written unless everything was read.

A project that mirrors several upstreams has all of them refreshed; --upstream names one.

examples:
  driftgate refresh                    to the newest release
  driftgate refresh --to 2.1.332       to one release
  driftgate refresh --dry-run          only say what would change
  driftgate refresh --to 2.1.112 --keep-pin   another snapshot beside the pinned one
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    add_upstream_argument,
    fetch_options,
    format_of,
    project_of,
)
from driftgate.errors import ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.target import Target, TargetKind, parse_target
from driftgate.history.extend import refresh_and_extend
from driftgate.project.configuration import Config
from driftgate.report.surface_changes import refresh_json, refresh_markdown, refresh_text
from driftgate.upstreams.catalogue import UPSTREAMS

FORMATS = ("text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--to", default="latest", metavar="WHAT", help="a version, or latest (default)")
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    parser.add_argument(
        "--keep-pin", action="store_true", help="write the snapshot beside the pinned one; leave the pin"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; say what would change")
    add_format_argument(parser, FORMATS)
    add_upstream_argument(parser)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    configs = project_of(args, io).of(args.upstream)
    format_name = format_of(args, io, FORMATS, configs[0])
    target = parse_target(args.to, io.cwd)
    if len(configs) > 1 and (target.kind is not TargetKind.LATEST or format_name == "json"):
        raise UsageError(
            "which of the mirrors of this project is meant?",
            expected=f"--upstream {' or '.join(config.upstream for config in configs)}",
            found=f"--to {target.text}" if format_name != "json" else "--format json",
        )
    for config in configs:
        if len(configs) > 1 and not args.quiet:
            io.out(f"== {UPSTREAMS[config.upstream].title}")
        _refresh(config, target, format_name, args, io)
    if format_name == "text":
        io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _refresh(config: Config, target: Target, format_name: str, args: argparse.Namespace, io: IO) -> None:
    options = fetch_options(args, io, config)
    report = refresh_and_extend(config, target, options, deep=args.deep, dry_run=args.dry_run, keep_pin=args.keep_pin)
    for notice in report.notices:
        io.err(harmless(f"notice: {notice}"))
    if format_name == "json":
        io.out(refresh_json(report))
    elif format_name == "markdown":
        io.out(refresh_markdown(report))
    elif not args.quiet:
        io.out(refresh_text(report))
