"""Find the first release with a name by reading few of them, live; the history is a hint that is verified.

A name is an event, a type, a field, a value of an enum, a shell or a guard event. Names can go and come back: what was
read and what was assumed of the others is said.

examples:
  driftgate bisect 'event PostToolBatch'
  driftgate bisect 'field command.args'
  driftgate bisect 'guard-event PreToolUse' --offline       only with what the cache holds
  driftgate bisect 'event PostToolBatch' --no-history       as if nothing were known
  driftgate bisect 'event X' --known-in 2.1.64              a name that the newest release lacks
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    config_if_any,
    fetch_options,
    format_of,
)
from driftgate.errors import ExitCode, UsageError
from driftgate.formats.harmless import harmless

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("name", metavar="NAME", nargs="+", help="a name, or a sort and a name")
    parser.add_argument("--known-in", metavar="VERSION", help="a release that has the name")
    parser.add_argument("--no-history", action="store_true", help="search as if nothing were known")
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    from driftgate.history import published
    from driftgate.history.bisect import PATIENCE, Read, bisect, name_for
    from driftgate.history.bisect_report import bisect_json, bisect_text, exit_code
    from driftgate.history.location import claude_code_only, history_in_force
    from driftgate.history.record import History

    format_name = format_of(args, io, FORMATS)
    config = config_if_any(args, io)
    claude_code_only(config, where="bisect")
    history = history_in_force(config)
    asked = " ".join(args.name)
    names = name_for(asked, history)
    if not names:
        raise UsageError(
            "the history does not know this name, so say what it is",
            where=asked,
            expected="'event X', 'type x', 'field type.x', 'value type.field=x', 'shell x' or 'guard-event X'",
            next=f"driftgate history {asked}",
        )
    options = fetch_options(args, io, config)
    releases = history.published() if options.offline else published.plan_of(options).published
    if args.known_in is not None and args.known_in not in releases:
        raise UsageError("not a published release", where="--known-in", found=args.known_in)

    def report(read: Read) -> None:
        if io.interactive and not args.quiet:
            io.err(harmless(f"{'could not read' if read.has is None else 'read'} {read.version}"))

    surfaces = published.Memory(options)
    found = tuple(
        bisect(
            name,
            History(history.upstream, ()) if args.no_history else history,
            releases,
            surfaces.read,
            known_in=args.known_in,
            # Looking into the cache costs nothing, so offline every release may turn out not to be there.
            patience=len(releases) if options.offline else PATIENCE,
            report=report,
        )
        for name in names
    )
    io.out(bisect_json(found) if format_name == "json" else bisect_text(found))
    return exit_code(found)
