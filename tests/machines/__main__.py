"""Rounds of processes that are ended at random moments.

    python -m tests.machines kill 500        processes on one cache, killed
    python -m tests.machines signals 200     Ctrl-C and SIGTERM in refresh, accept, init, export, check

Prints how many rounds there were, how many ended before they were done, and every fault. Exit 1 where there is one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from tests.machines.rounds import kill_rounds, signal_rounds

ROUNDS = {"kill": kill_rounds, "signals": signal_rounds}


def main() -> int:
    """Run the rounds that are asked for."""
    kind, rounds = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        result = ROUNDS[kind](Path(folder), rounds, random.Random(rounds))  # noqa: S311
    print(
        f"{kind}: {rounds} rounds, {result.ended} ended early, {len(result.faults)} faults", *result.faults, sep="\n  "
    )
    return bool(result.faults)


if __name__ == "__main__":
    sys.exit(main())
