"""The history's file: canonical, strict, the same whoever wrote it, and fast to read."""

from __future__ import annotations

import itertools

import pytest

from driftgate.errors import SnapshotError
from driftgate.formats.yaml import load_yaml
from driftgate.history import Known, dump_history, history_of, load_history, parse_history, write_history
from driftgate.surface import Field
from tests.history.world import COMMAND, World, surface

WORLD = World("A", "A", "A B", "A B", "A", "A", "A", "C A")


def test_what_is_written_is_read_back(tmp_path) -> None:
    history = WORLD.history(0, 1, 2, 4, 6)
    path = tmp_path / "history.yaml"
    write_history(path, history)
    again = load_history(path)
    assert dump_history(again) == path.read_text(encoding="utf-8") == dump_history(history)
    assert again.versions() == ("2.0.0", "2.0.1", "2.0.2", "2.0.4", "2.0.5", "2.0.6")
    assert again.unknown == ("2.0.3", "2.0.7")
    assert [reading.known for reading in again.readings].count(Known.BETWEEN) == 1
    assert again.readings[0].origin == history.readings[0].origin


def test_every_kind_of_fact_survives() -> None:
    fields = (
        Field("a", "enum", required=False, values=("x", "on"), constraints=('catch("skip")',), internal=True),
        Field("b: c", "record<string,unknown>", required=True, constraints=("min(1)", "positive")),
    )
    one = surface(("Stop", "true", "1.0"), fields, guards=(), shells=("bash",), http=COMMAND, empty=())
    history = history_of("claude-code", [_reading("1.0.23", one), _reading("1.0.24", surface())], ())
    again = parse_history(dump_history(history), where="x")
    for before, after in zip(history.readings, again.readings, strict=True):
        assert {n: v.members for n, v in before.surface.vocabularies.items()} == {
            n: v.members for n, v in after.surface.vocabularies.items()
        }
        assert [t.rows for t in before.surface.tables.values()] == [t.rows for t in after.surface.tables.values()]


def _reading(version, stated):
    from driftgate.history import Reading
    from driftgate.surface import Origin

    return Reading(version, stated, Known.READ, Origin("p", version, "sha512-x"))


def test_order_of_reading_does_not_matter() -> None:
    readings = [_reading(v, WORLD.read(v)) for v in WORLD.published]
    texts = set()
    for some in itertools.islice(itertools.permutations(readings), 0, 5000, 997):
        texts.add(dump_history(history_of("claude-code", some, WORLD.published)))
    assert len(texts) == 1


def test_equal_surfaces_are_one_object_whatever_their_order() -> None:
    history = history_of("x", [_reading("1.0.0", surface(("A", "B"))), _reading("1.0.1", surface(("B", "A")))], ())
    assert history.readings[0].surface is history.readings[1].surface
    again = parse_history(dump_history(history), where="x")
    assert again.readings[0].surface is again.readings[1].surface


def test_surfaces_that_differ_in_a_constraint_are_two() -> None:
    other = (Field("command", "string", required=True, constraints=("min(1)",)),)
    history = history_of("x", [_reading("1.0.0", surface()), _reading("1.0.1", surface(fields=other))], ())
    assert history.readings[0].surface is not history.readings[1].surface


def test_the_text_is_yaml_that_the_full_reader_reads_alike() -> None:
    import yaml

    text = dump_history(WORLD.history())
    assert load_yaml(text, where="x", error=SnapshotError) == yaml.safe_load(text)


BAD = {
    "another format": ("driftgate: 1", "driftgate: 2"),
    "an unknown surface": ('"1 read', '"9 read'),
    "a word that is no way to know": (" read @", " heard @"),
    "an unknown set": ("hook_events: hook_events.1", "hook_events: hook_events.9"),
    "releases out of order": ("  2.0.0:", "  2.0.99:"),
    "no version": ("  2.0.0:", "  latest:"),
    "a field without a kind": ("kind: string, ", ""),
    "no list of releases": ("releases:", "others:"),
    "a release twice": ("  2.0.1:", "  2.0.0:"),
    "not YAML": ("fields:", "fields: ["),
}


@pytest.mark.parametrize(("old", "new"), BAD.values(), ids=BAD)
def test_malformed(old: str, new: str) -> None:
    text = dump_history(WORLD.history(0, 1, 2))
    assert old in text
    with pytest.raises(SnapshotError) as caught:
        parse_history(text.replace(old, new, 1), where="history.yaml")
    assert "history.yaml" in caught.value.where


def test_releases_are_found() -> None:
    history = WORLD.history(0, 1, 2)
    assert history.at("2.0.1") is history.get("2.0.1")
    assert history.get("2.0.99") is None
    newest = history.at("2.0.99")
    assert newest is not None
    assert newest.version == "2.0.2"
    assert history.at("1.9.9") is None
