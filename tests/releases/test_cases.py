"""What releases did with real documents, as recorded from their own readers, and what we say that they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from driftgate.classifier.result import HooksOutcome
from driftgate.releases import Cause, load_verdict, surface_of
from driftgate.releases.verdict import Verdict

DATA = Path(__file__).parents[1] / "data"

RELEASES = (
    "1.0.23",
    "1.0.31",
    "1.0.48",
    "1.0.50",
    "1.0.60",
    "1.0.66",
    "1.0.67",
    "1.0.128",
    "2.0.30",
    "2.0.60",
    "2.0.77",
    "2.1.50",
    "2.1.100",
    "2.1.101",
    "2.1.112",
    "2.1.113",
    "2.1.121",
    "2.1.122",
    "2.1.139",
    "2.1.198",
    "2.1.238",
    "2.1.251",
    "2.1.252",
    "2.1.257",
    "2.1.265",
    "2.1.296",
)


def _records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def _dropped(verdict: Verdict) -> list[str]:
    return [".".join(map(str, piece.path)) for piece in verdict.dropped]


def _is_other_key(answer: dict[str, Any]) -> bool:
    """Whether a key other than `hooks` decides: that is not ours to say."""
    if any(not path.startswith("hooks") for path in answer.get("dropped", ())):
        return True
    cause = answer.get("cause") or ""
    return "other key" in cause and "hooks" not in cause


def _differs(verdict: Verdict, answer: dict[str, Any]) -> bool:
    rejected = verdict.outcome is HooksOutcome.REJECTED
    if rejected != answer["rejected"] or _dropped(verdict) != answer.get("dropped", []):
        return True
    cause = answer.get("cause") or ""
    return cause in ("hooks", "document") and verdict.cause != cause


@pytest.mark.parametrize("release", RELEASES)
def test_release_cases(release: str) -> None:
    surface = surface_of(release)
    assert surface is not None
    compared, wrong = 0, []
    for record in _records("release-cases.jsonl"):
        answer = record["cc"][release]
        if _is_other_key(answer):
            continue
        compared += 1
        if _differs(load_verdict(record["text"], release, surface=surface), answer):
            wrong.append(record["id"])
    assert compared > 360
    assert wrong == []


def test_the_cases_cover_these_releases() -> None:
    assert {release for record in _records("release-cases.jsonl") for release in record["cc"]} == set(RELEASES)


def test_classifier_cases(surface_for: Any) -> None:
    """For 2.1.296 also why, and what loads."""
    surface = surface_for("2.1.296")
    records = _records("classifier-cases.jsonl")
    wrong = []
    for record in records:
        answer = record["cc"]
        verdict = load_verdict(record["text"], "2.1.296", surface=surface)
        rejected = verdict.outcome is HooksOutcome.REJECTED
        notes = [note for note in answer["notes"] if note["severity"] == "warning" and not answer["rejected"]]
        loads = None if answer["loads"] in ("absent", None) else answer["loads"]
        bad_fields = [
            sorted(field.split(".")[0] for field in note["bad_fields"]) for note in notes if "bad_fields" in note
        ]
        fields = [
            sorted(piece.fields) for piece, note in zip(verdict.dropped, notes, strict=False) if "bad_fields" in note
        ]
        same = (
            rejected == answer["rejected"]
            and _dropped(verdict) == [note["path"] for note in notes]
            and verdict.hooks == loads
            and fields == bad_fields
        )
        if not same:
            wrong.append(record["id"])
    assert len(records) == 1240
    assert wrong == []


def test_a_document_that_is_rejected_for_a_document_fault_says_so(surface_for: Any) -> None:
    verdict = load_verdict("{", "2.1.296", surface=surface_for("2.1.296"))
    assert verdict.cause is Cause.DOCUMENT
