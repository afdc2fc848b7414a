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
from typing import TYPE_CHECKING, Final

from driftgate.adopt.writing import unified_diff
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
from driftgate.errors import ConfigError, ExitCode, UsageError, verdict_line
from driftgate.formats.harmless import harmless_lines
from driftgate.gate.pinned import pinned_snapshot
from driftgate.gate.target import TargetKind, parse_target
from driftgate.judge.rules import RULES, Severity
from driftgate.near import did_you_mean
from driftgate.project.configuration import Config
from driftgate.project.layers import layered
from driftgate.report.adoption import adopt_record, adopt_text
from driftgate.report.document import dumps, head

if TYPE_CHECKING:
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
    add_upstream_argument(parser)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    from driftgate.adopt import adopt, write
    from driftgate.adopt.workspace import Workspace

    mirrors = _mirrors(args, io)
    format_name = format_of(args, io, FORMATS, mirrors[0])
    workspace = Workspace(mirrors[0].root)
    found = []
    for config in mirrors:
        fail_on = _severity(layered("fail-on", args.fail_on, io.environ, config) or Severity.NOTICE)
        pinned = pinned_snapshot(config)
        observed = _observed(args, io, config, pinned)
        chosen = _chosen(args, config, observed, pinned)
        report = adopt(config, observed, chosen, pinned=pinned, workspace=workspace)
        found.append((report, report.exit_code(fail_on)))
    changes = found[-1][0].changes  # what is edited for one mirror stands in the files of the next
    if not args.dry_run:
        write(changes)
    code = max(code for _, code in found)
    if format_name == "json":
        reports = [adopt_record(report) for report, _ in found]
        written = bool(changes) and not args.dry_run
        files = [change.shown for change in changes]
        document = {**head("adopt", code), "written": written, "mirrors": reports, "files": files}
        io.out(dumps({**document, "diff": unified_diff(changes)}))
        return code
    if args.dry_run and changes:
        io.stdout.write(harmless_lines(unified_diff(changes)))
    if not args.quiet:
        for report, _ in found:
            io.out(adopt_text(report, dry=args.dry_run))
    io.out(verdict_line(code))
    return code


def _mirrors(args: argparse.Namespace, io: IO) -> Sequence[Config]:
    """Return the mirrors that are meant; one finding or target is one mirror's."""
    project = project_of(args, io)
    mirrors = project.of(args.upstream)
    if args.what is not None or (args.against and args.against != "latest"):
        mirrors = (project.one(args.upstream),)
    if mirrors[0].builtin:
        raise ConfigError(
            "there is no project here whose source could be edited",
            where=str(mirrors[0].source),
            next="run it in a project, or `driftgate init` first",
        )
    return mirrors


def _severity(value: str) -> Severity:
    if value not in list(Severity):
        raise UsageError("not a severity", where="--fail-on", expected=", ".join(Severity), found=value)
    return Severity(value)


def _observed(args: argparse.Namespace, io: IO, config: Config, pinned: Surface) -> Surface:
    target = parse_target(args.against, io.cwd) if args.against else None
    if target is None or target.kind in (TargetKind.PINNED, TargetKind.PROJECT):
        return pinned
    from driftgate.gate.observe import observe  # not needed for the snapshot

    return observe(
        target, fetch_options(args, io, config), deep=args.deep, upstream=config.upstream, finders=config.finders
    )


def _chosen(args: argparse.Namespace, config: Config, observed: Surface, pinned: Surface) -> Sequence[Finding] | None:
    """Return the findings that are meant, None for all. Raises UsageError where a named one does not stand."""
    if args.what is None:
        return None
    from driftgate.adopt.run import standing

    found = standing(config, observed, pinned)
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
