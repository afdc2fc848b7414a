"""Every bound on time and memory as one table of ratios, measured in one sitting.

    python -m benchmarks                       all rows; releases come from the cache, else from npm's registry
    python -m benchmarks start native          the rows whose names begin so
    python -m benchmarks --rounds 9 --markdown

Each figure is the median of at least five pairs, run in turn, so that a slow spell of the machine hits both sides. Exit
code 1 where a bound is not met. Peers that are not installed are left out, and said: pip install check-jsonschema
skillsaw; npm install agnix claude-code-lint (in node_modules beside this folder, or on PATH).
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import classifier
from benchmarks.measure import NOTHING, ROOT, Comparison, compare, cost, machine
from driftgate.anchors import FetchOptions
from driftgate.anchors.copies import Copies, Pins
from driftgate.anchors.registry import Registry
from driftgate.classifier.schema import hooks_schema
from driftgate.gate.target import parse_target

NATIVE = "npm:@anthropic-ai/claude-code-linux-x64@2.1.332"
SDK = "npm:@anthropic-ai/claude-agent-sdk@0.3.332"
SCRIPT = "npm:@anthropic-ai/claude-code@2.1.112"

PYTHON = (sys.executable, "-m")
DRIFTGATE = (*PYTHON, "driftgate")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it is, the figure, its bound (None: there is none; it is shown to be seen), and its unit."""

    what: str
    figure: float
    bound: float | None
    unit: str = "times"
    least: bool = False

    @property
    def good(self) -> bool:
        """Whether the figure keeps to its bound."""
        if self.bound is None:
            return True
        return self.figure >= self.bound if self.least else self.figure <= self.bound


def start(rounds: int) -> Iterator[Row]:
    """Starts, against a Python that does nothing."""
    for what, command, bound in (
        ("check, offline", "check", 6.0),
        ("--version", "--version", 2.0),
    ):
        found = compare((*DRIFTGATE, *command.split()), NOTHING, rounds * 3)
        yield Row(f"{what} / python -c pass, CPU", found.cpu, bound)
        yield Row(f"{what} / python -c pass, wall", found.wall, None)
    with _settings() as file:
        found = compare((*DRIFTGATE, "classify", str(file)), NOTHING, rounds * 3)
        yield Row("classify of one file / python -c pass, CPU", found.cpu, 8.0)


def sdk(rounds: int) -> Iterator[Row]:
    """Reading the SDK's package, the whole process."""
    found = compare((*DRIFTGATE, "extract", str(_tarball(SDK))), NOTHING, rounds)
    yield Row("extract of the SDK's package / python -c pass, CPU", found.cpu, 12.0)


def native(rounds: int) -> Iterator[Row]:
    """Reading the largest native package, without and with a set of one's own to find."""
    tarball = str(_tarball(NATIVE))
    inflating = (*PYTHON, "benchmarks.inflate", tarball)
    extract: tuple[str, ...] = (*DRIFTGATE, "extract", tarball)
    yield from _native("native", compare(extract, inflating, rounds), compare(extract, (*inflating, "hash"), rounds))
    with _own_set() as config:
        extract = (*extract, "--config", str(config))
        found = compare(extract, inflating, rounds), compare(extract, (*inflating, "hash"), rounds)
        yield from _native("native with a set of one's own", *found)


def _native(what: str, inflating: Comparison, hashing: Comparison) -> Iterator[Row]:
    yield Row(f"{what} / decompressing and SHA-512, CPU", hashing.cpu, 1.5)
    yield Row(f"{what} / decompressing, wall", inflating.wall, 1.25)
    yield Row(f"{what}, peak", inflating.peak, 80, "MB")


def script(rounds: int) -> Iterator[Row]:
    """Reading the package with cli.js."""
    tarball = str(_tarball(SCRIPT))
    found = compare((*DRIFTGATE, "extract", tarball), (*PYTHON, "benchmarks.inflate", tarball, "hash"), rounds)
    yield Row("cli.js 2.1.112 / decompressing and SHA-512, CPU", found.cpu, None)
    yield Row("cli.js 2.1.112, peak", found.peak, 80, "MB")


def classifying(rounds: int) -> Iterator[Row]:
    """The classifier as a function, against jsonschema and pydantic."""
    for size, schema, pydantic in classifier.ratios(rounds):
        yield Row(f"classifier, {size} entries: times faster than jsonschema", schema, 100, least=True)
        yield Row(f"classifier, {size} entries: pydantic's time / ours", pydantic, 0.8, least=True)


def init(_: int) -> Iterator[Row]:
    """`init` on ten thousand files."""
    with tempfile.TemporaryDirectory() as folder:
        _many_files(Path(folder), 10_000)
        took = cost((*DRIFTGATE, "init", "--dry-run", "--offline"), Path(folder))
    yield Row("init on 10,000 files", took.wall, 30, "s")


def peers(rounds: int) -> Iterator[Row]:
    """One settings file judged: other tools' processes against ours."""
    with _settings() as file:
        ours = (*DRIFTGATE, "classify", str(file))
        schema = file.with_name("schema.json")
        schema.write_text(json.dumps(hooks_schema(document=True)), encoding="utf-8")
        for name, arguments in (
            ("check-jsonschema", ("--schemafile", str(schema), str(file))),
            ("skillsaw", (str(file.parent),)),
            ("agnix", (str(file.parent),)),
            ("claude-code-lint", ("validate-hooks", "--path", str(file.parent))),
        ):
            program = _program(name)
            if program is None:
                print(f"left out: {name} is not installed", file=sys.stderr)
                continue
            found = compare((program, *arguments), ours, rounds, file.parent, codes=range(256))
            yield Row(f"{name} / driftgate classify, CPU", found.cpu, None)


ROWS: dict[str, Callable[[int], Iterator[Row]]] = {
    "start": start,
    "sdk": sdk,
    "native": native,
    "script": script,
    "classifier": classifying,
    "init": init,
    "peers": peers,
}


def _tarball(target: str) -> Path:
    """Return the file of a package; it is in the cache afterwards."""
    named, options = parse_target(target), FetchOptions()
    return Copies(options, Pins(), Registry(options)).get(str(named.package), str(named.version)).path


def _program(name: str) -> str | None:
    beside = ROOT / "node_modules/.bin" / name
    return (
        str(beside)
        if beside.exists()
        else shutil.which(name, path=f"{Path(sys.executable).parent}") or shutil.which(name)
    )


class _Folder:
    """A file in a temporary folder, as a context."""

    def __init__(self, name: str, text: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.file = Path(self._folder.name) / name
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(text, encoding="utf-8")

    def __enter__(self) -> Path:
        return self.file

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def _settings() -> _Folder:
    return _Folder(".claude/settings.json", json.dumps(classifier.document(30), indent=2))


def _own_set() -> _Folder:
    text = (
        'pin: "2.1.296"\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n  modes: hooks.py#MODES\n'
        "vocabularies:\n  modes:\n    contains: [acceptEdits, bypassPermissions]\n"
    )
    return _Folder("driftgate.yml", text)


def _many_files(root: Path, count: int) -> None:
    names = ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "Notification", "SubagentStop")
    for number in range(count):
        suffix = ("py", "ts", "go", "rs", "md", "json")[number % 6]
        path = root / f"part{number % 97}" / f"file{number}.{suffix}"
        path.parent.mkdir(exist_ok=True)
        text = f"// number {number}\n" if suffix in ("ts", "go", "rs") else f"# number {number}\n"
        path.write_text("{}\n" if suffix == "json" else text * 40, encoding="utf-8")
    (root / "hooks.py").write_text(f"HOOK_EVENTS = {names!r}\n", encoding="utf-8")


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| figure | measured | bound | |", "| --- | ---: | ---: | --- |"]
    for row in rows:
        bound = "" if row.bound is None else f"{'at least' if row.least else 'at most'} {row.bound:g} {row.unit}"
        lines.append(f"| {row.what} | {row.figure:.2f} {row.unit} | {bound} | {'' if row.good else 'missed'} |")
    return "\n".join(lines)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help=f"which: {', '.join(ROWS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs a figure (default: 5)")
    options = parser.parse_args()
    rows: list[Row] = []
    for name, measure in ROWS.items():
        if options.rows and not any(name.startswith(each) for each in options.rows):
            continue
        rows += measure(max(5, options.rounds))
    print(f"{machine()}\n\n{table(rows)}")
    return int(not all(row.good for row in rows))


if __name__ == "__main__":
    sys.exit(main())
