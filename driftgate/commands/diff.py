"""Compare any two things that state a surface, set by set: what B adds to A, what it lacks, and what differs.

examples:
  driftgate diff 2.1.112 2.1.296                         two releases
  driftgate diff src/hooks-config.d.ts 2.1.296           a mirror and a release
  driftgate diff snapshots/claude-code/2.1.296.yaml latest
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import add_fetch_arguments, add_format_argument, fetch_options, format_of
from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.compare import compare
from driftgate.gate.target import parse_target
from driftgate.report.surface_changes import diff_json, diff_markdown, diff_text

FORMATS = ("text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("a", metavar="A", help="the old side: a version, latest, npm:PACKAGE@VERSION, or a path")
    parser.add_argument("b", metavar="B", help="the new side: the same")
    add_format_argument(parser, FORMATS)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    report = compare(parse_target(args.a, io.cwd), parse_target(args.b, io.cwd), fetch_options(args, io))
    for notice in report.notices:
        io.err(harmless(f"notice: {notice}"))
    if format_name == "json":
        io.out(diff_json(report))
    elif format_name == "markdown":
        io.out(diff_markdown(report))
    else:
        if not args.quiet:
            io.out(diff_text(report))
        io.out(verdict_line(report.exit_code))
    return report.exit_code
