"""Specs: where a set is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftgate.declared import parse_spec, read_declared
from driftgate.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "reader", "path", "name"),
    [
        ("a/b.py#X", "python", "a/b.py", "X"),
        ("a.pyi#X.Y", "python", "a.pyi", "X.Y"),
        ("a.d.ts#X", "typescript", "a.d.ts", "X"),
        ("zod:a.ts# X ", "zod", "a.ts", "X"),
        ("a.schema.json#/x/y", "jsonschema", "a.schema.json", "/x/y"),
        ("claude-settings-schema.json#X", "jsonschema", "claude-settings-schema.json", "X"),
        ("jsonschema:a.yml#/x", "jsonschema", "a.yml", "/x"),
        ("A.JSON#/", "json", "A.JSON", "/"),
        ("docs/a.md#Hook events/Event", "markdown", "docs/a.md", "Hook events/Event"),
        ("docs/a.md#C#/F#", "markdown", "docs/a.md", "C#/F#"),
        ("C:/x/a.py#X", "python", "C:/x/a.py", "X"),
        ("a b/c:d.py#X", "python", "a b/c:d.py", "X"),
        ("src/x.Zig#K.definition.event", "zig", "src/x.Zig", "K.definition.event"),
    ],
)
def test_specs_are_parsed(text, reader, path, name):
    spec = parse_spec(text)
    assert (spec.text, spec.reader, spec.path, spec.name) == (text, reader, path, name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a.py",
            "'a.py' does not say where the set stands\n  expected: path#NAME, for example src/hooks.py#HOOK_EVENTS",
        ),
        ("a.py#", "for example src/hooks.py#HOOK_EVENTS"),
        ("#X", "does not say where"),
        ("", "does not say where"),
        ("zig:#X", "for example src/hooks.zig#HookKind"),
        (
            "pyton:a.py#X",
            "names a reader that does not exist: pyton\n  expected: one of csharp, go, java, json",
        ),
        ("pyton:a.py#X", "did you mean 'python'?"),
        ("a.txt#X", "'a.txt': no reader for files of this kind"),
        ("Makefile#X", "write the names to a file of a kind that is"),
    ],
)
def test_faults_of_specs_are_configuration_errors(text, message):
    with pytest.raises(ConfigError) as caught:
        parse_spec(text)
    assert message in str(caught.value)
    assert caught.value.code == 2


def test_the_result_is_named_after_the_name_or_after_what_it_is_compared_as(tmp_path: Path):
    (tmp_path / "a.py").write_text('_VALID_HookEvents2 = ("A",)')
    assert read_declared("a.py#_VALID_HookEvents2", root=tmp_path).name == "valid_hook_events_2"
    assert read_declared("a.py#_VALID_HookEvents2", root=tmp_path, vocabulary="hook_events").name == "hook_events"
