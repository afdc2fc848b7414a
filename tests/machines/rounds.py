"""Processes that are ended at random moments, and what is looked at afterwards."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.machines.world import CODES, VERSIONS, Project, cache_faults, registry

_AT_ONCE = 3
_COMMANDS = {
    "refresh": ("refresh", "--to", "latest"),
    "accept": ("accept", "event-only-upstream", "Brunch", "--reason", "later", "--against", VERSIONS[1]),
    "init": ("init",),
    "check": ("check", "--against", "latest", "--output", "json:report.json"),
    "export": ("export", VERSIONS[1], "--format", "python"),
}


@dataclass
class Result:
    """How many processes ended early, and every fault that was found."""

    ended: int = 0
    faults: list[str] = field(default_factory=list)


def kill_rounds(folder: Path, rounds: int, chosen: random.Random) -> Result:
    """Let several processes fetch into one cache, and kill each after a random time."""
    result = Result()
    cache = folder / "cache"
    with registry() as served:
        project = ready(folder, served, cache)
        longest = timed(project, "check", "--against", "latest")
        for number in range(rounds):
            if number % 5 == 0:  # else there would soon be nothing left to fetch
                for path in (*(cache / "content").glob("*/*"), *(cache / "index").glob("*/*")):
                    path.unlink(missing_ok=True)
            start = time.monotonic()
            processes = [project.start("check", "--against", "latest") for _ in range(_AT_ONCE)]
            for moment, process in zip(
                sorted(chosen.uniform(0, longest * 2) for _ in processes), processes, strict=True
            ):
                time.sleep(max(0.0, start + moment - time.monotonic()))
                result.ended += process.poll() is None
                process.kill()
            for process in processes:
                process.communicate()
            result.faults += [f"round {number}: {fault}" for fault in (*cache_faults(cache), *project.faults())]
        code, _, err = project.run("check", "--against", "latest", "-q")
        if code != 1:
            result.faults.append(f"the check after all rounds ended with {code}: {err}")
    return result


def signal_rounds(folder: Path, rounds: int, chosen: random.Random) -> Result:
    """Interrupt commands that write, or ask them to end, after a random time."""
    result = Result()
    cache = folder / "cache"
    with registry() as served:
        project = ready(folder, served, cache)
        longest = {name: timed(project, *words) for name, words in _COMMANDS.items()}
        for number in range(rounds):
            name, words = chosen.choice(tuple(_COMMANDS.items()))
            project.write()
            if name == "init":
                (project.folder / "driftgate.yml").unlink()
            process = project.start(*words)
            time.sleep(chosen.uniform(0.03, longest[name]))
            result.ended += process.poll() is None
            sent = chosen.choice((signal.SIGINT, signal.SIGTERM))
            process.send_signal(sent)
            result.faults += [
                f"round {number}, {name}, {sent.name}: {fault}" for fault in _after(project, process, cache)
            ]
    return result


def _after(project: Project, process: subprocess.Popen[str], cache: Path) -> list[str]:
    out, err = process.communicate(timeout=60)
    faults = [*project.faults(), *cache_faults(cache)]
    if "driftgate" not in err and _before_us(err):
        return faults  # Python itself was starting
    if process.returncode not in CODES:
        faults.append(f"code {process.returncode}: {err[-300:]}")
    if "Traceback" in out + err or "Exception ignored" in err:
        faults.append(f"a traceback: {err[-600:]}")
    if "nothing was written" in err and _changed(project):
        faults.append(f"something was written: {_changed(project)}")
    return faults


def _before_us(err: str) -> bool:
    return "Traceback" in err or not err


def _changed(project: Project) -> list[str]:
    known = {"hooks.py", "driftgate.yml", f"snapshots/{VERSIONS[0]}.yaml"}
    names = {path.relative_to(project.folder).as_posix() for path in project.folder.rglob("*") if path.is_file()}
    return sorted(names - known)


def ready(folder: Path, served: object, cache: Path) -> Project:
    """Return a project whose snapshot is true."""
    project = Project(folder / "repo", served, cache)  # type: ignore[arg-type]
    project.write_first()
    return project


def timed(project: Project, *words: str) -> float:
    """Return how many seconds a command takes, with a little more; the project is as before."""
    project.write()
    start = time.monotonic()
    project.run(*words)
    project.write()
    return (time.monotonic() - start) * 1.1
