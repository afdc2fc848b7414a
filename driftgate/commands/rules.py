"""List the rules: what is a finding, under which id.

examples:
  driftgate rules
  driftgate rules --format json
"""

from __future__ import annotations

import argparse
from typing import Any

from driftgate.commands import IO
from driftgate.commands.options import add_format_argument, format_of
from driftgate.errors import ExitCode
from driftgate.judge.rules import RULES, Rule
from driftgate.report.document import dumps, head

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_format_argument(parser, FORMATS)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if format_of(args, io, FORMATS) == "json":
        io.out(dumps({**head("rules", None), "rules": [rule_record(rule) for rule in RULES.values()]}))
        return ExitCode.AGREES
    width = max(map(len, RULES))
    for rule in RULES.values():
        io.out(f"{rule.id:<{width}}  {(rule.severity or 'by impact'):<9}  {rule.summary}")
    return ExitCode.AGREES


def rule_record(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain data; `severity` None for one whose severity is measured."""
    return {
        "id": rule.id,
        "direction": rule.direction.value,
        "severity": rule.severity.value if rule.severity else None,
        "summary": rule.summary,
        "remedy": rule.remedy,
    }
