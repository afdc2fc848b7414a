"""The JSON Schema: valid, and of one mind with the classifier but for what its description names."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from driftgate.classifier.contract import (
    CONTRACT,
    GUARD_EVENTS,
    HOOK_ENTRY_FIELDS,
    HOOK_ENTRY_TYPES,
    HOOK_EVENTS,
    Contract,
)
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.kinds import KINDS, field_kinds
from driftgate.classifier.result import HooksOutcome
from driftgate.classifier.schema import _ENTRY_HELP, _FIELD_HELP, hooks_schema
from tests.classifier.documents import Documents, containers
from tests.classifier.records import documents as recorded
from tests.classifier.test_kinds import HALF_WAY, RIGHT, WRONG

OK: Any = {"type": "command", "command": "x"}
HOOKS = Draft202012Validator(hooks_schema())
DOCUMENT = Draft202012Validator(hooks_schema(document=True))


def loads(document: Any) -> bool:
    return classify_hooks_config(document).outcome == HooksOutcome.LOADED


def cannot_be_said(document: Any) -> bool:
    """Whether a document holds what the schema's description excepts: a URL that has a scheme and is none all the same,
    or an integer just above the largest double. NaN, which no JSON has, is excepted too."""
    is_url = field_kinds()["url"].accepts
    strings = [
        value
        for around in containers(document)
        for value in (around.values() if isinstance(around, dict) else around)
        if isinstance(value, str) and ":" in value
    ]
    text = repr(document)
    return any(not is_url(value) for value in strings) or str(HALF_WAY - 1) in text or "nan" in text


@pytest.mark.parametrize("document", [False, True])
@pytest.mark.parametrize("contract", [CONTRACT, Contract(("E",), ("t",), ("s",), (), {"t": {}})])
def test_the_schema_is_valid_against_its_metaschema(contract, document):
    schema = hooks_schema(contract, document=document)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_agrees_with_the_classifier_on_generated_hooks(seed):
    made = Documents(seed)
    answers = {True: 0, False: 0}
    for number in range(3_000):
        hooks = made.hooks()
        if number % 2:
            hooks = made.mutated({"hooks": hooks}).get("hooks", {})
        if not cannot_be_said([hooks]):
            answers[loads({"hooks": hooks})] += 1
            assert HOOKS.is_valid(hooks) == loads({"hooks": hooks}), hooks
    assert min(answers.values()) > 400


@pytest.mark.parametrize("seed", [3, 4])
def test_it_agrees_with_the_classifier_on_generated_documents(seed):
    made = Documents(seed)
    answers = {True: 0, False: 0}
    document: Any = {}
    for number in range(2_000):
        document = made.mutated(document) if number % 3 else made.document()
        if isinstance(document, dict) and not cannot_be_said(document):
            answers[loads(document)] += 1
            assert DOCUMENT.is_valid(document) == loads(document), document
    assert min(answers.values()) > 400


def test_it_agrees_with_the_classifier_on_every_recorded_document():
    shallow = [document for _, document in recorded() if repr(document).count("{") + repr(document).count("[") < 50]
    assert len(shallow) > 1_000
    for document in shallow:
        assert cannot_be_said(document) or DOCUMENT.is_valid(document) == loads(document), document


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_said_as_far_as_it_can_be(kind):
    field = next((n for row in HOOK_ENTRY_FIELDS.values() for n, rule in row.items() if rule.kind == kind), None)
    if field is None:
        assert kind in ("number", "any"), "only kinds of other releases have no field here"
        return
    entry_type = next(name for name, row in HOOK_ENTRY_FIELDS.items() if field in row)
    needed = {n: RIGHT[r.kind][0] for n, r in HOOK_ENTRY_FIELDS[entry_type].items() if r.required}

    def valid(value: Any) -> bool:
        return HOOKS.is_valid({"Stop": [{"hooks": [{"type": entry_type, **needed, field: value}]}]})

    assert [value for value in RIGHT[kind] if not valid(value)] == ([HALF_WAY - 1] if kind == "seconds" else [])
    unsaid = [value for value in WRONG[kind] if valid(value)]
    # NaN is no JSON. Of URLs the pattern sees the scheme only.
    assert [value for value in unsaid if value == value] == (
        ["http://", "https://exa mple.com", "http://h:65536", "http://\ud800/", "http://[::1"] if kind == "url" else []
    )


def test_a_document_is_an_object_which_the_classifier_leaves_open():
    assert loads([])
    assert not DOCUMENT.is_valid([])
    assert "object" in (hooks_schema.__doc__ or "")


def test_what_it_cannot_say_is_in_the_description():
    for document in (False, True):
        description = hooks_schema(document=document)["description"]
        assert all(word in description for word in ("`url`", "`timeout`", "duplicate keys", "nested very deeply"))


def test_editors_get_help_on_every_property():
    definitions = hooks_schema()["$defs"]
    assert hooks_schema()["properties"].keys() == set(HOOK_EVENTS)
    for event, schema in hooks_schema()["properties"].items():
        assert event in schema["description"]
        assert ("may guard permissions" in schema["description"]) == (event in GUARD_EVENTS)
    for entry_type in HOOK_ENTRY_TYPES:
        row = definitions[f"entry.{entry_type}"]
        assert row["description"]
        assert list(row["properties"]) == ["type", *HOOK_ENTRY_FIELDS[entry_type]]
        for name, schema in row["properties"].items():
            if name != "type":
                help_, must = schema["description"].split(" Must be ")
                assert help_.endswith(".")
                assert must == f"{field_kinds()[HOOK_ENTRY_FIELDS[entry_type][name].kind].expected}."


def test_there_is_help_for_what_the_contract_has_and_for_nothing_else():
    assert tuple(_ENTRY_HELP) == HOOK_ENTRY_TYPES
    assert _FIELD_HELP.keys() == {name for row in HOOK_ENTRY_FIELDS.values() for name in row}


@pytest.mark.parametrize(
    ("hooks", "where"),
    [
        ({"Foo": []}, []),
        ({"Stop": [{"hooks": [{**OK, "timeout": 0}]}]}, ["Stop", 0, "hooks", 0, "timeout"]),
        ({"Stop": [{"hooks": [{**OK, "shell": "sh"}]}]}, ["Stop", 0, "hooks", 0, "shell"]),
        ({"Stop": [{"hooks": [{"type": "http"}]}]}, ["Stop", 0, "hooks", 0]),
        ({"Stop": [{"hooks": [{**OK, "type": "x"}]}]}, ["Stop", 0, "hooks", 0, "type"]),
        ({"Stop": [{"matcher": 1, "hooks": []}]}, ["Stop", 0, "matcher"]),
    ],
)
def test_an_error_points_at_the_fault(hooks, where):
    (error,) = HOOKS.iter_errors(hooks)
    assert list(error.absolute_path) == where
