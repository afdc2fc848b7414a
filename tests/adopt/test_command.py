"""`driftgate adopt`: what it prints and writes, and its exit codes; all files are replaced, or none."""

import json
import subprocess

import pytest

from driftgate.adopt import Change, unified_diff, write
from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.cli import main
from driftgate.errors import BlindError
from tests.commands.conftest import edit, project

__all__ = ["project"]


@pytest.fixture
def drifting(project):
    edit("src/contract.py", '\n    "Setup",', "")
    edit("src/contract.py", '\n    "Stop",', '\n    "Stop",\n    "ToolError",')
    return project


def run(capsys, *words):
    code = main(list(words))
    return code, capsys.readouterr()


def test_from_red_to_green(drifting, capsys):
    assert run(capsys, "check", "-q")[0] == 1
    before = (drifting / "src/contract.py").read_text(encoding="utf-8")
    code, said = run(capsys, "adopt", "--dry-run")
    assert code == 0
    assert (drifting / "src/contract.py").read_text(encoding="utf-8") == before
    diff = said.out.partition("added:")[0]
    assert sorted(line for line in diff.split("\n") if line.startswith(("+ ", "- "))) == [
        '+    "Setup",',
        '-    "ToolError",',
    ]
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply", "--check"], input=diff, text=True, check=True)
    code, said = run(capsys, "adopt")
    assert code == 0
    assert said.out.split("\n")[-4:] == [
        "2 of 2 findings adopted from Claude Code 2.1.296 (snapshot); 0 left",
        "changed: src/contract.py",
        "driftgate: agrees, exit 0",
        "",
    ]
    assert run(capsys, "check", "-q")[0] == 0
    assert run(capsys, "adopt")[1].out.startswith("nothing to adopt: it agrees with Claude Code 2.1.296 (snapshot)\n")


def test_one_finding_by_its_name(drifting, capsys):
    code, said = run(capsys, "adopt", "event-only-upstream", "Setup", "--format", "json")
    document = json.loads(said.out)
    assert (code, document["exit"], document["written"]) == (0, 0, True)
    (mirror,) = document["mirrors"]
    assert [(one["rule"], one["subject"], one["done"]) for one in mirror["adopted"]] == [
        ("event-only-upstream", "Setup", "added")
    ]
    assert [one["subject"] for one in mirror["left"]] == ["ToolError"]
    assert run(capsys, "check", "-q")[0] == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("event-only-upstream", "Nothing"), "event-only-upstream Nothing is no drift here: there is nothing to adopt"),
        (("event-only-upsteam", "Setup"), "there is no rule 'event-only-upsteam'; did you mean 'event-only-upstream'?"),
        (("--fail-on", "bad"), "not a severity"),
    ],
)
def test_what_is_not_there_is_a_usage_error(drifting, capsys, words, told):
    code, said = run(capsys, "adopt", *words)
    assert code == 2
    assert told in said.err


def test_what_is_left_to_people_is_told_with_its_place(project, capsys):
    events = [name for name in HOOK_EVENTS if name != "Setup"]
    text = f"A = {events[:9]}\nB = {events[9:]}\nEVENTS = (*A, *B)\n"
    (project / "src/more.py").write_text(text, encoding="utf-8")
    edit("driftgate.yml", "src/contract.py#HOOK_EVENTS", "src/more.py#EVENTS")
    code, said = run(capsys, "adopt", "event-only-upstream", "Setup")
    before = HOOK_EVENTS[HOOK_EVENTS.index("Setup") - 1]
    column = text.split("\n")[1].index(f"'{before}'") + 1
    assert code == 1
    assert said.out.split("\n")[:2] == [
        f"by hand: src/more.py:2:{column}: add Setup to EVENTS, after {before}",
        "         (event-only-upstream Setup; not edited: its names stand in several places)",
    ]
    assert said.out.endswith(
        "0 of 1 finding adopted from Claude Code 2.1.296 (snapshot); 1 left\ndriftgate: drift, exit 1\n"
    )
    assert (project / "src/more.py").read_text(encoding="utf-8") == text


def change(path, before, after):
    path.write_bytes(before)
    return Change(path, path.name, before, after)


def test_all_files_or_none(tmp_path, monkeypatch):
    one, two = change(tmp_path / "a", b"1\n", b"2\n"), change(tmp_path / "b", b"3\n", b"4\n")
    (tmp_path / "b").write_bytes(b"somebody else's")
    with pytest.raises(BlindError, match="a file changed while it was edited; nothing was written"):
        write([one, two])
    assert (tmp_path / "a").read_bytes() == b"1\n"
    (tmp_path / "b").write_bytes(b"3\n")
    real = type(tmp_path).replace

    def failing(path, target):
        if target == two.path and path.read_bytes() == b"4\n":
            raise OSError(28, "No space left on device")
        return real(path, target)

    monkeypatch.setattr(type(tmp_path), "replace", failing)
    with pytest.raises(OSError, match="No space"):
        write([one, two])
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()) == [("a", b"1\n"), ("b", b"3\n")]
    monkeypatch.undo()
    write([one, two])
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()) == [("a", b"2\n"), ("b", b"4\n")]


def test_permissions_stay(tmp_path):
    one = change(tmp_path / "a", b"1\n", b"2\n")
    one.path.chmod(0o755)
    write([one])
    assert one.path.stat().st_mode & 0o777 == 0o755


def test_a_difference_says_where_the_last_line_does_not_end(tmp_path):
    assert unified_diff([change(tmp_path / "a", b"1\r\n2", b"1\r\n3")]) == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\r\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n"
    )
