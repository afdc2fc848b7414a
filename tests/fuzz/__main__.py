"""Throw mutated inputs at readers.

    python -m tests.fuzz all 1000 [SEED]          every reader, so many inputs each
    python -m tests.fuzz tar,npmrc 100000         some of them
    python -m tests.fuzz bounds                   inputs of a megabyte that are built to be slow or large

A reader may refuse an input with an error of its own kind; anything else is a crash, and so is one that takes longer
than 20 s. Each crash is kept in tests/fuzz/crashes/READER/, once for each place in the code, and is an input of the
suite from then on. Exit 1 where there is one.
"""

from __future__ import annotations

import hashlib
import random
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType

from tests.fuzz.bounds import bounds
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import ALLOWED, TARGETS, Fuzzed

CRASHES = Path(__file__).resolve().parent / "crashes"
LONGEST = 20


def _too_long(_: int, __: FrameType | None) -> None:
    raise TimeoutError(f"it took longer than {LONGEST} s")


def fault_of(target: Fuzzed, data: bytes) -> BaseException | None:
    """Return what a reader fell over, None where it read or refused."""
    signal.alarm(LONGEST)
    try:
        target.read(data)
    except ALLOWED:
        return None
    except Exception as problem:  # noqa: BLE001 - that is what is looked for
        return problem
    finally:
        signal.alarm(0)
    return None


def _place(problem: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if "driftgate" in frame.filename]
    last = frames[-1] if frames else None
    return f"{type(problem).__name__} at {Path(last.filename).name}:{last.lineno}" if last else type(problem).__name__


def fuzz(target: Fuzzed, count: int, seed: int) -> Counter[str]:
    """Throw `count` inputs at a reader. Returns the places at which it fell over; the inputs are kept."""
    chosen = random.Random(f"{target.name} {seed}")  # noqa: S311
    seeds = target.seeds()
    pool = list(seeds)
    found: Counter[str] = Counter()
    slowest = 0.0
    started = time.monotonic()
    for _ in range(count):
        data = mutated(chosen.choice(pool), seeds, chosen)
        begun = time.monotonic()
        problem = fault_of(target, data)
        slowest = max(slowest, time.monotonic() - begun)
        if problem is None:
            if len(pool) < len(seeds) + 40:
                pool.append(data)
            elif chosen.random() < 0.02:
                pool[chosen.randrange(len(seeds), len(pool))] = data
            continue
        place = _place(problem)
        found[place] += 1
        if found[place] == 1:
            folder = CRASHES / target.name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    rate = count / max(time.monotonic() - started, 1e-9)
    crashes = sum(found.values())
    print(
        f"{target.name:<13}{count:>9} inputs {crashes:>6} crashes, slowest {slowest:5.2f} s, {rate:7.0f}/s", flush=True
    )
    for place, times in found.most_common():
        print(f"  {times:>6} {place}", flush=True)
    return found


def main() -> int:
    """Run what the command line asks for."""
    which = sys.argv[1]
    if which == "bounds":
        return bounds(sys.argv[2:])
    signal.signal(signal.SIGALRM, _too_long)
    sys.setrecursionlimit(1000)
    names = list(TARGETS) if which == "all" else which.split(",")
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    return int(sum(len(fuzz(TARGETS[name], count, seed)) for name in names) > 0)


if __name__ == "__main__":
    sys.exit(main())
