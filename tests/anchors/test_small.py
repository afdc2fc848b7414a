"""Addresses, the catalogue, the progress bar, and how little is imported."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace

import pytest

from driftgate.anchors import FetchOptions, address
from driftgate.anchors.progress import Progress, tell
from driftgate.upstreams.catalogue import CLAUDE_CODE, UPSTREAMS, program_of

SECRETIVE = "https://user:secret@Host.example:8443/npm/@scope%2fname?signature=secret#secret"


def test_messages_show_no_secrets():
    assert address.shown(SECRETIVE) == "https://host.example:8443/npm/@scope%2fname"
    assert address.host_of(SECRETIVE) == "host.example:8443"
    assert "secret@" not in address.without_userinfo(SECRETIVE)


def test_messages_obey_no_registry():
    assert address.shown("https://h.example/\x1b[31m") == "https://h.example/?[31m"
    assert not address.is_web("https://h\x1b[31m.example/")


def test_scopes():
    assert address.scopes("https://h.example/a/b?c") == ["//h.example/a/b/", "//h.example/a/", "//h.example/"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://h.example/a", "https://H.example:443/b", True),
        ("http://h.example/a", "https://h.example/a", False),
        ("https://h.example/a", "https://h.example:8443/a", False),
        ("https://h.example/a", "https://h.example.evil/a", False),
        ("http://127.0.0.1/a", "http://localhost/a", False),
    ],
)
def test_same_origin(one, other, same):
    assert address.same_origin(one, other) is same


RELEASES = [
    ("1.0.128", None, "@anthropic-ai/claude-code", None),
    ("2.0.0", "0.1.0", "@anthropic-ai/claude-code", "@anthropic-ai/claude-agent-sdk"),
    ("2.1.112", "0.2.112", "@anthropic-ai/claude-code", "@anthropic-ai/claude-agent-sdk"),
    ("2.1.113", "0.2.113", None, "@anthropic-ai/claude-agent-sdk"),
    ("2.1.135", "0.2.135", None, "@anthropic-ai/claude-agent-sdk"),
    ("2.1.136", "0.2.136", "@anthropic-ai/claude-agent-sdk", None),
    ("2.1.141", "0.2.141", "@anthropic-ai/claude-agent-sdk", None),
    ("2.1.142", "0.3.142", "@anthropic-ai/claude-agent-sdk", None),
    ("2.2.0", None, "@anthropic-ai/claude-agent-sdk", None),
]


@pytest.mark.parametrize(("release", "sdk", "anchor", "second"), RELEASES)
def test_which_packages_carry_a_release(release, sdk, anchor, second):
    (row,) = CLAUDE_CODE.others
    era = CLAUDE_CODE.era(release)

    def name(package):
        return None if package is CLAUDE_CODE.native or package is None else package.name

    assert row.version_of(release) == sdk
    assert (name(era.anchor), name(era.second)) == (anchor, second)
    if sdk:
        assert row.release_of(sdk) == release


def test_the_catalogue_agrees_with_itself():
    for program in (row.program for row in UPSTREAMS.values() if row.program):
        packages = list(program.packages())
        assert len({package.name for package in packages}) == len(packages)
        assert [era.until for era in program.eras if era.until is None] == [None] * bool(program.eras)
        assert not program.eras or program.eras[-1].until is None
        for package in packages:
            assert program_of(package.name) == (program, package)
    assert program_of("left-pad") is None


class Clock:
    """A clock that goes on by itself, `step` seconds each time that it is looked at."""

    def __init__(self, step=0.0):
        self.now, self.step = 1000.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def told(*, bar, step=1.0):
    stream = io.StringIO()
    return stream, FetchOptions(progress=stream, bar=bar, clock=Clock(step))


def test_progress_on_a_terminal():
    stream, options = told(bar=True)
    progress = Progress(options, "x@1.0.0", 2_000_000)
    progress.add(1_000_000)
    progress.close()
    assert "x@1.0.0 [############............]  50% of 2.0 MB" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_progress_without_a_known_length():
    stream, options = told(bar=True)
    Progress(options, "x", None).add(1_500_000)
    assert "x 1.5 MB" in stream.getvalue()


def test_progress_in_a_log_is_a_line_now_and_then():
    stream, options = told(bar=False)
    progress = Progress(options, "x@1.0.0", 74_000_000)
    for _ in range(25):
        progress.add(1_000_000)
    progress.close()
    assert stream.getvalue() == "fetching x@1.0.0: 10.0 of 74.0 MB\nfetching x@1.0.0: 20.0 of 74.0 MB\n"


def test_progress_of_what_is_quick_is_silent():
    stream, options = told(bar=False, step=0.01)
    for made in (options, replace(options, progress=None)):
        progress = Progress(made, "x", 10)
        progress.add(5)
        progress.close()
        assert str(progress) == "x: 0.0 of 0.0 MB"
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("bar", "expected"), [(False, "a\\u001bb\n"), (True, "\r\x1b[Ka\\u001bb\n")])
def test_what_is_told_is_harmless(bar, expected):
    stream, options = told(bar=bar)
    tell(options, "a\x1bb")
    tell(replace(options, progress=None), "x")
    assert stream.getvalue() == expected


def test_looking_at_a_file_imports_no_network():
    code = "import sys, driftgate.anchors; print([m for m in ('requests', 'isal', 'subprocess') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
