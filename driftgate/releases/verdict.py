"""What a release itself does with a settings document: beside the strict classifier, the answer for one release."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from driftgate.classifier.result import HooksOutcome
from driftgate.formats.json import JsonText, read_json_text
from driftgate.releases.eras import ReaderPolicy, Screen, is_verified, last_verified, policy_of, screen_of
from driftgate.releases.reader import DocumentCode, Reading, ReleasePiece, read_document
from driftgate.releases.vocabulary import Vocabulary, nearest_surface, vocabulary_of
from driftgate.surface import Surface


class Cause(StrEnum):
    """What a document was rejected for."""

    DOCUMENT = "document"
    HOOKS = "hooks"
    OTHER_KEY = "other-key"


@dataclass(frozen=True, slots=True)
class Basis:
    """Of which release something is known, and whether that is the release that was asked for."""

    release: str
    verified: bool


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What becomes of one settings document on one release.

    `hooks` is what loads: None where the document has none, where `hooks` was dropped, and when it is rejected.
    `dropped` is then empty too. `rejections` says why it is rejected, `cause` in one word. `vocabulary` and `reader`
    say of which release they are; unless both are verified, `notices` says what was taken for what. `seen` is what a
    person sees on that release, None where there is nothing to see.

    Only hooks are judged: another key may reject a document that loads here.
    """

    release: str
    era: str
    outcome: HooksOutcome
    hooks: dict[str, Any] | None = field(repr=False)
    dropped: tuple[ReleasePiece, ...] = ()
    rejections: tuple[ReleasePiece, ...] = ()
    notices: tuple[str, ...] = ()
    vocabulary: Basis = Basis("", verified=False)
    reader: Basis = Basis("", verified=False)
    seen: str | None = None

    @property
    def cause(self) -> Cause | None:
        """What the document is rejected for (its hooks, if they are among the causes); None where it loads."""
        if not self.rejections:
            return None
        causes = {_cause(piece) for piece in self.rejections}
        return next(cause for cause in (Cause.HOOKS, Cause.OTHER_KEY, Cause.DOCUMENT) if cause in causes)

    @property
    def basis(self) -> str:
        """What the verdict rests on, in one line."""
        reader = "reader verified" if self.reader.verified else f"reader as verified up to {self.reader.release}"
        return f"vocabulary of {self.vocabulary.release}, {reader}"


_OTHER_KEYS: Final = frozenset({DocumentCode.PERMISSION_RULE})
_HOOKS_TOO_DEEP: Final = frozenset({DocumentCode.TOO_DEEP})


def _cause(piece: ReleasePiece) -> Cause:
    if not isinstance(piece.code, DocumentCode) or piece.code in _HOOKS_TOO_DEEP:
        return Cause.HOOKS
    return Cause.OTHER_KEY if piece.code in _OTHER_KEYS else Cause.DOCUMENT


def load_verdict(document: object, release: str, *, surface: Surface | None = None) -> Verdict:
    """Return what Claude Code `release` does with the hooks of `document`.

    `document` is the text (bytes, str, or a `JsonText`), which is what decides where the text matters (a byte order
    mark, a blank or too large file, a syntax error), or a value as parsed from JSON. `surface` is the vocabulary of
    the release (if it states a version, of that one); without it the known one is taken, and where there is none, that
    of the newest older release.

    Pure but for reading the known surfaces; the document is not changed. Raises UsageError for a release that no
    reader was ever read of, BlindError where no vocabulary is known.
    """
    policy = policy_of(release)
    known = surface if surface is not None else nearest_surface(release)
    return verdict_on(release, read(document, policy, vocabulary_of(known, policy)), known)


def read(document: object, policy: ReaderPolicy, vocabulary: Vocabulary) -> Reading:
    """Read `document`, a text or a value, as the releases of `policy` with `vocabulary` do."""
    if isinstance(document, bytes | str):
        document = read_json_text(document)
    reading = Reading()
    refused = refusal(document, policy) if isinstance(document, JsonText) else None
    value = document.value if isinstance(document, JsonText) else document
    if refused is not None:
        reading.rejections.append(ReleasePiece(refused, ()))
    elif isinstance(value, dict):
        reading = read_document(value, policy, vocabulary)
    elif not (isinstance(document, JsonText) and document.blank):
        reading.rejections.append(ReleasePiece(DocumentCode.NOT_OBJECT, ()))
    reading.notices.extend(f"no check is known for {word}; any value is taken" for word in vocabulary.unchecked)
    return reading


def refusal(text: JsonText, policy: ReaderPolicy) -> DocumentCode | None:
    """Return why the text is refused before there is a document, if it is."""
    if policy.size_limit is not None and text.size > policy.size_limit:
        return DocumentCode.TOO_LARGE
    if text.blank:
        return None if policy.accepts_blank else DocumentCode.BLANK
    if text.bom and not policy.accepts_bom:
        return DocumentCode.BYTE_ORDER_MARK
    return DocumentCode.NOT_JSON if text.fault is not None else None


def verdict_on(release: str, reading: Reading, surface: Surface) -> Verdict:
    """Return the verdict for `release` of what was read with `surface` and the policy of the release."""
    rejected = bool(reading.rejections)
    outcome = HooksOutcome.LOADED_PARTIAL if reading.dropped else HooksOutcome.LOADED
    # A surface without a version is one that releases share: it is this release's own.
    vocabulary = Basis(surface.version or release, verified=surface.version in (None, release))
    reader = Basis(last_verified(release), verified=is_verified(release))
    return Verdict(
        release=release,
        era=policy_of(release).era,
        outcome=HooksOutcome.REJECTED if rejected else outcome,
        hooks=None if rejected else reading.hooks,
        dropped=() if rejected else tuple(reading.dropped),
        rejections=tuple(reading.rejections),
        notices=(*reading.notices, *_doubts(release, vocabulary, reader)),
        vocabulary=vocabulary,
        reader=reader,
        seen=_seen(screen_of(release), rejected=rejected, dropped=bool(reading.dropped)),
    )


def _doubts(release: str, vocabulary: Basis, reader: Basis) -> list[str]:
    doubts = []
    if not vocabulary.verified:
        doubts.append(f"the vocabulary of {release} is not known; that of {vocabulary.release} was taken")
    if not reader.verified:
        doubts.append(f"the reader of {release} was not run; it is taken as verified up to {reader.release}")
    return doubts


def _seen(screen: Screen, *, rejected: bool, dropped: bool) -> str | None:
    if rejected:
        return screen.rejected
    return screen.dropped if dropped else None
