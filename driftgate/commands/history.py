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
import re
from pathlib import Path
from typing import TYPE_CHECKING

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    config_of,
    fetch_options,
    format_of,
)
from driftgate.config import Config
from driftgate.errors import BlindError, ExitCode, NoConfigError, UsageError, verdict_line
from driftgate.harmless import harmless
from driftgate.history.files import history_in_force, own_path
from driftgate.history.model import History

if TYPE_CHECKING:
    from driftgate.history.scan import Shard

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
    config = _configuration(args, io)
    if args.merge:
        return _merge(args, io)
    if args.effort:
        return _scan(args, io, config)
    history = history_in_force(config)
    if not history.readings:
        raise BlindError("there is no history of releases here", next="driftgate history --scan --out history.yaml")
    if args.html:
        return _page(args, io, config, history)
    if args.name:
        return _name(" ".join(args.name), history, io, format_name)
    from driftgate.history.report import history_json, history_text

    if format_name == "json":
        io.out(history_json(history))
    else:
        io.out(history_text(history, io.width))
        io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _configuration(args: argparse.Namespace, io: IO) -> Config | None:
    """Return the configuration in force, if there is one: the shipped history needs none."""
    try:
        return config_of(args, io)
    except NoConfigError:
        return None


def _name(asked: str, history: History, io: IO, format_name: str) -> ExitCode:
    from driftgate.history.ask import ask
    from driftgate.history.report import answer_json, answer_text, verdict

    answer = ask(asked, history)
    if format_name == "json":
        io.out(answer_json(answer, history))
    else:
        io.out(answer_text(answer, history, io.width))
        io.out(verdict(answer.exit_code))
    return answer.exit_code


def _page(args: argparse.Namespace, io: IO, config: Config | None, history: History) -> ExitCode:
    from driftgate.files import write_atomically
    from driftgate.history_page import page

    write_atomically(io.cwd / args.html, page(history, config))
    io.out(harmless(f"wrote {args.html}"))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


# --- reading releases ------------------------------------------------------------------------------------------------


def _scan(args: argparse.Namespace, io: IO, config: Config | None) -> ExitCode:
    from driftgate.history import published, scan, store
    from driftgate.history.words import known_line

    out = _out(args, io, config)
    shard = _shard(args.shard)
    if not shard.whole and not args.out:
        raise UsageError("the parts of a scan go to files of their own", where="--shard", expected="--out FILE")
    if args.at_most <= 0 or (args.limit is not None and args.limit <= 0):
        raise UsageError("a limit is 1 or more", where="--at-most" if args.at_most <= 0 else "--limit")
    budget = published.Budget(args.at_most * 1_000_000)
    options = budget.within(fetch_options(args, io, config))
    history = store.load_history(out) if out.is_file() else history_in_force(config)
    plan = published.plan_of(options)
    effort = scan.Effort(args.effort)
    first = [v for v in scan.wanted(history, plan, effort) if shard.holds(v)][: args.limit]
    further = ", and what a change between two of them makes necessary" if effort is scan.Effort.SPARSE else ""
    io.err(
        f"network: {len(first)} releases to read{further}; these are {published.most_mb(first)} MB or less, less what "
        f"is cached; no more than {args.at_most} MB are fetched (--at-most)"
    )
    problems: list[str] = []

    def report(step: scan.Progress) -> None:
        if step.problem:
            problems.append(f"{step.version} could not be read: {step.problem}")
        elif io.interactive and not args.quiet:
            io.err(f"read {step.version} ({step.done} read, {step.waiting} waiting, {_mb(budget.used)})")

    try:
        result = scan.scan(
            history,
            plan,
            lambda version: published.read_release(version, options),
            effort,
            shard=shard,
            limits=scan.Limits(args.limit, lambda: budget.spent),
            save=lambda current: store.write_history(out, current),
            report=report,
        )
    except KeyboardInterrupt:
        raise BlindError("interrupted; every release that was read is kept", next="run again to go on") from None
    store.write_history(out, result)
    for problem in problems:
        io.err(harmless(f"notice: {problem}"))
    left = (
        len([v for v in scan.wanted(result, plan, effort) if shard.holds(v)]) if effort is not scan.Effort.VERIFY else 0
    )
    io.out(known_line(result))
    io.out(f"read {len(result.read()) - len(history.read())} releases; {_mb(budget.used)} fetched; {left} left to read")
    io.out(harmless(f"wrote {args.out or out}"))
    code = ExitCode.BLIND if problems else ExitCode.AGREES
    io.out(verdict_line(code))
    return code


def _mb(count: int) -> str:
    from driftgate.history.published import megabytes

    return megabytes(count)


def _merge(args: argparse.Namespace, io: IO) -> ExitCode:
    from driftgate.history import scan, store
    from driftgate.history.words import known_line

    if not args.out:
        raise UsageError("where is the merged history to go?", where="--merge", expected="--out FILE")
    merged = scan.merge(store.load_history(io.cwd / path) for path in args.merge)
    store.write_history(io.cwd / args.out, merged)
    io.out(known_line(merged))
    io.out(harmless(f"wrote {args.out}"))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _out(args: argparse.Namespace, io: IO, config: Config | None) -> Path:
    """Return the file to write: --out, else the project's own history."""
    path: Path | None = io.cwd / args.out if args.out else None
    if path is None and config is not None:
        path = own_path(config)
    if path is None:
        raise UsageError(
            "this project keeps no history",
            where=f"--{args.effort}",
            expected="--out FILE, or a snapshot of the project's own",
        )
    return path


def _shard(text: str | None) -> Shard:
    from driftgate.history.scan import Shard

    if text is None:
        return Shard()
    match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise UsageError("not a part of a scan", where="--shard", expected="e.g. 2/8", found=text)
    return Shard(int(match[1]), int(match[2]))
