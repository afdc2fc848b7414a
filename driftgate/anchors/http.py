"""HTTP: the one place where driftgate talks to the network.

Credentials are matched to each address anew and are not carried across a redirect to another host. Messages never
show a user, a password, a token or a query.
"""

from __future__ import annotations

import contextlib
import ssl
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, TypeVar
from urllib.parse import urljoin

import certifi
import requests  # noqa: TID251 -- this is the module that the ban names
from requests.adapters import HTTPAdapter  # noqa: TID251
from urllib3 import disable_warnings
from urllib3.exceptions import HTTPError, InsecureRequestWarning

from driftgate import __version__
from driftgate.anchors.address import host_of, is_web, same_origin, shown, without_userinfo
from driftgate.anchors.answers import TransientError, judge
from driftgate.anchors.exchange import BLOCK, Exchange, TooSlowError
from driftgate.anchors.npmrc import Credential, NpmConfig
from driftgate.anchors.options import FetchOptions
from driftgate.anchors.progress import tell
from driftgate.anchors.transport import Proxy, proxy_for, trust_of
from driftgate.anchors.unavailable import UnreachableError
from driftgate.errors import AnchorError
from driftgate.formats.data import parse_data

_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_MOST_REDIRECTS: Final = 5
_FIRST_WAIT: Final = 0.5
_LONGEST_ANSWER: Final = 32 << 20
_GZIP_OR_ZLIB: Final = 47
"""The `wbits` that stand for either header."""

_DEFLATED: Final = 8
"""The method that a header of zlib begins with."""

T = TypeVar("T")


class Client:
    """Fetches, with retries, within the limits of `options`, as npm's `config` says.

    A host that could not be reached is not tried again.
    """

    def __init__(self, options: FetchOptions, config: NpmConfig) -> None:
        self._options = options
        self._config = config
        self._dead: dict[str, UnreachableError] = {}

    @cached_property
    def _session(self) -> requests.Session:
        session = _Session()
        session.headers["User-Agent"] = f"driftgate/{__version__}"
        # What the environment says of proxies, certificates and ~/.netrc is read in one place, as npm reads it.
        session.trust_env = False
        trust = trust_of(self._config, self._options.environ)
        if not trust.verify:
            tell(self._options, f"certificates are not verified ({trust.source})")
            disable_warnings(InsecureRequestWarning)  # which says the same for every request
        adapter = _Adapter(trust.context(certifi.where()))
        session.mount("https://", adapter)
        session.mount("http://", adapter)
        return session

    def json(self, url: str, accept: str = "application/json") -> Any:
        """Return the JSON value at `url`.

        Raises MissingError (404), RefusedError (401, 403), UnreachableError, or AnchorError for any other answer.
        """

        def read(body: Iterator[bytes], response: requests.Response) -> Any:
            text = bytearray()
            for chunk in _decoded(body, response.headers.get("Content-Encoding", ""), shown(url)):
                text += chunk
                if len(text) > _LONGEST_ANSWER:
                    raise AnchorError(f"the answer is longer than {_LONGEST_ANSWER >> 20} MiB", where=shown(url))
            try:
                return parse_data(bytes(text))
            except ValueError as problem:
                raise AnchorError(
                    "the registry's answer is not JSON",
                    where=shown(url),
                    found=f"{len(text)} bytes of {_type_of(response)}: {problem}",
                    next="check that the configured registry is one, and that no login page stands before it",
                ) from problem

        return self._fetch(url, {"Accept": accept, "Accept-Encoding": "gzip, deflate"}, read)

    def download(self, url: str, receive: Callable[[Iterator[bytes], int | None], T]) -> T:
        """Hand the bytes at `url`, and their number where it is stated, to `receive`, and return what it returns.

        A transfer that breaks off is begun again, with a new call of `receive`. Raises as `json` does.
        """

        def read(body: Iterator[bytes], response: requests.Response) -> T:
            # A tarball that is labelled as gzip-encoded is taken as it is: its digest is that of the packed bytes.
            length = response.headers.get("Content-Length", "")
            return receive(body, int(length) if length.isascii() and length.isdigit() and len(length) < 16 else None)

        return self._fetch(url, {"Accept": "*/*", "Accept-Encoding": "identity"}, read)

    def _fetch(self, url: str, headers: dict[str, str], read: Callable[[Iterator[bytes], requests.Response], T]) -> T:
        host = host_of(url)
        if host in self._dead:
            raise self._dead[host]
        options = self._options
        for attempt in range(1, options.attempts + 1):
            try:
                response, exchange = self._open(url, headers)
                with contextlib.ExitStack() as stack:
                    stack.callback(exchange.give_up)
                    return read(self._body(exchange, shown(url)), response)
            except TransientError as problem:
                last, reason = problem, problem.reason
            wait = _FIRST_WAIT * 2 ** (attempt - 1) if last.wait is None else last.wait
            if last.lasting:
                break
            if wait > options.longest_wait:
                reason += f", and asks to wait {wait:.0f} s"
                break
            if attempt < options.attempts:
                tell(options, f"{host}: {reason}; trying again in {wait:.1f} s ({attempt + 1} of {options.attempts})")
                options.pause(wait, f"waiting for {host}: {reason}")
        error = UnreachableError(
            f"could not check: {host}: {reason}",
            where=shown(url),
            found=f"the same after {attempt} attempts" if attempt > 1 else "",
            next="check the network and the registry's address; --offline uses what the cache holds",
        )
        if not last.answered:
            self._dead[host] = error
        raise error

    def _open(self, url: str, headers: dict[str, str]) -> tuple[requests.Response, Exchange[requests.Response]]:
        """Return the answer at the end of the redirects, if it is a good one, and the exchange that brings its body."""
        start, url = url, without_userinfo(url)
        credential = self._credential(url)
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                response, exchange = self._send(url, headers, credential)
            except TransientError as problem:
                if host_of(url) != host_of(start):
                    problem.reason += f" (at {host_of(url)}, where it was redirected to)"
                raise
            target = response.headers.get("Location")
            if response.status_code not in _REDIRECTS or not target:
                try:
                    judge(response.status_code, response.headers, url, start, credential)
                except BaseException:
                    exchange.give_up()
                    raise
                return response, exchange
            exchange.give_up()
            target = _redirected(url, target)
            # What was sent to one host is never sent to another, nor what another host is owed on its word.
            credential = self._credential(target) if same_origin(url, target) and same_origin(start, target) else None
            url = target
        raise AnchorError(f"more than {_MOST_REDIRECTS} redirects", where=shown(start))

    def _credential(self, url: str) -> Credential | None:
        return self._config.credential(url)

    def _send(
        self, url: str, headers: dict[str, str], credential: Credential | None
    ) -> tuple[requests.Response, Exchange[requests.Response]]:
        options = self._options
        options.in_time(f"asking {host_of(url)}")
        proxy = proxy_for(url, self._config, options.environ)
        session = self._session
        sent = dict(headers)
        if credential and credential.header:
            sent["Authorization"] = credential.header

        def ask() -> requests.Response:
            return session.get(
                url,
                headers=sent,
                proxies={"http": proxy.address, "https": proxy.address} if proxy else {},
                timeout=(options.connect_timeout, options.read_timeout),
                stream=True,
                allow_redirects=False,
            )

        exchange = Exchange(ask, _blocks, options.patience)
        try:
            return exchange.head(), exchange
        except TooSlowError as problem:
            exchange.give_up()
            options.in_time(f"asking {host_of(url)}")
            raise TransientError(f"no answer in time ({options.read_timeout:g} s)") from problem
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError) as problem:
            raise AnchorError("not an address that can be asked", where=shown(url)) from problem
        except (requests.RequestException, HTTPError, OSError, ValueError) as problem:
            distrusted = any(isinstance(each, ssl.SSLCertVerificationError) for each in _causes(problem))
            raise TransientError(_reason(problem, proxy), lasting=distrusted) from problem

    def _body(self, exchange: Exchange[requests.Response], where: str) -> Iterator[bytes]:
        options = self._options
        done = 0
        try:
            for block in exchange.body():
                done += len(block)
                options.received(len(block))
                options.in_time(f"receiving {where}, {done / 1e6:.1f} MB so far")
                yield block
        except TooSlowError as problem:
            options.in_time(f"receiving {where}, {done / 1e6:.1f} MB so far")
            raise TransientError(
                f"too slow: less than {BLOCK >> 10} KiB came within {options.read_timeout:g} s"
            ) from problem
        except (requests.RequestException, HTTPError, OSError) as problem:
            raise TransientError(_reason(problem, None)) from problem


class _Session(requests.Session):
    """A session that leaves redirects alone; requests looks at where they lead even if it is not to follow them."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002
        return None


class _Adapter(HTTPAdapter):
    """Connections that trust what a context trusts, and nothing besides."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context = context
        super().__init__()

    def init_poolmanager(self, *args: Any, **more: Any) -> None:
        super().init_poolmanager(*args, **more, ssl_context=self._context)

    def proxy_manager_for(self, proxy: Any, **more: Any) -> Any:
        return super().proxy_manager_for(proxy, **more, ssl_context=self._context)

    def cert_verify(self, conn: Any, *_: Any) -> None:
        # Else requests would add the certificates that it brings along.
        conn.cert_reqs = self._context.verify_mode.name


def _redirected(url: str, target: str) -> str:
    """Return the address that a redirect leads to. Raises AnchorError for none, and for one that is less safe."""
    try:
        target = without_userinfo(urljoin(url, target))
    except ValueError:
        raise AnchorError("a redirect leads to what is no address", where=shown(url)) from None
    if not is_web(target) or (url.startswith("https:") and not target.startswith("https:")):
        raise AnchorError("a redirect leads from https to something less", where=shown(url), found=shown(target))
    return target


def _blocks(response: requests.Response) -> Iterator[bytes]:
    """Yield the bytes of a body as they come, none decoded. Raises the errors of urllib3."""
    while block := response.raw.read(BLOCK, decode_content=False):
        yield block


def _decoded(body: Iterator[bytes], encoding: str, where: str) -> Iterator[bytes]:
    """Yield a body as its encoding says, in pieces of bounded size. Raises AnchorError."""
    if encoding.strip().lower() in ("", "identity"):
        yield from body
        return
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        raise AnchorError(f"the answer is encoded as {encoding[:40]!r}, which was not asked for", where=where)
    inflater: Any = None
    try:
        for block in body:
            if inflater is None:
                # "deflate" should have a header, and of some servers has none.
                bare = "deflate" in encoding.lower() and block[0] & 0x0F != _DEFLATED
                inflater = zlib.decompressobj(-15 if bare else _GZIP_OR_ZLIB)
            rest = block
            while rest and not inflater.eof:
                yield inflater.decompress(rest, 1 << 20)
                rest = inflater.unconsumed_tail
    except zlib.error as problem:
        raise AnchorError("the answer's encoding is damaged", where=where, found=str(problem)) from problem
    if inflater is None or not inflater.eof:
        raise TransientError("the transfer broke off")


def _type_of(response: requests.Response) -> str:
    return "".join(filter(str.isprintable, response.headers.get("Content-Type", "unknown type")))[:80]


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


def _reason(problem: BaseException, proxy: Proxy | None) -> str:
    """Return why a connection failed, in a few words. The exceptions' own texts hold whole URLs."""
    causes = list(_causes(problem))
    for each in causes:
        if isinstance(each, ssl.SSLCertVerificationError):
            return (
                f"its certificate cannot be verified ({each.verify_message}; npm's cafile, NODE_EXTRA_CA_CERTS or "
                "SSL_CERT_FILE names those to trust)"
            )
    why = _why(problem, causes)
    if proxy and not isinstance(problem, requests.exceptions.ReadTimeout | requests.exceptions.ChunkedEncodingError):
        return f"{proxy} cannot be reached, or refuses: {why}"
    return why


def _why(problem: BaseException, causes: list[BaseException]) -> str:
    if isinstance(problem, requests.exceptions.ConnectTimeout):
        return "no connection in time"
    if isinstance(problem, requests.exceptions.Timeout) or any(isinstance(each, TimeoutError) for each in causes):
        return "no answer in time"
    names = {type(each).__name__ for each in causes}
    if "IncompleteRead" in names:
        return "the transfer broke off"
    for each in causes:
        if isinstance(each, OSError) and each.strerror:
            return each.strerror
    if names & {"BadStatusLine", "LineTooLong", "InvalidHeader", "InvalidChunkLength", "HTTPException"}:
        return "what it answers is not HTTP"
    return "the connection failed"
