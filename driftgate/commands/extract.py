"""Print the surface that an artefact, a snapshot or a source file states, with the evidence for it.

examples:
  driftgate extract 2.1.296                                           a release
  driftgate extract latest --format json
  driftgate extract npm:@anthropic-ai/claude-code-linux-x64@2.1.332   one package
  driftgate extract npm:@google/gemini-cli@0.61.0                     another upstream; so does --upstream
  driftgate extract ./cli.js                                          a local bundle, binary, tarball or .d.ts
  driftgate extract 2.1.332 --firing                                  when hooks fire there, from the program itself
  driftgate extract src/hooks.zig                                     a source file that declares hook sets
  driftgate extract src/hooks.py#HOOK_EVENTS                          one set of it
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.commands.options import (
    add_config_argument,
    add_fetch_arguments,
    add_format_argument,
    fetch_options,
    format_of,
    project_of,
)
from driftgate.errors import ConfigError, ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.observe import observe
from driftgate.gate.target import parse_target
from driftgate.project.configuration import Config
from driftgate.report.surfaces import surface_json, surface_text
from driftgate.upstreams.catalogue import DEFAULT_UPSTREAM

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", metavar="WHAT", help="a version, latest, npm:PACKAGE@VERSION, or a path")
    parser.add_argument("--deep", action="store_true", help="read a native binary too; it must agree")
    parser.add_argument("--firing", action="store_true", help="instead: when hooks fire, as the program states it")
    parser.add_argument(
        "--upstream", metavar="NAME", help="whose releases are meant (default: the configuration's, or claude-code)"
    )
    add_config_argument(parser)
    add_format_argument(parser, FORMATS)
    add_fetch_arguments(parser)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    format_name = format_of(args, io, FORMATS)
    config = _configuration(args, io)
    if args.firing:
        return _firing(args, io, config, format_name)
    surface = observe(
        parse_target(args.what, io.cwd),
        fetch_options(args, io, config),
        deep=args.deep,
        upstream=args.upstream or (config.upstream if config else DEFAULT_UPSTREAM),
        finders=config.finders if config and not args.upstream else {},
    )
    for notice in surface.notices:
        io.err(harmless(f"notice: {notice}"))
    if format_name == "json":
        io.out(surface_json(surface))
        return ExitCode.AGREES
    if not args.quiet:
        io.out(surface_text(surface, verbose=args.verbose))
    io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _firing(args: argparse.Namespace, io: IO, config: Config | None, format_name: str) -> ExitCode:
    from driftgate.gate.firing import observe_firing
    from driftgate.report.firing import firing_json, firing_text

    origin, facts = observe_firing(parse_target(args.what, io.cwd), fetch_options(args, io, config))
    if format_name == "json":
        io.out(firing_json(origin, facts))
    else:
        io.out(firing_text(origin, facts))
        io.out(verdict_line(ExitCode.AGREES))
    return ExitCode.AGREES


def _configuration(args: argparse.Namespace, io: IO) -> Config | None:
    """Return the configuration in force, if there is one: nothing here depends on it, so none is no error."""
    try:
        mirrors = project_of(args, io).mirrors
    except ConfigError:
        if args.config is not None:
            raise
        return None
    return next((config for config in mirrors if config.upstream == args.upstream), mirrors[0])
