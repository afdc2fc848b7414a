"""What loads and never fires: which hooks a release refuses to run, which parts of one it does not look at.

The facts are data (`firing.json`), of two kinds, by release: `read` out of its bundle (`extraction.firing`), and `seen`
in sessions of its real client with a hook of every type under every event (`python -m tests.probe firing`). Of a
release in between two that agree, the same is said; where they differ, or one does not say, nothing is. Nothing is
said of releases newer than the newest that was looked at.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from driftgate.classifier.outgoing import ConfigPath
from driftgate.versions import version_key

_T = TypeVar("_T")
_DATA: Final = Path(__file__).with_name("firing.json")
TYPES: Final = ("command", "http", "prompt", "agent", "mcp_tool")
_NEED_CONVERSATION: Final = frozenset({"prompt", "agent"})
_LATE: Final = frozenset({"mcp_tool"})
"""Types whose silence in a session says little: the server may not be connected yet, or any more."""

_NAMES: Final = re.compile(r"[A-Za-z0-9_|, -]+")
"""A matcher of names, which are compared as wholes; anything else is a regular expression."""

NOTHING: Final = "none"
"""In place of a field that a matcher is compared with: it is not looked at."""


class DeadCode(StrEnum):
    """What is dead about an entry."""

    TYPE_NEVER_RUNS = "type-never-runs"
    IF_NEVER_HOLDS = "if-never-holds"
    MATCHER_IGNORED = "matcher-ignored"
    MATCHER_NOT_LISTED = "matcher-not-listed"
    ONCE_WITHOUT_EFFECT = "once-without-effect"
    ON_FAILURE_IGNORED = "on-failure-ignored"
    WATCHES_NOTHING = "watches-nothing"


@dataclass(frozen=True, slots=True)
class DeadEntry:
    """A piece that loads and does nothing.

    `path` is below the document, `says` one sentence without text of the user's, `evidence` the releases and how it is
    known. `never`: the entry cannot fire; otherwise it fires, and what `path` names has no effect.
    """

    path: ConfigPath
    code: DeadCode
    says: str
    evidence: str
    never: bool = True


class Runs(StrEnum):
    """Whether hooks of a type run under an event."""

    FIRES = "fires"
    NEVER = "never"
    UNKNOWN = "not stated"


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether hooks of one type run under one event on one release, and how that is known."""

    runs: Runs
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Points:
    """Facts by release, oldest first."""

    releases: tuple[str, ...]
    keys: tuple[tuple[int, ...], ...]
    facts: Mapping[str, Mapping[str, Any]]

    def around(self, release: str) -> tuple[str, ...]:
        """`release` itself if it was looked at, else its two neighbours; nothing outside of what was looked at."""
        if release in self.facts:
            return (release,)
        at = bisect_left(self.keys, version_key(release))
        return self.releases[at - 1 : at + 1] if 0 < at < len(self.releases) else ()

    def agreed(self, release: str, ask: Callable[[Mapping[str, Any]], _T | None]) -> tuple[_T | None, tuple[str, ...]]:
        """What is said alike of `release`, and of which releases it is known; None where it is not stated."""
        known = self.around(release)
        answers = [ask(self.facts[each]) for each in known]
        if not answers or any(answer is None or answer != answers[0] for answer in answers):
            return None, ()
        return answers[0], known


@cache
def _tables() -> tuple[_Points, _Points]:
    """The facts that were read, and those that were seen."""
    data = json.loads(_DATA.read_text(encoding="utf-8"))
    read = {release: row["facts"] for row in data["read"] for release in row["releases"]}
    return _points(read), _points(data["seen"])


def _points(facts: Mapping[str, Mapping[str, Any]]) -> _Points:
    releases = tuple(sorted(facts, key=version_key))
    return _Points(releases, tuple(version_key(release) for release in releases), facts)


def looked_at() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The releases whose bundle was read, and those whose client was run; oldest first."""
    read, seen = _tables()
    return read.releases, seen.releases


def events_of(release: str) -> frozenset[str]:
    """The events that are known of `release`, which was looked at: those of its table, and those that happened."""
    read, seen = _tables()
    described = read.facts.get(release, {}).get("described") or {}
    return frozenset({*described, *seen.facts.get(release, {}).get("fired", {})})


def is_read(event: str, entry_type: str, release: str) -> bool:
    """Whether the bundle of `release` itself was read to refuse hooks of `entry_type` under `event`."""
    read, _ = _tables()
    return release in read.facts and _refuses(read.facts[release], event, entry_type) is True


def is_seen(event: str, entry_type: str, release: str) -> bool:
    """Whether a session of `release` itself showed if hooks of `entry_type` run under `event`."""
    _, seen = _tables()
    return release in seen.facts and _ran(seen.facts[release], event, entry_type) is not None


def seen_cells() -> int:
    """How many cells the sessions showed: types of entries under events on releases."""
    _, seen = _tables()
    return sum(
        is_seen(event, entry_type, release)
        for release in seen.releases
        for event in seen.facts[release]["fired"]
        for entry_type in TYPES
    )


@lru_cache(maxsize=4096)
def cell(event: str, entry_type: str, release: str) -> Cell:
    """Whether hooks of `entry_type` run under `event` on `release`."""
    read, seen = _tables()
    refused, read_of = read.agreed(release, lambda facts: _refuses(facts, event, entry_type))
    ran, seen_of = seen.agreed(release, lambda facts: _ran(facts, event, entry_type))
    evidence = []
    if refused:
        evidence.append(f"refused by the code of {_range(read_of)}")
    if ran is not None:
        evidence.append(f"{'fired' if ran else 'did not fire'} in sessions of {_range(seen_of)}")
    if ran is True:
        return Cell(Runs.UNKNOWN if refused else Runs.FIRES, tuple(evidence))
    if refused or (ran is False and entry_type not in _LATE):
        return Cell(Runs.NEVER, tuple(evidence))
    return Cell(Runs.UNKNOWN)


def _refuses(facts: Mapping[str, Any], event: str, entry_type: str) -> bool | None:
    if entry_type == "http":
        refusing = facts["no_http"]
    elif entry_type in _NEED_CONVERSATION:
        refusing = facts["without_conversation"]
        if entry_type == "agent" and event in facts["no_agent"]:
            return True
    else:
        return None
    return True if refusing is not None and event in refusing else None


def _ran(facts: Mapping[str, Any], event: str, entry_type: str) -> bool | None:
    fired = facts["fired"].get(event)
    if fired is None or entry_type not in facts["types"]:
        return None
    return entry_type in fired


def _range(releases: Sequence[str]) -> str:
    return releases[0] if len(set(releases)) == 1 else f"{releases[0]} and {releases[-1]}"


def matched_field(event: str, release: str) -> tuple[str | None, tuple[str, ...]]:
    """The field of the input that a matcher of `event` is compared with, and of which releases that is known.

    `none` where the matcher is not looked at: the table that describes events says so and the code does, or a session
    showed it. None where that is not stated, or the two do not agree.
    """
    read, seen = _tables()
    field, read_of = read.agreed(release, lambda facts: _compared(facts, event))
    ignored, seen_of = seen.agreed(release, lambda facts: _ignores(facts, event))
    if field == NOTHING:
        return (None, ()) if ignored is False else (field, read_of)
    if field is None and ignored:
        return NOTHING, seen_of
    return field, read_of


def _compared(facts: Mapping[str, Any], event: str) -> str | None:
    described, compared = facts["described"], facts["compared"]
    if described is None or compared is None or event not in described:
        return None
    field = compared.get(event, NOTHING)
    return str(field) if described[event] == (field != NOTHING) else None


def _ignores(facts: Mapping[str, Any], event: str) -> bool | None:
    fired = facts["fired"].get(event)
    return None if fired is None else "nomatch" in fired


def listed_values(event: str, release: str) -> tuple[str, ...]:
    """The values that `release` lists for the matcher of `event`; empty where it lists none, or not all of them."""
    read, _ = _tables()
    values, _ = read.agreed(release, lambda facts: tuple(facts["values"].get(event, ())) or None)
    return values or ()


def exit_two(event: str, release: str) -> str:
    """What `release` says that exit code 2 of a hook under `event` does; empty where it says nothing of it."""
    read, _ = _tables()
    effect, _ = read.agreed(release, lambda facts: facts["exit_codes"].get(event))
    return effect or ""


def if_events(release: str) -> frozenset[str]:
    """The events under which `release` evaluates `if`; empty where that is not stated."""
    return _if_events(release)[0] or frozenset()


def on_failure_ignored(release: str) -> frozenset[str]:
    """The events under which `release` says that it ignores `onFailure`; empty where it says nothing of it."""
    return _tables()[0].agreed(release, _no_on_failure)[0] or frozenset()


def _if_events(release: str) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    read, _ = _tables()
    return read.agreed(release, lambda facts: frozenset(facts["with_if"]) if facts["with_if"] else None)


# --- a document -------------------------------------------------------------------------------------------------------


def dead_entries(hooks: Any, release: str) -> tuple[DeadEntry, ...]:
    """Return what of `hooks` (the value of that key) loads on `release` and can do nothing there.

    Pieces of a wrong shape are passed over: they do not load. Raises nothing.
    """
    return tuple(_dead(hooks, release)) if isinstance(hooks, dict) else ()


def _dead(hooks: Mapping[str, Any], release: str) -> Iterator[DeadEntry]:
    for event, matchers in hooks.items():
        for index, matcher in enumerate(matchers if isinstance(matchers, list) else ()):
            if not isinstance(matcher, dict):
                continue
            path: ConfigPath = ("hooks", event, index)
            yield from _dead_matcher(matcher.get("matcher"), event, path, release)
            entries = matcher.get("hooks")
            for number, entry in enumerate(entries if isinstance(entries, list) else ()):
                if isinstance(entry, dict) and isinstance(entry.get("type"), str):
                    yield from _dead_entry(entry, event, (*path, "hooks", number), release)


def _dead_entry(entry: Mapping[str, Any], event: str, path: ConfigPath, release: str) -> Iterator[DeadEntry]:
    entry_type = entry["type"]
    known = cell(event, entry_type, release)
    if known.runs is Runs.NEVER:
        says = f"{entry_type} hooks never run under this event"
        yield DeadEntry(path, DeadCode.TYPE_NEVER_RUNS, says, "; ".join(known.evidence))
        return
    events, read_of = _if_events(release)
    if entry.get("if") and events is not None and event not in events:
        says = "`if` can be evaluated for calls of tools only; under this event it never holds, so the hook never runs"
        yield DeadEntry((*path, "if"), DeadCode.IF_NEVER_HOLDS, says, f"the code of {_range(read_of)}")
    ignoring, read_of = _tables()[0].agreed(release, _no_on_failure)
    if "onFailure" in entry and ignoring is not None and (event in ignoring or entry.get("async") is True):
        says = f"`onFailure` is ignored {'under this event' if event in ignoring else 'for hooks that run `async`'}"
        evidence = f"the description of the field in {_range(read_of)}"
        yield DeadEntry((*path, "onFailure"), DeadCode.ON_FAILURE_IGNORED, says, evidence, never=False)
    if entry.get("once") is True:
        ineffective, seen_of = _tables()[1].agreed(release, _once_is_nothing)
        if ineffective:
            says = "`once` has no effect in a settings file: the hook runs each time"
            evidence = f"it ran each time in sessions of {_range(seen_of)}"
            yield DeadEntry((*path, "once"), DeadCode.ONCE_WITHOUT_EFFECT, says, evidence, never=False)


def _no_on_failure(facts: Mapping[str, Any]) -> frozenset[str] | None:
    return None if facts["no_on_failure"] is None else frozenset(facts["no_on_failure"])


def _once_is_nothing(facts: Mapping[str, Any]) -> bool | None:
    """Whether hooks that say `once` ran as often as the others, under events that happened more than once."""
    counts = [(plain, once) for plain, once in facts["runs"].values() if plain > 1]
    return all(plain == once for plain, once in counts) if counts and any(once for _, once in counts) else None


def _dead_matcher(matcher: Any, event: str, path: ConfigPath, release: str) -> Iterator[DeadEntry]:
    if not isinstance(matcher, str) or matcher in ("", "*"):
        watching, read_of = _tables()[0].agreed(release, lambda facts: event in facts["watching"] or None)
        if watching:
            says = "without names in `matcher` no file is watched; it fires only for paths that a hook's output names"
            evidence = f"the description of the event in {_range(read_of)}"
            yield DeadEntry(path, DeadCode.WATCHES_NOTHING, says, evidence, never=False)
        return
    field, known = matched_field(event, release)
    if field == NOTHING:
        says = "this event does not look at `matcher`: the hooks run each time"
        evidence = f"no value of it is compared with a matcher in {_range(known)}"
        yield DeadEntry((*path, "matcher"), DeadCode.MATCHER_IGNORED, says, evidence, never=False)
        return
    values = listed_values(event, release)
    if field is None or not values or not _NAMES.fullmatch(matcher):
        return
    names = {name.strip() for name in re.split(r"[|,]", matcher)}
    if names.isdisjoint(values):
        # The list is what people are shown, and has been shorter than what is sent: so it may never fire, no more.
        says = f"`matcher` names none of the values listed for this event ({', '.join(values)}); it may never fire"
        evidence = f"listed by {_range(known)}"
        yield DeadEntry((*path, "matcher"), DeadCode.MATCHER_NOT_LISTED, says, evidence, never=False)
