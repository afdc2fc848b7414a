"""Explain one rule (with the documents that it is about), or one code of the classifier.

examples:
  driftgate explain event-only-upstream
  driftgate explain guard-outside-hooks
  driftgate explain event-only-upstream --format json
  driftgate rules                          lists the rules
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from driftgate.commands import IO
from driftgate.commands.options import add_format_argument, format_of
from driftgate.commands.rules import FORMATS, rule_record
from driftgate.errors import ExitCode, UsageError
from driftgate.judge.examples import example_finding
from driftgate.judge.rules import RULES, Rule
from driftgate.near import did_you_mean
from driftgate.report.document import dumps, head
from driftgate.settings.codes import MEANINGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("rule", metavar="RULE", help="a rule's id, or a code of the classifier")
    add_format_argument(parser, FORMATS)


def run(args: argparse.Namespace, io: IO) -> ExitCode:
    """Run the command."""
    as_json = format_of(args, io, FORMATS) == "json"
    if args.rule in RULES:
        rule = RULES[args.rule]
        io.out(dumps(_rule_document(rule)) if as_json else "\n".join(_rule_lines(rule)))
    elif args.rule in MEANINGS:
        meaning = {"code": args.rule, "meaning": MEANINGS[args.rule]}
        io.out(dumps({**head("explain", None), **meaning}) if as_json else ": ".join(meaning.values()))
    else:
        raise UsageError(
            f"there is no rule or code {args.rule!r}" + did_you_mean(args.rule, (*RULES, *MEANINGS)),
            next="`driftgate rules` lists the rules",
        )
    return ExitCode.AGREES


def _rule_document(rule: Rule) -> dict[str, Any]:
    finding = example_finding(rule.id)
    example = finding and {
        "subject": finding.subject,
        "detail": finding.detail,
        "impacts": [
            {
                "case": impact.case,
                "document": impact.document,
                "upstream": impact.upstream,
                "here": impact.here,
                "severity": impact.effect.severity.value,
            }
            for impact in finding.impacts
        ],
    }
    return {**head("explain", None), "rule": rule_record(rule), "example": example}


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
