"""Reports to render: every kind of thing that can stand in one, each text of it given by the caller."""

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path

from driftgate.errors import BlindError, ConfigError, ExitCode
from driftgate.gate.check import _at
from driftgate.gate.outcome import CheckReport, Comparison, MirrorReport
from driftgate.judge.accepted import Accepted
from driftgate.judge.comparison import Count
from driftgate.judge.findings import Finding, Home
from driftgate.judge.impact import Effect, Impact
from driftgate.judge.rules import RULES, Severity
from driftgate.report import Style
from driftgate.surface import Origin, Place

WIDE = Style(width=100_000, base=Path("/project"))


@dataclass(frozen=True)
class Words:
    """The texts that come from users and from upstream, all the same in a hostile report."""

    name: str = "PreExample"
    other: str = "fresh"

    def finding(self, rule="event-only-upstream", of="hook_events", severity=Severity.ERROR, **more):
        impact = Impact(f"a hook under {self.name}", {"hooks": {self.name: []}}, self.name, self.name, Effect.SAME)
        lost = Impact(f"a hook with {self.name}", {"hooks": {}}, "loaded", "loaded-partial", Effect.DROPPED_HERE)
        return Finding(
            RULES[rule],
            self.name,
            of,
            severity,
            detail=f"upstream: {self.name}",
            against=self.name,
            places=(Place(self.name, line=3, column=5), Place(f"src/{self.name}", line=4)),
            impacts=(impact, lost),
            tally={(of, RULES[rule].direction): 1},
            **more,
        )

    def accepted(self):
        return Accepted("field-only-here", self.name, reason=self.name, until=dt.date(2030, 1, 1))

    def problem(self, kind=BlindError):
        return kind(self.name, where=self.name, expected=self.name, found=self.name, next=self.name)

    def comparison(self, **more):
        return Comparison(
            against=self.other,
            title=self.name,
            version=self.name,
            counts={"hook_events": Count(3, 3, 2, 1, 1), self.name: Count(1, 1, 1, 0, 0)},
            anchors=(Origin(self.name, "1", self.name), Origin(location=self.name)),
            notices=(self.name,),
            **more,
        )

    def report(self, comparisons, findings=(), **more):
        home = Home(f"/project/{self.name}", "/project")
        mirror = MirrorReport(
            "claude-code",
            self.name,
            home,
            comparisons=tuple(_at(home, one) for one in comparisons),
            findings=tuple(replace(one, home=home) for one in findings),
            used={self.accepted(): 2},
            notices=(self.name,),
            declared={self.name: (f"{self.name}#{self.name}",), "hook_events": ("src/a.py#EVENTS",)},
        )
        return CheckReport((mirror,), **more)

    def drift(self):
        """A comparison with findings both ways, one accepted, and the project's own."""
        taken = self.finding("field-only-here", "hook_entry_fields", Severity.WARNING, accepted=self.accepted())
        found = (self.finding(), self.finding("event-only-here", severity=Severity.WARNING))
        return self.report([self.comparison(findings=found, accepted=(taken,))], [self.finding("constants-disagree")])

    def blind(self):
        """One comparison that agrees, and one that could not be made."""
        return self.report([self.comparison(), Comparison(self.name, self.name, problem=self.problem())])

    def failed(self, kind=ConfigError):
        """A run that came to no comparison."""
        return CheckReport(failure=self.problem(kind))

    def agrees(self):
        return self.report([self.comparison()])


def all_kinds(words):
    """Return every kind of report by its name, and the code that it ends with."""
    return {
        "agrees": (words.agrees(), ExitCode.AGREES),
        "drift": (words.drift(), ExitCode.DRIFT),
        "blind": (words.blind(), ExitCode.BLIND),
        "failed": (words.failed(), ExitCode.USAGE),
        "failed blind": (words.failed(BlindError), ExitCode.BLIND),
        "nothing compared": (words.report([]), ExitCode.BLIND),
    }
