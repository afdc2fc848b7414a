"""What `check` found out, as values that every report renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from driftgate.errors import BELOW_THE_LIMIT, VERDICTS, DriftgateError, ExitCode
from driftgate.judge.accepted import Accepted
from driftgate.judge.comparison import Count
from driftgate.judge.findings import NOWHERE, Finding, Home
from driftgate.judge.rules import Severity
from driftgate.surface import Origin


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison of the declared constants with something observed.

    `problem` is why it is blind (then there are no findings of this comparison), `against` what was asked for,
    `title` what that turned out to be. `left_out` are the names that a subset leaves out on purpose.
    """

    against: str
    title: str
    version: str | None = None
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()
    left_out: tuple[Finding, ...] = ()
    counts: Mapping[str, Count] = field(default_factory=lambda: MappingProxyType({}))
    anchors: tuple[Origin, ...] = ()
    notices: tuple[str, ...] = ()
    problem: DriftgateError | None = None
    home: Home = NOWHERE


@dataclass(frozen=True, slots=True)
class MirrorReport:
    """What `check` found out about one mirror: one configuration, or one of the upstreams in it.

    `findings` are those of the project itself, which no comparison brings up. `declared` maps each set to the specs of
    the places that declare it, `subset` the sets that leave names out to the reason. `failure` is why there is no
    comparison at all (then everything else may be empty).
    """

    upstream: str
    pin: str
    home: Home
    comparisons: tuple[Comparison, ...] = ()
    findings: tuple[Finding, ...] = ()
    used: Mapping[Accepted, int] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[str, ...] = ()
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    subset: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    failure: DriftgateError | None = None

    def all_findings(self) -> tuple[Finding, ...]:
        """Return every finding about this mirror, the project's own first."""
        return (*self.findings, *(found for comparison in self.comparisons for found in comparison.findings))

    @property
    def problem(self) -> DriftgateError | None:
        """Why there is no comparison at all, None where there is one."""
        if self.failure is not None or self.comparisons:
            return self.failure
        return DriftgateError("nothing was compared")

    @property
    def blind(self) -> bool:
        """Whether something that was to be compared was not."""
        return not self.comparisons or any(comparison.problem for comparison in self.comparisons)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What one run of `check` found out about each mirror. `failure` is why there is none."""

    mirrors: tuple[MirrorReport, ...] = ()
    fail_on: Severity = Severity.NOTICE
    failure: DriftgateError | None = None

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every comparison of the run."""
        return tuple(comparison for mirror in self.mirrors for comparison in mirror.comparisons)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the projects themselves, which no comparison brings up."""
        return tuple(found for mirror in self.mirrors for found in mirror.findings)

    @property
    def notices(self) -> tuple[str, ...]:
        """What is worth saying beside the verdict: of each mirror, then of its comparisons, each once."""
        every = (
            note
            for mirror in self.mirrors
            for notes in (mirror.notices, *(comparison.notices for comparison in mirror.comparisons))
            for note in notes
        )
        return tuple(dict.fromkeys(every))

    @property
    def used(self) -> Mapping[Accepted, int]:
        """How many findings each accepted entry matched."""
        counts: dict[Accepted, int] = {}
        for mirror in self.mirrors:
            for entry, count in mirror.used.items():
                counts[entry] = counts.get(entry, 0) + count
        return counts

    @property
    def pin(self) -> str:
        """The release that the only mirror is pinned to, "" where there are several."""
        return self.mirrors[0].pin if len(self.mirrors) == 1 else ""

    def all_findings(self) -> tuple[Finding, ...]:
        """Return every finding of the run, the projects' own first."""
        return (*self.findings, *(found for comparison in self.comparisons for found in comparison.findings))

    @property
    def exit_code(self) -> ExitCode:
        """The verdict.

        A usage or configuration error anywhere comes first, then blind anywhere, then drift: a finding that reaches
        `fail_on`; else agrees.
        """
        problems = (self.failure, *(mirror.failure for mirror in self.mirrors))
        failures = {problem.code for problem in problems if problem is not None}
        if ExitCode.USAGE in failures:
            return ExitCode.USAGE
        if failures or not self.mirrors or any(mirror.blind for mirror in self.mirrors):
            return ExitCode.BLIND
        return ExitCode.DRIFT if any(map(self.fails, self.all_findings())) else ExitCode.AGREES

    def fails(self, finding: Finding) -> bool:
        """Return whether the finding is as severe as `fail_on`."""
        return finding.severity.rank >= self.fail_on.rank

    @property
    def verdict(self) -> str:
        """The verdict in a word: that of the exit code, and another one where there are findings below the limit."""
        code = self.exit_code
        return BELOW_THE_LIMIT if code is ExitCode.AGREES and self.all_findings() else VERDICTS[code]
