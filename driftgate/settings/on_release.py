"""The verdict on a file by what one release, or each of many, does with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from driftgate.classifier.contract import CONTRACT, Contract
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.plain import kind_word
from driftgate.classifier.result import DropCode, DroppedPiece, HooksOutcome, Rejection, RejectionCode
from driftgate.classifier.surfaces import contract_of
from driftgate.errors import BlindError
from driftgate.formats.json import JsonText
from driftgate.releases import load_verdict
from driftgate.releases.eras import policy_of
from driftgate.releases.reader import DocumentCode, ReleasePiece
from driftgate.releases.sweep import SurfaceOf, sweep
from driftgate.releases.vocabulary import nearest_surface
from driftgate.settings.classify import spot_of
from driftgate.settings.dead import text_warnings
from driftgate.settings.explain import explain, value_at
from driftgate.settings.pieces import Effect, FileKind, FileVerdict, Problem, Words
from driftgate.settings.whole import LISTED, counts_of, document_problem, duplicates
from driftgate.surface import Surface


def classify_on(text: JsonText, name: str, kind: FileKind, release: str, surface: Surface | None = None) -> FileVerdict:
    """Return what Claude Code `release` does with the settings `text` called `name`, in words.

    Raises UsageError and BlindError like `load_verdict`.
    """
    policy_of(release)  # a release that nothing is known of is the caller's error, before anything is missing here
    known = surface if surface is not None else nearest_surface(release)
    verdict = load_verdict(text, release, surface=known)
    refused = document_problem(text, release)
    if refused is not None:
        problems: list[Problem] = [refused]
    else:
        contract = contract_of(known, known)
        if contract is None:
            raise BlindError(f"the vocabulary of {known.title} is incomplete")
        pieces = verdict.rejections or verdict.dropped
        effect = Effect.REJECTS if verdict.rejections else Effect.DROPPED
        problems = [*_problems(text, pieces[:LISTED], contract, effect), *duplicates(text)]
    outcome = verdict.outcome
    if outcome is HooksOutcome.LOADED and problems:
        outcome = HooksOutcome.LOADED_PARTIAL
    return FileVerdict(
        name,
        kind,
        outcome,
        tuple(problems),
        tuple(text_warnings(text)),
        loads=counts_of(verdict.hooks),
        omitted=max(0, len(verdict.rejections or verdict.dropped) - LISTED),
        released=verdict,
    )


def with_releases(file: FileVerdict, text: JsonText, releases: tuple[str, ...], surface_of: SurfaceOf) -> FileVerdict:
    """Return `file` with what each of `releases` does with its text."""
    return replace(file, ranges=sweep(text, releases, surface_of))


def _problems(
    text: JsonText, pieces: tuple[ReleasePiece, ...], contract: Contract, effect: Effect
) -> Iterator[Problem]:
    for piece in pieces:
        words, path = _words(piece, text.value, contract)
        yield Problem(effect, piece.code.value, path, spot_of(text, path, piece.path), words, piece.path)


def _words(piece: ReleasePiece, document: Any, contract: Contract) -> tuple[Words, ConfigPath]:
    if isinstance(piece.code, DocumentCode):
        return _document_words(piece.code, value_at(document, piece.path)), piece.path
    newer = _newer(piece, document, contract)
    if newer is not None:
        return newer, piece.path
    field = piece.fields[0] if piece.fields else None
    path = piece.path[:-1] if field == "type" else piece.path
    if isinstance(piece.code, DropCode):
        return explain(DroppedPiece(piece.code, path, field), document, contract)
    return explain(Rejection(piece.code, path, field), document, contract)


def _newer(piece: ReleasePiece, document: Any, contract: Contract) -> Words | None:
    """Return the words for a name that later releases know."""
    name = piece.path[-1] if piece.code in _UNKNOWN_EVENT else None
    if name in CONTRACT.events and name not in contract.events:
        return Words("an event that this release does not know yet", "an event that it knows", "a newer one")
    if piece.fields == ("type",):
        found = value_at(document, piece.path[:-1]).get("type")
        if found in CONTRACT.entry_types and found not in contract.entry_types:
            return Words("a type that this release does not know yet", "a type that it knows", "a newer one")
    return None


_UNKNOWN_EVENT: Final = frozenset({DropCode.UNKNOWN_EVENT, RejectionCode.GUARD_UNDER_UNKNOWN_EVENT})


def _document_words(code: DocumentCode, value: Any) -> Words:
    match code:
        case DocumentCode.UNKNOWN_KEY:
            says = "a top-level key that this release does not know; it takes no others"
            return Words(says, "a top-level key that it knows", "another", "leave it out for this release")
        case DocumentCode.PERMISSION_RULE:
            found = kind_word(value)
            return Words(f"expected a string, found {found}; this release rejects the whole file", "a string", found)
        case DocumentCode.TOO_DEEP:
            return Words("nested too deep for this release, which cuts it", "fewer levels", "more")
        case _:
            return Words(f"the document is refused: {code.value}")
