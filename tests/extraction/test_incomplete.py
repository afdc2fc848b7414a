"""A declaration file states a part of the field table; comparing with it says nothing of the rest."""

from __future__ import annotations

from driftgate.extraction import read_surface
from driftgate.judge.comparison import ChangeKind, diff
from tests.extraction import bundles
from tests.extraction.bundles import artefact

FULL = read_surface(artefact({"cli.js": bundles.bare()}))


def test_what_declarations_leave_out_is_not_removed():
    stated = read_surface(artefact({"sdk.d.ts": bundles.declared()}))
    outcome = diff(stated, FULL)
    assert outcome.changes == ()
    assert set(outcome.uncompared) == {"guard_events", "command.cloud", "hook_matcher_fields"}


def test_what_declarations_state_is_compared():
    entries = bundles.ENTRIES.replace("args?: string[];", "args?: string; more: string;").replace("if?: string; }", "}")
    stated = read_surface(artefact({"sdk.d.ts": bundles.declared(entries=entries)}))
    outcome = diff(stated, FULL)
    assert {(change.kind, change.subject) for change in outcome.changes} == {
        (ChangeKind.ADDED, "command.more"),
        (ChangeKind.RETYPED, "command.args"),
    }
    assert "prompt.if" in outcome.uncompared
