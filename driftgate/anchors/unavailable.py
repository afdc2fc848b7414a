"""The ways in which an artefact cannot be had, where the search goes on differently for each."""

from __future__ import annotations

from driftgate.errors import AnchorError


class UnreachableError(AnchorError):
    """The registry gave no answer that says anything about the artefact (no connection, 429, 5xx)."""


class RefusedError(AnchorError):
    """The registry wants a credential, or another one (401, 403)."""


class MissingError(AnchorError):
    """The registry answered 404. `host` is who said so."""

    def __init__(self, what: str, *, host: str, found: str = "", next: str = "") -> None:  # noqa: A002
        self.host = host
        super().__init__(what, found=found, next=next)


class NotCachedError(AnchorError):
    """Offline, and no verified copy is there."""


class DamagedError(AnchorError):
    """A copy in the cache was not what it was when it was kept. It has been thrown away; another try fetches it."""


class OutOfTimeError(AnchorError):
    """The time that everything together may take is over."""
