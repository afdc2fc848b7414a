"""Look at a project, find what mirrors an upstream, and write configuration, snapshot and workflow. Overwrites nothing.

examples:
  driftgate init --dry-run      say what was found, and print what would be written
  driftgate init                write it
  driftgate init --offline      with the newest snapshot that driftgate ships
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from driftgate.commands import IO
from driftgate.commands.options import add_fetch_arguments, fetch_options
from driftgate.errors import ExitCode
from driftgate.formats.harmless import harmless, harmless_lines
from driftgate.init.plan import plan
from driftgate.init.summary import init_text
from driftgate.init.write import write

_PATIENCE = 0.2
"""Seconds between two lines of progress."""


class Progress:
    """One line on a terminal that says how many files were looked at."""

    def __init__(self, io: IO) -> None:
        self._io = io
        self._shown = time.monotonic()

    def __call__(self, count: int, path: Path) -> None:
        """Say that `count` files were looked at, the last of them `path`; not too often."""
        now = time.monotonic()
        if now - self._shown >= _PATIENCE:
            self._shown = now
            self._write(harmless(f"looked at {count} files, now {path.name}")[: self._io.width - 1])

    def end(self) -> None:
        """Take the line away."""
        self._write("")

    def _write(self, text: str) -> None:
        self._io.stderr.write(f"\r\x1b[K{text}")
        self._io.stderr.flush()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print what would be written")
    parser.add_argument("--upstream", metavar="NAME", help="what is mirrored (default: what most names are of)")
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    progress = Progress(io) if io.interactive and not args.quiet else None
    planned = plan(io.cwd, fetch_options(args, io), only=args.upstream, progress=progress)
    if progress is not None:
        progress.end()
    for notice in planned.notices:
        io.err(f"notice: {harmless(notice)}")
    if not args.dry_run:
        write(planned)
    if not args.quiet:
        io.out(harmless_lines(init_text(planned, dry_run=args.dry_run)))
    # Whether anything drifts is for `check` to say.
    io.out(f"driftgate: done, exit {int(ExitCode.AGREES)}")
    return ExitCode.AGREES
