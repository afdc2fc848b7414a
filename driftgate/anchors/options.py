"""How to fetch: everything that a search for artefacts takes from its surroundings, as one value."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO


def _unheard(_: int) -> None:
    """Hear of bytes and do nothing (a named function, so that options can go to another process)."""


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Where and how artefacts are looked for.

    `offline` opens no socket and asks npm nothing. `registry` overrides npm's configuration. `cache` overrides the
    environment's `DRIFTGATE_CACHE` and the system's own place. `project` is the folder whose `.npmrc` counts. Times
    are seconds: `connect_timeout` for a connection, `read_timeout` for silence on it, `longest_wait` between two of
    the `attempts`. `progress` is the terminal for a progress bar, None for silence. `sleep` waits. `received` is told
    the size of each piece of a body as it comes from the network, and may raise an AnchorError to end the transfer.
    """

    offline: bool = False
    registry: str | None = None
    cache: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    project: Path = field(default_factory=Path.cwd)
    connect_timeout: float = 10.0
    read_timeout: float = 60.0
    attempts: int = 4
    longest_wait: float = 30.0
    progress: TextIO | None = None
    sleep: Callable[[float], None] = time.sleep
    received: Callable[[int], None] = _unheard

    @property
    def home(self) -> Path:
        """The user's home folder, as the environment has it."""
        named = self.environ.get("HOME") or self.environ.get("USERPROFILE")
        return Path(named) if named else Path.home()

    @property
    def cache_directory(self) -> Path:
        """The folder that verified tarballs are kept in."""
        if self.cache is not None:
            return self.cache
        if named := self.environ.get("DRIFTGATE_CACHE"):
            return Path(named).expanduser()
        if sys.platform == "win32":
            return Path(self.environ.get("LOCALAPPDATA") or self.home / "AppData/Local") / "driftgate" / "cache"
        if sys.platform == "darwin":
            return self.home / "Library/Caches/driftgate"
        return Path(self.environ.get("XDG_CACHE_HOME") or self.home / ".cache") / "driftgate"
