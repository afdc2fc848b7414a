"""One document on many releases: ranges, the oldest release that loads it, and no reading twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from driftgate.cli import main
from driftgate.releases import sweep as module
from driftgate.releases import vocabulary as known
from driftgate.releases.sweep import oldest_that_loads, sweep
from driftgate.releases.verdict import read
from driftgate.settings import run as runner

ENTRY = {"type": "command", "command": "echo ok"}


def stop(**fields: Any) -> dict[str, Any]:
    return {"hooks": {"Stop": [{"hooks": [{**ENTRY, **fields}]}]}}


HTTP = {"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "https://example.com/"}]}]}}


def shown(document: Any, recorded: Any) -> list[tuple[str, str, str | None]]:
    ranges = sweep(document, recorded, recorded.get)
    return [(one.oldest, one.newest, one.verdict.outcome.value if one.verdict else None) for one in ranges]


def test_ranges_are_newest_first_and_cover_every_release(recorded: Any) -> None:
    ranges = sweep(stop(timeout=0), recorded, recorded.get)
    assert sum(one.count for one in ranges) == len(recorded)
    assert ranges[0].newest == "2.1.332"
    assert ranges[-1].oldest == "1.0.23"


def test_a_type_that_came(recorded: Any) -> None:
    """Without http, which is recorded at 2.1.49 and not at 2.1.47, a guard that uses it rejects the whole file."""
    answers = shown(HTTP, recorded)
    assert [answer for answer in answers if answer[2] == "loaded"][-1][0] == "2.1.49"
    assert {answer[2] for answer in answers[-3:]} == {"rejected"}
    assert oldest_that_loads(sweep(HTTP, recorded, recorded.get)) == "2.1.49"


def test_events_that_came(recorded: Any) -> None:
    entry = [{"hooks": [ENTRY]}]
    document = {"hooks": {"StopFailure": entry, "PostCompact": entry, "PermissionDenied": entry}}
    ranges = sweep(document, recorded, recorded.get)
    assert oldest_that_loads(ranges) == "2.1.88"
    oldest = ranges[-1].verdict
    assert oldest is not None
    assert [piece.path[-1] for piece in oldest.rejections] == ["StopFailure", "PostCompact", "PermissionDenied"]


def test_nothing_that_loads_has_no_oldest(recorded: Any) -> None:
    assert oldest_that_loads(sweep({"hooks": {"Foo": 1}}, recorded, recorded.get)) is None
    assert oldest_that_loads(()) is None


def test_unknown_vocabularies_are_said_and_end_the_run(recorded: Any) -> None:
    surfaces = {**recorded, "2.1.200": None}
    ranges = sweep({}, surfaces, surfaces.get)
    assert [(one.oldest, one.newest) for one in ranges if one.verdict is None] == [("2.1.200", "2.1.200")]
    assert oldest_that_loads(ranges) == "2.1.238"


def test_what_was_not_run_is_a_range_of_its_own(recorded: Any) -> None:
    surfaces = dict.fromkeys(("2.1.295", "2.1.296", "2.1.297"), recorded["2.1.296"])
    ranges = sweep({}, surfaces, surfaces.get)
    assert [(one.newest, one.verdict and one.verdict.reader.verified) for one in ranges] == [
        ("2.1.297", False),
        ("2.1.296", True),
    ]


def test_each_pair_of_policy_and_surface_reads_once(recorded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def counted(*args: Any) -> Any:
        reads.append(args)
        return read(*args)

    monkeypatch.setattr(module, "read", counted)
    surface = recorded["2.1.296"]
    ranges = sweep(stop(), [f"2.1.{n}" for n in range(257, 326)], lambda _: surface)
    assert sum(one.count for one in ranges) == 69
    assert len(reads) == 4


@pytest.fixture
def history(recorded: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    """The recorded surfaces as the known history, and a folder to work in."""
    for place in (known, runner):
        monkeypatch.setattr(place, "known_releases", lambda: tuple(recorded))
        monkeypatch.setattr(place, "surface_of", recorded.get)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "http.json").write_text(json.dumps(HTTP))
    (tmp_path / "good.json").write_text(json.dumps(stop()))
    (tmp_path / "bad.json").write_text(json.dumps({"hooks": {"Foo": 1}}))
    (tmp_path / "events.json").write_text(json.dumps({"hooks": {"StopFailure": [], "PostCompact": [], "Stop": [1]}}))
    return tmp_path


COMMANDS: list[tuple[list[str], int, list[str]]] = [
    (["http.json", "--release", "2.1.49"], 0, ["vocabulary of 2.1.49, reader verified"]),
    (
        ["http.json", "--release", "2.1.47"],
        1,
        [
            "rejects: hooks.PreToolUse[0].hooks[0].type: a type that this release does not know yet",
            "on the screen: a dialog at start (Settings Error)",
            "with -p nothing is printed",
        ],
    ),
    (
        ["events.json", "--release", "2.1.49"],
        1,
        [
            "hooks.StopFailure: an event that this release does not know yet",
            "hooks.PostCompact: an event that this release does not know yet",
            "hooks.Stop[0]: expected an object with a `hooks` array, found a number",
        ],
    ),
    (["good.json", "--release", "2.1.340"], 0, ["the vocabulary of 2.1.340 is not known; that of 2.1.332 was taken"]),
    (["good.json", "--release", "1.0.1"], 2, ["1.0.23 or newer"]),
    (["good.json", "--release", "newest"], 2, ["a version such as 2.1.296"]),
    (["good.json", "--release", "latest"], 0, ["vocabulary of"]),
    (["good.json", "--release", "pin"], 2, ["there is no pin"]),
    (["http.json", "--releases"], 0, ["2.1.49 to 2.1.296", "loads", "refused: hooks.PreToolUse[0].hooks[0].type"]),
    (["http.json", "--min-release"], 0, ["everything loads from 2.1.49 on"]),
    (["bad.json", "--min-release"], 1, ["not even the newest of these loads everything"]),
    (["http.json", "--releases=>=2.1.49"], 0, ["everything loads from 2.1.49 on"]),
    (["http.json", "--releases=>=2.1.47"], 1, ["everything is to load on >=2.1.47: it does not on 2.1.47"]),
    (
        ["http.json", "--releases=all"],
        0,
        ["2.1.49 to 2.1.296", "on the screen: a banner", "with -p nothing is printed"],
    ),
    (["http.json", "--releases=>=2.1.49 <2.1.101"], 0, ["2.1.49 to 2.1.100"]),
    (["http.json", "--releases=>=9.0"], 3, ["no known release is in the range", "driftgate refresh", "blind"]),
    (["http.json", "--releases=newest"], 2, ["not a range of versions"]),
]


@pytest.mark.parametrize(("args", "code", "words"), COMMANDS, ids=[" ".join(args) for args, _, _ in COMMANDS])
def test_command(
    args: list[str], code: int, words: list[str], history: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["classify", *args]) == code
    captured = capsys.readouterr()
    output = captured.out + captured.err
    assert [word for word in words if word not in output] == []
    assert output.splitlines()[-1].endswith(f"exit {code}")


def test_command_as_json(history: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", "http.json", "--releases", "--format", "json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["min_release"] == "2.1.49"
    assert file["releases"][0]["outcome"] == "loaded"
    assert sum(one["count"] for one in file["releases"]) == len(known.known_releases())
    assert main(["classify", "http.json", "--release", "2.1.47", "--format", "json"]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["release"]["era"] == "C"
    assert file["release"]["cause"] == "hooks"


CONFIG = """
[tool.driftgate]
pin = "2.1.296"
declared.hook_events = "x.py#X"
[tool.driftgate.classify]
releases = "{releases}"
"""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (CONFIG.format(releases=">=2.1.49"), 0),
        (CONFIG.format(releases=">=2.1.47"), 1),
        ('[tool.driftgate.classify]\nreleases = ">=2.1.49"', 0),
        ('[tool.driftgate.classify]\nreleases = ">=2.1.47"', 1),
        ('[tool.driftgate.classify]\nreleases = ">=9.0.0"', 3),
        ('[tool.driftgate.classify]\nrelease = ">=2.1.47"', 2),
        ("[tool.other]", 0),
        ("[tool.driftgate]\nnothing = 1", 2),
    ],
)
def test_the_policy_of_a_project(text: str, code: int, history: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (history / "pyproject.toml").write_text(text)
    assert main(["classify", "http.json"]) == code
    assert "exit" in "".join(capsys.readouterr())


@pytest.mark.parametrize("release", ["1.0.23", "1.0.48", "1.0.61", "2.0.0", "2.1.112", "2.1.238", "2.1.296", "2.1.332"])
def test_every_recorded_document_is_worded_on_every_era(
    release: str, recorded: Any, history: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from driftgate.classifier.result import HooksOutcome
    from driftgate.formats.json import read_json_text
    from driftgate.releases import load_verdict
    from driftgate.settings import FileKind, Judge, classify_text
    from tests.releases.test_cases import _records

    for record in _records("release-cases.jsonl"):
        text = read_json_text(record["text"])
        file = classify_text(text, "x", FileKind.SETTINGS, release, Judge.RELEASE, recorded[release])
        verdict = load_verdict(text, release, surface=recorded[release])
        assert (file.outcome is HooksOutcome.REJECTED) == (verdict.outcome is HooksOutcome.REJECTED)
        assert all(problem.words.says for problem in file.problems)
        assert len(file.problems) >= len(verdict.dropped)
