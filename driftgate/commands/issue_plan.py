"""One issue per drift: which issues a run wants, and what has to be done to those that are there.

Pure: `wanted` reads a json report, `plan` compares with the issues that exist. An issue belongs to a drift by a marker
in its body that holds the fingerprint, never by its title, so that people may retitle it; and only the part between
the two marks is ever written again, so that what people add stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote

from driftgate.errors import VERDICTS, ExitCode
from driftgate.formats.harmless import harmless
from driftgate.report.markdown import code

_KEYS: Final = {ExitCode.BLIND: "blind", ExitCode.USAGE: "usage"}
_END: Final = "<!-- driftgate:end -->"
_PART: Final = re.compile(
    r"<!-- driftgate:begin key=(?P<key>[0-9a-z]+) against=(?P<against>\S*) -->.*?" + re.escape(_END), re.DOTALL
)
_TITLE_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """An issue that a run wants: `key` is the drift's fingerprint, `against` what the run compared with."""

    key: str
    title: str
    text: str
    against: tuple[str, ...] = ()

    @property
    def part(self) -> str:
        """The part of the issue's body that is driftgate's own."""
        against = ",".join(quote(target, safe="") for target in self.against)
        text = self.text.replace("<!--", r"\u003c!--")  # nothing in the text may pass for one of the marks
        return f"<!-- driftgate:begin key={self.key} against={against} -->\n{text}\n{_END}"


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue that exists. `muted`: somebody closed it as not planned, so it stays closed."""

    number: int
    title: str
    body: str
    is_open: bool
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Create:
    """File a new issue."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Write an issue's body again; `reopen` it first if it was closed when its drift was gone."""

    number: int
    body: str
    reopen: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """Close an issue whose drift is gone."""

    number: int


Action: TypeAlias = Create | Edit | Close


def plan(wants: Iterable[Wanted], existing: Iterable[Issue], complete: frozenset[str] | None) -> tuple[Action, ...]:
    """Return what makes the existing issues say what the run found.

    `complete` is what the run compared with; None where any of it was blind: then no issue is closed, because what was
    not seen may still be there. The same goes for an issue about something that this run did not compare with.
    """
    issues = _by_key(existing)
    wants = tuple(wants)
    actions: list[Action] = []
    for want in wants:
        issue = issues.get(want.key)
        if issue is None:
            actions.append(Create(want.title, want.part))
        elif not issue.muted:
            body = _with_part(issue.body, want.part)
            if body != issue.body or not issue.is_open:
                actions.append(Edit(issue.number, body, reopen=not issue.is_open))
    keys = {want.key for want in wants}
    if complete is not None:
        actions += [
            Close(issue.number)
            for key, issue in issues.items()
            if issue.is_open and key not in keys and _against(issue) <= complete
        ]
    return tuple(actions)


def _with_part(body: str, part: str) -> str:
    return _PART.sub(lambda _: part, body, count=1)


def _by_key(existing: Iterable[Issue]) -> dict[str, Issue]:
    """Return the issue of each key: an open one before a closed one, the oldest before younger ones."""
    chosen: dict[str, Issue] = {}
    for issue in sorted(existing, key=lambda issue: (not issue.is_open, issue.number)):
        match = _PART.search(issue.body)
        if match:
            chosen.setdefault(match["key"], issue)
    return chosen


def _against(issue: Issue) -> frozenset[str]:
    match = _PART.search(issue.body)
    return frozenset(unquote(target) for target in match["against"].split(",") if target) if match else frozenset()


# --- what a run wants ------------------------------------------------------------------------------------------------


def wanted(report: Mapping[str, Any], run_url: str = "") -> tuple[Wanted, ...]:
    """Return the issues that a json report of `check` asks for: one a drift, and one if anything could not be seen."""
    if "error" in report:
        return failed(ExitCode(report["exit"]), "\n".join(_parts(report["error"])), run_url)
    wants: dict[str, Wanted] = {}
    for finding in report["findings"]:
        key = str(finding["fingerprint"])
        wants.setdefault(key, _of_finding(finding, run_url, str(report["pin"])))
    blind = [comparison for comparison in report["comparisons"] if comparison["blind"]]
    if blind:
        lines = [line for comparison in blind for line in _blind_lines(comparison)]
        against = tuple(str(comparison["against"]) for comparison in blind)
        wants["blind"] = _blind(ExitCode.BLIND, "\n".join(lines), run_url, against)
    return tuple(wants.values())


def failed(code: ExitCode, log: str, run_url: str = "") -> tuple[Wanted, ...]:
    """Return the issue about a run that made no report: `log` is what it printed."""
    return (_blind(code, log, run_url, ()),)


def compared(report: Mapping[str, Any]) -> frozenset[str] | None:
    """Return what the run of a json report compared with, None where any of it was blind."""
    comparisons = report.get("comparisons", ())
    if not comparisons or any(comparison["blind"] for comparison in comparisons):
        return None
    return frozenset(str(comparison["against"]) for comparison in comparisons)


def _of_finding(finding: Mapping[str, Any], run_url: str, pin: str) -> Wanted:
    lines = [
        f"**{finding['severity']}**: {finding['summary']}: {code(finding['subject'])}.",
        "",
        f"- rule: {code(finding['rule'])}, fingerprint {code(finding['fingerprint'])}",
        f"- set: {code(finding['set'])}",
    ]
    if finding["against"]:
        lines.append(f"- compared with: {code(finding['against'])}; the pin is {code(pin)}")
    if finding["detail"]:
        lines.append(f"- detail: {code(finding['detail'])}")
    lines += [f"- declared at: {code(_place(place))}" for place in finding["places"]]
    lines += [f"- {code(impact['case'])}: {impact['words']}" for impact in finding["impacts"]]
    lines += ["", f"What to do: {finding['remedy']}."]
    title = f"driftgate: drift: {finding['rule']} {harmless(str(finding['subject']))}"
    against = (str(finding["against"]),) if finding["against"] else ()
    return Wanted(str(finding["fingerprint"]), title[:_TITLE_LENGTH], "\n".join([*lines, *_foot(run_url)]), against)


def _blind(code: ExitCode, log: str, run_url: str, against: tuple[str, ...]) -> Wanted:
    what = "could not look, or could not be sure of what it saw" if code is ExitCode.BLIND else "could not be run"
    lines = [f"driftgate {what}. Nothing is known of drift until this is mended.", "", *_block(log), *_foot(run_url)]
    return Wanted(_KEYS[code], f"driftgate: {VERDICTS[code]}: the check {what}", "\n".join(lines), against)


def _blind_lines(comparison: Mapping[str, Any]) -> Iterator[str]:
    yield f"against {comparison['title']}:"
    yield from (f"  {line}" for line in _parts(comparison["blind"]))


def _parts(problem: Mapping[str, str]) -> Iterator[str]:
    for part, text in problem.items():
        yield from f"{part}: {text}".splitlines()


def _place(place: Mapping[str, Any]) -> str:
    return ":".join(str(place[part]) for part in ("source", "line") if part in place)


def _foot(run_url: str) -> Iterator[str]:
    if run_url:
        yield ""
        yield f"Last seen by {run_url}"


def _block(text: str) -> Iterator[str]:
    """Yield `text` as an indented code block, which nothing inside it can end."""
    yield from ("    " + harmless(line) for line in text.splitlines())
