"""What is said about one settings file: values only, no words of a report and no value of the document."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import HooksOutcome
from driftgate.formats.json import Spot
from driftgate.releases import FileKind, Verdict
from driftgate.releases.sweep import ReleaseRange
from driftgate.settings.before import LostHook
from driftgate.settings.codes import CautionCode


class Judge(StrEnum):
    """Who judges a file: the release that reads it, the contract that is pinned, or both."""

    RELEASE = "release"
    CONTRACT = "contract"
    BOTH = "both"


class PieceEffect(StrEnum):
    """What a bad piece does.

    In the release where that judges; CONTRACT is what is bad by the contract alone, NEXT what lies behind a fault.
    """

    REJECTS = "rejects"
    DROPPED = "dropped"
    WOULD_DROP = "would be dropped"
    CONTRACT = "contract"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Words:
    """A piece in words: what was expected, what was found (kinds of value, never values), and how to write it right.

    `says` is the sentence; "{name}" in it stands for the user's own word `name`, which leaves the process only as
    `outgoing_path` lets it. `sample` is a form that loads, as JSON. `suggestion` is the known word that was meant.
    """

    says: str
    expected: str = ""
    found: str = ""
    fix: str = ""
    sample: str = ""
    suggestion: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A piece that does not load: its code, its coordinate and place, and the words for it.

    `path` leads to what is wrong; `piece` to what does not load, where that is more (the entry of a bad field). `note`
    tells a piece from another one of the same coordinate.
    """

    effect: PieceEffect
    code: str
    path: ConfigPath
    spot: Spot | None
    words: Words
    piece: ConfigPath | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Caution:
    """Something that loads and is dead, or that other readers of the file refuse. Changes no exit code by itself."""

    code: CautionCode
    path: ConfigPath
    spot: Spot | None
    words: Words


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of something there is."""

    events: int = 0
    matchers: int = 0
    entries: int = 0


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """The verdict on one file.

    `outcome` is what becomes of the file in the release, or by the contract where that alone was asked: `released` is
    the release's verdict and `contract` the contract's, each None where that judge was not asked. `milder` says in
    what the release is milder, where it is.
    `problems` are in the order of the document, up to a limit: `omitted` more are not listed. `loads` is what loads
    and `lost` what is well-formed in a document that is rejected. `ranges` are the answers of many releases, newest
    first. `lost_hooks` are those that load in the file called `before` and not in this one.
    """

    name: str
    kind: FileKind
    outcome: HooksOutcome
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Caution, ...] = ()
    loads: Counts = Counts()
    lost: Counts = Counts()
    omitted: int = 0
    released: Verdict | None = None
    contract: HooksOutcome | None = None
    milder: tuple[str, ...] = ()
    ranges: tuple[ReleaseRange, ...] = ()
    before: str | None = None
    lost_hooks: tuple[LostHook, ...] = ()

    @property
    def all_loads(self) -> bool:
        """Whether nothing in the file is dropped or rejected, by either judge, and nothing lost since `before`."""
        loads = self.outcome is HooksOutcome.LOADED and self.contract in (None, HooksOutcome.LOADED)
        return loads and not self.lost_hooks


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be looked at: nothing is known of it."""

    name: str
    why: str
    next: str = ""
