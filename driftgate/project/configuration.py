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
    from driftgate.extraction.finders.finder import Finder


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


OPTIONS: Final = ("against", "format", "fail-on", "offline", "registry", "cache")
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
