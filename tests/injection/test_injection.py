"""A seeded sample of the mutants of our own bundles: nothing missed, nothing wrong, no false alarm.

`python -m tests.injection --packages` runs all of them, over real packages too; docs/extraction.md has its table.
"""

from __future__ import annotations

import random
from typing import Final

import pytest

from tests.injection.kinds import mutants_of
from tests.injection.small import small_subjects
from tests.injection.subject import Mutant
from tests.injection.table import kind_class
from tests.injection.truth import Outcome

SEED: Final = 20261201
SIZE: Final = 30
"""So many of each subject: more than 300 in all."""

_BLIND_AT_MOST: Final = 0.25
"""Of a sample of a few hundred; over all mutants the bound is 0.15 (see the docs for what is reached)."""


@pytest.fixture(scope="module")
def sample() -> list[tuple[Mutant, Outcome, str]]:
    read = []
    for subject in small_subjects():
        mutants = list(mutants_of(subject))
        picked = random.Random(f"{SEED} {subject.name}").sample(mutants, min(SIZE, len(mutants)))  # noqa: S311
        read += [(mutant, verdict.outcome, verdict.note) for mutant in picked if (verdict := mutant.judge())]
    return read


def test_the_sample_is_large_and_of_every_class(sample: list[tuple[Mutant, Outcome, str]]) -> None:
    assert len(sample) >= 300
    assert {kind_class(mutant) for mutant, _, _ in sample} == {"matters", "rewritten", "unknowable", "cosmetic"}


def test_no_change_is_missed_and_none_is_read_as_another(sample: list[tuple[Mutant, Outcome, str]]) -> None:
    bad = {Outcome.SILENT, Outcome.WRONG, Outcome.CRASH}
    assert [f"{mutant}: {outcome}: {note}" for mutant, outcome, note in sample if outcome in bad] == []


def test_what_means_nothing_changes_nothing(sample: list[tuple[Mutant, Outcome, str]]) -> None:
    cosmetic = [(mutant, outcome, note) for mutant, outcome, note in sample if mutant.cosmetic]
    assert [f"{mutant}: {note}" for mutant, outcome, note in cosmetic if outcome is not Outcome.EXACT] == []


def test_most_of_what_matters_is_read_rather_than_blind(sample: list[tuple[Mutant, Outcome, str]]) -> None:
    outcomes = [outcome for mutant, outcome, _ in sample if kind_class(mutant) == "matters"]
    assert outcomes.count(Outcome.BLIND) <= _BLIND_AT_MOST * len(outcomes)
