"""Adopt drifts on real mirrors and print the figures by language.

    python -m tests.adopt [--drifts N] [--seed N] PATH#NAME...

Each drift is made by what upstream would say (a name that the mirror lacks, one that it has too many, one that it
misspells) and adopted in memory; no file changes. Where the tools are at hand, the edited text must be taken by the
language itself (python, node, tsc, rustfmt, gofmt), and a formatter that leaves the file unchanged must leave the
edited one so. Mirrors are files that were fetched beforehand; nothing is downloaded.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from driftgate.declared.languages import reader_for
from driftgate.errors import DriftgateError
from tests.adopt.drifts import Mirror, drifts, tried

CHECKS = {
    ".py": ["{python}", "-c", "import ast,sys; ast.parse(open(sys.argv[1], 'rb').read())", "{file}"],
    ".js": ["node", "--check", "{file}"],
    ".mjs": ["node", "--check", "{file}"],
    ".ts": ["prettier", "{file}"],
    ".mts": ["prettier", "{file}"],
    ".go": ["gofmt", "-e", "-l", "{file}"],
    ".rs": ["rustfmt", "--edition", "2021", "--emit", "stdout", "{file}"],
    ".zig": ["zig", "ast-check", "{file}"],
    ".json": ["{python}", "-m", "json.tool", "{file}"],
}
FORMATTERS = {
    ".py": [
        ["ruff", "format", "-q"],
        ["black", "-q"],
        ["ruff", "format", "-q", "--line-length", "100"],
        ["ruff", "format", "-q", "--line-length", "120"],
    ],
    ".ts": [["prettier", "--write"]],
    ".mts": [["prettier", "--write"]],
    ".js": [["prettier", "--write"]],
    ".mjs": [["prettier", "--write"]],
    ".json": [["prettier", "--write"]],
    ".yaml": [["prettier", "--write"]],
    ".md": [["prettier", "--write"]],
    ".rs": [["rustfmt", "--edition", "2021", "--config", "skip_children=true"]],
    ".go": [["gofmt", "-w"]],
    ".zig": [["zig", "fmt"]],
}


def main(argv: list[str]) -> int:
    """Print what came of the drifts of each mirror; 1 where any was not adopted as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.adopt")
    parser.add_argument("--drifts", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("mirrors", nargs="+", metavar="PATH#NAME")
    args = parser.parse_args(argv)
    totals: dict[str, Counter[str]] = {}
    for spec in args.mirrors:
        path, _, name = spec.partition("#")
        language = reader_for(path)
        counted = totals.setdefault(language, Counter())
        counted["mirrors"] += 1
        started = time.perf_counter()
        faults = one(Path(path), name, args, counted)
        print(f"{language:10} {time.perf_counter() - started:6.1f}s  {spec[-90:]}")
        for fault, count in faults.items():
            print(f"             {count:3} x {fault}")
    print(f"\n{'language':10} mirrors  drifts adopted by-hand   wrong  parsed    kept (of formatted)")
    for language, c in sorted(totals.items()):
        numbers = (f"{c[key]:7}" for key in ("mirrors", "drifts", "adopted", "hand", "wrong", "parsed", "kept"))
        print(f"{language:10}", *numbers, f"({c['formatted']})")
    return int(any(c["wrong"] for c in totals.values()))


def one(path: Path, name: str, args: argparse.Namespace, counted: Counter[str]) -> Counter[str]:
    """Try the drifts of one mirror. Returns what was wrong, and how often."""
    faults: Counter[str] = Counter()
    mirror = Mirror(path.parent, f"{path.name}#{name}")
    try:
        members = mirror.members()
    except DriftgateError as problem:
        faults[f"not read: {problem.what}"] += 1
        return faults
    before = path.read_bytes().decode("utf-8-sig")
    with tempfile.TemporaryDirectory() as folder:
        keeping = [run for run in FORMATTERS.get(path.suffix, ()) if leaves(run, path, before, Path(folder))]
        for drift in drifts(members, args.drifts, args.seed):
            counted["drifts"] += 1
            outcome = tried(mirror, drift)
            if outcome.wrong:
                counted["hand" if outcome.wrong.startswith("by hand") else "wrong"] += 1
                faults[f"{drift.kind}: {outcome.wrong}"] += 1
                continue
            counted["adopted"] += 1
            if parses(path, outcome.text, Path(folder)):
                counted["parsed"] += 1
            else:
                counted["wrong"] += 1
                faults[f"{drift.kind} {drift.name}: does not parse"] += 1
            for run in keeping[:1]:
                counted["formatted"] += 1
                kept = leaves(run, path, outcome.text, Path(folder))
                counted["kept"] += kept
                if not kept:
                    faults[f"{drift.kind} {drift.name}: {run[0]} would lay it out otherwise"] += 1
    return faults


def parses(path: Path, text: str, folder: Path) -> bool:
    """Whether the tools of the language take the text; where none is at hand, nobody objects."""
    command = CHECKS.get(path.suffix)
    if command is None or (shutil.which(command[0]) is None and command[0] != "{python}"):
        return True
    file = folder / path.name
    file.write_text(text, encoding="utf-8", newline="")
    words = [word.format(python=sys.executable, file=file) for word in command]
    return subprocess.run(words, capture_output=True, timeout=60, check=False).returncode == 0


def leaves(run: list[str], path: Path, text: str, folder: Path) -> bool:
    """Whether a formatter is at hand and leaves the text as it is."""
    if shutil.which(run[0]) is None:
        return False
    file = folder / path.name
    file.write_text(text, encoding="utf-8", newline="")
    done = subprocess.run([*run, str(file)], capture_output=True, timeout=120, check=False)
    return done.returncode == 0 and file.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
