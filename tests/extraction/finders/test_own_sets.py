"""Sets of a project's own, from its configuration through snapshot, check and refresh."""

import json

import pytest

from driftgate.anchors import FetchOptions
from driftgate.cli import main
from driftgate.errors import BlindError, ConfigError, ExitCode, ExtractionError
from driftgate.gate.check import check
from driftgate.gate.refresh import refresh
from driftgate.gate.target import parse_target
from driftgate.project.reading import load_config
from driftgate.snapshot import load_snapshot
from tests.anchors.conftest import pack
from tests.upstreams import bundles

OFFLINE = FetchOptions(offline=True)

CONFIG = """
upstream: opencode
snapshot: snapshot.yaml
declared:
  hook_events: mirror.ts#Hooks
vocabularies:
  modes:
    export: Mode
    declared: mirror.ts#MODES
  inputs:
    export: "*Input"
    least: 2
    declared: "mirror.ts#*Input"
"""

MIRROR = (
    "export interface Hooks { "
    + "; ".join(f'"{event}"?: unknown' for event in bundles.OPENCODE)
    + " }\nexport const MODES = ['ask', 'plan'] as const;\n"
    "export type StartInput = { id: string; source: 'a' | 'b' };\n"
    "export interface StopInput { active?: boolean }\n"
)


def package(version, modes, stop):
    files = bundles.opencode()
    types = (
        f"export type Mode = {' | '.join(repr(mode) for mode in modes)};\n"
        "export interface StartInput { id: string; source: 'b' | 'a' }\n"
        f"export type StopInput = {{ {stop} }};\n"
    )
    manifest = json.dumps({"name": "@opencode-ai/plugin", "version": version})
    return pack({n: t.encode() for n, t in {**files, "dist/types.d.ts": types, "package.json": manifest}.items()})


@pytest.fixture
def project(tmp_path):
    (tmp_path / "driftgate.yml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "mirror.ts").write_text(MIRROR, encoding="utf-8")
    (tmp_path / "1.tgz").write_bytes(package("1.0.0", ("plan", "ask"), "active?: boolean"))
    (tmp_path / "2.tgz").write_bytes(package("2.0.0", ("plan", "ask", "auto"), "active: boolean; reason?: string"))
    return tmp_path


def load(project):
    return load_config(project / "driftgate.yml")


def test_refresh_writes_them_and_check_agrees(project):
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    snapshot = load_snapshot(project / "snapshot.yaml")
    assert snapshot.members("modes") == ("plan", "ask")
    assert list(snapshot.tables["inputs"].rows) == ["StartInput", "StopInput"]
    assert snapshot.vocabularies["modes"].evidence[0].place.source == "package/dist/types.d.ts"
    report = check(load(project), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert set(report.comparisons[0].counts) == {"hook_events", "modes", "inputs"}


def test_check_finds_exactly_the_differences(project):
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    report = check(load(project), (parse_target(str(project / "2.tgz")),), OFFLINE)
    assert report.exit_code is ExitCode.DRIFT
    assert sorted((found.rule.id, found.of, found.subject) for found in report.all_findings()) == [
        ("field-only-upstream", "inputs", "StopInput.reason"),
        ("field-requiredness", "inputs", "StopInput.active"),
        ("member-only-upstream", "modes", "auto"),
    ]
    assert all(found.severity.value != "notice" for found in report.all_findings())


def test_a_set_that_the_snapshot_does_not_hold_yet_is_blind(project):
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    more = CONFIG + "  more:\n    export: Mode\n    declared: mirror.ts#MODES\n"
    (project / "driftgate.yml").write_text(more, encoding="utf-8")
    assert check(load(project), (), None).exit_code is ExitCode.BLIND
    assert refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE).written
    assert check(load(project), (), None).exit_code is ExitCode.AGREES


def test_a_set_that_is_no_longer_asked_for_leaves_the_snapshot(project):
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    (project / "driftgate.yml").write_text(CONFIG[: CONFIG.index("  inputs:")], encoding="utf-8")
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    assert not load_snapshot(project / "snapshot.yaml").tables


def test_a_set_that_cannot_be_found_writes_no_snapshot(project):
    (project / "driftgate.yml").write_text(CONFIG.replace("export: Mode", "export: Modes"), encoding="utf-8")
    with pytest.raises(BlindError, match="modes: not found"):
        refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    assert not (project / "snapshot.yaml").exists()


def test_extract_shows_them_too(project, monkeypatch, capsys):
    monkeypatch.chdir(project)
    assert main(["extract", "./1.tgz", "--offline"]) == 0
    out = capsys.readouterr().out
    assert "modes: 2" in out
    assert "StartInput" in out
    assert main(["extract", "./1.tgz", "--offline", "--upstream", "opencode"]) == 0
    assert "modes" not in capsys.readouterr().out


def test_a_type_declared_here_is_compared_by_the_names_of_its_fields(project):
    config = CONFIG.replace("export: Mode", "export: StartInput").replace("#MODES", "#StartInput")
    (project / "driftgate.yml").write_text(config, encoding="utf-8")
    refresh(load(project), parse_target(str(project / "1.tgz")), OFFLINE)
    report = check(load(project), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].counts["modes"].agree == 2


IN_BUNDLE = """
upstream: gemini-cli
snapshot: snapshot.yaml
vocabularies:
  kinds:
    contains: [command, runtime]
    used-by: Object.values(X)
    least: 2
    declared: mirror.py#KINDS
"""


def test_a_set_of_a_bundle_by_its_use(tmp_path):
    files = dict(bundles.gemini())
    files["bundle/chunk-A.js"] += bundles.enum(("command", "runtime"), "Kind") + "x=Object.values(Kind);"
    files["bundle/chunk-C.js"] += 'y=["command","runtime","function"];'
    manifest = {"package.json": json.dumps({"name": "@google/gemini-cli", "version": "1.0.0"})}
    (tmp_path / "a.tgz").write_bytes(pack({name: text.encode() for name, text in {**files, **manifest}.items()}))
    (tmp_path / "mirror.py").write_text('KINDS = ("command", "plugin")\n', encoding="utf-8")
    (tmp_path / "driftgate.yml").write_text(IN_BUNDLE, encoding="utf-8")
    refresh(load(tmp_path), parse_target(str(tmp_path / "a.tgz")), OFFLINE)
    report = check(load(tmp_path), (), None)
    found = {(each.rule.id, each.subject) for each in report.all_findings()}
    assert found == {("member-only-upstream", "runtime"), ("member-only-here", "plugin")}
    (tmp_path / "driftgate.yml").write_text(IN_BUNDLE.replace("used-by", "# used-by"), encoding="utf-8")
    with pytest.raises(ExtractionError, match="several sets"):
        refresh(load(tmp_path), parse_target(str(tmp_path / "a.tgz")), OFFLINE)


WRONG = [
    ("used-by: Object.values(X)", "used-by: Object.values()", "where the set stands"),
    ("least: 2", "least: 0", "least"),
    ("least: 2", "form: list", "no form"),
    ("contains: [command, runtime]", "contains: []", "empty"),
    ("contains: [command, runtime]", "uses: x", "uses"),
    ("declared: mirror.py#KINDS", "least: 3", "declared"),
]


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_a_configuration_that_is_wrong_says_what(tmp_path, old, new, words):
    text = IN_BUNDLE.replace("    least: 2\n", "") if "least: 3" in new else IN_BUNDLE
    (tmp_path / "driftgate.yml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=words):
        load(tmp_path)


# --- the real SDK ----------------------------------------------------------------------------------------------------

REAL = """
snapshot: snapshot.yaml
vocabularies:
  permission_modes:
    contains: [acceptEdits, plan]
    used-by: enum(X)
    least: 4
    declared: mirror.py#MODES
  modes_by_type:
    export: PermissionMode
    declared: mirror.py#MODES
  hook_inputs:
    export: "*HookInput"
    least: 20
    declared: "mirror.py#*HookInput"
"""


@pytest.mark.upstream
def test_the_permission_modes_and_hook_inputs_of_the_real_sdk(tmp_path):
    (tmp_path / "mirror.py").write_text("MODES = ()\n", encoding="utf-8")
    (tmp_path / "driftgate.yml").write_text(REAL, encoding="utf-8")
    refresh(load(tmp_path), parse_target("2.1.332"), FetchOptions())
    snapshot = load_snapshot(tmp_path / "snapshot.yaml")
    modes = {"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"}
    assert set(snapshot.members("permission_modes")) == set(snapshot.members("modes_by_type")) == modes
    rows = snapshot.tables["hook_inputs"].rows
    assert len(rows) == 35
    # Each event has an input type, which says its name: the events once more, and the same ones.
    named = {
        field.values[0] for row in rows.values() for field in row if field.name == "hook_event_name" and field.values
    }
    assert named == set(snapshot.members("hook_events"))
