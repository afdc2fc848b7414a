"""A project's configuration as checked values. Documented in the docs under "Configuration"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from driftgate.errors import UsageError
from driftgate.judge.accepted import Accepted
from driftgate.near import did_you_mean
from driftgate.upstreams.shipped import PACKAGE

if TYPE_CHECKING:
    from driftgate.upstreams.finder import Finder


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of one mirror: what a project declares of one upstream.

    `root` is the folder that paths are relative to, `source` the file, `table` the keys below which the mirror stands
    there (() for the usual one). `declared` maps a set's name to the specs of the places that declare it, `docs`
    likewise to tables that describe it (their gaps are said and are no drift). `subset` maps the sets that are a part
    of upstream's on purpose to the reason. `snapshot` is the snapshot's path. `builtin` marks driftgate's own
    configuration as the wheel carries it.
    """

    root: Path
    source: Path
    snapshot: Path
    declared: Mapping[str, tuple[str, ...]]
    docs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    upstream: str = "claude-code"
    accepted: tuple[Accepted, ...] = ()
    subset: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    finders: Mapping[str, Finder] = field(default_factory=lambda: MappingProxyType({}))
    severity: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    releases: str | None = None
    table: tuple[str, ...] = ()
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


@dataclass(frozen=True, slots=True)
class Project:
    """One configuration file: its mirrors, at least one, each of another upstream."""

    source: Path
    mirrors: tuple[Config, ...]

    def of(self, upstream: str | None) -> tuple[Config, ...]:
        """Return the mirror of `upstream`, all of them for None. Raises UsageError where there is no such mirror."""
        found = tuple(config for config in self.mirrors if upstream in (None, config.upstream))
        if not found:
            there = [config.upstream for config in self.mirrors]
            raise UsageError(
                f"nothing here mirrors {upstream!r}" + did_you_mean(str(upstream), there),
                where=str(self.source),
                expected=", ".join(there),
            )
        return found

    def one(self, upstream: str | None) -> Config:
        """Return the mirror of `upstream`, for None the only one. Raises UsageError where it is not said which."""
        first, *others = self.of(upstream)
        if others:
            raise UsageError(
                "which of the mirrors of this project is meant?",
                where=str(self.source),
                expected=f"--upstream {' or '.join(config.upstream for config in self.mirrors)}",
            )
        return first


OPTIONS: Final = ("against", "format", "fail-on", "offline", "registry", "cache", "timeout")
"""The options that a flag, then the environment, then the configuration may set."""

MIRROR_KEYS: Final = ("snapshot", "pin", "declared", "docs", "accepted", "vocabularies", "severity")
"""What is stated of each mirror: at the top, or in a table of the upstream's name for each of several."""

KEYS: Final = ("upstream", *MIRROR_KEYS, "classify", *OPTIONS)
DECLARED_KEYS: Final = ("place", "subset")
ACCEPTED_KEYS: Final = ("rule", "subject", "subjects", "of", "reason", "until", "versions")
FINDER_KEYS: Final = ("export", "contains", "used-by", "least", "form", "member", "declared", "subset")
