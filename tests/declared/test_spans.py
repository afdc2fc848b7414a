"""Each member says which bytes of its file state it, and in which form: what `adopt` edits."""

from __future__ import annotations

import pytest

from driftgate.declared import read_declared
from driftgate.declared.source import load
from driftgate.surface import Vocabulary

# file -> (text, spec, member -> its bytes, the container's bytes and form)
CASES = {
    "tuple": ("m.py", 'E = (\n    "é",  # first\n    "Stop",\n)\n', "E", ['"é"', '"Stop"'], "Tuple"),
    "literal": ("m.py", 'from typing import Literal\nE = Literal["A", "Stop"]\n', "E", ['"A"', '"Stop"'], "Subscript"),
    "crlf": ("m.py", 'X = "é"\r\nE = ["A",\r\n "Stop"]\r\n', "E", ['"A"', '"Stop"'], "List"),
    "enum": ("m.py", 'import enum\nclass E(enum.Enum):\n    A = "a"\n    B = "b"\n', "E", ['"a"', '"b"'], "ClassDef"),
    "array": ("m.ts", 'export const E = ["é", "Stop"] as const;\n', "E", ['"é"', '"Stop"'], "array"),
    "union": ("m.ts", 'export type E =\n  | "é"\n  | "Stop";\n', "E", ['"é"', '"Stop"'], "union_type"),
    "rust": ("m.rs", 'pub const E: &[&str] = &["é", "Stop"];\n', "E", ['"é"', '"Stop"'], "array_expression"),
    "zig": ("m.zig", "pub const E = enum { a, stop };\n", "E", ["a", "stop"], "enum_declaration"),
    "json": ("m.json", '{"x": "é", "e": ["é", "Stop"], "z": 1}\n', "/e", ['"é"', '"Stop"'], "array"),
    "json keys": ("m.json", '{"e": {"é": [], "Stop": {"x": "]"}}, "z": 1}\n', "/e", ['"é"', '"Stop"'], "object"),
    "yaml": ("m.yaml", "x: é\ne: [é, Stop]\n", "/e", ["é", "Stop"], "sequence"),
}


@pytest.mark.parametrize(("name", "text", "at", "literals", "form"), CASES.values(), ids=CASES)
def test_members_and_containers_are_cut_out_of_the_text(write, name, text, at, literals, form):
    root = write(text, name)
    found = read_declared(f"{name}#{at}", root=root)
    assert isinstance(found, Vocabulary)
    data = load(root / name, root=root).text.encode()
    spans = [place.span for place in found.places.values()]
    assert [data[span.start : span.end].decode() for span in spans if span] == literals
    container = found.evidence[0].place.span
    assert container is not None
    assert container.form == form
    assert all(span and container.start <= span.start <= span.end <= container.end for span in spans)
