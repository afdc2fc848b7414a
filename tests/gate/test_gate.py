"""The gate on small projects: what agrees, what drifts, what is blind, and in which code that ends."""

import datetime as dt
import errno
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from driftgate.anchors import FetchOptions
from driftgate.classifier import contract
from driftgate.classifier.contract import CONTRACT
from driftgate.classifier.surfaces import surface_from
from driftgate.errors import BlindError, ConfigError, DeclaredError, ExitCode, SnapshotError, UsageError
from driftgate.gate.check import Declaration, _Check, check, declarations
from driftgate.gate.refresh import refresh
from driftgate.gate.target import LATEST, parse_target
from driftgate.judge.accepted import Accepted
from driftgate.judge.rules import Severity
from driftgate.project.finding import own_config
from driftgate.project.reading import load_config
from driftgate.snapshot import dump_snapshot, load_snapshot
from driftgate.surface import FieldTable, surface_of
from tests.core.sides import observed_contract

SOURCE = Path(contract.__file__).read_text(encoding="utf-8")
OFFLINE = FetchOptions(offline=True)
TODAY = dt.date(2026, 11, 30)

DECLARED = """
snapshot: 2.1.296.yaml
declared:
  hook_events: contract.py#HOOK_EVENTS
  hook_entry_types: contract.py#HOOK_ENTRY_TYPES
  hook_shells: contract.py#HOOK_SHELLS
  guard_events: contract.py#GUARD_EVENTS
  hook_entry_fields: contract.py#HookEntryDict
"""


@pytest.fixture
def project(tmp_path):
    """A project that declares this package's contract, and whose snapshot says the same."""
    (tmp_path / "contract.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "driftgate.yml").write_text(DECLARED, encoding="utf-8")
    observed = observed_contract()
    (tmp_path / "2.1.296.yaml").write_text(dump_snapshot(observed, "claude-code"), encoding="utf-8")
    return tmp_path


def run(project, *, entries=(), **kwargs):
    config = load_config(project / "driftgate.yml")
    not_carried = [
        Accepted("field-not-carried", f"{row}.{name}", "checked only")
        for row, fields in CONTRACT.fields.items()
        for name, rule in fields.items()
        if not rule.carried
    ]
    return check(replace(config, accepted=(*not_carried, *entries)), (), None, today=TODAY, **kwargs)


def findings(report):
    return [(finding.rule.id, finding.subject) for finding in report.all_findings()]


def edit(project, pattern, new, name="contract.py"):
    path = project / name
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"))
    assert count, pattern
    path.write_text(text, encoding="utf-8")


def test_it_agrees_and_counts_what_it_compared(project):
    report = run(project)
    assert report.exit_code is ExitCode.AGREES
    counts = {name: count.agree for name, count in report.comparisons[0].counts.items()}
    assert counts == {
        "hook_events": 33,
        "hook_entry_types": 5,
        "hook_shells": 2,
        "guard_events": 2,
        "hook_entry_fields": sum(map(len, CONTRACT.fields.values())),
    }
    assert sum(report.used.values()) == 6


@pytest.mark.parametrize("event", contract.HOOK_EVENTS)
def test_an_event_removed(project, event):
    edit(project, rf'\n    "{event}",', "")
    assert findings(run(project)) == [("event-only-upstream", event)]


def test_an_event_added(project):
    edit(project, r'\n    "Stop",', '\n    "Stop",\n    "ToolError",')
    report = run(project)
    assert findings(report) == [("event-only-here", "ToolError")]
    (finding,) = report.all_findings()
    assert str(finding.places[0]).startswith("contract.py:")
    assert report.exit_code is ExitCode.DRIFT


def test_an_event_misspelt(project):
    edit(project, r'\n    "Notification",', '\n    "Notificaton",')
    assert findings(run(project)) == [("event-misspelt", "Notificaton")]


@pytest.mark.parametrize("entry_type", contract.HOOK_ENTRY_TYPES)
def test_a_type_removed(project, entry_type):
    edit(project, rf'(HookEntryType: TypeAlias = Literal\[.*)"{entry_type}"(, )?', r"\1")
    assert findings(run(project)) == [("type-only-upstream", entry_type)]


def test_a_type_removed_with_its_fields(project):
    edit(project, r'(HookEntryType: TypeAlias = Literal\[.*), "mcp_tool"', r"\1")
    edit(project, r"( \| HttpHookEntryDict) \| McpToolHookEntryDict", r"\1")
    assert findings(run(project)) == [("type-only-upstream", "mcp_tool")]


@pytest.mark.parametrize("event", contract.GUARD_EVENTS)
def test_a_guard_event_removed(project, event):
    edit(project, rf'(GuardEvent: TypeAlias = Literal\[.*)"{event}"(, )?', r"\1")
    report = run(project)
    assert findings(report) == [("guard-event-only-upstream", event)]
    assert report.all_findings()[0].severity is Severity.ERROR


def test_a_guard_event_added(project):
    edit(project, r"(GuardEvent: TypeAlias = Literal\[.*)\]", r'\1, "Stop"]')
    assert findings(run(project)) == [("guard-event-only-here", "Stop")]


FIELDS = [(row, name) for row, fields in CONTRACT.fields.items() for name in fields]


@pytest.mark.parametrize(("row", "name"), FIELDS, ids=[".".join(pair) for pair in FIELDS])
def test_a_field_removed(project, row, name):
    title = "".join(part.capitalize() for part in row.split("_"))
    edit(project, rf'(?s)("{title}HookEntryDict",\n    \{{.*?)\n        "{name}": [^\n]*', r"\1")
    assert findings(run(project)) == [("field-only-upstream", f"{row}.{name}")]


def test_a_field_added(project):
    edit(project, r'\n        "command": Text,', '\n        "command": Text,\n        "example": NotRequired[String],')
    assert findings(run(project)) == [("field-only-here", "command.example")]


def test_a_field_retyped(project):
    edit(
        project,
        r'\n        "once": NotRequired\[Boolean\],\n        "command"',
        '\n        "once": NotRequired[Record],\n        "command"',
    )
    assert findings(run(project)) == [("field-retyped", "command.once")]


def test_a_field_newly_required(project):
    edit(
        project,
        r'\n        "once": NotRequired\[Boolean\],\n        "command"',
        '\n        "once": Boolean,\n        "command"',
    )
    assert findings(run(project)) == [("field-requiredness", "command.once")]


def test_a_looser_field(project):
    edit(project, r'"url": Url', '"url": String')
    assert findings(run(project)) == [("field-looser", "http.url")]


def test_a_shell_removed(project):
    edit(project, r'(HookShell: TypeAlias = Literal\["bash"), "powershell"', r"\1")
    assert ("shell-only-upstream", "powershell") in findings(run(project))


# --- accepted drift --------------------------------------------------------------------------------------------------


def test_accepted_drift_is_matched_by_its_whole_name(project):
    """Case d03: PostToolUse does not swallow PostToolUseFailure."""
    names = ("PreCompact", "PostCompact", "PostToolUse", "PostToolUseFailure")
    for name in names:
        edit(project, rf'\n    "{name}",', "")
    entries = [Accepted("event-only-upstream", name, "not ours") for name in names]
    report = run(project, entries=entries)
    assert findings(report) == []
    assert all(report.used[entry] == 1 for entry in entries)
    assert findings(run(project, entries=entries[:3])) == [("event-only-upstream", "PostToolUseFailure")]


def test_an_unused_entry_fails(project):
    report = run(project, entries=[Accepted("event-only-upstream", "Setup", "not ours")])
    assert findings(report) == [("accepted-unused", "event-only-upstream Setup")]
    assert report.exit_code is ExitCode.DRIFT


def test_an_entry_for_other_versions_is_not_unused(project):
    assert findings(run(project, entries=[Accepted("event-only-upstream", "Setup", "x", versions=">2.1.296")])) == []


def test_an_expired_entry_accepts_nothing_and_fails(project):
    edit(project, r'\n    "Setup",', "")
    entry = Accepted("event-only-upstream", "Setup", "x", until=TODAY - dt.timedelta(days=1))
    assert findings(run(project, entries=[entry])) == [
        ("accepted-expired", "event-only-upstream Setup"),
        ("event-only-upstream", "Setup"),
    ]
    assert findings(run(project, entries=[replace(entry, until=TODAY)])) == []


def test_an_entry_of_a_type_that_is_reported_whole_is_not_called_unused_too(project):
    """The type went with its fields: that is said once; an entry about one of its fields is no second fault."""
    edit(project, r'(HookEntryType: TypeAlias = Literal\[.*), "mcp_tool"', r"\1")
    edit(project, r"( \| HttpHookEntryDict) \| McpToolHookEntryDict", r"\1")
    entries = [Accepted("field-looser", "mcp_tool.server", "x"), Accepted("field-looser", "prompt.prompt", "x")]
    found = findings(run(project, entries=entries))
    assert ("accepted-unused", "field-looser mcp_tool.server") not in found
    assert ("accepted-unused", "field-looser prompt.prompt") in found


# --- several places, and this side alone -----------------------------------------------------------------------------


def test_mirrors_that_contradict_each_other(project):
    edit(
        project,
        r"(hook_shells: )contract.py#HOOK_SHELLS",
        r"\1[contract.py#HOOK_SHELLS, more.py#SHELLS]",
        "driftgate.yml",
    )
    (project / "more.py").write_text('SHELLS = {"bash", "powershell"}\n')
    assert findings(run(project)) == []
    (project / "more.py").write_text('SHELLS = {"bash", "powershell", "fish"}\n')
    assert sorted(findings(run(project))) == [("mirrors-disagree", "fish"), ("shell-only-here", "fish")]


def test_constants_that_contradict_each_other(project):
    edit(project, r"  hook_entry_types: .*\n", "", "driftgate.yml")
    edit(project, r"hook_events: .*", 'hook_events: "events.py#EVENTS"', "driftgate.yml")
    (project / "events.py").write_text(f"EVENTS = {[*contract.HOOK_EVENTS]!r}\n")
    assert findings(run(project)) == []
    edit(project, r"(GuardEvent: TypeAlias = Literal\[.*)\]", r'\1, "Guardian"]')
    assert ("guard-event-only-here", "Guardian") in findings(run(project))


def test_the_shipped_constants_are_the_ones_that_the_classifier_reads():
    """The repository's own configuration is the first user."""
    config = own_config()
    read = surface_of((places[0].held for places in declarations(config).values()), "x")
    assert read.vocabularies.keys() == surface_from(CONTRACT, "x").vocabularies.keys()
    for name, vocabulary in surface_from(CONTRACT, "x").vocabularies.items():
        assert read.members(name) == vocabulary.members
    mine = surface_from(CONTRACT, "x").tables["hook_entry_fields"].rows
    assert {row: list(fields) for row, fields in read.tables["hook_entry_fields"].rows.items()} == {
        row: list(fields) for row, fields in mine.items()
    }


# --- blind -----------------------------------------------------------------------------------------------------------


def test_a_snapshot_that_lacks_a_declared_set_is_blind(project):
    edit(project, r"  guard_events:\n  - PreToolUse\n  - PermissionRequest\n", "", "2.1.296.yaml")
    edit(project, r"  guard_events: \[\]\n", "", "2.1.296.yaml")
    report = run(project)
    assert report.exit_code is ExitCode.BLIND
    assert "guard_events" in str(report.comparisons[0].problem)
    assert findings(report) == []


def test_a_snapshot_under_another_versions_name(project):
    edit(project, r"version: 2.1.296|version: \"2.1.296\"", 'version: "2.1.295"', "2.1.296.yaml")
    with pytest.raises(SnapshotError, match="another version than its name"):
        run(project)


@pytest.mark.parametrize(
    "construct", ["load()", "[x for x in load()]", "os.environ['X'].split()", "__import__('os').listdir()", "3"]
)
def test_constants_that_cannot_be_evaluated(project, construct):
    edit(project, r"hook_shells: .*", 'hook_shells: "bad.py#SHELLS"', "driftgate.yml")
    (project / "bad.py").write_text(f"import os\nSHELLS = {construct}\n")
    with pytest.raises(DeclaredError, match=r"bad.py:2"):
        run(project)


def test_equal_values_in_another_spelling_are_no_drift(project):
    """Case d09."""
    edit(project, r"hook_events: .*", 'hook_events: "events.py#EVENTS"', "driftgate.yml")
    names = [*contract.HOOK_EVENTS]
    (project / "events.py").write_text(
        f"_A = {names[:9]!r}\n_B = ({', '.join(map(repr, names[9:]))})\nEVENTS = tuple(_A + list(_B))\n"
    )
    assert findings(run(project)) == []


def test_a_declared_file_that_is_not_there(project):
    edit(project, r"hook_shells: .*", 'hook_shells: "gone.py#SHELLS"', "driftgate.yml")
    with pytest.raises(DeclaredError, match=r"gone.py"):
        run(project)


# --- against other things --------------------------------------------------------------------------------------------


def test_several_targets_are_all_compared_and_one_that_is_blind_makes_the_run_blind(project):
    config = load_config(project / "driftgate.yml")
    other = project / "other.yaml"
    other.write_text((project / "2.1.296.yaml").read_text().replace("  - Setup\n", "  - Setup\n  - Brandnew\n"))
    broken = project / "broken.yaml"
    broken.write_text("nothing")
    report = check(config, (parse_target(str(other)), parse_target(str(broken))), OFFLINE, today=TODAY)
    first, second = report.comparisons
    assert "event-only-upstream" in {finding.rule.id for finding in first.findings}
    assert isinstance(second.problem, BlindError)
    assert report.exit_code is ExitCode.BLIND


def test_the_gate_fails_from_the_chosen_severity_on(project):
    edit(project, r'\n    "Stop",', '\n    "Stop",\n    "ToolError",')
    assert run(project, fail_on=Severity.ERROR).exit_code is ExitCode.AGREES
    assert run(project, fail_on=Severity.WARNING).exit_code is ExitCode.DRIFT


# --- refresh ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def newer(project):
    text = (
        (project / "2.1.296.yaml")
        .read_text()
        .replace("2.1.296", "2.1.297")
        .replace("  - Setup\n", "  - Setup\n  - Brandnew\n")
    )
    path = project / "newer-snapshot.yaml"
    path.write_text(text)
    return path


def test_refresh_writes_the_snapshot_and_moves_the_pin(project, newer):
    config = load_config(project / "driftgate.yml")
    report = refresh(config, parse_target(str(newer)), OFFLINE)
    assert (report.old, report.new, report.written) == ("2.1.296", "2.1.297", True)
    assert [change.subject for change in report.changes] == ["Brandnew"]
    moved = load_config(project / "driftgate.yml")
    assert moved.snapshot == project / "2.1.297.yaml"
    assert load_snapshot(moved.snapshot).version == "2.1.297"
    assert (project / "driftgate.yml").read_text() == DECLARED.replace("2.1.296.yaml", "2.1.297.yaml")


def test_a_dry_run_writes_nothing(project, newer):
    before = {path.name: path.read_bytes() for path in project.iterdir()}
    report = refresh(load_config(project / "driftgate.yml"), parse_target(str(newer)), OFFLINE, dry_run=True)
    assert report.written is False
    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


def test_a_partial_read_writes_nothing(project, newer):
    newer.write_text(newer.read_text().replace("  guard_events:\n  - PreToolUse\n  - PermissionRequest\n", ""))
    before = {path.name: path.read_bytes() for path in project.iterdir()}
    with pytest.raises(BlindError, match="guard_events"):
        refresh(load_config(project / "driftgate.yml"), parse_target(str(newer)), OFFLINE)
    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


def test_a_snapshot_without_a_version_in_its_name_is_written_over(project, newer):
    (project / "2.1.296.yaml").rename(project / "snap.yaml")
    edit(project, "snapshot: 2.1.296.yaml", "snapshot: snap.yaml  # the pin", "driftgate.yml")
    refresh(load_config(project / "driftgate.yml"), parse_target(str(newer)), OFFLINE)
    assert load_snapshot(project / "snap.yaml").version == "2.1.297"
    assert "snapshot: snap.yaml  # the pin" in (project / "driftgate.yml").read_text()


def test_a_refresh_of_a_shipped_pin_makes_the_snapshot_the_projects_own(project, newer):
    config = project / "driftgate.yml"
    config.write_text(DECLARED.replace("snapshot: 2.1.296.yaml", "pin: 2.1.296"))
    assert load_config(config).snapshot != project / "snapshots/claude-code/2.1.296.yaml"
    report = refresh(load_config(config), parse_target(str(newer)), OFFLINE, dry_run=True)
    assert not report.path.exists()
    refresh(load_config(config), parse_target(str(newer)), OFFLINE)
    moved = load_config(config)
    assert moved.snapshot == project / "snapshots/claude-code/2.1.297.yaml" == report.path
    assert load_snapshot(moved.snapshot).version == "2.1.297"
    assert config.read_text() == DECLARED.replace("snapshot: 2.1.296.yaml", "pin: 2.1.297")


def test_a_refresh_keeps_the_line_ends_and_the_link_of_the_configuration(project, newer):
    config = project / "driftgate.yml"
    (project / "real.yml").write_bytes(DECLARED.replace("\n", "\r\n").encode())
    config.unlink()
    config.symlink_to("real.yml")
    refresh(load_config(config), parse_target(str(newer)), OFFLINE)
    assert config.is_symlink()
    moved = DECLARED.replace("2.1.296.yaml", "2.1.297.yaml").replace("\n", "\r\n")
    assert (project / "real.yml").read_bytes() == moved.encode()


def test_a_full_disk_leaves_everything_and_is_named(project, newer, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    before = {path.name: path.read_bytes() for path in project.iterdir()}
    with pytest.raises(OSError, match="No space left") as caught:
        refresh(load_config(project / "driftgate.yml"), parse_target(str(newer)), OFFLINE)
    assert caught.value.filename == str(project / "2.1.297.yaml")
    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


def test_a_pin_finds_the_projects_own_snapshot_first(project):
    (project / "snapshots/claude-code").mkdir(parents=True)
    own = (project / "2.1.296.yaml").rename(project / "snapshots/claude-code/2.1.296.yaml")
    (project / "driftgate.yml").write_text(DECLARED.replace("snapshot: 2.1.296.yaml", "pin: 2.1.296"))
    assert load_config(project / "driftgate.yml").snapshot == own


def test_without_a_project_nothing_is_refreshed():
    with pytest.raises(ConfigError, match="no project here"):
        refresh(replace(own_config(), builtin=True), parse_target("latest"), OFFLINE)


# --- what stands close by --------------------------------------------------------------------------------------------


def test_a_class_for_an_event_that_the_union_lacks_is_said_and_proves_nothing(project):
    """Case a13."""
    edit(project, r"hook_events: .*", 'hook_events: "types.py#HookEvent"', "driftgate.yml")
    names = [name for name in contract.HOOK_EVENTS if name != "SubagentStart"]
    (project / "types.py").write_text(
        "from typing import Literal, TypedDict\n"
        "class SubagentStartHookInput(TypedDict):\n"
        '    hook_event_name: Literal["SubagentStart"]\n'
        f"HookEvent = {' | '.join(f'Literal[{name!r}]' for name in names)}\n"
    )
    report = run(project)
    assert findings(report) == [("event-only-upstream", "SubagentStart")]
    (finding,) = report.all_findings()
    assert finding.also == ("type SubagentStartHookInput at types.py:3:30 states it",)


def docs(project, rows):
    (project / "hooks.md").write_text(
        "# Hooks\n\nprose\n\n## Events\n\n| Event | When |\n|---|---|\n"
        + "".join(f"| `{name}` | x |\n" for name in rows)
    )
    edit(project, r"\Z", '\ndocs:\n  hook_events: "hooks.md#Events/Event"\n', "driftgate.yml")


def test_a_gap_in_the_docs_is_said_and_is_no_drift(project):
    """Cases a04 and a05."""
    docs(project, [name for name in contract.HOOK_EVENTS if name not in {"SessionEnd", "PreCompact"}])
    report = run(project)
    assert report.exit_code is ExitCode.AGREES
    (notice,) = report.comparisons[0].notices
    assert notice.startswith("hook_events SessionEnd, PreCompact: absent from docs hooks.md#Events/Event")
    assert "removed" not in notice


def test_prose_of_the_docs_does_not_matter_and_a_table_that_is_gone_is_blind(project):
    """Case d10."""
    docs(project, contract.HOOK_EVENTS)
    assert run(project).comparisons[0].notices == ()
    edit(project, "prose", "other prose ![flag](https://example.com/new.png)", "hooks.md")
    assert run(project).comparisons[0].notices == ()
    edit(project, "## Events", "## Happenings", "hooks.md")
    with pytest.raises(DeclaredError, match="Events"):
        run(project)


# --- never green, and never written, without having looked -----------------------------------------------------------


def test_targets_are_never_replaced_by_the_snapshot(project):
    with pytest.raises(UsageError, match="how to fetch"):
        check(load_config(project / "driftgate.yml"), (LATEST,), None, today=TODAY)


def test_options_without_targets_compare_with_the_snapshot(project):
    """How to fetch, and nothing to fetch: that is the offline check."""
    config = load_config(project / "driftgate.yml")
    report = check(config, (), OFFLINE, today=TODAY)
    assert [one.against for one in report.comparisons] == ["snapshot"]
    assert report == check(config, (), None, today=TODAY)


def test_what_a_second_place_leaves_unsaid_is_blind(project):
    """An enum whose values stand elsewhere, in a mirror beside one that states them."""
    config = load_config(project / "driftgate.yml")
    table = declarations(config)["hook_entry_fields"][0].held
    assert isinstance(table, FieldTable)
    rows = {
        row: tuple(replace(field, values=None) if field.values else field for field in fields)
        for row, fields in table.rows.items()
    }
    declared = {"hook_entry_fields": (Declaration("a", table), Declaration("b", replace(table, rows=rows)))}
    run = _Check(config, declared, load_snapshot(project / "2.1.296.yaml"), TODAY)
    comparison = run.compare("snapshot", run.snapshot)
    assert "the values of command.shell" in str(comparison.problem)


def test_an_entry_for_some_releases_says_nothing_of_an_artefact_without_one():
    entry = Accepted("event-only-upstream", "Setup", "x", versions=">=2.1.0")
    assert entry.applies_to("2.1.5")
    assert not entry.applies_to(None)
    assert replace(entry, versions=None).applies_to(None)


def test_a_first_snapshot_of_a_part_is_not_written(project, newer):
    newer.write_text(newer.read_text().replace("  guard_events:\n  - PreToolUse\n  - PermissionRequest\n", ""))
    (project / "2.1.296.yaml").unlink()
    before = {path.name: path.read_bytes() for path in project.iterdir()}
    with pytest.raises(BlindError, match="guard_events"):
        refresh(load_config(project / "driftgate.yml"), parse_target(str(newer)), OFFLINE)
    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


def test_public_fields_alone_are_no_snapshot(project, monkeypatch):
    observed = observed_contract("2.1.297")
    table = replace(observed.tables["hook_entry_fields"], complete=False)
    partial = replace(observed, tables={table.name: table})
    monkeypatch.setattr("driftgate.gate.refresh.observe", lambda *_, **__: partial)
    with pytest.raises(BlindError, match="its public fields only"):
        refresh(load_config(project / "driftgate.yml"), parse_target("2.1.297"), OFFLINE)
    assert not (project / "2.1.297.yaml").exists()
