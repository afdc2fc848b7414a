"""Every upstream as data.

The places were found by looking at published packages: what refers to each set, and what else there holds the same
names. See the comments of each row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from driftgate.extraction.finders.finder import Finder, Form
from driftgate.surface import HOOK_EVENTS_SET
from driftgate.upstreams.titles import DEFAULT_UPSTREAM, TITLES, known_upstream


class Published(NamedTuple):
    """A set in a package: `ways` to find it. The first must succeed; each other one that finds a set must agree.

    `described` are further places that list the set for people and may lag behind: what they lack is said, no more.
    """

    set: str
    ways: tuple[Finder, ...]
    described: tuple[Finder, ...] = ()


class Written(NamedTuple):
    """A set in a source tree, in the file at `path` below its root, of `least` members or more.

    `name` is what it is called there; without one, everything that the file states is taken.
    """

    set: str
    path: str
    least: int
    name: str | None = None


class Upstream(NamedTuple):
    """One upstream. `name` is what configurations and snapshots call it (see `names`).

    `package` is the npm package that its releases are known by; None for one that is read from a local checkout or
    file only (`anchors.catalogue` says what belongs to a package).
    `published` are its sets there (none: the program has an extractor of its own, `driftgate.extraction`), `written`
    those in its source tree.
    """

    name: str
    package: str | None = None
    published: tuple[Published, ...] = ()
    written: tuple[Written, ...] = ()

    @property
    def title(self) -> str:
        """What people call it."""
        return TITLES[self.name]


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


UPSTREAMS: Final[Mapping[str, Upstream]] = MappingProxyType(
    {
        row.name: row
        for row in (
            Upstream(DEFAULT_UPSTREAM, "@anthropic-ai/claude-code"),
            # The bundle holds three copies of the core. Telemetry and confirmations have other enums of events, none
            # of which has all three names.
            Upstream(
                "gemini-cli",
                "@google/gemini-cli",
                published=(_validated("BeforeTool", "AfterTool", "SessionStart"),),
            ),
            # Other objects with the same keys describe the events to people and are no closed set of what loads.
            Upstream(
                "qwen-code",
                "@qwen-code/qwen-code",
                published=(_validated("PreToolUse", "PostToolUse", "SessionStart"),),
            ),
            Upstream(
                "opencode",
                "@opencode-ai/plugin",
                published=(
                    # A plugin returns its hooks: that is what makes this interface the one that is meant.
                    Published(HOOK_EVENTS_SET, (Finder(export="Hooks", used_by="Promise<X>", least=8),)),
                ),
            ),
            Upstream(
                "codex",
                written=(Written(HOOK_EVENTS_SET, "codex-rs/hooks/src/lib.rs", 4, "HOOK_EVENT_NAMES"),),
            ),
            Upstream(
                "fx",
                written=(Written(HOOK_EVENTS_SET, "src/core/hooks/definitions.zig", 2),),
            ),
        )
    }
)


def upstream_named(name: str) -> Upstream:
    """Return the upstream called `name`. Raises UsageError."""
    return UPSTREAMS[known_upstream(name)]
