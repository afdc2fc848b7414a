"""The pytest plugin, in suites of its own: off unless asked for, red on drift and on blind, writing nothing in CI."""

import shutil
import subprocess
import sys

import pytest

from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.upstreams.shipped import snapshots_dir
from tests.integration import fakes
from tests.integration.conftest import CONFIG
from tests.integration.runner import ROOT

pytest_plugins = ("pytester",)

SET_BY_THE_OUTER_RUN = ("PYTEST_ADDOPTS", "CI")


@pytest.fixture
def suite(pytester, monkeypatch):
    """A package with one test of its own, and a configuration of driftgate."""
    for name in (*SET_BY_THE_OUTER_RUN, "DRIFTGATE_AGAINST", "DRIFTGATE_FAIL_ON"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins; the entry point has a test of its own
    pytester.makefile(".yml", driftgate=CONFIG)
    pytester.makepyfile(test_own="def test_own():\n    pass\n")
    declare(pytester, HOOK_EVENTS)
    return pytester


def declare(suite, events):
    text = f"HOOK_EVENTS = {tuple(events)!r}\nHOOK_ENTRY_TYPES = ('command', 'prompt', 'agent', 'http', 'mcp_tool')\n"
    (suite.path / "hooks.py").write_text(text, encoding="utf-8")


def run(suite, *arguments):
    return suite.runpytest_subprocess("-p", "no:cacheprovider", "-p", "driftgate.pytest_plugin", *arguments)


def test_suites_that_do_not_ask_for_it_are_not_changed(suite):
    declare(suite, ())
    result = run(suite, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*driftgate*snapshot*")


def test_nothing_of_driftgate_is_imported_until_it_is_needed(suite):
    suite.makepyfile(
        test_own="""
        import sys

        def test_own():
            loaded = {name for name in sys.modules if name.partition(".")[0] in ("driftgate", "yaml", "requests")}
            assert loaded <= {"driftgate", "driftgate.pytest_plugin"}
        """
    )
    run(suite).assert_outcomes(passed=1)


@pytest.mark.parametrize("how", ["option", "ini"])
def test_one_test_a_declared_set(suite, how):
    if how == "ini":
        suite.makeini("[pytest]\ndriftgate = true\n")
    result = run(suite, "-v", *(["--driftgate"] if how == "option" else []))
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        [
            "driftgate: driftgate.yml, snapshot 2.1.296.yaml",
            "*driftgate::hook_events PASSED*",
            "*driftgate::hook_entry_types PASSED*",
            "*driftgate::project PASSED*",
        ]
    )


def test_drift_fails_the_test_of_its_set_and_no_other(suite):
    declare(suite, HOOK_EVENTS[:-1])
    result = run(suite, "--driftgate")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([f"*{HOOK_EVENTS[-1]}*", "*driftgate: drift, exit 1*", "FAILED *hook_events*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_what_belongs_to_no_set_is_not_lost(suite):
    entry = """
accepted:
- rule: event-only-upstream
  subject: Stop
  reason: nothing any more
"""
    (suite.path / "driftgate.yml").write_text(CONFIG + entry, encoding="utf-8")
    result = run(suite, "--driftgate")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*accepted-unused*", "FAILED *project*"])


def test_blind_fails_and_is_not_called_drift(suite):
    (suite.path / "hooks.py").write_text("HOOK_EVENTS = load()\n", encoding="utf-8")
    result = run(suite, "--driftgate")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*driftgate: blind, exit 3*"])
    result.stdout.no_fnmatch_line("*driftgate: drift,*")


def test_a_configuration_error_ends_the_run(suite):
    (suite.path / "driftgate.yml").write_text("pinn: x\n", encoding="utf-8")
    result = run(suite, "--driftgate")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: driftgate: *pinn*"])


def test_a_package_without_a_configuration_is_not_green(suite):
    (suite.path / "driftgate.yml").unlink()
    result = run(suite, "--driftgate")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*there is no driftgate configuration here*"])


def test_the_tests_are_chosen_like_others(suite):
    result = run(suite, "--driftgate", "-k", "hook_events")
    result.assert_outcomes(passed=1, deselected=3)


def test_the_fixture_works_without_the_option(suite):
    suite.makepyfile(
        test_own="""
        import pytest

        def test_events(driftgate):
            driftgate.assert_agrees("hook_events")
            assert "Stop" in driftgate.snapshot.members("hook_events")

        def test_all(driftgate):
            driftgate.assert_agrees()

        def test_report(driftgate):
            assert driftgate.report.exit_code == 0

        def test_what_is_not_declared(driftgate):
            from driftgate.errors import UsageError
            with pytest.raises(UsageError, match="is not declared"):
                driftgate.assert_agrees("hook_evens")
        """
    )
    run(suite).assert_outcomes(passed=4)
    declare(suite, HOOK_EVENTS[1:])
    run(suite).assert_outcomes(passed=1, failed=3)


def test_update_is_refused_in_ci(suite, monkeypatch):
    monkeypatch.setenv("CI", "true")
    before = {path: path.read_bytes() for path in suite.path.iterdir() if path.is_file()}
    result = run(suite, "--driftgate-update")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--driftgate-update writes the snapshot, and never in CI*", "*found:*CI=true*"])
    assert {path: path.read_bytes() for path in before} == before


def test_update_writes_the_snapshot_and_then_tests_against_it(suite):
    """The release comes from a stand-in; that `refresh` reads real ones is tested where it is."""
    (suite.path / "snapshots").mkdir()
    old = suite.path / "snapshots/2.1.296.yaml"
    shutil.copy(snapshots_dir() / "claude-code/2.1.296.yaml", old)
    config = CONFIG.replace('pin: "2.1.296"', "snapshot: snapshots/2.1.296.yaml")
    (suite.path / "driftgate.yml").write_text(config, encoding="utf-8")
    suite.makeconftest(
        """
        import driftgate.gate.refresh
        from driftgate.snapshot import parse_snapshot

        def observe(target, options, **kwargs):
            assert str(target) == "latest"
            with open("snapshots/2.1.296.yaml", encoding="utf-8") as file:
                text = file.read().replace('version: "2.1.296"', 'version: "2.1.900"', 1)
            return parse_snapshot(text.replace("  - PreToolUse\\n", "  - PreToolUse\\n  - Added\\n", 1), where="here")

        driftgate.gate.refresh.observe = observe
        """
    )
    result = run(suite, "--driftgate-update")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["2.1.296 -> 2.1.900", "*Added*", "FAILED *hook_events*"])
    assert "snapshots/2.1.900.yaml" in (suite.path / "driftgate.yml").read_text(encoding="utf-8")
    assert "  - Added\n" in (suite.path / "snapshots/2.1.900.yaml").read_text(encoding="utf-8")


@pytest.mark.upstream
def test_in_a_package_with_an_environment_of_its_own(tmp_path):
    """The plugin as pip installs it: found by its entry point, silent until asked, red on drift."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", str(ROOT), "pytest"], check=True)
    package = tmp_path / "package"
    package.mkdir()
    (package / "hooks.py").write_text(f"HOOK_EVENTS = {HOOK_EVENTS[:-1]!r}\n", encoding="utf-8")
    (package / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    settings = """
[tool.pytest.ini_options]
filterwarnings = ["error"]
[tool.driftgate]
pin = "2.1.296"
declared.hook_events = "hooks.py#HOOK_EVENTS"
"""
    (package / "pyproject.toml").write_text(settings, encoding="utf-8")

    def pytest_run(*arguments):
        environ = {k: v for k, v in fakes.clean_environment().items() if k not in ("PYTHONPATH", *SET_BY_THE_OUTER_RUN)}
        command = [python, "-m", "pytest", *arguments]
        return subprocess.run(command, cwd=package, env=environ, capture_output=True, encoding="utf-8", check=False)

    silent = pytest_run()
    assert silent.returncode == 0, silent.stdout
    assert "1 passed" in silent.stdout
    red = pytest_run("--driftgate")
    assert red.returncode == 1, red.stdout + red.stderr
    assert "1 failed, 2 passed" in red.stdout
    assert HOOK_EVENTS[-1] in red.stdout
    (package / "hooks.py").write_text(f"HOOK_EVENTS = {HOOK_EVENTS!r}\n", encoding="utf-8")
    green = pytest_run("--driftgate")
    assert green.returncode == 0, green.stdout
    assert "3 passed" in green.stdout


def test_each_upstream_of_a_project_has_its_tests(suite):
    suite.makefile(
        ".yml",
        driftgate="""
        claude-code: {pin: "2.1.296", declared: {hook_events: "hooks.py#HOOK_EVENTS"}}
        gemini-cli: {pin: "0.61.0", declared: {hook_events: "gemini.py#HOOK_EVENTS"}}
        """,
    )
    (suite.path / "gemini.py").write_text("HOOK_EVENTS = ('BeforeTool', 'AfterTool')\n", encoding="utf-8")
    result = run(suite, "-v", "--driftgate")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*claude-code: hook_events PASSED*", "*gemini-cli: hook_events FAILED*"])
    suite.makepyfile(
        test_own="""
        def test_own(driftgate):
            driftgate.of("claude-code").assert_agrees("hook_events")
            assert driftgate.of("gemini-cli").findings("hook_events")
        """
    )
    run(suite).assert_outcomes(passed=1)
