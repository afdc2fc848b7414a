"""What loads and never fires: the data, and what is said of documents."""

from __future__ import annotations

import pytest

from driftgate.releases import firing
from driftgate.releases.firing import DeadCode, Runs, cell, dead_entries, matched_field

X = {"type": "command", "command": "x"}

CELLS = [
    ("SessionStart", "http", "2.1.112", Runs.NEVER),
    ("Setup", "http", "2.1.332", Runs.NEVER),
    ("SessionStart", "prompt", "2.1.332", Runs.NEVER),
    ("SessionStart", "command", "2.1.332", Runs.FIRES),
    ("PermissionRequest", "agent", "2.1.332", Runs.NEVER),
    ("PermissionRequest", "prompt", "2.1.332", Runs.FIRES),
    ("PreToolUse", "agent", "2.1.112", Runs.NEVER),
    ("PreToolUse", "agent", "2.1.168", Runs.FIRES),
    ("PreSkillShellCommand", "agent", "2.1.332", Runs.NEVER),
    ("Stop", "agent", "2.1.112", Runs.FIRES),
    ("SessionEnd", "prompt", "2.1.296", Runs.NEVER),
    ("Notification", "agent", "2.1.296", Runs.NEVER),  # read in the code; no session had one
    ("SessionEnd", "mcp_tool", "2.1.332", Runs.UNKNOWN),  # it did not run, and its server may have gone
    ("Foo", "command", "2.1.332", Runs.UNKNOWN),
    ("Stop", "command", "9.9.9", Runs.UNKNOWN),
    ("Stop", "command", "1.0.0", Runs.UNKNOWN),
]


@pytest.mark.parametrize(("event", "entry_type", "release", "runs"), CELLS)
def test_a_cell(event, entry_type, release, runs):
    found = cell(event, entry_type, release)
    assert found.runs is runs
    assert bool(found.evidence) is (runs is not Runs.UNKNOWN)


def test_the_two_witnesses_never_contradict_each_other():
    read, seen = firing._tables()
    both = set(read.releases) & set(seen.releases)
    assert len(both) >= 6
    refused = 0
    for release in both:
        for event, fired in seen.facts[release]["fired"].items():
            for entry_type in firing.TYPES:
                if firing.is_read(event, entry_type, release):
                    refused += 1
                    assert entry_type not in fired, (release, event, entry_type)
            if "nomatch" in fired and event != "SubagentStop":  # which may be of no type: then any matcher will do
                assert matched_field(event, release)[0] in (firing.NOTHING, None), (release, event)
    assert refused > 100


def test_enough_was_confirmed_by_the_client():
    assert firing.seen_cells() >= 500


def test_between_two_that_differ_nothing_is_said():
    assert cell("PostToolUse", "agent", "2.1.112").runs is Runs.NEVER
    assert cell("PostToolUse", "agent", "2.1.139").runs is Runs.FIRES
    assert cell("PostToolUse", "agent", "2.1.120").runs is Runs.UNKNOWN


def doc(event, entry=X, matcher=None):
    return {event: [{"hooks": [entry]} if matcher is None else {"matcher": matcher, "hooks": [entry]}]}


# hooks, and what is dead in them on 2.1.332: (code, last element of its path, whether it can never fire)
DEAD = [
    (doc("Stop"), []),
    (doc("SessionStart", {"type": "http", "url": "http://x/"}), [(DeadCode.TYPE_NEVER_RUNS, 0, True)]),
    (
        doc("SessionStart", {"type": "agent", "prompt": "x", "if": "Bash", "once": True}),
        [(DeadCode.TYPE_NEVER_RUNS, 0, True)],
    ),
    (doc("Stop", X | {"if": "Bash(git *)"}), [(DeadCode.IF_NEVER_HOLDS, "if", True)]),
    (doc("Stop", X | {"if": ""}), []),
    (doc("PreToolUse", X | {"if": "Bash(git *)"}), []),
    (doc("PreToolUse", X | {"once": True}), [(DeadCode.ONCE_WITHOUT_EFFECT, "once", False)]),
    (doc("PreToolUse", X | {"once": False}), []),
    (doc("Stop", matcher="Bash"), [(DeadCode.MATCHER_IGNORED, "matcher", False)]),
    (doc("Stop", matcher="*"), []),
    (doc("Stop", matcher=""), []),
    (doc("UserPromptSubmit", matcher="x"), [(DeadCode.MATCHER_IGNORED, "matcher", False)]),
    (doc("SessionStart", matcher="startup|resume"), []),
    (doc("SessionStart", matcher="Startup"), [(DeadCode.MATCHER_NOT_LISTED, "matcher", False)]),
    (doc("SessionStart", matcher="start.*"), []),
    (doc("PreToolUse", matcher="anything"), []),
    (doc("FileChanged"), [(DeadCode.WATCHES_NOTHING, 0, False)]),
    (doc("FileChanged", matcher=".env"), []),
    (doc("Stop", X | {"onFailure": "block"}), [(DeadCode.ON_FAILURE_IGNORED, "onFailure", False)]),
    (doc("PreToolUse", X | {"onFailure": "block"}), []),
    (doc("PreToolUse", X | {"onFailure": "block", "async": True}), [(DeadCode.ON_FAILURE_IGNORED, "onFailure", False)]),
    ({"Stop": {}, "Setup": [1, {"hooks": 1}, {"matcher": 1, "hooks": [None, {}, {"type": 1}]}]}, []),
    ([], []),
    (None, []),
]


@pytest.mark.parametrize(("hooks", "expected"), DEAD)
def test_what_is_dead(hooks, expected):
    found = dead_entries(hooks, "2.1.332")
    assert [(each.code, each.path[-1], each.never) for each in found] == expected
    assert all("2.1." in each.evidence for each in found)


def test_of_a_release_that_nobody_looked_at_nothing_is_said():
    hooks = doc("SessionStart", {"type": "http", "url": "http://x/"})
    assert dead_entries(hooks, "2.1.400") == dead_entries(hooks, "1.0.0") == ()
