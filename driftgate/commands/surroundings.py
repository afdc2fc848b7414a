"""What driftgate finds around itself: versions, configuration, registry, cache, network. Facts for `driftgate doctor`.

Nothing here holds a secret: addresses come without user, password and query, credentials as the name of the setting
that they come from.
"""

from __future__ import annotations

import os
import platform
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from driftgate import __version__
from driftgate.errors import DriftgateError, ExitCode, NoConfigError
from driftgate.project.configuration import OPTIONS, Config
from driftgate.project.finding import own_config_path

if TYPE_CHECKING:
    from driftgate.anchors import FetchOptions

_PATIENCE = 15.0


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the examination: its facts, each a name and a value, and what is wrong with it."""

    name: str
    facts: tuple[tuple[str, str], ...] = ()
    problem: DriftgateError | None = None


def worst(sections: tuple[Section, ...]) -> ExitCode:
    """Return the code that the examination ends with: that of its worst problem."""
    return max((one.problem.code for one in sections if one.problem), default=ExitCode.AGREES)


def examine(
    find_mirrors: Callable[[], tuple[Config, ...]], options: Callable[[Config | None], FetchOptions]
) -> tuple[Section, ...]:
    """Look at everything once. What is wrong with one part does not hide the others.

    `find_mirrors` returns the mirrors of the configuration in force, `options` how artefacts are fetched under it; both
    may raise. That there is no configuration is said and is nothing wrong.
    """
    config: Config | None = None
    sections = [_section("versions", _versions())]
    try:
        mirrors = find_mirrors()
        config = mirrors[0]
        facts = [fact for one in mirrors for fact in _mirror(one)]
        sections.append(Section("configuration", (("file", str(config.source)), *facts, *_options_set(config))))
    except NoConfigError as problem:
        sections.append(Section("configuration", (("file", f"none ({problem.next})"),)))
    except DriftgateError as problem:
        sections.append(Section("configuration", problem=problem))
    try:
        fetch = options(config)
    except DriftgateError as problem:
        return (*sections, Section("registry", problem=problem))
    sections += [_section(name, look(fetch)) for name, look in _LOOKS]
    return tuple(sections)


def _section(name: str, looking: Iterator[tuple[str, str]]) -> Section:
    facts: list[tuple[str, str]] = []
    try:
        for fact in looking:
            facts.append(fact)  # noqa: PERF402 - what was found before a problem is kept
    except DriftgateError as problem:
        return Section(name, tuple(facts), problem)
    return Section(name, tuple(facts))


def _versions() -> Iterator[tuple[str, str]]:
    yield "driftgate", __version__
    yield "installed at", str(Path(__file__).parents[1])
    yield platform.python_implementation(), f"{platform.python_version()} ({sys.platform}, {platform.machine()})"
    for name in _dependencies():
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            yield name, "not installed"


def _dependencies() -> Iterator[str]:
    """Yield what the package depends on, by its own statement; the wheel carries it."""
    from packaging.requirements import Requirement

    project = tomllib.loads(own_config_path().read_text(encoding="utf-8"))["project"]
    for text in project["dependencies"]:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement.name


def _mirror(config: Config) -> Iterator[tuple[str, str]]:
    yield "upstream", config.upstream
    yield "snapshot", str(config.snapshot) + ("" if config.snapshot.is_file() else " (missing)")
    yield "declares", ", ".join(config.declared)
    yield "accepted entries", str(len(config.accepted))


def _options_set(config: Config) -> Iterator[tuple[str, str]]:
    # Their values may hold secrets, so they are not shown.
    given = [name for name in OPTIONS if name in config.options]
    named = [name for name in os.environ if name.startswith("DRIFTGATE_")]
    yield "options set", ", ".join([*given, *sorted(named)]) or "none"


def _registry(options: FetchOptions) -> Iterator[tuple[str, str]]:
    from driftgate.anchors.address import shown
    from driftgate.anchors.npmrc import NpmConfig
    from driftgate.anchors.transport import proxy_for, trust_of
    from driftgate.upstreams.catalogue import CLAUDE_CODE

    npm = NpmConfig(options)
    package = CLAUDE_CODE.main.name
    scope = package.partition("/")[0]
    setting = npm.settings.get(f"{scope}:registry") or npm.settings.get("registry")
    if options.offline and not (options.registry or setting):
        yield "address", "nowhere configured; npm itself was not asked (offline)"
        return
    address = npm.registry(package)
    source = "the option --registry" if options.registry else setting.source if setting else "npm config get registry"
    yield "address", shown(address)
    yield "from", source
    credential = npm.credential(address)
    yield "credential", f"{credential.source} (hidden)" if credential else "none"
    yield "proxy", str(proxy_for(address, npm, options.environ) or "none")
    trust = trust_of(npm, options.environ)
    yield "trusts", trust.source if trust.verify else f"every certificate ({trust.source})"


def _cache(options: FetchOptions) -> Iterator[tuple[str, str]]:
    folder = options.cache_directory
    yield "folder", str(folder)
    files = [path for path in (folder / "content").rglob("*") if path.is_file()] if folder.is_dir() else []
    size = sum(path.stat().st_size for path in files)
    yield "holds", f"{len(files)} artefacts, {size / 1e6:.1f} MB" if folder.is_dir() else "nothing yet"
    nearest = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    yield "writable", "yes" if os.access(nearest, os.W_OK) else "no"


def _network(options: FetchOptions) -> Iterator[tuple[str, str]]:
    if options.offline:
        yield "reached", "not tried (offline)"
        return
    from driftgate.anchors import latest_version

    start = time.monotonic()
    patient = replace(options, attempts=1, connect_timeout=_PATIENCE, read_timeout=_PATIENCE)
    version = latest_version(patient)
    yield "reached", f"yes, in {time.monotonic() - start:.1f} s"
    yield "newest release", version


_LOOKS = (("registry", _registry), ("cache", _cache), ("network", _network))
