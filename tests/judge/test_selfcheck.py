"""The constants against each other and against the classifier: any parting of the two is found."""

from dataclasses import replace

import pytest

from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.judge import selfcheck
from driftgate.judge.examples import BASE, EXAMPLES
from driftgate.surface import Vocabulary, surface_of


def found(declared, *, shipped):
    return {(finding.rule.id, finding.subject) for finding in selfcheck.contradictions(declared, shipped=shipped)}


def test_the_contract_agrees_with_itself_and_with_the_classifier():
    assert found(BASE, shipped=True) == set()
    assert found(BASE, shipped=False) == set()


@pytest.mark.parametrize("rule", [rule for rule in EXAMPLES if not rule.startswith(("member-", "object-"))])
def test_a_classifier_that_reads_another_table_is_found(rule):
    """The shipped classifier reads CONTRACT: constants that the source states otherwise are found out."""
    (other,) = (surface for surface in EXAMPLES[rule] if surface is not BASE)
    assert found(other, shipped=True)


def contract_without(name):
    fields = {
        row: {field: rule for field, rule in rules.items() if field != name} for row, rules in CONTRACT.fields.items()
    }
    return Contract(CONTRACT.events, CONTRACT.entry_types, CONTRACT.shells, CONTRACT.guard_events, fields)


@pytest.mark.parametrize("name", ["timeout", "command", "headers", "shell"])
def test_a_field_that_the_classifier_does_not_know_is_found(monkeypatch, name):
    monkeypatch.setattr(selfcheck, "CONTRACT", contract_without(name))
    assert found(BASE, shipped=True)


def test_an_event_that_the_classifier_does_not_know_is_found(monkeypatch):
    monkeypatch.setattr(selfcheck, "CONTRACT", replace(CONTRACT, events=CONTRACT.events[:-1]))
    assert found(BASE, shipped=True) == {("constants-disagree", CONTRACT.events[-1])}


def test_a_guard_event_that_is_no_event():
    vocabularies = dict(BASE.vocabularies)
    vocabularies["guard_events"] = replace(vocabularies["guard_events"], members=("PreToolUse", "Guardian"))
    declared = surface_of([*vocabularies.values(), *BASE.tables.values()], "x")
    assert ("constants-disagree", "Guardian") in found(declared, shipped=False)


def test_sets_that_are_not_declared_are_not_judged():
    assert found(surface_of([BASE.vocabularies["hook_shells"]], "x"), shipped=False) == set()


def without(*names):
    sets = [one for one in BASE.sets() if one.name not in names]
    return surface_of(sets, "x")


@pytest.mark.parametrize("names", [("hook_shells",), ("hook_entry_types",), ("hook_shells", "guard_events")])
def test_a_set_that_is_not_declared_contradicts_nothing(names):
    """The field table says itself which shells and types there are."""
    assert found(without(*names), shipped=False) == set()


def test_shells_that_are_not_those_of_the_fields_are_named_as_such():
    shells = Vocabulary("hook_shells", ("bash", "fish"))
    declared = surface_of([*(one for one in BASE.sets() if one.name != "hook_shells"), shells], "x")
    findings = [*selfcheck.contradictions(declared, shipped=False)]
    said = {(one.subject, one.of, one.detail) for one in findings if one.of == "hook_shells"}
    assert said == {
        ("fish", "hook_shells", "a shell in hook_shells only"),
        ("powershell", "hook_shells", "a shell in the values of command.shell only"),
    }
    assert len(findings) < 8
