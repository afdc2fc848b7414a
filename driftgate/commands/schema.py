"""Print a JSON Schema (2020-12).

examples:
  driftgate schema --of config > driftgate.schema.json   for an editor that knows driftgate.yml
  driftgate schema                                       what loads as the hooks of a settings document
  driftgate schema --of report                           what --format json prints
"""

from __future__ import annotations

import argparse

from driftgate.commands import IO
from driftgate.errors import ExitCode, UsageError
from driftgate.near import did_you_mean
from driftgate.report.document import dumps
from driftgate.schemas import SCHEMAS, schema_of

DEFAULT = "hooks"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    details = "; ".join(f"{name}: {what}" for name, what in SCHEMAS.items())
    names = f"{' | '.join(SCHEMAS)}, default {DEFAULT} ({details})"
    parser.add_argument("--of", default=DEFAULT, metavar="SCHEMA", help=names)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if args.of not in SCHEMAS:
        raise UsageError(
            f"there is no schema of {args.of!r}" + did_you_mean(args.of, SCHEMAS),
            expected=", ".join(SCHEMAS),
        )
    io.out(dumps(schema_of(args.of)))
    return ExitCode.AGREES
