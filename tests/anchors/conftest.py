"""A package registry on this machine, with small packages that the tests make up."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from driftgate.anchors import FetchOptions
from driftgate.anchors.integrity import sri

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def tar(files: Mapping[str, bytes], *, form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar archive of `files`."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return raw.getvalue()


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return a tarball of `files`, which are named below package/, as npm packs it."""
    return gzip.compress(tar({f"package/{name}": content for name, content in files.items()}), mtime=0)


def sha512(data: bytes) -> str:
    """Return the integrity of `data`."""
    return sri("sha512", hashlib.sha512(data).digest())


@dataclass
class Answer:
    """What the registry says to one request. `length` overrides Content-Length."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    token: str | None = None


@dataclass
class Asked:
    """One request that came."""

    host: str
    path: str
    authorization: str | None


class Registry:
    """Answers from a table: path -> answers in turn, the last one for ever. Anything else is 404."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[Asked] = []
        self.tarballs: dict[str, bytes] = {}
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                registry._answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.other = f"http://localhost:{self.port}/"
        self.host = f"127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Be gone."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = unquote(request.path)
        authorization = request.headers.get("Authorization")
        self.asked.append(Asked(str(request.headers.get("Host")), path, authorization))
        answers = self.answers.get(path, [Answer(404)])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer.token and authorization != answer.token:
            answer = Answer(401)
        request.send_response(answer.status)
        for name, value in answer.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(answer.body) if answer.length is None else answer.length))
        request.end_headers()
        request.wfile.write(answer.body)

    def set(self, path: str, *answers: Answer) -> None:
        """Answer requests for `path` with `answers`."""
        self.answers[path] = list(answers)

    def publish(
        self, package: str, version: str, files: Mapping[str, bytes] | None = None, **changes: Any
    ) -> dict[str, Any]:
        """Publish a package version; `manifest` goes into its package.json, other changes into its dist."""
        manifest = {"name": package, "version": version, **changes.pop("manifest", {})}
        body = pack({"package.json": json.dumps(manifest).encode(), **(files or {})})
        name = package.rpartition("/")[2]
        path = f"/{package}/-/{name}-{version}.tgz"
        dist = {"integrity": sha512(body), "tarball": self.url.rstrip("/") + path, **changes}
        described = {**manifest, "dist": {key: value for key, value in dist.items() if value is not None}}
        self.tarballs[f"{package}@{version}"] = body
        self.set(path, Answer(body=body))
        self.describe(package, version, described)
        return described

    def describe(self, package: str, version: str, described: Mapping[str, Any], *, latest: bool = True) -> None:
        """Say `described` of a package version, also as the newest one."""
        body = json.dumps(described).encode()
        self.set(f"/{package}/{version}", Answer(body=body))
        if latest:
            self.set(f"/{package}/latest", Answer(body=body))

    def paths(self) -> list[str]:
        """Return the paths that were asked for."""
        return [asked.path for asked in self.asked]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def registry() -> Iterator[Registry]:
    served = Registry()
    yield served
    served.close()


@pytest.fixture
def waits() -> list[float]:
    """The waits between attempts, which do not take place."""
    return []


@pytest.fixture
def make_options(tmp_path: Path, waits: list[float]) -> Callable[..., FetchOptions]:
    """Make options for a machine without npm, whose home, project and cache are empty folders."""

    def make(**changes: Any) -> FetchOptions:
        environ = {"HOME": str(tmp_path / "home"), "PATH": "", **changes.pop("environ", {})}
        (tmp_path / "home").mkdir(exist_ok=True)
        (tmp_path / "project").mkdir(exist_ok=True)
        fixed: dict[str, Any] = {
            "cache": tmp_path / "cache",
            "environ": environ,
            "project": tmp_path / "project",
            "sleep": waits.append,
            "connect_timeout": 2.0,
            "read_timeout": 2.0,
        }
        return FetchOptions(**fixed | changes)

    return make


@pytest.fixture
def options(make_options: Callable[..., FetchOptions], registry: Registry) -> FetchOptions:
    """Options for which the registry is configured as npm has it."""
    return make_options(environ={"NPM_CONFIG_REGISTRY": registry.url})


def kept(options: FetchOptions) -> list[str]:
    """Return the files of the cache, in order."""
    root = options.cache_directory
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
