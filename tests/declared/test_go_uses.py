"""A variable of Go is read only where nothing in its package can make it another value."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members

LIST = 'var X = []string{"A", "B"}\n'
MAP = 'var X = map[string]bool{"A": true, "B": true}\n'

BLIND = {
    "appended in init": (LIST + 'func init() {\n\tX = append(X, "C")\n}', r"which init\(\) changes"),
    "assigned in a function": (LIST + "func f() {\n\tX = nil\n}", r"which f\(\) changes"),
    "assigned with another": (LIST + "func f() {\n\tY, X = 1, nil\n}", r"which f\(\) changes"),
    "an item": (LIST + 'func f() {\n\tX[0] = "C"\n}', r"which f\(\) changes"),
    "an entry": (MAP + 'func init() {\n\tX["C"] = true\n}', r"which init\(\) changes"),
    "an entry in a loop": (
        MAP + "func init() {\n\tfor _, e := range y {\n\t\tX[e] = true\n\t}\n}",
        r"init\(\) changes",
    ),
    "a field of an item": (
        'type T struct{ N string }\nvar X = []T{{N: "A"}}\nfunc f() {\n\tX[0].N = "B"\n}',
        r"f\(\) changes",
    ),
    "an entry that is counted": ('var X = map[string]int{"A": 1}\nfunc f() {\n\tX["B"]++\n}', r"f\(\) changes"),
    "deleted": (MAP + 'func f() {\n\tdelete(X, "A")\n}', r"which delete\(\) changes"),
    "cleared": (MAP + "func f() {\n\tclear(X)\n}", r"which clear\(\) changes"),
    "copied into": (LIST + "func f() {\n\tcopy(X, y)\n}", r"which copy\(\) changes"),
    "an alias in init": (LIST + 'func init() {\n\ty := X\n\ty[0] = "C"\n}', r"which init\(\) changes"),
    "an alias of the package": (LIST + 'var Y = X\nfunc f() {\n\tY[0] = "C"\n}', r"which f\(\) changes"),
    "a slice of it": (LIST + 'func f() {\n\ty := X[:1]\n\ty[0] = "C"\n}', r"which f\(\) changes"),
    "its address": (LIST + "func f() {\n\tp := &X\n\t*p = nil\n}", "whose address is taken"),
    "passed at the start": (LIST + "func init() {\n\tregister(X)\n}", r"which is passed to register\(\)"),
    "passed by a variable": (LIST + "var _ = register(X)", r"which is passed to register\(\)"),
    "a method's body": (LIST + "func (t *T) f() {\n\tX = nil\n}", r"which f\(\) changes"),
    "a function in a function": (LIST + "func f() {\n\tg(func() { X = nil })\n}", r"which f\(\) changes"),
    "what it is made of": ('var y = []string{"A"}\nvar X = y\nfunc f() {\n\ty[0] = "B"\n}', r"which f\(\) changes"),
}

READ = {
    "iterated": LIST + "func f() {\n\tfor _, x := range X {\n\t\tg(x)\n\t}\n}",
    "counted and indexed": LIST + "func f() int {\n\t_ = X[0]\n\treturn len(X)\n}",
    "passed in a function that is called later": LIST + "func f() {\n\tregister(X)\n}",
    "appended to another": LIST + 'func f() {\n\ty := append([]string{}, X...)\n\ty[0] = "C"\n}',
    "shadowed": LIST + 'func f() {\n\tX := []string{}\n\tX[0] = "C"\n\tX = nil\n}',
    "shadowed by a parameter": LIST + 'func f(X []string) {\n\tX[0] = "C"\n}',
    "shadowed by var": LIST + "func f() {\n\tvar X []string\n\tX = nil\n}",
    "shadowed by range": LIST + "func f() {\n\tfor _, X := range y {\n\t\tX = 1\n\t}\n}",
    "another's field": LIST + "func f() {\n\tt.X = nil\n\tt.X[0] = 1\n}",
    "sorted at the start": LIST + "func init() {\n\tsort.Strings(X)\n}",
    "an alias that is given another value": LIST + "func f() {\n\ty := X\n\ty = nil\n}",
    "a map that is asked": MAP + "func f(s string) bool {\n\treturn X[s]\n}",
}


@pytest.mark.parametrize(("text", "message"), BLIND.values(), ids=BLIND)
def test_what_may_change_is_blind(write, text, message):
    with pytest.raises(DeclaredError) as caught:
        read_declared("m.go#X", root=write("package p\n" + text, "m.go"), vocabulary="hook_events")
    assert re.search(message, caught.value.what), caught.value.what


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_is_harmless_is_read(write, text):
    root = write("package p\n" + text, "m.go")
    assert members(read_declared("m.go#X", root=root, vocabulary="hook_events")) == ("A", "B")


def test_another_file_of_the_package_may_change_it(write):
    root = write("package p\n" + LIST, "m.go")
    assert members(read_declared("m.go#X", root=root)) == ("A", "B")
    write('package p\nfunc init() {\n\tX = append(X, "C")\n}', "other.go")
    with pytest.raises(DeclaredError, match=r"which init\(\) changes") as caught:
        read_declared("m.go#X", root=root)
    assert caught.value.where == "other.go:3:2"
    (root / "other.go").rename(root / "other_test.go")
    assert members(read_declared("m.go#X", root=root)) == ("A", "B")
