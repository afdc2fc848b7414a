"""File one GitHub issue per drift in a json report of `check`, or update it; needs GitHub's command line, gh.

examples:
  driftgate check --against latest --output json:report.json
  driftgate issues report.json                       with GH_TOKEN and GH_REPO as gh knows them
  driftgate issues --dry-run report.json             only say what would be done
  driftgate issues --exit-code 3 log.txt             a check that made no report: what it printed becomes the issue
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from driftgate.commands import IO
from driftgate.commands.issue_plan import Action, Close, Create, Edit, Issue, Wanted, compared, failed, plan, wanted
from driftgate.errors import BlindError, ExitCode, UsageError, verdict_line
from driftgate.formats.files import read_text

LABEL: Final = "driftgate"
_LIMIT: Final = "1000"
_FIELDS: Final = "number,title,body,state,stateReason"

Gh = Callable[..., str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "report", type=Path, metavar="FILE", help="a json report of check, or what a failed run printed"
    )
    parser.add_argument("--exit-code", type=int, metavar="CODE", help="how the check ended, where it made no report")
    parser.add_argument("--label", default=LABEL, help=f"the label that marks the issues (default: {LABEL})")
    parser.add_argument("--run-url", default="", metavar="URL", help="the run to link to")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    wants, complete = _wants(args)
    gh = _gh()
    if gh is None and not args.dry_run:
        raise UsageError("gh, GitHub's command line, is not installed", next="install it, or use the report otherwise")
    if gh is None:
        io.err("notice: gh is not installed, so which issues there are is not known: each drift counts as new")
    for action in plan(wants, _existing(gh, args.label) if gh else (), complete):
        io.out(("would " if args.dry_run else "") + describe(action))
        if gh and not args.dry_run:
            _carry_out(gh, action, args.label)
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _wants(args: argparse.Namespace) -> tuple[tuple[Wanted, ...], frozenset[str] | None]:
    text = read_text(args.report, UsageError, "the report")
    try:
        report = json.loads(text)
    except ValueError as problem:
        if args.exit_code not in (ExitCode.USAGE, ExitCode.BLIND):
            raise UsageError(
                "not a json report",
                where=str(args.report),
                expected="what `driftgate check --output json:FILE` writes",
                next="for what a failed check printed, give its --exit-code: 2 or 3",
            ) from problem
        return failed(ExitCode(args.exit_code), text, args.run_url), None
    if not isinstance(report, dict) or report.get("command") != "check":
        raise UsageError("not a report of check", where=str(args.report))
    try:
        return wanted(report, args.run_url), compared(report)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise UsageError(
            "this report of check is damaged",
            where=str(args.report),
            next="write it again with `driftgate check --output json:FILE`",
        ) from problem


def describe(action: Action) -> str:
    """Return what an action does, in a line."""
    match action:
        case Create(title):
            return f"file: {title}"
        case Edit(number, _, reopen):
            return f"{'reopen' if reopen else 'update'} #{number}"
        case Close(number):
            return f"close #{number}"


def _existing(gh: Gh, label: str) -> list[Issue]:
    records = json.loads(gh("issue", "list", "--label", label, "--state", "all", "--limit", _LIMIT, "--json", _FIELDS))
    return [_issue(record) for record in records]


def _issue(record: dict[str, Any]) -> Issue:
    return Issue(
        number=record["number"],
        title=record["title"],
        body=record["body"].replace("\r\n", "\n"),
        is_open=record["state"] == "OPEN",
        muted=record["state"] != "OPEN" and record.get("stateReason") == "NOT_PLANNED",
    )


def _carry_out(gh: Gh, action: Action, label: str) -> None:
    match action:
        case Create(title, body):
            gh("label", "create", label, "--force", "--description", "what driftgate found", "--color", "d93f0b")
            gh("issue", "create", "--title", title, "--label", label, "--body-file", "-", stdin=body)
        case Edit(number, body, reopen):
            if reopen:
                gh("issue", "reopen", str(number), "--comment", "driftgate sees this drift again.")
            gh("issue", "edit", str(number), "--body-file", "-", stdin=body)
        case Close(number):
            gh("issue", "close", str(number), "--comment", "driftgate no longer sees this.")


def _gh() -> Gh | None:
    """Return what calls gh; None where it is not installed."""
    program = shutil.which("gh")
    if program is None:
        return None

    def call(*arguments: str, stdin: str = "") -> str:
        try:
            done = subprocess.run(  # noqa: S603 - a list of arguments, no shell
                [program, *arguments], input=stdin, capture_output=True, encoding="utf-8", check=False, timeout=120
            )
        except subprocess.TimeoutExpired as problem:
            raise BlindError("gh did not answer", where=" ".join(arguments[:2]), found="nothing in 120 s") from problem
        if done.returncode != 0:
            raise BlindError(
                "gh failed, so issues may be missing or out of date",
                where=f"gh {' '.join(arguments[:2])}",
                found=done.stderr.strip() or f"exit {done.returncode}",
                next="the token needs `issues: write` (GH_TOKEN), and gh the repository (GH_REPO)",
            )
        return done.stdout

    return call
