"""Measure extraction, as ratios within one run.

  python benchmarks/extraction.py                   from the cache, else from npm's registry
  python benchmarks/extraction.py --folder DIR      tarballs as `npm pack` names them, where DIR has them

Prints each figure beside its limit; exit code 1 if one is above it. Needs tree-sitter and tree-sitter-javascript.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs from a checkout that is not installed

from driftgate.anchors import FetchOptions  # noqa: E402
from driftgate.anchors.stream import blocks, inflate  # noqa: E402
from driftgate.artefact import Artefact  # noqa: E402
from driftgate.extraction import read_surface  # noqa: E402
from driftgate.gate.observe import artefacts_of  # noqa: E402
from driftgate.gate.target import parse_target  # noqa: E402

NATIVE = ("@anthropic-ai/claude-code-linux-x64", "2.1.332")
SDK = ("@anthropic-ai/claude-agent-sdk", "0.3.332")
SCRIPT = ("@anthropic-ai/claude-code", "2.1.112")

MOST_OVER_INFLATING = 1.5
MOST_RESIDENT = 120
MOST_FOR_THE_SDK = 0.5
LEAST_UNDER_PARSING = 5.0
ROUNDS = 5


def main() -> int:
    """Measure everything; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="folder of tarballs")
    parser.add_argument("--resident", metavar="TARGET", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.resident:
        read_surface(artefact_of(options.resident))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return 0
    checks = [
        *native(target(NATIVE, options.folder)),
        sdk(target(SDK, options.folder)),
        script(target(SCRIPT, options.folder)),
    ]
    return int(not all(checks))


def target(package: tuple[str, str], folder: Path | None) -> str:
    """Return what to ask the anchors for: a tarball in `folder`, else a package's version."""
    name, version = package
    for spelt in (name.replace("/", "_").replace("@", "_"), name.replace("/", "-").replace("@", "")):
        if folder is not None and (path := folder / f"{spelt}-{version}.tgz").is_file():
            return str(path)
    return f"npm:{name}@{version}"


def artefact_of(what: str) -> Artefact:
    """Find an artefact; it is in the cache afterwards."""
    return artefacts_of(parse_target(what), FetchOptions())[0]


def tarball_of(what: str) -> Path:
    """Return the file of an artefact."""
    path = Path(what)
    return path if path.is_file() else Path(artefact_of(what).origin.location)


def native(what: str) -> list[bool]:
    """Extraction from the largest native tarball against merely decompressing it, and the memory that it takes."""
    artefact, tarball = artefact_of(what), tarball_of(what)

    def inflate_only() -> None:
        with tarball.open("rb") as file:
            for _ in inflate(blocks(file)):
                pass

    pairs = [(seconds(lambda: read_surface(artefact)), seconds(inflate_only)) for _ in range(ROUNDS)]
    extraction, inflating = (min(each) for each in zip(*pairs, strict=True))
    resident = float(subprocess.check_output([sys.executable, __file__, "--resident", what], text=True, cwd=ROOT))
    print(f"native {NATIVE[1]}: extraction {extraction:.2f} s, decompressing alone {inflating:.2f} s")
    return [
        verdict("  ratio", extraction / inflating, MOST_OVER_INFLATING),
        verdict("  resident, MB", resident, MOST_RESIDENT),
    ]


def sdk(what: str) -> bool:
    """The whole process that prints the surface of the SDK's package."""
    command = [sys.executable, "-m", "driftgate", "extract", what]
    took = min(seconds(lambda: subprocess.check_output(command, cwd=ROOT)) for _ in range(ROUNDS))
    print(f"SDK {SDK[1]}: driftgate extract")
    return verdict("  whole process, s", took, MOST_FOR_THE_SDK)


def script(what: str) -> bool:
    """Extraction from a package with cli.js against one parse of that file."""
    import tree_sitter
    import tree_sitter_javascript

    artefact = artefact_of(what)
    text = next(member.read() for member in artefact.open_members() if member.name.endswith("cli.js"))
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))
    parsing = min(seconds(lambda: parser.parse(text)) for _ in range(2))
    extraction = min(seconds(lambda: read_surface(artefact)) for _ in range(ROUNDS))
    print(f"cli.js {SCRIPT[1]}: extraction from its tarball {extraction:.2f} s, one parse of cli.js {parsing:.2f} s")
    return verdict("  parse / extraction", parsing / extraction, LEAST_UNDER_PARSING, at_least=True)


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def verdict(what: str, figure: float, limit: float, *, at_least: bool = False) -> bool:
    """Print a figure beside its limit; return whether it keeps to it."""
    good = figure >= limit if at_least else figure <= limit
    print(f"{what}: {figure:.2f} ({'at least' if at_least else 'at most'} {limit:g}): {'ok' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    sys.exit(main())
