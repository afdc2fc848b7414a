"""Plugins as a whole, by release, held to what the client itself said of them (`tests.probe` asks it)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from driftgate.releases import Verdict
from driftgate.settings.codes import FileCode
from driftgate.settings.pieces import FileVerdict, Judge
from driftgate.settings.run import Question, classify_sources
from driftgate.settings.sources import sources
from tests.probe import answers

RECORDS = answers.read(answers.PLUGINS)
MANIFEST = ".claude-plugin/plugin.json"
FILE = "hooks/hooks.json"
ERRORS = {
    FileCode.LOADED_ALREADY: "duplicate",
    FileCode.NAMED_TWICE: "duplicate",
    FileCode.FILE_MISSING: "path-not-found",
    FileCode.OUTSIDE_PLUGIN: "path-traversal",
}
COSTS = ("loads", "fails", "disabled")
PARTS = 12


def cost(verdict: Verdict) -> str:
    if not verdict.rejections:
        return "loads"
    return "disabled" if verdict.reach == "plugin" else "fails"


def dropped(verdict: Verdict) -> set[str]:
    """The coordinates below `hooks` of what does not load, as the client has them."""
    paths = (piece.path[:-1] if piece.fields == ("type",) else piece.path for piece in verdict.dropped)
    return {".".join(map(str, path[1:])) for path in paths}


def asked(record: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    said = answers.by_release(record).items()
    return [(release, answer) for release, answer in said if answer["outcome"] != "silent"]


WHOLE = [record for record in RECORDS if set(record["files"]) != {FILE} or "modules" in record["files"][FILE]]
"""What is more than a hooks file alone: `tests/releases` reads those."""


@pytest.mark.parametrize("part", range(PARTS))
def test_plugins_with_more_than_a_hooks_file(part, tmp_path):
    for number, record in enumerate(WHOLE[part::PARTS]):
        root = tmp_path / str(number)
        files = {MANIFEST: '{"name": "@NAME@"}', **record["files"]}
        for name, text in files.items():
            (file := root / name).parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.replace("@NAME@", "demo").encode("utf-8", "surrogatepass"))
        for release, answer in asked(record):
            assert whole(root, release) == expected(answer), (release, files)


def expected(answer: dict[str, Any]) -> tuple[str, set[str], set[str]]:
    if answer["outcome"] != "loads":
        return answer["outcome"], set(), set()
    return "loads", set(answer.get("dropped", ())), set(answer.get("errors", ()))


def whole(root: Path, release: str) -> tuple[str, set[str], set[str]]:
    """What becomes of a plugin: the worst of its files, and if it loads, what is dropped and shown as an error."""
    report = classify_sources(sources([str(root)], root, io.BytesIO()), Question(release, Judge.RELEASE))
    files = [file for file in report.files if isinstance(file, FileVerdict)]
    assert len(files) == len(report.files)
    verdicts = [file.released for file in files if file.released is not None]
    worst = max(map(cost, verdicts), key=COSTS.index)
    if worst != "loads":
        return worst, set(), set()
    shown = {ERRORS[FileCode(problem.code)] for file in files for problem in file.problems if problem.code in ERRORS}
    return worst, set().union(*map(dropped, verdicts)), shown
