"""Compare: any two things that state a surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from driftgate.errors import ExitCode
from driftgate.gate.observe import observe_or_shipped
from driftgate.gate.target import Target
from driftgate.judge.comparison import Diff, diff

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions


@dataclass(frozen=True, slots=True)
class DiffReport:
    """Two things compared: their titles, the differences, and the sets that only one of them states."""

    a: str
    b: str
    diff: Diff
    uncompared: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """Blind if no set could be compared, drift if anything differs, else agrees."""
        if not self.diff.counts:
            return ExitCode.BLIND
        return ExitCode.DRIFT if self.diff.changes else ExitCode.AGREES


def compare(a: Target, b: Target, options: FetchOptions) -> DiffReport:
    """Compare what `a` states with what `b` states; each is a target of `observe`, or a release that is shipped.

    `a` is the old side: what only `b` has is added, and stands on the observed side of each change.
    """
    old, new = observe_or_shipped(a, options), observe_or_shipped(b, options)
    result = diff(new, old)
    only_new = (held.name for held in new.sets() if held.name not in result.counts)
    return DiffReport(old.title, new.title, result, (*result.uncompared, *only_new), (*old.notices, *new.notices))
