"""Say what each release of Claude Code added, removed and changed; for a name, where it lives and since when.

A release is known because it was read, or because it lies between two that were read and are equal. Names can come and
go in between, so both are said. --scan, --verify and --all read more releases; they fetch from the package registry.

examples:
  driftgate history                          what each release changed, newest first
  driftgate history PostToolBatch            where a name lives; also 'event X', 'field command.args', 'guard-event X'
  driftgate history args                     every name that ends in it
  driftgate history --html history.html      one page with all of it
  driftgate history --scan                   read what is new, every small package, and enough of the others
  driftgate history --verify --limit 20      read the middle of the widest gaps
  driftgate history --all --shard 2/8 --out part2.yaml     one part of eight, e.g. of a CI matrix
  driftgate history --merge part*.yaml --out history.yaml  put the parts together
"""

from __future__ import annotations

import argparse
from pathlib import Path

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    config_if_any,
    format_of,
)
from driftgate.errors import BlindError, ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.history.location import history_in_force
from driftgate.history.record import History
from driftgate.project.configuration import Config

FORMATS = ("text", "json")
AT_MOST_MB = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("name", metavar="NAME", nargs="*", help="a name, or a sort and a name")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the history as one self-contained page")
    scanning = parser.add_argument_group("reading releases")
    effort = scanning.add_mutually_exclusive_group()
    effort.add_argument("--scan", dest="effort", action="store_const", const="sparse", help="read what is needed")
    effort.add_argument("--verify", dest="effort", action="store_const", const="verify", help="read into every gap")
    effort.add_argument("--all", dest="effort", action="store_const", const="all", help="read every release")
    effort.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help="put the parts of a scan together")
    scanning.add_argument("--shard", metavar="I/N", help="read only the I-th of N parts")
    scanning.add_argument("--limit", type=int, metavar="N", help="read at most N releases in this run")
    scanning.add_argument(
        "--at-most", type=int, metavar="MB", default=AT_MOST_MB, help=f"fetch at most so much (default: {AT_MOST_MB})"
    )
    scanning.add_argument("--out", type=Path, metavar="FILE", help="the history to go on with and to write")
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    config = config_if_any(args, io)
    if args.merge or args.effort:
        from driftgate.commands.scanning import merge, scan

        return merge(args, io) if args.merge else scan(args, io, config)
    history = history_in_force(config)
    if not history.readings:
        raise BlindError("there is no history of releases here", next="driftgate history --scan --out history.yaml")
    if args.html:
        return _page(args, io, config, history)
    if args.name:
        return _name(" ".join(args.name), history, io, format_name)
    from driftgate.history.answers import history_json, history_text

    if format_name == "json":
        io.out(history_json(history))
    else:
        io.out(history_text(history, io.width))
        io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _name(asked: str, history: History, io: IO, format_name: str) -> ExitCode:
    from driftgate.history.answers import answer_json, answer_text, verdict
    from driftgate.history.ask import ask

    answer = ask(asked, history)
    if format_name == "json":
        io.out(answer_json(answer, history))
    else:
        io.out(answer_text(answer, history, io.width))
        io.out(verdict(answer.exit_code))
    return answer.exit_code


def _page(args: argparse.Namespace, io: IO, config: Config | None, history: History) -> ExitCode:
    from driftgate.formats.files import write_atomically
    from driftgate.history.page import page

    write_atomically(io.cwd / args.html, page(history, config))
    io.out(harmless(f"wrote {args.html}"))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES
