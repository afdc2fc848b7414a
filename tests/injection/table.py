"""Running mutants, and what came of them by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.injection.subject import Mutant
from tests.injection.truth import Outcome, Verdict


def kind_class(mutant: Mutant) -> str:
    """Return which of the three classes a mutant is of: it matters, it changes nothing, or it cannot be known."""
    if mutant.cosmetic:
        return "cosmetic"
    if mutant.truth.blind:
        return "unknowable"
    return "matters" if mutant.truth.matters else "rewritten"


@dataclass
class Table:
    """Counts by kind and outcome, and everything that went wrong."""

    counts: dict[tuple[str, str], Counter[Outcome]] = field(default_factory=dict)
    failed: list[tuple[Mutant, Verdict]] = field(default_factory=list)

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        """Count one mutant."""
        row = self.counts.setdefault((kind_class(mutant), mutant.kind), Counter())
        row[verdict.outcome] += 1
        if verdict.outcome is not Outcome.EXACT:
            self.failed.append((mutant, verdict))

    def total(self, *classes: str) -> Counter[Outcome]:
        """Return the outcomes of all kinds of some classes (of none named: of all)."""
        out: Counter[Outcome] = Counter()
        for (of, _), row in self.counts.items():
            if not classes or of in classes:
                out += row
        return out

    def lines(self) -> Iterator[str]:
        """Yield the table as GitHub writes tables."""
        yield "| class | kind | mutants | exact | blind | wrong | silent | crash |"
        yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
        for (of, kind), row in sorted(self.counts.items()):
            yield _line(of, kind, row)
        for of in ("matters", "rewritten", "unknowable", "cosmetic"):
            yield _line(of, "**all**", self.total(of))
        yield _line("", "**all**", self.total())


def _line(of: str, kind: str, row: Counter[Outcome]) -> str:
    counts = " | ".join(str(row[outcome]) for outcome in Outcome)
    return f"| {of} | {kind} | {row.total()} | {counts} |"


def run(mutants: Iterable[Mutant]) -> Table:
    """Read every mutant."""
    table = Table()
    for mutant in mutants:
        table.add(mutant, mutant.judge())
    return table
