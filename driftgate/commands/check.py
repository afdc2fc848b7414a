"""Compare the declared constants with the snapshot (offline), or with releases and files instead.

Without a PATH it is the project that the current folder lies in. Every upstream that it mirrors is looked at.

examples:
  driftgate check                                   declared against the snapshot; opens no socket
  driftgate check packages/a packages/b             these projects, in one report with one exit code
  driftgate check --all                             every project of the repository
  driftgate check --against snapshot                offline, whatever the configuration says
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
import os
from pathlib import Path

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    add_upstream_argument,
    fetch_options,
    format_of,
    project_of,
    repository_of,
)
from driftgate.errors import DriftgateError, ExitCode, NoConfigError, UsageError
from driftgate.formats.harmless import harmless
from driftgate.gate.check import check_projects
from driftgate.gate.outcome import CheckReport
from driftgate.gate.target import Target, parse_target
from driftgate.judge.rules import Severity
from driftgate.project.configuration import Config, Project
from driftgate.project.finding import config_file, own_config, projects_below, repository_root
from driftgate.project.layers import layered
from driftgate.project.reading import load_project
from driftgate.report import FORMATS, Style, render
from driftgate.report.outputs import Output, parse_outputs, write_outputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="*", help="folders of projects, or configurations")
    parser.add_argument("--all", action="store_true", help="every configuration below the repository's root")
    parser.add_argument("--self", action="store_true", dest="own", help="driftgate's own constants")
    parser.add_argument(
        "--against",
        action="append",
        metavar="WHAT",
        help="snapshot, pinned, latest, a version, npm:PACKAGE@VERSION, or a path; may be given several times",
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
    add_upstream_argument(parser)
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
        report = CheckReport(failure=error)
        write_outputs(report, outputs, style)
        if io.format in FORMATS and io.format not in ("text", "json"):
            io.out(render(report, io.format, style))
        raise
    write_outputs(report, outputs, style)
    for notice in report.notices:
        io.err(harmless(f"notice: {notice}"))
    io.out(render(report, io.format, style))
    return report.exit_code


def _report(args: argparse.Namespace, io: IO, outputs: tuple[Output, ...]) -> CheckReport:
    to_stdout = [output.format for output in outputs if output.path is None]
    if to_stdout and args.format:
        raise UsageError("two reports on standard output", where=f"--format {args.format}, --output {to_stdout[0]}:-")
    args.format = args.format or next(iter(to_stdout), None)
    projects = _projects(args, io)
    mirrors = [config for project in projects.values() if isinstance(project, Project) for config in project.mirrors]
    only = mirrors[0] if len(projects) == 1 else None
    format_of(args, io, tuple(FORMATS), only)
    limits = [_severity(layered("fail-on", args.fail_on, io.environ, one) or Severity.NOTICE) for one in mirrors]
    return check_projects(
        projects,
        lambda config: _targets(args, io, config),
        lambda config: fetch_options(args, io, config),
        upstream=args.upstream,
        deep=args.deep,
        fail_on=min(limits, key=lambda one: one.rank, default=Severity.NOTICE),
    )


def _projects(args: argparse.Namespace, io: IO) -> dict[str, Project | DriftgateError]:
    """Return the projects that are meant: the path of each configuration -> what it states, or why it is not read.

    What is wrong with the only one is raised.
    """
    named = [name for name, given in (("PATH", args.paths), ("--all", args.all), ("--self", args.own)) if given]
    if len(named) > 1 or (named and args.config):
        raise UsageError("which projects?", expected="one of PATH, --all, --self and --config", found=", ".join(named))
    if args.own:
        own = own_config()
        return {str(own.source): Project(own.source, (own,))}
    if not named:
        project = project_of(args, io)
        return {str(project.source): project}
    files = _all_files(io) if args.all else _files(args.paths, io)
    if len(files) == 1:
        return {str(path): load_project(path) for path in files}
    base = repository_root(io.cwd) or io.cwd
    return {_named(path, base): _loaded(path) for path in files}


def _all_files(io: IO) -> list[Path]:
    root = repository_root(io.cwd)
    if root is None:
        raise UsageError("--all: this is no git repository", where=str(io.cwd), next="name the projects: check PATH...")
    files = [*projects_below(root)]
    if not files:
        raise NoConfigError(
            "there is no driftgate configuration in this repository",
            where=str(root),
            expected="[tool.driftgate] in a pyproject.toml, or a driftgate.yml",
            next="`driftgate init` in a project's folder writes one",
        )
    return files


def _files(paths: list[Path], io: IO) -> list[Path]:
    found = (io.cwd / path for path in paths)
    files = [path if path.is_file() else config_file(Path(os.path.abspath(path))) for path in found]  # noqa: PTH100
    return list({file.resolve(): file for file in files}.values())


def _named(path: Path, base: Path) -> str:
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else str(path)


def _loaded(path: Path) -> Project | DriftgateError:
    try:
        return load_project(path)
    except DriftgateError as problem:
        return problem


def _targets(args: argparse.Namespace, io: IO, config: Config) -> tuple[Target, ...]:
    texts = layered("against", args.against, io.environ, config, _words) or ()
    return tuple(parse_target(text, io.cwd) for text in texts)


def _words(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else list(value)


def _severity(value: str) -> Severity:
    if value not in list(Severity):
        raise UsageError("not a severity", where="--fail-on", expected=", ".join(Severity), found=value)
    return Severity(value)
