"""A kind of field is one row: everyone who needs to know a kind reads it there."""

from __future__ import annotations

import json
import typing
from dataclasses import replace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from driftgate.classifier import contract, kinds, samples
from driftgate.classifier.contract import CONTRACT, Contract, FieldRule
from driftgate.classifier.hooks_config import classify_hooks_config
from driftgate.classifier.kinds import KINDS, FieldKind
from driftgate.classifier.schema import hooks_schema
from driftgate.classifier.surfaces import contract_of, surface_from
from driftgate.declared.kind_words import is_word, word_shape
from driftgate.export import python, typescript
from driftgate.releases.entry_fields import read_field
from driftgate.releases.eras import policy_of
from driftgate.settings.explain import explain
from driftgate.settings.forms import entry_with
from driftgate.surface import Field, Place

TOY = FieldKind(
    upstream="duration",
    constraints=("toy",),
    types=str,
    test=lambda value: value.endswith("ms"),
    schema={"type": "string", "pattern": "ms$"},
    python="Duration",
    typescript="`${number}ms`",
    good="5ms",
    bad=5,
    outside=("5s",),
    expected="a duration in milliseconds",
    said=lambda value: ("", "another unit" if isinstance(value, str) else "no duration"),
)
PLAIN_TOY = replace(TOY, constraints=(), test=None, outside=())
RULE = FieldRule("toy", required=True, carried=True)
FIELD = Field("wait", "duration", required=True, constraints=("toy",))
TOYS = Contract(("Stop",), ("t",), (), (), {"t": {"wait": RULE}})


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds._ROWS, "duration", PLAIN_TOY)
    monkeypatch.setitem(kinds._ROWS, "toy", TOY)


def document(value: Any) -> Any:
    return {"hooks": {"Stop": [{"hooks": [{"type": "t", "wait": value}]}]}}


@pytest.mark.usefixtures("toy")
class TestANewKindIsANewRow:
    def test_in_the_contract_and_upstream(self):
        surface = surface_from(TOYS, "toys")
        assert surface.tables["hook_entry_fields"].rows == {"t": (FIELD,)}
        stated = contract_of(surface, surface)
        assert stated is not None
        assert dict(stated.fields["t"]) == {"wait": RULE}

    def test_in_the_classifier(self):
        outcomes = [classify_hooks_config(document(value), TOYS).outcome for value in ("1ms", "1s", 1)]
        assert outcomes == ["loaded", "loaded-partial", "loaded-partial"]

    def test_in_the_schema(self):
        schema = hooks_schema(TOYS)
        assert schema["$defs"]["entry.t"]["properties"]["wait"] == {
            "description": "Must be a duration in milliseconds.", "type": "string", "pattern": "ms$",
        }  # fmt: skip
        valid = [Draft202012Validator(schema).is_valid(document(value)["hooks"]) for value in ("1ms", "1s")]
        assert valid == [True, False]

    def test_in_the_readers_of_releases(self):
        read = read_field(FIELD, policy_of("2.1.296"))
        assert (read.unchecked, [read.accepts(value) for value in ("1ms", "1s", 1)]) == ((), [True, False, False])
        unknown = read_field(replace(FIELD, constraints=("other",)), policy_of("2.1.296"))
        assert unknown.unchecked == ("other",)

    def test_in_the_samples(self):
        assert (samples.good(FIELD), list(samples.bad(FIELD))) == ("5ms", [5, "5s"])

    def test_in_the_export_to_python(self):
        text = python.export(surface_from(TOYS, "toys"))
        assert '"wait": Annotated[Duration, "toy"],' in text

    def test_in_the_export_to_typescript(self):
        text = typescript.export(surface_from(TOYS, "toys"))
        assert "  wait: `${number}ms`;" in text

    def test_in_the_explanations(self):
        (piece,) = classify_hooks_config(document("1s"), TOYS).pieces
        words, path = explain(piece, document("1s"), TOYS)
        assert words.says == "expected a duration in milliseconds, found another unit"
        assert path[-1] == "wait"
        assert entry_with("t", None, TOYS) == {"type": "t", "wait": "5ms"}

    def test_in_the_kind_words_of_declared_tables(self):
        shape = word_shape("toy?", Place("x"))
        assert (shape.kind, shape.constraints, shape.required) == ("duration", ("toy",), False)
        assert is_word("toy & positive")


ALIASES = {
    name: value for name, value in vars(contract).items() if get_origin(value) is Annotated and name[0].isupper()
}


def spelt(annotation: Any) -> str:
    if get_origin(annotation) is typing.Literal:
        return f"Literal[{', '.join(map(json.dumps, get_args(annotation)))}]"
    return annotation.__name__ if isinstance(annotation, type) and not get_args(annotation) else str(annotation)


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_of_the_contract_is_what_its_row_says(alias):
    plain, name, *marks = get_args(ALIASES[alias])
    assert alias == name[0].upper() + name[1:]
    assert spelt(plain).replace("typing.", "") == KINDS[name].python
    assert not marks


def test_every_kind_of_the_contract_has_an_alias():
    used = {rule.kind for row in CONTRACT.fields.values() for rule in row.values()}
    assert used == {get_args(alias)[1] for alias in ALIASES.values()}
    assert KINDS.keys() - used == {"number", "any"}


@pytest.mark.parametrize("name", KINDS)
def test_a_row_holds_its_own_samples(name):
    kind = KINDS[name]
    assert kind.accepts(kind.good)
    assert name == "any" or not kind.accepts(kind.bad)
    assert not any(map(kind.accepts, kind.outside))
    assert all(isinstance(value, kind.types) for value in kind.outside)
    schema = Draft202012Validator(dict(kind.schema))
    assert schema.is_valid(kind.good)
    assert not any(map(schema.is_valid, kind.outside))


def test_type_hints_of_an_entry_resolve():
    hints = get_type_hints(contract.CommandHookEntryDict)
    assert hints["command"] is str
