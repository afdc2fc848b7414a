"""The use case behind `driftgate classify`: one text in, one verdict out, by the release, by the contract, or by both.

Pure, but for reading the known surfaces. The release's reader says what loads; the contract is stricter and never
milder, and says what else would be better written otherwise. Each bad piece is named once, with what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from driftgate.classifier.contract import Contract
from driftgate.classifier.hooks_config import read_pieces
from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.result import DropCode, HooksOutcome, Piece, Rejection, RejectionCode
from driftgate.formats.json import JsonText, Spot
from driftgate.releases import FileKind, Verdict, load_verdict
from driftgate.releases.reader import DocumentCode, ReleasePiece
from driftgate.releases.sweep import SurfaceOf, sweep
from driftgate.releases.verdict import rules_of
from driftgate.releases.vocabulary import nearest_surface
from driftgate.settings.contracts import contract_at, contract_with
from driftgate.settings.dead import document_warnings, text_warnings
from driftgate.settings.explain import explain, value_at
from driftgate.settings.pieces import Counts, FileVerdict, Judge, PieceEffect, Problem
from driftgate.settings.release_words import words_of
from driftgate.settings.stacked import ENTRIES, next_pieces, wrong_fields
from driftgate.settings.whole import LISTED, counts_of, document_problem, duplicates
from driftgate.surface import Surface

_ORDER: Final = (HooksOutcome.LOADED, HooksOutcome.LOADED_PARTIAL, HooksOutcome.REJECTED)

_INSIDE_EVENTS: Final = frozenset(
    {
        DropCode.MATCHER_INVALID,
        DropCode.ENTRY_INVALID,
        RejectionCode.GUARD_MATCHER_INVALID,
        RejectionCode.GUARD_ENTRY_INVALID,
    }
)
"""The codes of matchers and entries. Their coordinates are short, so all of them can be looked at."""


def classify_text(
    text: JsonText,
    name: str,
    kind: FileKind,
    release: str,
    judge: Judge = Judge.BOTH,
    surface: Surface | None = None,
) -> FileVerdict:
    """Return the verdict on `text`, a file of `kind` called `name`, by the judges that are asked.

    `release` is the one whose reader and vocabulary are taken; `surface` its vocabulary, where it is not the known one.
    Raises UsageError and BlindError like `load_verdict`.
    """
    rules = rules_of(release, kind)  # a release that nothing is known of is the caller's error, first of all
    known = surface if surface is not None else nearest_surface(release)
    contract = contract_at(release) if surface is None else contract_with(surface)
    released = load_verdict(text, release, surface=known, kind=kind) if judge is not Judge.CONTRACT else None
    warnings = tuple(text_warnings(text))
    refused = document_problem(text, rules)
    if refused is not None:
        stated = None if judge is Judge.RELEASE else HooksOutcome.REJECTED
        return FileVerdict(name, kind, HooksOutcome.REJECTED, (refused,), warnings, released=released, contract=stated)
    if text.blank and kind is FileKind.SETTINGS:
        stated = None if judge is Judge.RELEASE else HooksOutcome.LOADED
        return FileVerdict(name, kind, HooksOutcome.LOADED, (), warnings, released=released, contract=stated)
    form: tuple[ReleasePiece, ...] = ()
    if kind is not FileKind.SETTINGS:
        verdict = released or load_verdict(text, release, surface=known, kind=kind)
        form = tuple(piece for piece in verdict.rejections if isinstance(piece.code, DocumentCode))
    case = _Case(text, kind, contract, released, form, *_by_contract(text.value, kind, contract))
    return _verdict(case, name, judge, rules_are=release, warnings=warnings)


def with_releases(file: FileVerdict, text: JsonText, releases: tuple[str, ...], surface_of: SurfaceOf) -> FileVerdict:
    """Return `file` with what each of `releases` does with its text."""
    return replace(file, ranges=sweep(text, releases, surface_of, file.kind))


def stricter(*outcomes: HooksOutcome | None) -> HooksOutcome:
    """Return the worst of `outcomes`; None is no answer."""
    return max((outcome for outcome in outcomes if outcome is not None), key=_ORDER.index)


@dataclass(frozen=True, slots=True)
class _Case:
    """One document and what the judges found in it: `hooks` is what loads by the contract without the bad `pieces`."""

    text: JsonText
    kind: FileKind
    contract: Contract
    released: Verdict | None
    form: tuple[ReleasePiece, ...]
    hooks: Any
    pieces: list[Piece]

    @property
    def stated(self) -> HooksOutcome:
        """What becomes of the document by the contract alone (in the form that a plugin's file must have)."""
        if self.form or any(isinstance(piece, Rejection) for piece in self.pieces):
            return HooksOutcome.REJECTED
        return HooksOutcome.LOADED_PARTIAL if self.pieces else HooksOutcome.LOADED


def _by_contract(document: Any, kind: FileKind, contract: Contract) -> tuple[Any, list[Piece]]:
    """Return the hooks that load by the contract without the bad pieces, and these."""
    if kind is not FileKind.MANIFEST or not isinstance(document, dict):
        return read_pieces(document, contract)
    stated = document.get("hooks")
    _, pieces = read_pieces({key: value for key, value in document.items() if key != "hooks"}, contract)
    hooks: dict[str, list[Any]] = {}
    inline = [((), stated)] if not isinstance(stated, list) else [((at,), one) for at, one in enumerate(stated)]
    for at, value in inline:
        if isinstance(value, dict):
            loaded, found = read_pieces({"hooks": value}, contract)
            pieces += [type(piece)(piece.code, ("hooks", *at, *piece.path[1:]), piece.field) for piece in found]  # type: ignore[arg-type]
            for event, matchers in (loaded or {}).items():
                hooks[event] = [*hooks.get(event, []), *matchers]
    return hooks, pieces


def _verdict(case: _Case, name: str, judge: Judge, *, rules_are: str, warnings: Iterable[Any]) -> FileVerdict:
    text, released = case.text, case.released
    lost_keys = list(duplicates(text))
    again = HooksOutcome.LOADED_PARTIAL if lost_keys else HooksOutcome.LOADED
    stated = None if judge is Judge.RELEASE else stricter(case.stated, again)
    outcome = stricter(released.outcome if released is not None else stated, again)
    problems = list(islice(_problems(case, judge), LISTED))
    said = {(problem.path, problem.piece or problem.path) for problem in problems}
    problems += [*islice(_behind(case, said), LISTED), *lost_keys]
    bad = frozenset(piece.path for piece in case.pieces if piece.code in _INSIDE_EVENTS)
    dead = islice(document_warnings(text, text.value, bad, case.contract, rules_are, case.kind), LISTED)
    rejected = outcome is HooksOutcome.REJECTED
    counts = counts_of(case.hooks)
    loads = Counts() if rejected else counts_of(released.hooks) if released else counts
    bad_count = len({piece.path for piece in case.pieces}) if judge is not Judge.RELEASE else 0
    if released is not None:
        bad_count = max(bad_count, len(released.rejections or released.dropped))
    return FileVerdict(
        name,
        case.kind,
        outcome,
        tuple(sorted(problems, key=_place)),
        (*warnings, *(dead if judge is not Judge.RELEASE or not rejected else ())),
        loads=loads,
        lost=counts if rejected else Counts(),
        omitted=max(0, bad_count - LISTED) + max(0, len(text.duplicates) - LISTED),
        released=released,
        contract=stated,
        milder=_milder(case) if judge is Judge.BOTH else (),
    )


def _place(problem: Problem) -> int:
    return problem.spot.byte if problem.spot else 0


def _problems(case: _Case, judge: Judge) -> Iterator[Problem]:
    """Yield each bad piece once: those of the release, then what only the contract says of the rest."""
    released = case.released
    found = case.form if released is None else released.rejections or released.dropped
    said = {_piece_path(refused) for refused in found}
    effect = PieceEffect.REJECTS if released is None or released.rejections else PieceEffect.DROPPED
    for refused in found:
        yield from _of_release(case, refused, effect)
    if released is not None and released.rejections:
        # What the release did not come to: it would be the next thing to go, once the fault is mended.
        rejecting = {refused.code for refused in found}
        rest = [piece for piece in case.pieces if piece.path not in said and not _within(piece, rejecting, said)]
        for piece in rest:
            yield from _of_contract(
                case, piece, PieceEffect.CONTRACT if isinstance(piece, Rejection) else PieceEffect.WOULD_DROP
            )
    elif judge is not Judge.RELEASE:
        rejected = released is None and case.stated is HooksOutcome.REJECTED
        for piece in case.pieces:
            if piece.path in said:
                continue
            if released is not None:
                yield from _of_contract(case, piece, PieceEffect.CONTRACT)
            elif isinstance(piece, Rejection):
                yield from _of_contract(case, piece, PieceEffect.REJECTS)
            else:
                yield from _of_contract(case, piece, PieceEffect.WOULD_DROP if rejected else PieceEffect.DROPPED)


def _piece_path(piece: ReleasePiece) -> ConfigPath:
    """Return the coordinate of the whole piece: of an entry without a known type the release names the `type`."""
    return piece.path[:-1] if piece.fields == ("type",) and piece.path[-1:] == ("type",) else piece.path


def _within(piece: Piece, rejecting: set[Any], said: set[ConfigPath]) -> bool:
    """Return whether the release named the same fault at a place around or inside that of `piece`."""
    if piece.code not in rejecting:
        return False
    return any(path[: len(piece.path)] == piece.path or piece.path[: len(path)] == path for path in said)


def _of_release(case: _Case, piece: ReleasePiece, effect: PieceEffect) -> Iterator[Problem]:
    for field in piece.fields or (None,):  # every wrong field of an entry, so that one repair is enough
        one = replace(piece, fields=() if field is None else (field,))
        words, path = words_of(one, case.text.value, case.contract, case.released)
        yield Problem(effect, piece.code.value, path, spot_of(case.text, path, piece.path), words, piece.path)


def _of_contract(case: _Case, piece: Piece, effect: PieceEffect) -> Iterator[Problem]:
    release = case.released.release if case.released else None
    for one in _by_field(piece, case.text.value, case.contract):
        words, path = explain(one, case.text.value, case.contract, release)
        yield Problem(effect, piece.code.value, path, spot_of(case.text, path, piece.path), words, piece.path)


def _by_field(piece: Piece, document: Any, contract: Contract) -> list[Piece]:
    """Return `piece` once for every field that is wrong with it."""
    if piece.field in (None, "type") or piece.code not in ENTRIES:
        return [piece]
    fields = wrong_fields(value_at(document, piece.path), contract) or (piece.field,)
    return [type(piece)(piece.code, piece.path, field) for field in fields]  # type: ignore[arg-type]


def _behind(case: _Case, said: set[tuple[ConfigPath, ConfigPath]]) -> Iterator[Problem]:
    """Yield what would be bad next, once the names are mended that hide it."""
    if case.kind is FileKind.MANIFEST:
        return
    for piece, mended in next_pieces(case.text.value, case.pieces, case.contract):
        for one in _by_field(piece, mended.document, case.contract):
            words, path = explain(one, mended.document, case.contract)
            where, whole = mended.original(path), mended.original(piece.path)
            if (where, whole) not in said:
                yield Problem(PieceEffect.NEXT, piece.code.value, where, spot_of(case.text, where, whole), words, whole)


def spot_of(text: JsonText, path: ConfigPath, piece: ConfigPath) -> Spot | None:
    """Return the place of what is at `path`; what is missing is missing in the piece."""
    location = text.locate(path) or text.locate(piece)
    if location is None:
        return None
    is_name = len(piece) == 2 and path == piece  # an event: its name is what to look at
    return location.key if is_name and location.key else location.value


_MILDER: Final[Mapping[DropCode | RejectionCode, str]] = MappingProxyType(
    {
        RejectionCode.GUARD_OUTSIDE_HOOKS: (
            "it looks for misplaced guards only three levels deep, not under some keys, "
            "for matchers not below an event's name, and not at the document itself"
        ),
        RejectionCode.HOOKS_IS_MATCHER: (
            "it drops nested lists without guards, and reads a single hook as unknown events"
        ),
        RejectionCode.GUARD_UNDER_UNKNOWN_EVENT: "it looks only three levels deep below an unknown event",
        RejectionCode.GUARD_EVENT_NOT_ARRAY: "it drops a single matcher under an event that guards nothing",
        RejectionCode.GUARD_MATCHER_INVALID: "it looks less deep into a matcher, and passes over matchers inside it",
        RejectionCode.GUARD_ENTRY_INVALID: "it takes an empty string, and looks only one level into an entry",
        DropCode.ENTRY_INVALID: "it takes an empty string",
    }
)
"""Where the release is milder than the contract, and in what. The measured list is docs/CC-DIVERGENCE.md."""


def _milder(case: _Case) -> tuple[str, ...]:
    """Return in what the release is milder, where it loads something that the contract does not."""
    released = case.released
    if released is None or not case.pieces:
        return ()
    milder = _ORDER.index(released.outcome) < _ORDER.index(case.stated)
    if not milder and (released.rejections or len(released.dropped) >= len(case.pieces)):
        return ()
    return tuple(dict.fromkeys(_MILDER[piece.code] for piece in case.pieces if piece.code in _MILDER))
