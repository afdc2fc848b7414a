"""Say which hooks of settings files load, which pieces go and why, and how to write them right.

A file is read as Claude Code reads it: strict JSON (no comments, no trailing commas, no NaN), at most 2 MiB, any depth.
Names of your own (an unknown event, an unknown key) are shortened in all output; --show-names shows them.

examples:
  driftgate classify .claude/settings.json
  driftgate classify '**/settings*.json' hooks/hooks.json
  driftgate classify --format json - < settings.json
  driftgate classify settings.json --release 2.1.100          what that release itself does with it
  driftgate classify settings.json --releases                 what every known release does
  driftgate classify settings.json --releases='>=2.1.120'     and fail where one of these does not load it all
  driftgate classify settings.json --min-release              the oldest release from which on everything loads
  driftgate classify path/to/plugin                           a plugin: its manifest, hooks files and skills
  driftgate classify --before old.json new.json               hooks that loaded before and do not now
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_format_argument,
    config_file_of,
    format_of,
    repository_of,
)
from driftgate.errors import BlindError, ExitCode, NoConfigError, UsageError
from driftgate.project.configuration import CLASSIFY_FAILS, ClassifySettings
from driftgate.project.reading import classify_settings
from driftgate.releases import FileKind, known_releases
from driftgate.releases.vocabulary import FOLDER
from driftgate.report import Style
from driftgate.settings import json_report, text_report
from driftgate.settings.pieces import Judge, Unreadable
from driftgate.settings.run import Question, classify_before, classify_sources, releases_in
from driftgate.settings.sources import Source, sources
from driftgate.surface import Surface
from driftgate.upstreams.shipped import snapshots_dir, snapshots_of
from driftgate.versions import parse_range

FORMATS = ("text", "json", "concise", "github", "sarif", "junit", "gitlab")
_ALL = ("", "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="settings files, plugins' folders and files, patterns, or - for stdin"
    )
    parser.add_argument(
        "--as",
        dest="kind",
        choices=[kind.value for kind in FileKind],
        help="what the files are (default: by their names, else settings)",
    )
    parser.add_argument("--show-names", action="store_true", help="show names of your own whole, for use at home")
    parser.add_argument(
        "--release",
        metavar="VERSION",
        help="the verdict of this release of Claude Code itself; `pin` is the project's, `latest` the newest known",
    )
    parser.add_argument(
        "--judge",
        choices=[judge.value for judge in Judge],
        help="who judges: the release, the contract, or the stricter of both (default: both; with --release, release)",
    )
    parser.add_argument(
        "--releases",
        metavar="RANGE",
        nargs="?",
        const="",
        help="also what each known release does (all), and with a RANGE fail unless all of it loads on all of them",
    )
    parser.add_argument("--min-release", action="store_true", help="print the oldest release from which on all loads")
    parser.add_argument("--fail-on", choices=CLASSIFY_FAILS, help="whether a warning fails too (default: error)")
    parser.add_argument(
        "--before", metavar="FILE", type=Path, help="an earlier state of the file: fail if hooks that loaded are lost"
    )
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    kind = FileKind(args.kind) if args.kind else None
    question = _question(args, io)
    if args.before is None:
        report = classify_sources(sources(args.files, io.cwd, sys.stdin.buffer, kind), question)
    else:
        report = classify_before(*_two(args, io, kind), question)
    if format_name == "json":
        io.out(json_report.render(report, reveal=args.show_names))
    elif format_name != "text":
        from driftgate.settings.ci_reports import render  # only these formats need what it loads

        style = Style(base=repository_of(io))
        io.out(render(report, format_name, style, io.cwd, reveal=args.show_names))
    else:
        io.out(text_report.render(report, reveal=args.show_names, color=io.color, quiet=args.quiet))
    return report.exit_code


def _two(args: argparse.Namespace, io: IO, kind: FileKind | None) -> tuple[Source | Unreadable, Source | Unreadable]:
    """Return the earlier state of a file and the present one."""
    (now, *more) = sources(args.files, io.cwd, sys.stdin.buffer, kind)
    if more:
        raise UsageError("an earlier state is that of one file", where="--before", found=f"{len(more) + 1} files")
    if kind is None and isinstance(now, Source):
        kind = now.kind
    (before, *_) = sources([str(args.before)], io.cwd, sys.stdin.buffer, kind)
    return before, now


def _question(args: argparse.Namespace, io: IO) -> Question:
    file = _configuration(args, io)
    said = classify_settings(file) if file is not None else ClassifySettings()
    policy, where = (args.releases, "--releases") if args.releases not in (None, *_ALL) else (None, "")
    if args.releases is None and not args.min_release and said.releases is not None:
        policy, where = said.releases, str(file)
    if policy is not None:
        parse_range(policy, where=where, error=UsageError)
    asked = policy is not None or args.releases is not None or args.min_release
    releases = releases_in(policy) if asked else ()
    if asked and not releases:
        known = releases_in(None)
        raise BlindError(
            "no known release is in the range",
            where=where,
            expected=f"one of {known[0]} to {known[-1]}" if known else "",
            found=repr(policy),
            next="`driftgate refresh` reads newer releases",
        )
    release, surface = _release(args.release, said, releases if policy is not None else ())
    default = Judge.RELEASE if args.release is not None else Judge(said.judge or Judge.BOTH)
    return Question(
        release,
        Judge(args.judge) if args.judge else default,
        releases,
        policy,
        fail_on_warning=(args.fail_on or said.fail_on) == "warning",
        surface=surface,
    )


def _release(asked: str | None, said: ClassifySettings, stated: tuple[str, ...]) -> tuple[str, Surface | None]:
    """Return the release whose reader and vocabulary are taken, and its vocabulary where driftgate does not know it.

    It is the one that was asked for; else the project's pin, where that is among the releases that it states; else the
    newest of these; and where a project states nothing, the newest whose snapshot is shipped.
    """
    if asked not in (None, "pin", "latest"):
        return str(asked), None
    newest = next(reversed(snapshots_of(FOLDER)))
    pinned = _pinned(said)
    if asked == "latest":
        return known_releases()[-1], None
    if pinned is not None and (asked == "pin" or not stated or pinned[0] in stated):
        return pinned
    if asked == "pin":
        raise UsageError(
            "there is no pin", where="--release pin", expected="a project that pins a release of Claude Code"
        )
    return (stated[-1] if stated else newest), None


def _pinned(said: ClassifySettings) -> tuple[str, Surface | None] | None:
    if said.snapshot is None:
        return None
    if said.snapshot.parent.parent == snapshots_dir():
        return said.snapshot.stem, None
    from driftgate.snapshot import load_snapshot

    surface = load_snapshot(said.snapshot)
    return (surface.version, surface) if surface.version is not None else None


def _configuration(args: argparse.Namespace, io: IO) -> Path | None:
    """Return the project's configuration, if it has one. Files are classified without, too."""
    try:
        return config_file_of(args, io)
    except NoConfigError:
        return None
