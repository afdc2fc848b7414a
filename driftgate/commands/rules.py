"""List the rules: what is a finding, under which id.

examples:
  driftgate rules
  driftgate rules --format json
"""

from __future__ import annotations

import argparse
import json

from driftgate.commands import IO
from driftgate.commands.options import add_format_argument, format_of
from driftgate.errors import ExitCode
from driftgate.rules import RULES

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_format_argument(parser, FORMATS)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if format_of(args, io, FORMATS) == "json":
        records = [
            {
                "id": rule.id,
                "direction": rule.direction.value,
                "severity": rule.severity.value if rule.severity else None,
                "summary": rule.summary,
                "remedy": rule.remedy,
            }
            for rule in RULES.values()
        ]
        io.out(json.dumps({"schema": 1, "rules": records}, indent=2))
        return ExitCode.AGREES
    width = max(map(len, RULES))
    for rule in RULES.values():
        io.out(f"{rule.id:<{width}}  {(rule.severity or 'by impact'):<9}  {rule.summary}")
    return ExitCode.AGREES
