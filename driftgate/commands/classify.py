"""Say which hooks of settings files load, which pieces go and why, and how to write them right.

A file is read as Claude Code reads it: strict JSON (no comments, no trailing commas, no NaN), at most 2 MiB, any depth.
Names of your own (an unknown event, an unknown key) are shortened in all output; --show-names shows them.

examples:
  driftgate classify .claude/settings.json
  driftgate classify '**/settings*.json' hooks/hooks.json
  driftgate classify --format json - < settings.json
"""

from __future__ import annotations

import argparse
import sys

from driftgate.commands import IO
from driftgate.commands.options import add_format_argument, format_of
from driftgate.errors import ExitCode
from driftgate.settings import json_report, text_report
from driftgate.settings.model import FileKind
from driftgate.settings.run import classify_sources, contract_pin
from driftgate.settings.sources import sources

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="settings files, patterns, or - for standard input")
    parser.add_argument(
        "--as",
        dest="kind",
        choices=[kind.value for kind in FileKind],
        help="what the files are (default: plugin for hooks.json, else settings)",
    )
    parser.add_argument("--show-names", action="store_true", help="show names of your own whole, for use at home")
    add_format_argument(parser, FORMATS)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    kind = FileKind(args.kind) if args.kind else None
    report = classify_sources(sources(args.files, io.cwd, sys.stdin.buffer, kind), contract_pin())
    if format_name == "json":
        io.out(json_report.render(report, reveal=args.show_names))
    else:
        io.out(text_report.render(report, reveal=args.show_names, color=io.color, quiet=args.quiet))
    return report.exit_code
