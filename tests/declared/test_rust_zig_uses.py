"""Constants of Rust and Zig that have no one value: under a condition, or changeable."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members

RUST_BLIND = {
    "static mut": ('pub static mut X: [&str; 1] = ["A"];', "X, which is static mut"),
    "a condition": ('#[cfg(feature = "x")]\npub const X: &[&str] = &["A"];', r"X, which is defined under #\[cfg\]"),
    "two conditions that differ": (
        '#[cfg(unix)]\npub const X: &[&str] = &["A"];\n#[cfg(not(unix))]\npub const X: &[&str] = &["B"];',
        "two definitions of X that differ",
    ),
    "never compiled": ('#[cfg(any())]\npub const X: &[&str] = &["A"];', "X not found"),
    "for tests only": ('#[cfg(test)]\npub const X: &[&str] = &["A"];', "X not found"),
    "a mutex": ('pub static X: Mutex<Vec<&str>> = Mutex::new(vec!["A"]);', "whose value can be changed"),
    "a lazy lock of one": (
        'pub static X: LazyLock<RwLock<Vec<&str>>> = LazyLock::new(|| RwLock::new(vec!["A"]));',
        "whose value can be changed",
    ),
}
RUST_READ = {
    "not for tests": '#[cfg(not(test))]\npub const X: &[&str] = &["A", "B"];',
    "beside one for tests": '#[cfg(test)]\npub const X: &[&str] = &["C"];\npub const X: &[&str] = &["A", "B"];',
    "either way the same": (
        '#[cfg(unix)]\npub const X: &[&str] = &["A", "B"];\n#[cfg(not(unix))]\npub const X: &[&str] = &["A", "B"];'
    ),
    "attributes by condition": '#[cfg_attr(feature = "serde", derive(Serialize))]\npub enum X { A, B }',
    "a variant for tests": "pub enum X { A, B, #[cfg(test)] C }",
    "a lazy list": 'pub static X: LazyLock<Vec<&str>> = LazyLock::new(|| vec!["A", "B"]);',
}
ZIG = 'pub var X = [_][]const u8{ "A", "B" };\n'
ZIG_BLIND = {
    "an item": ZIG + 'fn f() void {\n    X[0] = "C";\n}',
    "assigned": ZIG + "fn f() void {\n    X = undefined;\n}",
    "its address": ZIG + "fn f() void {\n    g(&X);\n}",
    "its method": "var X = List{};\nfn f() void {\n    X.append(1);\n}",
}
ZIG_READ = {
    "never changed": ZIG + "fn f() bool {\n    return X[0].len == 1 and X.len == 2;\n}",
    "a constant": 'pub const X = [_][]const u8{ "A", "B" };\nfn f() void {\n    g(&X);\n}',
}


@pytest.mark.parametrize(("text", "message"), RUST_BLIND.values(), ids=RUST_BLIND)
def test_rust_without_one_value_is_blind(write, text, message):
    with pytest.raises(DeclaredError) as caught:
        read_declared("m.rs#X", root=write(text, "m.rs"), vocabulary="hook_events")
    assert re.search(message, caught.value.what), caught.value.what


@pytest.mark.parametrize("text", RUST_READ.values(), ids=RUST_READ)
def test_rust_with_one_value_is_read(write, text):
    assert members(read_declared("m.rs#X", root=write(text, "m.rs"), vocabulary="hook_events")) == ("A", "B")


@pytest.mark.parametrize("text", ZIG_BLIND.values(), ids=ZIG_BLIND)
def test_zig_variables_that_change_are_blind(write, text):
    with pytest.raises(DeclaredError, match="X, which a later statement changes"):
        read_declared("m.zig#X", root=write(text, "m.zig"), vocabulary="hook_events")


@pytest.mark.parametrize("text", ZIG_READ.values(), ids=ZIG_READ)
def test_zig_constants_are_read(write, text):
    assert members(read_declared("m.zig#X", root=write(text, "m.zig"), vocabulary="hook_events")) == ("A", "B")
