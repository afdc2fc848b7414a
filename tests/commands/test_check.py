"""`driftgate check` from the command line: formats, files, codes, severities."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from driftgate.cli import main
from driftgate.report import FORMATS
from tests.commands.conftest import edit


def test_the_last_line_states_verdict_and_code(drifting, run):
    """Case d01."""
    code, out, err = run("check")
    assert (code, err) == (1, "")
    assert out.endswith("\ndriftgate: drift, exit 1\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("pipeline", ["{} | tee log", "{} || echo fine"])
def test_a_pipeline_that_loses_the_code_still_shows_it(drifting, pipeline):
    """Case d01: the colour of the job may be wrong, the last line that driftgate writes is not."""
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    command = ["bash", "-c", pipeline.format(f"{sys.executable} -m driftgate check")]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert result.returncode == 0
    assert "driftgate: drift, exit 1" in result.stdout.splitlines()[-2:]


def test_each_exception_says_what_it_matched(project, run):
    """Cases d03 and d12: everything accepted is agreement, and --verbose names each entry's match."""
    code, out, _ = run("check", "-v")
    assert code == 0
    assert "accepted: 6 entries, each matched one finding" in out
    assert out.count("accepted command.") == 4
    assert "accepted command.args (field-not-carried): checked only" in out


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_code_does_not_depend_on_the_format(drifting, run, format_name):
    assert run("check", "--format", format_name)[0] == 1
    assert run("check", "--format", format_name, "--fail-on", "error")[0] == 1
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "Setup",')
    assert run("check", "--format", format_name, "--fail-on", "error")[0] == 0
    edit("src/contract.py", '\n    "ToolError",', "")
    assert run("check", "--format", format_name)[0] == 0
    edit("2.1.296.yaml", "  guard_events:", "  other:")
    assert run("check", "--format", format_name)[0] == 3
    edit("driftgate.yml", "snapshot", "snapshto")
    assert run("check", "--format", format_name)[0] == 2


def test_everything_accepted(project, run):
    """Case d12: one document, no findings, nothing else on standard output."""
    code, out, err = run("check", "--format", "json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["schema"] == 1
    assert document["findings"] == []
    assert document["verdict"] == "agrees"
    assert document["accepted_used"] == 6


def test_notices_go_to_standard_error(project, run, monkeypatch):
    """Case d12."""
    from driftgate.gate import check

    compared = check._Check.compare
    noted = ("a\n::error::b",)
    monkeypatch.setattr(check._Check, "compare", lambda *args: replace(compared(*args), notices=noted))
    code, out, err = run("check", "--format", "json")
    assert code == 0
    assert json.loads(out)["comparisons"][0]["notices"] == ["a\n::error::b"]
    assert err == "notice: a\\u000a::error::b\n"
    assert "notice" not in run("check")[1]


def test_many_files_in_one_run(drifting, run):
    outputs = [word for name in FORMATS for word in ("--output", f"{name}:out/report.{name}")]
    code, out, _ = run("check", "-q", *outputs)
    assert (code, out) == (1, "driftgate: drift, exit 1\n")
    for name in FORMATS:
        text = Path(f"out/report.{name}").read_text(encoding="utf-8")
        assert text == run("check", "--format", name)[1], name
    assert {path.name for path in Path("out").iterdir()} == {f"report.{name}" for name in FORMATS}


def test_a_file_holds_the_whole_report(drifting, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    run("check", "-q", "--output", "text:a.txt")
    monkeypatch.setenv("COLUMNS", "100")
    assert Path("a.txt").read_text(encoding="utf-8") == run("check")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--output", "sarif"], "needs a format and a file"),
        (["--output", "sarif:"], "needs a format and a file"),
        (["--output", "report.xml"], "needs a format and a file"),
        (["--output", "sarf:a"], "did you mean 'sarif'?"),
        (["--output", "json:a", "--output", "text:a"], "two reports into one place"),
        (["--output", "json:a", "--output", "text:src/../a"], "two reports into one place"),
        (["--output", "json:-", "--output", "text:-"], "two reports into one place"),
        (["--output", "json:-", "--format", "text"], "two reports on standard output"),
    ],
)
def test_outputs_that_cannot_be(project, run, words, said):
    before = sorted(project.rglob("*"))
    code, out, err = run("check", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert sorted(project.rglob("*")) == before


def test_standard_output_may_be_named_once(project, run):
    code, out, _ = run("check", "--output", "json:-", "--output", "text:a.txt")
    assert code == 0
    assert json.loads(out)["exit"] == 0
    assert Path("a.txt").read_text().endswith("driftgate: agrees, exit 0\n")


def test_a_drive_letter_belongs_to_the_file(project):
    from driftgate.report.outputs import parse_outputs

    (output,) = parse_outputs(["json:C:\\x\\report.json"], Path("here"))
    assert output.format == "json"
    assert str(output.path).endswith("C:\\x\\report.json")


def test_a_failed_run_leaves_no_report_of_an_earlier_one(project, run):
    outputs = [word for name in FORMATS for word in ("--output", f"{name}:report.{name}")]
    assert run("check", *outputs)[0] == 0
    edit("driftgate.yml", "snapshot", "snapshto")
    assert run("check", *outputs)[0] == 2
    for name in FORMATS:
        text = Path(f"report.{name}").read_text(encoding="utf-8")
        assert "snapshot" in text, name
        assert "usage error" in text or name in ("gitlab", "sarif"), name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_links_stay_what_they_are(project, run):
    os.mkfifo("pipe")
    Path("link").symlink_to("real.json")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        assert run("check", "--output", "json:pipe", "--output", "json:link", "-q")[0] == 0
        assert json.loads(reader.communicate()[0])["exit"] == 0
    assert Path("pipe").is_fifo()
    assert Path("link").is_symlink()
    assert json.loads(Path("real.json").read_text())["exit"] == 0
    assert run("check", "--output", f"text:{os.devnull}", "-q")[0] == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_standard_output_by_its_name_as_a_device(project):
    """It is a link into the process table, and what that leads to is no path when it is a pipe."""
    command = [sys.executable, "-m", "driftgate", "check", "-q", "--output", "json:/dev/stdout"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    document, end = json.JSONDecoder().raw_decode(done.stdout)
    assert document["exit"] == 0
    assert done.stdout[end:].strip() == "driftgate: agrees, exit 0"


def test_a_file_that_cannot_be_written(project, run):
    Path("taken").write_text("")
    code, out, err = run("check", "--output", "json:taken/a.json")
    assert code == 3
    assert out == ""
    assert "taken" in err


@pytest.mark.parametrize("command", [["check"], ["diff", "a.py", "b.py"], ["extract", "gone.py"], ["refresh"]])
def test_a_failure_is_one_document_too(project, run, command):
    edit("driftgate.yml", "snapshot", "snapshto")
    code, out, err = run(*command, "--format", "json", "--offline")
    document = json.loads(out)
    assert document["command"] == command[0]
    assert document["exit"] == code >= 2
    assert document["error"]["what"]
    assert "findings" not in document
    assert err.endswith(f"exit {code}\n")


def test_a_failure_is_one_document_wherever_json_was_asked_for(project, run, monkeypatch):
    assert json.loads(run("check", "--format=json", "--nonsense")[1])["exit"] == 2
    monkeypatch.setenv("DRIFTGATE_FORMAT", "json")
    assert json.loads(run("check", "--fail-on", "bad")[1])["exit"] == 2
    monkeypatch.delenv("DRIFTGATE_FORMAT")
    edit("driftgate.yml", "snapshot:", "format: json\nsnapshot:")
    edit("2.1.296.yaml", "driftgate: 2", "driftgate: 9")
    code, out, _ = run("check")
    assert json.loads(out)["exit"] == code == 3
    assert run("check", "--format", "text")[1] == ""


def test_an_unknown_error_is_a_document_too(project, run, monkeypatch):
    monkeypatch.setattr("driftgate.commands.check.check_projects", lambda *_, **__: 1 / 0)
    monkeypatch.delenv("DRIFTGATE_DEBUG", raising=False)
    code, out, err = run("check", "--format", "json")
    assert json.loads(out)["exit"] == code == 3
    assert "ZeroDivisionError" in err


def test_an_error_cannot_forge_a_command(project, run):
    _, _, err = run("check", "--against", "x\n::error::owned\x1b[2J")
    assert "\x1b" not in err
    assert not any(line.lstrip().startswith("::") for line in err.split("\n"))


# --- severities ------------------------------------------------------------------------------------------------------


def test_fail_on(drifting, run, monkeypatch):
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "Setup",')
    assert run("check")[0] == 1
    assert run("check", "--fail-on", "warning")[0] == 1
    code, out, _ = run("check", "--fail-on", "error")
    assert code == 0
    assert "ToolError" in out
    monkeypatch.setenv("DRIFTGATE_FAIL_ON", "error")
    assert run("check")[0] == 0
    assert run("check", "--fail-on", "notice")[0] == 1
    code, _, err = run("check", "--fail-on", "bad")
    assert code == 2
    assert "error, warning, notice" in err


def test_a_rules_severity_in_the_configuration(drifting, run):
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "Setup",')
    edit("driftgate.yml", "declared:", "severity:\n  event-only-here: error\ndeclared:")
    assert run("check", "--fail-on", "error")[0] == 1
    edit("driftgate.yml", "event-only-here: error", "event-only-here: notice\nfail-on: warning")
    code, out, _ = run("check", "--format", "json")
    assert code == 0
    assert [one["severity"] for one in json.loads(out)["findings"]] == ["notice"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{rule: event-only-here, subject: Gone, reason: x}", "accepted-unused"),
        ("{rule: event-only-here, subject: ToolError, reason: x, until: 2020-01-01}", "accepted-expired"),
    ],
)
def test_an_entry_that_does_nothing_fails(project, run, entry, said):
    with Path("driftgate.yml").open("a") as file:
        file.write(f"- {entry}\n")
    code, out, _ = run("check")
    assert code == 1
    assert f"[{said}]" in out
    line = len(Path("driftgate.yml").read_text().splitlines())
    assert f"at driftgate.yml:{line}" in out
    (finding,) = (one for one in json.loads(run("check", "--format", "json")[1])["findings"] if one["rule"] == said)
    assert finding["places"] == [{"source": "driftgate.yml", "line": line}]
    assert str(Path.cwd()) not in run("check", "--format", "markdown")[1]


# --- where a report goes ---------------------------------------------------------------------------------------------


def test_paths_are_those_of_the_repository_in_ci(drifting, run, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(drifting.parent))
    assert f"file={drifting.name}/src/contract.py,line=" in run("check", "--format", "github")[1]
    monkeypatch.setenv("GITHUB_WORKSPACE", "/elsewhere")
    assert "file=src/contract.py,line=" in run("check", "--format", "github")[1]


def test_output_survives_a_terminal_that_cannot_show_it(drifting):
    """A name that the stream's encoding has no character for is no crash, and never another verdict."""
    edit("src/contract.py", '"ToolError"', '"Toolfehler\u00e4\u4e2d"')
    process = subprocess.run(
        [sys.executable, "-m", "driftgate", "check", "--format", "json"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path), "PATH": ""},
        check=False,
    )
    assert process.returncode == 1, process.stderr
    assert "Toolfehler\u00e4\u4e2d" in {one["subject"] for one in json.loads(process.stdout)["findings"]}


def test_main_takes_the_process_arguments(project, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["driftgate", "check", "-q"])
    assert main() == 0
    assert capsys.readouterr().out == "driftgate: agrees, exit 0\n"
