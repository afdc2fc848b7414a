"""JUnit XML: one suite a comparison, one test case a set. The form is the one that Jenkins and GitLab read.

A set fails with the findings that make the run fail; milder and accepted ones stand in its output. What could not be
looked at is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring  # only written here, never read

from driftgate.errors import DriftgateError, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport, Comparison
from driftgate.judge.findings import Finding
from driftgate.report import Style
from driftgate.report.phrases import (
    effects_of,
    plural,
    problem_parts,
    reason_of,
    sentence_of,
    summary_of,
    title_of,
    unseen,
    verdict_of,
)
from driftgate.report.places import first_location

_PROJECT = "this project"


def render(report: CheckReport, style: Style) -> str:
    """Return the report as one XML document."""
    root = Element("testsuites", name="driftgate")
    root.extend(_suites(report, style))
    count(root)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")


def _suites(report: CheckReport, style: Style) -> Iterator[Element]:
    for comparison in report.comparisons:
        yield _suite(title_of(comparison), _cases(comparison, report, style), report)
    blind = {title_of(comparison) for comparison in report.comparisons}
    for one in unseen(report):
        if one.title not in blind:
            yield _suite(one.title, [_blind(one.title, one.problem)], report)
    for mirror in report.mirrors:
        if mirror.findings:
            title = f"{mirror.home.name}: {_PROJECT}" if mirror.home.name else _PROJECT
            yield _suite(title, [_case(title, "constants", mirror.findings, (), report, style)], report)


def _suite(title: str, cases: Iterable[Element], report: CheckReport) -> Element:
    suite = Element("testsuite", name=harmless(title))
    suite.extend(cases)
    count(suite)
    SubElement(suite, "system-out").text = verdict_of(report)
    return suite


def count(element: Element) -> None:
    """State how many cases lie below, and how many of them failed or could not be looked at."""
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        element.set(name, str(sum(1 for _ in element.iter(tag))))
    element.set("time", "0")


def _cases(comparison: Comparison, report: CheckReport, style: Style) -> Iterator[Element]:
    title = title_of(comparison)
    if comparison.problem is not None:
        yield _blind(title, comparison.problem)
        return
    found, accepted = comparison.findings, comparison.accepted
    for name in dict.fromkeys([*comparison.counts, *(one.of for one in found)]):
        mine, taken = ([one for one in group if one.of == name] for group in (found, accepted))
        yield _case(title, name, mine, taken, report, style)


def _case(
    suite: str, name: str, found: Iterable[Finding], accepted: Iterable[Finding], report: CheckReport, style: Style
) -> Element:
    failing = [one for one in found if report.fails(one)]
    milder = [line for one in found if one not in failing for line in _finding(one, style)]
    milder += [f"accepted: {sentence_of(one)} ({reason_of(one)})" for one in accepted]
    case = testcase(suite, name)
    if failing:
        message = f"{plural(len(failing), 'finding')}: {', '.join(one.subject for one in failing)}"
        body = (line for one in failing for line in _finding(one, style))
        SubElement(case, "failure", message=harmless(message), type="drift").text = lines_of(body)
    if milder:
        SubElement(case, "system-out").text = lines_of(milder)
    return case


def _finding(finding: Finding, style: Style) -> Iterator[str]:
    yield f"{finding.severity.value} {finding.subject} [{finding.rule.id}]"
    yield f"  {summary_of(finding)}"
    yield from (f"  {effect}" for effect in effects_of(finding))
    yield f"  at {first_location(finding, style)}"
    yield f"  next: {finding.remedy}"


def _blind(suite: str, problem: DriftgateError) -> Element:
    kind = verdict_line(problem.code).removeprefix("driftgate: ")
    body = "\n".join(f"{name}: {text}" for name, text in problem_parts(problem))
    case = testcase(suite, "could be looked at")
    SubElement(case, "error", message=harmless(problem.what), type=kind).text = lines_of(body.split("\n"))
    return case


def testcase(suite: str, name: str) -> Element:
    """Return one test case of a suite, passed as long as nothing is put into it."""
    return Element("testcase", classname=harmless(f"driftgate.{suite}"), name=harmless(name), time="0")


def lines_of(lines: Iterable[str]) -> str:
    """Return lines as the text of an element."""
    return "\n".join(map(harmless, lines))
