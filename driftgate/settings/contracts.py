"""The contract that files are judged by: this package's own, with the vocabulary of the release that is asked about."""

from __future__ import annotations

from functools import cache

from driftgate.classifier.contract import CONTRACT, Contract, FieldRule
from driftgate.classifier.kinds import KINDS
from driftgate.classifier.surfaces import contract_of
from driftgate.errors import BlindError
from driftgate.releases.vocabulary import nearest_surface
from driftgate.surface import Surface


@cache
def contract_pin() -> str:
    """Return the release that this package's contract is pinned to."""
    from driftgate.project.finding import own_config

    return own_config().snapshot.stem


@cache
def contract_at(release: str) -> Contract:
    """Return the contract with the vocabulary of `release`, or of the newest older one that is known.

    Raises BlindError where no vocabulary is known.
    """
    return CONTRACT if release == contract_pin() else contract_with(nearest_surface(release))


def contract_with(surface: Surface) -> Contract:
    """Return the contract with the vocabulary of `surface`: a field that the contract knows is as strict as there.

    Raises BlindError where the surface does not state enough.
    """
    stated = contract_of(surface, surface)
    if stated is None:
        raise BlindError(f"the vocabulary of {surface.title} is incomplete")
    rows = {
        entry_type: {name: _stricter(rule, CONTRACT.fields.get(entry_type, {}).get(name)) for name, rule in row.items()}
        for entry_type, row in stated.fields.items()
    }
    return Contract(stated.events, stated.entry_types, stated.shells, stated.guard_events, rows)


def _stricter(rule: FieldRule, own: FieldRule | None) -> FieldRule:
    """Return `rule` of a release, with the kind of the contract's `own` where that only adds a constraint."""
    if own is None or rule.kind not in KINDS or own.kind not in KINDS:
        return rule
    here, there = KINDS[own.kind], KINDS[rule.kind]
    adds = here.upstream == there.upstream and not there.constraints and there.values is None
    return FieldRule(own.kind, rule.required, rule.carried) if adds else rule
