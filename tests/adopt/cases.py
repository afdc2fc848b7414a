"""Small mirrors in every language and style that is read: name -> (file, text, the set in it)."""

NAMES = ("PreToolUse", "PostToolUse", "Notification", "UserPromptSubmit", "SessionStart", "Stop", "SubagentStop")
SHELLS = ("bash", "powershell", "cmd_prompt")


def _lines(template: str, names: tuple[str, ...] = NAMES, between: str = "\n") -> str:
    return between.join(template.format(n=name, u=_upper(name), l=_upper(name).lower()) for name in names)


def _upper(name: str) -> str:
    return "".join("_" * (at > 0) + c if c.isupper() else c for at, c in enumerate(name)).upper()


_COLUMNS = max(map(len, NAMES))
_QUOTED = ", ".join(f'"{name}"' for name in NAMES)
_SINGLE = ", ".join(f"'{name}'" for name in NAMES)

CASES = {
    "py tuple, a line each": ("m.py", "E = (\n" + _lines('    "{n}",') + "\n)\n", "E"),
    "py list in one line": ("m.py", f"# é\nE = [{_QUOTED}]\nF = 1\n", "E"),
    "py set, single quotes": ("m.py", f"E = frozenset({{{_SINGLE}}})\n", "E"),
    "py tuple without brackets": ("m.py", f"E = {_QUOTED}\n", "E"),
    "py tuple, annotated, comments": (
        "m.py",
        "from typing import Final\n\nE: Final[tuple[str, ...]] = (\n    # tools\n"
        + _lines('    "{n}",  # {u}', NAMES[:2])
        + "\n\n    # others\n"
        + _lines('    "{n}",', NAMES[2:])
        + "\n)\n",
        "E",
    ),
    "py tuple, no last comma": ("m.py", "E = (\n" + _lines('    "{n}"', between=",\n") + "\n)\n", "E"),
    "py list, wrapped": (
        "m.py",
        "E = [\n    " + _lines('"{n}"', NAMES[:4], ", ") + ",\n    " + _lines('"{n}"', NAMES[4:], ", ") + ",\n]\n",
        "E",
    ),
    "py literal": ("m.py", f"from typing import Literal\n\nE = Literal[{_QUOTED}]\n", "E"),
    "py literal, a line each": (
        "m.py",
        "from typing import Literal\n\nE = Literal[\n" + _lines('    "{n}",') + "\n]\n",
        "E",
    ),
    "py literal, from its type": (
        "m.py",
        f"from typing import Literal, get_args\n\nT = Literal[{_QUOTED}]\nE = frozenset(get_args(T))\n",
        "E",
    ),
    "py enum": ("m.py", "from enum import Enum\n\n\nclass E(str, Enum):\n" + _lines('    {u} = "{n}"') + "\n", "E"),
    "py enum, documented": (
        "m.py",
        'from enum import StrEnum\n\n\nclass E(StrEnum):\n    """Events."""\n\n'
        + _lines('    {u} = "{n}"\n    """It is {u}."""')
        + "\n\n    @property\n    def x(self):\n        return 1\n",
        "E",
    ),
    "py dict of kinds": ("m.py", "E = {\n" + _lines('    "{n}": True,') + "\n}\n", "E"),
    "py constants in a list": ("m.py", _lines('{u} = "{n}"') + "\n\nE = [" + _lines("{u}", between=", ") + "]\n", "E"),
    "py members in a list": (
        "m.py",
        "from enum import Enum\n\n\nclass H(Enum):\n"
        + _lines('    {u} = "{n}"')
        + "\n\n\nE = (\n"
        + _lines("    H.{u},")
        + "\n)\n",
        "E",
    ),
    "py crlf": ("m.py", ("E = (\n" + _lines('    "{n}",') + "\n)\n").replace("\n", "\r\n"), "E"),
    "py byte order mark": ("m.py", "\ufeffE = [\n" + _lines('    "{n}",') + "\n]", "E"),
    "py sorted": ("m.py", "E = [\n" + _lines('    "{n}",', tuple(sorted(NAMES))) + "\n]\n", "E"),
    "ts union": ("m.ts", "export type E =\n" + _lines('  | "{n}"') + ";\n", "E"),
    "ts union in one line": ("m.ts", "export type E = " + _lines("'{n}'", between=" | ") + "\n", "E"),
    "ts array": ("m.ts", f"export const E = [{_SINGLE}] as const;\n", "E"),
    "ts array, a line each": ("m.ts", "export const E = [\n" + _lines("  '{n}',") + "\n] as const\n", "E"),
    "ts array, tabs, no last comma": ("m.ts", "const E = [\n" + _lines('\t"{n}"', between=",\n") + "\n];\n", "E"),
    "ts set": ("m.ts", "const E = new Set<string>([\n" + _lines("  '{n}',") + "\n]);\n", "E"),
    "ts enum": ("m.ts", "export enum E {\n" + _lines("  {n} = '{n}',") + "\n}\n", "E"),
    "ts enum, constants": ("m.ts", "export enum E {\n" + _lines('  {u} = "{n}",') + "\n}\n", "E"),
    "ts enum in a list": (
        "m.ts",
        "enum H {\n" + _lines("  {n} = '{n}',") + "\n}\nexport const E = [\n" + _lines("  H.{n},") + "\n];\n",
        "E",
    ),
    "ts object": ("m.ts", "export const E = {\n" + _lines("  {u}: '{n}',") + "\n} as const;\n", "E"),
    "ts zod enum": (
        "m.ts",
        "import { z } from 'zod';\n\nexport const E = z.enum([\n" + _lines("  '{n}',") + "\n]);\n",
        "E",
    ),
    "ts zod union of literals": (
        "m.ts",
        "import { z } from 'zod';\nconst E = z.union([\n" + _lines("  z.literal('{n}'),") + "\n]);\n",
        "E",
    ),
    "ts interface": ("m.ts", "export interface E {\n" + _lines("  {n}?: Hook[];") + "\n}\n", "E"),
    "ts class": (
        "m.ts",
        "class K {\n  static readonly E = [\n" + _lines("    '{n}',") + "\n  ] as const;\n}\n",
        "K.E",
    ),
    "js array": ("m.mjs", f"export const E = Object.freeze([{_QUOTED}]);\n", "E"),
    "d.ts tuple": ("m.d.ts", f"export declare const E: readonly [{_QUOTED}];\n", "E"),
    "go constants": (
        "m.go",
        "package m\n\n// E is one.\ntype E string\n\nconst (\n"
        + "\n".join(f'\tE{name.ljust(_COLUMNS)} E = "{name}"' for name in NAMES)
        + "\n)\n",
        "E",
    ),
    "go constants, documented": (
        "m.go",
        "package m\n\ntype Event string\n\nconst (\n"
        + _lines('\t// Event{n} is {u}.\n\tEvent{n} Event = "{n}"')
        + "\n)\n",
        "Event",
    ),
    "go slice": ("m.go", "package m\n\nvar E = []string{\n" + _lines('\t"{n}",') + "\n}\n", "E"),
    "go slice of constants": (
        "m.go",
        "package m\n\nconst (\n"
        + "\n".join(f'\tOn{name.ljust(_COLUMNS)} = "{name}"' for name in NAMES)
        + "\n)\n\nvar E = []string{"
        + _lines("On{n}", between=", ")
        + "}\n",
        "E",
    ),
    "go map": (
        "m.go",
        "package m\n\nvar E = map[string]bool{\n"
        + "\n".join(f'\t"{name}":{" " * (_COLUMNS - len(name))} true,' for name in NAMES)
        + "\n}\n",
        "E",
    ),
    "go array": ("m.go", f"package m\n\nvar E = [{len(NAMES)}]string{{{_QUOTED}}}\n", "E"),
    "rust enum": ("m.rs", "#[derive(Deserialize)]\npub enum E {\n" + _lines("    {n},") + "\n}\n", "E"),
    "rust enum, renamed": (
        "m.rs",
        "#[derive(Deserialize)]\npub enum E {\n" + _lines('    #[serde(rename = "{n}")]\n    {n},') + "\n}\n",
        "E",
    ),
    "rust enum, snake case": (
        "m.rs",
        '#[derive(Deserialize)]\n#[serde(rename_all = "snake_case")]\npub enum E {\n' + _lines("    {n},") + "\n}\n",
        "E",
    ),
    "rust enum, documented": (
        "m.rs",
        "#[derive(Deserialize)]\npub enum E {\n" + _lines("    /// It is {u}.\n    {n},") + "\n}\n",
        "E",
    ),
    "rust enum and its words": (
        "m.rs",
        "pub enum E {\n" + _lines("    {n},") + "\n}\n\nimpl E {\n    pub fn as_str(&self) -> &'static str {\n"
        "        match self {\n" + _lines('            E::{n} => "{n}",') + "\n        }\n    }\n}\n",
        "E",
    ),
    "rust slice": ("m.rs", "pub const E: &[&str] = &[\n" + _lines('    "{n}",') + "\n];\n", "E"),
    "rust array": ("m.rs", f"pub const E: [&str; {len(NAMES)}] = [\n" + _lines('    "{n}",') + "\n];\n", "E"),
    "zig enum": ("m.zig", "pub const E = enum {\n" + _lines("    {l},") + "\n};\n", "E"),
    "zig array": ("m.zig", "pub const E = [_][]const u8{\n" + _lines('    "{n}",') + "\n};\n", "E"),
    "zig counted array": ("m.zig", f"pub const E = [{len(NAMES)}][]const u8{{ {_QUOTED} }};\n", "E"),
    "zig map": (
        "m.zig",
        'const std = @import("std");\npub const E = std.StaticStringMap(void).initComptime(.{\n'
        + _lines('    .{{ "{n}", {{}} }},')
        + "\n});\n",
        "E",
    ),
    "json list": ("m.json", '{\n  "x": 1,\n  "e": [\n' + _lines('    "{n}"', between=",\n") + "\n  ]\n}\n", "/e"),
    "json list in one line": ("m.json", f'{{"e": [{_QUOTED}], "z": 2}}', "/e"),
    "json keys": ("m.json", '{\n\t"e": {\n' + _lines('\t\t"{n}": []', between=",\n") + "\n\t}\n}\n", "/e"),
    "json schema enum": (
        "m.schema.json",
        '{\n  "definitions": {\n    "event": {\n      "type": "string",\n      "enum": [\n'
        + _lines('        "{n}"', between=",\n")
        + "\n      ]\n    }\n  }\n}\n",
        "/definitions/event",
    ),
    "json schema properties": (
        "m.schema.json",
        '{\n  "properties": {\n    "hooks": {\n      "type": "object",\n      "properties": {\n'
        + _lines('        "{n}": {{ "$ref": "#/definitions/m" }}', between=",\n")
        + '\n      },\n      "additionalProperties": false\n    }\n  },\n  "definitions": {"m": {}}\n}\n',
        "/properties/hooks",
    ),
    "json schema pattern": (
        "m.schema.json",
        '{"properties": {"hooks": {"propertyNames": {"pattern": "^(' + "|".join(NAMES) + ')$"}}}}\n',
        "/properties/hooks",
    ),
    "yaml list": ("m.yaml", "x: 1\ne:\n" + _lines("  - {n}") + "\nz: 2\n", "/e"),
    "yaml list, quoted, not indented": ("m.yaml", "e:\n" + _lines('- "{n}"') + "\n", "/e"),
    "yaml list in brackets": ("m.yaml", "e: [" + ", ".join(NAMES) + "] # all\n", "/e"),
    "yaml keys": ("m.yaml", "e:\n" + _lines("  {n}: {{}}") + "\n# the end\n", "/e"),
    "markdown table": (
        "m.md",
        "# Hooks\n\n| Event | What |\n|---|---|\n" + _lines("| `{n}` | It is {u}. |") + "\n\nEnd.\n",
        "Hooks/Event",
    ),
    "markdown table in columns": (
        "m.md",
        "# Hooks\n\n| "
        + "Event".ljust(_COLUMNS + 2)
        + " | What |\n| "
        + "-" * (_COLUMNS + 2)
        + " | ---- |\n"
        + "\n".join(f"| {('`' + name + '`').ljust(_COLUMNS + 2)} | " + "yes  |" for name in NAMES)
        + "\n",
        "Hooks",
    ),
}
