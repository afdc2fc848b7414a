"""Say which hooks of settings files load, which pieces go and why, and how to write them right.

A file is read as Claude Code reads it: strict JSON (no comments, no trailing commas, no NaN), at most 2 MiB, any depth.
Names of your own (an unknown event, an unknown key) are shortened in all output; --show-names shows them.

examples:
  driftgate classify .claude/settings.json
  driftgate classify '**/settings*.json' hooks/hooks.json
  driftgate classify --format json - < settings.json
  driftgate classify settings.json --release 2.1.100          what that release itself does with it
  driftgate classify settings.json --releases                 what every known release does
  driftgate classify settings.json --releases='>=2.1.120'     and fail where one of these does not load it all
  driftgate classify settings.json --min-release              the oldest release from which on everything loads
"""

from __future__ import annotations

import argparse
import sys

from driftgate.commands import IO
from driftgate.commands.options import add_config_argument, add_format_argument, config_file_of, format_of
from driftgate.errors import BlindError, ExitCode, NoConfigError, UsageError
from driftgate.project.reading import release_policy
from driftgate.settings import json_report, text_report
from driftgate.settings.pieces import FileKind
from driftgate.settings.run import Question, classify_sources, contract_pin, releases_in
from driftgate.settings.sources import sources
from driftgate.versions import parse_range

FORMATS = ("text", "json")
_ALL = ("", "all")


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
    parser.add_argument("--release", metavar="VERSION", help="the verdict of this release of Claude Code itself")
    parser.add_argument(
        "--releases",
        metavar="RANGE",
        nargs="?",
        const="",
        help="also what each known release does (all), and with a RANGE fail unless all of it loads on all of them",
    )
    parser.add_argument("--min-release", action="store_true", help="print the oldest release from which on all loads")
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    kind = FileKind(args.kind) if args.kind else None
    report = classify_sources(sources(args.files, io.cwd, sys.stdin.buffer, kind), _question(args, io))
    if format_name == "json":
        io.out(json_report.render(report, reveal=args.show_names))
    else:
        io.out(text_report.render(report, reveal=args.show_names, color=io.color, quiet=args.quiet))
    return report.exit_code


def _question(args: argparse.Namespace, io: IO) -> Question:
    policy, where = (args.releases, "--releases") if args.releases not in (None, *_ALL) else (None, "")
    if args.releases is None and not args.min_release:
        policy, where = _configured(args, io)
    if policy is not None:
        parse_range(policy, where=where, error=UsageError)
    asked = policy is not None or args.releases is not None or args.min_release
    releases = releases_in(policy) if asked else ()
    if asked and not releases:
        known = releases_in(None)
        raise BlindError(
            "no known release is in the range",
            where=where,
            expected=f"one of {known[0]} to {known[-1]}" if known else "",
            found=repr(policy),
            next="`driftgate refresh` reads newer releases",
        )
    return Question(contract_pin(), args.release, releases, policy)


def _configured(args: argparse.Namespace, io: IO) -> tuple[str | None, str]:
    """Return the project's policy, if it has a configuration that states one. Files are classified without, too."""
    try:
        file = config_file_of(args, io)
    except NoConfigError:
        return None, ""
    return (None, "") if file is None else (release_policy(file), str(file))
