"""driftgate's verdicts on plugins against what the real client said of them (recorded by `python -m tests.probe`)."""

from __future__ import annotations

from collections import Counter

import pytest

from driftgate.releases import FileKind, Verdict, load_verdict
from tests.probe import answers

HOOKS_FILE = "hooks/hooks.json"
MANIFEST = ".claude-plugin/plugin.json"
OUTCOMES = {"plugin": "disabled", "hooks-file": "fails"}
RECORDED = answers.read(answers.PLUGINS)
FILES = [record for record in RECORDED if list(record["files"]) == [HOOKS_FILE]]
MANIFESTS = [record for record in RECORDED if list(record["files"]) == [MANIFEST]]
RELEASES = sorted({release for record in RECORDED for release in answers.by_release(record)})


def outcome(verdict: Verdict) -> str:
    """The verdict in the words of the answers."""
    return OUTCOMES[verdict.reach.value] if verdict.rejections else "loads"


def dropped(verdict: Verdict) -> set[str]:
    """What the verdict drops, down to an entry: the client names entries, driftgate the field that is wrong, too."""
    return {".".join(map(str, piece.path[1:5])) for piece in verdict.dropped}


def test_the_record_is_large_enough():
    assert len(RELEASES) >= 8
    assert {"2.1.168", "2.1.332"} <= set(RELEASES)
    assert len(RECORDED) >= 2000
    said = Counter(answer["outcome"] for record in RECORDED for answer in answers.by_release(record).values())
    assert min(said["loads"], said["fails"], said["disabled"]) > 1000


@pytest.mark.parametrize("release", RELEASES)
def test_a_hooks_file_becomes_what_the_client_said(release):
    wrong = []
    for record in FILES:
        text = record["files"][HOOKS_FILE]
        said = answers.by_release(record)[release]
        if said["outcome"] == "silent":
            continue
        verdict = load_verdict(text.encode("utf-8", "surrogatepass"), release, kind=FileKind.PLUGIN_HOOKS)
        seen = (outcome(verdict), set() if verdict.rejections else dropped(verdict))
        if seen != (said["outcome"], set(said.get("dropped", ())) if said["outcome"] == "loads" else set()):
            wrong.append((text, said, seen))
    assert wrong == []


@pytest.mark.parametrize("release", RELEASES)
def test_hooks_in_a_manifest_become_what_the_client_said(release):
    """Of a plugin that is a manifest alone; what its other keys do to it is not judged, and not among these."""
    wrong = []
    for record in MANIFESTS:
        text = record["files"][MANIFEST]
        said = answers.by_release(record)[release]
        verdict = load_verdict(text, release, kind=FileKind.MANIFEST)
        if outcome(verdict) != said["outcome"]:
            wrong.append((text, said, outcome(verdict)))
    assert wrong == []


SETTINGS = answers.read(answers.SETTINGS)
SETTINGS_RELEASES = sorted({release for record in SETTINGS for release in answers.by_release(record)})
PASSED_OVER = {"hooks.__proto__"}
"""What `doctor` names and the client passes over all the same: its reader notes it, and its schema skips it."""

NOT_DRAWN = {"2.1.168": {"hooks.__proto__", "hooks.constructor"}}
"""What the older releases, which draw a tree, cannot show: keys that every JavaScript object has."""


@pytest.mark.parametrize("release", SETTINGS_RELEASES)
def test_a_settings_file_becomes_what_doctor_says(release):
    wrong = []
    hidden = NOT_DRAWN.get(release, set())
    for record in SETTINGS:
        said = answers.by_release(record)[release]
        if said["outcome"] == "rejected" and set(said["errors"]) <= PASSED_OVER:
            continue
        verdict = load_verdict(record["text"], release)
        # The coordinates of a piece, down to an entry: `doctor` names the field that is wrong where it knows it.
        pieces = {".".join(map(str, piece.path[:5])) for piece in verdict.dropped} - hidden
        named = {".".join(path.split(".")[:5]) for path in said.get("dropped", ())} - hidden
        found = ("rejected", set()) if verdict.rejections else ("loads", pieces)
        if found != (said["outcome"], named):
            wrong.append((record["text"], said, found))
    assert wrong == []


def test_enough_settings_files_are_recorded():
    assert len(SETTINGS) >= 500
    assert len(SETTINGS_RELEASES) >= 6
