"""The part of `driftgate history` that reads releases: --scan, --verify, --all, and --merge."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from driftgate.commands import IO
from driftgate.commands.options import fetch_options
from driftgate.errors import BlindError, ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.history import published
from driftgate.history import reading as scanning
from driftgate.history.location import claude_code_only, history_in_force, own_path
from driftgate.history.reading import Effort, Limits, Plan, Shard
from driftgate.history.record import History
from driftgate.history.sentences import known_line
from driftgate.history.store import load_history, write_history
from driftgate.project.configuration import Config


def scan(args: argparse.Namespace, io: IO, config: Config | None) -> ExitCode:
    """Read more releases into a history: say first what that fetches, keep to it, and keep what was read."""
    claude_code_only(config, where=f"--{args.effort}")
    out, shard = _out(args, io, config), _shard(args)
    budget = published.Budget(_positive(args.at_most, "--at-most") * 1_000_000)
    if args.limit is not None:
        _positive(args.limit, "--limit")
    options = budget.within(fetch_options(args, io, config, timeout=None))
    history = load_history(out) if out.is_file() else history_in_force(config)
    plan, effort = published.plan_of(options), Effort(args.effort)
    io.err(_statement(_mine(history, plan, effort, shard)[: args.limit], effort, args.at_most))
    problems: list[str] = []

    def report(step: scanning.Progress) -> None:
        if step.problem:
            problems.append(f"{step.version} could not be read: {step.problem}")
        elif io.interactive and not args.quiet:
            used = published.megabytes(budget.used)
            io.err(f"read {step.version} ({step.done} read, {step.waiting} waiting, {used} fetched)")

    try:
        result = scanning.scan(
            history,
            plan,
            lambda version: published.read_release(version, options),
            effort,
            shard=shard,
            limits=Limits(args.limit, lambda: budget.spent),
            save=lambda current: write_history(out, current),
            report=report,
        )
    except KeyboardInterrupt:
        raise BlindError("interrupted; every release that was read is kept", next="run again to go on") from None
    write_history(out, result)
    for problem in problems:
        io.err(harmless(f"notice: {problem}"))
    fresh = len(result.read()) - len(history.read())
    left = len(_mine(result, plan, effort, shard))
    io.out(known_line(result))
    io.out(f"read {fresh} releases; {published.megabytes(budget.used)} fetched; {left} left to read")
    io.out(harmless(f"wrote {args.out or out}"))
    code = ExitCode.BLIND if problems else ExitCode.AGREES
    io.out(verdict_line(code))
    return code


def merge(args: argparse.Namespace, io: IO) -> ExitCode:
    """Put the parts of a scan together."""
    if not args.out:
        raise UsageError("where is the merged history to go?", where="--merge", expected="--out FILE")
    merged = scanning.merge(load_history(io.cwd / path) for path in args.merge)
    write_history(io.cwd / args.out, merged)
    io.out(known_line(merged))
    io.out(harmless(f"wrote {args.out}"))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _mine(history: History, plan: Plan, effort: Effort, shard: Shard) -> list[str]:
    return [version for version in scanning.wanted(history, plan, effort) if shard.holds(version)]


def _statement(releases: list[str], effort: Effort, at_most: int) -> str:
    """Return what a scan is going to fetch, said before it does."""
    further = "; what changes between two of them makes more necessary" if effort is Effort.SPARSE and releases else ""
    size = f", {published.most_mb(releases)} MB or less, less what is cached" if releases else ""
    return f"network: {len(releases)} releases to read{size}{further}; no more than {at_most} MB in all (--at-most)"


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


def _shard(args: argparse.Namespace) -> Shard:
    if args.shard is None:
        return Shard()
    match = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", args.shard)
    if match is None or int(match[1]) > int(match[2]):
        raise UsageError("not a part of a scan", where="--shard", expected="e.g. 2/8", found=args.shard)
    if not args.out:
        raise UsageError("the parts of a scan go to files of their own", where="--shard", expected="--out FILE")
    return Shard(int(match[1]), int(match[2]))


def _positive(number: int, where: str) -> int:
    if number <= 0:
        raise UsageError("a limit is 1 or more", where=where, found=str(number))
    return number
