"""Write the snapshot of a release and move the pin to it. Nothing is written unless everything was read.

A project that mirrors several upstreams has all of them refreshed; --upstream names one.

examples:
  driftgate refresh                    to the newest release
  driftgate refresh --to 2.1.332       to one release
  driftgate refresh --dry-run          only say what would change
  driftgate refresh --adopt            the mirror's own source as well, as `driftgate adopt` edits it
  driftgate refresh --to 2.1.112 --keep-pin   another snapshot beside the pinned one
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

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
from driftgate.gate.pinned import pinned_snapshot
from driftgate.gate.target import Target, TargetKind, parse_target
from driftgate.history.extend import refresh_and_extend
from driftgate.project.configuration import Config
from driftgate.report.adoption import adopt_markdown, adopt_record, adopt_text
from driftgate.report.surface_changes import refresh_json, refresh_markdown, refresh_text
from driftgate.upstreams.catalogue import UPSTREAMS

if TYPE_CHECKING:
    from driftgate.adopt import AdoptReport
    from driftgate.surface import Surface

FORMATS = ("text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--to", default="latest", metavar="WHAT", help="a version, or latest (default)")
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    parser.add_argument(
        "--keep-pin", action="store_true", help="write the snapshot beside the pinned one; leave the pin"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; say what would change")
    parser.add_argument(
        "--adopt", action="store_true", help="also edit the mirror's source so that it says what the release says"
    )
    add_format_argument(parser, FORMATS)
    add_upstream_argument(parser)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    configs = project_of(args, io).of(args.upstream)
    format_name = format_of(args, io, FORMATS, configs[0])
    if args.adopt and args.keep_pin:
        raise UsageError("the source follows the pin", where="--adopt --keep-pin", expected="one of them")
    target = parse_target(args.to, io.cwd)
    if len(configs) > 1 and (target.kind is not TargetKind.LATEST or format_name == "json"):
        raise UsageError(
            "which of the mirrors of this project is meant?",
            expected=f"--upstream {' or '.join(config.upstream for config in configs)}",
            found=f"--to {target.text}" if format_name != "json" else "--format json",
        )
    code = ExitCode.AGREES
    for config in configs:
        if len(configs) > 1 and not args.quiet:
            io.out(f"== {UPSTREAMS[config.upstream].title}")
        code = max(code, _refresh(config, target, format_name, args, io))
    if format_name == "text":
        io.out(verdict_line(code))
    return code


def _refresh(config: Config, target: Target, format_name: str, args: argparse.Namespace, io: IO) -> ExitCode:
    """Refresh one mirror. Returns drift where its source is to be edited as well and something is left to people."""
    options = fetch_options(args, io, config)
    pinned = pinned_snapshot(config) if args.adopt and config.snapshot.exists() else None
    report = refresh_and_extend(config, target, options, deep=args.deep, dry_run=args.dry_run, keep_pin=args.keep_pin)
    adopted = _adopted(args, config, report.observed, pinned)
    code = adopted.exit_code() if adopted is not None else ExitCode.AGREES
    for notice in report.notices:
        io.err(harmless(f"notice: {notice}"))
    if format_name == "json":
        io.out(refresh_json(report, code, adopt_record(adopted) if adopted is not None else None))
    elif format_name == "markdown":
        io.out(refresh_markdown(report) + (f"\n\n{adopt_markdown(adopted)}" if adopted is not None else ""))
    elif not args.quiet:
        io.out(refresh_text(report) + (f"\n{adopt_text(adopted, dry=args.dry_run)}" if adopted is not None else ""))
    return code


def _adopted(args: argparse.Namespace, config: Config, observed: Surface, pinned: Surface | None) -> AdoptReport | None:
    """Adopt what the release says into the mirror's source, where that is asked for."""
    if not args.adopt:
        return None
    from driftgate.adopt import adopt, write

    report = adopt(config, observed, pinned=pinned)
    if not args.dry_run:
        write(report.changes)
    return report
