"""What `init` would do in a project: what it found, and the files that it would write. Nothing here writes."""

from __future__ import annotations

import datetime as dt
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from driftgate.errors import BlindError, ConfigError, NoConfigError, UsageError
from driftgate.gate.check import compare_with
from driftgate.gate.observe import observe
from driftgate.gate.outcome import Comparison
from driftgate.gate.target import LATEST
from driftgate.init import workflow
from driftgate.init.config_text import Draft, toml_text, yaml_text
from driftgate.init.known import event_names, newest_snapshot, shipped_surfaces, telling_names
from driftgate.init.mirrors import Found, Mirror, chosen_of, mirrors_in
from driftgate.init.tree import Walk
from driftgate.judge.rules import Direction
from driftgate.project.configuration import Config
from driftgate.project.finding import config_file, repository_root
from driftgate.project.reading import parse_project
from driftgate.report.phrases import plural
from driftgate.snapshot import dump_snapshot, load_snapshot
from driftgate.surface import Surface
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

    `configured` is the configuration that is there already (then nothing is to be written). `releases` are the titles
    of what is mirrored, `mirrors` those that the configuration names, `found` all that was seen; `skipped` counts the
    folders that were not entered. `left_out` counts the names that the subsets leave out, `drift` holds what is wrong:
    (severity, subject, what it is).
    """

    root: Path
    configured: Path | None = None
    upstreams: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    mirrors: tuple[Mirror, ...] = ()
    found: Found = field(default_factory=Found)
    skipped: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    files: tuple[NewFile, ...] = ()
    kept: tuple[Path, ...] = ()
    left_out: int = 0
    drift: tuple[tuple[str, str, str], ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[Mirror, ...]:
        """The mirrors that were found and are not configured."""
        chosen = {(mirror.set, mirror.place, mirror.upstream) for mirror in self.mirrors}
        return tuple(one for one in self.found.mirrors if (one.set, one.place, one.upstream) not in chosen)


def configured_above(start: Path) -> Path | None:
    """Return the configuration that is in force in `start`: its own, or that of the project that it lies in."""
    try:
        return config_file(start)
    except NoConfigError:
        return None


def plan(
    root: Path,
    options: FetchOptions,
    *,
    only: str | None = None,
    progress: Callable[[int, Path], None] | None = None,
) -> Plan:
    """Look at the project in `root` and return what to write; `only` names the upstream that is meant.

    Raises `UsageError` where nothing in it seems to mirror an upstream, or nothing says which of several, and
    `ConfigError` where a configuration is there and cannot be read.
    """
    there = configured_above(root)
    if there is not None:
        return Plan(root, configured=there)
    surfaces = shipped_surfaces() if only is None else {only: _shipped(only)}
    walk, found, chosen = _look(root, surfaces, progress)
    if not chosen:
        raise _nothing(root, walk, found)
    drafts, observed = [], []
    notices: list[str] = [*filter(None, [walk.bound])]
    for upstream, mirrors in chosen.items():
        surface, said = _surface(upstream, options)
        notices += said
        observed.append(surface)
        drafts.append(Draft(upstream, f"{FOLDER}/{upstream}/{surface.version}.yaml", mirrors))
    return _planned(root, drafts, observed, walk, found, tuple(notices))


def _look(
    root: Path, surfaces: Mapping[str, Surface], progress: Callable[[int, Path], None] | None
) -> tuple[Walk, Found, dict[str, tuple[Mirror, ...]]]:
    """Return what a walk found; what is built is looked at where nothing else is there."""
    walk, found = Walk(root, progress=progress), Found()
    for built in (False, True):
        walk = Walk(root, built=built, progress=progress)
        found = mirrors_in(walk.candidates(telling_names(surfaces), event_names(surfaces)), root, surfaces)
        chosen = {name: mirrors for name in surfaces if (mirrors := chosen_of(found.mirrors, name, root))}
        chosen = {name: mirrors for name, mirrors in chosen.items() if not all(one.is_docs for one in mirrors)}
        if chosen or found.mirrors:
            return walk, found, chosen
    return walk, found, {}


def _planned(
    root: Path,
    drafts: Sequence[Draft],
    observed: Sequence[Surface],
    walk: Walk,
    found: Found,
    notices: tuple[str, ...],
) -> Plan:
    make, path = _configuration(root)
    # What drifts is known once the configuration can be read: the same code decides that later, at every check.
    comparisons = _compared(make, drafts, observed, path, root)
    whole = [_with_subset(draft, one) for draft, one in zip(drafts, comparisons, strict=True)]
    comparisons = _compared(make, whole, observed, path, root)
    config_text = NewFile(path, make(whole), appended=path.exists())
    repository = repository_root(root) or root
    scheduled = workflow.workflow_text(_titles(whole), root, repository)
    wanted = (
        _behind(config_text) if config_text.appended else config_text,
        *(
            NewFile(root / draft.snapshot, dump_snapshot(surface, draft.upstream))
            for draft, surface in zip(whole, observed, strict=True)
        ),
        NewFile(repository / workflow.path_of(root, repository), scheduled),
    )
    standing = [finding for one in comparisons for finding in one.findings]
    return Plan(
        root,
        upstreams=tuple(draft.upstream for draft in whole),
        releases=tuple(
            f"{UPSTREAMS[draft.upstream].title} {one.version}" for draft, one in zip(whole, observed, strict=True)
        ),
        mirrors=tuple(mirror for draft in whole for mirror in draft.mirrors),
        found=found,
        skipped=MappingProxyType(walk.skipped),
        files=tuple(file for file in wanted if file.appended or not os.path.lexists(file.path)),
        kept=tuple(file.path for file in wanted if not file.appended and os.path.lexists(file.path)),
        left_out=sum(len(one.left_out) for one in comparisons),
        drift=tuple((one.severity.value, one.subject, one.rule.summary) for one in standing),
        notices=tuple(dict.fromkeys(notices)),
    )


def _compared(
    make: Callable[[Sequence[Draft]], str], drafts: Sequence[Draft], observed: Sequence[Surface], path: Path, root: Path
) -> list[Comparison]:
    as_file = path.with_name("pyproject.toml") if make is toml_text else path
    mirrors = {config.upstream: config for config in parse_project(make(drafts), as_file, root=root).mirrors}
    pairs = zip(drafts, observed, strict=True)
    return [_compare(mirrors[draft.upstream], surface) for draft, surface in pairs]


def _compare(config: Config, surface: Surface) -> Comparison:
    comparison = compare_with(config, surface, today=dt.datetime.now(tz=dt.UTC).date())
    if comparison.problem is not None:
        raise comparison.problem
    return comparison


def _with_subset(draft: Draft, comparison: Comparison) -> Draft:
    """Return the draft with what is missing called a subset, to be confirmed; what is wrong stays red."""
    lacking: dict[str, int] = {}
    for finding in comparison.findings:
        if finding.rule.direction is Direction.ONLY_UPSTREAM and finding.rule.id != "field-not-carried":
            for of, _ in finding.tally:
                lacking[of] = lacking.get(of, 0) + 1
    release = f"{UPSTREAMS[draft.upstream].title} {comparison.version}"
    reasons = {
        name: f"to confirm: {plural(count, 'name')} of {release} not here when `driftgate init` looked"
        for name, count in lacking.items()
    }
    looser = tuple(one.subject for one in comparison.findings if one.rule.id == "field-looser" and one.advice)
    return replace(draft, subset=MappingProxyType(reasons), looser=looser)


def _titles(drafts: Sequence[Draft]) -> str:
    return " and ".join(UPSTREAMS[draft.upstream].title for draft in drafts)


def _nothing(root: Path, walk: Walk, found: Found) -> UsageError:
    undecided = [mirror for mirror in found.mirrors if mirror.instead and not mirror.is_docs]
    if undecided:
        first = undecided[0]
        names = (first.upstream, *first.instead)
        return UsageError(
            f"whose names are these? {' and '.join(UPSTREAMS[name].title for name in names)} have all of them",
            where=f"{first.place}: {first.declared}",
            expected=" or ".join(f"--upstream {name}" for name in names),
            found=", ".join(first.same[:6]),
        )
    seen = [f"{one.place} lists hook events of {UPSTREAMS[one.upstream].title}" for one in found.mirrors[:3]]
    if found.unread:
        languages = ", ".join(dict.fromkeys(found.unread.values()))
        seen.append(f"{', '.join([*found.unread][:3])} (no reader for {languages})")
    seen += [f"{path} cannot be read: {why}" for path, why in [*found.broken.items()][:3]]
    if found.silent and not seen:
        seen.append(f"names of hook events in {', '.join(found.silent[:5])}, in no set that can be named")
    if found.uses:
        seen.append(f"{', '.join(found.uses[:3])} configures hooks; `driftgate classify` says whether they load")
    return UsageError(
        "nothing here seems to mirror a set of an upstream",
        where=str(root),
        expected="a list, enum, union or schema of hook event names, in a language that `driftgate` reads",
        found="; ".join(seen) or f"{walk.looked_at} source files, none with such a list",
        next='say where it is: driftgate.yml with `declared: {hook_events: "path#NAME"}` and a snapshot'
        + "; for a language without reader, write the names to a JSON list and compare the two in a test"
        * bool(found.unread),
    )


def _surface(upstream: str, options: FetchOptions) -> tuple[Surface, tuple[str, ...]]:
    """Return the newest release's surface where it can be had, else the newest one that is shipped."""
    if upstream_named(upstream).package is None:
        return _shipped(upstream), ()
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


def _configuration(root: Path) -> tuple[Callable[[Sequence[Draft]], str], Path]:
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
