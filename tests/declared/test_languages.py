"""A language is one row and one module: nothing else knows it."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from driftgate.declared import is_source_file, languages, read_declared, read_file_surface
from driftgate.declared.languages import READERS, Reader, reader_for
from driftgate.declared.spec import parse_spec
from driftgate.declared.unreadable import missing
from driftgate.declared.values import Items, Stated, Text
from driftgate.errors import ConfigError
from driftgate.init.tree import Walk
from tests.declared.conftest import members


@pytest.fixture
def toy(monkeypatch):
    """A language of lines: `NAME: one two three`."""
    module = ModuleType("toy_language")

    def stated(source):
        for number, line in enumerate(source.lines, 1):
            if b":" in line:
                name, _, words = line.decode().partition(":")
                place = source.place(number, 0)
                yield Stated(name, Items(tuple(Text(word, place) for word in words.split()), place), place)

    def read(source, name):
        known = {each.name: each.value for each in stated(source)}
        if name not in known:
            raise missing(name, source, known)
        return known[name]

    module.read, module.stated = read, stated  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_language", module)
    row = Reader("toy", "toy_language", (".toy",), "hooks.toy#EVENTS", "words after a colon")
    monkeypatch.setattr(languages, "READERS", (*READERS, row))


@pytest.mark.usefixtures("toy")
def test_a_toy_language_is_read_named_and_found(write):
    root = write("HOOK_EVENTS: PreToolUse PostToolUse Stop\n", "hooks.toy")
    assert members(read_declared("hooks.toy#HOOK_EVENTS", root=root)) == ("PreToolUse", "PostToolUse", "Stop")
    assert members(read_declared("toy:hooks.toy#HOOK_EVENTS", root=root)) == ("PreToolUse", "PostToolUse", "Stop")
    assert is_source_file(root / "hooks.toy")
    assert list(read_file_surface(root / "hooks.toy").vocabularies) == ["hook_events"]
    found = Walk(root).candidates(["PreToolUse", "PostToolUse", "Stop"])
    assert [candidate.path for candidate in found] == [root / "hooks.toy"]
    with pytest.raises(ConfigError, match=r"hooks\.toy#EVENTS"):
        parse_spec("toy:hooks.toy")


def test_names_suffixes_and_examples_fit_together():
    names = [reader.name for reader in READERS]
    suffixes = [suffix for reader in READERS for suffix in reader.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert {parse_spec(reader.example).reader for reader in READERS} == set(names)


@pytest.mark.parametrize(
    ("path", "reader"),
    [("a.JSON", "json"), ("a.schema.json", "jsonschema"), ("my-schema.json", "jsonschema"), ("x/a.d.ts", "typescript")],
)
def test_the_longest_suffix_names_the_reader(path, reader):
    assert reader_for(path) == reader
