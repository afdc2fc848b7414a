"""`driftgate init`: what is found in a project and why, what is written, and what is never touched."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from driftgate.anchors import FetchOptions
from driftgate.cli import main
from driftgate.declared import file_surface
from driftgate.errors import BlindError, ConfigError, ExitCode, UsageError
from driftgate.gate.check import check
from driftgate.init import mirrors, workflow
from driftgate.init.known import newest_snapshot
from driftgate.init.plan import plan
from driftgate.init.tree import Walk
from driftgate.init.write import write
from driftgate.project.reading import load_config, load_project
from driftgate.snapshot import load_snapshot
from driftgate.surface import HOOK_ENTRY_TYPES_SET, HOOK_EVENTS_SET

OFFLINE = FetchOptions(offline=True)
REPOSITORY = Path(__file__).parents[2]


def shipped(upstream):
    path = newest_snapshot(upstream)
    assert path is not None
    return load_snapshot(path)


EVENTS = shipped("claude-code").members(HOOK_EVENTS_SET)
TYPES = shipped("claude-code").members(HOOK_ENTRY_TYPES_SET)


def listed(names):
    return ", ".join(json.dumps(name) for name in names)


@pytest.fixture
def project(tmp_path):
    (tmp_path / ".git").mkdir()
    return tmp_path


def add(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def files_of(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


LANGUAGES = {
    "src/hooks.py": (f"HOOK_EVENTS = ({listed(EVENTS)})\n", "src/hooks.py#HOOK_EVENTS"),
    "src/hooks.ts": (f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n", "src/hooks.ts#HOOK_EVENTS"),
    "types/hooks.d.ts": (
        f"export declare const HOOK_EVENTS: readonly [{listed(EVENTS)}];\n",
        "types/hooks.d.ts#HOOK_EVENTS",
    ),
    "src/hooks.rs": (
        f"pub const HOOK_EVENTS: [&str; {len(EVENTS)}] = [{listed(EVENTS)}];\n",
        "src/hooks.rs#HOOK_EVENTS",
    ),
    "hooks/events.go": (
        f"package hooks\n\nvar HookEvents = []string{{{listed(EVENTS)}}}\n",
        "hooks/events.go#HookEvents",
    ),
    "src/hooks.zig": (f"pub const hook_events = [_][]const u8{{ {listed(EVENTS)} }};\n", "src/hooks.zig#hook_events"),
    "settings.schema.json": (
        json.dumps({"properties": {"hooks": {"propertyNames": {"enum": EVENTS}}}}),
        None,
    ),
    "hooks.json": (json.dumps({"hookEvents": EVENTS}), "hooks.json#/hookEvents"),
    "hooks.yaml": ("hookEvents:\n" + "".join(f"  - {event}\n" for event in EVENTS), "hooks.yaml#/hookEvents"),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_mirror_is_found_in_every_language(project, name):
    text, spec = LANGUAGES[name]
    add(project, name, text)
    found = plan(project, OFFLINE)
    assert found.upstreams == ("claude-code",)
    (mirror,) = found.mirrors
    assert (mirror.set, mirror.same, mirror.missing, mirror.beyond) == (HOOK_EVENTS_SET, EVENTS, (), ())
    assert mirror.place.line is not None
    assert spec in (None, mirror.spec) or str(mirror.spec).replace("#", "#/") == spec
    write(found)
    report = check(load_config(project / "driftgate.yml"), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].counts[HOOK_EVENTS_SET].agree == len(EVENTS)


def test_every_place_and_the_other_sets_with_it(project):
    add(project, "a/hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    add(project, "b/hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\nHOOK_ENTRY_TYPES = ({listed(TYPES)})\n")
    add(project, "c/other.py", "HOOK_EVENTS = ('on_start', 'on_stop', 'on_error')\nSHELLS = ('fish',)\n")
    config = write_and_load(project)
    assert dict(config.declared) == {
        HOOK_EVENTS_SET: ("a/hooks.ts#HOOK_EVENTS", "b/hooks.py#HOOK_EVENTS"),
        HOOK_ENTRY_TYPES_SET: ("b/hooks.py#HOOK_ENTRY_TYPES",),
    }


def test_the_name_of_the_file_may_say_what_its_list_is(project):
    add(project, "src/events.ts", f"export const ALL = [{listed(EVENTS)}] as const;\n")
    assert write_and_load(project).declared[HOOK_EVENTS_SET] == ("src/events.ts#ALL",)


def test_lists_of_other_programs_and_parts_of_lists_are_shown_and_not_configured(project):
    add(project, "hooks/claude.py", f"HOOK_EVENTS = ({listed(EVENTS[:-2])})\nHOOK_ENTRY_TYPES = ({listed(TYPES)})\n")
    add(project, "hooks/other.py", f"HOOK_EVENTS = ({listed((*STALE, 'OnlyThere'))})\nHOOK_SHELLS = ('bash',)\n")
    add(project, "else/more.py", f"MATCHED_EVENTS = ({listed(EVENTS[:9])})\nHOOK_TYPES = ({listed(TYPES)})\n")
    found = plan(project, OFFLINE)
    assert [mirror.spec for mirror in found.mirrors] == [
        "hooks/claude.py#HOOK_EVENTS",
        "hooks/claude.py#HOOK_ENTRY_TYPES",
    ]
    assert {mirror.path for mirror in found.others} == {"hooks/other.py", "else/more.py"}


def write_and_load(project):
    write(plan(project, OFFLINE))
    return load_config(project / "driftgate.yml")


STALE = (
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "PreCompact",
)

TIED = f"export const hookEvents = [{listed(STALE)}];"

WHOSE = {
    "stale, and called so": ("claude-code", "hooks.ts", f"export const claudeHookEvents = [{listed(STALE)}];"),
    "stale, in a file called so": ("claude-code", "claude/hooks.ts", f"export const hookEvents = [{listed(STALE)}];"),
    "one name that only it has": (
        "claude-code",
        "hooks.ts",
        f"export const hookEvents = [{listed((*STALE, 'Setup'))}];",
    ),
    "the file speaks of it": (
        "qwen-code",
        "hooks.ts",
        f"// events of Qwen Code\nexport const hookEvents = [{listed(STALE)}];",
    ),
    "names of its own": (
        "qwen-code",
        "hooks.ts",
        f"export const hookEvents = [{listed(shipped('qwen-code').members(HOOK_EVENTS_SET))}];",
    ),
    "another family": (
        "gemini-cli",
        "hooks.py",
        f"EVENTS = [{listed(shipped('gemini-cli').members(HOOK_EVENTS_SET))}]",
    ),
    "keys of an interface": (
        "opencode",
        "hooks.d.ts",
        "export interface Hooks { "
        + "; ".join(f"{json.dumps(event)}?: unknown" for event in shipped("opencode").members(HOOK_EVENTS_SET))
        + " }",
    ),
}


@pytest.mark.parametrize("case", WHOSE)
def test_whose_set_it_is(project, case):
    upstream, name, text = WHOSE[case]
    add(project, name, text)
    found = plan(project, OFFLINE)
    assert found.upstreams == (upstream,)
    write(found)
    text = (project / "driftgate.yml").read_text(encoding="utf-8").replace('reason: ""', 'reason: "known"')
    (project / "driftgate.yml").write_text(text, encoding="utf-8")
    config = load_config(project / "driftgate.yml")
    assert config.upstream == upstream
    assert check(config, (), None).exit_code is ExitCode.AGREES


def test_the_upstream_may_be_named(project):
    add(project, "hooks.ts", TIED)
    assert plan(project, OFFLINE, only="qwen-code").upstreams == ("qwen-code",)
    with pytest.raises(UsageError, match="no upstream"):
        plan(project, OFFLINE, only="qwen")
    with pytest.raises(BlindError, match="ships no snapshot"):
        plan(project, OFFLINE, only="fx")


NO_MIRRORS = {
    "three names in passing": ("a.py", "X = ('PreToolUse', 'PostToolUse', 'SessionEnd')\n"),
    "events of something else": ("a.py", f"HOOK_EVENTS = ({listed(f'on{event}' for event in EVENTS)})\n"),
    "a few among many others": ("a.py", f"EVENTS = ({listed((*STALE[:4], *'abcdefghijk'))})\n"),
    "prose": ("README.md", "Hooks: PreToolUse, PostToolUse, SessionStart and SessionEnd.\n"),
    "installed": ("node_modules/x/hooks.js", f"exports.HOOK_EVENTS = [{listed(EVENTS)}];\n"),
    "vendored": ("vendor/x/hooks.go", f"package x\nvar HookEvents = []string{{{listed(EVENTS)}}}\n"),
    "in version control's own folder": (".git/hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n"),
    "for tests": ("tests/hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n"),
    "a test": ("src/hooks.test.ts", f"const HOOK_EVENTS = [{listed(EVENTS)}];\n"),
    "large": ("hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n" + "#" * (1 << 20)),
    "a bundle": ("hooks.js", f"HOOK_EVENTS = [{listed(EVENTS)}];" + "f();" * 40_000),
    "binary": ("hooks.json", b"\0" + json.dumps(EVENTS).encode()),
    "a snapshot": ("state/2.1.1.yaml", Path(str(newest_snapshot("claude-code"))).read_bytes()),
    "not readable": ("hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)}\n"),
}


@pytest.mark.parametrize("case", NO_MIRRORS)
def test_what_is_no_mirror(project, case):
    add(project, *NO_MIRRORS[case])
    before = files_of(project)
    with pytest.raises(UsageError, match="nothing here"):
        plan(project, OFFLINE)
    assert files_of(project) == before


def test_what_is_built_is_looked_at_where_nothing_else_is_there(project):
    """A published package often holds nothing but what was built."""
    add(project, "dist/hooks.js", f"exports.HOOK_EVENTS = [{listed(EVENTS)}];\n")
    assert [one.spec for one in plan(project, OFFLINE).mirrors] == ["dist/hooks.js#HOOK_EVENTS"]
    add(project, "src/hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    found = plan(project, OFFLINE)
    assert [one.spec for one in found.mirrors] == ["src/hooks.py#HOOK_EVENTS"]
    assert found.skipped == {"dist": 1}


@pytest.mark.parametrize(("count", "found"), [(2, False), (3, True)])
def test_the_least_list_that_is_looked_at_has_three_names(project, count, found):
    add(project, "hooks.py", f"HOOK_EVENTS = ({listed(STALE[:count])},)\n")
    assert (list(Walk(project).candidates(EVENTS)) != []) is found


def test_a_link_is_not_followed(project, tmp_path_factory):
    outside = add(tmp_path_factory.mktemp("outside"), "hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    (project / "hooks.py").symlink_to(outside)
    (project / "folder").symlink_to(outside.parent)
    with pytest.raises(UsageError, match="nothing here"):
        plan(project, OFFLINE)


def test_the_walk_is_bounded(project, monkeypatch):
    monkeypatch.setattr("driftgate.init.tree._MOST_FILES", 3)
    for number in range(5):
        add(project, f"a{number}.py", "")
    walk = Walk(project)
    assert list(walk.candidates(EVENTS)) == []
    assert walk.looked_at == 3
    assert "only the first 3" in walk.bound


def test_docs_are_docs_and_no_mirror_of_their_own(project):
    table = "# Hooks\n\n## Hook events\n\n| Event | When |\n|---|---|\n" + "".join(f"| {e} | x |\n" for e in STALE)
    add(project, "README.md", table)
    with pytest.raises(UsageError, match=r"README.md:\d+:1 lists hook events of Claude Code"):
        plan(project, OFFLINE, only="claude-code")
    add(project, "hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    config = write_and_load(project)
    assert config.docs[HOOK_EVENTS_SET][0].startswith("README.md#Hook events")
    report = check(config, (), None)
    assert report.exit_code is ExitCode.AGREES
    assert "absent from docs" in "".join(report.comparisons[0].notices)


# --- drift -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pyproject.toml", "driftgate.yml"])
def test_what_is_missing_is_a_subset_and_what_is_wrong_is_red(project, kind):
    add(project, "hooks.py", f"# Claude Code\nHOOK_EVENTS = ({listed((*EVENTS[:10], 'BrandNew'))})\n")
    if kind == "pyproject.toml":
        add(project, kind, '[project]\nname = "x"\n')
    found = plan(project, OFFLINE)
    assert (found.left_out, [subject for _, subject, _ in found.drift]) == (len(EVENTS) - 10, ["BrandNew"])
    write(found)
    config = load_config(project / kind)
    assert "to confirm" in config.subset[HOOK_EVENTS_SET]
    report = check(config, (), None)
    assert [one.subject for one in report.all_findings()] == ["BrandNew"]
    assert len(report.comparisons[0].left_out) == len(EVENTS) - 10


def test_a_mirror_that_is_behind_is_green_in_three_commands_and_stays_awake(project, monkeypatch, capsys):
    """From nothing to an honest gate; red on the day on which upstream adds, removes or renames."""
    add(project, "src/hooks.ts", f"// Claude Code\nexport const HOOK_EVENTS = [{listed(EVENTS[:10])}] as const;\n")
    monkeypatch.chdir(project)
    assert main(["init", "--offline"]) == 0
    assert main(["check"]) == 0
    out = capsys.readouterr().out
    assert f"10 events agree; {len(EVENTS) - 10} only upstream, left out on purpose" in out
    (snapshot,) = (project / ".driftgate/claude-code").glob("*.yaml")
    text = snapshot.read_text(encoding="utf-8").replace(f'version: "{snapshot.stem}"', 'version: "2.1.999"', 1)
    for old, new, subject in (
        ("  - Setup\n", "  - Setup\n  - BrandNew\n", "BrandNew"),
        (f"  - {EVENTS[4]}\n", "", EVENTS[4]),
        (f"  - {EVENTS[2]}\n", f"  - {EVENTS[2]}s\n", EVENTS[2]),
    ):
        add(project, "later.yaml", text.replace(old, new, 1))
        assert main(["check", "--against", "later.yaml", "--format", "json"]) == 1
        assert [one["subject"] for one in json.loads(capsys.readouterr().out)["findings"]] == [subject]


def test_all_that_stands_after_init_can_be_accepted_at_once(project, monkeypatch):
    add(project, "hooks.py", f"# Claude Code\nHOOK_EVENTS = ({listed((*EVENTS[:10], 'BrandNew'))})\n")
    monkeypatch.chdir(project)
    assert main(["init", "--offline"]) == 0
    assert main(["check"]) == 1
    assert main(["accept", "--all", "--reason", "adopting driftgate"]) == 0
    assert main(["check"]) == 0


def test_constraints_that_no_type_can_state_are_no_findings(project):
    entries = (
        'export interface CommandHook { type: "command"; command: string; shell?: "bash" | "powershell" }\n'
        'export interface PromptHook { type: "prompt"; prompt: string; timeout?: number }\n'
        "export type HookEntry = CommandHook | PromptHook;\n"
    )
    add(project, "hooks.ts", f"export const CLAUDE_HOOK_EVENTS = [{listed(EVENTS)}] as const;\n{entries}")
    config = write_and_load(project)
    assert not [one for one in config.accepted if one.rule == "field-looser"]
    assert not [one for one in check(config, (), None).all_findings() if one.rule.id == "field-looser"]


# --- what is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before", ['[project]\nname = "x"\n', '[project]\nname = "x"', '[project]\r\nname = "x"\r\n', ""]
)
def test_pyproject_is_added_to_and_keeps_every_byte(project, before):
    add(project, "pyproject.toml", before)
    add(project, "hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    write(plan(project, OFFLINE))
    after = (project / "pyproject.toml").read_bytes()
    assert after.startswith(before.encode())
    assert (b"\r\n" in before.encode()) is (b"\r\n" in after)
    assert check(load_config(project / "pyproject.toml"), (), None).exit_code is ExitCode.AGREES
    assert set(files_of(project)) == {
        "pyproject.toml",
        "hooks.py",
        f".driftgate/claude-code/{shipped('claude-code').version}.yaml",
        ".github/workflows/driftgate.yml",
    }


@pytest.mark.parametrize("before", ["tool = { other = 1 }\n", "[broken\n"])
def test_a_pyproject_that_cannot_be_added_to_is_left_alone(project, before):
    add(project, "pyproject.toml", before)
    add(project, "hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    if before == "[broken\n":
        write(plan(project, OFFLINE))
    else:
        write(plan(project, OFFLINE))
        assert check(load_config(project / "driftgate.yml"), (), None).exit_code is ExitCode.AGREES
    assert (project / "pyproject.toml").read_text(encoding="utf-8") == before


def test_nothing_is_overwritten(project):
    add(project, "hooks.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    mine = add(project, ".github/workflows/driftgate.yml", "mine\n")
    found = plan(project, OFFLINE)
    assert found.kept == (mine,)
    write(found)
    assert mine.read_text(encoding="utf-8") == "mine\n"
    with pytest.raises(ConfigError, match="not overwritten"):
        write(found)


def test_a_dry_run_writes_nothing_and_shows_everything(project, monkeypatch, capsys):
    add(project, "src/hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS[1:])}] as const;\n")
    before = files_of(project)
    monkeypatch.chdir(project)
    assert main(["init", "--dry-run", "--offline"]) == 0
    out = capsys.readouterr().out
    assert files_of(project) == before
    assert f"src/hooks.ts:1:28  HOOK_EVENTS: {len(EVENTS) - 1} of the {len(EVENTS)} hook_events" in out
    assert f"lacks {EVENTS[0]}" in out
    for part in (
        "would write driftgate.yml",
        '|     place: "src/hooks.ts#HOOK_EVENTS"',
        "| vocabularies:",
        "|   schedule:",
    ):
        assert part in out
    assert main(["init", "--offline"]) == 0
    assert set(files_of(project)) > set(before)


def test_a_second_run_says_that_it_is_configured(project, monkeypatch, capsys):
    add(project, "hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    (project / "sub").mkdir()
    write(plan(project, OFFLINE))
    before = files_of(project)
    for folder in (project, project / "sub"):
        monkeypatch.chdir(folder)
        assert main(["init", "--offline"]) == 0
        assert "already configured" in capsys.readouterr().out
    assert files_of(project) == before


def test_this_repository_is_configured():
    assert plan(REPOSITORY, OFFLINE).configured == REPOSITORY / "pyproject.toml"


def test_an_empty_folder_says_what_it_looked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == int(ExitCode.USAGE)
    err = capsys.readouterr().err
    assert "nothing here seems to mirror" in err
    assert "0 source files" in err
    assert not list(tmp_path.iterdir())


def test_without_a_registry_the_shipped_snapshot_serves(project, monkeypatch):
    add(project, "hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    environ = {"HOME": str(project), "PATH": "", "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/"}
    options = FetchOptions(environ=environ, attempts=1, project=project, cache=project / ".cache", sleep=lambda _: None)
    found = plan(project, options)
    assert found.releases[0] == f"Claude Code {shipped('claude-code').version}"
    assert "cannot be read" in found.notices[0]


# --- the workflow ----------------------------------------------------------------------------------------------------


def test_the_workflow_passes_actionlint(tmp_path):
    beside = Path(sys.executable).with_name("actionlint")
    tool = str(beside) if beside.exists() else shutil.which("actionlint")
    assert tool, "actionlint is not installed; pip install -e '.[test]'"
    file = add(tmp_path, str(workflow.PATH), workflow.workflow_text("Claude Code", tmp_path, tmp_path))
    done = subprocess.run([tool, "-no-color", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_workflow_pins_what_this_repository_pins():
    ours = "\n".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / ".github/workflows").glob("*.yml"))
    for action in (workflow.CHECKOUT, workflow.SETUP_PYTHON):
        assert re.search(r"@[0-9a-f]{40} # v\d", action)
        assert f"uses: {action}\n" in ours


# --- what it is, and what it is not ----------------------------------------------------------------------------------

SIX = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact")
SISTERS = {
    "a bridge, by its text": ("hooks.py", '"""Events that this Claude bridge forwards."""\nHOOK_EVENTS = ({names})\n'),
    "rust, by its comment": (
        "src/events.rs",
        "/// Hook events of Claude Code that this auditor looks at.\npub enum HookEventName {{\n    {variants}\n}}\n",
    ),
    "go, by its comment": (
        "hooks/events.go",
        "package hooks\n\n// of Claude Code\nvar HookEvents = []string{{{names}}}\n",
    ),
    "typescript, by its name": (
        "claude-code-hooks.ts",
        "// ~/.claude/settings.json\nexport type ClaudeCodeHookEvent = {union};\n",
    ),
    "the folder": ("claude/events.ts", "export const HOOK_EVENTS = [{names}] as const;\n"),
    "the package": ("src/events.ts", "export const HOOK_EVENTS = [{names}] as const;\n"),
}


@pytest.mark.parametrize("count", [3, 4, 6])
@pytest.mark.parametrize("case", SISTERS)
def test_a_short_list_is_never_a_sisters_by_a_threshold(project, case, count):
    name, text = SISTERS[case]
    names = SIX[:count]
    spelt = {
        "names": listed(names),
        "variants": ",\n    ".join(names),
        "union": " | ".join(f'"{one}"' for one in names),
    }
    add(project, name, text.format(**spelt))
    add(project, "package.json", json.dumps({"name": "claude-hooks" if case == "the package" else "x"}))
    found = plan(project, OFFLINE)
    assert found.upstreams == ("claude-code",)
    assert found.mirrors[0].same == tuple(one for one in EVENTS if one in names)


def test_a_tie_is_asked_and_the_answer_obeyed(project):
    add(project, "hooks.ts", f"export const hookEvents = [{listed(SIX)}];\n")
    with pytest.raises(UsageError, match="whose names are these") as caught:
        plan(project, OFFLINE)
    assert "--upstream claude-code or --upstream qwen-code" in caught.value.expected
    for upstream in ("claude-code", "qwen-code", "codex"):
        assert plan(project, OFFLINE, only=upstream).upstreams == (upstream,)


def test_every_upstream_of_a_project_has_its_table(project):
    gemini = shipped("gemini-cli").members(HOOK_EVENTS_SET)
    add(project, "src/claude.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    add(project, "src/gemini.ts", f"export const HOOK_EVENTS = [{listed(gemini[:8])}] as const;\n")
    for name, before in (("pyproject.toml", '[project]\nname = "x"\n'), ("driftgate.yml", None)):
        if before is not None:
            add(project, name, before)
        found = plan(project, OFFLINE)
        assert found.upstreams == ("claude-code", "gemini-cli")
        write(found)
        claude, other = load_project(project / name).mirrors
        assert claude.declared == {HOOK_EVENTS_SET: ("src/claude.ts#HOOK_EVENTS",)}
        assert [*other.subset] == [HOOK_EVENTS_SET]
        for config in (claude, other):
            assert check(config, (), None).exit_code is ExitCode.AGREES
        shutil.rmtree(project / ".driftgate")
        shutil.rmtree(project / ".github")
        (project / name).unlink()


def configured(names):
    return {name: [{"matcher": "x", "hooks": [{"type": "command", "command": "echo"}]}] for name in names}


USES = {
    "a plugin's hooks": ("hooks/hooks.json", json.dumps({"hooks": configured(SIX)}, indent=1)),
    "settings": (".claude/settings.json", json.dumps({"hooks": configured(EVENTS)})),
    "settings in yaml": ("settings.yaml", "hooks:\n" + "".join(f"  {e}:\n  - hooks: []\n" for e in SIX)),
    "settings in a script": ("install.py", f"HOOKS = {json.dumps(configured(SIX), indent=2)}\n"),
    "settings in a module": ("install.ts", f"export const defaultHooks = {json.dumps(configured(SIX), indent=2)};\n"),
    "no hooks yet": ("hooks.json", json.dumps({"hooks": {name: [] for name in SIX}})),
}


@pytest.mark.parametrize("case", USES)
def test_a_use_is_no_mirror_and_is_offered_to_classify(project, case):
    name, text = USES[case]
    add(project, name, text)
    with pytest.raises(UsageError, match="nothing here seems to mirror") as caught:
        plan(project, OFFLINE, only="claude-code")
    assert "driftgate classify" in caught.value.found
    add(project, "hooks.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    found = plan(project, OFFLINE)
    assert [mirror.path for mirror in found.mirrors] == ["hooks.ts"]
    assert found.found.uses == [name]


@pytest.mark.parametrize("name", ["MATCHER_SUPPORTING_EVENTS", "BLOCKING_HOOK_EVENTS", "ASYNC_EVENTS", "GUARDED_HOOKS"])
def test_a_named_part_is_not_the_mirror(project, name):
    add(project, "claude.py", f"{name} = ({listed(SIX)})\n")
    with pytest.raises(UsageError, match="nothing here seems to mirror"):
        plan(project, OFFLINE)
    add(project, "claude.py", f"{name} = ({listed(SIX)})\nHOOK_EVENTS = ({listed(EVENTS)})\n")
    assert [mirror.declared for mirror in plan(project, OFFLINE).mirrors] == ["HOOK_EVENTS"]


def test_two_lists_that_differ_are_never_put_into_one(project):
    add(project, "packages/a/claude.ts", f"export const HOOK_EVENTS = [{listed(EVENTS)}] as const;\n")
    add(project, "packages/b/claude.ts", f"export const HOOK_EVENTS = [{listed(EVENTS[:-2])}] as const;\n")
    add(project, "packages/c/claude.ts", f"export const HOOK_EVENTS = [{listed(reversed(EVENTS))}] as const;\n")
    found = plan(project, OFFLINE)
    assert [mirror.path for mirror in found.mirrors] == ["packages/a/claude.ts", "packages/c/claude.ts"]
    assert [mirror.path for mirror in found.others] == ["packages/b/claude.ts"]
    write(found)
    assert check(load_config(project / "driftgate.yml"), (), None).exit_code is ExitCode.AGREES


SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
HOOKS_OF = {"type": "object", "additionalProperties": False, "properties": {e: {"type": "array"} for e in EVENTS}}
SCHEMAS = {
    "at the top": {**SCHEMA, "properties": {"hooks": HOOKS_OF}},
    "below a choice": {**SCHEMA, "oneOf": [{"properties": {"hooks": HOOKS_OF}}, {"type": "array"}]},
    "by the names of its properties": {**SCHEMA, "properties": {"hooks": {"propertyNames": {"enum": [*EVENTS]}}}},
}


@pytest.mark.parametrize("name", ["claude-settings.json", "schemas/settings.schema.json"])
@pytest.mark.parametrize("case", SCHEMAS)
def test_a_json_schema_is_one_whatever_it_is_called(project, case, name):
    add(project, name, json.dumps(SCHEMAS[case], indent=1))
    found = plan(project, OFFLINE)
    assert [mirror.path for mirror in found.mirrors] == [name]
    write(found)
    report = check(load_config(project / "driftgate.yml"), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].counts[HOOK_EVENTS_SET].agree == len(EVENTS)


def test_what_is_not_read_is_named(project, monkeypatch, capsys):
    add(project, "Hook.ex", "defmodule Hooks do\n  @events ~w(PreToolUse PostToolUse Stop SubagentStop)\nend\n")
    add(project, "broken.py", f"HOOK_EVENTS = ({listed(SIX)}\n")
    add(project, "tests/a.py", "")
    add(project, "node_modules/a.js", "")
    monkeypatch.chdir(project)
    assert main(["init", "--offline"]) == 2
    err = capsys.readouterr().err
    assert "Hook.ex (no reader for Elixir)" in err
    assert "broken.py cannot be read" in err
    add(project, "claude.py", f"HOOK_EVENTS = ({listed(SIX)})\n")
    assert main(["init", "--offline"]) == 0
    out = capsys.readouterr().out
    assert "names of hook events in Elixir, which driftgate does not read: Hook.ex" in out
    assert "1 file with names of hook events could not be read:\n    broken.py: " in out
    assert "not looked into: node_modules, tests" in out


@pytest.mark.parametrize("folder", ["bin", "env", "target", "spec", ".config", "examples"])
def test_a_folder_is_told_by_what_it_holds_and_not_by_its_name(project, folder):
    add(project, f"{folder}/claude.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    assert [mirror.path for mirror in plan(project, OFFLINE).mirrors] == [f"{folder}/claude.py"]
    add(project, f"{folder}/pyvenv.cfg", "")
    with pytest.raises(UsageError, match="nothing here"):
        plan(project, OFFLINE)


def test_a_package_has_its_workflow_where_github_looks(project, monkeypatch):
    add(project, "packages/a/claude.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    monkeypatch.chdir(project / "packages/a")
    assert main(["init", "--offline"]) == 0
    text = (project / ".github/workflows/driftgate-packages-a.yml").read_text(encoding="utf-8")
    assert "working-directory: 'packages/a'" in text
    assert not (project / "packages/a/.github").exists()
    assert main(["check"]) == 0
    monkeypatch.chdir(project)
    assert main(["check", "--all"]) == 0


def test_a_reader_that_fails_on_one_file_does_not_end_the_look(project, monkeypatch):
    add(project, "claude.py", f"HOOK_EVENTS = ({listed(EVENTS)})\n")
    add(project, "bad.py", f"HOOK_EVENTS = ({listed(SIX)})\n")
    real = file_surface.read_file_surface

    def failing(path, **more):
        if path.name == "bad.py":
            raise IndexError("tuple index out of range")
        return real(path, **more)

    monkeypatch.setattr(mirrors, "read_file_surface", failing)
    found = plan(project, OFFLINE)
    assert [mirror.path for mirror in found.mirrors] == ["claude.py"]
    assert "a defect of driftgate" in found.found.broken["bad.py"]


BELOW_A_NAME = {
    "a class of TypeScript": (
        "rule.ts",
        "// Claude Code\nexport class Rule {{\n  private static readonly HOOK_EVENTS = new Set([{names}]);\n}}\n",
        "Rule.HOOK_EVENTS",
    ),
    "a class of Python": (
        "rule.py",
        (
            "from typing import ClassVar\n\nclass Rule:\n    # claude\n"
            "    HOOK_EVENTS: ClassVar[frozenset[str]] = frozenset({{{names}}})\n"
        ),
        "Rule.HOOK_EVENTS",
    ),
    "a field of a model": (
        "model.py",
        (
            "from typing import Literal\nfrom pydantic import BaseModel\n\n"
            "class Claude(BaseModel):\n    hook_event: Literal[{names}]\n"
        ),
        "Claude.hook_event",
    ),
    "a key of a map": (
        "agents.ts",
        "export const HOOK_EVENTS_OF = {{\n  claude: [{names}],\n  other: ['a', 'b'],\n}} as const;\n",
        "HOOK_EVENTS_OF.claude",
    ),
    "values of nested maps": (
        "canon.ts",
        "export const HOOKS = {{\n{rows}}} as const;\n",
        "HOOKS.*.claude-code",
    ),
    "effect's literals": (
        "lits.ts",
        'import * as Schema from "effect/Schema"\n// claude\nexport const HookEvent = Schema.Literal({names})\n',
        "HookEvent",
    ),
}


@pytest.mark.parametrize("case", BELOW_A_NAME)
def test_a_set_below_a_name_is_found(project, case):
    name, text, declared = BELOW_A_NAME[case]
    rows = "".join(f'  k{i}: {{ "claude-code": "{one}", other: "x{i}" }},\n' for i, one in enumerate(SIX))
    add(project, name, text.format(names=listed(SIX), rows=rows))
    found = plan(project, OFFLINE)
    assert [mirror.spec for mirror in found.mirrors] == [f"{name}#{declared}"]
    write(found)
    report = check(load_config(project / "driftgate.yml"), (), None)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].counts[HOOK_EVENTS_SET].agree == len(SIX)


def test_plain_words_count_where_telling_ones_stand_beside_them(project):
    add(project, "claude.py", "HOOK_EVENTS = ('PreToolUse', 'PostToolUse', 'Stop')\n")
    assert len(plan(project, OFFLINE).mirrors) == 1
    add(project, "claude.py", "HOOK_EVENTS = ('Setup', 'Notification', 'Stop')\n")
    with pytest.raises(UsageError, match="nothing here"):
        plan(project, OFFLINE)
