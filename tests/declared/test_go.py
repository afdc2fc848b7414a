"""The reader of Go."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places, rows

ABC = ("A", "B", "C")
CONSTANTS = 'type Event string\nconst (\n\tEventA Event = "A"\n\tEventB Event = "B" // b\n\tEventC Event = "C"\n)\n'

SPELLINGS = {
    "names of numbers": (
        'type E int\nconst (\n\tEA E = iota\n\tEB\n\tEC\n)\nvar X = [...]string{EA: "A", EB: "B", EC: "C"}'
    ),
    "map from numbers": (
        'type E int\nconst (\n\tEA E = iota\n\tEB\n\tEC\n)\nvar X = map[E]string{EA: "A", EB: "B", EC: "C"}'
    ),
    "positions": 'var X = [3]string{0: "A", 1: "B", 2: "C"}',
    "several tags": 'type X struct {\n\tA, B string\n\tSee string `yaml:"c" json:"C"`\n\tinner int\n}',
    "constants of a type": CONSTANTS.replace("Event string", "X string").replace(" Event =", " X ="),
    "converted constants": 'type X string\nconst (\n\tA = X("A")\n\tB = X("B")\n\tC X = "C"\n\tOther = "D"\n)',
    "single declarations": 'type X string\nconst A X = "A"\nconst B, C X = "B", `C`',
    "slice": 'var X = []string{"A", "B", "C"}',
    "array": 'var X = [...]string{"A", "B", "C"}',
    "grouped": 'var (\n\ta = 1\n\tX = []string{"A", "B", "C"}\n)',
    "slice of constants": CONSTANTS + "var X = []Event{EventA, EventB, EventC}",
    "map keys": 'var X = map[string]bool{"A": true, "B": false, "C": true}',
    "set": CONSTANTS + "var X = map[Event]struct{}{EventA: {}, EventB: {}, EventC: {}}",
    "appended": 'var Y = []string{"A"}\nvar X = append(Y, "B", "C")',
    "appended slice": 'var Y = []string{"B", "C"}\nvar X = append([]string{"A"}, Y...)',
    "function": 'func X() []string {\n\treturn []string{"A", "B", "C"}\n}',
    "call": 'func y() []string { return []string{"A", "B", "C"} }\nvar X = y()',
    "conversion": 'type Event string\nvar X = []Event{Event("A"), Event("B"), Event("C")}',
    "prefix": CONSTANTS + 'const Other = "D"',
    "entry of each": 'var X = []Hook{{Name: "A", N: 1}, {Name: "B"}, {Name: "C"}}',
    "struct": 'type X struct {\n\tFirst string `json:"A"`\n\tB, C int\n\tHidden int `json:"-"`\n}',
}
NAMES = {"prefix": "Event*", "entry of each": "X.Name"}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_same_set_reads_the_same(write, spelling):
    root = write("package hooks\n" + SPELLINGS[spelling], "m.go")
    found = read_declared(f"m.go#{NAMES.get(spelling, 'X')}", root=root, vocabulary="hook_events")
    assert members(found) == ABC


def test_names_of_other_files_of_the_package_are_found(write):
    write("package hooks\n" + CONSTANTS, "names.go")
    write('package hooks\nconst EventA = "wrong"', "names_test.go")
    root = write("package hooks\nvar X = []Event{EventA, EventB, EventC}", "m.go")
    assert members(read_declared("m.go#X", root=root)) == ABC


UNREADABLE = {
    "filled in a loop": (
        "var X = map[string]bool{}\nfunc init() {\n\tfor _, e := range y {\n\t\tX[e] = true\n\t}\n}",
        "X, which init() changes",
        "m.go:5:3",
    ),
    "call": ("var X = load()", "a call of load()", "m.go:2:9"),
    "number": ("var X = []int{1}", "the value 1", "m.go:2:15"),
    "iota": ("type X int\nconst A X = iota", "iota, which gives numbers", "m.go:3:13"),
    "undefined": ("var X = []Event{EventA}", "the name EventA, which the file does not define", "m.go:2:17"),
    "changed": ('var X = []string{"A"}\nfunc init() {\n\tX = append(X, "B")\n}', "X, which init() changes", "m.go:4:2"),
    "computed key": ("var X = map[string]bool{f(): true}", "a call of f()", "m.go:2:25"),
    "type": ("type X string", "the type string", "m.go:2:8"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_evaluated_is_named_with_its_place(write, case):
    source, what, where = UNREADABLE[case]
    with pytest.raises(DeclaredError, match=re.escape(what)) as caught:
        read_declared("m.go#X", root=write("package hooks\n" + source, "m.go"), vocabulary="hook_events")
    assert caught.value.where == where


def test_a_name_of_another_package_is_stated_elsewhere(write):
    with pytest.raises(DeclaredError, match="X is stated elsewhere: EventA from events"):
        read_declared("m.go#X", root=write("package hooks\nvar X = []string{events.EventA}", "m.go"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("Events", "did you mean Event"), ("Evnt*", r"Evnt\* not found"), ("Event.a", "a in Event not found")],
)
def test_a_missing_name_is_an_error_with_near_names(write, name, message):
    with pytest.raises(DeclaredError, match=message):
        read_declared(f"m.go#{name}", root=write("package hooks\n" + CONSTANTS, "m.go"))


def test_members_stand_where_they_are_written(write):
    root = write("package hooks\n" + CONSTANTS + "var X = []Event{\n\tEventA,\n\tEventC,\n}", "m.go")
    assert places(read_declared("m.go#Event", root=root))["A"] == "m.go:4:17"
    assert places(read_declared("m.go#X", root=root)) == {"A": "m.go:9:2", "C": "m.go:10:2"}


def test_structs_are_rows_of_fields(write):
    root = write(
        """package hooks
type Shell string
const (
	Bash Shell = "bash"
	PowerShell Shell = "powershell"
)
type Base struct {
	Timeout *float64 `json:"timeout,omitempty"`
}
type Command struct {
	Base
	Command string `json:"command"`
	Shell Shell `json:"shell,omitempty"`
	Async bool `json:"async,omitempty"`
	Args []string
	Env map[string]string `json:"env,omitzero"`
	Input map[string]any `json:"input"`
	Next *Command `json:"next"`
}
var Table = map[string]map[string]string{"command": {"timeout": "seconds?", "command": "text"}}
""",
        "m.go",
    )
    assert rows(read_declared("m.go#Command", root=root)) == {
        "Command": {
            "timeout": ("number", False),
            "command": ("string", True),
            "shell": ("enum", False, "bash", "powershell"),
            "async": ("boolean", False),
            "Args": ("array<string>", True),
            "env": ("record<string,string>", False),
            "input": ("record<string,unknown>", True),
            "next": ("Command", False),
        }
    }
    assert rows(read_declared("m.go#Table", root=root)) == {
        "command": {"timeout": ("number", False, "positive"), "command": ("string", True, "min(1)")}
    }
