"""Subsets, several upstreams, several projects, and the entries of each: what `check` and `accept` do with them."""

import json
import shutil
from pathlib import Path

import junitparser
import pytest

from driftgate.project.finding import find_project
from driftgate.snapshot import load_snapshot
from driftgate.upstreams.shipped import snapshots_of
from tests.commands.conftest import edit

CLAUDE = load_snapshot(snapshots_of("claude-code")["2.1.296"]).members("hook_events")
GEMINI = load_snapshot(snapshots_of("gemini-cli")["0.61.0"]).members("hook_events")
OTHER_SET = Path("tests/data/accepted_other_set").resolve()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A repository without a configuration, as the current folder."""
    for name in ("DRIFTGATE_CONFIG", "DRIFTGATE_FORMAT", "DRIFTGATE_FAIL_ON", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def snapshot_with(path, change, version="2.1.400"):
    """A snapshot of a later release, whose events are the pin's with a change."""
    text = snapshots_of("claude-code")["2.1.296"].read_text(encoding="utf-8").replace('"2.1.296"', f'"{version}"')
    write(path, change(text))


def names_of(out):
    return [(one["rule"], one["subject"]) for one in json.loads(out)["findings"]]


# --- a subset on purpose ---------------------------------------------------------------------------------------------

SUBSET = """
pin: "2.1.296"
declared:
  hook_events: {place: "hooks.py#HOOK_EVENTS", subset: "this agent has no teams"}
"""


@pytest.fixture
def subset(folder):
    """A mirror with ten of the pin's events, on purpose."""
    write("hooks.py", f"HOOK_EVENTS = {CLAUDE[:10]!r}\n")
    write("driftgate.yml", SUBSET)
    return folder


def test_a_subset_is_green_and_counted(subset, run):
    code, out, _ = run("check", "-v")
    assert code == 0
    assert f"10 events agree; {len(CLAUDE) - 10} only upstream, left out on purpose" in out
    assert f"left out of events: {len(CLAUDE) - 10} names (this agent has no teams)" in out
    assert f"left out {CLAUDE[-1]} (event-only-upstream)" in out
    document = json.loads(run("check", "--format", "json")[1])
    assert document["compared"]["hook_events"]["left_out"] == len(CLAUDE) - 10
    assert [one["subject"] for one in document["comparisons"][0]["left_out"]] == [*CLAUDE[10:]]
    for format_name in ("markdown",):
        assert "this agent has no teams" in run("check", "--format", format_name)[1]


AWAKE = {
    "a name that upstream adds": (
        lambda text: text.replace("  - Setup\n", "  - Setup\n  - Brandnew\n"),
        [("event-only-upstream", "Brandnew")],
    ),
    "a name that it has that upstream removes": (
        lambda text: text.replace(f"  - {CLAUDE[3]}\n", "", 1),
        [("event-only-here", CLAUDE[3])],
    ),
    "a name that it has that upstream renames": (
        lambda text: text.replace("  - PostToolUseFailure\n", "  - PostToolUseFailures\n", 1),
        [("event-misspelt", "PostToolUseFailure")],
    ),
    "a name that it lacks that upstream removes": (lambda text: text.replace(f"  - {CLAUDE[-1]}\n", "", 1), []),
    "nothing": (lambda text: text, []),
}


@pytest.mark.parametrize(("change", "expected"), AWAKE.values(), ids=list(AWAKE))
def test_a_subset_stays_awake(subset, run, change, expected):
    assert "PostToolUseFailure" in CLAUDE[:10]
    snapshot_with("later.yaml", change)
    code, out, _ = run("check", "--against", "later.yaml", "--format", "json")
    assert names_of(out) == expected
    assert code == (1 if expected else 0)


def test_a_subset_is_still_told_of_what_only_it_has(subset, run):
    edit("hooks.py", "HOOK_EVENTS = (", "HOOK_EVENTS = ('OnlyHere', 'SessionStrat', ")
    edit("hooks.py", "'SessionStart', ", "")
    assert sorted(names_of(run("check", "--format", "json")[1])) == [
        ("event-misspelt", "SessionStrat"),
        ("event-only-here", "OnlyHere"),
    ]


def test_a_subset_that_lacks_nothing_is_said(subset, run):
    write("hooks.py", f"HOOK_EVENTS = {CLAUDE!r}\n")
    code, _, err = run("check")
    assert code == 0
    assert "hook_events: it lacks nothing that upstream has, so `subset` can go" in err


def test_a_type_left_out_is_counted_with_its_fields(project, run):
    """Counts agree with the exit code: what is left out of the types is left out of their fields too."""
    edit("src/contract.py", ', "mcp_tool"]', "]")
    edit("src/contract.py", " | McpToolHookEntryDict", "")
    types = 'hook_entry_types: {place: "src/contract.py#HOOK_ENTRY_TYPES", subset: x}'
    edit("driftgate.yml", "hook_entry_types: src/contract.py#HOOK_ENTRY_TYPES", types)
    fields = 'hook_entry_fields: {place: "src/contract.py#HookEntryDict", subset: x}'
    edit("driftgate.yml", "hook_entry_fields: src/contract.py#HookEntryDict", fields)
    code, out, _ = run("check")
    assert "4 types agree; 1 only upstream, left out on purpose" in out
    assert "only upstream, left out on purpose" in out.split("fields agree")[1]
    assert code == 0


def test_an_accepted_type_is_counted_with_its_fields(project, run):
    edit("src/contract.py", ', "mcp_tool"]', "]")
    edit("src/contract.py", " | McpToolHookEntryDict", "")
    assert run("accept", "--all", "--reason", "no tools")[0] == 0
    code, out, _ = run("check")
    assert code == 0
    line = next(line for line in out.splitlines() if "fields agree" in line)
    assert "only upstream, accepted" in line


# --- one set is not another ------------------------------------------------------------------------------------------


@pytest.fixture
def other_set(folder):
    shutil.copytree(OTHER_SET, folder, dirs_exist_ok=True)
    return folder


def test_an_acceptance_for_one_set_does_not_hide_another(other_set, run):
    """An entry that was meant for one set, in a project with two that hold the same name."""
    write("later.yaml", Path("snapshots/claude-code/2.1.400.yaml").read_text())
    code, _, err = run("check", "--against", "later.yaml")
    assert code == 2
    assert 'of = "aset" or of = "bset"' in err
    edit("driftgate.yml", "subject: gamma,", "subject: gamma, of: aset,")
    snapshot = "snapshots/claude-code/2.1.400.yaml"
    edit(snapshot, "vocabularies:\n", "vocabularies:\n  aset: [alpha, beta, gamma]\n  bset: [alpha, delta, gamma]\n")
    code, out, _ = run("check", "--format", "json")
    assert (code, names_of(out)) == (1, [("member-only-upstream", "gamma")])
    assert [one["set"] for one in json.loads(out)["findings"]] == ["bset"]
    code, _, err = run("accept", "member-only-upstream", "gamma", "--reason", "nor this one")
    assert code == 0, err
    assert [one.of for one in find_project(other_set).mirrors[0].accepted] == ["aset", "bset"]
    assert run("check")[0] == 0


# --- several upstreams -----------------------------------------------------------------------------------------------

SEVERAL = """
claude-code:
  pin: "2.1.296"
  declared: {hook_events: "hooks.py#CLAUDE"}
gemini-cli:
  pin: "0.61.0"
  declared: {hook_events: "hooks.py#GEMINI"}
"""


@pytest.fixture
def several(folder):
    write("hooks.py", f"CLAUDE = {CLAUDE!r}\nGEMINI = {GEMINI!r}\n")
    write("driftgate.yml", SEVERAL)
    return folder


def test_several_upstreams_are_one_report(several, run):
    code, out, _ = run("check")
    assert code == 0
    assert "== Claude Code" in out
    assert "== Gemini CLI" in out
    assert f"{len(GEMINI)} events agree" in out
    document = json.loads(run("check", "--format", "json")[1])
    assert [(one["upstream"], one["pin"]) for one in document["mirrors"]] == [
        ("claude-code", "2.1.296"),
        ("gemini-cli", "0.61.0"),
    ]
    assert document["pin"] is None


def test_drift_in_one_of_them_is_drift(several, run):
    edit("hooks.py", f"GEMINI = ({GEMINI[0]!r}, ", "GEMINI = (")
    edit("hooks.py", "CLAUDE = (", "CLAUDE = ('OnlyHere', ")
    code, out, _ = run("check", "--format", "json")
    assert code == 1
    assert [(one["mirror"], one["subject"]) for one in json.loads(out)["findings"]] == [
        ("claude-code", "OnlyHere"),
        ("gemini-cli", GEMINI[0]),
    ]
    assert run("check", "--upstream", "gemini-cli", "--format", "json")[0] == 1
    suites = junitparser.JUnitXml.fromstring(run("check", "--format", "junit")[1].encode())
    assert suites.failures == 2
    fingerprints = [one["fingerprint"] for one in json.loads(out)["findings"]]
    assert len({*fingerprints}) == 2
    code, said, _ = run("accept", "--all", "--reason", "so it is")
    assert (code, said.count("accepted: ")) == (0, 2)
    claude, gemini = find_project(several).mirrors
    assert ([one.subject for one in claude.accepted], [one.subject for one in gemini.accepted]) == (
        ["OnlyHere"],
        [GEMINI[0]],
    )
    assert run("check")[0] == 0


def test_what_is_wrong_with_one_does_not_hide_the_other(several, run):
    edit("hooks.py", "GEMINI = ", "GEMINI = compute() or ")
    edit("hooks.py", "CLAUDE = (", "CLAUDE = ('OnlyHere', ")
    code, out, _ = run("check")
    assert code == 3
    assert "OnlyHere" in out
    assert "blind: " in out


def test_a_target_of_one_upstream_asks_whose(several, run):
    code, _, err = run("check", "--against", "2.1.332", "--offline")
    assert code == 2
    assert "mirrors claude-code and gemini-cli" in err
    assert "--upstream" in err
    assert run("check", "--against", "snapshot")[0] == 0


# --- several projects ------------------------------------------------------------------------------------------------


@pytest.fixture
def monorepo(folder):
    for name, events in (("a", CLAUDE), ("b", CLAUDE[1:])):
        write(f"packages/{name}/hooks.py", f"EVENTS = {events!r}\n")
        write(f"packages/{name}/driftgate.yml", 'pin: "2.1.296"\ndeclared: {hook_events: "hooks.py#EVENTS"}\n')
        write(f"packages/{name}/package.json", "{}")
    return folder


def test_all_projects_of_a_repository(monorepo, run):
    code, out, _ = run("check", "--all", "--format", "json")
    assert code == 1
    document = json.loads(out)
    assert [one["source"] for one in document["mirrors"]] == ["packages/a/driftgate.yml", "packages/b/driftgate.yml"]
    assert [(one["mirror"], one["subject"]) for one in document["findings"]] == [
        ("packages/b/driftgate.yml", CLAUDE[0])
    ]
    assert "file=packages/b/hooks.py" in run("check", "--all", "--format", "github")[1]
    assert run("check", "packages/a")[0] == 0
    assert run("check", "packages/a", "packages/b/driftgate.yml")[0] == 1
    assert run("check", "packages/a", "packages/a/driftgate.yml")[0] == 0


def test_a_broken_configuration_among_several(monorepo, run):
    write("packages/b/driftgate.yml", "pin: x\n")
    code, out, _ = run("check", "--all")
    assert code == 2
    assert "packages/b/driftgate.yml" in out
    assert f"{len(CLAUDE)} events agree" in out
    assert out.splitlines()[-1] == "driftgate: usage error, exit 2"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--all", "packages/a"], "which projects?"),
        (["--self", "--all"], "which projects?"),
        (["packages"], "no driftgate configuration"),
        (["nowhere"], "does not exist"),
        (["packages/a", "--deep"], "without a target none is read"),
        (["packages/a", "--against", "packages/a/hooks.py"], "comparing with it says nothing"),
        (["packages/a", "--against", "packages/a/hooks.py#EVENTS"], "comparing with it says nothing"),
    ],
)
def test_what_cannot_be_meant(monorepo, run, words, said):
    code, _, err = run("check", *words)
    assert code == 2
    assert said in err


def test_a_repository_without_any(folder, run):
    code, _, err = run("check", "--all")
    assert code == 2
    assert "no driftgate configuration in this repository" in err


# --- below the limit -------------------------------------------------------------------------------------------------


def test_below_the_limit_is_not_called_agreement(subset, run):
    edit("hooks.py", "HOOK_EVENTS = (", "HOOK_EVENTS = ('OnlyHere', ")
    code, out, _ = run("check", "--fail-on", "error")
    assert code == 0
    assert out.splitlines()[-1] == "driftgate: 1 warning, below the limit (error), exit 0"
    document = json.loads(run("check", "--fail-on", "error", "--format", "json")[1])
    assert (document["verdict"], document["exit"]) == ("below the limit", 0)
    for format_name in ("github", "markdown", "junit"):
        said = run("check", "--fail-on", "error", "--format", format_name)[1]
        assert "below the limit" in said
        assert "agrees" not in said


def test_a_refresh_of_one_release_asks_for_which_mirror(several, run):
    code, _, err = run("refresh", "--to", "2.1.332", "--offline")
    assert code == 2
    assert "--upstream claude-code or gemini-cli" in err
    snapshot_with("later.yaml", lambda text: text)
    code, out, err = run("refresh", "--to", "later.yaml", "--upstream", "claude-code", "--offline")
    assert code == 0, err
    assert "2.1.296 -> 2.1.400" in out
    claude, gemini = find_project(several).mirrors
    assert (claude.snapshot.stem, gemini.snapshot.stem) == ("2.1.400", "0.61.0")
    assert run("check")[0] == 0
