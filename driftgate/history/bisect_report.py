"""What `driftgate bisect` prints: for people, and as json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driftgate.errors import ExitCode
from driftgate.formats.harmless import harmless
from driftgate.history.answers import name_record
from driftgate.history.bisect import Found, How, Read
from driftgate.history.sentences import joined, spelt
from driftgate.report.document import dumps, head, problem_record
from driftgate.report.phrases import plural

VERDICTS = {ExitCode.AGREES: "found", ExitCode.DRIFT: "not found", ExitCode.BLIND: "blind"}


def exit_code(found: tuple[Found, ...]) -> ExitCode:
    """Return blind where any answer is not exact, else whether every name was found."""
    if any(not one.exact and one.how is not How.NOWHERE for one in found):
        return ExitCode.BLIND
    return ExitCode.AGREES if all(one.exact for one in found) else ExitCode.DRIFT


def bisect_text(found: tuple[Found, ...]) -> str:
    """Return what the searches found for people; the last line is the verdict."""
    code = exit_code(found)
    lines = [line for one in found for line in _lines(one)]
    return "\n".join([*map(harmless, lines), f"driftgate: {VERDICTS[code]}, exit {int(code)}"])


def _lines(found: Found) -> Iterator[str]:
    yield f"{spelt(found.name)}: {_result(found)}"
    yield from (f"  {note}" for note in found.notices)
    yield from (f"  assumed {note}" for note in found.assumed)
    good = [read for read in found.reads if read.has is not None]
    bad = [read for read in found.reads if read.has is None]
    yield f"  {plural(len(good), 'read')}{': ' if good else ''}{', '.join(map(_read, good))}"
    if bad:
        yield f"  {plural(len(bad), 'release')} could not be read: {joined(tuple(read.version for read in bad))}"
        yield f"    {bad[0].version}: {bad[0].problem.what if bad[0].problem else ''}"


def _result(found: Found) -> str:
    match found.how:
        case How.NOWHERE:
            return "the newest release lacks it, and no release of the history has it"
        case How.UNSEEN:
            return "the releases that decide could not be read"
    if found.between:
        return (
            f"first in a release after {found.before or 'the beginning'} and up to {found.first}; "
            f"not read: {joined(found.between)}"
        )
    if found.before is None:
        return f"first in {found.first}, the oldest release that is published with hooks"
    return f"first in {found.first}; the release before, {found.before}, lacks it"


def _read(read: Read) -> str:
    return f"{read.version} {'has it' if read.has else 'lacks it'}"


def bisect_json(found: tuple[Found, ...]) -> str:
    """Return what the searches found as one document."""
    code = exit_code(found)
    document = {
        **head("bisect", code),
        "verdict": VERDICTS[code],
        "names": [_record(one) for one in found],
    }
    return dumps(document)


def _record(found: Found) -> dict[str, Any]:
    return {
        **name_record(found.name),
        "first": found.first,
        "before": found.before,
        "between": list(found.between),
        "exact": found.exact,
        "how": found.how.value,
        "read": [
            {"version": read.version, "has": read.has, "artefact": read.artefact}
            for read in found.reads
            if read.has is not None
        ],
        "unreadable": [
            {"version": read.version, "error": problem_record(read.problem) if read.problem else None}
            for read in found.reads
            if read.has is None
        ],
        "assumed": list(found.assumed),
        "notices": list(found.notices),
    }
