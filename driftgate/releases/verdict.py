"""What a release itself does with a settings document: beside the strict classifier, the answer for one release."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from driftgate.classifier.result import HooksOutcome
from driftgate.errors import UsageError
from driftgate.formats.json import JsonText, read_json_text
from driftgate.releases.eras import ReaderPolicy, Screen, is_verified, last_verified, policy_of, screen_of
from driftgate.releases.plugin_eras import PluginPolicy, is_plugin_verified, last_plugin_verified, plugin_policy_of
from driftgate.releases.plugin_reader import (
    read_frontmatter,
    read_hooks_file,
    read_manifest,
    read_plugin_skill,
    reader_policy,
)
from driftgate.releases.reader import DocumentCode, Reach, ReleasePiece, ReleaseReading, read_document
from driftgate.releases.vocabulary import ReaderVocabulary, nearest_surface, vocabulary_of
from driftgate.surface import Surface
from driftgate.versions import version_key


class FileKind(StrEnum):
    """What a file is read as."""

    SETTINGS = "settings"
    PLUGIN_HOOKS = "plugin"
    MANIFEST = "plugin-manifest"
    FRONTMATTER = "frontmatter"
    PLUGIN_SKILL = "plugin-skill"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the releases of one era read one kind of file: `plugin` where it is a plugin's, None where it is settings."""

    kind: FileKind
    policy: ReaderPolicy
    plugin: PluginPolicy | None = None

    @property
    def era(self) -> str:
        """The name of the era."""
        return self.policy.era if self.plugin is None else self.plugin.era


@lru_cache(maxsize=1024)
def rules_of(release: str, kind: FileKind = FileKind.SETTINGS) -> Rules:
    """Return how `release` reads files of `kind`. Raises UsageError where that was never read."""
    policy = policy_of(release)
    if kind is FileKind.SETTINGS:
        return Rules(kind, policy)
    plugin = plugin_policy_of(release)
    return Rules(kind, reader_policy(plugin, policy, manifest=kind is not FileKind.PLUGIN_HOOKS), plugin)


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
    person sees on that release, None where there is nothing to see. `reach` is what a rejection takes with it: the
    document, or of a plugin the hooks of the file or all of the plugin.

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
    reach: Reach = Reach.DOCUMENT

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
        return f"vocabulary of {self.vocabulary.release}, {self.reader_basis}"

    @property
    def reader_basis(self) -> str:
        """Of which release the reader is known, in words."""
        return "reader verified" if self.reader.verified else f"reader as verified {_bound(self.reader, self.release)}"


_OTHER_KEYS: Final = frozenset({DocumentCode.PERMISSION_RULE})
_HOOKS_TOO_DEEP: Final = frozenset({DocumentCode.TOO_DEEP})


def _cause(piece: ReleasePiece) -> Cause:
    if not isinstance(piece.code, DocumentCode) or piece.code in _HOOKS_TOO_DEEP:
        return Cause.HOOKS
    return Cause.OTHER_KEY if piece.code in _OTHER_KEYS else Cause.DOCUMENT


def load_verdict(
    document: object, release: str, *, surface: Surface | None = None, kind: FileKind | str = FileKind.SETTINGS
) -> Verdict:
    """Return what Claude Code `release` does with the hooks of `document`, a file of `kind`.

    `document` is the text (bytes, str, or a `JsonText`), which is what decides where the text matters (a byte order
    mark, a blank or too large file, a syntax error), or a value as parsed from JSON. `surface` is the vocabulary of
    the release (if it states a version, of that one); without it the known one is taken, and where there is none, that
    of the newest older release.

    Pure but for reading the known surfaces; the document is not changed. Raises UsageError for a release that no
    reader was ever read of and for a kind of file that there is not, BlindError where no vocabulary is known.
    """
    kind = _kind_of(kind)
    rules = rules_of(release, kind)
    known = surface if surface is not None else nearest_surface(release)
    return verdict_on(release, read(document, rules, vocabulary_of(known, rules.policy)), known, kind)


def _kind_of(kind: FileKind | str) -> FileKind:
    if kind not in list(FileKind):
        raise UsageError("not a kind of file", where="kind", expected=", ".join(FileKind), found=repr(kind))
    return FileKind(kind)


def read(document: object, rules: Rules, vocabulary: ReaderVocabulary) -> ReleaseReading:
    """Read `document`, a text or a value, as the releases of `rules` with `vocabulary` do."""
    if isinstance(document, bytes | str):
        document = read_json_text(document)
    refused = refusal(document, rules) if isinstance(document, JsonText) else None
    value = document.value if isinstance(document, JsonText) else document
    if refused is not None:
        reading = ReleaseReading(rejections=[ReleasePiece(refused, ())], reach=_REFUSED[rules.kind])
    elif rules.plugin is None:
        blank = isinstance(document, JsonText) and document.blank
        reading = ReleaseReading() if blank else _read_settings(value, rules.policy, vocabulary)
    else:
        reading = _PLUGIN_READERS[rules.kind](value, rules.plugin, rules.policy, vocabulary)
    reading.notices.extend(f"no check is known for {word}; any value is taken" for word in vocabulary.unchecked)
    return reading


_REFUSED: Final = {
    FileKind.SETTINGS: Reach.DOCUMENT,
    FileKind.PLUGIN_HOOKS: Reach.HOOKS_FILE,
    FileKind.MANIFEST: Reach.PLUGIN,
    FileKind.FRONTMATTER: Reach.HOOKS_FILE,
    FileKind.PLUGIN_SKILL: Reach.HOOKS_FILE,
}
"""What a text that cannot be read takes with it."""


_PLUGIN_READERS: Final = {
    FileKind.PLUGIN_HOOKS: read_hooks_file,
    FileKind.MANIFEST: read_manifest,
    FileKind.FRONTMATTER: read_frontmatter,
    FileKind.PLUGIN_SKILL: read_plugin_skill,
}


def _read_settings(value: object, policy: ReaderPolicy, vocabulary: ReaderVocabulary) -> ReleaseReading:
    if isinstance(value, dict):
        return read_document(value, policy, vocabulary)
    return ReleaseReading(rejections=[ReleasePiece(DocumentCode.NOT_OBJECT, ())])


def refusal(text: JsonText, rules: Rules) -> DocumentCode | None:
    """Return why the text is refused before there is a document, if it is."""
    policy = rules.policy
    if rules.plugin is not None:
        if text.bom:
            return DocumentCode.BYTE_ORDER_MARK
        return DocumentCode.NOT_JSON if text.fault is not None or text.blank else None
    if policy.size_limit is not None and text.size > policy.size_limit:
        return DocumentCode.TOO_LARGE
    if text.blank:
        return None if policy.accepts_blank else DocumentCode.BLANK
    if text.bom and not policy.accepts_bom:
        return DocumentCode.BYTE_ORDER_MARK
    return DocumentCode.NOT_JSON if text.fault is not None else None


def verdict_on(release: str, reading: ReleaseReading, surface: Surface, kind: FileKind = FileKind.SETTINGS) -> Verdict:
    """Return the verdict for `release` of what was read with `surface` and the rules of the release."""
    rejected = bool(reading.rejections)
    outcome = HooksOutcome.LOADED_PARTIAL if reading.dropped else HooksOutcome.LOADED
    # A surface without a version is one that releases share: it is this release's own.
    vocabulary = Basis(surface.version or release, verified=surface.version in (None, release))
    settings = kind is FileKind.SETTINGS
    reader = (
        Basis(last_verified(release), verified=is_verified(release))
        if settings
        else Basis(last_plugin_verified(release), verified=is_plugin_verified(release))
    )
    return Verdict(
        release=release,
        era=rules_of(release, kind).era,
        outcome=HooksOutcome.REJECTED if rejected else outcome,
        hooks=None if rejected else reading.hooks,
        dropped=() if rejected else tuple(reading.dropped),
        rejections=tuple(reading.rejections),
        notices=(*reading.notices, *_doubts(release, vocabulary, reader)),
        vocabulary=vocabulary,
        reader=reader,
        seen=_seen(screen_of(release), rejected=rejected, dropped=bool(reading.dropped)) if settings else None,
        reach=reading.reach,
    )


def _doubts(release: str, vocabulary: Basis, reader: Basis) -> list[str]:
    doubts = []
    if not vocabulary.verified:
        doubts.append(f"the vocabulary of {release} is not known; that of {vocabulary.release} was taken")
    if not reader.verified:
        doubts.append(f"the reader of {release} was not run; it is taken as verified {_bound(reader, release)}")
    return doubts


def _bound(reader: Basis, release: str) -> str:
    later = version_key(reader.release) > version_key(release)
    return f"from {reader.release} on" if later else f"up to {reader.release}"


def _seen(screen: Screen, *, rejected: bool, dropped: bool) -> str | None:
    if rejected:
        return screen.rejected
    return screen.dropped if dropped else None
