"""The reports of `classify` for CI services: every fact with its file and line, and never an empty green document."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from driftgate.cli import main
from driftgate.settings.codes import MEANINGS

GOOD = '{"hooks": {"Stop": []}}'
BAD = '{"hooks": {\n "Stopp": [],\n "Stop": [{"hooks": [{"type": "command", "command": "", "zzz": 1}]}]}}'


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    (tmp_path / "good.json").write_text(GOOD)
    (tmp_path / "bad.json").write_text(BAD)


def report(capsys: pytest.CaptureFixture[str], format_name: str, *args: str) -> tuple[int, str]:
    code = main(["classify", "--format", format_name, *args])
    return code, capsys.readouterr().out.rstrip("\n")


# arguments, exit code, and (file, line, level, code) of what is said
CASES = [
    (["good.json"], 0, []),
    (["bad.json"], 1, [
        ("bad.json", 2, "error", "unknown-event"),
        ("bad.json", 3, "error", "entry-invalid"),
    ]),
    (["nope.json", "good.json"], 3, [("nope.json", 1, "error", "unreadable")]),
    (["*.none"], 3, [("*.none", 1, "error", "unreadable")]),
    (["good.json", "--before", "bad.json"], 1, [("good.json", 1, "error", "lost-hook")]),
]  # fmt: skip


@pytest.mark.parametrize(("args", "code", "said"), CASES)
def test_every_format_says_the_same(args, code, said, capsys):
    expected = sorted(said)
    shown, text = report(capsys, "concise", *args)
    *lines, last = text.splitlines()
    found = [line.split(": ", 1) for line in lines]
    assert sorted((p.split(":")[0], int(p.split(":")[1]), *rest.split(" ")[:2]) for p, rest in found) == expected
    assert (shown, last.endswith(f"exit {code}")) == (code, True)

    shown, text = report(capsys, "gitlab", *args)
    issues = json.loads(text)
    assert sorted(
        (one["location"]["path"], one["location"]["lines"]["begin"], one["check_name"]) for one in issues
    ) == [(file, line, rule) for file, line, _, rule in expected]
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    assert shown == code

    shown, text = report(capsys, "sarif", *args)
    (run,) = json.loads(text)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert sorted((one["level"], one["ruleId"]) for one in run["results"]) == sorted((lv, r) for _, _, lv, r in said)
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    assert (shown, run["invocations"][0]["exitCode"]) == (code, code)

    shown, text = report(capsys, "junit", *args)
    (suite,) = fromstring(text)  # noqa: S314 - our own
    bad = suite.findall("./testcase/failure") + suite.findall("./testcase/error")
    assert (len(bad) > 0) == bool(said)
    assert int(suite.attrib["failures"]) + int(suite.attrib["errors"]) == len(bad)
    assert shown == code

    shown, text = report(capsys, "github", *args)
    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert len(commands) == len(said)
    assert all(
        rule in line and file in line for line, (file, _, _, rule) in zip(sorted(commands), expected, strict=True)
    )
    assert shown == code


def test_warnings_are_warnings_until_they_fail(capsys, tmp_path):
    (tmp_path / "warned.json").write_text('{"hooks": {"Stop": [{"note": 1, "hooks": []}]}}')
    assert report(capsys, "concise", "warned.json")[1].startswith("warned.json:1:22: warning unknown-field ")
    code, text = report(capsys, "concise", "--fail-on", "warning", "warned.json")
    assert (code, text.startswith("warned.json:1:22: error unknown-field ")) == (1, True)
    (suite,) = fromstring(report(capsys, "junit", "warned.json")[1])  # noqa: S314 - our own
    assert suite.attrib["failures"] == "0"
    assert suite.find("./testcase/system-out") is not None


def test_a_range_of_releases_is_said_too(capsys):
    code, text = report(capsys, "concise", "good.json", "--releases=>=2.1.296")
    assert (code, text.count("\n")) == (0, 0)
    code, text = report(capsys, "concise", "bad.json", "--releases=>=2.1.296")
    assert code == 1
    assert "error release-policy everything is to load on >=2.1.296" in text


def test_names_of_your_own_stay_hidden_and_nothing_is_obeyed(capsys, tmp_path):
    (tmp_path / "secret.json").write_text(json.dumps({"hooks": {"sk-live-0123456789": 1, "\x1b[31m::error::": 1}}))
    for name in ("concise", "github", "sarif", "junit", "gitlab"):
        text = report(capsys, name, "secret.json")[1]
        assert "sk-live" not in text
        assert "\x1b" not in text


def test_paths_are_those_of_the_repository(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.json").write_text(BAD)
    monkeypatch.chdir(tmp_path / "sub")
    assert "file=sub/x.json," in report(capsys, "github", "x.json")[1]


def test_every_code_can_be_explained(capsys):
    for code in MEANINGS:
        assert main(["explain", code]) == 0
    assert Path.cwd().is_dir()
