"""A small sample of the rounds, and the machines that cannot be thrown at random."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from driftgate import cli
from driftgate.formats import files
from driftgate.formats.files import write_atomically
from tests.anchors.wire import Wire, say
from tests.machines.rounds import kill_rounds, ready, signal_rounds
from tests.machines.world import registry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


@pytest.mark.parametrize("rounds_of", [kill_rounds, signal_rounds])
def test_a_sample_of_the_rounds(tmp_path, rounds_of):
    assert rounds_of(tmp_path, 2, random.Random(1)).faults == []  # noqa: S311


@pytest.fixture
def stalled():
    """A registry that takes the request and says nothing."""
    server = Wire(say(b""))
    server._scripts = [server.stall()]
    yield server
    server.close()


def start(stalled, tmp_path, *words):
    environ = {**os.environ, "DRIFTGATE_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    return subprocess.Popen(
        [sys.executable, "-m", "driftgate", "check", "--registry", stalled.url, "--against", "latest", *words],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "ended by a signal")])
def test_a_process_that_waits_ends_at_once(stalled, tmp_path, number, said):
    process = start(stalled, tmp_path, "--format", "json")
    begun = time.monotonic()
    while not stalled.asked and time.monotonic() < begun + 60:
        time.sleep(0.02)
    begun = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begun < 15
    assert process.returncode == 3
    assert f"error: {said}; nothing was written" in err
    assert "Traceback" not in err
    assert f'"what": "{said}; nothing was written"' in out
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_the_time_of_all_ends_a_process(stalled, tmp_path):
    out, err = start(stalled, tmp_path, "--timeout", "0.7").communicate(timeout=60)
    assert "not finished within 0.7 s" in out + err
    assert "driftgate: blind, exit 3" in out + err


AT_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.{signal})
sys.meta_path.insert(0, Finder())
sys.argv = ["driftgate", "check"]
from driftgate.__main__ import run
run()
"""


@pytest.mark.parametrize("name", ["driftgate.cli", "driftgate.commands", "argparse", "driftgate.commands.check"])
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_while_importing_is_no_traceback(name, number):
    done = subprocess.run(
        [sys.executable, "-c", AT_IMPORT.format(name=name, signal=number)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (3, -getattr(signal, number))
    assert "Traceback" not in done.stderr
    assert done.returncode != 3 or "nothing was written" in done.stderr


FREED = """
import time
from driftgate import cli
class Freed:
    def __del__(self):
        raise {error}
cli._interruptible()
try:
    Freed()
    time.sleep(20)
    print("lost")
except KeyboardInterrupt as interrupt:
    print(type(interrupt).__name__)
"""


@pytest.mark.parametrize(
    ("error", "comes"), [("KeyboardInterrupt", "KeyboardInterrupt"), ("cli._Terminated", "_Terminated")]
)
def test_an_interrupt_while_something_is_freed_is_not_lost(error, comes):
    done = subprocess.run(
        [sys.executable, "-c", FREED.format(error=error)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (f"{comes}\n", "")


def test_a_signal_that_is_ignored_stays_so():
    """As under nohup, or in the background of a script."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); from driftgate.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code.replace("run()", "import os; os.kill(os.getpid(), signal.SIGINT); run()"), "check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_what_was_written_before_an_interrupt_is_said(tmp_path, monkeypatch, capsys):
    def interrupted(*_):
        write_atomically(tmp_path / "a.yaml", "a")
        write_atomically(tmp_path / "cached.json", "b", told=False)
        write_atomically(tmp_path / "a.yaml", "c")
        raise KeyboardInterrupt

    written: list[object] = []
    monkeypatch.setattr(files, "WRITTEN", written)
    monkeypatch.setattr(cli, "WRITTEN", written)
    monkeypatch.setattr(cli, "_run", interrupted)
    assert cli.main(["refresh"]) == 3
    err = capsys.readouterr().err
    assert "interrupted; some files were written before" in err
    assert f"found:    {tmp_path / 'a.yaml'}\n" in err
    assert "cached.json" not in err


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("machine")
    with registry() as served:
        made = ready(folder, served, folder / "cache")
        made.run("check", "--against", "latest")
        yield made


FORMATS = ["text", "json", "junit"]
TALKATIVE = [
    *(["check", "--format", each] for each in FORMATS),
    ["rules"],
    ["export", "2.1.112", "--format", "python", "--offline"],
]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")  # noqa: PTH110
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", TALKATIVE)
def test_an_output_that_takes_nothing(project, words, unbuffered):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        environ = {**project.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(
            [sys.executable, "-m", "driftgate", *words],
            cwd=project.folder,
            env=environ,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("stream", ["1>&-", "2>&-", "0<&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams(project, stream):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m driftgate check -q {stream}"],
        cwd=project.folder,
        env=project.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (3 if "1>&-" in stream else 0)
    assert "Traceback" not in done.stderr


ODD_MACHINES = {
    "no home": ({"HOME": None, "USERPROFILE": None}, {0, 1}),
    "a home that is not there": ({"HOME": "/nonexistent/home"}, {0, 1}),
    "a home that is a file": ({"HOME": "/etc/passwd"}, {0, 1}),
    "no path": ({"PATH": ""}, {0, 1}),
    "locale C": ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {0, 1}),
    "a Windows code page": ({"PYTHONIOENCODING": "cp1252"}, {0, 1}),
    "a narrow terminal": ({"COLUMNS": "1"}, {0, 1}),
    "a width that is none": ({"COLUMNS": "²"}, {0, 1}),
    "a cache that is a file": ({"DRIFTGATE_CACHE": "/etc/passwd"}, {3}),
    "a cache that cannot be made": ({"DRIFTGATE_CACHE": "/proc/driftgate"}, {3}),
    "no temporary folder": ({"TMPDIR": "/nonexistent"}, {0, 1}),
}


@pytest.mark.parametrize(("environ", "codes"), ODD_MACHINES.values(), ids=ODD_MACHINES)
@pytest.mark.parametrize("words", [["check"], ["check", "--against", "latest"]])
def test_odd_machines(project, environ, codes, words):
    merged = {**project.environ, **environ}
    done = subprocess.run(
        [sys.executable, "-m", "driftgate", *words],
        cwd=project.folder,
        env={name: value for name, value in merged.items() if value is not None},
        capture_output=True,
        check=False,
    )
    assert done.returncode in ({0} if words == ["check"] else codes), done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("size", ["64k", "300k"])
def test_a_small_disk(project, tmp_path, size):
    """Of the cache, and of the project: whatever does not fit is told, and nothing is left of it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no tmpfs here")
    try:
        environ = {**project.environ, "DRIFTGATE_CACHE": str(disk / "cache")}
        command = [sys.executable, "-m", "driftgate", "check", "--against", "latest"]
        done = subprocess.run(command, cwd=project.folder, env=environ, capture_output=True, text=True, check=False)
        fits = size == "300k"
        assert done.returncode == (1 if fits else 3), done.stderr
        if not fits:
            assert "No space left on device" in done.stdout + done.stderr
            assert "DRIFTGATE_CACHE" in done.stdout + done.stderr
            assert not [path for path in disk.rglob("*") if path.is_file()]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
