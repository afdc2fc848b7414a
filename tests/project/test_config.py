"""The configuration: found, read, checked; each mistake named with the nearest right thing."""

import datetime as dt

import pytest

from driftgate.errors import ConfigError, NoConfigError
from driftgate.project.finding import find_config, own_config
from driftgate.project.layers import layered
from driftgate.project.reading import load_config, parse_config

GOOD = """
[tool.driftgate]
snapshot = "snap.yaml"
[tool.driftgate.declared]
hook_events = "src/a.py#EVENTS"
guard_events = ["src/a.py#GUARDS", "src/b.ts#GUARDS"]
[[tool.driftgate.accepted]]
rule = "event-only-upstream"
subject = "PreCompact"
reason = "not ours"
until = 2027-01-01
versions = ">=2.1.100,<2.2"
"""

YAML = """
snapshot: snap.yaml
declared:
  hook_events: src/a.py#EVENTS
accepted:
- {rule: event-only-upstream, subject: PreCompact, reason: not ours, until: 2027-01-01}
"""


def write(folder, text, name="pyproject.toml"):
    path = folder / name
    path.write_text(text)
    return path


def test_what_it_states(tmp_path):
    config = load_config(write(tmp_path, GOOD))
    assert config.root == tmp_path
    assert config.snapshot == tmp_path / "snap.yaml"
    assert config.declared == {
        "hook_events": ("src/a.py#EVENTS",),
        "guard_events": ("src/a.py#GUARDS", "src/b.ts#GUARDS"),
    }
    (entry,) = config.accepted
    assert (entry.rule, entry.subject, entry.reason) == ("event-only-upstream", "PreCompact", "not ours")
    assert entry.until == dt.date(2027, 1, 1)
    assert entry.applies_to("2.1.100")
    assert not entry.applies_to("2.1.99")
    assert not config.is_own


def test_yaml_says_the_same(tmp_path):
    config = load_config(write(tmp_path, YAML, "driftgate.yml"))
    assert config.declared == {"hook_events": ("src/a.py#EVENTS",)}
    assert config.accepted[0].until == dt.date(2027, 1, 1)


def test_it_is_found_from_below(tmp_path):
    write(tmp_path, GOOD)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find_config(below).source == tmp_path / "pyproject.toml"


def test_a_project_without_configuration_is_no_green_answer(tmp_path):
    (tmp_path / "package.json").write_text("{}")
    with pytest.raises(ConfigError, match="no driftgate configuration"):
        find_config(tmp_path)


def test_a_pyproject_without_our_table_is_a_project_without_configuration(tmp_path):
    write(tmp_path, "[project]\nname = 'driftgate-user'\n")
    with pytest.raises(ConfigError, match="no driftgate configuration"):
        find_config(tmp_path)


def test_a_folder_without_configuration_is_never_answered_for_by_driftgates_own(tmp_path):
    with pytest.raises(NoConfigError, match="no driftgate configuration"):
        find_config(tmp_path)
    assert own_config().is_own


def test_two_configurations_in_one_folder(tmp_path):
    write(tmp_path, GOOD)
    write(tmp_path, YAML, "driftgate.yml")
    with pytest.raises(ConfigError, match=r"pyproject.toml and driftgate.yml"):
        find_config(tmp_path)


BAD = [
    ("unknown key", 'snapshot = "x"', 'snapshots = "x"', "did you mean 'snapshot'?"),
    ("unknown set", "hook_events =", "hook_event =", "did you mean 'hook_events'?"),
    ("unknown entry key", "subject =", "subjekt =", "did you mean 'subject'?"),
    ("no subject (case d04)", 'subject = "PreCompact"', "", "accepted entry 1: needs a subject"),
    ("no reason", 'reason = "not ours"', 'reason = " "', "accepted entry 1: needs a reason"),
    ("message text (case d04)", 'subject = "PreCompact"', 'message = "upstream has ..."', "unknown key 'message'"),
    ("unknown rule", "event-only-upstream", "event-only-upstraem", "did you mean 'event-only-upstream'?"),
    ("not a date", "2027-01-01", '"soon"', "YYYY-MM-DD"),
    ("not a range", ">=2.1.100,<2.2", "^2.1.100", "not a range of versions"),
    ("no snapshot", 'snapshot = "x"', "", "exactly one of `snapshot` and `pin`"),
    ("snapshot and pin", 'snapshot = "x"', 'snapshot = "x"\npin = "2.1.296"', "exactly one of `snapshot` and `pin`"),
    ("a pin that is not shipped", 'snapshot = "x"', 'pin = "9.9.9"', "2.1.296"),
    ("not a text", '"src/a.py#EVENTS"', "3", "declared.hook_events: not a text"),
    ("an empty list", '"src/a.py#EVENTS"', "[]", "declared.hook_events: empty"),
    ("not TOML", "[tool.driftgate]", "[tool.driftgate", "not readable as TOML"),
    ("a severity", "[[tool", "[tool.driftgate.severity]\nevent-only-here = 'bad'\n[[tool", "error, warning, notice"),
]


@pytest.mark.parametrize(("old", "new", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_each_mistake_is_named(tmp_path, old, new, said):
    text = GOOD.replace("snap.yaml", "x")
    assert old in text
    with pytest.raises(ConfigError) as caught:
        parse_config(text.replace(old, new, 1), tmp_path / "pyproject.toml")
    assert said in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


def test_nothing_declared_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="nothing to check"):
        parse_config("snapshot: x\n", tmp_path / "driftgate.yml")


def test_flag_before_environment_before_configuration(tmp_path):
    config = load_config(write(tmp_path, GOOD.replace("[tool.driftgate]", '[tool.driftgate]\nformat = "json"')))
    assert layered("format", "text", {"DRIFTGATE_FORMAT": "x"}, config) == "text"
    assert layered("format", None, {"DRIFTGATE_FORMAT": "x"}, config) == "x"
    assert layered("format", None, {}, config) == "json"
    assert layered("format", None, {}, None) is None
    assert layered("fail-on", None, {"DRIFTGATE_FAIL_ON": "error"}, config) == "error"
