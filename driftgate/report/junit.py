"""JUnit XML: one suite a comparison, one test case a set. The form is the one that Jenkins and GitLab read.

A set fails with the findings that make the run fail; milder and accepted ones stand in its output. What could not be
looked at is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from driftgate.errors import DriftgateError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.check import CheckReport, Comparison
from driftgate.judge.findings import Finding
from driftgate.report import Style
from driftgate.report.phrases import (
    effects_of,
    plural,
    problem_parts,
    problems,
    reason_of,
    sentence_of,
    summary_of,
    title_of,
)
from driftgate.report.places import first_location

_PROJECT = "this project"


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one XML document."""
    writer = _Writer(report, style)
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *writer.document()])


class _Writer:
    """Builds the document from the inside out, because a suite states the counts of what is in it."""

    def __init__(self, report: CheckReport, style: Style) -> None:
        self.report = report
        self.style = style

    def document(self) -> Iterator[str]:
        suites = [*self.suites()]
        lines = [line for suite in suites for line in suite]
        yield f"<testsuites{_attributes(name='driftgate', **_counts(lines))}>"
        yield from lines
        yield "</testsuites>"

    def suites(self) -> Iterator[list[str]]:
        for comparison in self.report.comparisons:
            yield self.suite(title_of(comparison), [*self.cases(comparison)])
        if self.report.failure or not self.report.comparisons:
            title, problem = problems(self.report)[0]
            yield self.suite(title, [*self.blind(title, problem)])
        if self.report.findings:
            yield self.suite(_PROJECT, [*self.case(_PROJECT, "constants", [*self.report.findings], [])])

    def suite(self, title: str, cases: list[str]) -> list[str]:
        last = f"    <system-out>{_text(verdict_line(self.report.exit_code))}</system-out>"
        return [f"  <testsuite{_attributes(name=title, **_counts(cases))}>", *cases, last, "  </testsuite>"]

    def cases(self, comparison: Comparison) -> Iterator[str]:
        title = title_of(comparison)
        if comparison.problem is not None:
            yield from self.blind(title, comparison.problem)
            return
        found, accepted = comparison.findings, comparison.accepted
        for name in dict.fromkeys([*comparison.counts, *(one.of for one in found)]):
            mine, taken = ([one for one in group if one.of == name] for group in (found, accepted))
            yield from self.case(title, name, mine, taken)

    def case(self, suite: str, name: str, found: list[Finding], accepted: list[Finding]) -> Iterator[str]:
        failing = [one for one in found if one.severity.rank >= self.report.fail_on.rank]
        milder = [line for one in found if one not in failing for line in self.finding(one)]
        milder += [f"accepted: {sentence_of(one)} ({reason_of(one)})" for one in accepted]
        attributes = _attributes(classname=f"driftgate.{suite}", name=name, time="0")
        if not failing and not milder:
            yield f"    <testcase{attributes}/>"
            return
        yield f"    <testcase{attributes}>"
        if failing:
            message = f"{plural(len(failing), 'finding')}: {', '.join(one.subject for one in failing)}"
            body = "\n".join(harmless(line) for one in failing for line in self.finding(one))
            yield f"      <failure{_attributes(message=message, type='drift')}>{_text(body)}</failure>"
        if milder:
            yield f"      <system-out>{_text(chr(10).join(map(harmless, milder)))}</system-out>"
        yield "    </testcase>"

    def finding(self, finding: Finding) -> Iterator[str]:
        yield f"{finding.severity.value} {finding.subject} [{finding.rule.id}]"
        yield f"  {summary_of(finding)}"
        yield from (f"  {effect}" for effect in effects_of(finding))
        yield f"  at {first_location(finding, self.report, self.style)}"
        yield f"  next: {finding.rule.remedy}"

    def blind(self, suite: str, problem: DriftgateError) -> Iterator[str]:
        kind = verdict_line(problem.code).removeprefix("driftgate: ")
        body = "\n".join(f"{name}: {text}" for name, text in problem_parts(problem))
        lines = "\n".join(map(harmless, body.split("\n")))
        yield f"    <testcase{_attributes(classname=f'driftgate.{suite}', name='could be looked at', time='0')}>"
        yield f"      <error{_attributes(message=problem.what, type=kind)}>{_text(lines)}</error>"
        yield "    </testcase>"


def _counts(lines: list[str]) -> dict[str, str]:
    starts = [line.lstrip() for line in lines]
    kinds = {"tests": "<testcase", "failures": "<failure", "errors": "<error"}
    counts = {name: str(sum(line.startswith(tag) for line in starts)) for name, tag in kinds.items()}
    return {**counts, "time": "0"}


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(harmless(value))}" for name, value in values.items())


def _text(text: str) -> str:
    return escape(text)
