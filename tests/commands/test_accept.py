"""`driftgate accept`: exactly one entry more, everything else as it was."""

import datetime as dt
import io as streams
import json
from pathlib import Path

import pytest

from driftgate.errors import ConfigError, ExitCode, UsageError
from driftgate.formats.files import write_atomically
from driftgate.judge.accepted import Accepted
from driftgate.project.editing import Changes, add, change_entries
from driftgate.project.reading import load_config, load_project
from tests.commands.conftest import edit

# --- the edit --------------------------------------------------------------------------------------------------------

ENTRY = Accepted("event-only-upstream", "PreCompact", "not ours", dt.date(2030, 1, 2), ">=2.1.100", of="hook_events")
HOSTILE = Accepted("event-only-here", 'x"\n]]\\ # [tool.x]\U0001f600\u2028', 'y: "{}" - \\ & | # é', of="hook_events")
TOML = '[tool.driftgate]\nsnapshot = "s.yaml"\n[tool.driftgate.declared]\nhook_events = "a.py#E"\n'
TOML_ENTRY = '[[tool.driftgate.accepted]]\nrule = "event-only-here"\nsubject = "Old"\nreason = "old"\n'
YAML = "snapshot: s.yaml\ndeclared:\n  hook_events: a.py#E\n"
YAML_ENTRY = "- {rule: event-only-here, subject: Old, reason: old}\n"
OLD = '{rule = "event-only-here", subject = "Old", reason = "old"}'
EMPTY = ("accepted = []  # none yet", "accepted: []  # none yet")
"""Lists that are written out and empty: they make way for the entries."""

FILES = {
    "toml without entries": ("pyproject.toml", TOML),
    "toml with entries": ("pyproject.toml", f"{TOML}\n{TOML_ENTRY}"),
    "toml with other tables behind": (
        "pyproject.toml",
        f"[project]\nname = 'x'\n{TOML}{TOML_ENTRY}\n# pytest\n[tool.pytest]\na = 1\n",
    ),
    "toml with other tables between": ("pyproject.toml", f"{TOML_ENTRY}\n[tool.ruff]\nx = [\n  1,\n]\n\n{TOML}"),
    "toml without a line end": ("pyproject.toml", TOML.rstrip()),
    "toml with an array over several lines": (
        "pyproject.toml",
        TOML.replace('"a.py#E"', '[\n  "a.py#E",\n  "b.py#E",\n]\nhook_shells = [\n["a"]]').replace(
            '\n["a"]]', '"a.py#S"]'
        ),
    ),
    "toml with a header in a text": (
        "pyproject.toml",
        TOML + '[tool.x]\ny = """\n[[tool.driftgate.accepted]]\n[z]\n"""\n',
    ),
    "toml with entries in an array": (
        "pyproject.toml",
        TOML.replace("[tool.driftgate]\n", "[tool.driftgate]\naccepted = [\n  # old\n  " + OLD + ",\n]\n"),
    ),
    "toml with crlf": ("pyproject.toml", f"{TOML}{TOML_ENTRY}[tool.x]\ny = 1\n".replace("\n", "\r\n")),
    "toml with spaces in headers": ("pyproject.toml", TOML.replace("[tool.driftgate]", "[ tool . driftgate ]  # ours")),
    "yaml without entries": ("driftgate.yml", YAML),
    "yaml with entries": ("driftgate.yml", f"{YAML}accepted:\n{YAML_ENTRY}"),
    "yaml with entries in the middle": ("driftgate.yml", f"accepted:  # ours\n{YAML_ENTRY}\n# below\n{YAML}"),
    "yaml with indented entries": (
        "driftgate.yml",
        f"{YAML}accepted:\n  #\n  - rule: event-only-here\n    subject: A\n    reason: |\n      old\n\noffline: no\n",
    ),
    "toml with an empty list": (
        "pyproject.toml",
        TOML.replace("[tool.driftgate]\n", f"[tool.driftgate]\n{EMPTY[0]}\n") + "[tool.other]\naccepted = []\n",
    ),
    "yaml with an empty list": ("driftgate.yml", f"{EMPTY[1]}\n{YAML}"),
    "yaml without a line end": ("driftgate.yml", YAML.rstrip()),
    "yaml with crlf": ("driftgate.yml", f"{YAML}accepted:\n{YAML_ENTRY}".replace("\n", "\r\n")),
    "yaml with a comment at the end": ("driftgate.yml", f"{YAML}# the end"),
}


@pytest.mark.parametrize(("name", "text"), FILES.values(), ids=list(FILES))
@pytest.mark.parametrize("entries", [[ENTRY], [HOSTILE], [ENTRY, HOSTILE]])
def test_the_entries_are_added_and_nothing_else(tmp_path, name, text, entries):
    path = tmp_path / name
    path.write_bytes(text.encode())
    config = load_config(path)
    add(config, entries)
    assert load_config(path).accepted == (*config.accepted, *entries)
    old, new = (one.replace("\r\n", "\n").splitlines() for one in (text, path.read_bytes().decode()))
    kept = iter(new)
    assert all(line in kept for line in old if line and line not in EMPTY), "a line is gone, or moved"
    assert ("\r\n" in text) == ("\r\n" in path.read_bytes().decode())
    assert path.read_bytes().count(b"\r") in (0, path.read_bytes().count(b"\n"))


def test_how_it_reads(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(f"{TOML}\n# about the tests\n[tool.pytest]\n")
    add(load_config(path), [ENTRY])
    assert path.read_text() == (
        f'{TOML}\n[[tool.driftgate.accepted]]\nrule = "event-only-upstream"\nsubject = "PreCompact"\n'
        'reason = "not ours"\nuntil = 2030-01-02\nversions = ">=2.1.100"\n\n# about the tests\n[tool.pytest]\n'
    )
    path = tmp_path / "driftgate.yml"
    path.write_text(f"{YAML}accepted:\n{YAML_ENTRY}\n")
    add(load_config(path), [ENTRY])
    assert path.read_text() == (
        f'{YAML}accepted:\n{YAML_ENTRY}- rule: "event-only-upstream"\n  subject: "PreCompact"\n  reason: "not ours"\n'
        '  until: 2030-01-02\n  versions: ">=2.1.100"\n\n'
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool]\ndriftgate = {snapshot = "s", declared = {hook_events = "a.py#E"}}\n'),
        ("driftgate.yml", f"{YAML}accepted: [{{rule: event-only-here, subject: Old, reason: old}}]\n"),
        ("driftgate.yml", "{snapshot: s, declared: {hook_events: a.py#E}}\n"),
        ("driftgate.yml", f"{YAML}...\n"),
    ],
)
def test_what_cannot_be_edited_safely_is_left_alone(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ConfigError, match="by hand") as caught:
        add(load_config(path), [ENTRY])
    assert "PreCompact" in caught.value.next
    assert path.read_text() == text
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_never_twice(tmp_path):
    path = tmp_path / "driftgate.yml"
    path.write_text(f"{YAML}accepted:\n{YAML_ENTRY}")
    before = path.read_text()
    with pytest.raises(UsageError, match="accepted already"):
        add(load_config(path), [Accepted("event-only-here", "Old", "another reason")])
    assert path.read_text() == before
    add(load_config(path), [Accepted("event-only-here", "Old", "later", versions=">3")])
    assert len(load_config(path).accepted) == 2


def test_a_failed_write_leaves_the_file(tmp_path, monkeypatch):
    path = tmp_path / "driftgate.yml"
    path.write_text(YAML)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("driftgate.project.editing.write_atomically", fail)
    with pytest.raises(OSError, match="No space"):
        add(load_config(path), [ENTRY])
    assert path.read_text() == YAML
    assert write_atomically is not fail


# --- the command -----------------------------------------------------------------------------------------------------


def test_a_drift_by_rule_and_subject(drifting, run):
    assert run("accept", "event-only-upstream", "Setup", "--reason", "not ours")[0] == 0
    assert run("accept", "event-only-here", "ToolError", "--reason", "ours", "--until", "2099-01-01")[0] == 0
    code, out, _ = run("check")
    assert code == 0
    assert "32 events agree; 1 only upstream, accepted; 1 only here, accepted" in out
    entries = load_config(Path("driftgate.yml")).accepted
    assert [(one.subject, one.reason, one.until) for one in entries[-2:]] == [
        ("Setup", "not ours", None),
        ("ToolError", "ours", dt.date(2099, 1, 1)),
    ]


def test_a_drift_by_its_fingerprint(drifting, run):
    findings = json.loads(run("check", "--format", "json")[1])["findings"]
    for finding in findings:
        code, out, _ = run("accept", finding["fingerprint"], "--reason", "so it is")
        assert (code, out.splitlines()[0]) == (0, f"accepted: {finding['rule']} {finding['subject']}")
    assert run("check")[0] == 0


def test_all_of_them(drifting, run):
    code, out, _ = run("accept", "--all", "--reason", "adopting")
    assert (code, out.count("accepted: ")) == (0, 2)
    assert run("check")[0] == 0
    code, _, err = run("accept", "--all", "--reason", "adopting")
    assert code == 2
    assert "nothing to accept" in err


REFUSED = [
    (["event-only-upstream", "Setup"], "needs a reason"),
    (["event-only-upstream", "Setup", "--reason", "  "], "needs a reason"),
    (["event-only-upstream", "Setup", "--reason", "a\nb"], "in one line"),
    (["event-only-upstream", "Stop", "--reason", "x"], "is no drift here"),
    (["event-only-upstraem", "Setup", "--reason", "x"], "did you mean 'event-only-upstream'?"),
    (["event-only-upstream", "--reason", "x"], "needs a subject"),
    (["0123456789abcdef", "--reason", "x"], "no finding has the fingerprint"),
    ([""], "no finding has the fingerprint"),
    ([], "what is to be done?"),
    (["--all", "event-only-upstream"], "what is to be done?"),
    (["event-only-upstream", "Setup", "--reason", "x", "--until", "soon"], "not a date"),
    (["event-only-upstream", "Setup", "--reason", "x", "--until", "2020-01-01"], "this day is past"),
    (["event-only-upstream", "Setup", "--reason", "x", "--versions", "^2"], "not a range of versions"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_is_refused_writes_nothing(drifting, run, words, said):
    before = Path("driftgate.yml").read_bytes()
    code, out, err = run("accept", *words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert said in err
    assert Path("driftgate.yml").read_bytes() == before


def test_what_is_wrong_on_this_side_alone_cannot_be_accepted(project, run):
    with Path("driftgate.yml").open("a") as file:
        file.write("- {rule: event-only-here, subject: Gone, reason: x}\n")
    code, _, err = run("accept", "accepted-unused", "event-only-here Gone", "--reason", "x")
    assert code == 2
    assert "cannot be accepted" in err


def test_a_blind_check_accepts_nothing(drifting, run):
    edit("2.1.296.yaml", "  guard_events:", "  other:")
    code, _, err = run("accept", "--all", "--reason", "x")
    assert code == 3
    assert "guard_events" in err


def test_the_reason_is_asked_for_on_a_terminal(drifting, run, monkeypatch):
    class Terminal(streams.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Terminal("asked for\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    code, _, err = run("accept", "event-only-upstream", "Setup")
    assert (code, err) == (0, "reason: ")
    assert load_config(Path("driftgate.yml")).accepted[-1].reason == "asked for"
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert run("accept", "event-only-here", "ToolError")[0] == 2


@pytest.mark.parametrize(("version", "expected"), [("2.1.400", ">2.1.296"), ("2.1.200", "<2.1.296")])
def test_a_drift_that_the_pin_does_not_have(project, run, version, expected):
    """Without a range, the entry would be unused at the pin, and fail the next check."""
    text = Path("2.1.296.yaml").read_text().replace("2.1.296", version)
    Path("other.yaml").write_text(text.replace("  - Setup\n", "  - Setup\n  - Brandnew\n"))
    words = ["accept", "event-only-upstream", "Brandnew", "--reason", "later"]
    assert run(*words)[0] == 2
    code, out, _ = run(*words, "--against", "other.yaml")
    assert code == 0
    assert f"for releases {expected}" in out
    assert load_config(Path("driftgate.yml")).accepted[-1].versions == expected
    assert run("check")[0] == 0
    assert run("check", "--against", "other.yaml")[0] == 0


def test_without_a_project_there_is_nothing_to_edit(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("accept", "--all", "--reason", "x")
    assert code == 2
    assert "no driftgate configuration" in err


# --- keeping the entries in order ------------------------------------------------------------------------------------

PAST = "- {rule: event-only-here, subject: ToolError, reason: old, until: 2020-01-01}\n"
MIXED = (
    "- rule: event-only-upstream\n  subjects: [Setup, Stop]  # two\n  reason: 'so'\n"
    "# about the next\n"
    "- rule: event-only-here\n  subject: Gone\n  reason: x\n"
)


def append(text):
    with Path("driftgate.yml").open("a", encoding="utf-8") as file:
        file.write(text)


def titles():
    return [
        (one.title, one.reason, one.until)
        for one in load_config(Path("driftgate.yml")).accepted
        if one.rule[:5] == "event"
    ]


def test_empty_reasons_are_filled_in(drifting, run):
    append("- {rule: event-only-upstream, subject: Setup, reason: ''}\n- rule: event-only-here\n  subject: ToolError\n")
    code, _, err = run("check")
    assert code == 2
    assert "so does 1 more" in err
    code, out, _ = run("accept", "event-only-upstream", "Setup", "--reason", "not ours")
    assert (code, out.splitlines()[0]) == (0, "filled in the reason: event-only-upstream Setup")
    code, out, _ = run("accept", "--all", "--reason", "ours")
    assert (code, out.splitlines()[0]) == (0, "filled in the reason: event-only-here ToolError")
    assert titles() == [("event-only-upstream Setup", "not ours", None), ("event-only-here ToolError", "ours", None)]
    assert run("check")[0] == 0


def test_an_expired_entry_is_renewed(drifting, run):
    assert run("accept", "event-only-upstream", "Setup", "--reason", "x")[0] == 0
    append(PAST)
    assert run("check")[0] == 1
    assert run("accept", "--renew")[0] == 2
    code, out, _ = run("accept", "--renew", "--until", "2099-01-01")
    assert (code, out.splitlines()[0]) == (0, "renewed: event-only-here ToolError (until 2099-01-01)")
    assert run("check")[0] == 0
    assert titles()[-1] == ("event-only-here ToolError", "old", dt.date(2099, 1, 1))
    assert run("accept", "--renew", "--until", "2099-02-01")[1].splitlines()[0] == "nothing to do"


def test_accepting_goes_on_past_an_expired_entry(drifting, run):
    append(PAST)
    code, _, err = run("accept", "--all", "--reason", "again")
    assert code == 0, err
    assert sorted(titles()) == [
        ("event-only-here ToolError", "again", None),
        ("event-only-upstream Setup", "again", None),
    ]
    assert run("check")[0] == 0


def test_what_is_past_or_unused_is_pruned(drifting, run):
    append(PAST + MIXED)
    code, out, _ = run("accept", "--prune")
    assert code == 0
    assert out.splitlines()[:3] == [
        "took out: event-only-here ToolError (it held until 2020-01-01)",
        "took out: event-only-upstream Stop (it matches nothing at the pin)",
        "took out: event-only-here Gone (it matches nothing at the pin)",
    ]
    assert titles() == [("event-only-upstream Setup", "so", None)]
    text = Path("driftgate.yml").read_text()
    assert "# two" in text
    assert "# about the next" in text
    assert run("accept", "--prune")[1].splitlines()[0] == "nothing to do"


TOML_GONE = (
    '\n[[tool.driftgate.accepted]]\nrule = "event-only-here"\nsubject = "Gone"\n'
    'reason = "x"  # why\nuntil = 2020-01-01\n'
)
TOML_MIXED = (
    f"{TOML}# ours\n"
    '[[tool.driftgate.accepted]]\nrule = "event-only-upstream"\nsubjects = [\n  "Setup",  # one\n  "Stop",\n]\n'
    'reason = ""\n'
    f"{TOML_GONE}"
    "\n# about the tests\n[tool.pytest]\na = 1\n"
)


def changed(tmp_path, name, text, drop=(), **changes):
    path = tmp_path / name
    path.write_text(text)
    config = load_project(path, unreasoned=True).one(None)
    gone = tuple(one for one in config.accepted if one.subject in drop)
    change_entries(config, Changes(drop=gone, **changes))
    return path.read_text()


def test_each_edit_of_toml_is_exact(tmp_path):
    text = changed(tmp_path, "pyproject.toml", TOML_MIXED, fill={1: "so"}, renew={2: dt.date(2099, 1, 1)})
    assert text == TOML_MIXED.replace('reason = ""', 'reason = "so"').replace("2020-01-01", "2099-01-01")
    text = changed(tmp_path, "pyproject.toml", TOML_MIXED, fill={1: "so"}, drop=("Gone",))
    assert text == TOML_MIXED.replace('reason = ""', 'reason = "so"').replace(TOML_GONE, "")
    text = changed(tmp_path, "pyproject.toml", TOML_MIXED, fill={1: "so"}, drop=("Stop",))
    assert 'subject = "Setup"' in text
    assert "Stop" not in text
    assert text.endswith("\n# about the tests\n[tool.pytest]\na = 1\n")


def test_the_last_entry_goes_with_its_list(tmp_path):
    text = changed(tmp_path, "pyproject.toml", f"{TOML}\n{TOML_ENTRY}", drop=("Old",))
    assert text.rstrip() == TOML.rstrip()
    text = changed(tmp_path, "driftgate.yml", f"{YAML}accepted:\n{YAML_ENTRY}# end\n", drop=("Old",))
    assert text == f"{YAML}accepted: []\n# end\n"


def test_entries_of_a_mirror_in_a_table(tmp_path):
    path = tmp_path / "driftgate.yml"
    path.write_text("gemini-cli:\n  pin: '0.61.0'\n  declared:\n    hook_events: a.py#E\n# the other\nfail-on: error\n")
    config = load_project(path).one(None)
    add(config, [ENTRY])
    assert load_project(path).one(None).accepted == (ENTRY,)
    assert path.read_text().endswith("# the other\nfail-on: error\n")
    path = tmp_path / "pyproject.toml"
    head = "[tool.driftgate.gemini-cli]\npin = '0.61.0'\ndeclared.hook_events = 'a.py#E'\n"
    path.write_text(f"{head}[tool.driftgate]\nfail-on = 'error'\n")
    add(load_project(path).one(None), [ENTRY])
    assert load_project(path).one(None).accepted == (ENTRY,)


def test_several_subjects_are_one_entry(drifting, run):
    edit("src/contract.py", '\n    "PreCompact",', "")
    assert run("accept", "--all", "--reason", "x")[0] == 0
    assert 'subjects: ["PreCompact", "Setup"]' in Path("driftgate.yml").read_text().replace(
        '"Setup", "PreCompact"', '"PreCompact", "Setup"'
    )
    assert run("check")[0] == 0


def test_many_lines_of_comments_take_no_time(tmp_path):
    """Edits are linear in the file: a pattern that backtracks would take minutes here."""
    path = tmp_path / "pyproject.toml"
    path.write_text(TOML + "# a comment\n" * 20_000 + TOML_ENTRY)
    add(load_config(path), [ENTRY])
    assert len(load_config(path).accepted) == 2


def test_comments_about_what_follows_stay(tmp_path):
    first, second = TOML_ENTRY, TOML_ENTRY.replace("Old", "Other")
    text = changed(tmp_path, "pyproject.toml", f"{TOML}\n{first}\n# about the other\n{second}\n# end\n", drop=("Old",))
    assert text == f"{TOML}\n# about the other\n{second}\n# end\n"
    text = changed(tmp_path, "pyproject.toml", f"{TOML}\n{first}\n# end\n[tool.x]\na = 1\n", drop=("Old",))
    assert text == f"{TOML}\n# end\n[tool.x]\na = 1\n"
