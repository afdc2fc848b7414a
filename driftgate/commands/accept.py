"""Accept a drift: write an entry for it, with a reason, into the configuration.

examples:
  driftgate accept event-only-upstream PostCompact --reason "this agent has no compaction"
  driftgate accept ba098e47c8fe8a26 --reason "..." --until 2027-03-01     by the fingerprint that reports show
  driftgate accept --all --reason "adopting driftgate; see the tracking issue" --until 2027-03-01
  driftgate accept event-only-upstream Brandnew --against latest --reason "..."
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from driftgate.commands import IO
from driftgate.commands.options import add_config_argument, add_fetch_arguments, config_of, fetch_options, repository_of
from driftgate.errors import ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.check import CheckReport, check
from driftgate.gate.target import parse_target
from driftgate.judge.accepted import Accepted
from driftgate.judge.findings import Finding
from driftgate.judge.rules import RULES, Direction
from driftgate.near import did_you_mean
from driftgate.project.accepting import add
from driftgate.project.configuration import Config
from driftgate.report import Style
from driftgate.report.places import shown
from driftgate.versions import is_version, parse_range, version_key

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{6,16}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", metavar="RULE", nargs="?", help="the rule's id; or the fingerprint of one finding")
    parser.add_argument(
        "subject", metavar="SUBJECT", nargs="?", help="the event, type or field, as the report names it"
    )
    parser.add_argument("--all", action="store_true", help="every drift that stands now, with the same reason")
    parser.add_argument("--reason", metavar="TEXT", help="why; asked for on a terminal")
    parser.add_argument("--until", metavar="DATE", help="the last day on which it holds: YYYY-MM-DD")
    parser.add_argument(
        "--versions", metavar="RANGE", help='the upstream releases for which it holds, e.g. ">=2.1.300"'
    )
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="WHAT",
        help="look for the drift there instead of at the snapshot (as `check --against`)",
    )
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if args.all == (args.what is not None):
        raise UsageError("what is to be accepted?", expected="RULE SUBJECT, a fingerprint, or --all")
    until, versions = _until(args.until), _versions(args.versions)
    config = config_of(args, io)
    targets = tuple(parse_target(target, io.cwd) for target in args.against)
    report = check(config, targets, fetch_options(args, io, config) if targets else None)
    problem = next((one.problem for one in report.comparisons if one.problem), None)
    if problem is not None:
        raise problem
    chosen = [*_chosen(args, report)]
    reason = _reason(args.reason, io)
    entries = [_entry(finding, config, report, reason, until, versions) for finding in chosen]
    add(config, entries)
    if not args.quiet:
        for entry in entries:
            limits = [f"until {entry.until}"] * (entry.until is not None)
            limits += [f"for releases {entry.versions}"] * (entry.versions is not None)
            io.out(harmless(f"accepted: {entry.rule} {entry.subject}" + (f" ({', '.join(limits)})" if limits else "")))
        io.out(harmless(f"wrote {shown(config.source, Style(base=repository_of(io)))}"))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


# --- which findings --------------------------------------------------------------------------------------------------


def _chosen(args: argparse.Namespace, report: CheckReport) -> Iterator[Finding]:
    """Yield the findings that are meant, each once. Raises UsageError where there is none, or it is not acceptable."""
    standing = {(found.rule.id, found.subject): found for found in report.all_findings()}
    acceptable = {key: found for key, found in standing.items() if _is_drift(found)}
    if args.all:
        if not acceptable:
            raise UsageError(
                "nothing to accept: no drift stands", next="driftgate check shows what is accepted already"
            )
        yield from acceptable.values()
        return
    finding = _by_name(args, standing)
    if not _is_drift(finding):
        raise UsageError(
            f"{finding.rule.id} cannot be accepted: {finding.rule.summary}",
            next=finding.rule.remedy,
            where=finding.subject,
        )
    yield finding


def _is_drift(finding: Finding) -> bool:
    """Whether it is a difference to upstream; what is wrong on this side alone is to be put right."""
    return finding.direction is not Direction.HERE and finding.rule.id != "snapshot-untrue"


def _by_name(args: argparse.Namespace, standing: dict[tuple[str, str], Finding]) -> Finding:
    if args.subject is None:
        if args.what in RULES:
            raise UsageError(
                f"{args.what}: needs a subject; a rule alone is too broad",
                expected=f"driftgate accept {args.what} SUBJECT",
            )
        is_one = _FINGERPRINT.fullmatch(args.what) is not None
        found = [one for one in standing.values() if is_one and one.fingerprint.startswith(args.what)]
        if len(found) == 1:
            return found[0]
        raise UsageError(
            f"no finding has the fingerprint {args.what!r}"
            if not found
            else f"several findings begin with {args.what!r}",
            next="driftgate check --verbose shows the fingerprints",
        )
    if args.what not in RULES:
        raise UsageError(
            f"there is no rule {args.what!r}" + did_you_mean(args.what, RULES),
            next="`driftgate rules` lists them",
        )
    try:
        return standing[args.what, args.subject]
    except KeyError as problem:
        others = [f"{rule} {subject}" for rule, subject in standing if args.subject in subject or rule == args.what]
        raise UsageError(
            f"{args.what} {args.subject} is no drift here: an entry for it would match nothing",
            found=", ".join(others[:5]) or "no such drift",
            next="driftgate check shows what stands; --against WHAT looks elsewhere than at the snapshot",
        ) from problem


# --- the entry -------------------------------------------------------------------------------------------------------


def _entry(
    finding: Finding, config: Config, report: CheckReport, reason: str, until: dt.date | None, versions: str | None
) -> Accepted:
    if versions is None:
        versions = _beside_the_pin(finding, report)
    return Accepted(finding.rule.id, finding.subject, reason, until, versions, where=str(config.source))


def _beside_the_pin(finding: Finding, report: CheckReport) -> str | None:
    """Return the range for a drift that the pin does not have: without one, the entry would be unused there."""
    key = (finding.rule.id, finding.subject)
    found_at = {one.version for one in report.comparisons if key in {(f.rule.id, f.subject) for f in one.findings}}
    versions = [version for version in found_at if version and is_version(version)]
    if not versions or report.pin in versions or not is_version(report.pin):
        return None
    newer = all(version_key(version) > version_key(report.pin) for version in versions)
    return f"{'>' if newer else '<'}{report.pin}"


def _reason(given: str | None, io: IO) -> str:
    reason = given
    if reason is None and io.interactive and io.stdin.isatty():
        io.stderr.write("reason: ")
        io.stderr.flush()
        reason = io.stdin.readline()
    reason = (reason or "").strip()
    if not reason or not reason.isprintable():
        raise UsageError("an acceptance needs a reason, in one line", next='--reason "why this drift is right here"')
    return reason


def _until(text: str | None) -> dt.date | None:
    if text is None:
        return None
    try:
        until = dt.date.fromisoformat(text)
    except ValueError as problem:
        raise UsageError("--until: not a date", expected="YYYY-MM-DD", found=repr(text)) from problem
    if until < dt.datetime.now(tz=dt.UTC).date():
        raise UsageError("--until: this day is past; the entry would fail at once", found=text)
    return until


def _versions(text: str | None) -> str | None:
    if text is not None:
        parse_range(text, where="--versions", error=UsageError)
    return text
