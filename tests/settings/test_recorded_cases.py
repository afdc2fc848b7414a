"""The faults that real users reported (kind B): outcome, coordinates, places, and the sentences that must be there."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from driftgate.errors import ExitCode
from driftgate.settings import FileKind, json_report, text_report
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.run import Question, classify_sources
from driftgate.settings.sources import sources

DATA = Path(__file__).parents[1] / "data" / "cases"
PIN = "2.1.296"

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in yaml.safe_load((DATA / "cases.yaml").read_text(encoding="utf-8"))["cases"]
    if case["kind"] == "B"
}

OUTCOMES = {"loads": "loaded", "partial": "loaded-partial", "rejected": "rejected"}

STRICTER: dict[str, tuple[str, list[str]]] = {
    "b32-events-at-the-root": ("rejected", ["PreToolUse"]),
}
"""Where the exact semantics are stricter than the record: a matcher, or a guard, outside its place rejects."""

SAYS: dict[str, list[str]] = {
    "b02-flat-entry-in-plain-event": [
        "hooks.SessionStart[0]: no `hooks` array",
        '{"hooks": [{"type": "command", "command": "echo ok"}]}',
        "1 entry loads",
    ],
    "b03-one-flat-among-twenty-plus-foreign-events": [
        "hooks.PostToolUse[19]",
        "hooks.PreLLM: not an event in this vocabulary",
        "19 entries load, 5 pieces dropped",
    ],
    "b05-hooks-is-an-array": ["hooks: expected an object keyed by event name, found an array"],
    "b06-matcher-object-in-guard": [
        "hooks.PreToolUse[0].matcher: expected a string, found an object",
        "whole document rejected; 2 well-formed entries lost",
    ],
    "b08-every-event-a-bare-string": [
        "hooks.PreToolUse: expected an array, found a string",
        "hooks.Stop: same fault, would be dropped on its own",
    ],
    "b09-event-value-is-an-object": [
        "hooks.PostToolUse: expected an array, found an object",
        "contract of 2.1.296: not obeyed, for the same reasons",
    ],
    "b11-kebab-names-and-paths": ['hooks["pre-commit"]', 'hooks["post-build"]'],
    "b12-near-miss-of-a-guard-name": ["did you mean PreToolUse (a guard event)", "did you mean PostToolUse"],
    "b14-dotted-names": ["0 entries load", 'hooks["session.compact"]'],
    "b15-note-kept-as-a-key": ["not an event; notes belong outside `hooks`"],
    "b17-args-without-command-in-both-guards": [
        "hooks.PreToolUse[0].hooks[0].command: command is required; args does not replace it",
        "hooks.PermissionRequest[0].hooks[0].command: command is required; args does not replace it",
    ],
    "b18-type-known-only-to-newer-pins": ["3 entries load", "vocabulary: Claude Code 2.1.296"],
    "b20-unknown-field-is-dead-config": [
        "hooks.PreToolUse[0].hooks[0].timeout_ms: field unknown for type command; did you mean timeout (seconds)"
    ],
    "b21-timeout-zero-as-no-limit": ["hooks.Stop[0].hooks[0].timeout: must be greater than 0"],
    "b23-byte-order-mark": ["starts with a UTF-8 byte order mark; other readers of this file reject it"],
    "b24-line-comment": ["not JSON: comment at line 2, column 3", "the whole document is ignored"],
    "b26-same-event-key-twice": ["key PreToolUse occurs twice; only the last is read", "1 entry loads"],
    "b27-nan-literal": ["not JSON: NaN"],
    "b29-over-two-mebibytes": ["2097168 bytes; the limit is 2097152 (2 MiB)"],
    "b30-root-is-null": ["document root: expected an object, found null"],
    "b32-events-at-the-root": [
        "PreToolUse, SessionStart are event names at the document root",
        "they have no effect there, they belong under `hooks`",
        "0 entries load",
    ],
    "b33-bytes-that-are-not-utf8": [
        "invalid UTF-8 at byte 66; JavaScript readers substitute U+FFFD, so the path will not resolve"
    ],
}

NEVER_SAYS: dict[str, list[str]] = {
    "b14-dotted-names": ["hooks.session.compact"],
    "b15-note-kept-as-a-key": ["did you mean"],
    "b32-events-at-the-root": [" OK"],
}

PLACES = {
    "b06-matcher-object-in-guard": (25, 16),
    "b24-line-comment": (2, 3),
    "b26-same-event-key-twice": (2, 2),
    "b27-nan-literal": (1, 85),
}


@pytest.fixture(scope="module")
def oversize(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document of b29: the small valid one padded with spaces to 2 MiB and 16 bytes."""
    small = (DATA / "docs" / "b18-type-known-only-to-newer-pins.json").read_bytes()
    path = tmp_path_factory.mktemp("docs") / "b29-over-two-mebibytes.json"
    path.write_bytes(small + b" " * (2**21 + 16 - len(small)))
    return path


def _report(case: dict[str, Any], oversize: Path, kind: FileKind | None = None) -> ClassifyReport:
    path = DATA / case["doc"]
    path = path if path.exists() else oversize
    return classify_sources(sources([str(path)], Path.cwd(), io.BytesIO(), kind), Question(PIN))


def test_every_case_has_its_sentences() -> None:
    assert SAYS.keys() == CASES.keys()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(case: dict[str, Any], oversize: Path) -> None:
    report = _report(case, oversize)
    expected = case["expected"]
    (file,) = json_report.report_document(report, reveal=True)["files"]
    rejections = [_coordinate(piece) for piece in file["rejections"]]
    if case["id"] in STRICTER:
        assert (file["outcome"], rejections) == STRICTER[case["id"]]
        assert report.exit_code is ExitCode.DRIFT
    else:
        assert file["outcome"] == OUTCOMES[expected["outcome"]]
        assert report.exit_code == expected["exit"]
        assert rejections == expected.get("fatal", [])
        assert sorted({_coordinate(piece, "piece") for piece in file["dropped"]}) == sorted(expected.get("dropped", []))
    assert len(file["warnings"]) == len(expected.get("warnings", []))
    text = text_report.render(report, reveal=True)
    assert [sentence for sentence in SAYS[case["id"]] if sentence not in text] == []
    assert [sentence for sentence in NEVER_SAYS.get(case["id"], []) if sentence in text] == []
    assert (
        text.splitlines()[-1]
        == f"driftgate: {'agrees' if report.exit_code == 0 else 'drift'}, exit {report.exit_code:d}"
    )


def _coordinate(piece: dict[str, Any], of: str = "coordinate") -> str:
    return f"{piece[of]} ({piece['note']})" if "note" in piece else str(piece[of])


@pytest.mark.parametrize("name", PLACES)
def test_place(name: str, oversize: Path) -> None:
    (file,) = json_report.report_document(_report(CASES[name], oversize))["files"]
    piece = (file["rejections"] + file["dropped"])[0]
    assert (piece["line"], piece["column"]) == PLACES[name]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_both_formats_agree_on_verdict_and_code(case: dict[str, Any], oversize: Path) -> None:
    report = _report(case, oversize)
    document = json.loads(json_report.render(report))
    assert document["exit"] == report.exit_code
    assert text_report.render(report).endswith(f"driftgate: {document['verdict']}, exit {document['exit']}")


def test_events_at_the_root_of_a_plugin_file(oversize: Path) -> None:
    report = _report(CASES["b32-events-at-the-root"], oversize, FileKind.PLUGIN_HOOKS)
    (file,) = json_report.report_document(report)["files"]
    assert file["outcome"] == "rejected"
    assert "`hooks` missing" in [piece["says"] for piece in file["rejections"]]


def test_exactly_two_mebibytes_load(tmp_path: Path) -> None:
    small = (DATA / "docs" / "b18-type-known-only-to-newer-pins.json").read_bytes()
    path = tmp_path / "settings.json"
    path.write_bytes(small + b" " * (2**21 - len(small)))
    report = classify_sources(sources([str(path)], tmp_path, io.BytesIO()), Question(PIN))
    assert report.exit_code is ExitCode.AGREES
