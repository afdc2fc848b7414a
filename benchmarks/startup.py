"""Time of a whole offline `driftgate check` against that of a Python that does nothing, in turn, in one run.

    python benchmarks/startup.py [RUNS]

Both run in this interpreter's environment with bytecode cached, as after an installation. Prints the best and the
median of each and their ratios; exit 1 where the ratio of the best times is above the bound.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
BOUND = 8.0
NOTHING = [sys.executable, "-c", "pass"]
CHECK = [sys.executable, "-m", "driftgate", "check"]


def seconds(command: list[str], environ: dict[str, str]) -> float:
    """Return the wall time of one run, in seconds; the run must succeed."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=environ, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    """Measure, print, judge."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as cache:
        environ = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        seconds(CHECK, environ)  # fills the cache
        pairs = [(seconds(NOTHING, environ), seconds(CHECK, environ)) for _ in range(runs)]
    nothing, check = ([pair[index] for pair in pairs] for index in (0, 1))
    ratio = min(check) / min(nothing)
    print(f"python -c pass    best {min(nothing) * 1000:6.1f} ms  median {median(nothing) * 1000:6.1f} ms")
    print(f"driftgate check   best {min(check) * 1000:6.1f} ms  median {median(check) * 1000:6.1f} ms")
    print(f"ratio             best {ratio:6.2f}     median {median(b / a for a, b in pairs):6.2f}  (bound {BOUND})")
    return int(ratio > BOUND)


if __name__ == "__main__":
    sys.exit(main())
