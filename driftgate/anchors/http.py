"""HTTP: the one place where driftgate talks to the network.

Credentials are matched to each address anew and are not carried across a redirect to another host. Messages never
show a user, a password, a token or a query.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import ssl
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any, Final, TypeVar
from urllib.parse import urljoin

import requests  # noqa: TID251 -- this is the module that the ban names
from urllib3.exceptions import HTTPError

from driftgate import __version__
from driftgate.anchors.address import host_of, is_web, same_origin, shown, without_userinfo
from driftgate.anchors.npmrc import Credential
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.stream import BLOCK
from driftgate.anchors.unavailable import MissingError, RefusedError, UnreachableError
from driftgate.errors import AnchorError

_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_MOST_REDIRECTS: Final = 5
_TRANSIENT: Final = frozenset((408, 425, 429))
_FIRST_WAIT: Final = 0.5
_LONGEST_ANSWER: Final = 256 << 20

T = TypeVar("T")


class _TransientError(Exception):
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


class Client:
    """Fetches, with retries. `credential` gives the credential that is configured for an address, if any.

    A host that could not be reached is not tried again.
    """

    def __init__(self, options: FetchOptions, credential: Callable[[str], Credential | None]) -> None:
        self._options = options
        self._credential = credential
        self._dead: dict[str, UnreachableError] = {}
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"driftgate/{__version__}"

    def json(self, url: str, accept: str = "application/json") -> Any:
        """Return the JSON value at `url`.

        Raises MissingError (404), RefusedError (401, 403), UnreachableError, or AnchorError for any other answer.
        """

        def read(response: requests.Response) -> Any:
            body = bytearray()
            for chunk in self._body(response):
                body += chunk
                if len(body) > _LONGEST_ANSWER:
                    raise AnchorError(f"the answer is longer than {_LONGEST_ANSWER >> 20} MiB", where=shown(url))
            try:
                return json.loads(body)
            except ValueError as problem:
                raise AnchorError(
                    "the registry's answer is not JSON",
                    where=shown(url),
                    found=f"{len(body)} bytes of {response.headers.get('Content-Type', 'unknown type')}",
                    next="check that the configured registry is one, and that no login page stands before it",
                ) from problem

        return self._fetch(url, {"Accept": accept}, read)

    def download(self, url: str, receive: Callable[[Iterator[bytes], int | None], T]) -> T:
        """Hand the bytes at `url`, and their number where it is stated, to `receive`, and return what it returns.

        A transfer that breaks off is begun again, with a new call of `receive`. Raises as `json` does.
        """

        def read(response: requests.Response) -> T:
            # A tarball that is labelled as gzip-encoded must reach us as it is: its digest is that of the packed bytes.
            response.raw.headers.pop("Content-Encoding", None)
            length = response.headers.get("Content-Length", "")
            return receive(self._body(response), int(length) if length.isdigit() else None)

        return self._fetch(url, {"Accept": "*/*", "Accept-Encoding": "identity"}, read)

    def _fetch(self, url: str, headers: dict[str, str], read: Callable[[requests.Response], T]) -> T:
        host = host_of(url)
        if host in self._dead:
            raise self._dead[host]
        for attempt in range(1, self._options.attempts + 1):
            try:
                with contextlib.closing(self._open(url, headers)) as response:
                    return read(response)
            except _TransientError as problem:
                last, reason = problem, problem.reason
            wait = _FIRST_WAIT * 2 ** (attempt - 1) if last.wait is None else last.wait
            if last.lasting:
                break
            if wait > self._options.longest_wait:
                reason += f", and asks to wait {wait:.0f} s"
                break
            if attempt < self._options.attempts:
                self._options.sleep(wait)
        error = UnreachableError(
            f"could not check: {host}: {reason}",
            where=shown(url),
            found=f"the same after {attempt} attempts" if attempt > 1 else "",
            next="check the network and the registry's address; --offline uses what the cache holds",
        )
        if not last.answered:
            self._dead[host] = error
        raise error

    def _open(self, url: str, headers: dict[str, str]) -> requests.Response:
        """Return the answer at the end of the redirects, if it is a good one."""
        start, url = url, without_userinfo(url)
        credential = self._credential(url)
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                response = self._send(url, headers, credential)
            except _TransientError as problem:
                if host_of(url) != host_of(start):
                    problem.reason += f" (at {host_of(url)}, where it was redirected to)"
                raise
            target = response.headers.get("Location")
            if response.status_code not in _REDIRECTS or not target:
                _judge(response, url, start, credential)
                return response
            response.close()
            target = without_userinfo(urljoin(url, target))
            if not is_web(target) or (url.startswith("https:") and not target.startswith("https:")):
                raise AnchorError(
                    "a redirect leads from https to something less", where=shown(url), found=shown(target)
                )
            # What was sent to one host is never sent to another, nor what another host is owed on its word.
            credential = self._credential(target) if same_origin(url, target) and same_origin(start, target) else None
            url = target
        raise AnchorError(f"more than {_MOST_REDIRECTS} redirects", where=shown(start))

    def _send(self, url: str, headers: dict[str, str], credential: Credential | None) -> requests.Response:
        def authorize(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # Always given, because without it requests would look into ~/.netrc.
            if credential and credential.header:
                request.headers["Authorization"] = credential.header
            return request

        try:
            return self._session.get(
                url,
                headers=headers,
                auth=authorize,
                timeout=(self._options.connect_timeout, self._options.read_timeout),
                stream=True,
                allow_redirects=False,
            )
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError) as problem:
            raise AnchorError("not an address that can be asked", where=shown(url)) from problem
        except (requests.RequestException, HTTPError, OSError) as problem:
            distrusted = any(isinstance(each, ssl.SSLCertVerificationError) for each in _causes(problem))
            raise _TransientError(_reason(problem), lasting=distrusted) from problem

    def _body(self, response: requests.Response) -> Iterator[bytes]:
        try:
            for block in response.iter_content(BLOCK):
                self._options.received(len(block))
                yield block
        except (requests.RequestException, HTTPError) as problem:
            raise _TransientError(_reason(problem)) from problem


def _status(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def _judge(response: requests.Response, url: str, start: str, credential: Credential | None) -> None:
    """Raise what the status of an answer means, unless it is a good one."""
    code, host = response.status_code, host_of(url)
    if code == HTTPStatus.OK:
        return
    response.close()
    if code in _TRANSIENT or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise _TransientError(_status(code), _retry_after(response.headers.get("Retry-After")), answered=True)
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


def _of_credential(credential: Credential | None) -> str:
    if credential is None:
        return "no credential configured for that host"
    if credential.unset:
        return f"{credential.source} needs the environment variable {credential.unset}, which is not set"
    return f"it does not accept {credential.source}"


def _retry_after(value: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a date."""
    if not value:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _causes(problem: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions inside one of requests: it wraps those of urllib3, and they wrap those of Python."""
    seen: set[int] = set()
    pending: list[object] = [problem]
    while pending:
        each = pending.pop()
        if isinstance(each, BaseException) and id(each) not in seen:
            seen.add(id(each))
            yield each
            pending += [each.__context__, each.__cause__, getattr(each, "reason", None), *each.args]


def _reason(problem: BaseException) -> str:
    """Return why a connection failed, in a few words. The exceptions' own texts hold whole URLs."""
    causes = list(_causes(problem))
    for each in causes:
        if isinstance(each, ssl.SSLCertVerificationError):
            return (
                f"its certificate cannot be verified ({each.verify_message}; REQUESTS_CA_BUNDLE names those to trust)"
            )
    if isinstance(problem, requests.exceptions.ProxyError):
        return "the proxy cannot be reached, or refuses"
    if isinstance(problem, requests.exceptions.ConnectTimeout):
        return "no connection in time"
    if isinstance(problem, requests.exceptions.Timeout) or any(isinstance(each, TimeoutError) for each in causes):
        return "no answer in time"
    if any(type(each).__name__ == "IncompleteRead" for each in causes):
        return "the transfer broke off"
    for each in causes:
        if isinstance(each, OSError) and each.strerror:
            return each.strerror
    return "the connection failed"
