"""How an address is reached: through which proxy, and whose certificates are trusted.

As npm's configuration has it (`proxy`, `https-proxy`, `noproxy`, `cafile`, `ca`, `strict-ssl`; the manual page is
`config`(7)), else as the environment has it for npm (`NODE_EXTRA_CA_CERTS`), for Python's HTTP clients
(`REQUESTS_CA_BUNDLE`, `CURL_CA_BUNDLE`), for OpenSSL (`SSL_CERT_FILE`, `SSL_CERT_DIR`), and for everybody
(`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`).
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from driftgate.anchors.address import host_of, is_web
from driftgate.anchors.npmrc import NpmConfig
from driftgate.errors import ConfigError
from driftgate.formats.files import read_regular

_BUNDLES: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Each names certificates to trust in place of the usual ones; the first that is set is taken."""

_OFF: Final = frozenset(("false", "0", "no", "off"))
_UNSET: Final = frozenset(("", "null", "undefined", "false"))


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy's address, with the user and password that it may carry, and the setting that names it."""

    address: str
    source: str

    def __str__(self) -> str:
        return f"the proxy {host_of(self.address)} ({self.source})"


def proxy_for(url: str, config: NpmConfig, environ: Mapping[str, str]) -> Proxy | None:
    """Return the proxy for `url`, None for a direct connection. Raises ConfigError for a proxy that is no address."""
    proxy = next(_proxies(urlsplit(url).scheme, config, environ), None)
    if proxy is None or _is_direct(url, config, environ):
        return None
    if not is_web(proxy.address):
        raise ConfigError(
            "the proxy's address is not one",
            where=proxy.source,
            expected="http://host:port",
            next="write it with http:// in front; proxies of other kinds (SOCKS) are not supported",
        )
    return proxy


def _proxies(scheme: str, config: NpmConfig, environ: Mapping[str, str]) -> Iterator[Proxy]:
    # npm uses https-proxy for both schemes where it is set.
    for name in ("https-proxy", "proxy"):
        setting = config.setting(name)
        if setting and setting.value.lower() not in _UNSET:
            yield Proxy(setting.value, f"{name} in {setting.source}")
    for name in (f"{scheme}_proxy", "all_proxy"):
        for spelt in (name, name.upper()):
            if environ.get(spelt):
                yield Proxy(environ[spelt], spelt)


def _is_direct(url: str, config: NpmConfig, environ: Mapping[str, str]) -> bool:
    setting = config.setting("noproxy")
    names = setting.value if setting and setting.value else environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    host = urlsplit(url).hostname or ""
    return any(_covers(name, host, host_of(url)) for name in names.lower().replace(",", " ").split())


def _covers(name: str, host: str, with_port: str) -> bool:
    bare = name.removeprefix("*").removeprefix(".")
    return name == "*" or (bool(bare) and (bare in (host, with_port) or host.endswith(f".{bare}")))


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose certificates are trusted: `places` (files or folders) and `texts` (PEM), and the usual ones if `usual`.

    Not `verify`: anybody's. `source` says which setting has it so.
    """

    source: str
    verify: bool = True
    usual: bool = True
    places: tuple[Path, ...] = ()
    texts: tuple[str, ...] = ()

    def context(self, usual: str) -> ssl.SSLContext:
        """Return a context that trusts so; `usual` is a file of the certificates that everybody trusts.

        Raises ConfigError for certificates that cannot be read.
        """
        context = ssl.create_default_context() if self.usual else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if not self.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return context
        if self.usual:
            context.load_verify_locations(usual)
        for place in self.places:
            try:
                if place.is_dir():
                    context.load_verify_locations(capath=str(place))
                else:
                    read_regular(place)  # says what is wrong with the file; OpenSSL does not
                    context.load_verify_locations(str(place))
            except (OSError, ssl.SSLError) as problem:
                raise self._unreadable(str(place), problem) from problem
        for text in self.texts:
            try:
                context.load_verify_locations(cadata=text)
            except (ssl.SSLError, ValueError, TypeError) as problem:
                raise self._unreadable("ca", problem) from problem
        return context

    def _unreadable(self, where: str, problem: Exception) -> ConfigError:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        return ConfigError(
            "the certificates to trust cannot be read",
            where=f"{where} (named by {self.source})",
            expected="certificates in PEM form",
            found=reason,
        )


def trust_of(config: NpmConfig, environ: Mapping[str, str]) -> Trust:
    """Return whose certificates are to be trusted."""
    strict = config.setting("strict-ssl")
    if strict and strict.value.lower() in _OFF:
        return Trust(f"strict-ssl in {strict.source}", verify=False)
    if (setting := config.setting("cafile")) and setting.value.lower() not in _UNSET:
        return Trust(f"cafile in {setting.source}", usual=False, places=(Path(setting.value).expanduser(),))
    if (setting := config.setting("ca")) and setting.value.lower() not in _UNSET:
        return Trust(f"ca in {setting.source}", usual=False, texts=(setting.value.replace("\\n", "\n"),))
    more = tuple(Path(place) for name in ("NODE_EXTRA_CA_CERTS",) if (place := environ.get(name)))
    for name in _BUNDLES:
        if place := environ.get(name):
            return Trust(name, usual=False, places=(Path(place), *more))
    return Trust("NODE_EXTRA_CA_CERTS" if more else "the certificates of this system", places=more)
