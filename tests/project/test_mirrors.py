"""Several upstreams in one configuration, subsets, and the entries that speak of one set."""

import datetime as dt

import pytest

from driftgate.errors import ConfigError, UsageError
from driftgate.project.reading import parse_project

SEVERAL = """
[tool.driftgate]
fail-on = "warning"
[tool.driftgate.severity]
event-only-here = "notice"
[tool.driftgate.claude-code]
pin = "2.1.296"
declared.hook_events = "hooks.py#CLAUDE"
[[tool.driftgate.claude-code.accepted]]
rule = "event-only-upstream"
subjects = ["Setup", "PreCompact"]
reason = "not ours"
[tool.driftgate.gemini-cli]
pin = "0.61.0"
declared.hook_events = {place = ["hooks.py#GEMINI", "hooks.ts#GEMINI"], subset = "no compression"}
severity = {event-only-here = "error"}
"""


def read(tmp_path, text, name="pyproject.toml"):
    return parse_project(text, tmp_path / name)


def test_each_upstream_has_a_table(tmp_path):
    claude, gemini = read(tmp_path, SEVERAL).mirrors
    assert (claude.upstream, claude.table, claude.snapshot.name) == ("claude-code", ("claude-code",), "2.1.296.yaml")
    assert [(one.subject, one.of, one.entry) for one in claude.accepted] == [
        ("Setup", "hook_events", 1),
        ("PreCompact", "hook_events", 1),
    ]
    assert claude.severity == {"event-only-here": "notice"}
    assert (gemini.upstream, gemini.snapshot.name) == ("gemini-cli", "0.61.0.yaml")
    assert gemini.declared == {"hook_events": ("hooks.py#GEMINI", "hooks.ts#GEMINI")}
    assert gemini.subset == {"hook_events": "no compression"}
    assert gemini.severity == {"event-only-here": "error"}
    assert [one.options for one in (claude, gemini)] == [{"fail-on": "warning"}] * 2


def test_one_of_them_may_stand_at_the_top(tmp_path):
    text = (
        "pin: '2.1.296'\ndeclared: {hook_events: a.py#E}\ngemini-cli: {pin: 0.61.0, declared: {hook_events: a.py#G}}\n"
    )
    project = read(tmp_path, text, "driftgate.yml")
    assert [one.upstream for one in project.mirrors] == ["claude-code", "gemini-cli"]
    assert project.one("gemini-cli").table == ("gemini-cli",)
    with pytest.raises(UsageError, match="which of the mirrors"):
        project.one(None)
    with pytest.raises(UsageError, match="did you mean 'gemini-cli'"):
        project.one("gemini")


HEAD = "pin: '2.1.296'\ndeclared: {hook_events: a.py#E}\n"
WRONG = {
    "a list of upstreams (case n20)": (
        "upstream: [claude-code, gemini-cli]\n" + HEAD,
        ["a table for each", "claude-code: {pin: ..., declared: ...}; gemini-cli: {pin: ..., declared: ...}"],
    ),
    "the same upstream twice": (HEAD + "claude-code: {pin: '2.1.296', declared: {hook_events: a.py#E}}\n", ["twice"]),
    "a table without a pin": ("gemini-cli: {declared: {hook_events: a.py#E}}\n", ["gemini-cli.exactly one of"]),
    "an option in a table": ("gemini-cli: {format: json}\n", ["gemini-cli: unknown key 'format'"]),
    "an upstream beside tables": (
        "upstream: claude-code\ngemini-cli: {pin: 0.61.0, declared: {hook_events: a.py#E}}\n",
        ["it belongs to nothing here"],
    ),
    "a misspelt upstream": (HEAD + "gemini-clj: {}\n", ["did you mean 'gemini-cli'?"]),
    "an empty subset": (
        HEAD.replace("a.py#E", "{place: a.py#E, subset: ' '}"),
        ["declared.hook_events.subset: needs a"],
    ),
    "a set without a place": (HEAD.replace("a.py#E", "{subset: x}"), ['place = "path#NAME"']),
    "subject and subjects": (
        HEAD + "accepted:\n- {rule: event-only-here, subject: A, subjects: [B], reason: x}\n",
        ["driftgate.yml:4", "subject and subjects"],
    ),
    "a subject twice": (
        HEAD + "accepted:\n- {rule: event-only-here, subjects: [B, B], reason: x}\n",
        ["B stands there twice"],
    ),
    "no reason, and two more": (
        HEAD + "accepted:\n" + "".join(f"- {{rule: event-only-here, subject: {name}, reason: ''}}\n" for name in "ABC"),
        ["driftgate.yml:4", "needs a reason", "so do 2 more", "accept --all"],
    ),
    "no reason, and one more": (
        HEAD + "accepted:\n- {rule: event-only-here, subject: A}\n- {rule: event-only-here, subject: B, reason: ' '}\n",
        ["driftgate.yml:4", "so does 1 more"],
    ),
    "a rule about this side alone": (
        HEAD + "accepted:\n- {rule: mirrors-disagree, subject: A, reason: x}\n",
        ["cannot be accepted", "make them equal"],
    ),
    "a set that the rule is not about": (
        HEAD + "accepted:\n- {rule: event-only-here, subject: A, reason: x, of: hook_shells}\n",
        ["event-only-here is not about a set 'hook_shells'", "hook_events"],
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=list(WRONG))
def test_each_mistake_is_named(tmp_path, text, said):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text, "driftgate.yml")
    for words in said:
        assert words in str(caught.value)


OWN = """
pin: '2.1.296'
declared: {hook_entry_fields: a.py#F}
vocabularies:
  one: {declared: "a.py#ONE", contains: [alpha]}
  two: {declared: "a.py#TWO", contains: [delta], subset: on purpose}
accepted:
- {rule: member-only-upstream, subject: gamma, reason: x}
"""


def test_a_name_that_could_be_in_two_sets_names_its_set(tmp_path):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, OWN, "driftgate.yml")
    assert 'of = "one" or of = "two"' in caught.value.expected
    assert caught.value.where.endswith("driftgate.yml:8")
    (config,) = read(tmp_path, OWN.replace("reason: x", "reason: x, of: two"), "driftgate.yml").mirrors
    assert [one.of for one in config.accepted] == ["two"]
    assert config.subset == {"two": "on purpose"}
    text = OWN.replace('  two: {declared: "a.py#TWO", contains: [delta], subset: on purpose}\n', "")
    assert [one.of for one in read(tmp_path, text, "driftgate.yml").mirrors[0].accepted] == ["one"]
    text = OWN.replace("member-only-upstream, subject: gamma", "field-looser, subject: command.args")
    assert [one.of for one in read(tmp_path, text, "driftgate.yml").mirrors[0].accepted] == ["hook_entry_fields"]


TOML_ENTRIES = '''
# [[tool.driftgate.accepted]]
[tool.driftgate]
pin = "2.1.296"
text = """
[[tool.driftgate.accepted]]
"""
declared.hook_events = "a.py#E"
[[tool.driftgate.accepted]]
rule = "event-only-here"
subject = "A"
reason = "x"

[[ tool."driftgate".accepted ]]
rule = "event-only-here"
subject = "B"
'''


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TOML_ENTRIES.replace('text = """\n[[tool.driftgate.accepted]]\n"""\n', ""), 11),
        (
            '[tool.other]\ntext = """\n[[tool.driftgate.accepted]]\n"""'
            + TOML_ENTRIES.split('text = """')[0]
            + TOML_ENTRIES.split('"""\n')[2],
            14,
        ),
        (
            (
                "[tool.driftgate]\npin = '2.1.296'\ndeclared.hook_events = 'a.py#E'\n"
                "accepted = [{rule = 'event-only-here'}]\n"
            ),
            4,
        ),
    ],
)
def test_the_line_of_an_entry_in_toml(tmp_path, text, line):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert caught.value.where == f"{tmp_path / 'pyproject.toml'}:{line}"


def test_what_an_entry_holds(tmp_path):
    text = (
        HEAD + "accepted:\n- {rule: event-only-here, subjects: [A, B], reason: x, until: 2030-01-01, versions: '>2'}\n"
    )
    (config,) = read(tmp_path, text, "driftgate.yml").mirrors
    assert [(one.subject, one.until, one.versions) for one in config.accepted] == [
        ("A", dt.date(2030, 1, 1), ">2"),
        ("B", dt.date(2030, 1, 1), ">2"),
    ]
