"""What `init` would do in a project: what it found, and the files that it would write. Nothing here writes."""

from __future__ import annotations

import datetime as dt
import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError, ConfigError, NoConfigError, UsageError
from driftgate.gate.check import compare_with
from driftgate.gate.observe import observe
from driftgate.gate.target import LATEST
from driftgate.init import workflow
from driftgate.init.config_text import Draft, toml_text, yaml_text
from driftgate.init.known import newest_snapshot, shipped_surfaces, telling_names
from driftgate.init.mirrors import Mirror, chosen_of, mirrors_in
from driftgate.init.tree import Walk
from driftgate.project.configuration import Config
from driftgate.project.finding import config_file
from driftgate.project.reading import parse_config
from driftgate.snapshot import dump_snapshot, load_snapshot
from driftgate.surface import HOOK_EVENTS_SET, Surface
from driftgate.upstreams.catalogue import UPSTREAMS, upstream_named

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions

FOLDER: Final = ".driftgate"
"""Where a project's own snapshots go: FOLDER/UPSTREAM/VERSION.yaml."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to write. `appended`: it exists, and `text` goes behind what it holds; else it must not exist yet."""

    path: Path
    text: str
    appended: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What was found and what is to be written.

    `configured` is the configuration that is there already (then nothing is to be written). `mirrors` are those that
    the configuration names, `others` what else was found. `drift` counts the entries whose reasons are to be filled in.
    """

    root: Path
    configured: Path | None = None
    upstream: str = ""
    release: str = ""
    mirrors: tuple[Mirror, ...] = ()
    others: tuple[Mirror, ...] = ()
    files: tuple[NewFile, ...] = ()
    kept: tuple[Path, ...] = ()
    drift: int = 0
    notices: tuple[str, ...] = ()


def configured_above(start: Path) -> Path | None:
    """Return the configuration that is in force in `start`: its own, or that of the project that it lies in."""
    try:
        return config_file(start)
    except NoConfigError:
        return None


def plan(root: Path, options: FetchOptions, *, only: str | None = None) -> Plan:
    """Look at the project in `root` and return what to write; `only` names the upstream that is meant.

    Raises `UsageError` where nothing in it seems to mirror an upstream, and `ConfigError` where a configuration is
    there and cannot be read.
    """
    there = configured_above(root)
    if there is not None:
        return Plan(root, configured=there)
    surfaces = shipped_surfaces() if only is None else {only: _shipped(only)}
    walk = Walk(root)
    found = mirrors_in(tuple(walk.candidates(telling_names(surfaces))), root, surfaces)
    upstream = _upstream(found)
    if upstream is None:
        raise _nothing(root, walk, found)
    surface, notices = _surface(upstream, options)
    chosen = chosen_of(found, upstream)
    others = tuple(mirror for mirror in found if mirror not in chosen)
    draft = Draft(upstream, f"{FOLDER}/{upstream}/{surface.version}.yaml", chosen)
    make, path = _configuration(root)
    # What drifts is known once the configuration can be read: the same code decides that later, at every check.
    config = parse_config(make(draft), path.with_name("pyproject.toml") if make is toml_text else path, root=root)
    accepted = _drift(config, surface)
    config_file = NewFile(path, make(replace(draft, accepted=accepted)), appended=path.exists())
    wanted = (
        _behind(config_file) if config_file.appended else config_file,
        NewFile(root / draft.snapshot, dump_snapshot(surface, upstream)),
        NewFile(root / workflow.PATH, workflow.workflow_text(UPSTREAMS[upstream].title)),
    )
    return Plan(
        root,
        upstream=upstream,
        release=f"{UPSTREAMS[upstream].title} {surface.version}",
        mirrors=chosen,
        others=others,
        files=tuple(file for file in wanted if file.appended or not os.path.lexists(file.path)),
        kept=tuple(file.path for file in wanted if not file.appended and os.path.lexists(file.path)),
        drift=len(accepted),
        notices=(*notices, *filter(None, [walk.bound])),
    )


def _upstream(found: tuple[Mirror, ...]) -> str | None:
    """Return the upstream that most names are of; only what a configuration can name counts, and docs alone do not."""
    names: dict[str, int] = {}
    for mirror in found:
        if mirror.set == HOOK_EVENTS_SET and mirror.spec is not None and not mirror.is_docs:
            names[mirror.upstream] = names.get(mirror.upstream, 0) + len(mirror.same)
    return max(names, key=lambda name: names[name], default=None)


def _nothing(root: Path, walk: Walk, found: tuple[Mirror, ...]) -> UsageError:
    seen = "; ".join(f"{mirror.place} lists hook events of {UPSTREAMS[mirror.upstream].title}" for mirror in found[:3])
    return UsageError(
        "nothing here seems to mirror a set of an upstream",
        where=str(root),
        expected="a list, enum, union or schema of hook event names, in a language that `driftgate` reads",
        found=seen or f"{walk.looked_at} source files, none with such a list",
        next='say where it is: driftgate.yml with `declared: {hook_events: "path#NAME"}` and a snapshot',
    )


def _surface(upstream: str, options: FetchOptions) -> tuple[Surface, tuple[str, ...]]:
    """Return the newest release's surface where it can be had, else the newest one that is shipped."""
    if not options.offline:
        try:
            surface = observe(LATEST, options, upstream=upstream)
        except (BlindError, ConfigError) as problem:
            notice = f"the newest release cannot be read ({problem.what}); the snapshot is the newest that is shipped"
        else:
            return surface, surface.notices
    else:
        notice = (
            "offline: the snapshot is the newest that is shipped; `driftgate refresh` moves it to the newest release"
        )
    return _shipped(upstream), (notice,)


def _shipped(upstream: str) -> Surface:
    path = newest_snapshot(upstream_named(upstream).name)
    if path is None:
        raise BlindError(
            f"driftgate ships no snapshot of {UPSTREAMS[upstream].title}, so what mirrors it cannot be told",
            next="write the configuration by hand; `driftgate refresh --to PATH` then writes the snapshot",
        )
    return load_snapshot(path)


def _configuration(root: Path) -> tuple[Callable[[Draft], str], Path]:
    """Return how the configuration is written, and where: pyproject.toml if there is one that can be added to."""
    pyproject = root / "pyproject.toml"
    if pyproject.is_file():
        try:
            tomllib.loads(pyproject.read_text(encoding="utf-8") + "\n[tool.driftgate]\n")
        except (ValueError, OSError):
            return yaml_text, root / "driftgate.yml"
        return toml_text, pyproject
    return yaml_text, root / "driftgate.yml"


def _behind(file: NewFile) -> NewFile:
    """Return the text as it goes behind what the file holds: after an empty line, with that file's line ends."""
    before = file.path.read_bytes()
    gap = "" if not before else "\n" if before.endswith(b"\n") else "\n\n"
    text = gap + file.text
    return replace(file, text=text.replace("\n", "\r\n") if b"\r\n" in before else text)


def _drift(config: Config, surface: Surface) -> tuple[tuple[str, str], ...]:
    comparison = compare_with(config, surface, today=dt.datetime.now(tz=dt.UTC).date())
    if comparison.problem is not None:
        raise comparison.problem
    return tuple(dict.fromkeys((finding.rule.id, finding.subject) for finding in comparison.findings))
