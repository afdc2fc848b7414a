"""Rounds of processes that are ended at random moments, and of files that are damaged at random places.

    python -m tests.machines kill 500        processes on one cache, killed
    python -m tests.machines signals 200     Ctrl-C and SIGTERM in refresh, accept, init, export, check
    python -m tests.machines damage FILE     a tarball cut off and damaged at 200 places

Prints how many rounds there were, how many ended before they were done, and every fault. Exit 1 where there is one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.machines.damage import damage
from tests.machines.rounds import kill_rounds, signal_rounds

ROUNDS = {"kill": kill_rounds, "signals": signal_rounds}


def main() -> int:
    """Run the rounds that are asked for."""
    kind, what = sys.argv[1], sys.argv[2]
    chosen = random.Random(what)  # noqa: S311
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result = damage(folder, Path(what), chosen) if kind == "damage" else ROUNDS[kind](folder, int(what), chosen)
    faults = result.faults
    print(f"{kind} {what}: {result.ended} ended early, {len(faults)} faults", *faults, sep="\n  ")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
