"""Addresses, the catalogue, the progress bar, and how little is imported."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from driftgate.anchors import address
from driftgate.anchors.progress import Progress
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


def test_progress_on_a_terminal():
    stream = io.StringIO()
    bar = Progress(stream, "x@1.0.0", 2_000_000)
    bar.add(1_000_000)
    bar.close()
    assert "x@1.0.0 [############............]  50% of 2.0 MB" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_progress_without_a_known_length():
    stream = io.StringIO()
    Progress(stream, "x", None).add(1_500_000)
    assert "x 1.5 MB" in stream.getvalue()


def test_progress_elsewhere_is_silent():
    bar = Progress(None, "x", 10)
    bar.add(5)
    bar.close()


def test_looking_at_a_file_imports_no_network():
    code = "import sys, driftgate.anchors; print([m for m in ('requests', 'isal', 'subprocess') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
