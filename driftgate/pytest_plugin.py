"""The pytest plugin: a package's own test-suite fails when its constants drift from the snapshot.

Off unless asked for: `--driftgate`, or `driftgate = true` in pytest's ini file. Then one test is collected for each
declared set, and one for what belongs to none. The fixture `driftgate` works without that. Offline; the snapshot is
written only by `--driftgate-update`, and never in CI.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    # Nothing of driftgate is imported until it is needed: suites that do not use the plugin load with it.
    from driftgate.gate.outcome import CheckReport
    from driftgate.judge.findings import Finding
    from driftgate.project.configuration import Config, Project
    from driftgate.surface import Surface

PROJECT = "project"
"""The name of the test for what belongs to no declared set: accepted entries, constants that contradict each other."""


class DriftError(AssertionError):
    """The declared constants are not what the snapshot says; the message is the report."""


class Driftgate:
    """What the fixture gives: the project's check, made once, when it is first asked for."""

    def __init__(self, folder: Path, upstream: str | None = None) -> None:
        self._folder = folder
        self._upstream = upstream

    @cached_property
    def project(self) -> Project:
        """The configuration in force in pytest's root folder. Raises `ConfigError`, also where there is none."""
        from driftgate.project.finding import find_project

        return find_project(self._folder)

    @cached_property
    def mirrors(self) -> tuple[Driftgate, ...]:
        """The check of each upstream that the project mirrors; of the only one, this itself."""
        names = [config.upstream for config in self.project.of(self._upstream)]
        return (self,) if len(names) == 1 else tuple(map(self.of, names))

    def of(self, upstream: str) -> Driftgate:
        """Return the check of one of several upstreams. Raises `UsageError` where the project does not mirror it."""
        self.project.of(upstream)
        return Driftgate(self._folder, upstream)

    @cached_property
    def config(self) -> Config:
        """The configuration of the mirror. Raises `ConfigError`; `UsageError` where there are several (see `of`)."""
        return self.project.one(self._upstream)

    @cached_property
    def report(self) -> CheckReport:
        """The check of the declared constants against the snapshot. Raises `BlindError` and `ConfigError`."""
        from driftgate.gate.check import check

        return check(self.config, (), None, fail_on=self._fail_on())

    @property
    def snapshot(self) -> Surface:
        """What the snapshot states."""
        from driftgate.gate.pinned import pinned_snapshot

        return pinned_snapshot(self.config)

    def assert_agrees(self, *names: str) -> None:
        """Raise `DriftError` if any of the named sets drifts (default: if anything does)."""
        from driftgate.errors import ExitCode
        from driftgate.report import Style, render

        report = self.report
        wanted = [*map(self.findings, names)] if names else [report.all_findings()]
        failing = [found for group in wanted for found in group if found.severity.rank >= report.fail_on.rank]
        if failing:
            shown = ", ".join(dict.fromkeys(found.subject for found in failing))
            raise DriftError(f"{shown}\n{render(report, 'text', Style())}")
        if report.exit_code is ExitCode.BLIND:
            raise DriftError(render(report, "text", Style()))

    def findings(self, name: str) -> tuple[Finding, ...]:
        """Return the findings of one declared set, or of `PROJECT`: those that belong to no declared set."""
        declared = self.config.declared
        if name not in declared and name != PROJECT:
            from driftgate.errors import UsageError

            raise UsageError(f"{name!r} is not declared", expected=", ".join(declared), where=str(self.config.source))
        return tuple(
            found for found in self.report.all_findings() if (found.of if found.of in declared else PROJECT) == name
        )

    def _fail_on(self) -> Any:
        from driftgate.judge.rules import Severity
        from driftgate.project.layers import layered

        return Severity(layered("fail-on", None, os.environ, self.config) or Severity.NOTICE)


class DriftItem(pytest.Item):
    """The test of one declared set."""

    def __init__(self, *, gate: Driftgate, set_name: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._gate = gate
        self._set = set_name

    def runtest(self) -> None:
        """Raise `DriftError` on drift, and what the check raises where it cannot look."""
        self._gate.assert_agrees(self._set)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone: a trace through driftgate says nothing about the drift."""
        from driftgate.errors import DriftgateError, verdict_line

        error = excinfo.value
        if isinstance(error, DriftgateError):
            return f"{error}\n{verdict_line(error.code)}"
        return str(error) if isinstance(error, DriftError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the set is configured, and what the test is called."""
        return self._gate.config.source, None, f"driftgate: {self.name}"


class _Sets(pytest.Collector):
    """The parent of the tests; it belongs to no file."""

    def collect(self) -> Iterator[pytest.Item]:
        gates = self.config.stash[_GATE].mirrors
        for gate in gates:
            whose = f"{gate.config.upstream}: " if len(gates) > 1 else ""
            for name in (*gate.config.declared, PROJECT):
                yield DriftItem.from_parent(self, name=f"{whose}{name}", gate=gate, set_name=name)


_GATE: pytest.StashKey[Driftgate] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's options."""
    group = parser.getgroup("driftgate", "drift of declared constants")
    group.addoption("--driftgate", action="store_true", help="one test for each set that this package declares")
    group.addoption(
        "--driftgate-update",
        action="store_true",
        help="first write the snapshot of the newest release and move the pin to it; never in CI",
    )
    parser.addini("driftgate", "true: one test for each set that this package declares", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Make the check available to the fixture and the tests; nothing is read yet."""
    config.stash[_GATE] = Driftgate(config.rootpath)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what the constants are compared with."""
    if not _enabled(config):
        return None
    from driftgate.errors import DriftgateError

    try:
        found = config.stash[_GATE].project
    except DriftgateError:
        return None  # the session's start says it, and ends there
    return f"driftgate: {found.source.name}, snapshot {' and '.join(one.snapshot.name for one in found.mirrors)}"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse what cannot be; write the snapshot if that was asked for."""
    config = session.config
    if not _enabled(config):
        return
    from driftgate.errors import DriftgateError

    try:
        gate = config.stash[_GATE]
        if config.getoption("--driftgate-update") and not hasattr(config, "workerinput"):
            for mirror in gate.mirrors:
                _update(config, mirror)
            gate = config.stash[_GATE] = Driftgate(config.rootpath)  # the pins have moved
        gate.project  # noqa: B018 - a configuration error is reported before any test runs
    except DriftgateError as error:
        raise pytest.UsageError(f"driftgate: {error}") from None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests, before -k and -m choose among all of them."""
    if _enabled(config):
        sets = _Sets.from_parent(session, name="driftgate", nodeid="driftgate")
        items.extend(item for item in sets.collect() if isinstance(item, pytest.Item))


@pytest.fixture(scope="session", name="driftgate")
def driftgate_fixture(pytestconfig: pytest.Config) -> Driftgate:
    """The check of this package's constants against its snapshot: `driftgate.assert_agrees()`."""
    return pytestconfig.stash[_GATE]


def _enabled(config: pytest.Config) -> bool:
    return bool(config.getoption("--driftgate") or config.getoption("--driftgate-update") or config.getini("driftgate"))


def _update(config: pytest.Config, gate: Driftgate) -> None:
    from driftgate.anchors import FetchOptions
    from driftgate.errors import UsageError
    from driftgate.gate.target import LATEST
    from driftgate.history.extend import refresh_and_extend
    from driftgate.project.layers import layered
    from driftgate.report.surface_changes import refresh_text

    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise UsageError(
            "--driftgate-update writes the snapshot, and never in CI",
            found=f"CI={os.environ['CI']}",
            next="run it at home and commit the snapshot, or use the refresh workflow",
        )
    chosen = {name: layered(name, None, os.environ, gate.config) for name in ("registry", "cache")}
    cache = Path(chosen["cache"]) if chosen["cache"] else None
    options = FetchOptions(registry=chosen["registry"], cache=cache, project=gate.config.root)
    report = refresh_and_extend(gate.config, LATEST, options)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(refresh_text(report))
