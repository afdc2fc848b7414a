"""The words for what an artefact does not show."""

from __future__ import annotations

from typing import Final

from driftgate.artefact import Artefact
from driftgate.errors import ExtractionError
from driftgate.extraction.contents import Contents, Seen
from driftgate.extraction.javascript.windows import NEEDLES
from driftgate.surface import Place

_SMALL: Final = 1 << 20
_SHOWN: Final = 6


def where_in(artefact: Artefact, place: Place | str | None = None) -> str:
    """Return which artefact, exactly, and which place in it."""
    origin = artefact.origin
    named = [str(origin), origin.integrity or "", origin.location if origin.package else ""]
    return ", ".join([*(each for each in named if each), *([str(place)] if place else [])])


def nothing_found(artefact: Artefact, contents: Contents, doubts: tuple[str, ...]) -> ExtractionError:
    """Return the error for an artefact in which no hooks schema was found, by what was there instead."""
    if not contents.seen:
        return ExtractionError(
            f"{artefact.origin} holds no script, no program and no declaration file",
            where=where_in(artefact),
            expected="cli.js, sdk.mjs, sdk.d.ts or the native program",
            next="from 2.1.113 on the main package is a stub: use @anthropic-ai/claude-agent-sdk of the same release, "
            "or a native package, @anthropic-ai/claude-code-<os>-<arch>",
        )
    largest = max(contents.seen, key=lambda seen: seen.size)
    if largest.size < _SMALL and not any(needle in module.text for module in contents.modules for needle in NEEDLES):
        return _too_small(artefact, largest)
    shown = ", ".join(f"{seen.name} ({seen.size} bytes)" for seen in contents.seen[:_SHOWN])
    kept = sum(len(module.text) for module in contents.modules)
    return ExtractionError(
        "hook events: anchor not found",
        where=where_in(artefact),
        expected="one use record(enum(EVENTS), array(MATCHER)), where MATCHER is an object with a list of entries",
        found=f"none in {len(contents.modules)} modules ({kept} bytes) that name hooks; members read: {shown}"
        + (f"; unclear: {'; '.join(doubts)}" if doubts else ""),
        next="this says nothing about the events; read the release's other artefact, or report this release",
    )


def _too_small(artefact: Artefact, seen: Seen) -> ExtractionError:
    if not seen.size:
        found = "is empty"
    elif seen.head.startswith(b"#!"):
        found = f"is {seen.size} bytes: a script wrapper, not a bundle"
    else:
        found = f"is {seen.size} bytes: {seen.container or 'a file'} of that size is not a bundle"
    return ExtractionError(
        f"{seen.name} {found}",
        where=where_in(artefact),
        expected="the program itself: cli.js (7 MB and more) or a native program (200 MB and more)",
        next="a wrapper names the program that it starts: give the path of that one",
    )


def contradiction(artefact: Artefact, what: str, readings: list[tuple[str, tuple[str, ...]]]) -> ExtractionError:
    """Return the error for two readings of one set that differ; each with how and where it was read."""
    (first, one), *others = readings
    second, other = next((name, members) for name, members in others if set(members) != set(one))
    only = [sorted(set(one) - set(other)), sorted(set(other) - set(one))]
    return ExtractionError(
        f"{what}: two witnesses disagree",
        where=where_in(artefact),
        expected="the same set from both",
        found="; ".join(
            f"{name} reads {len(members)} ({', '.join(members)})"
            + (f", only there: {', '.join(alone)}" if alone else "")
            for name, members, alone in ((first, one, only[0]), (second, other, only[1]))
        ),
        next="which of them is right cannot be told from here; report this release",
    )
