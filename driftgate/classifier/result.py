"""What `classify_hooks_config` answers: the outcome, what loads, and the pieces that do not.

The two sets of codes are closed. A code says which level of the document a piece belongs to and nothing about its
value: nothing here holds a value of the document except `HooksClassification.hooks`, which no `repr` shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Generic, Self, TypeAlias, TypeVar, cast

from driftgate.classifier.contract import HooksConfigDict
from driftgate.classifier.outgoing import ConfigPath, render_path
from driftgate.classifier.plain import same_value


class HooksOutcome(StrEnum):
    """What becomes of a document's hooks: all load, some load, or nothing in the document applies."""

    LOADED = "loaded"
    LOADED_PARTIAL = "loaded-partial"
    REJECTED = "rejected"


class DropCode(StrEnum):
    """Why a piece was dropped while the rest loads."""

    HOOKS_NOT_OBJECT = "hooks-not-object"
    UNKNOWN_EVENT = "unknown-event"
    EVENT_NOT_ARRAY = "event-not-array"
    MATCHER_INVALID = "matcher-invalid"
    ENTRY_INVALID = "entry-invalid"


class RejectionCode(StrEnum):
    """Why a piece rejects the whole document: a guard may stand in it."""

    GUARD_OUTSIDE_HOOKS = "guard-outside-hooks"
    HOOKS_IS_MATCHER = "hooks-is-matcher"
    GUARD_UNDER_UNKNOWN_EVENT = "guard-under-unknown-event"
    GUARD_EVENT_NOT_ARRAY = "guard-event-not-array"
    GUARD_MATCHER_INVALID = "guard-matcher-invalid"
    GUARD_ENTRY_INVALID = "guard-entry-invalid"


CODE_MEANINGS: Final[Mapping[DropCode | RejectionCode, str]] = MappingProxyType(
    {
        DropCode.HOOKS_NOT_OBJECT: "`hooks` is not an object keyed by event name, so all of it is left out",
        DropCode.UNKNOWN_EVENT: "the name is not a hook event, so what stands under it never runs",
        DropCode.EVENT_NOT_ARRAY: "the value of an event is not a list of matchers",
        DropCode.MATCHER_INVALID: "a matcher is not an object with a list of `hooks` and, if any, a string `matcher`",
        DropCode.ENTRY_INVALID: "a hook is not an object of a known `type` whose fields are of the right kind",
        RejectionCode.GUARD_OUTSIDE_HOOKS: "what looks like a guard's hooks stands outside `hooks`",
        RejectionCode.HOOKS_IS_MATCHER: "`hooks` is a list, a single matcher or a single hook, not an object of events",
        RejectionCode.GUARD_UNDER_UNKNOWN_EVENT: "what looks like a guard's hooks stands under an unknown event name",
        RejectionCode.GUARD_EVENT_NOT_ARRAY: "an event's value is not a list of matchers, and may hold a guard's hooks",
        RejectionCode.GUARD_MATCHER_INVALID: "a matcher of a guard event is wrong, or a matcher holds misplaced hooks",
        RejectionCode.GUARD_ENTRY_INVALID: "a hook of a guard event is wrong, or a hook holds misplaced hooks",
    }
)
"""Every code and what it means, in one line."""

Trail: TypeAlias = tuple[Any, str | int] | None
"""A path as a chain (trail of the parent, own segment); None is the document.

Signs at every level of a deep document would need paths of quadratic size; chains share what they have in common.
"""

_Code = TypeVar("_Code", DropCode, RejectionCode)


def _unroll(trail: Trail) -> ConfigPath:
    segments: list[str | int] = []
    while trail is not None:
        trail, segment = trail
        segments.append(segment)
    return tuple(reversed(segments))


@dataclass(frozen=True, init=False, repr=False, eq=False)
class _Piece(Generic[_Code]):
    """A piece of a document that does not load. Frozen; equal when class, code, path and field are equal."""

    __slots__ = ("_place", "_trail", "code", "field")

    code: _Code
    field: str | None
    _place: ConfigPath
    _trail: Trail

    def __init__(self, code: _Code, path: ConfigPath = (), field: str | None = None, *, trail: Trail = None) -> None:
        """State a piece at `path`, or at the end of `trail`, which is unrolled when its path is asked for."""
        for name, value in (("code", code), ("field", field), ("_place", path), ("_trail", trail)):
            object.__setattr__(self, name, value)

    @property
    def path(self) -> ConfigPath:
        """The keys and indices that lead to the piece, as written: user text, so see `outgoing_path`."""
        return self._place if self._trail is None else _unroll(self._trail)

    def within(self, depth: int) -> Self:
        """Return the same piece as seen from the value at the first `depth` segments of its path."""
        return type(self)(self.code, self.path[depth:], self.field)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Piece) or type(other) is not type(self):
            return NotImplemented
        return (self.code, self.field, self.path) == (other.code, other.field, other.path)

    def __hash__(self) -> int:
        return hash((self.code, self.field, self.path))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.path, self.field)

    def __repr__(self) -> str:
        field = f", {self.field}" if self.field is not None else ""
        return f"<{type(self).__name__} {self.code.value} at {render_path(self.path)}{field}>"


class DroppedPiece(_Piece[DropCode]):
    """A dropped piece: its `code`, its `path` and, for a matcher or an entry, the `field` that is wrong, else None."""

    __slots__ = ()


class Rejection(_Piece[RejectionCode]):
    """A reason for rejection: its `code`, its `path` and, for a matcher or an entry, the wrong `field`, else None."""

    __slots__ = ()


Piece: TypeAlias = DroppedPiece | Rejection


@dataclass(frozen=True, eq=False, repr=False)
class HooksClassification:
    """What becomes of one settings document's hooks.

    `hooks` is what loads: a new value that shares no list or dict with the document, so that changing either leaves
    the other alone. It is None when the document has no `hooks`, when `hooks` itself was dropped, and always when the
    document is rejected. `pieces` are the dropped pieces, or the rejections, in the order of the document: never both,
    since nothing is dropped from a document of which nothing applies. All else follows from them.

    Two results compare without recursion, however deep `hooks` is (a plain `==` of two deep `hooks` would not). `repr`
    shows codes and shortened coordinates, and no value of the document.
    """

    # Not by `slots=True`: in the class that it makes anew, setting a name that is no field is a TypeError.
    __slots__ = ("hooks", "pieces")

    hooks: HooksConfigDict | None
    pieces: tuple[DroppedPiece, ...] | tuple[Rejection, ...]

    @property
    def outcome(self) -> HooksOutcome:
        """`loaded` if and only if no piece is bad, `rejected` if and only if there is a rejection."""
        if not self.pieces:
            return HooksOutcome.LOADED
        return HooksOutcome.REJECTED if self.rejections else HooksOutcome.LOADED_PARTIAL

    @property
    def dropped(self) -> tuple[DroppedPiece, ...]:
        """The pieces that do not load while the rest does, in the order of the document."""
        return tuple(piece for piece in self.pieces if isinstance(piece, DroppedPiece))

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """The reasons why nothing in the document applies, in its order."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Rejection))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HooksClassification):
            return NotImplemented
        return self.pieces == other.pieces and same_value(self.hooks, other.hooks)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.hooks, self.pieces)

    def __repr__(self) -> str:
        return f"<HooksClassification {self.outcome.value}: {list(self.pieces)!r}>"


class _Open:
    """A classification before it is frozen, with the same slots."""

    __slots__ = HooksClassification.__slots__

    def __init__(self, hooks: HooksConfigDict | None, pieces: Any) -> None:
        self.hooks = hooks
        self.pieces = pieces


def classification(
    hooks: HooksConfigDict | None, pieces: tuple[DroppedPiece, ...] | tuple[Rejection, ...] = ()
) -> HooksClassification:
    """Return `HooksClassification(hooks, pieces)`, made in a third of the time that a frozen dataclass takes.

    For a small document the difference is a tenth of the whole.
    """
    made: Any = _Open(hooks, pieces)
    made.__class__ = HooksClassification
    return cast("HooksClassification", made)
