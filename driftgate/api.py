"""The library's verbs: the gate's use cases with plain arguments. Import them from `driftgate`.

They return values and raise the errors of `driftgate.errors`; nothing is printed, and no process is ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from driftgate.errors import UsageError
from driftgate.gate import check as gate_check
from driftgate.gate.observe import observe
from driftgate.gate.outcome import CheckReport
from driftgate.gate.refresh import RefreshReport
from driftgate.gate.target import parse_target
from driftgate.history.extend import refresh_and_extend
from driftgate.judge.comparison import Diff
from driftgate.judge.comparison import diff as diff_surfaces
from driftgate.judge.rules import Severity
from driftgate.project.configuration import Config, Project
from driftgate.project.finding import find_project
from driftgate.project.reading import load_project
from driftgate.surface import Surface

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions


def check(
    project: str | Path = ".",
    *,
    against: Iterable[str] = (),
    deep: bool = False,
    fail_on: Severity | str | None = None,
    options: FetchOptions | None = None,
) -> CheckReport:
    """Compare what a project declares with its snapshot, or with each of `against` instead.

    `project` is a folder in it, or its configuration file; all its mirrors are looked at (`mirrors` of the report says
    what they are). `against` holds "snapshot", "pinned", "latest", versions, "npm:PACKAGE@VERSION" or paths. With
    `deep`, a native binary is read too and must agree. `fail_on` is the mildest severity that fails (default: as
    configured, else any). `options` say how artefacts are fetched (default: as npm is configured). The report's
    `exit_code` is the verdict.

    Raises ConfigError for a wrong configuration, UsageError for an unknown severity, and BlindError where the declared
    constants or the snapshot cannot be read; a comparison that cannot be made is part of the report.
    """
    whole = _project(project)
    targets = tuple(map(parse_target, (against,) if isinstance(against, str) else against))
    limit = _severity(fail_on or whole.mirrors[0].options.get("fail-on", Severity.NOTICE))
    return gate_check.check_projects(
        {str(whole.source): whole},
        lambda _: targets,
        lambda config: options or _options(config),
        deep=deep,
        fail_on=limit,
    )


def extract(what: str | Path, *, deep: bool = False, options: FetchOptions | None = None) -> Surface:
    """Return what an artefact, a snapshot or a source file states: a version, "latest", "npm:PACKAGE@VERSION", a path.

    Raises UsageError for what names nothing, BlindError for what cannot be read or contradicts itself.
    """
    return observe(parse_target(str(what)), options or _options(None), deep=deep)


def diff(a: Surface | str | Path, b: Surface | str | Path, *, options: FetchOptions | None = None) -> Diff:
    """Compare two surfaces, or what two targets of `extract` state. What is new in `b` is "added".

    In each change and count, `declared` is the side of `a`, `observed` that of `b`. Only the sets that both state are
    compared; `uncompared` names those that `a` states and `b` does not. Raises as `extract` does.
    """
    old, new = (side if isinstance(side, Surface) else extract(side, options=options) for side in (a, b))
    return diff_surfaces(new, old)


def refresh(
    project: str | Path = ".",
    *,
    to: str = "latest",
    deep: bool = False,
    dry_run: bool = False,
    options: FetchOptions | None = None,
) -> RefreshReport:
    """Write the snapshot of a release and move the project's pin to it; nothing unless everything was read.

    Raises ConfigError where there is no project whose snapshot it would be, and as `extract` does.
    """
    config = config_of(project)
    return refresh_and_extend(config, parse_target(to), options or _options(config), deep=deep, dry_run=dry_run)


def config_of(project: str | Path) -> Config:
    """Return the configuration in force for a folder, or the one in a file; its only mirror. Raises ConfigError."""
    return _project(project).one(None)


def _project(project: str | Path) -> Project:
    path = Path(project)
    return find_project(path.resolve()) if path.is_dir() else load_project(path)


def _severity(name: str) -> Severity:
    if name not in list(Severity):
        raise UsageError("not a severity", where="fail_on", expected=", ".join(Severity), found=str(name))
    return Severity(name)


def _options(config: Config | None) -> FetchOptions:
    from driftgate.anchors import FetchOptions

    return FetchOptions(project=config.root) if config is not None and not config.builtin else FetchOptions()
