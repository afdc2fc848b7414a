"""What the status and the head of an answer mean: good, wait and try again, missing, refused, or something else."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from driftgate.anchors.address import host_of, shown
from driftgate.anchors.npmrc import Credential
from driftgate.anchors.unavailable import MissingError, RefusedError
from driftgate.errors import AnchorError

_TRANSIENT: Final = frozenset((408, 425, 429))


class TransientError(Exception):
    """No good answer this time.

    `wait` is how many seconds the server asks for, `answered` whether it said anything at all, `lasting` whether
    another try is no use.
    """

    def __init__(
        self, reason: str, wait: float | None = None, *, answered: bool = False, lasting: bool = False
    ) -> None:
        self.reason = reason
        self.wait = wait
        self.answered = answered
        self.lasting = lasting
        super().__init__(reason)


def judge(code: int, headers: Mapping[str, str], url: str, start: str, credential: Credential | None) -> None:
    """Raise what an answer from `url` means, unless it is a good one; `start` is where the redirects began.

    Raises TransientError, MissingError (404, 410), RefusedError (401, 403), or AnchorError for anything else.
    """
    host = host_of(url)
    if code == HTTPStatus.OK:
        return
    limited = _limit(code, headers)
    if limited or code in _TRANSIENT or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise TransientError(_status(code) + limited, _wait(headers, limited=bool(limited)), answered=True)
    if code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        raise MissingError(f"{code} from {host}", host=host)
    came = "" if host == host_of(start) else f" (redirected from {host_of(start)}, whose credential is not sent on)"
    if code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise RefusedError(
            f"{code} from {host}; " + _of_credential(credential),
            where=f"{shown(url)}{came}",
            next=f"write //{host}/:_authToken=${{NPM_TOKEN}} into .npmrc, and set that variable",
        )
    raise AnchorError(f"could not check: {host}: {_status(code)}", where=f"{shown(url)}{came}")


def _status(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def _limit(code: int, headers: Mapping[str, str]) -> str:
    """Return what to say where an answer is about asking too often, which no credential would change."""
    if code not in (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS):
        return ""
    left = next((headers[name] for name in ("X-RateLimit-Remaining", "RateLimit-Remaining") if name in headers), None)
    if left is not None and left.strip() == "0":
        return ", a limit on how often one may ask"
    return ", with a time to wait" if code == HTTPStatus.FORBIDDEN and "Retry-After" in headers else ""


def _wait(headers: Mapping[str, str], *, limited: bool) -> float | None:
    """Return the seconds that an answer asks to wait, by Retry-After or by when its limit is lifted."""
    asked = _retry_after(headers.get("Retry-After"))
    if asked is not None or not limited:
        return asked
    for name in ("X-RateLimit-Reset", "RateLimit-Reset"):
        value = headers.get(name, "").strip()
        if value.isascii() and value.isdigit() and len(value) < _DIGITS:
            seconds = float(value)
            # Some state the time of day (seconds since 1970), others how long it takes.
            return max(0.0, seconds - time.time()) if seconds > _YEAR else seconds
    return None


_DIGITS: Final = 12
_YEAR: Final = 365 * 24 * 3600.0


def _of_credential(credential: Credential | None) -> str:
    if credential is None:
        return "no credential configured for that host"
    if credential.unset:
        return f"{credential.source} needs the environment variable {credential.unset}, which is not set"
    return f"it does not accept {credential.source}"


def _retry_after(value: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a date."""
    value = (value or "").strip()
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:_DIGITS])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
