"""Guard events: found by what asks them; absent only where nothing could ask."""

from __future__ import annotations

import pytest

from driftgate.extraction import read_surface
from driftgate.surface import Surface
from tests.extraction import bundles
from tests.extraction.bundles import GUARDS, artefact


def read(text: str) -> Surface:
    return read_surface(artefact({"cli.js": text}))


def test_the_evidence_names_the_set_and_its_place():
    text = bundles.bare()
    (evidence,) = read(text).vocabularies["guard_events"].evidence
    assert evidence.place.offset is not None
    assert text.encode()[evidence.place.offset :].startswith(b'new Set(["PreToolUse","PermissionRequest"])')
    witness, refusal = evidence.witnesses
    assert refusal.members is None
    assert "not seen" in refusal.note
    assert witness.members == GUARDS
    assert witness.how == "the set that the reader of single matchers asks about its event"


def test_absence_is_established_by_how_the_matcher_is_used():
    held = read(bundles.getters()).vocabularies["guard_events"]
    assert held.members is None
    assert "(`Dg7`) is used only inside of array(...)" in held.evidence[0].witnesses[0].note


def test_a_reader_of_whole_lists_is_no_reader_of_single_matchers():
    reader = "function yB(e){let r=y.array(Dg7());return Object.entries(e).map(([i,s])=>r.safeParse(s))}"
    assert read(bundles.getters(extra=reader)).vocabularies["guard_events"].members is None


READERS = [
    pytest.param(bundles.READER, id="a function"),
    pytest.param(bundles.READER.replace("function v4(e,t)", "var v4=(e,t)=>") + ";", id="an arrow function"),
    pytest.param(
        bundles.READER.replace(
            "for(let a of e){let f=o.safeParse(a);", "for(let a of e){let f=(()=>{return Yk().safeParse(a)})();"
        ),
        id="uses in inner functions",
    ),
    pytest.param("var x1=1;" + bundles.READER + bundles.READER.replace("v4", "v5"), id="two readers of one set"),
    pytest.param(
        "function w(){let Yk=()=>1;return Yk()}function w2(Yk){return Yk.x}" + bundles.READER,
        id="inner variables of that name",
    ),
    pytest.param(
        bundles.READER.replace("return s}", "return n?{dropped:[],unloadableGuards:s}:{dropped:s,unloadableGuards:[]}}")
        + "function rd(d){for(let[k,v]of Object.entries(d)){let{dropped:i,unloadableGuards:l}=v4(v,k);for(let x of l)"
        'd.push({message:`${k}`,severity:"fatal"})}}',
        id="with its refusal",
    ),
    pytest.param(bundles.READER.replace("s=[];", "s=[],w=`of ${t}`,q={at:t};"), id="an event that is told to people"),
    pytest.param(
        bundles.READER.replace("n=hf.has(t),", "").replace("if(n)", "if(hf.has(t))"), id="the question in a condition"
    ),
]


@pytest.mark.parametrize("reader", READERS)
def test_readers_in_several_forms(reader):
    assert read(bundles.bare(reader=reader)).vocabularies["guard_events"].members == GUARDS


def test_a_reader_in_another_module():
    members = bundles.chunks()
    members["core-hk.mjs"] = (
        members["core-hk.mjs"]
        .replace(bundles.READER, "")
        .replace(bundles.guard_set(), "")
        .replace("export{", "export{Yk as Y1,")
    )
    members["core-rd.mjs"] = f'import{{Y1 as Yk}}from"./core-hk.mjs";{bundles.guard_set()}{bundles.READER}'
    held = read_surface(artefact(members)).vocabularies["guard_events"]
    assert held.members == GUARDS
    assert held.evidence[0].place.source == "core-rd.mjs"
