"""The reports of `classify` for CI services: the same facts as in text, each with its file and line.

One list of notices, and a function a format; the forms are those of the reports of `check`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from driftgate import __version__
from driftgate.errors import ExitCode, verdict_line
from driftgate.formats.harmless import harmless
from driftgate.formats.json import Spot
from driftgate.report import Style
from driftgate.report.document import dumps
from driftgate.report.github import annotation
from driftgate.report.gitlab import issue
from driftgate.report.junit import count, lines_of, testcase
from driftgate.report.places import Location, shown
from driftgate.report.sarif import FINGERPRINT, SARIF_SCHEMA, descriptor, sarif_location
from driftgate.settings.codes import MEANINGS, FileCode
from driftgate.settings.coordinates import coordinate, sentence
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.pieces import Caution, FileVerdict, PieceEffect, Problem, Unreadable

_UNREADABLE: Final = "unreadable"
_POLICY: Final = "release-policy"
_OWN: Final[Mapping[str, str]] = MappingProxyType(
    {
        _UNREADABLE: "the file could not be looked at, so nothing is known of it",
        _POLICY: "everything is to load on a range of releases, and does not on some of them",
    }
)
_BEHIND: Final = frozenset({PieceEffect.NEXT, PieceEffect.WOULD_DROP})


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that is said of a file: `level` is error or warning, `blind` marks what could not be looked at."""

    file: str
    place: Location
    level: str
    code: str
    lines: tuple[str, ...]
    about: str = ""
    blind: bool = False

    @property
    def fingerprint(self) -> str:
        """The same for the same fault in the same file, wherever in it."""
        text = f"{self.place.path} {self.code} {self.about}"
        return hashlib.sha256(harmless(text).encode()).hexdigest()[:16]


def notices(report: ClassifyReport, style: Style, folder: Path, *, reveal: bool) -> Iterator[Notice]:
    """Yield what is said of the files of `report`; their names are relative to `folder`."""
    if not report.files:
        yield Notice("", Location("."), "error", _UNREADABLE, ("no file was looked at",), blind=True)
    for file in report.files:
        place = Location(shown(folder / file.name.partition("#")[0], style))
        if isinstance(file, Unreadable):
            lines = (f"cannot read: {file.why}", *([f"next: {file.next}"] if file.next else ()))
            yield Notice(file.name, place, "error", _UNREADABLE, lines, blind=True)
        else:
            yield from _of_file(file, place, report, reveal=reveal)


def _of_file(file: FileVerdict, place: Location, report: ClassifyReport, *, reveal: bool) -> Iterator[Notice]:
    for hook in file.lost_hooks:
        where = coordinate(hook.path, reveal=reveal)
        what = "a guard" if hook.guard else "a hook"
        said = f"{what} that loads in {file.before} does not here: {where}: {hook.why}"
        yield Notice(file.name, place, "error", FileCode.LOST_HOOK.value, (said,), where)
    for problem in file.problems:
        yield _notice(file, place, problem, "warning" if problem.effect in _BEHIND else "error", reveal=reveal)
    for caution in file.warnings:
        yield _notice(file, place, caution, "error" if report.fail_on_warning else "warning", reveal=reveal)
    failing = [one for one in file.ranges if not one.everything_loads]
    if report.policy is not None and failing:
        names = ", ".join(one.newest if one.count == 1 else f"{one.oldest} to {one.newest}" for one in failing)
        said = f"everything is to load on {report.policy}: it does not on {names}"
        blind = any(one.verdict is None for one in failing)
        yield Notice(file.name, place, "error", _POLICY, (said,), blind=blind)


def _notice(file: FileVerdict, place: Location, piece: Problem | Caution, level: str, *, reveal: bool) -> Notice:
    where = coordinate(piece.path, reveal=reveal) if piece.path else ""
    says = sentence(piece.words, reveal=reveal)
    effect = f"{_EFFECTS[piece.effect]}: " if isinstance(piece, Problem) else ""
    lines = [f"{effect}{where}{': ' if where else ''}{says}"]
    lines += [f"fix: {piece.words.fix}"] * bool(piece.words.fix)
    lines += [f"write it like: {piece.words.sample}"] * bool(piece.words.sample)
    about = f"{where} {piece.note if isinstance(piece, Problem) else ''}"
    return Notice(file.name, _at(place, piece.spot), level, str(piece.code), tuple(lines), about)


_EFFECTS: Final[Mapping[PieceEffect, str]] = MappingProxyType(
    {
        PieceEffect.REJECTS: "rejects",
        PieceEffect.DROPPED: "dropped",
        PieceEffect.WOULD_DROP: "also",
        PieceEffect.CONTRACT: "against the contract",
        PieceEffect.NEXT: "then",
    }
)


def _at(place: Location, spot: Spot | None) -> Location:
    return place if spot is None else Location(place.path, spot.line, spot.column)


def _concise(said: list[Notice], report: ClassifyReport) -> str:
    lines = []
    for one in said:
        place = f"{one.place.path}:{one.place.line or 1}:{one.place.column or 1}"
        lines.append(harmless(f"{place}: {one.level} {one.code} {' '.join(one.lines[0].split())}"))
    return "\n".join([*lines, verdict_line(report.exit_code)])


def _github(said: list[Notice], report: ClassifyReport) -> str:
    # What could not be looked at comes first: GitHub shows only some of very many.
    ordered = sorted(said, key=lambda one: (not one.blind, one.level))
    lines = [annotation(one.level, one.place, f"driftgate: {one.code}", list(one.lines)) for one in ordered]
    return "\n".join([*lines, verdict_line(report.exit_code)])


def _gitlab(said: list[Notice], _report: ClassifyReport) -> str:
    severities = {"error": "critical", "warning": "major"}
    unique = {
        one.fingerprint: issue(
            one.code,
            "; ".join(one.lines),
            one.fingerprint,
            "blocker" if one.blind else severities[one.level],
            one.place,
        )
        for one in reversed(said)
    }
    return dumps([*reversed(unique.values())])


def _sarif(said: list[Notice], report: ClassifyReport) -> str:
    code = report.exit_code
    used = sorted({one.code for one in said})
    meanings = {**MEANINGS, **_OWN}
    rules = [descriptor(one, meanings[one], "see what the message names", "error") for one in used]
    results = [
        {
            "ruleId": one.code,
            "ruleIndex": used.index(one.code),
            "level": one.level,
            "message": {"text": lines_of(one.lines)},
            "locations": [sarif_location(one.place)],
            "partialFingerprints": {FINGERPRINT: one.fingerprint},
        }
        for one in said
    ]
    invocation = {
        "executionSuccessful": code in (ExitCode.AGREES, ExitCode.DRIFT),
        "exitCode": int(code),
        "toolExecutionNotifications": [],
    }
    run = {
        "tool": {"driver": {"name": "driftgate", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _junit(said: list[Notice], report: ClassifyReport) -> str:
    root = Element("testsuites", name="driftgate")
    suite = SubElement(root, "testsuite", name="classify")
    for name in [file.name for file in report.files] or [""]:
        suite.append(_case(name, [one for one in said if one.file == name]))
    count(suite)
    SubElement(suite, "system-out").text = verdict_line(report.exit_code)
    count(root)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")


def _case(name: str, said: list[Notice]) -> Element:
    case = testcase("classify", name or "files")
    blind = [one for one in said if one.blind]
    failing = [one for one in said if one.level == "error" and not one.blind]
    for tag, found in (("error", blind), ("failure", failing if not blind else [])):
        if found:
            lines = [f"{one.place}: [{one.code}] {line}" for one in found for line in one.lines]
            element = SubElement(case, tag, message=harmless(found[0].lines[0]), type=found[0].code)
            element.text = lines_of(lines)
    milder = [f"{one.place}: [{one.code}] {line}" for one in said if one.level == "warning" for line in one.lines]
    if milder:
        SubElement(case, "system-out").text = lines_of(milder)
    return case


_Renderer = Callable[[list[Notice], ClassifyReport], str]

FORMATS: Final[Mapping[str, _Renderer]] = MappingProxyType(
    {"concise": _concise, "github": _github, "sarif": _sarif, "junit": _junit, "gitlab": _gitlab}
)
"""Every format, and what renders it."""


def render(report: ClassifyReport, format_name: str, style: Style, folder: Path, *, reveal: bool = False) -> str:
    """Return the report in one of `FORMATS`; names of files are relative to `folder`, paths to the style's base."""
    return FORMATS[format_name](list(notices(report, style, folder, reveal=reveal)), report)
