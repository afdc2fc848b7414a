"""What programs read of the rules: the same facts as the text, in one versioned document."""

import json

from driftgate.judge.rules import RULES


def test_the_rules_are_one_versioned_document(run):
    code, out, _ = run("rules", "--format", "json")
    document = json.loads(out)
    assert (code, document["schema"], document["command"]) == (0, 1, "rules")
    assert [rule["id"] for rule in document["rules"]] == list(RULES)


def test_a_rule_is_explained_with_its_measured_example(run):
    document = json.loads(run("explain", "event-only-upstream", "--format", "json")[1])
    assert document["rule"]["id"] == "event-only-upstream"
    assert document["example"]["impacts"][0]["severity"] == "error"


def test_a_code_and_a_rule_without_example(run):
    assert "meaning" in json.loads(run("explain", "unknown-event", "--format", "json")[1])
    assert json.loads(run("explain", "accepted-unused", "--format", "json")[1])["example"] is None


def test_an_unknown_rule_is_a_document_too(run):
    code, out, _ = run("explain", "event-only-upstrem", "--format", "json")
    assert (code, json.loads(out)["verdict"]) == (2, "usage error")
