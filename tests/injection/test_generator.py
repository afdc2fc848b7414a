"""The generator itself: every subject is read right, every kind is made, and what it makes differs from the base."""

from __future__ import annotations

import pytest

from tests.extraction.bundles import EVENTS, GUARDS
from tests.injection.kinds import KINDS, mutants_of
from tests.injection.small import small_subjects
from tests.injection.subject import Sister, Subject
from tests.injection.table import kind_class
from tests.injection.text import Edit, applied
from tests.injection.truth import FIELDS, Outcome, added, judged, removed

SUBJECTS = tuple(subject for subject in small_subjects() if not isinstance(subject, Sister))
NAMES = [subject.name for subject in SUBJECTS]


@pytest.mark.parametrize("subject", SUBJECTS, ids=NAMES)
def test_the_parts_that_are_located_are_those_that_are_read(subject: Subject) -> None:
    for copy in subject.copies:
        assert copy.events.members == subject.base.members("hook_events")
        assert set(copy.entries) == set(subject.base.members("hook_entry_types"))
        for kind, site in copy.entries.items():
            read = {field.name for field in subject.base.tables[FIELDS].rows[kind]}
            assert {*site.pairs} - {"type"} == read
        guards = copy.guards.members.members if copy.guards else ()
        assert guards == subject.base.members("guard_events")
        shells = copy.shells.members if copy.shells else ()
        assert shells == subject.base.members("hook_shells")


@pytest.mark.parametrize("subject", SUBJECTS, ids=NAMES)
def test_every_mutant_is_another_artefact(subject: Subject) -> None:
    for mutant in mutants_of(subject):
        assert mutant.members != subject.members, str(mutant)


def test_every_kind_of_change_is_made_of_some_subject() -> None:
    made = {kind: sum(1 for subject in SUBJECTS for _ in kind(subject)) for kind in KINDS}
    assert all(made.values()), made
    classes = {kind_class(mutant) for subject in SUBJECTS for mutant in mutants_of(subject)}
    assert classes == {"matters", "rewritten", "unknowable", "cosmetic"}


def test_edits_keep_the_order_in_which_they_are_given_at_one_place() -> None:
    edits = [Edit("m", 1, 1, "x"), Edit("m", 1, 1, "y"), Edit("m", 2, 3, "")]
    assert applied({"m": b"abc"}, edits) == {"m": b"axyb"}


@pytest.mark.parametrize(
    ("truth", "other", "outcome"),
    [
        (added("hook_events", "Tea"), {"events": (*EVENTS, "Tea")}, Outcome.EXACT),
        (added("hook_events", "Tea"), {"events": EVENTS}, Outcome.SILENT),
        (added("hook_events", "Tea"), {"events": (*EVENTS, "Te")}, Outcome.WRONG),
        (added("hook_events", "Tea"), {"events": EVENTS[:2]}, Outcome.BLIND),
        (removed("hook_events", "Halt"), {"events": [e for e in EVENTS if e != "Halt"]}, Outcome.EXACT),
        (removed("hook_events", "Halt"), {"guards": GUARDS[:1]}, Outcome.WRONG),
    ],
)
def test_the_outcome_of_a_reading(truth, other, outcome) -> None:
    from tests.extraction import bundles

    subject = next(each for each in SUBJECTS if each.name == "bare alone")
    text = bundles.bare(**other).encode()
    verdict = judged(truth, subject.base, lambda: subject.read({"sdk.mjs": text}))
    assert verdict.outcome is outcome, verdict.note
