"""Accepted drift: the value that configuration states and judgement matches."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from driftgate.errors import ConfigError
from driftgate.versions import parse_range


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted drift: matched on rule and subject, never on wording.

    `until` is the last day on which it holds, `versions` the upstream releases for which it does; `where` names the
    entry for messages.
    """

    rule: str
    subject: str
    reason: str
    until: dt.date | None = None
    versions: str | None = None
    where: str = field(default="", compare=False)

    def applies_to(self, version: str | None) -> bool:
        """Return whether the entry speaks of upstream `version` at all."""
        if self.versions is None:
            return True
        if version is None:
            return False  # of an artefact that states no release nobody knows whether the entry speaks
        return parse_range(self.versions, where=self.where, error=ConfigError).contains(version)
