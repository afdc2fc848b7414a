"""The json report of `classify`: one document, versioned, for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from driftgate import __version__
from driftgate.errors import VERDICTS
from driftgate.formats.json import Spot
from driftgate.releases import Verdict
from driftgate.releases.reader import ReleasePiece
from driftgate.releases.sweep import ReleaseRange, oldest_that_loads
from driftgate.settings.before import LostHook
from driftgate.settings.coordinates import coordinate, sentence, shown_path
from driftgate.settings.outcome import ClassifyReport
from driftgate.settings.pieces import Caution, FileVerdict, PieceEffect, Problem, Unreadable
from driftgate.settings.whole import LISTED

SCHEMA: Final = 1


def render(report: ClassifyReport, *, reveal: bool = False) -> str:
    """Return the report as one JSON document. `reveal` shows the user's own names whole."""
    return json.dumps(report_document(report, reveal=reveal), indent=2, ensure_ascii=False)


def report_document(report: ClassifyReport, *, reveal: bool = False) -> dict[str, Any]:
    """Return the report as plain data."""
    code = report.exit_code
    return {
        "schema": SCHEMA,
        "driftgate": __version__,
        "command": "classify",
        "verdict": VERDICTS[code],
        "exit": int(code),
        "vocabulary": {"upstream": "claude-code", "version": report.pin, "basis": report.vocabulary},
        "judge": report.judge.value,
        "policy": report.policy,
        "files": [_file(file, reveal=reveal) for file in report.files],
    }


def _file(file: FileVerdict | Unreadable, *, reveal: bool) -> dict[str, Any]:
    if isinstance(file, Unreadable):
        return {"file": file.name, "outcome": "unreadable", "why": file.why, "next": file.next}
    by_effect = {
        effect: [_problem(problem, reveal=reveal) for problem in file.problems if problem.effect is effect]
        for effect in PieceEffect
    }
    return {
        "file": file.name,
        "read_as": file.kind.value,
        "outcome": file.outcome.value,
        "rejections": by_effect[PieceEffect.REJECTS],
        "dropped": by_effect[PieceEffect.DROPPED],
        "would_drop": by_effect[PieceEffect.WOULD_DROP],
        "contract_only": by_effect[PieceEffect.CONTRACT],
        "next": by_effect[PieceEffect.NEXT],
        "omitted": file.omitted,
        "warnings": [_piece(caution, reveal=reveal) for caution in file.warnings],
        "loads": asdict(file.loads),
        "lost": asdict(file.lost),
        "contract": file.contract and file.contract.value,
        "milder": list(file.milder),
        "release": file.released and _verdict(file.released, reveal=reveal),
        "before": file.before,
        "lost_hooks": [_lost(hook, reveal=reveal) for hook in file.lost_hooks[:LISTED]],
        "releases": [_range(one, reveal=reveal) for one in file.ranges],
        "min_release": oldest_that_loads(file.ranges),
    }


def _lost(hook: LostHook, *, reveal: bool) -> dict[str, Any]:
    record = {
        "coordinate": coordinate(hook.path, reveal=reveal),
        "path": shown_path(hook.path, reveal=reveal),
        "guard": hook.guard,
        "says": hook.why,
    }
    return {**record, **_spot(hook.spot)}


def _range(one: ReleaseRange, *, reveal: bool) -> dict[str, Any]:
    return {
        "oldest": one.oldest,
        "newest": one.newest,
        "count": one.count,
        **({"outcome": "unknown"} if one.verdict is None else _verdict(one.verdict, reveal=reveal)),
    }


def _verdict(verdict: Verdict, *, reveal: bool) -> dict[str, Any]:
    return {
        "release": verdict.release,
        "outcome": verdict.outcome.value,
        "reach": verdict.reach.value,
        "era": verdict.era,
        "cause": verdict.cause and verdict.cause.value,
        "dropped": [_release_piece(piece, reveal=reveal) for piece in verdict.dropped[:LISTED]],
        "rejections": [_release_piece(piece, reveal=reveal) for piece in verdict.rejections[:LISTED]],
        "vocabulary": asdict(verdict.vocabulary),
        "reader": asdict(verdict.reader),
        "notices": list(verdict.notices),
        "seen": verdict.seen,
    }


def _release_piece(piece: ReleasePiece, *, reveal: bool) -> dict[str, Any]:
    return {
        "code": piece.code.value,
        "coordinate": coordinate(piece.path, reveal=reveal),
        "path": shown_path(piece.path, reveal=reveal),
        "fields": list(piece.fields),
    }


def _problem(problem: Problem, *, reveal: bool) -> dict[str, Any]:
    words = problem.words
    piece = problem.path if problem.piece is None else problem.piece
    record = {
        "piece": coordinate(piece, reveal=reveal),
        "expected": words.expected,
        "found": words.found,
        "note": problem.note,
    }
    return {**_piece(problem, reveal=reveal), **{name: text for name, text in record.items() if text}}


def _piece(piece: Problem | Caution, *, reveal: bool) -> dict[str, Any]:
    words = piece.words
    record: dict[str, Any] = {
        "code": piece.code,
        "coordinate": coordinate(piece.path, reveal=reveal),
        "path": shown_path(piece.path, reveal=reveal),
        "says": sentence(words, reveal=reveal),
    }
    optional = {"fix": words.fix, "sample": words.sample, "did_you_mean": words.suggestion}
    return {**record, **_spot(piece.spot), **{name: text for name, text in optional.items() if text}}


def _spot(spot: Spot | None) -> dict[str, int]:
    return {} if spot is None else {"line": spot.line, "column": spot.column, "byte": spot.byte}
