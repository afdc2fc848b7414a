"""Joining what several artefacts of one release state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from driftgate.errors import ExtractionError
from driftgate.extraction import combine, read_surface
from driftgate.surface import Surface, Vocabulary
from tests.extraction import bundles
from tests.extraction.bundles import EVENTS, GUARDS, artefact


def surface(text: str, name: str = "cli.js", package: str = "@scope/tool") -> Surface:
    return read_surface(artefact({name: text}, package=package))


def test_one_surface_is_itself():
    one = surface(bundles.bare())
    assert combine([one]) is one


def test_each_set_has_the_evidence_of_all():
    one = surface(bundles.bare(), package="@scope/one")
    two = surface(bundles.bare(bundles.CLASSES), package="@scope/two")
    both = combine([one, two])
    assert both.members("hook_events") == EVENTS
    assert dict(both.tables["hook_entry_fields"].rows) == dict(one.tables["hook_entry_fields"].rows)
    for held in both.sets():
        assert [evidence.origin.package for evidence in held.evidence] == ["@scope/one", "@scope/two"]


@pytest.mark.parametrize("swapped", [False, True])
def test_declarations_alone_state_less_and_must_agree(swapped):
    full = surface(bundles.bare())
    stated = surface(bundles.declared(), "sdk.d.ts")
    assert "guard_events" not in stated.vocabularies
    assert not stated.tables["hook_entry_fields"].complete
    assert stated.members("hook_shells") == ("bash", "powershell")
    assert any("state no constraints" in notice for notice in stated.notices)
    both = combine([stated, full] if swapped else [full, stated])
    assert both.members("guard_events") == GUARDS
    assert both.tables["hook_entry_fields"].complete
    assert dict(both.tables["hook_entry_fields"].rows) == dict(full.tables["hook_entry_fields"].rows)


def test_declarations_of_events_only():
    stated = surface("declare const HOOK_EVENTS: readonly ['A', 'B', 'C'];", "sdk.d.ts")
    assert stated.members("hook_events") == ("A", "B", "C")
    assert set(stated.vocabularies) == {"hook_events"}
    assert not stated.tables


def test_two_declaration_files_must_agree():
    members = {"a.d.ts": bundles.declared(), "b.d.ts": bundles.declared()}
    assert read_surface(artefact(members)).members("hook_events") == EVENTS
    members["b.d.ts"] = bundles.declared(entries=bundles.ENTRIES.replace("args?", "arguments?"))
    with pytest.raises(ExtractionError, match="the public fields of hook entries: two witnesses disagree"):
        read_surface(artefact(members))


@pytest.mark.parametrize(
    ("other", "what", "words"),
    [
        (bundles.bare(events=(*EVENTS, "Extra")), "hook_events", "only there: Extra"),
        (bundles.bare(guards=("PreToolUse",)), "guard_events", "only there: PermissionRequest"),
        (bundles.bare(reader=""), "guard_events", "has none"),
        (bundles.bare(cloud="nullable().catch"), "hook_entry_fields", "command.cloud"),
    ],
)
def test_artefacts_that_disagree(other, what, words):
    with pytest.raises(ExtractionError) as caught:
        combine([surface(bundles.bare(), package="@scope/one"), surface(other, package="@scope/two")])
    assert f"{what}: two artefacts of one release disagree" in str(caught.value)
    assert words in caught.value.found
    assert "@scope/one@9.9.9" in caught.value.where
    assert "@scope/two@9.9.9" in caught.value.where


def test_artefacts_of_different_releases():
    one = surface(bundles.bare())
    with pytest.raises(ExtractionError, match="are different releases"):
        combine([one, replace(one, version="2.9.8", title="Claude Code 2.9.8")])


def test_a_release_that_only_one_names():
    one = surface(bundles.bare())
    assert combine([replace(one, version=None), one]).version == "2.9.9"


def test_two_artefacts_neither_of_which_has_guard_events():
    """None and none agree; none and some do not, and none and unsaid are the one that says so."""

    def with_guards(members):
        sets = {} if members == "unsaid" else {"guard_events": Vocabulary("guard_events", members)}
        return Surface("Tool 1", vocabularies=sets)

    both = combine([with_guards(None), with_guards(None)])
    assert both.vocabularies["guard_events"].members is None
    assert combine([with_guards("unsaid"), with_guards(None)]).vocabularies["guard_events"].members is None
    for other in (("Stop",), ()):
        with pytest.raises(ExtractionError, match="guard_events: two artefacts of one release disagree"):
            combine([with_guards(None), with_guards(other)])
