"""Small packages in the structures of the real ones, with names of their own where the names do not matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

GEMINI = ("BeforeTool", "AfterTool", "SessionStart", "SessionEnd", "PreCompress", "BeforeModel", "Notification")
QWEN = ("PreToolUse", "PostToolUse", "SessionStart", "SessionEnd", "Stop", "SubagentStart", "PreCompact")


def enum(events: Iterable[str], name: str = "Names") -> str:
    """Return a string enum as a bundler writes it."""
    body = "".join(f'  {name}2["{event}"] = "{event}";\n' for event in events)
    return f"var {name} = /* @__PURE__ */ (({name}2) => {{\n{body}  return {name}2;\n}})({name} || {{}});\n"


def compiled_enum(events: Iterable[str], name: str = "Names") -> str:
    """Return a string enum as the compiler writes it."""
    body = "".join(f'  {name}2["{event}"] = "{event}";\n' for event in events)
    return f"var {name};\n(function({name}2) {{\n{body}}})({name} || ({name} = {{}}));\n"


CHECK = "isValid(e) { const valid = Object.values(Names); return valid.includes(e); }\n"


def fired(events: Iterable[str]) -> str:
    """Return the methods that fire each event."""
    return "".join(f'  fire{e}() {{ return {{ ...this.createBaseInput("{e}" /* {e} */), x: 1 }}; }}\n' for e in events)


def settings(events: Iterable[str]) -> str:
    """Return the part of a settings schema that has a property for each event."""
    body = "".join(f'      {event}: {{ type: "array", label: "{event} hooks", default: [] }},\n' for event in events)
    return (
        "var SETTINGS = {\n  hooks: {\n    type: 'object', default: {}, label: \"Events\",\n"
        f"    properties: {{\n{body}    }}\n  }}\n}};\n"
    )


DECOYS = 'var OLD = ["BeforeTool", "AfterTool", "SessionStart", "Gone", "PreToolUse", "PostToolUse"];\n' + enum(
    ("BeforeTool", "AfterTool", "SessionStart", "Telemetry", "PreToolUse", "PostToolUse"), "Metrics"
)


def gemini(events: tuple[str, ...] = GEMINI) -> Mapping[str, str]:
    """Return a package with two copies of the core, the settings schema apart."""
    core = DECOYS + "class R {\n" + CHECK + fired(events) + "}\n"
    return {
        "bundle/chunk-A.js": enum(events) + core,
        "bundle/chunk-B.js": compiled_enum(events) + core,
        "bundle/chunk-C.js": settings(events),
    }


def gemini_core(events: tuple[str, ...] = GEMINI) -> Mapping[str, str]:
    """Return the package of the core alone, as the compiler writes it: a module a file."""
    return {
        "dist/src/hooks/types.js": "export "
        + compiled_enum(events)
        + 'export const FIELDS = ["enabled", "disabled"];\n',
        "dist/src/hooks/registry.js": "import { Names, FIELDS, } from './types.js';\nexport class R {\n"
        + CHECK
        + "}\n",
        "dist/src/hooks/old/types.js": DECOYS + "export var Names = OLD;\n",
    }


def qwen(events: tuple[str, ...] = QWEN) -> Mapping[str, str]:
    """Return a package whose enum stands in another chunk than what checks names against it."""
    return {
        "chunks/chunk-A.js": DECOYS + enum(events) + "export {\n  Names,\n  OLD\n};\n",
        "chunks/chunk-B.js": 'import {\n  Names\n} from "./chunk-A.js";\nclass R {\n' + CHECK + fired(events) + "}\n",
        "chunks/chunk-C.js": settings(events),
    }


OPENCODE = (
    "event",
    "config",
    "tool",
    "auth",
    "chat.message",
    "chat.params",
    "tool.execute.before",
    "tool.execute.after",
)


def opencode(events: tuple[str, ...] = OPENCODE, name: str = "Hooks") -> Mapping[str, str]:
    """Return a package of declarations."""
    body = "".join(f'    "{event}"?: (input: {{ id: string }}) => Promise<void>;\n' for event in events)
    return {
        "dist/index.d.ts": (
            'import type { Event } from "@example/sdk";\nexport * from "./tool.js";\n'
            f"export type Plugin = (input: Event) => Promise<{name}>;\nexport interface {name} {{\n{body}}}\n"
        ),
        "dist/tui.d.ts": "export interface Other { event: string }\n",
    }
