"""Every kind of change, one module a room of the schema; each yields the mutants of a subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from tests.injection.kinds import (
    constraints,
    cosmetic,
    declarations,
    entries,
    events,
    guards,
    matcher,
    moved,
    sisters,
    statements,
)
from tests.injection.subject import Mutant, Sister, Subject

Kind: TypeAlias = "Callable[[Subject], Iterator[Mutant]]"

KINDS: Final[tuple[Kind, ...]] = (
    events.mutants,
    entries.mutants,
    constraints.mutants,
    guards.mutants,
    matcher.mutants,
    statements.mutants,
    moved.mutants,
    declarations.mutants,
    cosmetic.mutants,
)


def mutants_of(subject: Subject) -> Iterator[Mutant]:
    """Yield every mutant of a subject."""
    for kind in (sisters.mutants,) if isinstance(subject, Sister) else KINDS:
        yield from (mutant for mutant in kind(subject) if mutant.changes_anything)
