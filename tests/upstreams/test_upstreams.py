"""Every upstream of the catalogue: read from small packages in its structure, and blind where it must be."""

import json
from pathlib import Path

import pytest

from driftgate.anchors import FetchOptions
from driftgate.cli import main
from driftgate.errors import ConfigError, ExitCode, ExtractionError, SnapshotError, UsageError
from driftgate.extraction.finders.missing import NotStatedError
from driftgate.extraction.published import read_published
from driftgate.gate.check import check
from driftgate.gate.observe import observe
from driftgate.gate.refresh import refresh
from driftgate.gate.target import parse_target
from driftgate.project.reading import load_config
from driftgate.snapshot import load_snapshot, write_snapshot
from driftgate.surface import HOOK_EVENTS_SET
from driftgate.upstreams import catalogue
from driftgate.upstreams.catalogue import UPSTREAMS, Published, Upstream, program_of
from driftgate.upstreams.finder import Finder
from driftgate.upstreams.program import Package, Program
from driftgate.upstreams.shipped import snapshots_dir
from driftgate.versions import is_version
from tests.anchors.conftest import pack
from tests.extraction.finders.packages import artefact
from tests.upstreams import bundles, codex

OFFLINE = FetchOptions(offline=True)
PUBLISHED = {
    "gemini-cli": (bundles.gemini, bundles.GEMINI),
    "qwen-code": (bundles.qwen, bundles.QWEN),
    "opencode": (bundles.opencode, bundles.OPENCODE),
}


def read(name, files):
    row = UPSTREAMS[name]
    return read_published(row, artefact(files, package=row.package or "", version="9.8.7"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_events_are_read_with_evidence_and_nothing_else_is_stated(name):
    package, events = PUBLISHED[name]
    surface = read(name, package())
    assert surface.version == "9.8.7"
    assert surface.title == f"{UPSTREAMS[name].title} 9.8.7"
    assert surface.members(HOOK_EVENTS_SET) == events
    assert list(surface.vocabularies) == [HOOK_EVENTS_SET]
    assert not surface.tables
    assert not surface.notices
    (evidence,) = surface.vocabularies[HOOK_EVENTS_SET].evidence
    assert evidence.origin.package == UPSTREAMS[name].package
    assert evidence.place.offset is not None
    assert all(set(witness.members or ()) == set(events) for witness in evidence.witnesses)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_new_event_is_read(name):
    package, events = PUBLISHED[name]
    assert (
        read(name, package((*events, "Brand.New" if name == "opencode" else "BrandNew")))
        .members(HOOK_EVENTS_SET)[-1]
        .startswith("Brand")
    )


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_withheld_set_is_blind(name):
    with pytest.raises(NotStatedError, match="hook_events: not found") as caught:
        read(
            name,
            {"bundle/a.js": bundles.DECOYS, "chunks/a.js": bundles.DECOYS, "dist/index.d.ts": "export type A = 1;"},
        )
    assert "renamed, moved or withheld" in caught.value.next


BLIND = {
    "another use": ("gemini-cli", {"bundle/a.js": bundles.enum(bundles.GEMINI) + "Object.keys(Names)"}, NotStatedError),
    "renamed members": (
        "gemini-cli",
        {"bundle/a.js": bundles.enum(e.lower() for e in bundles.GEMINI) + bundles.CHECK},
        NotStatedError,
    ),
    "fewer than there can be": (
        "gemini-cli",
        {"bundle/a.js": bundles.enum(bundles.GEMINI[:4]) + bundles.CHECK},
        NotStatedError,
    ),
    "copies that differ": (
        "gemini-cli",
        {
            "bundle/a.js": bundles.enum(bundles.GEMINI) + bundles.CHECK,
            "bundle/b.js": bundles.enum((*bundles.GEMINI, "More")) + bundles.CHECK,
        },
        ExtractionError,
    ),
    "another interface": ("opencode", bundles.opencode(name="HooksV2"), NotStatedError),
    "an interface that no plugin returns": (
        "opencode",
        {"dist/index.d.ts": bundles.opencode()["dist/index.d.ts"].replace("Promise<Hooks>", "void")},
        NotStatedError,
    ),
}


@pytest.mark.parametrize("case", BLIND)
def test_moved_renamed_or_contradictory_sets_are_blind(case):
    name, files, error = BLIND[case]
    with pytest.raises(error):
        read(name, files)


def test_a_core_that_is_a_package_of_its_own_is_read():
    files = bundles.gemini_core()
    row = UPSTREAMS["gemini-cli"]
    surface = read_published(row, artefact(files, package="@google/gemini-cli-core", version="0.34.0"))
    assert surface.members(HOOK_EVENTS_SET) == bundles.GEMINI
    unused = {**files, "dist/src/hooks/registry.js": bundles.CHECK}
    with pytest.raises(NotStatedError):
        read_published(row, artefact(unused, package="@google/gemini-cli-core", version="0.34.0"))


def test_two_readings_that_disagree_are_blind_and_both_are_shown():
    files = {**bundles.qwen(), "chunks/chunk-B.js": bundles.qwen((*bundles.QWEN, "Extra"))["chunks/chunk-B.js"]}
    with pytest.raises(ExtractionError, match="contradicts itself") as caught:
        read("qwen-code", files)
    assert "8 in package/chunks/chunk-B.js" in caught.value.found
    assert "only there: Extra" in caught.value.found


def test_what_a_describing_place_lacks_is_said_and_no_more():
    files = {**bundles.qwen(), "chunks/chunk-C.js": bundles.settings(bundles.QWEN[:-1])}
    surface = read("qwen-code", files)
    assert surface.members(HOOK_EVENTS_SET) == bundles.QWEN
    (notice,) = surface.notices
    assert notice.endswith(f"describes hook_events and lacks {bundles.QWEN[-1]}")


CODEX = 'pub const HOOK_EVENT_NAMES: [&str; 4] = ["PreToolUse", "PostToolUse", "SessionStart", "Stop"];\n'
FX = (
    "pub const Kind = enum { before, after };\n"
    "pub const HookKind = enum { a, b, pub fn definition(k: HookKind) D { return switch (k) {"
    ' .a => .{ .lifecycle_event = "PreToolUse" }, .b => .{ .lifecycle_event = "Stop" }, }; } };\n'
    "pub const D = struct { lifecycle_event: []const u8 };\n"
)
WRITTEN = {"codex": (CODEX, ("PreToolUse", "PostToolUse", "SessionStart", "Stop")), "fx": (FX, ("PreToolUse", "Stop"))}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("whole_tree", [True, False])
def test_a_checkout_or_its_file_is_read(tmp_path, name, whole_tree):
    text, events = WRITTEN[name]
    (row,) = UPSTREAMS[name].written
    file = tmp_path / row.path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    surface = observe(parse_target(str(tmp_path if whole_tree else file)), OFFLINE, upstream=name)
    assert surface.members(HOOK_EVENTS_SET) == events
    assert surface.vocabularies[HOOK_EVENTS_SET].places[events[0]].line is not None


def test_the_snapshot_of_a_checkout_names_no_artefact(tmp_path):
    file = tmp_path / "codex" / UPSTREAMS["codex"].written[0].path
    file.parent.mkdir(parents=True)
    file.write_text(WRITTEN["codex"][0], encoding="utf-8")
    (tmp_path / "mirror.py").write_text(f"EVENTS = {WRITTEN['codex'][1]!r}\n", encoding="utf-8")
    config = tmp_path / "driftgate.yml"
    config.write_text(
        "upstream: codex\nsnapshot: s.yaml\ndeclared: {hook_events: mirror.py#EVENTS}\n", encoding="utf-8"
    )
    refresh(load_config(config), parse_target(str(tmp_path / "codex")), OFFLINE)
    report = check(load_config(config), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].anchors == ()


def test_a_tree_whose_set_is_gone_is_blind(tmp_path):
    file = tmp_path / UPSTREAMS["codex"].written[0].path
    file.parent.mkdir(parents=True)
    file.write_text('pub const HOOK_EVENT_NAMES: [&str; 1] = ["Stop"];\n', encoding="utf-8")
    with pytest.raises(ExtractionError, match="smaller than it must be"):
        observe(parse_target(str(tmp_path)), OFFLINE, upstream="codex")


def test_an_upstream_without_releases_says_what_it_needs():
    with pytest.raises(UsageError, match="no releases") as caught:
        observe(parse_target("1.2.3"), OFFLINE, upstream="codex")
    assert "codex-rs/hooks/src/lib.rs" in caught.value.expected


def test_an_upstream_that_is_not_known_names_the_nearest():
    with pytest.raises(UsageError, match="gemini-cli"):
        observe(parse_target("latest"), OFFLINE, upstream="gemini")


def test_every_published_row_has_packages_and_least_sizes():
    for row in UPSTREAMS.values():
        assert row.package or row.written
        if row.package:
            found = program_of(row.package)
            assert found is not None
            assert found[0].title == row.title
        for published in row.published:
            assert all(way.least > 1 for way in (*published.ways, *published.described))


SHIPPED = sorted(path for path in snapshots_dir().glob("*/*.yaml") if is_version(path.stem))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_snapshot_that_is_shipped_is_of_a_known_upstream(path):
    surface = load_snapshot(path)
    assert surface.title.startswith(f"{UPSTREAMS[path.parent.name].title} {path.stem}")


# --- through the gate ------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path):
    """A project that mirrors Gemini CLI, and two releases of it as tarballs."""
    for version, events in (("1.0.0", bundles.GEMINI), ("1.1.0", (*bundles.GEMINI[1:], "BrandNew"))):
        events = events if "BeforeTool" in events else ("BeforeTool", *events[:-2], events[-1])
        files = {
            **bundles.gemini(events),
            "package.json": json.dumps({"name": "@google/gemini-cli", "version": version}),
        }
        (tmp_path / f"{version}.tgz").write_bytes(pack({name: text.encode() for name, text in files.items()}))
    (tmp_path / "hooks.ts").write_text(
        f"export const EVENTS = {json.dumps(bundles.GEMINI)} as const;\n", encoding="utf-8"
    )
    (tmp_path / "driftgate.yml").write_text(
        "upstream: gemini-cli\nsnapshot: snapshot.yaml\ndeclared:\n  hook_events: hooks.ts#EVENTS\n", encoding="utf-8"
    )
    return tmp_path


def test_refresh_and_check_with_another_upstream(project):
    config = load_config(project / "driftgate.yml")
    refresh(config, parse_target(str(project / "1.0.0.tgz")), OFFLINE)
    assert check(config, (), None).exit_code is ExitCode.AGREES
    report = check(config, (parse_target(str(project / "1.1.0.tgz")),), OFFLINE)
    assert report.exit_code is ExitCode.DRIFT
    found = [(each.rule.id, each.subject, each.severity.value) for each in report.all_findings()]
    gone = (
        set(bundles.GEMINI) - set(observe(parse_target(str(project / "1.1.0.tgz")), OFFLINE).members(HOOK_EVENTS_SET))
    ).pop()
    assert sorted(found) == [
        ("event-only-here", gone, "warning"),
        ("event-only-upstream", "BrandNew", "warning"),
    ]
    assert not any(each.impacts for each in report.all_findings())


def test_a_snapshot_of_another_upstream_is_no_snapshot(project):
    refresh(load_config(project / "driftgate.yml"), parse_target(str(project / "1.0.0.tgz")), OFFLINE)
    file = project / "driftgate.yml"
    file.write_text(file.read_text(encoding="utf-8").replace("gemini-cli", "qwen-code"), encoding="utf-8")
    with pytest.raises(SnapshotError, match="another upstream"):
        check(load_config(file), (), None)


def test_a_configuration_with_an_unknown_upstream_is_an_error(project):
    file = project / "driftgate.yml"
    file.write_text(file.read_text(encoding="utf-8").replace("gemini-cli", "gemni-cli"), encoding="utf-8")
    with pytest.raises(ConfigError, match="gemini-cli"):
        load_config(file)


# --- the real packages -----------------------------------------------------------------------------------------------

REAL = {
    "gemini-cli": ("0.61.0", 11),
    "qwen-code": ("0.24.4", 22),
    "opencode": ("1.18.33", 21),
}


@pytest.mark.upstream
def test_a_real_release_of_the_time_before_the_bundle():
    surface = observe(parse_target("0.34.0"), FetchOptions(), upstream="gemini-cli")
    assert surface.version == "0.34.0"
    assert len(surface.members(HOOK_EVENTS_SET)) == 11
    (evidence,) = surface.vocabularies[HOOK_EVENTS_SET].evidence
    assert evidence.origin.package == "@google/gemini-cli-core"


@pytest.mark.upstream
@pytest.mark.parametrize("name", REAL)
def test_the_real_package_states_what_the_snapshot_says(name):
    version, size = REAL[name]
    surface = observe(parse_target(version), FetchOptions(), upstream=name)
    snapshot = load_snapshot(Path(snapshots_dir()) / name / f"{version}.yaml")
    assert surface.members(HOOK_EVENTS_SET) == snapshot.members(HOOK_EVENTS_SET)
    assert len(surface.members(HOOK_EVENTS_SET)) == size


def test_a_new_upstream_is_one_row(monkeypatch, tmp_path, capsys):
    """A row is all that it takes: title, package, releases and sets, in every room that names upstreams."""
    row = Upstream(
        "toy",
        Program("Toy Shop", Package("@toy/shop", ("lib/*.js",))),
        published=(Published(HOOK_EVENTS_SET, (Finder(contains=("Opened", "Closed"), least=2),)),),
    )
    monkeypatch.setitem(catalogue._TABLE, row.name, row)
    manifest = {"package.json": json.dumps({"name": "@toy/shop", "version": "1.2.3"}).encode()}
    (tmp_path / "toy.tgz").write_bytes(pack({**manifest, "lib/a.js": b'var E=["Opened","Closed","Robbed"];'}))
    surface = observe(parse_target("./toy.tgz", tmp_path), OFFLINE)
    assert surface.title == "Toy Shop 1.2.3"
    assert surface.members(HOOK_EVENTS_SET) == ("Opened", "Closed", "Robbed")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.driftgate]\nupstream = "toy"\npin = "1.2.3"\n[tool.driftgate.declared]\nhook_events = "e.py#E"\n',
        encoding="utf-8",
    )
    (tmp_path / "e.py").write_text('E = ("Opened", "Closed", "Robbed")\n', encoding="utf-8")
    write_snapshot(tmp_path / "snapshots" / "toy" / "1.2.3.yaml", surface, row.name)
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0
    (tmp_path / "e.py").write_text('E = ("Opened", "Closed")\n', encoding="utf-8")
    assert main(["check", "--against", "./toy.tgz", "--offline"]) == 1
    assert "Toy Shop 1.2.3" in capsys.readouterr().out


def test_codex_is_recorded_with_its_provenance():
    snapshot = load_snapshot(Path(snapshots_dir()) / "codex" / "0.171.0.yaml")
    assert snapshot.title == "Codex 0.171.0 (snapshot)"
    assert len(snapshot.members(HOOK_EVENTS_SET)) == 14
    (evidence,) = snapshot.vocabularies[HOOK_EVENTS_SET].evidence
    assert (evidence.origin.package, evidence.origin.version) == ("@openai/codex", "0.171.0-linux-x64")
    assert evidence.origin.integrity
    assert evidence.origin.integrity.startswith("sha512-")


@pytest.mark.upstream
@pytest.mark.client
def test_codex_prints_what_is_recorded(tmp_path):
    surface = codex.observed("0.171.0", tmp_path)
    snapshot = load_snapshot(Path(snapshots_dir()) / "codex" / "0.171.0.yaml")
    assert surface.members(HOOK_EVENTS_SET) == snapshot.members(HOOK_EVENTS_SET)
    (printed,), (recorded,) = (each.vocabularies[HOOK_EVENTS_SET].evidence for each in (surface, snapshot))
    assert printed.origin.integrity == recorded.origin.integrity
    assert (printed.place.source, printed.place.offset) == (recorded.place.source, recorded.place.offset)
