"""The samples of the docs, taken out of the pages."""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.integration.runner import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
COMMIT = "0123456789abcdef0123456789abcdef01234567"
"""Stands for the commit that a reader names."""

_SAMPLE = re.compile(
    r"""(?:^<!--\ (?P<key>[a-z ]+?)(?::\ (?P<value>[\w-]+))?\ -->\n(?P<prose>(?:(?!```|<!--)[^\n]*\n)*?))?"""
    r"""^```(?P<language>\w+)(?:\ title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True)
class Sample:
    """One fenced block: `exit` is the code that it ends with, `code` the one fault that a document has."""

    page: str
    line: int
    language: str
    title: str
    text: str
    exit: int
    code: str
    new_project: bool

    def __str__(self):
        return f"{self.page}:{self.line}"


def samples(page: Path):
    """Return the samples of a page in order."""
    text = page.read_text(encoding="utf-8")
    assert len(re.findall("^```", text, re.MULTILINE)) == 2 * len([*_SAMPLE.finditer(text)]), f"{page}: an odd block"
    return [_sample(page, text, match) for match in _SAMPLE.finditer(text)]


def _sample(page, text, match):
    key, value = match["key"], match["value"]
    assert key in (None, "exit", "code", "new project", "end"), f"{page}: {key}"
    assert key in (None, "new project", "end") or not match["prose"], f"{page}: {key} stands right before its sample"
    return Sample(
        page=page.name,
        line=text.count("\n", 0, match.start("language")) + 1,
        language=match["language"],
        title=match["title"] or "",
        text=match["text"].replace("FULL_COMMIT_SHA", COMMIT),
        exit=int(value) if key == "exit" else 0,
        code=value if key == "code" else "",
        new_project=key == "new project",
    )


def all_samples(language=None, title=""):
    """Return the samples of all pages, of one language, whose title matches a pattern."""
    found = (sample for page in PAGES for sample in samples(page))
    return [one for one in found if language in (None, one.language) and re.match(title, one.title)]
