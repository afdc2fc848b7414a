"""The reader of TypeScript, .d.ts, JavaScript and zod sources."""

from __future__ import annotations

import re

import pytest

from driftgate.declared import mentions, notices, read_declared
from driftgate.errors import DeclaredError
from tests.declared.conftest import members, places, rows

ABC = ("A", "B", "C")

SPELLINGS = {
    "interface of a mapping": "type E = 'A' | 'B'\ninterface X extends Partial<Record<E, 1>> { C: 1 }",
    "mapping with more": "export type X = Record<'A' | 'B', string> & { C: 1 }",
    "mappings together": "export type X = Partial<Record<'A' | 'B', 1>> & Partial<Record<'B' | 'C', 1>>",
    "merged enumerations": "enum X { One = 'A', Two = 'B' }\nenum X { Three = 'C' }",
    "as const": 'export const X = ["A", "B", "C"] as const;',
    "satisfies": "const X = ['A', `B`, 'C'] as const satisfies readonly string[]",
    "declared tuple": 'export declare const X: readonly ["A", "B", "C"];',
    "declared array": 'export declare const X: ("A" | "B" | "C")[];',
    "frozen": "const X = Object.freeze(['A', 'B', 'C'])",
    "spread": "const Y = ['A', 'B'] as const\nexport const X = [...Y, 'C'] as const",
    "concat": "const X = ['A'].concat(['B'], ['C'])",
    "Set": "export const X: ReadonlySet<string> = new Set(['A', 'B', 'C'])",
    "Set with a type": "const X = new Set<Event>(['A', 'B', 'C'])",
    "Set of a constant": "const Y = ['A', 'B', 'C'] as const; const X = new Set(Y)",
    "Map": "const X = new Map([['A', 1], ['B', f()], ['C', {}]])",
    "object keys": "const X = { A: 1, 'B': f(), ['C']: {}, } as const",
    "Object.keys": "const T = { A: 1, B: 2, C: 3 }\nconst X = Object.keys(T) as Event[]",
    "Object.values": "const T = { a: 'A', b: 'B', c: 'C' } as const\nconst X = Object.values(T)",
    "shorthand and methods": "const A = 1\nconst X = { A, B() {}, ...{ C: 2 } }",
    "members of an object": "const T = { a: 'A', b: 'B', c: 'C' } as const\nconst X = [T.a, T['b'], T.c]",
    "union": "export type X = 'A' | 'B' | 'C';",
    "union over lines": "type X =\n  | 'A' // first\n  | 'B'\n  /* second */\n  | 'C'",
    "union of unions": "type Y = 'A' | 'B'\ntype X = (Y | 'C') | null | undefined",
    "declared union": 'export declare type X = "A" | "B" | "C";',
    "typeof": "const Y = ['A', 'B', 'C'] as const\ntype X = (typeof Y)[number]",
    "keyof typeof": "const T = { A: 1, B: 2, C: 3 }\ntype X = keyof typeof T",
    "keyof mapped": "type Y = 'A' | 'B' | 'C'\ntype X = keyof Record<Y, number>",
    "Omit": "interface Y { A: 1; B: 2; C: 3; D: 4 }\ntype X = Omit<Y, 'D'>",
    "Pick": "interface Y { A: 1; B: 2; C: 3; D: 4 }\ntype X = Pick<Y, 'A' | 'B' | 'C'>",
    "field of an interface": "interface Y { of: 'A' | 'B' | 'C' }\ntype X = Y['of']",
    "rest of a tuple": "type Y = ['B', 'C']\ntype X = ['A', ...Y]",
    "Partial interface": "interface Y { A: 1; B: 2; C: 3 }\ntype X = Partial<Y>",
    "type of a namespace": "declare namespace N { type Y = 'A' | 'B' | 'C' }\ntype X = N.Y",
    "type assertion": "const X = <const>['A', 'B', 'C']",
    "entry by a name": "const k = 'a'\nconst T = { a: ['A', 'B', 'C'] }\nconst X = T[k]",
    "keys of a Set": "const Y = new Set(['A', 'B', 'C'])\nconst X = [...Y.values()]",
    "Array.of": "const X = Array.of('A', 'B', 'C')",
    "empty spread": "const Y = new Set()\nconst X = ['A', ...Y, 'B', 'C']",
    "keyof interface": "interface I { A: 1; B?: 2; 'C': 3 }\ntype X = keyof I",
    "values of an object": "const T = { a: 'A', b: 'B', c: 'C' } as const\ntype X = (typeof T)[keyof typeof T]",
    "Exclude": "type Y = 'A' | 'B' | 'C' | 'D'\ntype X = Exclude<Y, 'D'>",
    "Extract": "type Y = 'A' | 'B' | 'C' | 'D'\ntype X = Extract<Y, 'A' | 'B' | 'C'>",
    "enum": 'export enum X { a = "A", b = "B", "c" = "C" }',
    "const enum": 'declare const enum X { a = "A", b = "B", c = "C" }',
    "members of an enum": "enum E { a = 'A', b = 'B', c = 'C' }\nconst X = [E.a, E.b, E.c]",
    "values of an enum": "enum E { a = 'A', b = 'B', c = 'C' }\nconst X = Object.values(E)",
    "keys of an enum": "enum E { A = 'x', B = 'y', C = 'z' }\nconst X = Object.keys(E)",
    "interface": "export interface X { A?: M[]; readonly B: M[]; C(x: number): void }",
    "merged interface": "interface X { A: 1 }\ninterface X { B: 2; C: 3 }",
    "extended interface": "interface Y { A: 1 }\ninterface X extends Y { B: 2; C: 3 }",
    "mapped": "type Y = 'A' | 'B' | 'C'\ntype X = { [K in Y]?: M[] }",
    "Record": "type Y = 'A' | 'B' | 'C'\ntype X = Partial<Record<Y, M[]>>",
    "Record as the type": "const X: Record<string, number> = { A: 1, B: 2, C: 3 }",
    "discriminator": "type X = { type: 'A'; a: string } | { type: 'B' } | { type: 'C' }",
    "namespace": "namespace N { export const Y = ['A', 'B', 'C'] as const }\nconst X = N.Y",
    "re-exported": "const Y = ['A', 'B', 'C'] as const\nexport { Y as X }",
    "CommonJS": "exports.X = void 0\nexports.X = ['A', 'B', 'C']",
    "module.exports": "module.exports = { X: ['A', 'B', 'C'], y: 1 }",
    "exported twice": "exports.Y = ['A', 'B', 'C']; exports.X = exports.Y",
    "zod enum": "import { z } from 'zod'\nexport const X = z.enum(['A', 'B', 'C'])",
    "zod enum of a constant": "const Y = ['A', 'B', 'C'] as const\nconst X = z.enum(Y).describe('which').optional()",
    "zod enum of an enum": "enum E { a = 'A', b = 'B', c = 'C' }\nconst X = z.nativeEnum(E)",
    "zod union of literals": "const X = z.union([z.literal('A'), z.literal('B'), z.literal('C')])",
    "zod literals": "const X = z.literal(['A', 'B', 'C'])",
    "zod options": "const Y = z.enum(['A', 'B', 'C'])\nconst X = Y.options",
    "zod inferred": "const Y = z.enum(['A', 'B', 'C'])\ntype X = z.infer<typeof Y>",
    "zod exclude": "const X = z.enum(['A', 'B', 'C', 'D']).exclude(['D'])",
    "zod record": "const Y = z.enum(['A', 'B', 'C'])\nconst X = z.partialRecord(Y, z.array(z.string()))",
    "zod keys": "const X = z.object({ A: z.string(), B: z.any(), C: z.number() }).strict().keyof()",
    "zod bare import": "import { enum as e, literal as lit } from 'zod/mini'\nconst X = e(['A', 'B', 'C'])",
    "zod compiled": "const zod_1 = require('zod')\nexports.X = zod_1.z.enum(['A', 'B', 'C'])",
    "zod declared, version 4": "export declare const X: z.ZodEnum<{ a: 'A'; b: 'B'; c: 'C' }>",
    "zod declared, version 3": "export declare const X: z.ZodEnum<['A', 'B', 'C']>",
    "zod discriminated": (
        "const X = z.discriminatedUnion('type', [z.object({ type: z.literal('A') }), "
        "z.object({ type: z.literal('B') }), z.object({ type: z.literal('C') })])"
    ),
    "lazy": "const X = lazySchema(() => z.enum(['A', 'B', 'C']))",
    "lazy, called": "const Y = lazy(() => z.enum(['A', 'B', 'C']))\nconst X = Y()",
    "factory": "function make() { const b = 'B'; return { y: ['A', b, 'C'] } }\nconst { y: X } = make()",
    "factory with an argument": "const make = (last) => ['A', 'B', last]\nconst X = make('C')",
    "escapes": r"const X = ['\x41', '\u0042', '\u{43}']",
    "value before type": "export type X = string\nexport const X = ['A', 'B', 'C'] as const",
    "type before an unreadable value": "export type X = 'A' | 'B' | 'C'\nexport declare const X: z.ZodType<Y>",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_the_same_set_reads_the_same(write, spelling):
    found = read_declared("m.ts#X", root=write(SPELLINGS[spelling], "m.ts"), vocabulary="hook_events")
    assert sorted(members(found)) == sorted(ABC)
    assert notices(found) == ()


@pytest.mark.parametrize("suffix", [".ts", ".mts", ".d.ts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"])
def test_every_kind_of_file_is_read(write, suffix):
    root = write("export const X = ['A', 'B', 'C']", f"m{suffix}")
    assert members(read_declared(f"m{suffix}#X", root=root)) == ABC


UNREADABLE = {
    "base of a type operator": (
        "interface X extends Omit<Y, 'B'> { A: 1 }",
        "the type Omit<...>",
        "m.ts:1:21",
    ),
    "base of another module": (
        "import type { Y } from './y'\nexport interface X extends Y { A: 1 }",
        "stated elsewhere: Y from ./y",
        "m.ts:1:1",
    ),
    "renamed keys": (
        "type E = 'A' | 'B'\ntype X = { [K in E as `on${K}`]: 1 }",
        "keys that a mapped type renames",
        "m.ts:2:23",
    ),
    "changed under a condition": (
        "let X = ['A']\nif (f) { X = [] }",
        "X, which a later statement changes",
        "m.ts:2:10",
    ),
    "call": ("const X = load()", "a call of load()", "m.ts:1:11"),
    "method": ("const X = ['A'].map(f)", "a call of map()", "m.ts:1:11"),
    "spread of a call": ("const X = ['A', ...load()]", "a call of load()", "m.ts:1:20"),
    "template": ("const X = ['A', `a${b}`]", "a template with a substitution", "m.ts:1:17"),
    "conditional": ("const X = f ? ['A'] : ['B']", "a ternary expression", "m.ts:1:11"),
    "numbered enum": ("enum X { A, B }", "a numbered member of an enumeration", "m.ts:1:10"),
    "open union": ("type X = 'A' | string", "the type string", "m.ts:1:16"),
    "open union's idiom": ("type X = 'A' | (string & {})", "the type string", "m.ts:1:17"),
    "template type": ("type X = `on${string}`", "a template literal type", "m.ts:1:10"),
    "number": ("const X = ['A', 3]", "the number 3", "m.ts:1:17"),
    "changed": ("const X = ['A']\nX.push('B')", "X, which push() changes", "m.ts:2:1"),
    "assigned": ("let X = ['A']\nX = load()", "X, which a later statement changes", "m.ts:2:1"),
    "entry assigned": ("const X = { A: 1 }\nX['B'] = 2", "X, which a later statement changes", "m.ts:2:1"),
    "computed key": ("const X = { [k]: 1 }", "a computed key that cannot be read", "m.ts:1:13"),
    "spread of nothing": ("const X = { ...['A'] }", "a spread of no object", "m.ts:1:11"),
    "itself": ("const X = [...X, 'A']", "X, which refers to itself", "m.ts:1:15"),
    "function": ("function X() { return ['A'] }", "a function", "m.ts:1:1"),
    "class": ("class X { a = 1 }", "a class without constants", "m.ts:1:1"),
    "unknown generic": ("type X = Keys<'A'>", "the type Keys<...>", "m.ts:1:10"),
    "schema of another kind": ("const X = z.string()", "the type string", "m.ts:1:11"),
    "unknown zod function": ("const X = z.templateLiteral(['A'])", "a call of templateLiteral() of zod", "m.ts:1:11"),
    "parameter": ("const f = (a) => [a]\nconst X = f()", "the parameter a", "m.ts:1:11"),
    "no plain return": ("function f() { if (a) return ['A'] }\nconst X = f()", "without a plain return", "m.ts:1:1"),
    "no syntax": ("const X = ['A', = ]", "text that cannot be parsed", "m.ts:1:11"),
    "map of something": ("const X = new Map([['A', 1], f()])", "pairs that cannot be read", "m.ts:1:11"),
    "no argument": ("const X = Object.keys()", "no argument", "m.ts:1:11"),
    "no entry": ("const T = { a: 1 }\nconst X = T.b", "the member b", "m.ts:2:11"),
    "taken apart": ("const { X } = { Y: ['A'] }", "no X in what is taken apart", "m.ts:1:15"),
    "no field": ("interface I { a: 'A' }\ntype X = I['b']", "no field b", "m.ts:2:10"),
    "keys of a set": ("type Y = 'A'\ntype X = keyof Y", "the keys of no object", "m.ts:2:10"),
    "only declared": ("let X", "X without a value", "m.ts"),
    "function type": ("declare function X(): 'A'", "a function signature", "m.ts:1:9"),
    "a new thing": ("const X = new Registry(['A'])", "a new Registry", "m.ts:1:11"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_evaluated_is_named_with_its_place(write, case):
    source, what, where = UNREADABLE[case]
    with pytest.raises(DeclaredError, match=re.escape(what)) as caught:
        read_declared("m.ts#X", root=write(source, "m.ts"), vocabulary="hook_events")
    assert caught.value.where == where
    assert caught.value.code == 3


def test_members_have_the_places_of_their_own_literals(write):
    root = write("// 🔴\nconst a = ['A'] // one\nexport const X = [\n    ...a, 'é', \"C\",\n] as const\n", "m.ts")
    assert places(read_declared("m.ts#X", root=root)) == {"A": "m.ts:2:12", "é": "m.ts:4:11", "C": "m.ts:4:16"}


def test_a_name_listed_twice_is_one_member_and_a_notice(write):
    found = read_declared("m.ts#X", root=write("type X =\n 'A' | 'B' | 'A'", "m.ts"))
    assert members(found) == ("A", "B")
    assert notices(found) == ("X lists A twice: m.ts:2:2 and m.ts:2:14",)


IMPORTS = {
    "beside": ("src/m.ts", "import { EVENTS } from './names'\nexport const X = EVENTS"),
    "with the compiled suffix": ("src/m.ts", "import { EVENTS as E } from './names.js'\nconst X = [...E]"),
    "type import": ("src/m.ts", "import { type Event } from './names.js'\ntype X = Event"),
    "namespace": ("src/m.ts", "import * as n from './names'\nconst X = n.EVENTS"),
    "default": ("src/m.ts", "import E from './names'\nconst X = E"),
    "parent": ("src/deep/m.ts", "import { EVENTS } from '../names'\nconst X = new Set(EVENTS)"),
    "from the root": ("src/deep/m.ts", "import { EVENTS } from 'src/names.js'\nconst X = EVENTS"),
    "alias": ("src/deep/m.ts", "import { EVENTS } from '@/names'\nconst X = EVENTS"),
    "index": ("src/m.ts", "import { EVENTS } from './lib'\nconst X = EVENTS"),
    "re-exported": ("src/m.ts", "export { EVENTS as X } from './names'"),
    "everything re-exported": ("src/m.ts", "import { EVENTS } from './all'\nconst X = EVENTS"),
    "required": ("src/m.js", "const { EVENTS } = require('./names')\nexports.X = EVENTS"),
    "required whole": ("src/m.js", "const n = require('./names')\nexports.X = n.EVENTS"),
    "imported factory": ("src/m.ts", "import { make } from './names'\nconst X = make()"),
}


@pytest.mark.parametrize("case", IMPORTS)
def test_imports_of_the_same_project_are_followed(write, case):
    path, text = IMPORTS[case]
    write(
        "export const EVENTS = ['A', 'B', 'C'] as const\nexport type Event = (typeof EVENTS)[number]\n"
        "export default EVENTS\nexport function make() { return EVENTS }",
        "src/names.ts",
    )
    write("export * from './names'", "src/all.ts")
    write("export * from '../names.js'", "src/lib/index.ts")
    found = read_declared(f"{path}#X", root=write(text, path))
    assert members(found) == ABC
    assert places(found)["A"] == "src/names.ts:1:24"


@pytest.mark.parametrize(
    "text",
    [
        "import { EVENTS } from '@anthropic-ai/sdk'\nexport const X = [...EVENTS, 'B']",
        "import { EVENTS } from '@anthropic-ai/sdk'\nexport const X = z.enum(EVENTS).optional()",
        "import { EVENTS } from '@anthropic-ai/sdk'\ntype X = Partial<Record<(typeof EVENTS)[number], string>>",
        "import * as sdk from '@anthropic-ai/sdk'\nexport const X = sdk.EVENTS",
        "export { EVENTS as X } from '@anthropic-ai/sdk'",
    ],
)
def test_an_import_that_is_not_in_the_project_is_stated_elsewhere(write, text):
    with pytest.raises(DeclaredError, match=r"X is stated elsewhere: \w+ from @anthropic-ai/sdk"):
        read_declared("m.ts#X", root=write(text, "m.ts"), vocabulary="hook_events")


NAMES = {
    "static": ("class Hooks { static readonly EVENTS = ['A', 'B', 'C'] as const }", "Hooks.EVENTS"),
    "namespace": ("declare namespace N { const E: readonly ['A', 'B', 'C'] }", "N.E"),
    "entry": ("const SETS = { events: ['A', 'B', 'C'] }", "SETS.events"),
    "field": ("interface Command { shell?: 'A' | 'B' | 'C' }", "Command.shell"),
    "keys of a field": (
        "const S = z.object({ hooks: z.object({ A: z.any(), B: z.any(), C: z.any() }).optional() })",
        "S.hooks",
    ),
    "field of a field": ("interface S { deep?: { shell: 'A' | 'B' | 'C' } }", "S.deep.shell"),
    "values": ("const SETS = { first: 'A', second: 'B', third: 'C' } as const", "SETS.*"),
    "default": ("export default ['A', 'B', 'C']", "default"),
    "entry of the default": ("export default { events: ['A', 'B', 'C'] }", "default.events"),
}


@pytest.mark.parametrize("case", NAMES)
def test_a_name_may_be_dotted(write, case):
    text, name = NAMES[case]
    assert members(read_declared(f"m.ts#{name}", root=write(text, "m.ts"), vocabulary="hook_shells")) == ABC


@pytest.mark.parametrize(
    ("name", "what", "found"),
    [
        ("HOOK_EVENT", "HOOK_EVENT not found in m.ts", "did you mean HOOK_EVENTS?"),
        ("Hooks.EVENT", "EVENT in Hooks not found in m.ts", "did you mean EVENTS?"),
        ("HOOK_EVENTS.a", "a in HOOK_EVENTS not found in m.ts", "no names at all"),
    ],
)
def test_a_missing_name_is_an_error_with_near_names(write, name, what, found):
    root = write("export const HOOK_EVENTS = ['A']\nconst Hooks = { EVENTS: ['A'] }", "m.ts")
    with pytest.raises(DeclaredError) as caught:
        read_declared(f"m.ts#{name}", root=root)
    assert (caught.value.what, caught.value.found) == (what, found)


TABLE = {
    "command": {
        "command": ("string", True),
        "timeout": ("number", False),
        "shell": ("enum", False, "bash", "powershell"),
    },
    "http": {
        "url": ("string", True),
        "headers": ("record<string,string>", False),
        "allowedEnvVars": ("array<string>", False),
    },
}

TABLES = {
    "interfaces": """
interface Command { type: 'command'; command: string; timeout?: number; shell?: 'bash' | 'powershell' }
interface Http { type: "http"; url: string; headers?: Record<string, string>; allowedEnvVars?: string[] }
export type X = Command | Http
""",
    "with a base": """
type Base = { timeout?: number | undefined }
type Shell = 'bash' | 'powershell'
type X = ({ type: 'command'; command: string } & Base & { shell?: Shell })
  | { type: 'http'; url: string; headers?: { [k: string]: string }; allowedEnvVars?: readonly string[] }
""",
    "declared object of kind words": """
export declare const X: {
    readonly command: { readonly command: "string"; readonly timeout: "number?"; readonly shell: "shell?" };
    readonly http: {
        readonly url: "string"; readonly headers: "stringRecord?"; readonly allowedEnvVars: "stringList?";
    };
};
""",
    "object of kind words": """
const common = { timeout: 'number?' } as const
export const X = {
  command: { command: 'string', ...common, shell: 'shell?' },
  http: { url: 'string', headers: 'stringRecord?', 'allowedEnvVars': 'stringList?' },
} as const satisfies Table
""",
    "zod": """
import * as z from 'zod/v4'
const Shells = ['bash', 'powershell'] as const
const timed = { timeout: z.number().optional().describe('seconds') }
const Command = z.object({
  type: z.literal('command'), command: z.string(), ...timed, shell: z.enum(Shells).optional() })
const Http = z.strictObject({ type: z.literal('http'), url: z.string() })
  .extend({ headers: z.record(z.string(), z.string()).optional(), allowedEnvVars: z.array(z.string()).optional() })
export const X = z.discriminatedUnion('type', [Command, Http])
""",
    "zod, declared": """
import { z } from 'zod';
declare const Http: z.ZodObject<{
    type: z.ZodLiteral<"http">;
    url: z.ZodURL;
    headers: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
    allowedEnvVars: z.ZodDefault<z.ZodArray<z.ZodString>>;
}, z.core.$strip>;
export declare const X: z.ZodDiscriminatedUnion<[z.ZodObject<{
    type: z.ZodLiteral<"command">;
    command: z.ZodString;
    timeout: z.ZodOptional<z.ZodNumber>;
    shell: z.ZodOptional<z.ZodEnum<{ bash: "bash"; powershell: "powershell" }>>;
}, z.core.$strip>, typeof Http], "type">;
""",
    "zod through factories": """
const Shell = lazySchema(() => z.enum(['bash', 'powershell']).optional())
function build() {
  const One = z.object({ type: z.literal('command').describe('a'), command: z.string(),
    timeout: z.optional(z.number()), shell: Shell() })
  const Two = z.object({ type: z.literal('http'), url: z.string(),
    headers: z.record(z.string()).nullish(), allowedEnvVars: z.string().array().default([]) }).passthrough()
  return { One, Other: Two }
}
export const X = lazySchema(() => {
  const { Other: Http, One } = build()
  return z.union([One, Http])
})
""",
}


@pytest.mark.parametrize("spelling", TABLES)
def test_every_spelling_of_the_same_table_reads_the_same(write, spelling):
    assert rows(read_declared("m.ts#X", root=write(TABLES[spelling], "m.ts"))) == TABLE


def test_the_modifiers_of_zod_give_upstreams_words(write):
    root = write(
        """
const X = z.object({
  type: z.literal('a'),
  min: z.string().min(1), nonempty: z.string().nonempty().optional(), url: z.string().url(), url4: z.url(),
  positive: z.number().positive().optional(), gt: z.number().gt(0), int: z.number().int().max(9),
  caught: z.enum(['device', 'skip']).optional().catch('skip'), text: z.string().transform((t) => () => t),
  coerced: z.preprocess((v) => v, z.enum(['x', 'y'])).optional(), number: z.coerce.number(),
  deep: z.record(z.string(), z.unknown()), list: z.array(z.object({ a: z.string() })), any: z.any(),
  either: z.union([z.string(), z.number()]), or: z.string().or(z.array(z.string())), maybe: z.boolean().nullable(),
})
""",
        "m.ts",
    )
    assert rows(read_declared("zod:m.ts#X", root=root)) == {
        "a": {
            "min": ("string", True, "min(1)"),
            "nonempty": ("string", False, "min(1)"),
            "url": ("string", True, "url"),
            "url4": ("string", True, "url"),
            "positive": ("number", False, "positive"),
            "gt": ("number", True, "positive"),
            "int": ("number", True, "int", "max(9)"),
            "caught": ("enum", False, "device", "skip", 'catch("skip")'),
            "text": ("string", True, "transform"),
            "coerced": ("enum", False, "x", "y", "coerced"),
            "number": ("number", True, "coerced"),
            "deep": ("record<string,unknown>", True),
            "list": ("array<object>", True),
            "any": ("unknown", True),
            "either": ("string | number", True),
            "or": ("string | array<string>", True),
            "maybe": ("boolean", True),
        }
    }


def test_the_other_ways_of_zod_to_make_objects(write):
    root = write(
        """
import { z } from 'zod'
import { far } from 'far'
const Base = z.object({ a: z.string(), b: z.number(), c: z.boolean() })
const X = z.object({
  type: z.literal('t'), kept: z.literal(1), far, deep: Base.shape.a, tuple: z.tuple([z.string()]),
  set: z.set(z.string()), nullable: z.nullable(z.string()), lazy: z.lazy(() => z.number()),
  foreign: z.enum(far), int: z.int(), custom: z.custom(),
})
const Picked = Base.pick({ a: true })
const Omitted = Base.omit({ a: true })
const Partial = Base.partial()
const Both = z.intersection(Base.pick({ a: true }), z.object({ d: z.any() }))
const And = Base.pick({ a: true }).and(z.object({ d: z.any() }))
const Shaped = z.object({ ...Base.shape, d: z.any() })
const Merged = Base.merge(z.object({ a: z.any() }))
const Keys = z.keyof(Base)
const Narrow = z.enum(['a', 'b', 'c']).extract(['a', 'b'])
const Listed = Base.array()
const Selected = Base.pick(names)
const Extended = Base.extend(far)
const Unknown = z.object(names())
const Odd = z.enum(1)
const Empty = z.union()
const Mixed = z.intersection(Base, z.string())
""",
        "m.ts",
    )

    def read(name):
        return read_declared(f"m.ts#{name}", root=root)

    assert rows(read("X"))["t"] == {
        "kept": ("literal", True),
        "far": ("far", True),
        "deep": ("string", True),
        "tuple": ("array<string>", True),
        "set": ("array<string>", True),
        "nullable": ("string", True),
        "lazy": ("number", True),
        "foreign": ("enum", True),
        "int": ("number", True, "int"),
        "custom": ("custom", True),
    }
    assert list(rows(read("Picked"))["Picked"]) == ["a"]
    assert list(rows(read("Omitted"))["Omitted"]) == ["b", "c"]
    assert {field[1] for field in rows(read("Partial"))["Partial"].values()} == {False}
    assert list(rows(read("Both"))["Both"]) == list(rows(read("And"))["And"]) == ["a", "d"]
    assert list(rows(read("Shaped"))["Shaped"]) == ["a", "b", "c", "d"]
    assert rows(read("Merged"))["Merged"]["a"] == ("unknown", True)
    assert members(read("Keys")) == ("a", "b", "c")
    assert members(read("Narrow")) == ("a", "b")
    for name, what in {
        "Listed": "the type array<object>",
        "Selected": "a selection of fields",
        "Extended": "far from far",
        "Unknown": "a call of names()",
        "Odd": "an enum of something unreadable",
        "Empty": "a union of nothing",
        "Mixed": "an intersection",
    }.items():
        with pytest.raises(DeclaredError, match=re.escape(what)):
            read(name)


def test_an_input_type_for_a_name_that_the_union_lacks_is_mentioned(write):
    root = write(
        "export type HookEvent = 'A' | 'B'\ntype Base = { cwd: string }\n"
        "export type SubagentStartHookInput = Base & { hook_event_name: 'SubagentStart' }\n",
        "m.d.ts",
    )
    ((what, place),) = mentions("m.d.ts#HookEvent", "SubagentStart", root=root)
    assert (what, str(place)) == ("type SubagentStartHookInput", "m.d.ts:3:64")
