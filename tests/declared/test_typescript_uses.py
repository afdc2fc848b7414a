"""A constant of TypeScript is read only where nothing in its module can make it another value."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members

LIST = "export const X = ['A', 'B'];\n"
LET = "export let X = ['A', 'B'];\n"
FIXED = "export const X = ['A', 'B'] as const;\n"

BLIND = {
    "reassigned": (LET + "X = ['C'];\n", "a later statement changes"),
    "reassigned in a function": (LET + "function f() { X = []; }\n", "a later statement changes"),
    "reassigned under a condition": (LET + "if (y) X = [];\n", "a later statement changes"),
    "reassigned in a loop": (LET + "while (y) { X = X.concat('C'); }\n", "a later statement changes"),
    "reassigned by ||=": (LET + "X ||= [];\n", "a later statement changes"),
    "reassigned by unpacking": (LET + "[X] = y;\n", "a later statement changes"),
    "reassigned by unpacking an object": (LET + "({ X } = y);\n", "a later statement changes"),
    "reassigned by unpacking an entry": (LET + "({ a: X } = y);\n", "a later statement changes"),
    "a loop's variable": (LET + "for (X of y) {}\n", "a later statement changes"),
    "assigned after it was empty": ("export let X = [];\nX = ['A'];\n", "a later statement changes"),
    "var twice": ("var X = ['A'];\nvar X = ['A', 'B'];\n", "two definitions of X that differ"),
    "push": (LIST + "X.push('C');\n", r"push\(\) changes"),
    "push in a function": (LIST + "export function f() { X.push('C'); }\n", r"push\(\) changes"),
    "push in a callback": (LIST + "y.forEach((z) => X.push(z));\n", r"push\(\) changes"),
    "push, optional": (LIST + "X?.push('C');\n", r"push\(\) changes"),
    "push by its name": (LIST + "X['push']('C');\n", r"push\(\) changes"),
    "push through a cast": (FIXED + "(X as unknown as string[]).push('C');\n", r"push\(\) changes"),
    "push in an expression": (LIST + "const n = X.push('C');\n", r"push\(\) changes"),
    "splice": (LIST + "X.splice(0, 1);\n", r"splice\(\) changes"),
    "a set's add": ("const X = new Set(['A']);\nX.add('B');\n", r"add\(\) changes"),
    "a frozen set's add": ("const X = Object.freeze(new Set(['A']));\nX.add('B');\n", r"add\(\) changes"),
    "a map's set": ("const X = new Map([['A', 1]]);\nX.set('B', 1);\n", r"set\(\) changes"),
    "length": (LIST + "X.length = 0;\n", "a later statement changes"),
    "an item": (LIST + "X[0] = 'C';\n", "a later statement changes"),
    "an item, unpacked": (LIST + "[X[0]] = y;\n", "a later statement changes"),
    "an entry": ("const X = { A: 1 };\nX.B = 2;\n", "a later statement changes"),
    "an entry that goes": ("const X = { A: 1, B: 2 };\ndelete X.B;\n", "a later statement changes"),
    "an entry that goes by its name": ("const X = { A: 1, B: 2 };\ndelete X['B'];\n", "a later statement changes"),
    "an entry that is counted": ("const X = { A: 1 };\nX.B++;\n", "a later statement changes"),
    "Object.assign": ("const X = { A: 1 };\nObject.assign(X, { B: 1 });\n", r"Object.assign\(\) changes"),
    "Object.defineProperty": (
        "const X = { A: 1 };\nObject.defineProperty(X, 'B', d);\n",
        r"defineProperty\(\) changes",
    ),
    "Reflect.set": ("const X = { A: 1 };\nReflect.set(X, 'B', 1);\n", r"Reflect.set\(\) changes"),
    "Array.prototype.push.call": (LIST + "Array.prototype.push.call(X, 'C');\n", r"push\(\) changes"),
    "[].push.apply": (LIST + "[].push.apply(X, ['C']);\n", r"push\(\) changes"),
    "Set.prototype.add.call": ("const X = new Set(['A']);\nSet.prototype.add.call(X, 'C');\n", r"add\(\) changes"),
    "its own push.apply": (LIST + "X.push.apply(X, ['C']);\n", r"push\(\) changes"),
    "an alias": (LIST + "const Y = X;\nY.push('C');\n", r"push\(\) changes"),
    "an alias of what it is": ("const Y = ['A'];\nexport const X = Y;\nY.push('B');\n", r"push\(\) changes"),
    "an alias by assignment": (LIST + "let Y;\nY = X;\nY.push('C');\n", r"push\(\) changes"),
    "an alias by ??": (LIST + "const Y = X ?? [];\nY.push('C');\n", r"push\(\) changes"),
    "an alias in an object": (LIST + "const D = { x: X };\nD.x.push('C');\n", r"push\(\) changes"),
    "an alias in an object, by its name": (LIST + "const D = { X };\nD.X.push('C');\n", r"push\(\) changes"),
    "an alias in a list": (LIST + "for (const y of [X]) y.push('C');\n", r"push\(\) changes"),
    "an alias as a default": (LIST + "function f(y = X) { y.push('C'); }\nf();\n", r"push\(\) changes"),
    "an alias by unpacking": ("const X = { A: ['a'] };\nconst { A } = X;\nA.push('b');\n", r"push\(\) changes"),
    "a copy that is none": (LIST + "const Y = Object.freeze(X);\nY.push('C');\n", r"push\(\) changes"),
    "passed to an unknown call": (LIST + "register(X);\n", r"is passed to register\(\)"),
    "passed in an object": (LIST + "register({ events: X });\n", r"is passed to register\(\)"),
    "passed to a method": (LIST + "plugin.register(X);\n", r"is passed to register\(\)"),
    "passed to a class": (LIST + "new Registry(X);\n", r"is passed to Registry\(\)"),
    "passed by a function that runs": (LIST + "function f() { register(X); }\nf();\n", r"is passed to register\(\)"),
    "passed by a function where it stands": (LIST + "(() => { register(X); })();\n", r"is passed to register\(\)"),
    "passed to a function of its own": (LIST + "function f(e) { e.push('C'); }\nf(X);\n", r"push\(\) changes"),
    "passed to an arrow of its own": (LIST + "const f = (e) => e.push('C');\nf(X);\n", r"push\(\) changes"),
    "kept by another": (LIST + "ALL.push(X);\n", r"push\(\) keeps under another name"),
    "kept as a property": (LIST + "globalThis.X = X;\n", "kept under another name"),
    "returned and changed": (LIST + "function f() { return X; }\nf().push('C');\n", r"push\(\) changes"),
    "a part of a table": ("const X = { A: { f: 'string' } };\nX.A.g = 'string';\n", "a later statement changes"),
    "a part in a loop": (
        "const X = { A: ['f'] };\nfor (const f of Object.values(X)) f.push('g');\n",
        r"push\(\) changes",
    ),
    "exports": ("exports.X = ['A'];\nexports.X.push('B');\n", r"push\(\) changes"),
    "exports twice": ("exports.X = ['A'];\nexports.X = ['B'];\n", "two definitions of X that differ"),
    "exports in a function": ("exports.X = ['A'];\nfunction f() { exports.X = []; }\n", "a later statement changes"),
    "exports under a condition": ("exports.X = ['A'];\nif (y) { exports.X = ['B']; }\n", "a later statement changes"),
}

READ = {
    "iterated": LIST + "for (const x of X) console.log(x);\nconst Y = [...X];\nY.push('C');\n",
    "methods that read": LIST + "X.includes('A'); X.map((x) => x); X.indexOf('A'); X.forEach(f); X.sort(); X.length;\n",
    "types": LIST + "type E = (typeof X)[number];\nfunction f(x: typeof X) {}\n",
    "copied": LIST + "const Y = X.slice(); Y.push('C');\nconst Z = X.concat('C');\nconst S = new Set(X); S.add('C');\n",
    "copied by Object.assign": LIST + "const Y = Object.assign({}, X);\n",
    "a schema": LIST + "import { z } from 'zod';\nconst E = z.enum(X);\n",
    "exported": "const X = ['A', 'B'];\nexport { X };\nexport default { X };\nmodule.exports = { X };\n",
    "printed": LIST + "console.log(`${X}`, JSON.stringify(X), X.join(', '));\n",
    "shadowed by a parameter": LIST + "function f(X) { X.push('C'); }\nf([]);\n",
    "shadowed by an arrow's parameter": LIST + "const f = (X) => X.push('C');\nconst g = X => X.push('C');\n",
    "shadowed in a function": LIST + "function f() { const X = []; X.push('C'); }\nf();\n",
    "shadowed in a block": LIST + "{ let X = []; X.push('C'); X = []; }\n",
    "shadowed by a loop": LIST + "for (const X of y) { X.push(1); }\n",
    "shadowed by catch": LIST + "try { f(); } catch (X) { X.push(1); }\n",
    "shadowed by unpacking": LIST + "function f({ X }) { X.push(1); }\n",
    "another's property": LIST + "other.X.push('C');\nthis.X = [];\n",
    "passed on by a function that does not run": LIST + "export function f() { register(X); this.y = X; return X; }\n",
    "passed on by a method": LIST + "class K { m() { register(X); } }\n",
    "passed to a function that reads": LIST + "function f(e) { return e.length; }\nf(X);\n",
    "as const, passed": FIXED + "register(X);\nplugin.use({ X });\nnew Registry(X);\nALL.push(X);\n",
    "readonly, passed": "export const X: readonly string[] = ['A', 'B'];\nregister(X);\n",
    "frozen, passed": "export const X = Object.freeze(['A', 'B']);\nregister(X);\n",
    "an enumeration": "export enum X { A = 'A', B = 'B' }\nregister(X);\n",
    "a union": "export type X = 'A' | 'B';\nfunction f(x: X) { return x; }\n",
    "tests": LIST + "it.each(X)('x', () => {});\nexpect(X).toEqual([]);\n",
    "compared": LIST + "if (X === y || !X) { f(); }\nconst Y = X ? 1 : 2;\n",
    "let, never assigned": LET + "f(X.length);\n",
    "exports before it is set": "exports.X = void 0;\nexports.X = ['A', 'B'];\n",
}


@pytest.mark.parametrize(("text", "message"), BLIND.values(), ids=BLIND)
def test_what_may_change_is_blind(write, text, message):
    name = "m.js" if "exports." in text else "m.ts"
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"{name}#X", root=write(text, name), vocabulary="hook_events")
    assert re.search(message, caught.value.what), caught.value.what
    assert re.fullmatch(r"m\.[jt]s:\d+:\d+", caught.value.where)


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_is_harmless_is_read(write, text):
    name = "m.js" if "exports." in text and "export {" not in text else "m.ts"
    assert members(read_declared(f"{name}#X", root=write(text, name), vocabulary="hook_events")) == ("A", "B")


STATIC = "export class K {\n  static readonly X = new Set(['A', 'B']);\n  f() { return K.X.has('A'); }\n}\n"


def test_a_static_constant_is_followed_through_its_class(write):
    assert members(read_declared("m.ts#K.X", root=write(STATIC, "m.ts"))) == ("A", "B")
    with pytest.raises(DeclaredError, match=r"add\(\) changes"):
        read_declared("m.ts#K.X", root=write(STATIC + "K.X.add('C');\n", "m.ts"))
