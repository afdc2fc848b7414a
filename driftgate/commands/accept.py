"""Accept a drift: write an entry for it, with a reason, into the configuration; and keep the entries in order.

examples:
  driftgate accept event-only-upstream PostCompact --reason "this agent has no compaction"
  driftgate accept ba098e47c8fe8a26 --reason "..." --until 2027-03-01     by the fingerprint that reports show
  driftgate accept --all --reason "adopting driftgate; see the tracking issue" --until 2027-03-01
                                                    all that stands, and every entry whose reason is still empty
  driftgate accept event-only-upstream Brandnew --against latest --reason "..."
  driftgate accept --renew --until 2027-09-01       a new last day for every entry that is past its own
  driftgate accept --prune                          take out the entries that are past, or match nothing at the pin
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_upstream_argument,
    fetch_options,
    project_of,
    repository_of,
)
from driftgate.errors import ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.check import check
from driftgate.gate.outcome import CheckReport
from driftgate.gate.target import Target, parse_target
from driftgate.judge.accepted import Accepted
from driftgate.judge.findings import Finding
from driftgate.judge.rules import RULES
from driftgate.near import did_you_mean
from driftgate.project.configuration import Config
from driftgate.project.editing import Changes, change_entries
from driftgate.report import Style
from driftgate.report.places import shown
from driftgate.versions import is_version, parse_range, version_key

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{6,16}")


@dataclass(frozen=True, slots=True)
class Limits:
    """Until when, and for which releases, what is accepted holds."""

    until: dt.date | None
    versions: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Mirror:
    """One mirror of the project, and what a check of it found."""

    config: Config
    report: CheckReport
    today: dt.date

    @property
    def unreasoned(self) -> tuple[Accepted, ...]:
        """The entries that are still without a reason."""
        return tuple(entry for entry in self.config.accepted if not entry.reason)

    @property
    def past(self) -> tuple[Accepted, ...]:
        """The entries that are past their last day."""
        return tuple(entry for entry in self.config.accepted if entry.is_past(self.today))

    @property
    def unused(self) -> tuple[Accepted, ...]:
        """The entries that match nothing at the pin."""
        titles = {found.subject for found in self.report.findings if found.rule.id == "accepted-unused"}
        return tuple(entry for entry in self.config.accepted if entry.title in titles)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", metavar="RULE", nargs="?", help="the rule's id; or the fingerprint of one finding")
    parser.add_argument(
        "subject", metavar="SUBJECT", nargs="?", help="the event, type or field, as the report names it"
    )
    parser.add_argument("--all", action="store_true", help="every drift that stands now, with the same reason")
    parser.add_argument("--renew", action="store_true", help="move the last day of the entries that are past it")
    parser.add_argument("--prune", action="store_true", help="take out entries that are past, or match nothing")
    parser.add_argument("--reason", metavar="TEXT", help="why; asked for on a terminal")
    parser.add_argument("--until", metavar="DATE", help="the last day on which it holds: YYYY-MM-DD")
    parser.add_argument(
        "--versions", metavar="RANGE", help='the upstream releases for which it holds, e.g. ">=2.1.300"'
    )
    parser.add_argument("--of", metavar="SET", help="the set that is meant, where the name could be in several")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="WHAT",
        help="look for the drift there instead of at the snapshot (as `check --against`)",
    )
    add_upstream_argument(parser)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if sum((args.all, args.renew, args.prune, args.what is not None and not args.renew)) != 1:
        raise UsageError(
            "what is to be done?", expected="RULE SUBJECT, a fingerprint, --all, --renew or --prune (one of them)"
        )
    limits = Limits(_until(args.until), _versions(args.versions))
    mirrors = [*_mirrors(args, io)]
    if args.renew:
        changes = _renewed(args, mirrors, limits)
    elif args.prune:
        changes = _pruned(args, mirrors, limits)
    else:
        changes = _accepted(args, io, mirrors, limits)
    done = [(mirror, change, said) for mirror, change, said in changes if said]
    for mirror, change, _ in done:
        change_entries(mirror.config, change)
    if not args.quiet:
        for mirror, _, said in done:
            for line in said:
                io.out(harmless(line))
            io.out(harmless(f"wrote {shown(mirror.config.source, Style(base=repository_of(io)))}"))
        if not done:
            io.out("nothing to do")
    io.out(verdict_line(ExitCode.AGREES, "done"))
    return ExitCode.AGREES


Work = Iterator[tuple[Mirror, Changes, tuple[str, ...]]]
"""For each mirror that changes: the changes, and a line for each of them."""


def _mirrors(args: argparse.Namespace, io: IO) -> Iterator[Mirror]:
    today = dt.datetime.now(tz=dt.UTC).date()
    project = project_of(args, io, unreasoned=True)
    targets: list[Target] = [parse_target(text, io.cwd) for text in args.against]
    for config in project.of(args.upstream):
        report = check(config, targets, fetch_options(args, io, config) if targets else None)
        problem = next((one.problem for one in report.comparisons if one.problem), None)
        if problem is not None:
            raise problem
        yield Mirror(config, report, today)


# --- accepting -------------------------------------------------------------------------------------------------------


def _accepted(args: argparse.Namespace, io: IO, mirrors: list[Mirror], limits: Limits) -> Work:
    is_meant = _meant(args)
    empty = {mirror: [entry for entry in mirror.unreasoned if args.all or is_meant(entry)] for mirror in mirrors}
    if args.all:
        chosen = {mirror: [*_all(mirror)] for mirror in mirrors}
    else:
        chosen = {} if any(empty.values()) else dict([_one(args, mirrors)])
    if not any(empty.values()) and not any(chosen.values()):
        raise UsageError("nothing to accept: no drift stands", next="driftgate check shows what is accepted already")
    reason = _reason(args.reason, io)
    for mirror in mirrors:
        entries = tuple(_entry(finding, mirror.report, reason, limits) for finding in chosen.get(mirror, ()))
        past = tuple(old for old in mirror.past if any(_same(old, entry) for entry in entries))
        fill = {entry.entry: reason for entry in empty[mirror]}
        filled = (f"filled in the reason: {entry.title}" for entry in empty[mirror])
        yield mirror, Changes(add=entries, drop=past, fill=fill), (*map(_said, entries), *filled)


def _all(mirror: Mirror) -> Iterator[Finding]:
    """Yield what stands and can be accepted, each once."""
    standing = {(found.rule.id, found.of, found.subject): found for found in mirror.report.all_findings()}
    yield from (found for found in standing.values() if found.rule.is_acceptable)


def _one(args: argparse.Namespace, mirrors: list[Mirror]) -> tuple[Mirror, list[Finding]]:
    """Return the finding that is meant. Raises UsageError where there is none, several, or it is not acceptable."""
    standing = {
        (mirror.config.upstream, found.rule.id, found.of, found.subject): (mirror, found)
        for mirror in mirrors
        for found in mirror.report.all_findings()
    }
    meant = [*_by_name(args, [*standing.values()])]
    (mirror, finding), *others = meant
    if others:
        sets = dict.fromkeys(f"--of {found.of}" for _, found in meant)
        upstreams = dict.fromkeys(f"--upstream {one.config.upstream}" for one, _ in meant)
        raise UsageError(
            f"several findings are called so: {finding.rule.id} {finding.subject}",
            expected=" or ".join(sets if len(sets) > 1 else upstreams),
        )
    if not finding.rule.is_acceptable:
        raise UsageError(
            f"{finding.rule.id} cannot be accepted: {finding.rule.summary}",
            next=finding.rule.remedy,
            where=finding.subject,
        )
    return mirror, [finding]


def _by_name(args: argparse.Namespace, standing: list[tuple[Mirror, Finding]]) -> Iterable[tuple[Mirror, Finding]]:
    if args.subject is None:
        return _by_fingerprint(args.what, standing)
    if args.what not in RULES:
        raise UsageError(
            f"there is no rule {args.what!r}" + did_you_mean(args.what, RULES), next="`driftgate rules` lists them"
        )
    named = [
        (mirror, found)
        for mirror, found in standing
        if (found.rule.id, found.subject) == (args.what, args.subject) and args.of in (None, found.of)
    ]
    if not named:
        names = [(found.rule.id, found.subject) for _, found in standing]
        others = [f"{rule} {subject}" for rule, subject in names if args.subject in subject or rule == args.what]
        raise UsageError(
            f"{args.what} {args.subject} is no drift here: an entry for it would match nothing",
            found=", ".join(others[:5]) or "no such drift",
            next="driftgate check shows what stands; --against WHAT looks elsewhere than at the snapshot",
        )
    return named


def _by_fingerprint(text: str, standing: list[tuple[Mirror, Finding]]) -> Iterable[tuple[Mirror, Finding]]:
    if text in RULES:
        raise UsageError(
            f"{text}: needs a subject; a rule alone is too broad", expected=f"driftgate accept {text} SUBJECT"
        )
    is_one = _FINGERPRINT.fullmatch(text) is not None
    found = [(mirror, one) for mirror, one in standing if is_one and one.fingerprint.startswith(text)]
    if len(found) != 1:
        raise UsageError(
            f"no finding has the fingerprint {text!r}" if not found else f"several findings begin with {text!r}",
            next="driftgate check --verbose shows the fingerprints",
        )
    return found


def _entry(finding: Finding, report: CheckReport, reason: str, limits: Limits) -> Accepted:
    versions = limits.versions or _beside_the_pin(finding, report)
    return Accepted(finding.rule.id, finding.subject, reason, limits.until, versions, of=finding.of)


def _beside_the_pin(finding: Finding, report: CheckReport) -> str | None:
    """Return the range for a drift that the pin does not have: without one, the entry would be unused there."""
    key = (finding.rule.id, finding.of, finding.subject)
    found_at = {
        one.version for one in report.comparisons if key in {(f.rule.id, f.of, f.subject) for f in one.findings}
    }
    versions = [version for version in found_at if version and is_version(version)]
    if not versions or report.pin in versions or not is_version(report.pin):
        return None
    newer = all(version_key(version) > version_key(report.pin) for version in versions)
    return f"{'>' if newer else '<'}{report.pin}"


def _same(old: Accepted, new: Accepted) -> bool:
    return (old.rule, old.subject, old.of, old.versions) == (new.rule, new.subject, new.of, new.versions)


def _said(entry: Accepted) -> str:
    limits = [f"until {entry.until}"] * (entry.until is not None)
    limits += [f"for releases {entry.versions}"] * (entry.versions is not None)
    return f"accepted: {entry.title}" + (f" ({', '.join(limits)})" if limits else "")


# --- keeping in order ------------------------------------------------------------------------------------------------


def _renewed(args: argparse.Namespace, mirrors: list[Mirror], limits: Limits) -> Work:
    until = limits.until
    if until is None or limits.versions is not None:
        raise UsageError("--renew moves a last day", expected="--renew --until YYYY-MM-DD")
    is_meant = _meant(args)
    for mirror in mirrors:
        # An entry with several subjects has one last day.
        renewed = {entry.entry: until for entry in mirror.past if is_meant(entry)}
        said = [f"renewed: {entry.title} (until {until})" for entry in mirror.past if entry.entry in renewed]
        yield mirror, Changes(renew=renewed), tuple(said)


def _pruned(args: argparse.Namespace, mirrors: list[Mirror], limits: Limits) -> Work:
    if args.against or args.reason or limits.until or limits.versions:
        raise UsageError("--prune stands alone", expected="driftgate accept --prune")
    for mirror in mirrors:
        gone = {entry: f"it held until {entry.until}" for entry in mirror.past}
        gone |= {entry: "it matches nothing at the pin" for entry in mirror.unused if entry not in gone}
        said = tuple(f"took out: {entry.title} ({why})" for entry, why in gone.items())
        yield mirror, Changes(drop=tuple(gone)), said


def _meant(args: argparse.Namespace) -> Callable[[Accepted], bool]:
    """Return which entries are meant: all, those of a rule, or those of a rule and subject."""
    return lambda entry: args.what in (None, entry.rule) and args.subject in (None, entry.subject)


# --- what is given ---------------------------------------------------------------------------------------------------


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
