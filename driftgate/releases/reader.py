"""The one engine that reads a document as a release does.

A vocabulary says which pieces are bad, a policy what becomes of them.

The four levels are those of the classifier (the `hooks` key, an event, a matcher, an entry); its pieces are named with
the classifier's codes. Nothing of the document is changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

from driftgate.classifier.outgoing import ConfigPath, render_path
from driftgate.classifier.result import DropCode, RejectionCode
from driftgate.releases.depth import cut, is_deeper
from driftgate.releases.eras import ALIASES, FILTERED_RULES, ReaderPolicy
from driftgate.releases.vocabulary import ReaderVocabulary

PROTO: Final = "__proto__"
NULL_DEPTH: Final = 32
"""From this many levels of arrays on, a reader that cuts takes null for a guard that may have been there."""

_BAD: Final = object()
"""Stands for a piece that does not load."""


class DocumentCode(StrEnum):
    """Why a document as a whole is refused, or loses something before its hooks are read."""

    NOT_JSON = "not-json"
    BLANK = "blank"
    BYTE_ORDER_MARK = "byte-order-mark"
    NOT_OBJECT = "not-object"
    TOO_LARGE = "too-large"
    UNKNOWN_KEY = "unknown-top-level-key"
    PERMISSION_RULE = "permission-rule"
    TOO_DEEP = "too-deep"
    NO_HOOKS = "no-hooks"
    FILE_KEY = "file-key-invalid"
    HOOKS_PATH = "hooks-path-invalid"
    MANIFEST_KEY = "manifest-key-invalid"
    NO_READER = "no-plugin-hooks"


class Reach(StrEnum):
    """What is lost where a document is refused."""

    DOCUMENT = "document"
    HOOKS_FILE = "hooks-file"
    PLUGIN = "plugin"


ReleaseCode: TypeAlias = DropCode | RejectionCode | DocumentCode


@dataclass(frozen=True, slots=True, repr=False)
class ReleasePiece:
    """A piece that a release drops, or rejects the document for: why, where, and which fields of it are wrong.

    `path` is the release's own: for an entry without a known type it ends in `type`.
    """

    code: ReleaseCode
    path: ConfigPath
    fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        # Where a piece is logged, the user's own names leave shortened.
        fields = "".join(f", {name}" for name in self.fields)
        return f"<{type(self).__name__} {self.code.value} at {render_path(self.path)}{fields}>"


@dataclass(slots=True)
class ReleaseReading:
    """What a reader found, in the order in which it reads; `reach` is what a rejection takes with it."""

    hooks: dict[str, Any] | None = field(default=None, repr=False)
    dropped: list[ReleasePiece] = field(default_factory=list)
    rejections: list[ReleasePiece] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    reach: Reach = Reach.DOCUMENT


def read_document(document: dict[str, Any], policy: ReaderPolicy, vocabulary: ReaderVocabulary) -> ReleaseReading:
    """Read the settings `document` as the releases of `policy` with `vocabulary` do."""
    reader = DocumentReader(policy, vocabulary)
    reader.read(document)
    return reader.reading


class DocumentReader:
    """Reads one document level by level; what it finds is in `reading`. `base` is where the map of events stands."""

    __slots__ = ("_base", "_policy", "_vocabulary", "reading")

    def __init__(self, policy: ReaderPolicy, vocabulary: ReaderVocabulary, base: ConfigPath = ("hooks",)) -> None:
        self._policy = policy
        self._vocabulary = vocabulary
        self._base = base
        self.reading = ReleaseReading()

    def read(self, document: dict[str, Any]) -> None:
        """Read a whole settings document."""
        policy = self._policy
        if policy.depth_limit is not None and is_deeper(document, policy.depth_limit):
            document = self._cut(document, policy.depth_limit)
        if policy.known_keys is not None:
            for key in document:
                if key not in policy.known_keys:
                    self._reject(DocumentCode.UNKNOWN_KEY, (key,))
        self._read_rules(document.get("permissions"))
        if policy.drops_pieces:
            self._look_outside(document)
        if "hooks" in document:
            self.reading.hooks = self.read_hooks(document["hooks"])

    def _drop(self, code: DropCode | DocumentCode, path: ConfigPath, fields: tuple[str, ...] = ()) -> None:
        self.reading.dropped.append(ReleasePiece(code, path, fields))

    def _reject(self, code: ReleaseCode, path: ConfigPath, fields: tuple[str, ...] = ()) -> None:
        self.reading.rejections.append(ReleasePiece(code, path, fields))

    def _cut(self, document: dict[str, Any], limit: int) -> dict[str, Any]:
        copy, cuts = cut(document, limit)
        for key, path in cuts.items():
            if key != "hooks":
                self.reading.notices.append(f"a setting outside hooks is nested deeper than {limit} levels and was cut")
            elif isinstance(document["hooks"], list):
                self._reject(DocumentCode.TOO_DEEP, path)
            else:
                self._drop(DocumentCode.TOO_DEEP, path)
        return copy

    def _read_rules(self, permissions: Any) -> None:
        """Permission rules are no hooks, but up to 2.1.46 one that is no string rejects the same file."""
        if self._policy.filters_rules or not isinstance(permissions, dict):
            return
        for name in FILTERED_RULES:
            rules = permissions.get(name)
            for index, rule in enumerate(rules if isinstance(rules, list) else ()):
                if not isinstance(rule, str):
                    self._reject(DocumentCode.PERMISSION_RULE, ("permissions", name, index))

    def _look_outside(self, document: dict[str, Any]) -> None:
        permissions = document.get("permissions")
        if isinstance(permissions, dict):
            kept = {
                key: value
                for key, value in permissions.items()
                if key not in FILTERED_RULES or not isinstance(value, list)
            }
            document = {**document, "permissions": kept}
        aliased = {key for key, name in ALIASES.items() if name in self._policy.unscanned_keys}
        path = self._vocabulary.signs.outside(document, self._policy.managed_keys | aliased)
        if path is not None:
            self._reject(RejectionCode.GUARD_OUTSIDE_HOOKS, path)

    # Level 1: the value of `hooks`.

    def read_hooks(self, value: Any) -> dict[str, Any] | None:
        """Read a map of events, and whatever stands in its place; return what loads of it."""
        policy, here = self._policy, self._base
        if not isinstance(value, dict):
            null_depth = NULL_DEPTH if policy.depth_limit is not None else None
            if policy.drops_pieces and isinstance(value, list) and self._vocabulary.signs.in_arrays(value, null_depth):
                self._reject(RejectionCode.HOOKS_IS_MATCHER, here)
            elif policy.drops_containers:
                self._drop(DropCode.HOOKS_NOT_OBJECT, here)
            else:
                self._reject(DropCode.HOOKS_NOT_OBJECT, here)
            return None
        if policy.drops_pieces and self._vocabulary.shape.is_matcher_shaped(value):
            self._reject(RejectionCode.HOOKS_IS_MATCHER, here)
            return None
        return self._read_events(value)

    # Level 2: an event.

    def _read_events(self, value: dict[str, Any]) -> dict[str, Any] | None:
        left = not value
        arrays: dict[str, list[Any]] = {}
        for name, content in value.items():
            if name not in self._vocabulary.events:
                left |= not self._drops_unknown(name, content)
            elif isinstance(content, list):
                arrays[name] = content
            else:
                self._read_misshapen(name, content)
        # A second pass, as upstream: what is wrong with events is told before what is wrong inside them.
        loaded = {name: self._read_matchers(name, content) for name, content in arrays.items()}
        return loaded if loaded or left else None

    def _drops_unknown(self, name: str, content: Any) -> bool:
        """Read an unknown event; returns whether it is taken out of `hooks` (which vanishes when nothing is left)."""
        policy, path = self._policy, (*self._base, name)
        is_array = isinstance(content, list)
        holds_guard = policy.drops_pieces and self._vocabulary.signs.within(content, matchers=not is_array)
        if policy.drops_unknown_events and not holds_guard:
            self._drop(DropCode.UNKNOWN_EVENT, path)
            return True
        if name == PROTO and policy.skips_proto_event and not (holds_guard and is_array):
            self.reading.notices.append(f'hooks["{PROTO}"] is passed over: it neither loads nor rejects')
            return False
        self._reject(RejectionCode.GUARD_UNDER_UNKNOWN_EVENT if holds_guard else DropCode.UNKNOWN_EVENT, path)
        return False

    def _read_misshapen(self, name: str, content: Any) -> None:
        policy, path = self._policy, (*self._base, name)
        if policy.drops_pieces and (
            (name in self._vocabulary.guards and content is not None)
            or self._vocabulary.signs.within(content, matchers=False)
        ):
            self._reject(RejectionCode.GUARD_EVENT_NOT_ARRAY, path)
        elif policy.drops_containers:
            self._drop(DropCode.EVENT_NOT_ARRAY, path)
        else:
            self._reject(DropCode.EVENT_NOT_ARRAY, path)

    # Level 3: a matcher.

    def _read_matchers(self, event: str, elements: list[Any]) -> list[Any]:
        guard = event in self._vocabulary.guards
        read = (
            self._read_matcher(element, (*self._base, event, at), guard=guard) for at, element in enumerate(elements)
        )
        return [matcher for matcher in read if matcher is not _BAD]

    def _read_matcher(self, element: Any, path: ConfigPath, *, guard: bool) -> Any:
        if self._policy.drops_pieces and self._vocabulary.signs.within(element, matchers=False):
            self._reject(RejectionCode.GUARD_MATCHER_INVALID, path)
            return _BAD
        codes = (DropCode.MATCHER_INVALID, RejectionCode.GUARD_MATCHER_INVALID)
        if not isinstance(element, dict):
            return self._bad(codes, path, guard=guard)
        if not isinstance(element.get("hooks"), list):
            return self._bad(codes, path, ("hooks",), guard=guard)
        if "matcher" in element and not isinstance(element["matcher"], str):
            return self._bad(codes, path, ("matcher",), guard=guard)
        entries = (
            self._read_entry(entry, (*path, "hooks", at), guard=guard) for at, entry in enumerate(element["hooks"])
        )
        loaded = {"matcher": element["matcher"]} if "matcher" in element else {}
        return {**loaded, "hooks": [entry for entry in entries if entry is not _BAD]}

    # Level 4: an entry.

    def _read_entry(self, entry: Any, path: ConfigPath, *, guard: bool) -> Any:
        codes = (DropCode.ENTRY_INVALID, RejectionCode.GUARD_ENTRY_INVALID)
        if not isinstance(entry, dict):
            return self._bad(codes, path, guard=guard)
        entry_type = entry.get("type")
        if not isinstance(entry_type, str) or entry_type not in self._vocabulary.fields:
            return self._bad(codes, (*path, "type"), ("type",), guard=guard)
        fields = self._vocabulary.fields[entry_type]
        wrong = tuple(
            one.name for one in fields if (not one.accepts(entry[one.name]) if one.name in entry else one.required)
        )
        if wrong:
            return self._bad(codes, path, wrong, guard=guard)
        return {"type": entry_type, **{one.name: one.load(entry[one.name]) for one in fields if one.name in entry}}

    def _bad(
        self,
        codes: tuple[DropCode, RejectionCode],
        path: ConfigPath,
        fields: tuple[str, ...] = (),
        *,
        guard: bool,
    ) -> Any:
        dropped, guarded = codes
        if not self._policy.drops_pieces:
            self._reject(dropped, path, fields)
        elif guard:
            self._reject(guarded, path, fields)
        else:
            self._drop(dropped, path, fields)
        return _BAD
