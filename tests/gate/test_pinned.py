"""`check --against pinned`: a snapshot that is not what its own anchor says is found, wherever it was changed."""

from __future__ import annotations

import pytest

from driftgate.anchors import FetchOptions
from driftgate.errors import ExitCode
from driftgate.gate.check import check
from driftgate.gate.refresh import refresh
from driftgate.gate.target import PINNED, release
from driftgate.project.reading import load_config
from tests.anchors.conftest import Registry, _no_proxy, make_options, options, registry, sha512, waits
from tests.extraction import bundles

__all__ = ["_no_proxy", "make_options", "options", "registry", "waits"]  # fixtures

SDK = "@anthropic-ai/claude-agent-sdk"
CONFIG = "snapshot: 2.1.400.yaml\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n"


@pytest.fixture
def project(tmp_path, registry: Registry, options: FetchOptions):
    """A project whose snapshot was read from a package of the registry."""
    files = {"sdk.mjs": bundles.bare().encode(), "sdk.d.ts": bundles.declared().encode()}
    registry.publish(SDK, "0.3.400", files, manifest={"claudeCodeVersion": "2.1.400"})
    (tmp_path / "driftgate.yml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "hooks.py").write_text(f"HOOK_EVENTS = {bundles.EVENTS!r}\n", encoding="utf-8")
    config = load_config(tmp_path / "driftgate.yml")
    assert refresh(config, release("2.1.400"), options).written
    return tmp_path


def against_pinned(project, options):
    return check(load_config(project / "driftgate.yml"), (PINNED,), options)


def tamper(project, old, new):
    path = project / "2.1.400.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text, text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_true_snapshot_agrees(project, options):
    report = against_pinned(project, options)
    assert report.exit_code is ExitCode.AGREES
    assert report.comparisons[0].against == "pinned"


TAMPERED = {
    "an event": ("  - Halt\n", "", "Halt"),
    "a guard": ("  - PermissionRequest\n  ", "  ", "PermissionRequest"),
    "a visible field": ("{name: timeout,", "{name: timeouts,", "timeout"),
    "an internal field": ("{name: cloud,", "{name: clouds,", "cloud"),
}


@pytest.mark.parametrize(("old", "new", "name"), TAMPERED.values(), ids=TAMPERED)
def test_a_snapshot_that_was_changed_is_untrue(project, options, old, new, name):
    tamper(project, old, new)
    report = against_pinned(project, options)
    assert report.exit_code is ExitCode.DRIFT
    assert any(finding.rule.id == "snapshot-untrue" and name in str(finding) for finding in report.all_findings())


def test_an_integrity_that_was_changed_is_blind(project, options, registry):
    body = registry.tarballs[f"{SDK}@0.3.400"]
    tamper(project, sha512(body), sha512(b"other"))
    report = against_pinned(project, options)
    assert report.exit_code is ExitCode.BLIND
    problem = str(report.comparisons[0].problem)
    assert sha512(b"other") in problem
    assert sha512(body) in problem
