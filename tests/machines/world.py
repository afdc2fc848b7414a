"""A registry, a project, and driftgate as processes between them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from driftgate.snapshot import load_snapshot
from tests.anchors.conftest import Registry
from tests.extraction import bundles

SDK = "@anthropic-ai/claude-agent-sdk"
MAIN = "@anthropic-ai/claude-code"
VERSIONS = ("2.1.400", "2.1.401")
CODES = {0, 1, 2, 3, -2, -15}
"""What a process may end with: its own codes, or the signal where it was ended before it could say anything."""


@contextlib.contextmanager
def registry(size: int = 200_000) -> Iterator[Registry]:
    """Serve two releases; `size` bytes that do not shrink make their fetching take a moment."""
    served = Registry()
    try:
        for version, events in zip(VERSIONS, (bundles.EVENTS, (*bundles.EVENTS, "Brunch")), strict=True):
            junk = b"".join(hashlib.sha512(bytes([n % 256, n // 256])).digest() for n in range(size // 64))
            files = {"sdk.mjs": bundles.bare(events=events).encode(), "junk.bin": junk}
            served.publish(SDK, version.replace("2.1.", "0.3."), files, manifest={"claudeCodeVersion": version})
            served.publish(MAIN, version)
        yield served
    finally:
        served.close()


class Project:
    """A project in `folder` that mirrors the first of the releases, and how driftgate is run in it."""

    def __init__(self, folder: Path, served: Registry, cache: Path) -> None:
        self.folder = folder
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")},
            "HOME": str(folder.parent / "home"),
            "NPM_CONFIG_REGISTRY": served.url,
            "DRIFTGATE_CACHE": str(cache),
        }
        self.environ.pop("DRIFTGATE_DEBUG", None)

    def write(self) -> None:
        """Be as at the start: a configuration, constants, and the snapshot of the first release."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        names = ", ".join(map(json.dumps, bundles.EVENTS))
        (self.folder / "hooks.py").write_text(f"HOOK_EVENTS = ({names})\n")
        (self.folder / "driftgate.yml").write_text(
            f"snapshot: snapshots/{VERSIONS[0]}.yaml\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n"
        )
        (self.folder / "snapshots").mkdir()
        (self.folder / f"snapshots/{VERSIONS[0]}.yaml").write_text(self.snapshot)

    snapshot = ""

    def write_first(self) -> None:
        """Be as at the start, for the first time: the snapshot is what a refresh writes."""
        self.write()
        (self.folder / f"snapshots/{VERSIONS[0]}.yaml").unlink()
        code, _, err = self.run("refresh", "--to", VERSIONS[0])
        assert code in (0, 1), err
        type(self).snapshot = (self.folder / f"snapshots/{VERSIONS[0]}.yaml").read_text()
        self.write()

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start driftgate in the project."""
        return subprocess.Popen(
            [sys.executable, "-m", "driftgate", *words],
            cwd=self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        """Run driftgate in the project to its end; return its code and what it said."""
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def faults(self) -> list[str]:
        """Return what is wrong with the files of the project: half of one, or one that is not ours."""
        found = []
        for path in self.folder.rglob("*"):
            if path.is_dir():
                continue
            name = path.relative_to(self.folder).as_posix()
            if name.endswith(".part") or name.startswith("."):
                if not name.startswith(".github/"):
                    found.append(f"left over: {name}")
            elif path.suffix == ".yaml" and path.stem in VERSIONS:
                try:
                    load_snapshot(path)
                except Exception as problem:  # noqa: BLE001
                    found.append(f"half of {name}: {problem}")
        return found


def cache_faults(cache: Path) -> list[str]:
    """Return what is wrong with the cache: content that is not what its name says, an index that cannot be read."""
    found = []
    found += [
        f"damaged content: {path.name[:12]}"
        for path in (cache / "content").glob("*/*")
        if hashlib.sha512(path.read_bytes()).hexdigest() != path.name
    ]
    for path in (cache / "index").glob("*/*"):
        if path.suffix == ".part" or path.name.startswith("."):
            continue  # beside its place: of a process that was killed, and never read
        try:
            if "integrity" not in json.loads(path.read_text()):
                found.append(f"odd index: {path.name}")
        except ValueError:
            found.append(f"half an index entry: {path.name}")
    return found


__all__ = ["SDK", "VERSIONS", "Project", "cache_faults", "registry"]
