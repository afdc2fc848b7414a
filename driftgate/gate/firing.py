"""What a target's bundle states of when hooks fire: on demand, because it takes the program itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError, UsageError
from driftgate.extraction.firing import FiringFacts, read_firing
from driftgate.gate.observe import artefacts_of
from driftgate.gate.target import Target, TargetKind
from driftgate.surface import Origin

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions

_FETCHED: Final = frozenset({TargetKind.RELEASE, TargetKind.LATEST})
_STATES_NOTHING: Final = frozenset({TargetKind.PINNED, TargetKind.SNAPSHOT, TargetKind.SOURCE})


def observe_firing(target: Target, options: FetchOptions) -> tuple[Origin, FiringFacts]:
    """Return what the program of `target`, a release or an artefact of Claude Code, states, and which artefact that is.

    The SDK does not run hooks of settings and states nothing of it, so of a release the program is fetched. Raises
    UsageError for a target that is no artefact, BlindError where none of its artefacts states anything, or one that
    does is not understood.
    """
    if target.kind in _STATES_NOTHING:
        raise UsageError(
            "when hooks fire is stated by programs only",
            where=target.text,
            expected="a version, latest, npm:PACKAGE@VERSION, or the path of a program",
        )
    artefacts = artefacts_of(target, options, deep=target.kind in _FETCHED)
    for artefact in reversed(artefacts):  # the program comes after the anchor
        facts = read_firing(artefact)
        if facts.described is not None or facts.compared is not None:
            return artefact.origin, facts
    raise BlindError(
        "nothing is stated of when hooks fire",
        where=", ".join(str(artefact.origin) for artefact in artefacts),
        expected="the program: cli.js up to 2.1.112, the native package of a platform from 2.1.113 on",
    )
