"""Whole processes, measured by the operating system's own accounting, in turn with what they are compared with."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
NOTHING = (sys.executable, "-c", "pass")
"""What every start is compared with: a Python that does nothing."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took: seconds on the clock, seconds of processors (its own and its children's), peak MB."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Pairs of runs, in turn: the costs of what is measured, and of what it is measured against."""

    ours: tuple[Cost, ...]
    other: tuple[Cost, ...]

    @property
    def wall(self) -> float:
        """The median of the ratios of wall time, pair by pair."""
        return median(a.wall / b.wall for a, b in zip(self.ours, self.other, strict=True))

    @property
    def cpu(self) -> float:
        """The median of the ratios of processor time, pair by pair."""
        return median(a.cpu / b.cpu for a, b in zip(self.ours, self.other, strict=True))

    @property
    def peak(self) -> float:
        """The median of the peak memory of what is measured, in MB."""
        return median(cost.peak for cost in self.ours)


def cost(command: Sequence[str], folder: Path = ROOT, codes: Sequence[int] = (0,)) -> Cost:
    """Run a command in `folder`; it must end with one of `codes`. Its output goes nowhere."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said, env=_environ())
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            said.seek(0)
            raise SystemExit(f"{shlex.join(command)} ended with {process.returncode}: {said.read()[-2000:]!r}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _environ() -> dict[str, str]:
    # Bytecode is cached in a folder of this run, as after an installation, whatever the environment says.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTGATE_")}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return environ


def compare(
    ours: Sequence[str],
    other: Sequence[str],
    rounds: int,
    folder: Path = ROOT,
    codes: Sequence[int] = (0,),
) -> Comparison:
    """Run both commands in turn `rounds` times, after one run of each that does not count."""
    cost(ours, folder, codes)
    cost(other, folder)
    pairs = [(cost(ours, folder, codes), cost(other, folder)) for _ in range(rounds)]
    return Comparison(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def machine() -> str:
    """Return the size of this machine in words."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} processors, {memory:.0f} GB, Python {sys.version.split()[0]}"
