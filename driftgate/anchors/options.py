"""How to fetch: everything that a search for artefacts takes from its surroundings, as one value."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from driftgate.anchors.unavailable import OutOfTimeError


def _unheard(_: int) -> None:
    """Hear of bytes and do nothing (a named function, so that options can go to another process)."""


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Where and how artefacts are looked for.

    `offline` opens no socket and asks npm nothing. `registry` overrides npm's configuration. `cache` overrides the
    environment's `DRIFTGATE_CACHE` and the system's own place. `project` is the folder whose `.npmrc` counts. Times
    are seconds: `timeout` for everything together, from when the options were made (None: no limit);
    `connect_timeout` for a connection, `read_timeout` for the head of an answer and for each 64 KiB of its body,
    `longest_wait` between two of the `attempts`. `progress` is where long downloads and further attempts are told,
    None for silence; `bar` whether that is a terminal. `sleep` waits, `clock` tells the time. `received` is told the
    size of each piece of a body as it comes from the network, and may raise an AnchorError to end the transfer.
    """

    offline: bool = False
    registry: str | None = None
    cache: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    project: Path = field(default_factory=Path.cwd)
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    timeout: float | None = None
    attempts: int = 4
    longest_wait: float = 30.0
    progress: TextIO | None = None
    bar: bool = False
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    started: float = field(default_factory=time.monotonic)
    received: Callable[[int], None] = _unheard

    def patience(self) -> float:
        """Return how many seconds the next piece of an answer may take."""
        return self.read_timeout if self.timeout is None else min(self.read_timeout, self._left())

    def _left(self) -> float:
        return float("inf") if self.timeout is None else self.started + self.timeout - self.clock()

    def in_time(self, doing: str) -> None:
        """Raise OutOfTimeError where the time for everything is over; `doing` is what was reached."""
        if self._left() <= 0:
            raise OutOfTimeError(
                f"not finished within {self.timeout:g} s",
                found=f"it was {doing}",
                next="give it more time (--timeout SECONDS, or `timeout` in the configuration), or try again later",
            )

    def pause(self, seconds: float, doing: str) -> None:
        """Wait. Raises OutOfTimeError at once where the time for everything would be over before the end."""
        if seconds >= self._left():
            self.sleep(max(0.0, self._left()))
            raise OutOfTimeError(
                f"not finished within {self.timeout:g} s",
                found=f"it was {doing}",
                next="try again later, or give it more time (--timeout SECONDS, or `timeout` in the configuration)",
            )
        self.sleep(seconds)

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
