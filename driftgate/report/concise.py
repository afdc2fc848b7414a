"""One line a finding, as compilers write them: `path:line:column: severity rule subject: what`.

Editors and CI services find the places by a pattern; GitHub's problem matcher for these lines is
`.github/driftgate-matcher.json`, which `::add-matcher::` takes.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftgate.formats.harmless import harmless
from driftgate.gate.outcome import CheckReport
from driftgate.report import Style
from driftgate.report.phrases import problem_parts, summary_of, unseen, verdict_of
from driftgate.report.places import Location, configuration, first_location


def render(report: CheckReport, style: Style) -> str:
    """Return a line for each finding, one for all that could not be looked at, and the verdict."""
    lines = [] if style.quiet else [*_lines(report, style)]
    return "\n".join([*map(harmless, lines), verdict_of(report)])


def _lines(report: CheckReport, style: Style) -> Iterator[str]:
    for one in unseen(report):
        parts = "; ".join(f"{name}: {text}" for name, text in problem_parts(one.problem))
        said = f"{one.title}: {one.problem.what}" + (f" ({parts})" if parts else "")
        yield f"{_at(configuration(one.home, style))}: error blind {' '.join(said.split())}"
    for found in sorted(report.all_findings(), key=lambda one: -one.severity.rank):
        against = f", compared with {found.against}" if found.against else ""
        what = f"{found.subject}: {summary_of(found)}{against}"
        yield f"{_at(first_location(found, style))}: {found.severity.value} {found.rule.id} {what}"


def _at(place: Location) -> str:
    """Return a place with line and column, which a pattern can rely on: a file as a whole begins at its first."""
    return f"{place.path}:{place.line or 1}:{place.column or 1}"
