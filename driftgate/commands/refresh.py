"""Write the snapshot of a release and move the pin to it. Nothing is written unless everything was read.

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
    config_of,
    fetch_options,
    format_of,
)
from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.target import parse_target
from driftgate.history.extend import refresh_and_extend
from driftgate.report.surface_changes import refresh_json, refresh_markdown, refresh_text

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
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    config = config_of(args, io)
    format_name = format_of(args, io, FORMATS, config)
    options = fetch_options(args, io, config)
    target = parse_target(args.to, io.cwd)
    report = refresh_and_extend(config, target, options, deep=args.deep, dry_run=args.dry_run, keep_pin=args.keep_pin)
    for notice in report.notices:
        io.err(harmless(f"notice: {notice}"))
    if format_name == "json":
        io.out(refresh_json(report))
    elif format_name == "markdown":
        io.out(refresh_markdown(report))
    else:
        if not args.quiet:
            io.out(refresh_text(report))
        io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES
