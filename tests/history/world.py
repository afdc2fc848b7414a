"""A small world of releases with surfaces of their own, as a registry would have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

from driftgate.errors import AnchorError
from driftgate.history.reading import Plan
from driftgate.history.record import History, Known, Reading, history_of
from driftgate.surface import (
    HOOK_ENTRY_FIELDS_TABLE,
    HOOK_SETS,
    Evidence,
    Field,
    FieldTable,
    Origin,
    Place,
    Surface,
    Vocabulary,
)

COMMAND = (Field("command", "string", required=True),)


def surface(
    events: Iterable[str] = ("Stop",),
    fields: Sequence[Field] = COMMAND,
    guards: Sequence[str] | None = None,
    shells: Sequence[str] | None = None,
    origin: Origin | None = None,
    **rows: Sequence[Field],
) -> Surface:
    """Return a surface with a command type of `fields`, and further types as `rows`."""
    evidence = (Evidence(origin, Place("cli.js", 1)),) if origin else ()
    types = ("command", *rows)
    held = zip(HOOK_SETS, (tuple(events), types, shells, guards), strict=True)
    return Surface(
        title="a release",
        vocabularies=MappingProxyType(
            {name: Vocabulary(name, None if members is None else tuple(members), evidence) for name, members in held}
        ),
        tables=MappingProxyType(
            {
                HOOK_ENTRY_FIELDS_TABLE: FieldTable(
                    HOOK_ENTRY_FIELDS_TABLE,
                    MappingProxyType({"command": tuple(fields), **{row: tuple(own) for row, own in rows.items()}}),
                    evidence,
                )
            }
        ),
    )


class World:
    """Published releases 2.0.0, 2.0.1, ...; the events of each, and those that cannot be read."""

    def __init__(self, *events: str, broken: Iterable[int] = (), small: Iterable[int] = ()) -> None:
        self.published = tuple(f"2.0.{index}" for index in range(len(events)))
        self.events = dict(zip(self.published, (one.split() for one in events), strict=True))
        self.broken = {f"2.0.{index}" for index in broken}
        self.plan = Plan(self.published, frozenset(f"2.0.{index}" for index in small))
        self.reads: list[str] = []

    def read(self, version: str) -> Surface:
        """Observe one release, and keep that it was."""
        self.reads.append(version)
        if version in self.broken:
            raise AnchorError(f"{version} cannot be read")
        origin = Origin("@example/program", version, f"sha512-{version}", "npm:")
        return surface(self.events[version], origin=origin)

    def history(self, *read: int) -> History:
        """Return the history of these releases, or of all."""
        chosen = [f"2.0.{index}" for index in read] or [v for v in self.published if v not in self.broken]
        readings = [Reading(v, self.read(v), Known.READ, Origin("@example/program", v, f"sha512-{v}")) for v in chosen]
        self.reads.clear()
        return history_of("claude-code", readings, self.published)
