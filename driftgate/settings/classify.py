"""The use case behind `driftgate classify`: one text in, one verdict out. Pure, but for the pin's known surface."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from driftgate.hooks_config import read_pieces
from driftgate.hooks_result import DropCode, HooksOutcome, Piece, Rejection, RejectionCode
from driftgate.jsontext import Duplicate, JsonText, Spot
from driftgate.outgoing import ConfigPath
from driftgate.releases import Verdict, load_verdict, surface_of
from driftgate.releases.eras import policy_of
from driftgate.releases.reader import DocumentCode
from driftgate.releases.verdict import refusal
from driftgate.settings import samples
from driftgate.settings.dead import document_warnings, text_warnings
from driftgate.settings.explain import explain, kind_of
from driftgate.settings.model import Counts, Effect, FileKind, FileVerdict, Problem, Words

LISTED: Final = 500
"""How many problems of a file are put into words (and as many warnings); the others are counted."""

DUPLICATE: Final = "duplicate-key"
NO_HOOKS: Final = "no-hooks"


def classify_text(text: JsonText, name: str, kind: FileKind, pin: str) -> FileVerdict:
    """Return the verdict on the settings `text` called `name`, by the contract and as the text is read at `pin`."""
    refused = _document_problem(text, pin)
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
    listed = [*_problems(text, pieces[:LISTED], rejected=rejected), *_duplicates(text)]
    if missing:
        words = Words("`hooks` missing", "an object with a `hooks` key", "none", "add it", samples.part("hooks"))
        listed.insert(0, Problem(Effect.REJECTS, NO_HOOKS, (), text.spot(0), words))
    bad = frozenset(piece.path for piece in pieces[:LISTED])
    warnings = chain(text_warnings(text), document_warnings(text, document, bad, pin))
    counts = _counts(hooks)
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


def _document_problem(text: JsonText, pin: str) -> Problem | None:
    """Return what is wrong with the text as a whole, if anything is."""
    policy = policy_of(pin)
    code = refusal(text, policy)
    if code is None and not text.blank and not isinstance(text.value, dict):
        code = DocumentCode.NOT_OBJECT
    if code is None:
        return None
    spot: Spot | None = text.spot(0)
    match code:
        case DocumentCode.TOO_LARGE:
            spot, words = None, too_large(text.size, policy.size_limit or 0)
        case DocumentCode.NOT_OBJECT:
            found = kind_of(text.value).removeprefix("a ") if text.value is None else kind_of(text.value)
            says = f"document root: expected an object, found {found}"
            words = Words(says, "an object", found, sample=samples.part("hooks"))
        case DocumentCode.NOT_JSON if text.fault is not None:
            spot = text.spot(text.fault.at)
            facts = text.fault.facts
            says = f"not JSON: {facts.found} at line {spot.line}, column {spot.column}"
            words = Words(says, facts.expected, facts.found, facts.fix)
        case _:
            words = Words(f"the text is refused: {code.value}")
    return Problem(Effect.REJECTS, code.value, (), spot, words)


def too_large(size: int, limit: int) -> Words:
    """Return the words for a file of `size` bytes where `limit` is the limit."""
    mebibytes = f" ({limit // 2**20} MiB)" if limit % 2**20 == 0 else ""
    says = f"{size} bytes; the limit is {limit}{mebibytes}"
    return Words(says, f"at most {limit} bytes", f"{size} bytes", "make it smaller: split it over several scopes")


def _problems(text: JsonText, pieces: list[Piece], *, rejected: bool) -> Iterator[Problem]:
    said: set[str] = set()
    for piece in pieces:
        words, path = explain(piece, text.value or {})
        if isinstance(piece, Rejection):
            effect = Effect.REJECTS
            said.add(words.says)
        else:
            effect = Effect.WOULD_DROP if rejected else Effect.DROPPED
        yield Problem(effect, piece.code.value, path, _spot(text, path, piece.path), words, piece.path)


def _spot(text: JsonText, path: ConfigPath, piece: ConfigPath) -> Spot | None:
    """Return the place of what is at `path`; what is missing is missing in the piece."""
    location = text.locate(path) or text.locate(piece)
    if location is None:
        return None
    is_name = len(piece) == 2 and path == piece  # an event: its name is what to look at
    return location.key if is_name and location.key else location.value


def _duplicates(text: JsonText) -> Iterator[Problem]:
    shown = [(one, one.path) for one in text.duplicates[:LISTED]]
    times = Counter(path for _, path in shown)
    seen: Counter[ConfigPath] = Counter()
    for duplicate, path in shown:
        seen[path] += 1
        yield _duplicate(duplicate, path, seen[path], times[path] + 1)


def _duplicate(duplicate: Duplicate, path: ConfigPath, at: int, times: int) -> Problem:
    often = "twice" if times == 2 else f"{times} times"
    words = Words(
        f"key {{name}} occurs {often}; only the last is read",
        "each key once in an object",
        "a key that comes again",
        f"keep one: the last is in line {duplicate.kept.line}",
        name=str(path[-1]),
    )
    nth = "first occurrence" if at == 1 else f"occurrence {at}"
    note = f"{nth}, line {duplicate.key.line}"
    return Problem(Effect.DROPPED, DUPLICATE, path, duplicate.key, words, note=note)


def _counts(hooks: Any) -> Counts:
    events = hooks or {}
    matchers = [matcher for value in events.values() for matcher in value]
    return Counts(len(events), len(matchers), sum(len(matcher["hooks"]) for matcher in matchers))


_MILDER: Final = {
    RejectionCode.GUARD_OUTSIDE_HOOKS: "it looks for misplaced guards only three levels deep, and not under some keys",
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
