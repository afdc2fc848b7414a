"""What each release does with the hooks of a plugin, as data: its hooks files and its manifest.

Read out of the releases, and confirmed by running the client on plugins. As in `eras`, a row is the row before it and
what changed. What a plugin's files share with settings (the four levels, the kinds of fields, the vocabulary) is the
reader of the same release in `eras`; what stands here is what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from driftgate.releases.eras import FIRST_RELEASE, policy_of, row_of
from driftgate.versions import version_key

PLUGIN_VERIFIED: Final = (("2.0.28", "2.1.332"),)
"""From and up to which releases plugins were given to the client itself. Older rows come from reading the code."""


class FileForm(StrEnum):
    """What a plugin's hooks file is."""

    NONE = "nothing: plugins have no hooks"
    BARE = "a map of events"
    WRAPPED = "an object with `hooks`"


class NamedTwice(StrEnum):
    """What happens where the manifest names the hooks file that is loaded anyway."""

    SILENT = "it is loaded once, without a word"
    ERROR = "an error is shown, and the file is loaded once"


@dataclass(frozen=True, slots=True)
class PluginPolicy:
    """What the releases from `since` on do with a plugin's hooks.

    `modules`: a hooks file may name a module, and then needs no `hooks`. `lenient`: bad pieces are dropped one by one
    and what may be a lost guard disables the plugin; otherwise anything wrong loses all hooks of a file, and in the
    manifest the plugin. `names_unknown_keys`: keys of a hooks file that have no effect are shown at start, but for
    `silent_keys`. `no_surface`: a hooks file may not have the key `surface`. Of the manifest: `manifest_keys` are the
    only keys that it may have, None where it may have any; in `unscanned_keys` no lost guard is looked for;
    `named_twice` is what happens where it names the hooks file that is loaded anyway. `frontmatter`: a user's skills,
    agents and commands may have hooks in their frontmatter; `plugin_skills`: the skills of a plugin may.
    """

    era: str
    since: str
    form: FileForm = FileForm.NONE
    modules: bool = False
    lenient: bool = False
    no_surface: bool = False
    names_unknown_keys: bool = False
    silent_keys: frozenset[str] = frozenset({"description", "hooks"})
    unscanned_keys: frozenset[str] = frozenset()
    manifest_keys: frozenset[str] | None = None
    named_twice: NamedTwice = NamedTwice.SILENT
    frontmatter: bool = False
    plugin_skills: bool = False


@dataclass(frozen=True, slots=True)
class PluginChange:
    """What is different from release `since` on, in words and as fields of a policy."""

    since: str
    what: str
    fields: Mapping[str, Any]


_FILE_KEYS: Final = frozenset({"description", "hooks", "modules"})

_MANIFEST_2_0_28: Final = frozenset(
    {
        "name",
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "hooks",
        "commands",
        "agents",
        "skills",
        "outputStyles",
        "mcpServers",
        "lspServers",
    }
)

PLUGIN_CHANGES: Final = (
    PluginChange("1.0.128", "a plugin may have a hooks file: a map of events", {"era": "bare", "form": FileForm.BARE}),
    PluginChange(
        "2.0.9",
        "a hooks file is an object with `hooks`; anything wrong loses all hooks of the file",
        {"era": "P1", "form": FileForm.WRAPPED},
    ),
    PluginChange("2.0.28", "a manifest with a key that is not known is refused", {"manifest_keys": _MANIFEST_2_0_28}),
    PluginChange(
        "2.0.36",
        "a manifest that names the hooks file which is loaded anyway is an error",
        {"named_twice": NamedTwice.ERROR},
    ),
    PluginChange("2.1.0", "skills, agents and commands may have hooks in their frontmatter", {"frontmatter": True}),
    PluginChange("2.1.34", "`settings` is known in a manifest", {"manifest_keys": _MANIFEST_2_0_28 | {"settings"}}),
    PluginChange("2.1.76", "a manifest may have any keys", {"manifest_keys": None}),
    # 2.1.64 does not read them; what lies between was not looked at.
    PluginChange("2.1.112", "skills of a plugin may have hooks in their frontmatter", {"plugin_skills": True}),
    PluginChange(
        "2.1.242",
        "a hooks file may name a module",
        {"era": "P2", "modules": True, "silent_keys": _FILE_KEYS},
    ),
    PluginChange(
        "2.1.257",
        "bad pieces are dropped one by one; what may be a lost guard disables the plugin",
        {
            "era": "P3",
            "lenient": True,
            "unscanned_keys": frozenset({"metadata", "mcpServers", "lspServers"}),
        },
    ),
    PluginChange(
        "2.1.267", "keys without an effect are shown at start", {"names_unknown_keys": True, "no_surface": True}
    ),
    PluginChange("2.1.274", "`$schema` is no longer shown", {"silent_keys": _FILE_KEYS | {"surface", "$schema"}}),
    PluginChange(
        "2.1.280",
        "a manifest may name the hooks file which is loaded anyway",
        {"named_twice": NamedTwice.SILENT},
    ),
)
"""Every change of the readers, in the order of releases."""

PLUGIN_POLICIES: Final[tuple[PluginPolicy, ...]] = tuple(
    accumulate(
        PLUGIN_CHANGES,
        lambda policy, change: replace(policy, since=change.since, **change.fields),
        initial=PluginPolicy("none", FIRST_RELEASE),
    )
)
"""The readers of every release: each row holds from its `since` up to the next row."""


@lru_cache(maxsize=1024)
def plugin_policy_of(release: str) -> PluginPolicy:
    """Return what `release` does with a plugin's hooks. Raises UsageError where nothing is known of it."""
    policy_of(release)
    return row_of(release, PLUGIN_POLICIES)


@lru_cache(maxsize=1024)
def is_plugin_verified(release: str) -> bool:
    """Return whether the client of `release` was run on plugins, or lies between two that were and behave alike."""
    key = version_key(release)
    return any(version_key(first) <= key <= version_key(last) for first, last in PLUGIN_VERIFIED)


@lru_cache(maxsize=1024)
def last_plugin_verified(release: str) -> str:
    """Return the newest release up to `release` whose client was run on plugins; the first of all if none is older."""
    key = version_key(release)
    older = [
        release if key <= version_key(last) else last for first, last in PLUGIN_VERIFIED if key >= version_key(first)
    ]
    return older[-1] if older else PLUGIN_VERIFIED[0][0]
