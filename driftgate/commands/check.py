"""Compare the declared constants with the snapshot (offline), or with releases and files instead.

examples:
  driftgate check                                   declared against the snapshot; opens no socket
  driftgate check --against pinned                  against the snapshot's own anchor; the snapshot must be true too
  driftgate check --against pinned --deep           the native binary as well, and both must agree
  driftgate check --against latest                  against the newest release
  driftgate check --against 2.1.332 --format json   against one release, for a program
  driftgate check --against path/to/cli.js          against a local artefact
  driftgate check --output sarif:driftgate.sarif --output junit:driftgate.xml
                                                    reports for other tools as well, from the same run
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
    repository_of,
)
from driftgate.errors import DriftgateError, ExitCode, UsageError
from driftgate.formats.harmless import harmless
from driftgate.gate.check import CheckReport, check
from driftgate.gate.target import parse_target
from driftgate.judge.rules import Severity
from driftgate.project.layers import layered
from driftgate.report import FORMATS, Style, render
from driftgate.report.outputs import Output, parse_outputs, write_outputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--against",
        action="append",
        metavar="WHAT",
        help="pinned, latest, a version, npm:PACKAGE@VERSION, or a path; may be given several times",
    )
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    parser.add_argument(
        "--fail-on", metavar="SEVERITY", help=f"{' | '.join(Severity)} (default: notice, so any finding)"
    )
    add_format_argument(parser, tuple(FORMATS))
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FORMAT:FILE",
        help="also write the report to a file; may be given several times",
    )
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    outputs = parse_outputs(args.output, io.cwd)
    style = Style(io.color, io.width, args.quiet, args.verbose, repository_of(io))
    try:
        report = _report(args, io, outputs)
    except DriftgateError as error:
        # A file must not keep the report of an earlier run, and no format may come out empty.
        report = CheckReport(pin="", source="", comparisons=(), failure=error)
        write_outputs(report, outputs, style)
        if io.format in FORMATS and io.format not in ("text", "json"):
            io.out(render(report, io.format, style))
        raise
    write_outputs(report, outputs, style)
    for notice in (*report.notices, *(note for comparison in report.comparisons for note in comparison.notices)):
        io.err(harmless(f"notice: {notice}"))
    io.out(render(report, io.format, style))
    return report.exit_code


def _report(args: argparse.Namespace, io: IO, outputs: tuple[Output, ...]) -> CheckReport:
    to_stdout = [output.format for output in outputs if output.path is None]
    if to_stdout and args.format:
        raise UsageError("two reports on standard output", where=f"--format {args.format}, --output {to_stdout[0]}:-")
    args.format = args.format or next(iter(to_stdout), None)
    config = config_of(args, io)
    format_of(args, io, tuple(FORMATS), config)
    targets = layered("against", args.against, io.environ, config, _targets) or ()
    return check(
        config,
        tuple(parse_target(target, io.cwd) for target in targets),
        fetch_options(args, io, config) if targets else None,
        deep=args.deep,
        fail_on=_severity(layered("fail-on", args.fail_on, io.environ, config) or Severity.NOTICE),
    )


def _targets(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else list(value)


def _severity(value: str) -> Severity:
    if value not in list(Severity):
        raise UsageError("not a severity", where="--fail-on", expected=", ".join(Severity), found=value)
    return Severity(value)
