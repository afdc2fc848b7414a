"""The reader of Zig, on whole files and on files minified to one line."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places, rows

ABC = ("A", "B", "C")

SPELLINGS = {
    "open enum": "const X = enum(u8) { A, B, C, _ };",
    "padded": "const X = packed struct(u8) { A: bool, B: bool, C: bool, _: u5 = 0 };",
    "array": 'pub const X = [_][]const u8{ "A", "B", "C" };',
    "slice": 'const X: []const []const u8 = &.{ "A", "B", "C" };',
    "pointer to an array": 'const X = &[_][]const u8{ "A", "B", "C" };',
    "enum": "pub const X = enum { A, B, C };",
    "enum with functions": "const X = enum(u8) { A = 1, B, C, pub fn f(self: X) u8 { return 1; } };",
    "quoted tags": 'const X = enum { A, @"B", C };',
    "union": "const X = union(enum) { A, B: []const u8, C: struct {} };",
    "error set": "const X = error{ A, B, C };",
    "sum of error sets": "const Y = error{ A, B };\nconst X = Y || error{ B, C };",
    "sum": 'const Y = [_][]const u8{"A"};\nconst X = Y ++ [_][]const u8{ "B", "C" };',
    "names": 'const b = "B";\nconst X = .{ "A", b, "C" };',
    "tags in a list": "const Kind = enum { A, B, C };\nconst X = [_]Kind{ .A, .B, Kind.C };",
    "static map": 'const X = std.StaticStringMap(K).initComptime(.{ .{ "A", .a }, .{ "B", .b }, .{ "C", .c } });',
    "field names": "const Y = enum { A, B, C };\nconst X = std.meta.fieldNames(Y);",
    "all tags": "const Y = enum { A, B, C };\nconst X = std.enums.values(Y);",
    "constants of a struct": "const X = struct { pub const A = 1; pub const B = 4 * 1024; pub const C = f(); };",
    "fields of a struct": 'const X = struct { A: u8, B: []const u8 = "x", C: ?bool };',
}

JOIN = """
pub const Kind = enum {
    pre, stop,
    pub fn definition(self: Kind) Definition {
        return switch (self) {
            .pre => pre,
            .stop => Definition{ .kind = .stop, .event = "Stop", .purpose = "to let it stop" },
        };
    }
    pub fn wire(self: Kind) []const u8 {
        return switch (self) { .pre => "A", .stop => { return "B"; } };
    }
    pub fn other(self: Kind) u8 { return 1; }
};
const pre = Definition{ .kind = .pre, .event = "Pre", .purpose = "to look before" };
pub const all = [_]Definition{ pre };
"""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_same_set_reads_the_same(write, spelling):
    found = read_declared("m.zig#X", root=write(SPELLINGS[spelling], "m.zig"), vocabulary="hook_events")
    assert members(found) == ABC


JOINED = {
    "Kind": ("pre", "stop"),
    "Kind.definition.event": ("Pre", "Stop"),
    "Kind.definition.kind": ("pre", "stop"),
    "Kind.wire": ("A", "B"),
    "all.event": ("Pre",),
    "pre.event": ("Pre",),
}


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("lines", ["as written", "one line"])
def test_names_are_joined_through_functions(write, name, lines):
    text = JOIN if lines == "as written" else " ".join(JOIN.split())
    assert members(read_declared(f"m.zig#{name}", root=write(text, "m.zig"), vocabulary="hook_events")) == JOINED[name]


def test_members_stand_where_their_literals_are(write):
    root = write(JOIN, "m.zig")
    assert places(read_declared("m.zig#Kind.definition.event", root=root)) == {
        "Pre": "m.zig:15:48",
        "Stop": "m.zig:7:58",
    }
    assert places(read_declared("m.zig#Kind", root=root)) == {"pre": "m.zig:3:5", "stop": "m.zig:3:10"}


def test_names_of_other_files_are_followed(write):
    write('pub const EVENTS = [_][]const u8{ "A", "B", "C" };', "lib/names.zig")
    root = write('const names = @import("../lib/names.zig");\nconst X = names.EVENTS;', "src/m.zig")
    assert members(read_declared("src/m.zig#X", root=root)) == ABC
    root = write('const X = @import("names.zig").EVENTS;', "lib/m.zig")
    assert members(read_declared("lib/m.zig#X", root=root)) == ABC


def test_a_name_of_a_file_that_is_not_there_is_stated_elsewhere(write):
    root = write('const names = @import("names.zig");\nconst X = names.EVENTS;', "m.zig")
    with pytest.raises(DeclaredError, match=r"X is stated elsewhere: EVENTS from names\.zig"):
        read_declared("m.zig#X", root=root)


UNREADABLE = {
    "call": ("const X = load();", "a call of load()", "m.zig:1:11"),
    "part": ('const X = [_][]const u8{ "A", load() };', "a call of load()", "m.zig:1:31"),
    "operation": ("const X = 4 * 1024;", "an operation", "m.zig:1:11"),
    "undefined": ("const X = [_]Kind{Y};", "the name Y, which the file does not define", "m.zig:1:19"),
    "empty struct": ("const X = struct {};", "an empty struct", "m.zig:1:11"),
    "embedded": ('const X = @embedFile("a");', "a call of @embedFile", "m.zig:1:11"),
    "itself": ("const X = &.{X};", "X, which refers to itself", "m.zig:1:14"),
    "no syntax": ('const X = [_][]const u8{ "A", = };', "text that cannot be parsed", "m.zig:1:11"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_evaluated_is_named_with_its_place(write, case):
    source, what, where = UNREADABLE[case]
    with pytest.raises(DeclaredError, match=re.escape(what)) as caught:
        read_declared("m.zig#X", root=write(source, "m.zig"), vocabulary="hook_events")
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Kinds", "did you mean Kind"),
        ("Kind.defnition", "did you mean definition"),
        ("Kind.definition.evnt", "did you mean event"),
        ("Kind.other", "a function without a switch over tags"),
    ],
)
def test_a_wrong_name_is_an_error(write, name, message):
    with pytest.raises(DeclaredError, match=message):
        read_declared(f"m.zig#{name}", root=write(JOIN, "m.zig"), vocabulary="hook_events")


def test_a_struct_is_a_row_of_fields(write):
    root = write(
        "const Mode = enum { on, off };\nconst Entry = struct { name: []const u8, timeout: ?f64 = null, n: u32 = 1, "
        'list: []const []const u8, mode: Mode, done: bool, run: *const fn () void, @"if": ?[]u8 };',
        "m.zig",
    )
    assert rows(read_declared("m.zig#Entry", root=root)) == {
        "Entry": {
            "name": ("string", True),
            "timeout": ("number", False),
            "n": ("number", False),
            "list": ("array<string>", True),
            "mode": ("enum", True, "on", "off"),
            "done": ("boolean", True),
            "run": ("*const fn () void", True),
            "if": ("string", False),
        }
    }
