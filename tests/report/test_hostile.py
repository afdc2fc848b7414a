"""Names and messages that try to break out of a format: each document keeps the structure of a harmless one."""

import html
import json
import re
from functools import cache
from xml.etree import ElementTree as ET

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from driftgate.formats.harmless import harmless, harmless_lines
from driftgate.report import FORMATS, render
from tests.report.reports import WIDE, Words, all_kinds

HOSTILE = {
    "a line end and a command": "x\n::error file=a::owned",
    "a carriage return": "x\r\n::add-mask::owned\r",
    "a command at the start": "::stop-commands::owned",
    "a command after blanks": "  ::set-output name=verdict::agrees",
    "a command of the first version": "##[error]owned",
    "a command of another service": "##vso[task.complete result=Succeeded;]##teamcity[x]",
    "an encoded line end": "x%0A::error::owned%25",
    "a property's end": "x,line=1,title=y::owned: a, b",
    "an output's delimiter": "x\nEOF\nverdict=agrees\nverdict<<EOF\nagrees\nEOF",
    "the end of CDATA": "]]><error/>",
    "an element": "<script>alert(1)</script><img src=x onerror=y></failure></testcase>",
    "an attribute's end": "\" onload='x' & &amp; &#10;",
    "a comment": "--> <!-- <details> </details>",
    "a table's bar": "a | b | c\n| --- |",
    "backticks": "` `` ``` x ```` `",
    "a fence": "```\n# owned\n~~~",
    "markup": "# x **b** _i_ ~~s~~ [a](javascript:x) ![i](http://e.example/x.png) \\",
    "links": "http://e.example/x www.e.example mailto:a@e.example a.b@e.example <http://e.example>",
    "mentions": "@everyone #1 GH-1 org/repo#2 !3",
    "a terminal's escapes": "x\x1b[2J\x1b]0;owned\x07\x1b[8m",
    "one-byte escapes": "x\x9b31m\x90q\x9c",
    "a bidi override": "x\u202eevil\u2066\u2069",
    "characters without width": "Pre\u200bTool\u2060Use\ufeff",
    "other line ends": "a\u2028b\u2029c\x0bd\x0ce\x85f",
    "NUL": "a\0b",
    "no character": "a\ufffeb\uffffc",
    "half a character": "a\ud800b",
    "beyond the plane": "a\U000e0041\U0001f600b",
    "backslashes": "\\n\\u001b\\\\",
    "quotes": "\"'`'\"",
    "a path upwards": "../../etc/passwd",
    "blanks only": "   ",
    "very long": "x" * 5000,
}
BENIGN = all_kinds(Words())


@cache
def rendered(kind, format_name, words):
    return render(all_kinds(words)[kind][0], format_name, WIDE)


@pytest.fixture(params=list(HOSTILE.values()), ids=list(HOSTILE))
def words(request):
    return Words(request.param)


each_kind = pytest.mark.parametrize("kind", BENIGN)


@each_kind
@pytest.mark.parametrize("format_name", FORMATS)
def test_nothing_that_a_terminal_or_a_log_obeys(kind, format_name, words):
    text = rendered(kind, format_name, words)
    assert all(one == "\n" or one.isprintable() for one in text)
    assert not re.search(r"##\w*\[", text)
    if format_name != "github":
        assert not re.search(r"(?m)^\s*::", text)
    text.encode("utf-8")


@each_kind
@pytest.mark.parametrize("format_name", ["text", "github", "markdown", "junit", "json", "sarif"])
def test_no_line_more_and_none_less(kind, format_name, words):
    benign = rendered(kind, format_name, Words())
    assert rendered(kind, format_name, words).count("\n") == benign.count("\n") + _own_line_ends(
        kind, format_name, words.name
    )


def _own_line_ends(kind, format_name, name):
    """A problem keeps the lines of its parts, in the formats where that cannot be mistaken for anything else."""
    if kind not in ("blind", "failed", "failed blind"):
        return 0
    lines = name.count("\n")
    return {"text": 4 * lines, "junit": 4 * lines}.get(format_name, 0)


COMMAND = re.compile(r"::(error|warning|notice) file=[^,:]*(?:,line=\d+)?(?:,col=\d+)?,title=[^,:]*::.*\Z")


@each_kind
def test_github_sees_our_commands_only(kind, words):
    *lines, last = rendered(kind, "github", words).split("\n")
    assert last == rendered(kind, "github", Words()).split("\n")[-1]
    for line, benign in zip(lines, rendered(kind, "github", Words()).split("\n"), strict=False):
        assert COMMAND.match(line)
        assert line.partition("::")[2].partition(" ")[0] == benign.partition("::")[2].partition(" ")[0]
        assert "\r" not in line


@each_kind
def test_json_says_exactly_what_it_was_given(kind, words):
    document = json.loads(rendered(kind, "json", words))
    assert document["exit"] == BENIGN[kind][1]
    if kind == "drift":
        assert {finding["subject"] for finding in document["findings"]} == {words.name}
        assert _shape(document["findings"]) == _shape(json.loads(rendered(kind, "json", Words()))["findings"])


def _shape(value):
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items() if key != "document"}
    return [_shape(item) for item in value] if isinstance(value, list) else type(value).__name__


@each_kind
def test_sarif_and_gitlab_keep_their_form(kind, words):
    for format_name in ("sarif", "gitlab"):
        assert _shape(json.loads(rendered(kind, format_name, words))) == _shape(
            json.loads(rendered(kind, format_name, Words()))
        )


@each_kind
def test_junit_keeps_its_tree(kind, words):
    def tree(text):
        return [(one.tag, sorted(one.attrib)) for one in ET.fromstring(text).iter()]  # noqa: S314 - our own text

    assert tree(rendered(kind, "junit", words)) == tree(rendered(kind, "junit", Words()))


@each_kind
def test_markdown_keeps_its_elements(kind, words):
    def elements(text):
        page = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
        return [tag for tag in re.findall(r"</?[a-zA-Z!][^>]*>", page) if "code" not in tag]

    assert elements(rendered(kind, "markdown", words)) == elements(rendered(kind, "markdown", Words()))


def test_markdown_shows_the_name_as_it_is(words):
    page = cmarkgfm.github_flavored_markdown_to_html(rendered("drift", "markdown", words), Options.CMARK_OPT_UNSAFE)
    seen = html.unescape(re.sub(r"</?code>", "", page))
    assert re.sub(r"\s+", " ", harmless(words.name)).strip() in re.sub(r"\s+", " ", seen)
    assert "@everyone" not in re.sub(r"(?s)<code>.*?</code>", "", page)


def test_text_shows_the_name_with_escapes(words):
    text = rendered("drift", "text", words)
    assert re.sub(r"\s+", " ", harmless(f"x {words.name}")[2:]).strip() in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("width", [1, 20, 40, 80])
def test_a_wrapped_line_never_begins_with_a_command(width):
    text = render(Words("a " * 30 + "::error::x " * 9).drift(), "text", WIDE.__class__(width=width))
    assert not re.search(r"(?m)^\s*::", text)


def test_lines_are_kept_and_each_is_harmless():
    assert harmless_lines("a\n  ::b\n\x1bc") == "a\n  \\u003a:b\n\\u001bc"
    assert harmless("a::b # x ## y [z] ##[z") == "a::b # x ## y [z] \\u0023#[z"
