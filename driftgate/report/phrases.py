"""Words that several reports share: titles, directions, counts, and what there is to say of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import BELOW_THE_LIMIT, DriftgateError, verdict_line
from driftgate.judge.findings import NOWHERE, Home
from driftgate.judge.impact import Effect
from driftgate.judge.rules import Direction, Severity
from driftgate.report.places import configuration
from driftgate.upstreams.catalogue import UPSTREAMS

if TYPE_CHECKING:
    from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
    from driftgate.judge.findings import Finding
    from driftgate.report import Style

DIRECTIONS: Final[Mapping[Direction, str]] = MappingProxyType(
    {
        Direction.ONLY_UPSTREAM: "only upstream",
        Direction.ONLY_HERE: "only here",
        Direction.DIFFERS: "differs",
        Direction.HERE: "in this project",
    }
)

NOUNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hook_events": "events",
        "hook_entry_types": "types",
        "hook_shells": "shells",
        "guard_events": "guard events",
        "hook_entry_fields": "fields",
    }
)
"""What the members of each built-in set are called in counts; other sets go by their name."""


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return "1 finding", "2 findings"; words in -y become -ies, and `nouns` is what no rule gives."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {nouns or (f'{noun[:-1]}ies' if noun.endswith('y') else f'{noun}s')}"


def noun_of(name: str, count: int | None = None) -> str:
    """Return what the members of set `name` are called; one of them where `count` is 1."""
    noun = NOUNS.get(name, name)
    return noun.removesuffix("s") if count == 1 and name in NOUNS else noun


def title_of(comparison: Comparison) -> str:
    """Return what was compared with, e.g. "Claude Code 2.1.332 (latest)"; of several projects, with whose it is."""
    title, asked = comparison.title, comparison.against
    project = f"{comparison.home.project}: " if comparison.home.project else ""
    return project + (title if asked in title else f"{title} ({asked})")


def mirror_title(mirror: MirrorReport) -> str:
    """Return whose mirror it is where a run looks at several, e.g. "packages/a/driftgate.yml: Claude Code"."""
    upstream = UPSTREAMS[mirror.upstream].title if mirror.upstream else ""
    return ": ".join(filter(None, (mirror.home.project, upstream))) or "driftgate check"


def by_direction(findings: Iterable[Finding]) -> dict[Direction, list[Finding]]:
    """Return the findings in one group per direction, in the order of `Direction`; empty groups are left out."""
    groups: dict[Direction, list[Finding]] = {direction: [] for direction in Direction}
    for finding in findings:
        groups[finding.direction].append(finding)
    return {direction: group for direction, group in groups.items() if group}


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a run could not look at: what it was to be, why not, and whose it is."""

    title: str
    problem: DriftgateError
    home: Home = NOWHERE


def unseen(report: CheckReport) -> tuple[Unseen, ...]:
    """Return all that the run could not look at."""
    found = [] if report.failure is None else [Unseen("driftgate check", report.failure)]
    for mirror in report.mirrors:
        if mirror.problem is not None:
            found.append(Unseen(mirror_title(mirror), mirror.problem, mirror.home))
        found += [Unseen(title_of(one), one.problem, one.home) for one in mirror.comparisons if one.problem is not None]
    if not found and not report.mirrors:
        found = [Unseen("driftgate check", DriftgateError("nothing was compared"))]
    return tuple(found)


def verdict_of(report: CheckReport) -> str:
    """Return the last line of every text: the verdict with the exit code, and how much is below the limit."""
    code, verdict = report.exit_code, report.verdict
    if verdict == BELOW_THE_LIMIT:
        verdict = f"{severities(report)}, {BELOW_THE_LIMIT} ({report.fail_on.value})"
    return verdict_line(code, verdict)


# --- counts ----------------------------------------------------------------------------------------------------------


def differing(comparison: Comparison, name: str) -> tuple[int, int]:
    """Return how many members of set `name` are on both sides and differ, and how many of these are accepted."""
    open_, accepted = (
        {found.subject for found in group if (name, Direction.DIFFERS) in found.tally}
        for group in (comparison.findings, comparison.accepted)
    )
    return len(open_ | accepted), len(accepted - open_)


def on_one_side(findings: Iterable[Finding], name: str, direction: Direction) -> int:
    """Return for how many members of set `name` that only one side has `findings` stand."""
    return sum(found.tally.get((name, direction), 0) for found in findings)


def count_lines(comparison: Comparison) -> Iterator[str]:
    """Yield one line a compared set: what agrees, what does not, and what of that is accepted or left out."""
    for name, count in comparison.counts.items():
        differ, differ_accepted = differing(comparison, name)
        parts = [
            f"{count.agree - differ} {noun_of(name, count.agree - differ)} agree" + "s" * (count.agree - differ == 1)
        ]
        parts += [_counted(differ, "differs" if differ == 1 else "differ", differ_accepted)] * bool(differ)
        for number, direction in (
            (count.only_upstream, Direction.ONLY_UPSTREAM),
            (count.only_here, Direction.ONLY_HERE),
        ):
            if number:
                accepted = on_one_side(comparison.accepted, name, direction)
                left_out = on_one_side(comparison.left_out, name, direction)
                parts.append(_counted(number, DIRECTIONS[direction], accepted, left_out))
        yield "; ".join(parts)


def _counted(number: int, words: str, accepted: int, left_out: int = 0) -> str:
    kinds = {"accepted": accepted, "left out on purpose": left_out}
    said = {kind: count for kind, count in kinds.items() if count}
    if not said:
        return f"{number} {words}"
    if len(said) == 1 and next(iter(said.values())) >= number:
        return f"{number} {words}, {next(iter(said))}"
    return f"{number} {words} ({', '.join(f'{count} {kind}' for kind, count in said.items())})"


def accepted_line(mirror: MirrorReport) -> str | None:
    """Return what the accepted entries did in this run, None where there is none to speak of."""
    if not mirror.used:
        return None
    entries, compared = plural(len(mirror.used), "entry"), len(mirror.comparisons)
    if compared > 1:
        matches = plural(sum(mirror.used.values()), "match", "matches")
        return f"accepted: {entries}, {matches} in {compared} comparisons"
    matched = [f"{entry.subject} {count} times" for entry, count in mirror.used.items() if count > 1]
    each = ", each matched one finding" if len(mirror.used) > 1 else ", which matched one finding"
    return f"accepted: {entries}{f'; matched several times: {joined}' if (joined := ', '.join(matched)) else each}"


def subset_lines(mirror: MirrorReport) -> Iterator[str]:
    """Yield one line a set that leaves names out on purpose: how many, and why."""
    for name, reason in mirror.subset.items():
        left = [on_one_side(one.left_out, name, Direction.ONLY_UPSTREAM) for one in mirror.comparisons]
        yield f"left out of {noun_of(name)}: {plural(max(left, default=0), 'name')} ({reason})"


def severities(report: CheckReport) -> str:
    """Return how many findings there are of each severity, e.g. "1 error, 2 warnings"."""
    found = report.all_findings()
    counts = {severity: sum(one.severity is severity for one in found) for severity in Severity}
    return ", ".join(plural(count, severity.value) for severity, count in counts.items() if count)


def findings_line(report: CheckReport) -> str | None:
    """Return how many findings there are of each severity, and which of them fail the run; None without findings."""
    if not report.all_findings():
        return None
    limit = "" if report.fail_on is Severity.NOTICE else f"; the run fails from {report.fail_on.value} on"
    return f"findings: {severities(report)}{limit}"


def declared_lines(mirror: MirrorReport) -> Iterator[str]:
    """Yield one line a file: which sets it declares."""
    files: dict[str, list[str]] = {}
    for name, specs in mirror.declared.items():
        for spec in specs:
            files.setdefault(spec.partition("#")[0], []).append(NOUNS.get(name, name))
    for path, nouns in files.items():
        yield f"declared in {path}: {', '.join(dict.fromkeys(nouns))}"


def pin_line(mirror: MirrorReport, style: Style) -> str | None:
    """Return what the mirror is pinned to, and where that is stated."""
    return f"pin: {mirror.pin} ({configuration(mirror.home, style)})" if mirror.pin else None


# --- a finding -------------------------------------------------------------------------------------------------------


def summary_of(finding: Finding) -> str:
    """Return what the finding says, with the facts of its case."""
    return finding.rule.summary + (f" ({finding.detail})" if finding.detail else "")


def sentence_of(finding: Finding) -> str:
    """Return the finding in one line that stands alone."""
    compared = f", compared with {finding.against}" if finding.against else ""
    whose = f"{finding.home.name}: " if finding.home.name else ""
    return f"{whose}{finding.subject}: {summary_of(finding)}{compared}"


def effects_of(finding: Finding, *, everything: bool = False) -> Iterator[str]:
    """Yield what the finding does to documents, and where else its name is stated. Cases of one effect share a line.

    Unless `everything` is wanted, two cases stand for all of an effect, and what is the same on both sides is left out.
    """
    effects: dict[Effect, list[str]] = {}
    for impact in finding.impacts:
        effects.setdefault(impact.effect, []).append(impact.case)
    for effect, cases in effects.items():
        if everything or effect is not Effect.SAME:
            yield f"{'; '.join(cases if everything else cases[:2])}: {effect.words}"
    yield from (f"also here: {text}" for text in finding.also)


def reason_of(finding: Finding) -> str:
    """Return why the finding is accepted."""
    return finding.accepted.reason if finding.accepted else ""


def problem_parts(problem: DriftgateError) -> Iterator[tuple[str, str]]:
    """Yield the parts that an error states beside what went wrong, each with its name."""
    for name in ("where", "expected", "found", "next"):
        text = getattr(problem, name)
        if text:
            yield name, text
