"""URLs, as far as credentials and messages care about them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

_PORTS: Final = {"http": 80, "https": 443}
_UNPRINTABLE: Final = re.compile(r"[^\x21-\x7e]")
_HOST: Final = re.compile(r"[\w.:\[\]-]+", re.ASCII)


def host_of(url: str) -> str:
    """Return the host of `url`, with the port where one is written; never the user or password before it."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def without_userinfo(url: str) -> str:
    """Return `url` without the user and password that it may carry."""
    return urlunsplit(urlsplit(url)._replace(netloc=host_of(url)))


def shown(url: str) -> str:
    """Return `url` as messages may show it: no user, no password, and no query, which may be a signature.

    Nor anything that a terminal would obey: a registry says where a tarball is.
    """
    return _UNPRINTABLE.sub("?", urlunsplit(urlsplit(url)._replace(netloc=host_of(url), query="", fragment="")))


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)


def same_origin(one: str, other: str) -> bool:
    """Return whether two URLs have the same scheme, host and port. 127.0.0.1 and localhost are two hosts."""
    a, b = urlsplit(one), urlsplit(other)
    return (a.scheme, a.hostname, _port(a)) == (b.scheme, b.hostname, _port(b))


def is_web(url: str) -> bool:
    """Return whether `url` is an http or https URL with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in _PORTS and bool(_HOST.fullmatch(host_of(url))) and _port(parts) is not None
    except ValueError:
        return False


def scopes(url: str) -> list[str]:
    """Return npm's keys for what `url` lies under, nearest first: "//host/a/b/", "//host/a/", "//host/"."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step]
    return [f"//{host_of(url)}/" + "".join(f"{step}/" for step in steps[:count]) for count in range(len(steps), -1, -1)]
