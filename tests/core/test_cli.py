"""The command line's frame: codes, last lines, and never a traceback."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from driftgate import __version__, cli
from driftgate.commands import COMMANDS

ROOT = Path(cli.__file__).parent.parent


def driftgate(*args, cwd=ROOT, **kwargs):
    environ = {**os.environ, "PYTHONPATH": str(ROOT), **kwargs.pop("environ", {})}
    return subprocess.run(
        [sys.executable, "-m", "driftgate", *args],
        cwd=cwd,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        **kwargs,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_and_exit_codes(name, capsys):
    module = import_module(f"driftgate.commands.{name}")
    assert cli.main([name, "--help"]) == 0
    said = capsys.readouterr().out
    assert f"driftgate {name}" in said
    assert "examples:" in said
    assert "exit codes:" in said
    assert module.__doc__


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "no command given"),
        (["chek"], "did you mean 'check'?"),
        (["check", "--agianst", "x"], "--agianst"),
        (["check", "--format", "jsno"], "did you mean 'json'?"),
        (["check", "--fail-on", "bad"], "error, warning, notice"),
        (["explain", "event-only-upstraem"], "did you mean 'event-only-upstream'?"),
        (["extract", "no such thing"], "not something to look at"),
        (["extract", "./nowhere.js"], "nowhere.js"),
        (["check", "--config", "nowhere.toml"], "nowhere.toml"),
        (["check", "-q", "-v"], "not allowed with"),
    ],
)
def test_wrong_use_is_exit_2_with_what_to_do(argv, said, capsys):
    assert cli.main(argv) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.rstrip().splitlines()[-1] == "driftgate: usage error, exit 2"


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"driftgate {__version__}\n"


def test_the_last_line_states_verdict_and_code(capsys):
    """Case d01."""
    assert cli.main(["check"]) == 0
    out = capsys.readouterr().out
    assert out.rstrip().splitlines()[-1] == "driftgate: agrees, exit 0"
    assert "33 events agree" in out
    assert "5 types agree" in out


def test_quiet_leaves_only_the_last_line(capsys):
    assert cli.main(["check", "--quiet"]) == 0
    assert capsys.readouterr().out == "driftgate: agrees, exit 0\n"


def test_findings_go_to_standard_output_and_notices_do_not(tmp_path, capsys):
    """Case d12."""
    assert cli.main(["check", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert '"findings": []' in captured.out
    assert "notice" not in captured.err


def test_an_unknown_failure_is_no_traceback_and_not_green(monkeypatch, capsys):
    def broken(*_):
        raise ZeroDivisionError("x")

    monkeypatch.setattr(cli, "_run", broken)
    assert cli.main([]) == 3
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "this is a defect" in err


def test_an_interrupt_is_not_green(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    assert cli.main([]) == 3
    assert "interrupted" in capsys.readouterr().err


def test_a_full_disk_is_named(monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device", "/somewhere/file")

    monkeypatch.setattr(cli, "_run", full)
    assert cli.main([]) == 3
    assert "No space left on device" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_traceback():
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m driftgate rules | true; exit ${{PIPESTATUS[0]}}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3)


@pytest.mark.parametrize(("closed", "code", "said"), [("1>&-", 3, "standard output is closed"), ("2>&-", 0, "agrees")])
def test_a_closed_stream_is_no_traceback(closed, code, said):
    command = f"{sys.executable} -m driftgate check -q {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_code_survives_a_pipeline_with_pipefail():
    """Case d01."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m driftgate explain nothing 2>&1 | tee /dev/null"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.rstrip().splitlines()[-1] == "driftgate: usage error, exit 2"


def test_a_project_without_configuration(tmp_path):
    (tmp_path / "package.json").write_text("{}")
    done = driftgate("check", cwd=tmp_path)
    assert done.returncode == 2
    assert "driftgate init" in done.stderr


def test_outside_of_any_project(tmp_path):
    """Its own constants are checked when that is asked for, and never in the place of something else."""
    done = driftgate("check", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "check --self" in done.stderr
    done = driftgate("check", "--self", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "pin: 2.1.296" in done.stdout


def test_the_offline_check_loads_nothing_heavy_and_opens_no_socket():
    code = (
        "import sys, socket\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.socket.connect = refuse\n"
        "from driftgate.cli import main\n"
        "code = main(['check', '-q'])\n"
        "heavy = {'requests', 'esprima', 'tree_sitter', 'jsonschema', 'isal', 'urllib3'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["--version"], ["--help"], ["check", "--help"]])
def test_help_that_nobody_can_read_is_not_green(words, unbuffered):
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "driftgate", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr


def test_the_version_is_that_of_the_package():
    done = subprocess.run([sys.executable, "-m", "driftgate", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"driftgate {__version__}\n"
