"""The rule table: every change has its rule, every rule its firing example, and being stricter is no drift."""

from dataclasses import replace

import pytest

from driftgate.judge.comparison import Change, ChangeKind, diff
from driftgate.judge.examples import BASE, EXAMPLES, example_finding
from driftgate.judge.findings import judge, untrue
from driftgate.judge.rules import RULES, Direction, Severity, is_looser, rule_for
from driftgate.surface import Field, FieldTable, ObjectRules, Place, Vocabulary, surface_of

NOT_ABOUT_A_CHANGE = {
    "mirrors-disagree",
    "constants-disagree",
    "snapshot-untrue",
    "accepted-unused",
    "accepted-expired",
}


def test_every_rule_has_an_example_or_is_not_about_a_change():
    assert {*EXAMPLES, *NOT_ABOUT_A_CHANGE} == set(RULES)


@pytest.mark.parametrize("rule_id", EXAMPLES)
def test_the_example_breaks_exactly_its_rule(rule_id):
    observed, declared = EXAMPLES[rule_id]
    findings = judge(diff(observed, declared).changes, observed, declared, "x", {})
    assert [finding.rule.id for finding in findings] == [rule_id]
    assert example_finding(rule_id) == replace(findings[0], against="example")


def test_what_is_only_upstream_has_its_counterpart_here():
    for rule in RULES.values():
        if rule.direction is Direction.ONLY_UPSTREAM and rule.id != "field-not-carried":
            assert RULES[rule.id.replace("upstream", "here")].direction is Direction.ONLY_HERE


def test_each_rule_says_what_to_do():
    for rule in RULES.values():
        assert rule.summary
        assert rule.remedy
        assert (
            rule.id in NOT_ABOUT_A_CHANGE
            or rule.severity is None
            or rule.id.startswith(("member-", "object-"))
            or "misspelt" in rule.id
        )


STRICTNESS = [
    ("string", (), ("min(1)",), False),
    ("string", (), ("url",), False),
    ("string", ("min(1)",), (), True),
    ("string", ("min(1)",), ("min(2)",), False),
    ("string", ("min(2)",), ("min(1)",), True),
    ("string", ("url",), ("min(1)",), True),
    ("number", ("positive",), (), True),
    ("number", (), ("positive",), False),
    ("string", ("transform",), (), False),
    ("enum", ('catch("skip")',), (), False),
    ("enum", (), ('catch("skip")',), True),
    ("enum", ("coerced",), (), False),
    ("string", ("a-constraint-of-tomorrow",), (), True),
]


@pytest.mark.parametrize(("kind", "upstream", "here", "drift"), STRICTNESS)
def test_only_looser_than_upstream_is_drift(kind, upstream, here, drift):
    change = Change(
        ChangeKind.CONSTRAINT,
        "hook_entry_fields",
        "command",
        "f",
        Field("f", kind, required=False, constraints=upstream),
        Field("f", kind, required=False, constraints=here),
    )
    rule = rule_for(change)
    assert (rule.id if rule else None) == ("field-looser" if drift else None)


def test_a_missing_type_is_one_finding_and_its_fields_stand_under_it():
    """Case a08: not one finding a field, and never a field of another type."""
    finding = example_finding("type-only-upstream")
    assert finding is not None
    assert finding.subject == "mcp_tool"
    assert finding.detail.startswith("upstream: fields if, timeout, ")


def test_severity_follows_from_what_happens_to_documents():
    found = {rule_id: example_finding(rule_id) for rule_id in EXAMPLES}
    severities = {rule_id: finding.severity for rule_id, finding in found.items() if finding is not None}
    assert severities["event-only-upstream"] is Severity.ERROR
    assert severities["event-only-here"] is Severity.WARNING
    assert severities["guard-event-only-upstream"] is Severity.ERROR
    assert severities["field-not-carried"] is Severity.WARNING


def test_a_rule_may_be_given_another_severity():
    observed, declared = EXAMPLES["event-only-here"]
    (finding,) = judge(diff(observed, declared).changes, observed, declared, "x", {"event-only-here": "notice"})
    assert finding.severity is Severity.NOTICE


RULED = [
    (("strip",), None),
    (("strict",), "object-stricter"),
    (("passthrough",), "object-looser"),
    (("strip", "type optional"), "object-looser"),
    (("strip", "refine(($0)=>$0.a)"), "object-stricter"),
    (("catchall(string)",), "object-stricter"),
]


@pytest.mark.parametrize(("words", "rule"), RULED)
def test_what_decides_about_a_whole_entry(words, rule):
    """Nobody who mirrors entries states it: what is plain upstream is taken for granted, anything else is drift."""
    rows = {"command": (Field("f", "string", required=True),)}
    observed = surface_of([FieldTable("hook_entry_fields", rows, rules={"command": ObjectRules(words)})], "a")
    declared = surface_of([FieldTable("hook_entry_fields", rows)], "b")
    found = judge(diff(observed, declared).changes, observed, declared, "x", {})
    assert [finding.rule.id for finding in found] == ([rule] if rule else [])
    assert diff(observed, observed).changes == ()
    assert diff(declared, observed).changes == ()  # a source that states no rules is not known to have the plain ones


def test_a_matcher_that_differs_is_drift_though_nobody_declares_it():
    plain = (Field("matcher", "string", required=False), Field("hooks", "array<entry>", required=True))
    entries = FieldTable("hook_entry_fields", {"command": (Field("f", "string", required=True),)})
    declared = surface_of([entries], "b")
    for fields, expected in (
        (plain, []),
        ((*plain, Field("owner", "string", required=True)), [("field-only-upstream", "matcher.owner", "error")]),
        ((replace(plain[0], required=True), plain[1]), [("field-requiredness", "matcher.matcher", "error")]),
    ):
        observed = surface_of([entries, FieldTable("hook_matcher_fields", {"matcher": fields})], "a")
        found = judge(diff(observed, declared).changes, observed, declared, "x", {})
        assert [(finding.rule.id, finding.subject, finding.severity.value) for finding in found] == expected


def test_near_names_are_one_misspelling_and_far_ones_are_two_findings():
    def rows(name):
        return surface_of([FieldTable("hook_entry_fields", {"command": (Field(name, "string", required=False),)})], "x")

    near = judge(diff(rows("statusMessage"), rows("statusMesage")).changes, rows("a"), rows("a"), "x", {})
    far = judge(diff(rows("statusMessage"), rows("timeout")).changes, rows("a"), rows("a"), "x", {})
    assert [(f.rule.id, f.subject) for f in near] == [("field-misspelt", "command.statusMesage")]
    assert sorted(f.rule.id for f in far) == ["field-only-here", "field-only-upstream"]


def test_a_misspelling_in_several_files_is_one_finding_with_all_places():
    observed = surface_of([Vocabulary("hook_events", ("SubagentStop",))], "x")
    places = [Place("a.ts", line=1, column=2), Place("a.py", line=3, column=4)]
    changes = [
        replace(change, place=place)
        for place in places
        for change in diff(observed, surface_of([Vocabulary("hook_events", ("SubAgentStop",))], "y")).changes
    ]
    (finding,) = judge(changes, observed, observed, "x", {})
    assert (finding.rule.id, finding.subject, finding.places) == ("event-misspelt", "SubAgentStop", tuple(places))


def test_the_classifier_is_not_asked_about_a_table_of_the_projects_own():
    def with_inputs(*, required):
        table = FieldTable("inputs", {"StopInput": (Field("id", "string", required=required),)})
        return surface_of([*BASE.sets(), table], "x")

    observed, declared = with_inputs(required=True), with_inputs(required=False)
    (finding,) = judge(diff(observed, declared).changes, observed, declared, "x", {})
    assert (finding.rule.id, finding.severity, finding.impacts) == ("field-requiredness", Severity.WARNING, ())


def test_the_fingerprint_is_of_rule_set_and_subject_only():
    finding = example_finding("event-only-upstream")
    assert finding is not None
    assert len(finding.fingerprint) == 16
    assert replace(finding, detail="x", against="y", severity=Severity.NOTICE).fingerprint == finding.fingerprint
    assert replace(finding, subject="x").fingerprint != finding.fingerprint


def test_an_untrue_snapshot_says_on_which_side_the_name_is():
    anchor, snapshot = (
        surface_of((Vocabulary("hook_events", names),), "x") for names in (("Stop", "Setup"), ("Stop",))
    )
    assert [(f.subject, f.detail) for f in untrue(anchor, snapshot)] == [("Setup", "only in the anchor")]
    assert [(f.subject, f.detail) for f in untrue(snapshot, anchor)] == [("Setup", "only in the snapshot")]


def test_names_of_two_sets_are_never_one_misspelling():
    """What one set lacks and another has too many of are two facts, however alike the names are."""
    observed = surface_of([Vocabulary("one", ("alpha", "greyhound")), Vocabulary("two", ("beta",))], "x")
    declared = surface_of([Vocabulary("one", ("alpha",)), Vocabulary("two", ("beta", "greyhounds"))], "y")
    found = judge(diff(observed, declared).changes, observed, declared, "x", {})
    assert sorted((f.rule.id, f.of, f.subject) for f in found) == [
        ("member-only-here", "two", "greyhounds"),
        ("member-only-upstream", "one", "greyhound"),
    ]


def test_fields_of_two_types_are_never_one_misspelling():
    def rows(command, http):
        return surface_of([FieldTable("hook_entry_fields", {"command": command, "http": http})], "x")

    base, extra = Field("url", "string", required=True), Field("statusText", "string", required=False)
    slip = replace(extra, name="statusTexts")
    observed, declared = rows((base, extra), (base,)), rows((base,), (base, slip))
    found = judge(diff(observed, declared).changes, observed, declared, "x", {})
    assert sorted((f.rule.id, f.subject) for f in found) == [
        ("field-only-here", "http.statusTexts"),
        ("field-only-upstream", "command.statusText"),
    ]


@pytest.mark.parametrize(
    ("here", "drift"),
    [(("url", "min(3)"), False), (("url",), True), (("min(1)", "url"), True), (("min(1)", "min(2)"), False)],
)
def test_a_least_length_is_implied_by_a_longer_one_beside_other_words(here, drift):
    upstream, ours = (Field("f", "string", required=False, constraints=words) for words in (("min(2)",), here))
    change = Change(ChangeKind.CONSTRAINT, "hook_entry_fields", "command", "f", upstream, ours)
    assert is_looser(change) is drift
