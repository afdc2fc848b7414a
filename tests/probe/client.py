"""One release of the client on this machine: fetched by npm into a temporary folder, run in a namespace of its own.

The namespace has no network (not even loopback is up, unless a test brings it up), the environment is empty, the home
folder is new, and nobody is logged in. From 2.1.113 on the client is a native executable; before, a script for Node.js.
"""

import contextlib
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from packaging.version import Version

FIRST_NATIVE = "2.1.113"
TIMEOUT = 180.0  # seconds; a batch of hundreds of plugins takes about five on two busy cores

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}


class ClientUnavailableError(Exception):
    """The client cannot be had or run here; the text says why."""


@functools.cache
def why_not() -> str | None:
    """Why the client cannot be run here, or None: Linux on x64 with namespaces for this user, npm, and Node.js."""
    if os.uname().sysname != "Linux" or os.uname().machine != "x86_64":
        return "the probe runs the linux-x64 client; this machine is another"
    for tool in ("unshare", "env", "npm", "node"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"this machine gives no network namespace: {tried.stderr.strip() or 'unshare -rn failed'}"
    return None


@dataclass(frozen=True, slots=True)
class Said:
    """What one run of the client gave: its exit code (None: stopped after the time allowed) and its output."""

    code: int | None
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Client:
    """The client of one release; `command` is how it is started."""

    release: str
    command: tuple[str, ...]
    folder: Path

    def run(
        self, home: Path, arguments: Sequence[str], *, env: dict[str, str] | None = None, timeout: float | None = None
    ) -> Said:
        """Run it with `home` as its home (and `home/work` as its working folder), without network."""
        line = self.line(home, arguments, env or {})
        # Into files: an older client ends before a pipe has taken more than 64 KiB.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            code: int | None = None
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = subprocess.run(
                    line,
                    cwd=home / "work",
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    timeout=timeout or TIMEOUT,
                    check=False,
                ).returncode
            return Said(code, _text(out), _text(err))

    def line(self, home: Path, arguments: Sequence[str], env: dict[str, str]) -> list[str]:
        """The command that runs it in a namespace without network; `home` and `home/work` are made."""
        (home / "work").mkdir(parents=True, exist_ok=True)
        set_here = {**ENVIRONMENT, "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / ".claude"), **env}
        return ["unshare", "-rn", "env", "-i", *(f"{k}={v}" for k, v in set_here.items()), *self.command, *arguments]

    def drop(self) -> None:
        """Delete it; a native one takes 200 to 400 MB."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def fetch(release: str, into: Path) -> Client:
    """The client of `release`, fetched by npm into `into/RELEASE` unless it is there already.

    Raises ClientUnavailableError: npm could not fetch it.
    """
    native = Version(release) >= Version(FIRST_NATIVE)
    folder = into / release
    program = folder / ("claude" if native else "cli.js")
    if not program.exists():
        into.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f"{release}-", dir=into))
        name = "@anthropic-ai/claude-code-linux-x64" if native else "@anthropic-ai/claude-code"
        _npm_pack(f"{name}@{release}", fresh)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
        if not program.exists():
            raise ClientUnavailableError(f"{name}@{release} holds no {program.name}")
    return Client(release, (str(program),) if native else ("node", str(program)), folder)


def _npm_pack(spec: str, into: Path) -> None:
    packed = subprocess.run(
        ["npm", "pack", spec, "--silent"], cwd=into, capture_output=True, text=True, timeout=600, check=False
    )
    if packed.returncode:
        raise ClientUnavailableError(f"npm pack {spec} failed: {packed.stderr.strip()[-300:]}")
    tarball = into / packed.stdout.split()[-1]
    subprocess.run(["tar", "-xzf", str(tarball), "--strip-components=1"], cwd=into, check=True, timeout=300)
    tarball.unlink()
