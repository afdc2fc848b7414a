"""Edit the mirror's own source so that it says what upstream says; nothing else in it changes.

examples:
  driftgate adopt                                     everything that `driftgate check` finds
  driftgate adopt event-only-upstream PreModelSwitch  one finding, as the report names it
  driftgate adopt --dry-run                           only print the difference
  driftgate adopt --against latest                    what the newest release has and the snapshot has not
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    config_of,
    fetch_options,
    format_of,
)
from driftgate.errors import ConfigError, ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.pinned import pinned_snapshot
from driftgate.gate.target import TargetKind, parse_target
from driftgate.judge.rules import RULES, Severity
from driftgate.near import did_you_mean
from driftgate.project.configuration import Config
from driftgate.project.layers import layered

if TYPE_CHECKING:
    from driftgate.adopt import AdoptReport, Change
    from driftgate.judge.findings import Finding
    from driftgate.surface import Surface

FORMATS: Final = ("text", "json")
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{6,16}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", metavar="RULE", nargs="?", help="the rule's id; or the fingerprint of one finding")
    parser.add_argument(
        "subject", metavar="SUBJECT", nargs="?", help="the event, type or field, as the report names it"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print the difference")
    parser.add_argument(
        "--against", metavar="WHAT", help="adopt what is found there instead of in the snapshot (as `check --against`)"
    )
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    parser.add_argument(
        "--fail-on", metavar="SEVERITY", help=f"{' | '.join(Severity)} (default: notice, so any finding that is left)"
    )
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    from driftgate.adopt import adopt, write

    config = config_of(args, io)
    format_name = format_of(args, io, FORMATS, config)
    if config.builtin:
        raise ConfigError(
            "there is no project here whose source could be edited",
            where=str(config.source),
            next="run it in a project, or `driftgate init` first",
        )
    fail_on = _severity(layered("fail-on", args.fail_on, io.environ, config) or Severity.NOTICE)
    observed = _observed(args, io, config)
    report = adopt(config, observed, _chosen(args, config, observed))
    if not args.dry_run:
        write(report.changes)
    code = report.exit_code(fail_on)
    if format_name == "json":
        io.out(_json(report, code, written=bool(report.changes) and not args.dry_run))
        return code
    _say(report, args, io)
    io.out(verdict_line(code))
    return code


def _severity(value: str) -> Severity:
    if value not in list(Severity):
        raise UsageError("not a severity", where="--fail-on", expected=", ".join(Severity), found=value)
    return Severity(value)


def _observed(args: argparse.Namespace, io: IO, config: Config) -> Surface:
    target = parse_target(args.against, io.cwd) if args.against else None
    if target is None or target.kind is TargetKind.PINNED:
        return pinned_snapshot(config)
    from driftgate.gate.observe import observe  # not needed for the snapshot

    return observe(
        target, fetch_options(args, io, config), deep=args.deep, upstream=config.upstream, finders=config.finders
    )


def _chosen(args: argparse.Namespace, config: Config, observed: Surface) -> Sequence[Finding] | None:
    """Return the findings that are meant, None for all. Raises UsageError where a named one does not stand."""
    if args.what is None:
        return None
    from driftgate.adopt.run import standing

    found = standing(config, observed)
    if args.what not in RULES and not _FINGERPRINT.fullmatch(args.what):
        raise UsageError(
            f"there is no rule {args.what!r}" + did_you_mean(args.what, RULES), next="`driftgate rules` lists them"
        )
    if args.what in RULES:
        named = [one for one in found if one.rule.id == args.what and args.subject in (None, one.subject)]
    else:
        named = [one for one in found if one.fingerprint.startswith(args.what)]
    if not named or (args.what not in RULES and len(named) > 1):
        others = [f"{one.rule.id} {one.subject}" for one in found]
        raise UsageError(
            f"{args.what} {args.subject or ''}".strip() + " is no drift here: there is nothing to adopt",
            found=", ".join(others[:5]) or "no drift",
            next="driftgate check shows what stands; --against WHAT looks elsewhere than at the snapshot",
        )
    return named


# --- what it says ----------------------------------------------------------------------------------------------------


def _say(report: AdoptReport, args: argparse.Namespace, io: IO) -> None:
    from driftgate.adopt import unified_diff

    if args.dry_run and report.changes:
        io.stdout.write(_printable(unified_diff(report.changes)))
    if args.quiet:
        return
    for adopted in report.adopted:
        io.out(harmless(f"{adopted.done}: {adopted.finding.subject} ({', '.join(adopted.places)})"))
    for note in report.notes:
        io.out(harmless(f"note: {note}"))
    for one in report.instructions:
        io.out(harmless(f"by hand: {one.where}: {one.what}"))
        io.out(harmless(f"         ({one.finding.rule.id} {one.finding.subject}; not edited: {one.why})"))
    io.out(harmless(_summary(report.changes, report, dry=args.dry_run)))


def _summary(changes: Sequence[Change], report: AdoptReport, *, dry: bool) -> str:
    if not report.before.findings:
        return f"nothing to adopt: it agrees with {report.before.title}"
    files = f"{len(changes)} file" + ("s" if len(changes) != 1 else "")
    left = len(report.after.findings)
    what = f"{len(report.adopted)} of {len(report.before.findings)} findings adopted from {report.before.title}"
    return f"{what}; {files} {'would change' if dry else 'changed'}; {left} left"


def _printable(text: str) -> str:
    return "\n".join(harmless(line) for line in text.split("\n"))


def _json(report: AdoptReport, code: ExitCode, *, written: bool) -> str:
    from driftgate.adopt import unified_diff
    from driftgate.report.document import dumps, head

    return dumps(
        {
            **head("adopt", code),
            "against": report.before.title,
            "written": written,
            "adopted": [
                {**_named(one.finding), "done": one.done, "places": list(one.places)} for one in report.adopted
            ],
            "by-hand": [
                {**_named(one.finding), "where": one.where, "what": one.what, "why": one.why}
                for one in report.instructions
            ],
            "notes": list(report.notes),
            "files": [change.shown for change in report.changes],
            "diff": unified_diff(report.changes),
            "left": [_named(one) for one in report.after.findings],
        }
    )


def _named(finding: Finding) -> dict[str, Any]:
    return {"rule": finding.rule.id, "subject": finding.subject, "of": finding.of}
