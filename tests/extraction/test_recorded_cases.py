"""Faults that users reported of tools that read bundles (tests/data/cases), as far as they concern extraction."""

from __future__ import annotations

import pytest

from driftgate.errors import ExitCode, ExtractionError
from driftgate.extraction import read_surface
from tests.extraction import bundles
from tests.extraction.bundles import EVENTS, artefact


@pytest.mark.parametrize(
    "name", ["/$bunfs/root/src/entrypoints/cli.js", "/$bunfs/root/claude", "B:/~BUN/root/chunk-1.js"]
)
def test_c01_the_name_of_an_embedded_module_makes_no_difference(name):
    held = bundles.native([bundles.getters()]) + name.encode() + b"\0"
    assert read_surface(artefact({"claude": held})).members("hook_events") == EVENTS


def test_c02_a_container_that_is_not_understood_is_read_as_text():
    """The section header table is zeroed and the trailer is gone; the text is there, and so is a floor."""
    text = bundles.native([bundles.getters()], magic=b"\x7fELF\x02\x01\x01" + b"\0" * 57)
    held = read_surface(artefact({"package/claude": text})).vocabularies["hook_events"]
    assert held.members == EVENTS
    assert held.evidence[0].witnesses[0].note == "text scan: the ELF container is not parsed"
    with pytest.raises(ExtractionError):
        read_surface(artefact({"package/claude": text.replace(b"Dg7=", b"Dg8=")}))


@pytest.mark.parametrize("spaces", ["", " "])
def test_c04_one_anchor_that_misses_is_blind_and_no_removal(spaces):
    ternary = spaces.join(("flag", "?", "S()", ":", "ee()"))
    text = bundles.bare().replace("server:S()", f"server:{ternary}")
    with pytest.raises(ExtractionError) as caught:
        read_surface(artefact({"cli.js": text}))
    assert caught.value.code is ExitCode.BLIND
    assert "fields of type mcp_tool: anchor not found" in caught.value.what
    assert caught.value.what.endswith("2 of 3 types read")


def test_c05_names_that_hold_a_dollar():
    """The same bundle with other local names gives the same surface, fact for fact."""
    text = bundles.bare()
    renamed = text.replace("bs=", "$e=").replace("K(bs)", "K($e)").replace("hf", "h$$").replace("t2e", "$2e")
    one, two = (read_surface(artefact({"cli.js": each})) for each in (text, renamed))
    assert text != renamed
    assert {name: held.members for name, held in one.vocabularies.items()} == {
        name: held.members for name, held in two.vocabularies.items()
    }
    assert dict(one.tables["hook_entry_fields"].rows) == dict(two.tables["hook_entry_fields"].rows)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"#!/nix/store/bash -e\nexec -a claude .claude-wrapped\n", "a script wrapper"),
        (b"\xcf\xfa\xed\xfe" + b"\0" * 296, "Mach-O"),
    ],
)
def test_c13_a_wrapper_is_called_a_wrapper(content, kind):
    with pytest.raises(ExtractionError) as caught:
        read_surface(artefact({"claude": content}))
    assert f"claude is {len(content)} bytes: {kind}" in caught.value.what
    assert "tool-9.9.9.tgz" in caught.value.where


def test_a_name_that_the_bundle_lists_twice_is_in_the_set_once():
    text = bundles.bare(events=(*EVENTS, EVENTS[0]), guards=(*bundles.GUARDS, bundles.GUARDS[0]))
    read = read_surface(artefact({"cli.js": text}))
    assert (read.members("hook_events"), read.members("guard_events")) == (EVENTS, bundles.GUARDS)
