"""Drifts put before a mirror: what upstream would have to be so that the mirror lacks, has or misspells a name."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from driftgate.adopt import AdoptReport, adopt
from driftgate.adopt.trees import tree_of
from driftgate.declared import read_declared
from driftgate.declared.languages import reader_for
from driftgate.project.configuration import Config
from driftgate.surface import Vocabulary, surface_of

NEW = (
    "PreModelSwitch",
    "VaultUnlock",
    "LedgerSync",
    "CanvasOpened",
    "PostIndexRefresh",
    "TwinRelease",
    "WorkspaceMerge",
)
"""Names that upstream might bring."""


@dataclass(frozen=True)
class Mirror:
    """A set in a file below `root`."""

    root: Path
    spec: str
    of: str = "hook_events"

    @property
    def config(self) -> Config:
        """A project that declares it."""
        return Config(self.root, self.root / "driftgate.toml", self.root / "s.yaml", declared={self.of: (self.spec,)})

    def members(self) -> tuple[str, ...]:
        """What it states now."""
        held = read_declared(self.spec, root=self.root, vocabulary=self.of)
        assert isinstance(held, Vocabulary)
        return held.members or ()

    def adopted(self, upstream: tuple[str, ...]) -> AdoptReport:
        """Adopt a set called upstream's."""
        return adopt(self.config, surface_of((Vocabulary(self.of, upstream),), "upstream 1.2.3"))


@dataclass(frozen=True)
class Drift:
    """One drift: `kind` is what is to be done here, `name` the name that is here or comes, `upstream` the set there."""

    kind: str
    name: str
    upstream: tuple[str, ...]


def drifts(members: tuple[str, ...], count: int, seed: int) -> Iterator[Drift]:
    """Yield `count` drifts, of each kind as many: a name that is missing, one too many, one that is misspelt."""
    rng = random.Random(seed)  # noqa: S311 - a sample
    for number in range(count):
        kind = ("add", "remove", "rename")[number % 3]
        if kind == "add":
            name = _like(rng.choice([one for one in NEW if one not in members]), members)
            at = rng.randrange(len(members) + 1)
            yield Drift(kind, name, (*members[:at], name, *members[at:]))
        elif kind == "remove":
            name = rng.choice(members)
            yield Drift(kind, name, tuple(one for one in members if one != name))
        else:
            name = rng.choice([one for one in members if len(one) > 8] or members)
            yield Drift(kind, name, tuple(_misspelt(one, rng) if one == name else one for one in members))


def _like(name: str, members: tuple[str, ...]) -> str:
    """A new name spelt as the others are."""
    if all(one.islower() or "-" in one or "_" in one for one in members):
        separator = "-" if any("-" in one for one in members) else "_"
        return "".join(separator * (at > 0) + c.lower() if c.isupper() else c for at, c in enumerate(name))
    return name[0].lower() + name[1:] if all(one[0].islower() for one in members) else name


def _misspelt(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name) - 1)
    while not name[at].islower():
        at = at + 1 if at + 1 < len(name) else 1
    return name[:at] + ("z" if name[at] != "z" else "x") + name[at + 1 :]


@dataclass(frozen=True)
class Outcome:
    """What came of a drift: `wrong` says why it is not what it should be, "" where it is."""

    wrong: str
    text: str = ""
    report: AdoptReport | None = None


def tried(mirror: Mirror, drift: Drift) -> Outcome:
    """Adopt the drift in memory and look at what came of it; no file changes."""
    report = mirror.adopted(drift.upstream)
    if report.instructions:
        return Outcome(f"by hand: {report.instructions[0].why}", report=report)
    if report.exit_code():
        return Outcome(f"exit {int(report.exit_code())}", report=report)
    if len(report.changes) != 1:
        return Outcome(f"{len(report.changes)} files", report=report)
    (change,) = report.changes
    before, after = change.before.decode("utf-8-sig"), change.after.decode("utf-8-sig")
    wrong = _more_than_the_set(before, after, drift, report)
    if _is_broken(after, change.path) and not _is_broken(before, change.path):
        wrong = "broken"
    return Outcome(wrong, after, report)


def _is_broken(text: str, path: Path) -> bool:
    tree = tree_of(text.encode(), reader_for(path.name), path.suffix)
    return tree is not None and tree.root.has_error


def _more_than_the_set(before: str, after: str, drift: Drift, report: AdoptReport) -> str:
    """Say which changed line is about something else, blanks and separators aside."""
    lines = [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]
    gone = sorted(_bare(line[2:]) for line in lines if line[0] == "-")
    come = sorted(_bare(line[2:]) for line in lines if line[0] == "+")
    for line in dict.fromkeys(gone):
        while line in gone and line in come:
            gone.remove(line)
            come.remove(line)
    if (
        drift.kind == "remove"
        and not come
        and any(drift.name in line or drift.name.lower() in line.lower().replace("_", "") for line in gone)
    ):
        return ""  # an element of several lines
    more = abs(len(gone) - len(come))
    return (
        ""
        if more <= _MOST_LINES and len(gone) <= _MOST_LINES and len(come) <= _MOST_LINES
        else f"{len(gone)} lines made way for {len(come)}"
    )


_MOST_LINES = 4


def _bare(line: str) -> str:
    return "".join(line.split()).rstrip(",;|").lstrip("|")
