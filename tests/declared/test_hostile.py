"""Files that are huge, deep or broken: an answer or an error that names the file, in little time, never a traceback."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from driftgate.declared import read_declared, read_file_surface, syntax
from driftgate.declared.source import LARGEST
from driftgate.errors import DeclaredError, DriftgateError
from driftgate.surface import FieldTable, Surface, Vocabulary

DEEP = 20_000
FILES = {
    "deep.py": "X = " + "[" * DEEP + "]" * DEEP,
    "deep.ts": "const X = " + "[" * DEEP + "]" * DEEP,
    "deeptype.ts": "type X = " + "(" * DEEP + "'A'" + ")" * DEEP,
    "deep.rs": "const X: u8 = " + "(" * DEEP + "1" + ")" * DEEP + ";",
    "deep.go": "package a\nvar X = " + "(" * DEEP + '"A"' + ")" * DEEP,
    "deep.zig": "const X = " + "(" * DEEP + "1" + ")" * DEEP + ";",
    "deep.json": '{"X": ' + "[" * DEEP + "]" * DEEP + "}",
    "deep.schema.json": '{"X": ' + '{"allOf": [' * DEEP + "]}" * DEEP + "}",
    "deep.yaml": "X: " + "[" * DEEP + "]" * DEEP,
    "cells.md": "# X\n| a |\n|---|\n| " + "`a` " * 5000 + "x |\n",
    "heading.md": "# X" + " " * 50_000 + "x\n| a |\n|---|\n| b |\n",
    "pipes.md": "# X\n" + "|" * 50_000 + "\n" + "|-" * 25_000 + "|\n| b |\n",
    "long.ts": "type X = " + " | ".join(f"'a{i}'" for i in range(3000)),
    "long.py": "X = " + " | ".join(f"Literal['a{i}']" for i in range(900)),
    "same.py": "X = {" + ", ".join(["'a'"] * 20_000) + "}",
    "empty.py": "",
    "empty.ts": "",
    "empty.rs": "",
    "empty.go": "",
    "empty.zig": "",
    "empty.json": "",
    "empty.yaml": "",
    "empty.md": "",
    "binary.ts": "\x00\x01\x02 const X = \x00",
    "binary.rs": "\x00\x01",
    "half.ts": "const X = ['A', 'B'",
    "half.rs": 'const X: &[&str] = &["A",',
    "half.go": 'package a\nvar X = []string{"A",',
    "half.zig": 'const X = [_][]const u8{ "A",',
    "loop.ts": "export * from './loop'\nexport { Y as X } from './loop'",
    "loop.py": "from .loop import X\nfrom loop import *",
}


def message_of(read: Callable[[], Vocabulary | FieldTable | Surface]) -> str:
    """Return the error's message, or what was read."""
    try:
        return str(read())
    except DriftgateError as error:
        return str(error)


@pytest.mark.parametrize("name", FILES)
def test_no_file_takes_long_or_ends_in_a_traceback(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    fragment = "/X" if name.endswith((".json", ".yaml")) else "X"
    started = time.process_time()
    for read in (
        lambda: read_declared(f"{name}#{fragment}", root=tmp_path, vocabulary="hook_events"),
        lambda: read_file_surface(tmp_path / name),
    ):
        assert name in message_of(read)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("name", ["long.ts", "long.py"])
def test_a_long_union_is_read_whole(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    found = read_declared(f"{name}#X", root=tmp_path, vocabulary="hook_events")
    assert isinstance(found, Vocabulary)
    assert len(found.members or ()) == FILES[name].count("'a")


DOUBLING = {
    "sum.py": ["A0 = ('a', 'b')"] + [f"A{i} = A{i - 1} + A{i - 1}" for i in range(1, 61)] + ["X = A60"],
    "tuple.py": ["A0 = ('a', 'b')"] + [f"A{i} = (A{i - 1}, A{i - 1})" for i in range(1, 61)] + ["X = A60"],
    "star.py": ["A0 = ('a', 'b')"] + [f"A{i} = (*A{i - 1}, *A{i - 1})" for i in range(1, 61)] + ["X = A60"],
    "text.py": ["A0 = 'a'"] + [f"A{i} = A{i - 1} + A{i - 1}" for i in range(1, 61)] + ["X = (A60,)"],
}


@pytest.mark.parametrize("name", DOUBLING)
def test_what_doubles_with_each_line_is_not_computed(tmp_path, name):
    (tmp_path / name).write_text("\n".join(DOUBLING[name]) + "\n")
    with pytest.raises(DeclaredError, match=r"which holds more than|which is longer than|more than 100000 names"):
        read_declared(f"{name}#X", root=tmp_path)


def test_a_text_that_is_parsed_for_too_long_is_blind(tmp_path, monkeypatch):
    monkeypatch.setattr(syntax, "LONGEST", 0)
    (tmp_path / "quotes.ts").write_text("'" * 100_000)
    with pytest.raises(DeclaredError, match=r"quotes\.ts takes too long to be parsed"):
        read_declared("quotes.ts#X", root=tmp_path)
    monkeypatch.setattr(syntax, "LONGEST", 10)
    (tmp_path / "good.ts").write_text("export const X = ['A'] as const;\n")
    found = read_declared("good.ts#X", root=tmp_path)
    assert isinstance(found, Vocabulary)
    assert found.members == ("A",)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    (tmp_path / "large.py").write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(DeclaredError, match=r"large\.py is too large to be read"):
        read_declared("large.py#X", root=tmp_path)
