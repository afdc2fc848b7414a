"""A Python constant is read only where nothing in its module can make it another value; harmless uses never matter."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members

LIST = 'X = ["A", "B"]\n'
TUPLE = 'X = ("A", "B")\n'

# what is done in the module -> its text, and what the error says
BLIND = {
    "defined under `if False`": ('if False:\n    X = ("A", "B")\n', "X, which is defined under a condition"),
    "defined under a condition": ('if DEBUG:\n    X = ("A", "B")\n', "X, which is defined under a condition"),
    "defined for the main program": ('if __name__ == "__main__":\n    X = ("A",)\n', "defined under a condition"),
    "defined in a try": ('try:\n    import x\n    X = ("A",)\nexcept ImportError:\n    pass\n', "under a condition"),
    "defined in a loop": ('for _ in y:\n    X = ("A",)\n', "under a condition"),
    "defined in a case": ('match y:\n    case 1:\n        X = ("A",)\n', "under a condition"),
    "redefined under a condition": (TUPLE + 'if y:\n    X = ("A",)\n', "two definitions of X that differ"),
    "redefined in a handler": (TUPLE + "try:\n    f()\nexcept E:\n    X = ()\n", "two definitions"),
    "two branches that differ": ('if y:\n    X = ("A",)\nelse:\n    X = ("B",)\n', "two definitions of X that differ"),
    "for": (TUPLE + 'for X in [("a",)]: pass\n', "a later statement changes"),
    "for, unpacked": (TUPLE + "for i, X in y: pass\n", "a later statement changes"),
    "with": (TUPLE + "with open(f) as X: pass\n", "a later statement changes"),
    "walrus": (TUPLE + "print(X := (1,))\n", "a later statement changes"),
    "walrus in a comprehension": (TUPLE + "y = [X := z for z in q]\n", "a later statement changes"),
    "match": (TUPLE + "match y:\n    case X: pass\n", "a later statement changes"),
    "match, starred": (TUPLE + "match y:\n    case [1, *X]: pass\n", "a later statement changes"),
    "match, rest": (TUPLE + "match y:\n    case {'a': 1, **X}: pass\n", "a later statement changes"),
    "match, as": (TUPLE + "match y:\n    case int() as X: pass\n", "a later statement changes"),
    "except": (TUPLE + "try: f()\nexcept E as X: pass\n", "a later statement changes"),
    "del": (TUPLE + "del X\n", "a later statement changes"),
    "global": (TUPLE + 'def f():\n    global X\n    X = ("A",)\nf()\n', "a later statement changes"),
    "global, for": (TUPLE + "def f():\n    global X\n    for X in y: pass\n", "a later statement changes"),
    "global in a class": (TUPLE + "class C:\n    global X\n    X = ()\n", "a later statement changes"),
    "star import": (TUPLE + "from other import *\n", r"`from other import \*` may bind again"),
    "relative star import": (TUPLE + "from .other import *\n", r"`from \.other import \*` may bind again"),
    "globals()": (TUPLE + 'globals()["X"] = ("A",)\n', r"globals\(\) may change"),
    "globals() in a loop": (TUPLE + "for n in y:\n    globals()[n] = 1\n", r"globals\(\) may change"),
    "globals().update": (TUPLE + "globals().update(y)\n", r"globals\(\) may change"),
    "globals().update, by keyword": (TUPLE + "globals().update(X=1)\n", r"globals\(\) may change"),
    "del globals()": (TUPLE + 'del globals()["X"]\n', r"globals\(\) may change"),
    "vars()": (TUPLE + 'vars()["X"] = 1\n', r"vars\(\) may change"),
    "locals()": (TUPLE + 'locals()["X"] = 1\n', r"locals\(\) may change"),
    "globals() in a function that runs": (TUPLE + "def f(n):\n    globals()[n] = 1\nf('X')\n", r"globals\(\) may"),
    "setattr": (TUPLE + 'setattr(sys.modules[__name__], "X", 1)\n', r"setattr\(\) changes"),
    "setattr, computed": (TUPLE + "setattr(sys.modules[__name__], n, 1)\n", r"setattr\(\) changes"),
    "sys.modules": (TUPLE + "sys.modules[__name__].X = 1\n", "a later statement changes"),
    "exec": (TUPLE + 'exec("X = 1")\n', r"exec\(\) may change"),
    "grown after it was read": ('Y = ["A"]\nX = list(Y)\nY.append("B")\n', "Y, which a later statement changes"),
    "rebound after it was read": ('Y = ("A",)\nX = Y\nY = ("B",)\n', "Y, which a later statement changes"),
    "an alias that grows": (LIST + 'Y = X\nY.append("C")\n', r"append\(\) changes"),
    "an alias of an alias": (LIST + 'Y = Z = X\nQ = Z\nQ += ["C"]\n', "a later statement changes"),
    "an alias of what it is": ('Y = ["A"]\nX = Y\nY.append("B")\n', "a later statement changes"),
    "an alias by or": (LIST + 'Y = X or []\nY.append("C")\n', r"append\(\) changes"),
    "an alias by if": (LIST + 'Y = X if z else []\nY.append("C")\n', r"append\(\) changes"),
    "an alias by walrus": (LIST + '(Y := X).append("C")\n', r"append\(\) changes"),
    "an alias in a function": (LIST + "def f():\n    y = X\n    y.append(1)\n", r"append\(\) changes"),
    "an alias in a loop": (LIST + 'for y in (X,):\n    y.append("C")\n', r"append\(\) changes"),
    "an alias in a dict": (LIST + 'D = {"x": X}\nD["x"].append("C")\n', r"append\(\) changes"),
    "an alias in a list": (LIST + 'D = [X]\nfor d in D:\n    d.append("C")\n', r"append\(\) changes"),
    "an alias in values": (LIST + 'D = {"x": X}\nfor d in D.values():\n    d.clear()\n', r"clear\(\) changes"),
    "an alias of its method": (LIST + 'f = X.append\nf("C")\n', r"append\(\) changes"),
    "an alias as a default": (LIST + 'def f(y=X):\n    y.append("C")\nf()\n', r"append\(\) changes"),
    "list.append": (LIST + 'list.append(X, "C")\n', r"append\(\) changes"),
    "dict.update": ('X = {"A": 1}\ndict.update(X, B=1)\n', r"update\(\) changes"),
    "operator": (LIST + 'operator.iadd(X, ["C"])\n', r"iadd\(\) changes"),
    "bisect": (LIST + 'bisect.insort(X, "C")\n', r"insort\(\) changes"),
    "heapq": (LIST + 'heapq.heappush(X, "C")\n', r"heappush\(\) changes"),
    "a method in a function": (LIST + 'def f():\n    X.append("C")\nf()\n', r"append\(\) changes"),
    "a method in a function that nobody calls": (LIST + 'def f():\n    X.append("C")\n', r"append\(\) changes"),
    "a method in a decorator": (
        LIST + "def d(f):\n    X.append(f.__name__)\n    return f\n@d\ndef C(): pass\n",
        r"append\(\) changes",
    ),
    "a method in a lambda": (LIST + 'f = lambda: X.append("C")\nf()\n', r"append\(\) changes"),
    "a method in a class body": (LIST + 'class K:\n    X.append("C")\n', r"append\(\) changes"),
    "a method in a comprehension": (LIST + '[X.append(c) for c in "CD"]\n', r"append\(\) changes"),
    "a method in an expression": (LIST + "y = X.pop()\n", r"pop\(\) changes"),
    "a method in a condition": (LIST + "if X.remove(1): pass\n", r"remove\(\) changes"),
    "a method under a condition": (LIST + 'if y:\n    X.append("C")\n', "changed under a condition"),
    "a method in a loop": (LIST + 'for c in y:\n    X.append("C")\n', "changed under a condition"),
    "a method in a handler": (LIST + 'try: f()\nexcept E: X.append("C")\n', "changed under a condition"),
    "a method in a case": (LIST + 'match y:\n    case 1: X.append("C")\n', "changed under a condition"),
    "insert": (LIST + 'X.insert(0, "C")\n', "a later statement changes"),
    "an item": (LIST + 'X[0] = "C"\n', "a later statement changes"),
    "an item in a function": (LIST + 'def f():\n    X[0] = "C"\nf()\n', "a later statement changes"),
    "a slice": (LIST + 'X[:] = ["C"]\n', "a later statement changes"),
    "a slice that goes": (LIST + "del X[1:]\n", "a later statement changes"),
    "an item of a dict": ('X = {"A": 1}\nX["B"] = 2\n', "a later statement changes"),
    "an item that is unpacked into": (LIST + "a, X[0] = y\n", "a later statement changes"),
    "an item that is a loop's target": (LIST + "for X[0] in y: pass\n", "a later statement changes"),
    "passed to an unknown call": (LIST + "register(X)\n", r"is passed to register\(\)"),
    "passed by keyword": (LIST + "register(events=X)\n", r"is passed to register\(\)"),
    "passed in a list": (LIST + "register([X])\n", r"is passed to register\(\)"),
    "passed to a method": (LIST + "plugin.register(X)\n", r"is passed to register\(\)"),
    "passed to a function of its own": (LIST + 'def f(e):\n    e.append("C")\nf(X)\n', r"append\(\) changes"),
    "passed on": (LIST + 'def g(e):\n    e.append("C")\ndef f(e):\n    g(e)\nf(X)\n', r"append\(\) changes"),
    "passed by a function that runs": (LIST + "def f():\n    register(X)\nf()\n", r"is passed to register\(\)"),
    "passed while a class is made": (LIST + "class C(metaclass=meta(X)): pass\n", r"is passed to meta\(\)"),
    "passed by a decorator": (LIST + "@deco(X)\ndef f(): pass\n", r"is passed to deco\(\)"),
    "kept by another": (LIST + "ALL.append(X)\n", r"append\(\) keeps under another name"),
    "kept as an attribute": (LIST + "settings.EVENTS = X\n", "kept under another name"),
    "returned and changed": (LIST + 'def f():\n    return X\nf().append("C")\n', r"append\(\) changes"),
    "a part of a table": (
        'X = {"A": {"f": "string"}}\nX["A"]["g"] = "string"\n',
        "a later statement changes",
    ),
    "parts in a loop": ('X = {"A": {"f": "string"}}\nfor f in X.values():\n    f["g"] = "string"\n', "a later"),
    "parts of a tuple": ('X = (["A"], ["B"])\nX[0].append("C")\n', r"append\(\) changes"),
    "setattr on a class": ('class K:\n    X = ["A"]\nsetattr(K, "X", ["B"])\n', r"setattr\(\) changes"),
    "an attribute of a class": ('class K:\n    X = ["A"]\nK.X = ["B"]\n', "a later statement changes"),
    "a method on a class's constant": ('class K:\n    X = ["A"]\nK.X.append("B")\n', r"append\(\) changes"),
    "cls": (
        'class K:\n    X = ["A"]\n    @classmethod\n    def f(cls):\n        cls.X.append("B")\n',
        r"append\(\) changes",
    ),
    "an enumeration whose names are added": (
        'class X(StrEnum):\n    A = "A"\n    locals().update(B="B")\n',
        "members that are not written one by one",
    ),
    "a field under a condition": (
        "class X(TypedDict):\n    A: str\n    if y:\n        B: str\n",
        "fields under a condition",
    ),
}

READ = {
    "iterated": LIST + "for x in X: print(x)\nY = [x for x in X]\n",
    "asked": LIST + 'assert "A" in X\nif not X: raise E\nwhile len(X) < 2: pass\n',
    "copied": LIST + 'Y = list(X)\nY.append("C")\nZ = X + ["C"]\nZ.append("D")\nQ = [*X, "C"]\nQ.clear()\n',
    "copied by a slice": LIST + "Y = X[:]\nY.pop()\n",
    "reading methods": LIST + 'X.index("A")\nX.count("A")\nX.sort()\nY = X.copy()\nY.append("C")\n',
    "joined and printed": LIST + 'print(", ".join(X), f"{X}")\nlog.info("%s", X)\n',
    "an option's choices": LIST + 'parser.add_argument("--event", choices=X)\nY = click.Choice(X)\n',
    "test cases": LIST + '@pytest.mark.parametrize("x", X)\ndef test(x): pass\n',
    "a default of a field": LIST + "class C(BaseModel):\n    events: list = Field(default=X)\n",
    "shadowed by a parameter": LIST + 'def f(X):\n    X.append("C")\nf([])\n',
    "shadowed by a local name": LIST + 'def f():\n    X = []\n    X.append("C")\nf()\n',
    "shadowed in a class": LIST + 'class K:\n    X = []\n    X.append("C")\n',
    "shadowed in a comprehension": LIST + "Y = [X.append(1) for X in z]\n",
    "another's attribute": LIST + "self.X = 1\nother.X.append(2)\n",
    "passed on by a function that does not run": LIST + "def f():\n    register(X)\n    settings.y = X\n    return X\n",
    "passed to a function that reads": LIST + "def f(e):\n    return len(e)\nf(X)\n",
    "passed to a data class": LIST + "@dataclass\nclass C:\n    x: list\nY = C(X)\n",
    "grown by statements": 'X = ["A"]\nX.append("B")\n',
    "grown by +=": 'X = ["A"]\nX += ["B"]\n',
    "grown with the alias's name elsewhere": LIST + 'def f():\n    Y = []\n    Y.append("C")\nY = X\n',
    "a tuple is passed anywhere": TUPLE + "register(X)\nsettings.Y = X\nALL.append(X)\n",
    "a tuple of strings in an unknown decorator": TUPLE + "@deco(X)\ndef f(): pass\n",
    "a frozen set": 'X = frozenset({"A", "B"})\nregister(X)\n',
    "a literal": 'X = Literal["A", "B"]\nregister(X)\nclass M(BaseModel):\n    x: X\n',
    "an enumeration": 'class X(StrEnum):\n    """Doc."""\n    A = "A"\n    B = "B"\n    def f(s): ...\nregister(X)\n',
    "by text, another name": TUPLE + 'globals()["Y"] = 1\nsetattr(m, "Y", 1)\nglobals().update({"Y": 1})\n',
    "by text, read": TUPLE + 'Y = globals()["X"]\nZ = globals().get("X")\n"X" in globals()\n',
    "by text, in a function that does not run": TUPLE + "def __getattr__(n):\n    globals()[n] = f(n)\n",
    "star import before": "from other import *\n" + TUPLE,
    "star import of the standard library": TUPLE + "from typing import *\n",
    "star import of a module that has no such name": TUPLE + "from beside import *\n",
    "type checking": 'if TYPE_CHECKING:\n    X = ("A", "B")\n',
    "type checking, or else": 'if TYPE_CHECKING:\n    X = ("A", "B")\nelse:\n    X = str\n',
    "both branches": 'if sys.version_info > (3, 12):\n    X = ("A", "B")\nelse:\n    X = ["A", "B"]\n',
    "a try that always ends": 'try:\n    X = ("A", "B")\nexcept E:\n    raise\n',
    "a try and its handler": 'try:\n    X = ("A", "B")\nexcept E:\n    X = ("A", "B")\n',
    "the main program": LIST + 'if __name__ == "__main__":\n    X.append("C")\n    X = ()\n',
    "a star import that gives it": "from given import *\n",
    "an exception's own name": TUPLE + "def f():\n    try: g()\n    except E as X: pass\n",
}


@pytest.mark.parametrize(("text", "message"), BLIND.values(), ids=BLIND)
def test_what_may_change_is_blind(write, text, message):
    (root := write(text)).joinpath("given.py").write_text('X = ("A", "B")\n')
    name = "K.X" if text.startswith("class K") else "X"
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"m.py#{name}", root=root, vocabulary="hook_events")
    assert re.search(message, caught.value.what), caught.value.what
    assert re.fullmatch(r"m\.py:\d+:\d+", caught.value.where)


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_is_harmless_is_read(write, text):
    (root := write(text)).joinpath("given.py").write_text('X = ("A", "B")\n')
    (root / "beside.py").write_text("Y = 1\n")
    found = read_declared("m.py#X", root=root, vocabulary="hook_events")
    assert members(found) == ("A", "B")
