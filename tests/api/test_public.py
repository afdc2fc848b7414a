"""What `driftgate` offers as a library: exactly `__all__`, loaded when it is asked for."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import driftgate
from driftgate import ExitCode, Surface, UsageError
from tests.commands.conftest import edit

PROMISED = {
    "check",
    "extract",
    "diff",
    "refresh",
    "render",
    "classify_hooks_config",
    "HooksClassification",
    "load_verdict",
    "HooksConfig",
    "HookEntry",
    "HOOK_EVENTS",
    "HOOK_ENTRY_TYPES",
    "HOOK_SHELLS",
    "GUARD_EVENTS",
    "HOOK_ENTRY_FIELDS",
    "Surface",
    "CheckReport",
    "DriftgateError",
}


def for_type_checkers():
    """Return the names that type checkers see: name -> module."""
    tree = ast.parse(Path(driftgate.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [
        node for node in block.body if isinstance(node, ast.ImportFrom) and str(node.module).startswith("driftgate")
    ]
    assert len(imports) > len(block.body) - 5
    return {alias.asname: node.module for node in imports for alias in node.names if alias.asname == alias.name}


def test_all_is_exactly_what_type_checkers_see():
    assert sorted([*for_type_checkers(), "__version__"]) == driftgate.__all__
    assert set(driftgate.__all__) >= PROMISED
    assert len(set(driftgate.__all__)) == len(driftgate.__all__)


@pytest.mark.parametrize(("name", "module"), for_type_checkers().items())
def test_every_name_is_what_its_module_defines(name, module):
    assert getattr(driftgate, name) is getattr(import_module(module), name)
    assert name in dir(driftgate)


def test_no_other_name():
    with pytest.raises(AttributeError, match="'driftgate' has no attribute 'nonsense'"):
        getattr(driftgate, "nonsense")  # noqa: B009 - type checkers know it, too
    names: dict[str, object] = {}
    exec("from driftgate import *", names)  # noqa: S102 - that is what is tested
    assert set(names) - {"__builtins__"} == set(driftgate.__all__)


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    ).stdout.split()


def test_the_import_loads_nothing():
    code = "import sys; before = set(sys.modules); import driftgate; print(*sorted(set(sys.modules) - before))"
    loaded = set(python(code))
    assert [name for name in loaded if name.startswith("driftgate")] == ["driftgate"]
    assert not loaded & {"dataclasses", "re", "enum", "typing", "json", "yaml", "requests", "esprima", "tree_sitter"}


@pytest.mark.parametrize(
    ("name", "not_loaded"),
    [("HOOK_EVENTS", "driftgate.gate"), ("classify_hooks_config", "driftgate.gate"), ("check", "requests")],
)
def test_a_name_loads_its_own_needs_only(name, not_loaded):
    assert python(f"import sys, driftgate; driftgate.{name}; print({not_loaded!r} in sys.modules)") == ["False"]


@pytest.mark.parametrize(
    "first",
    ["import driftgate.judge.comparison, driftgate.extraction", "from driftgate.judge import comparison", "pass"],
)
def test_functions_keep_their_names_whatever_was_imported_before(first):
    code = f"{first}\nimport driftgate\nprint(callable(driftgate.diff), callable(driftgate.extract))"
    assert python(code) == ["True", "True"]


# --- the verbs -------------------------------------------------------------------------------------------------------


def test_check(drifting):
    report = driftgate.check()
    assert report.exit_code is ExitCode.DRIFT
    assert {found.subject for found in report.all_findings()} == {"Setup", "ToolError"}
    assert driftgate.check(drifting / "src") == driftgate.check(drifting / "driftgate.yml") == report
    assert driftgate.check(against=["2.1.296.yaml"]).exit_code is ExitCode.DRIFT
    assert driftgate.check(against="2.1.296.yaml", fail_on="error").exit_code is ExitCode.DRIFT
    assert driftgate.render(report).endswith("driftgate: drift, exit 1")
    assert driftgate.render(report, "github").startswith("::error ")
    with pytest.raises(UsageError, match="no format"):
        driftgate.render(report, "html")


def test_what_fails_is_as_configured_unless_it_is_said(drifting):
    edit("driftgate.yml", "declared:", "fail-on: error\nseverity: {event-only-upstream: notice}\ndeclared:")
    edit("src/contract.py", '\n    "ToolError",', "")
    assert driftgate.check().exit_code is ExitCode.AGREES
    assert driftgate.check(fail_on="notice").exit_code is ExitCode.DRIFT
    with pytest.raises(UsageError, match="not a severity"):
        driftgate.check(fail_on="eror")


def test_extract_and_diff(drifting):
    observed, declared = driftgate.extract("2.1.296.yaml"), driftgate.extract(Path("src/contract.py"))
    assert isinstance(observed, Surface)
    changes = driftgate.diff(observed, declared).changes
    assert {("added", "ToolError"), ("removed", "Setup")} <= {(change.kind, change.subject) for change in changes}
    assert driftgate.diff("2.1.296.yaml", "src/contract.py").changes == changes
    assert not driftgate.diff(observed, observed).changes


def test_refresh(project):
    Path("new.yaml").write_text(Path("2.1.296.yaml").read_text().replace("2.1.296", "2.1.297"))
    assert driftgate.refresh(to="new.yaml", dry_run=True).written is False
    assert driftgate.refresh(to="new.yaml").written is True
    assert driftgate.check().pin == "2.1.297"


def test_classify():
    result = driftgate.classify_hooks_config({"hooks": {"Nonsense": []}})
    assert result.outcome is driftgate.HooksOutcome.LOADED_PARTIAL
    assert driftgate.HooksConfig.accepts({}) is True
    assert driftgate.load_verdict({}, "2.1.296").outcome is driftgate.HooksOutcome.LOADED
    for kind in ("plugin", driftgate.FileKind.PLUGIN_HOOKS):
        assert driftgate.load_verdict({}, "2.1.296", kind=kind).outcome is driftgate.HooksOutcome.REJECTED
    with pytest.raises(UsageError, match="not a kind of file"):
        driftgate.load_verdict({}, "2.1.296", kind="plugins")
