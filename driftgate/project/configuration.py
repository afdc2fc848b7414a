"""A project's configuration as a checked value. Documented in the docs under "Configuration"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from driftgate.judge.accepted import Accepted
from driftgate.upstreams.shipped import PACKAGE

if TYPE_CHECKING:
    from driftgate.upstreams.finder import Finder


@dataclass(frozen=True, slots=True)
class Config:
    """One project's configuration.

    `root` is the folder that paths are relative to, `source` the file. `declared` maps a set's name to the specs of
    the places that declare it, `docs` likewise to tables that describe it (their gaps are said and are no drift).
    `snapshot` is the snapshot's path. `builtin` marks driftgate's own configuration, used where there is no project.
    """

    root: Path
    source: Path
    snapshot: Path
    declared: Mapping[str, tuple[str, ...]]
    docs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    upstream: str = "claude-code"
    accepted: tuple[Accepted, ...] = ()
    finders: Mapping[str, Finder] = field(default_factory=lambda: MappingProxyType({}))
    severity: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    releases: str | None = None
    builtin: bool = False

    @property
    def is_own(self) -> bool:
        """Whether this is driftgate's own configuration, so that the shipped classifier must agree with it."""
        return self.builtin or self.root == PACKAGE.parent


CLASSIFY_KEYS: Final = ("releases", "judge", "fail-on")
JUDGES: Final = ("release", "contract", "both")
"""Who may judge a settings file: the release that reads it, the contract, or both."""

CLASSIFY_FAILS: Final = ("error", "warning")
"""From what on `classify` fails."""


@dataclass(frozen=True, slots=True)
class ClassifySettings:
    """What a project says of how its settings files are judged; None is not said.

    `releases` is the range of releases on all of which everything is to load. `snapshot` is that of the pin, where the
    project pins Claude Code.
    """

    releases: str | None = None
    judge: str | None = None
    fail_on: str | None = None
    snapshot: Path | None = None


OPTIONS: Final = ("against", "format", "fail-on", "offline", "registry", "cache", "timeout")
"""The options that a flag, then the environment, then the configuration may set."""

KEYS: Final = (
    "upstream",
    "snapshot",
    "pin",
    "declared",
    "docs",
    "accepted",
    "vocabularies",
    "severity",
    "classify",
    *OPTIONS,
)
ACCEPTED_KEYS: Final = ("rule", "subject", "reason", "until", "versions")
FINDER_KEYS: Final = ("export", "contains", "used-by", "least", "form", "member", "declared")
