"""Look at a project, find what mirrors an upstream, and write configuration, snapshot and workflow. Overwrites nothing.

examples:
  driftgate init --dry-run      say what was found, and print what would be written
  driftgate init                write it
  driftgate init --offline      with the newest snapshot that driftgate ships
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import add_fetch_arguments, fetch_options
from driftgate.errors import ExitCode
from driftgate.formats.harmless import harmless, harmless_lines
from driftgate.init.plan import plan
from driftgate.init.summary import init_text
from driftgate.init.write import write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print what would be written")
    parser.add_argument("--upstream", metavar="NAME", help="what is mirrored (default: what most names are of)")
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    planned = plan(io.cwd, fetch_options(args, io), only=args.upstream)
    for notice in planned.notices:
        io.err(f"notice: {harmless(notice)}")
    if not args.dry_run:
        write(planned)
    if not args.quiet:
        io.out(harmless_lines(init_text(planned, dry_run=args.dry_run)))
    # Whether anything drifts is for `check` to say.
    io.out(f"driftgate: done, exit {int(ExitCode.AGREES)}")
    return ExitCode.AGREES
