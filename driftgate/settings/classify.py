"""The use case behind `driftgate classify`: one text in, one verdict out. Pure, but for the pin's known surface."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from driftgate.classifier.hooks_config import read_pieces
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import DropCode, HooksOutcome, Piece, Rejection, RejectionCode
from driftgate.formats.json import JsonText, Spot
from driftgate.releases import Verdict, load_verdict, surface_of
from driftgate.settings import forms
from driftgate.settings.codes import FileCode
from driftgate.settings.dead import document_warnings, text_warnings
from driftgate.settings.explain import explain
from driftgate.settings.pieces import Counts, Effect, FileKind, FileVerdict, Problem, Words
from driftgate.settings.whole import LISTED, counts_of, document_problem, duplicates

_INSIDE_EVENTS: Final = frozenset(
    {
        DropCode.MATCHER_INVALID,
        DropCode.ENTRY_INVALID,
        RejectionCode.GUARD_MATCHER_INVALID,
        RejectionCode.GUARD_ENTRY_INVALID,
    }
)
"""The codes of matchers and entries. Their coordinates are short, so all of them can be looked at."""


def classify_text(text: JsonText, name: str, kind: FileKind, pin: str) -> FileVerdict:
    """Return the verdict on the settings `text` called `name`, by the contract and as the text is read at `pin`."""
    refused = document_problem(text, pin)
    if refused is not None:
        return FileVerdict(name, kind, HooksOutcome.REJECTED, (refused,), tuple(text_warnings(text)))
    if text.blank and kind is FileKind.SETTINGS:
        return FileVerdict(name, kind, HooksOutcome.LOADED, warnings=tuple(text_warnings(text)))
    return _classify_document(text, name, kind, pin)


def _classify_document(text: JsonText, name: str, kind: FileKind, pin: str) -> FileVerdict:
    document = text.value or {}
    hooks, pieces = read_pieces(document)
    missing = kind is FileKind.PLUGIN_HOOKS and "hooks" not in document
    rejected = missing or any(isinstance(piece, Rejection) for piece in pieces)
    listed = [*_problems(text, pieces[:LISTED], rejected=rejected), *duplicates(text)]
    if missing:
        words = Words("`hooks` missing", "an object with a `hooks` key", "none", "add it", forms.part("hooks"))
        listed.insert(0, Problem(Effect.REJECTS, FileCode.NO_HOOKS.value, (), text.spot(0), words))
    bad = frozenset(piece.path for piece in pieces if piece.code in _INSIDE_EVENTS)
    warnings = chain(text_warnings(text), document_warnings(text, document, bad, pin))
    counts = counts_of(hooks)
    partial = HooksOutcome.LOADED_PARTIAL if listed else HooksOutcome.LOADED
    outcome = HooksOutcome.REJECTED if rejected else partial
    milder = _milder(pieces) if pieces and surface_of(pin) is not None else ()
    released = load_verdict(text, pin) if milder else None
    differs = released is not None and _is_milder(released, pieces, rejected=rejected)
    return FileVerdict(
        name,
        kind,
        outcome,
        tuple(sorted(listed, key=_place)),
        tuple(islice(warnings, LISTED)),
        loads=Counts() if rejected else counts,
        lost=counts if rejected else Counts(),
        omitted=max(0, len(pieces) - LISTED) + max(0, len(text.duplicates) - LISTED),
        pin=released if differs else None,
        milder=milder if differs else (),
    )


def _place(problem: Problem) -> int:
    return problem.spot.byte if problem.spot else 0


def _problems(text: JsonText, pieces: list[Piece], *, rejected: bool) -> Iterator[Problem]:
    said: set[str] = set()
    for piece in pieces:
        words, path = explain(piece, text.value or {})
        if isinstance(piece, Rejection):
            effect = Effect.REJECTS
            said.add(words.says)
        else:
            effect = Effect.WOULD_DROP if rejected else Effect.DROPPED
        yield Problem(effect, piece.code.value, path, spot_of(text, path, piece.path), words, piece.path)


def spot_of(text: JsonText, path: ConfigPath, piece: ConfigPath) -> Spot | None:
    """Return the place of what is at `path`; what is missing is missing in the piece."""
    location = text.locate(path) or text.locate(piece)
    if location is None:
        return None
    is_name = len(piece) == 2 and path == piece  # an event: its name is what to look at
    return location.key if is_name and location.key else location.value


_MILDER: Final = {
    RejectionCode.GUARD_OUTSIDE_HOOKS: (
        "it looks for misplaced guards only three levels deep, not under some keys, "
        "for matchers not below an event's name, and not at the document itself"
    ),
    RejectionCode.HOOKS_IS_MATCHER: "it drops nested lists without guards, and reads a single hook as unknown events",
    RejectionCode.GUARD_UNDER_UNKNOWN_EVENT: "it looks only three levels deep below an unknown event",
    RejectionCode.GUARD_EVENT_NOT_ARRAY: "it drops a single matcher under an event that guards nothing",
    RejectionCode.GUARD_MATCHER_INVALID: "it looks less deep into a matcher, and passes over matchers inside it",
    RejectionCode.GUARD_ENTRY_INVALID: "it takes an empty string, and looks only one level into an entry",
    DropCode.ENTRY_INVALID: "it takes an empty string",
}
"""Where the release is milder than the contract, and in what. The measured list is docs/CC-DIVERGENCE.md."""


def _is_milder(released: Verdict, pieces: list[Piece], *, rejected: bool) -> bool:
    """Return whether the release loads something that the contract does not."""
    if rejected:
        return released.outcome is not HooksOutcome.REJECTED
    return len(released.dropped) < len(pieces)


def _milder(pieces: list[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_MILDER[piece.code] for piece in pieces if piece.code in _MILDER))
