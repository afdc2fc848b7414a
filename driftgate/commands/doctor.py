"""Show what driftgate finds around itself: versions, configuration, registry, cache, and whether it can be reached.

examples:
  driftgate doctor                 one small request to the registry
  driftgate doctor --offline       none
  driftgate doctor --format json   for a bug report
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    fetch_options,
    format_of,
    project_of,
)
from driftgate.commands.surroundings import Section, examine, worst
from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.report.document import dumps, head, problem_record

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_format_argument(parser, FORMATS)
    add_config_argument(parser)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    sections = examine(lambda: project_of(args, io).mirrors, lambda config: fetch_options(args, io, config))
    code = worst(sections)
    if format_name == "json":
        found = {one.name: dict(one.facts) for one in sections}
        problems = {one.name: problem_record(one.problem) for one in sections if one.problem}
        io.out(dumps({**head("doctor", code), "found": found, "problems": problems}))
        return code
    if not args.quiet:
        io.out("\n".join(map(harmless, _lines(sections))))
    io.out(verdict_line(code))
    return code


def _lines(sections: tuple[Section, ...]) -> Iterator[str]:
    width = max(len(name) for section in sections for name, _ in section.facts)
    for section in sections:
        yield section.name
        yield from (f"  {name:<{width}}  {value}" for name, value in section.facts)
        if section.problem is not None:
            yield from (f"  {line}" for line in f"problem: {section.problem}".split("\n"))
