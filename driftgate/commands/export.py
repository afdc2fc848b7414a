"""Turn what a release states into an importable vocabulary, so that nobody has to copy lists.

examples:
  driftgate export --format python > src/claude_code.py            the release of the pin
  driftgate export 2.1.332 --format typescript > src/claude-code.ts
  driftgate export snapshots/claude-code/2.1.296.yaml --format json-schema
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import add_config_argument, add_fetch_arguments, config_of, fetch_options
from driftgate.errors import ExitCode, UsageError
from driftgate.export import FORMATS, export
from driftgate.formats.harmless import harmless
from driftgate.gate.observe import observe_or_shipped
from driftgate.gate.pinned import pinned_snapshot
from driftgate.gate.target import parse_target
from driftgate.near import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "what", metavar="WHAT", nargs="?", help="a version, latest, npm:PACKAGE@VERSION, or a path (default: the pin)"
    )
    details = "; ".join(f"{name}: {what}" for name, what in FORMATS.items())
    parser.add_argument("--format", required=True, metavar="FORMAT", help=f"{' | '.join(FORMATS)} ({details})")
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if args.format not in FORMATS:
        raise UsageError(
            f"there is no format {args.format!r}" + did_you_mean(args.format, FORMATS),
            expected=", ".join(FORMATS),
        )
    if args.what is None:
        surface = pinned_snapshot(config_of(args, io))
    else:
        surface = observe_or_shipped(parse_target(args.what, io.cwd), fetch_options(args, io), deep=args.deep)
    for notice in surface.notices:
        io.err(harmless(f"notice: {notice}"))
    io.stdout.write(export(surface, args.format))
    return ExitCode.AGREES
