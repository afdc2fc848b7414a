"""Explain one rule (with the documents that it is about), or one code of the classifier.

examples:
  driftgate explain event-only-upstream
  driftgate explain guard-outside-hooks
  driftgate rules                          lists the rules
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from driftgate.commands import IO
from driftgate.errors import ExitCode, UsageError
from driftgate.examples import example_finding
from driftgate.near import nearest
from driftgate.rules import RULES, Rule
from driftgate.settings.codes import MEANINGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("rule", metavar="RULE", help="a rule's id, or a code of the classifier")


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    if args.rule in RULES:
        io.out("\n".join(_rule_lines(RULES[args.rule])))
    elif args.rule in MEANINGS:
        io.out(f"{args.rule}: {MEANINGS[args.rule]}")
    else:
        near = nearest(args.rule, (*RULES, *MEANINGS))
        raise UsageError(
            f"there is no rule or code {args.rule!r}" + (f"; did you mean {near!r}?" if near else ""),
            next="`driftgate rules` lists the rules",
        )
    return ExitCode.AGREES


def _rule_lines(rule: Rule) -> Iterator[str]:
    yield rule.id
    yield f"  what:      {rule.summary}"
    yield f"  next:      {rule.remedy}"
    yield f"  severity:  {rule.severity or 'by what it does to documents, see below'}"
    finding = example_finding(rule.id)
    if finding is None:
        return
    yield f"  example:   {finding.subject}" + (f" ({finding.detail})" if finding.detail else "")
    for impact in finding.impacts:
        yield ""
        yield f"  {impact.case}: {impact.effect.words} ({impact.effect.severity})"
        yield f"    {json.dumps(impact.document)}"
        yield f"    upstream: {impact.upstream}"
        yield f"    here:     {impact.here}"
