"""What to say of a version that is not there: what else of the same release is, and never a neighbouring one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from driftgate.anchors.registry import Registry
from driftgate.anchors.unavailable import MissingError
from driftgate.errors import AnchorError
from driftgate.upstreams.catalogue import program_of
from driftgate.upstreams.program import Program

_MOVE: Final = "to move the pin: driftgate refresh --to latest, or --to VERSION"
_STAY: Final = "stay with the previous pin (driftgate check --against pinned)"


@dataclass(frozen=True, slots=True)
class Absence:
    """A package version that is not published, of a release of its program. `host` is who said so."""

    package: str
    version: str
    release: str
    host: str

    def error(self, registry: Registry) -> MissingError:
        """Return the error to raise, after a look at what `registry` has of the same release."""
        known = program_of(self.package)
        if known:
            program, _ = known
            if self.package != program.main.name and _is_published(registry, program.main.name, self.release):
                return self._in_part(registry, program)
        return MissingError(
            f"{self.package}@{self.version}: 404 from {self.host}; withdrawn or never published",
            host=self.host,
            next=f"driftgate takes no neighbouring version; {_MOVE}",
        )

    def _in_part(self, registry: Registry, program: Program) -> MissingError:
        others = [row.name for _, row in program.natives() if row.name != self.package]
        there = [name for name in others if _is_published(registry, name, self.release)]
        missing = [name for name in others if name not in there]
        other = f"use another package of the same release, e.g. npm:{there[0]}@{self.release}, or " if there else ""
        return MissingError(
            f"{self.package}@{self.version}: not published (404); "
            f"main package is published ({program.main.name}@{self.release}): the release is there only in part",
            host=self.host,
            found=f"also not published: {', '.join(missing)}" if missing else "",
            next=other + _STAY,
        )


def _is_published(registry: Registry, package: str, version: str) -> bool:
    try:
        registry.published(package, version)
    except AnchorError:
        return False
    return True
