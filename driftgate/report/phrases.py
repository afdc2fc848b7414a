"""Words that several reports share: titles, directions, counts, and what there is to say of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import DriftgateError
from driftgate.judge.impact import Effect
from driftgate.judge.rules import Direction, Severity

if TYPE_CHECKING:
    from driftgate.gate.check import CheckReport, Comparison
    from driftgate.judge.findings import Finding

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


def plural(count: int, noun: str) -> str:
    """Return "1 finding", "2 findings"; words in -y become -ies."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def noun_of(name: str, count: int | None = None) -> str:
    """Return what the members of set `name` are called; one of them where `count` is 1."""
    noun = NOUNS.get(name, name)
    return noun.removesuffix("s") if count == 1 and name in NOUNS else noun


def title_of(comparison: Comparison) -> str:
    """Return what was compared with, e.g. "Claude Code 2.1.332 (latest)"."""
    title, asked = comparison.title, comparison.against
    return title if asked in title else f"{title} ({asked})"


def by_direction(findings: Iterable[Finding]) -> dict[Direction, list[Finding]]:
    """Return the findings in one group per direction, in the order of `Direction`; empty groups are left out."""
    groups: dict[Direction, list[Finding]] = {direction: [] for direction in Direction}
    for finding in findings:
        groups[finding.direction].append(finding)
    return {direction: group for direction, group in groups.items() if group}


def problems(report: CheckReport) -> tuple[tuple[str, DriftgateError], ...]:
    """Return (what was to be looked at, why it was not) for all that the run could not look at."""
    blind = tuple((title_of(one), one.problem) for one in report.comparisons if one.problem is not None)
    if report.failure is not None:
        return (("driftgate check", report.failure), *blind)
    if not report.comparisons:
        return (("driftgate check", DriftgateError("nothing was compared")),)
    return blind


# --- counts ----------------------------------------------------------------------------------------------------------


def differing(comparison: Comparison, name: str) -> tuple[int, int]:
    """Return how many members of set `name` are on both sides and differ, and how many of these are accepted."""
    open_, accepted = (
        {found.subject for found in group if found.of == name and _is_on_both_sides(found)}
        for group in (comparison.findings, comparison.accepted)
    )
    return len(open_ | accepted), len(accepted - open_)


def _is_on_both_sides(finding: Finding) -> bool:
    rule = finding.rule.id
    return rule.startswith("field-") and "-only-" not in rule and not rule.endswith("-misspelt")


def accepted_on_one_side(comparison: Comparison, name: str, direction: Direction) -> int:
    """Return how many members of set `name` only one side has with that being accepted."""
    found = (one for one in comparison.accepted if one.of == name and one.direction is direction)
    return sum(not _is_on_both_sides(one) for one in found)


def count_lines(comparison: Comparison) -> Iterator[str]:
    """Yield one line a compared set: what agrees, what does not, and what of that is accepted."""
    for name, count in comparison.counts.items():
        differ, differ_accepted = differing(comparison, name)
        parts = [f"{count.agree - differ} {noun_of(name, count.agree - differ)} agree"]
        one_sided = (
            (count.only_upstream, Direction.ONLY_UPSTREAM),
            (count.only_here, Direction.ONLY_HERE),
        )
        parts += [_counted(differ, "differ", differ_accepted)] * bool(differ)
        parts += [
            _counted(number, DIRECTIONS[direction], accepted_on_one_side(comparison, name, direction))
            for number, direction in one_sided
            if number
        ]
        yield "; ".join(parts)


def _counted(number: int, words: str, accepted: int) -> str:
    if not accepted:
        return f"{number} {words}"
    return f"{number} {words}, accepted" if accepted >= number else f"{number} {words} ({accepted} accepted)"


def accepted_line(report: CheckReport) -> str | None:
    """Return what the accepted entries did in this run, None where there is none to speak of."""
    if not report.used:
        return None
    entries, compared = plural(len(report.used), "entry"), len(report.comparisons)
    if compared > 1:
        return f"accepted: {entries}, {sum(report.used.values())} matches in {compared} comparisons"
    matched = [f"{entry.subject} {count} times" for entry, count in report.used.items() if count > 1]
    each = ", each matched one finding" if not matched else f"; matched several times: {', '.join(matched)}"
    return f"accepted: {entries}{each}"


def findings_line(report: CheckReport) -> str | None:
    """Return how many findings there are of each severity, and which of them fail the run; None without findings."""
    found = report.all_findings()
    counts = {severity: sum(one.severity is severity for one in found) for severity in Severity}
    if not found:
        return None
    shown = ", ".join(plural(count, severity.value) for severity, count in counts.items() if count)
    limit = "" if report.fail_on is Severity.NOTICE else f"; the run fails from {report.fail_on.value} on"
    return f"findings: {shown}{limit}"


def declared_lines(report: CheckReport) -> Iterator[str]:
    """Yield one line a file: which sets it declares."""
    files: dict[str, list[str]] = {}
    for name, specs in report.declared.items():
        for spec in specs:
            files.setdefault(spec.partition("#")[0], []).append(NOUNS.get(name, name))
    for path, nouns in files.items():
        yield f"declared in {path}: {', '.join(dict.fromkeys(nouns))}"


# --- a finding -------------------------------------------------------------------------------------------------------


def summary_of(finding: Finding) -> str:
    """Return what the finding says, with the facts of its case."""
    return finding.rule.summary + (f" ({finding.detail})" if finding.detail else "")


def sentence_of(finding: Finding) -> str:
    """Return the finding in one line that stands alone."""
    compared = f", compared with {finding.against}" if finding.against else ""
    return f"{finding.subject}: {summary_of(finding)}{compared}"


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
