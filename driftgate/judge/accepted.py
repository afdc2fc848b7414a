"""Accepted drift: the value that configuration states and judgement matches."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from driftgate.errors import ConfigError
from driftgate.versions import parse_range


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted drift: matched on rule, set and subject, never on wording.

    `of` is the set that it speaks of ("": the one that its rule is about, for entries that no configuration states).
    `until` is the last day on which it holds, `versions` the upstream releases for which it does. `entry` is the number
    of the entry in its configuration that states it, from 1: one with several subjects is as many values as it has.
    """

    rule: str
    subject: str
    reason: str
    until: dt.date | None = None
    versions: str | None = None
    of: str = ""
    entry: int = field(default=0, compare=False)

    @property
    def title(self) -> str:
        """What messages call it, e.g. "event-only-upstream PostCompact"."""
        return f"{self.rule} {self.subject}"

    def applies_to(self, version: str | None) -> bool:
        """Return whether the entry speaks of upstream `version` at all."""
        if self.versions is None:
            return True
        if version is None:
            return False  # of an artefact that states no release nobody knows whether the entry speaks
        return parse_range(self.versions, where=f"accepted {self.title}", error=ConfigError).contains(version)

    def is_past(self, today: dt.date) -> bool:
        """Return whether its last day is over."""
        return self.until is not None and today > self.until
