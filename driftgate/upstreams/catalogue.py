"""Every upstream, one row each: what it is called, which packages carry its releases, how its sets are found.

The places were found by looking at published packages: what refers to each set, and what else there holds the same
names; which members hold the settings schema, and what each release's `package.json` says. See the comments of a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from driftgate.errors import DriftgateError, UsageError
from driftgate.near import did_you_mean
from driftgate.surface import HOOK_EVENTS_SET
from driftgate.upstreams.finder import Finder, Form
from driftgate.upstreams.program import Era, Numbering, Package, Program

DEFAULT_UPSTREAM: Final = "claude-code"
"""The upstream of a configuration that names none."""


@dataclass(frozen=True, slots=True)
class Published:
    """A set in a package: `ways` to find it. The first must succeed; each other one that finds a set must agree.

    `described` are further places that list the set for people and may lag behind: what they lack is said, no more.
    """

    set: str
    ways: tuple[Finder, ...]
    described: tuple[Finder, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A set in a source tree, in the file at `path` below its root, of `least` members or more.

    `name` is what it is called there; without one, everything that the file states is taken.
    """

    set: str
    path: str
    least: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Upstream:
    """One upstream. `name` is what configurations and snapshots call it.

    `program` says what people call it, and which npm packages carry its releases; one that is read from a local
    checkout or file only has none, and `called` is its title.
    `published` are its sets there (none: the program has an extractor of its own, `driftgate.extraction`), `written`
    those in its source tree.
    """

    name: str
    program: Program | None = None
    published: tuple[Published, ...] = ()
    written: tuple[Written, ...] = ()
    called: str = ""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.program.title if self.program else self.called

    @property
    def package(self) -> str | None:
        """The npm package that its releases are known by."""
        return self.program.main.name if self.program else None


_VALIDATED: Final = "Object.values(X)"
"""Gemini CLI and its fork check the names of a configuration against the values of an enum."""

_FIRED: Final = "createBaseInput(X)"
"""What they call with the name of each event when it happens: written apart from the enum, and read from texts."""

_SETTINGS: Final = "hooks: {..., properties: X"
"""Their settings schema, which editors use, has a property for each event. Qwen Code 0.15.10 lacks two there."""


def _validated(*contains: str) -> Published:
    """Return how a program of this family states its hook events."""
    return Published(
        HOOK_EVENTS_SET,
        ways=(
            Finder(contains=contains, used_by=_VALIDATED, least=6),
            Finder(contains=contains, used_by=_FIRED, least=6, forms=(Form.CALLS,)),
        ),
        described=(Finder(contains=contains, used_by=_SETTINGS, least=6, forms=(Form.KEYS,)),),
    )


_SCRIPTS: Final = ("*.js", "*.mjs", "*.cjs")
"""Every script is looked into, wherever a release puts it, but for those that are known to be something else."""

_MAIN: Final = Package("@anthropic-ai/claude-code", ("cli.js",))
_NATIVE: Final = Package("@anthropic-ai/claude-code", ("claude", "claude.exe"))
_SDK: Final = Package(
    "@anthropic-ai/claude-agent-sdk",
    (*_SCRIPTS, "*.d.ts"),
    # The clients of other programs, the tools' own types, and what is vendored.
    but=("browser-sdk.*", "bridge.*", "assistant.*", "extractFromBunfs.*", "sdk-tools.d.ts", "vendor/*"),
    numbering=(Numbering("2.0.", "0.1."), Numbering("2.1.", "0.2.", until="2.1.141"), Numbering("2.1.", "0.3.")),
)

CLAUDE_CODE: Final = Program(
    title="Claude Code",
    main=_MAIN,
    last_script="2.1.112",
    native=_NATIVE,
    platforms=(
        "linux-x64",
        "linux-arm64",
        "linux-x64-musl",
        "linux-arm64-musl",
        "darwin-arm64",
        "darwin-x64",
        "win32-x64",
        "win32-arm64",
    ),
    others=(_SDK,),
    eras=(
        Era("1.0.128", _MAIN, None),
        Era("2.1.112", _MAIN, _SDK),
        # The SDK of these has neither a program nor the settings schema, only the public types.
        Era("2.1.135", _NATIVE, _SDK),
        Era(None, _SDK, _NATIVE),
    ),
    states_release="claudeCodeVersion",
)

_GEMINI: Final = Package("@google/gemini-cli", _SCRIPTS, but=("bundle/docs/*", "bundle/examples/*", "node_modules/*"))
_GEMINI_CORE: Final = Package("@google/gemini-cli-core", ("dist/src/hooks/*.js",), but=("*.test.js",))

_ROWS: Final = (
    Upstream(DEFAULT_UPSTREAM, CLAUDE_CODE),
    # The bundle holds three copies of the core. Telemetry and confirmations have other enums of events, none of which
    # has all three names.
    Upstream(
        "gemini-cli",
        Program(
            title="Gemini CLI",
            main=_GEMINI,
            others=(_GEMINI_CORE,),
            # Up to 0.35 the program is in a package of its own, which the main one depends on; then the main one is a
            # bundle.
            eras=(Era("0.35.99", _GEMINI_CORE, None), Era(None, _GEMINI, None)),
        ),
        published=(_validated("BeforeTool", "AfterTool", "SessionStart"),),
    ),
    # Other objects with the same keys describe the events to people and are no closed set of what loads.
    Upstream(
        "qwen-code",
        Program("Qwen Code", Package("@qwen-code/qwen-code", _SCRIPTS, but=("web-shell/*", "vendor/*", "bundled/*"))),
        published=(_validated("PreToolUse", "PostToolUse", "SessionStart"),),
    ),
    Upstream(
        "opencode",
        Program("OpenCode", Package("@opencode-ai/plugin", ("dist/*.d.ts",))),
        # A plugin returns its hooks: that is what makes this interface the one that is meant.
        published=(Published(HOOK_EVENTS_SET, (Finder(export="Hooks", used_by="Promise<X>", least=8),)),),
    ),
    Upstream(
        "codex",
        written=(Written(HOOK_EVENTS_SET, "codex-rs/hooks/src/lib.rs", 4, "HOOK_EVENT_NAMES"),),
        called="Codex",
    ),
    Upstream("fx", written=(Written(HOOK_EVENTS_SET, "src/core/hooks/definitions.zig", 2),), called="fx"),
)

_TABLE: Final = {row.name: row for row in _ROWS}

UPSTREAMS: Final[Mapping[str, Upstream]] = MappingProxyType(_TABLE)
"""Every upstream by its name. A new one is a row above: nothing else anywhere names it."""


def known_upstream(name: str, *, where: str = "", error: type[DriftgateError] = UsageError) -> str:
    """Return `name`, which `where` names, if there is an upstream of that name; else raise `error`."""
    if name not in UPSTREAMS:
        raise error(
            f"there is no upstream {name!r}" + did_you_mean(name, UPSTREAMS),
            where=where,
            expected=", ".join(UPSTREAMS),
        )
    return name


def upstream_named(name: str) -> Upstream:
    """Return the upstream called `name`. Raises UsageError."""
    return UPSTREAMS[known_upstream(name)]


def title_of(name: str) -> str:
    """Return what people call an upstream; of one that is not known, its name in words."""
    row = UPSTREAMS.get(name)
    return row.title if row else " ".join(word.capitalize() for word in name.split("-"))


def program_of(package: str) -> tuple[Program, Package] | None:
    """Return the program that an npm package belongs to, and the package's row; None for any other package."""
    for row in UPSTREAMS.values():
        for each in row.program.packages() if row.program else ():
            if each.name == package and row.program:
                return row.program, each
    return None
