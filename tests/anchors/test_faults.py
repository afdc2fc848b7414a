"""Faults of the network, spoken by a server on this machine: each is an error that says what it is, and in time."""

from __future__ import annotations

import gc
import gzip
import io
import json
import socket
import ssl
import time
import zlib
from dataclasses import replace

import pytest

from driftgate.anchors import find_package, package_metadata
from driftgate.anchors.http import Client
from driftgate.anchors.npmrc import NpmConfig
from driftgate.anchors.unavailable import OutOfTimeError, RefusedError, UnreachableError
from driftgate.errors import AnchorError, ConfigError
from tests.anchors.conftest import Answer, pack, sha512
from tests.anchors.wire import Wire, answer, say

# urllib3 leaves the socket of a head that it cannot parse to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
QUICK = {"attempts": 1, "read_timeout": 0.15, "connect_timeout": 0.3}


@pytest.fixture
def wire():
    made = []

    def make(*scripts):
        server = Wire(*scripts)
        made.append(server)
        return server

    yield make
    for server in made:
        server.close()
    gc.collect()


@pytest.fixture
def client(make_options):
    def make(npmrc="", **changes):
        options = make_options(**{**QUICK, **changes})
        (options.project / ".npmrc").write_text(npmrc)
        return Client(options, NpmConfig(options))

    return make


def served(wire, made):
    """Return a server whose script needs the server itself."""
    server = wire(None)
    server._scripts = [made(server)]
    return server


DRIPS = {
    "from the first byte": lambda server: server.drip(b"HTTP/1.1 200 OK"),
    "in a header": lambda server: server.drip(b"x", head=HEAD + b"X: "),
    "in headers without end": lambda server: server.drip(b"A: b\r\n", head=HEAD),
    "in the body": lambda server: server.drip(b" ", head=HEAD + b"Content-Length: 100000\r\n\r\n"),
    "in a body without a length": lambda server: server.drip(b" ", head=HEAD + b"\r\n"),
    "in chunks": lambda server: server.drip(b"1\r\n \r\n", head=HEAD + b"Transfer-Encoding: chunked\r\n\r\n"),
    "in the size of a chunk": lambda server: server.drip(b"0", head=HEAD + b"Transfer-Encoding: chunked\r\n\r\n"),
    "in an encoded body": lambda server: server.drip(
        b"\0",
        head=HEAD + b"Content-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n\x1f\x8b\x08\x04\0\0\0\0\0\xff\xff\xff",
    ),
    "in interim answers": lambda server: server.drip(b"HTTP/1.1 100 Continue\r\n\r\n"),
}
STALLS = {
    "before the head": lambda server: server.stall(),
    "in the head": lambda server: server.stall(HEAD),
    "before the body": lambda server: server.stall(HEAD + b"Content-Length: 10\r\n\r\n"),
    "in the body": lambda server: server.stall(HEAD + b"Content-Length: 10\r\n\r\n{"),
    "in a body without a length": lambda server: server.stall(HEAD + b"\r\n{"),
    "in a chunk": lambda server: server.stall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"),
}


@pytest.mark.parametrize("made", [*DRIPS.values(), *STALLS.values()], ids=[*DRIPS, *(f"stall {x}" for x in STALLS)])
class TestSlow:
    def test_a_request(self, client, wire, made):
        server = served(wire, made)
        started = time.monotonic()
        with pytest.raises(UnreachableError, match=r"no answer in time|too slow: less than 64 KiB came within 0\.15 s"):
            client().json(server.url + "x")
        assert time.monotonic() - started < 2

    def test_a_download(self, client, wire, made):
        server = served(wire, made)
        with pytest.raises(UnreachableError, match=r"no answer in time|too slow: less than 64 KiB came within 0\.15 s"):
            client().download(server.url + "x", lambda body, _: b"".join(body))

    def test_everything_together(self, client, wire, made):
        """Of many attempts, each in its own time, the time of all ends the last."""
        server = served(wire, made)
        started = time.monotonic()
        with pytest.raises(OutOfTimeError) as caught:
            client(attempts=99, timeout=0.4, sleep=time.sleep, longest_wait=9.0).json(server.url + "x")
        assert time.monotonic() - started < 2
        assert "not finished within 0.4 s" in str(caught.value)
        assert server.host in str(caught.value) or "receiving" in str(caught.value)
        assert "--timeout" in str(caught.value)


def test_a_name_whose_look_up_stalls(client, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    started = time.monotonic()
    with pytest.raises(UnreachableError, match="no answer in time"):
        client().json("http://127.0.0.1:9/x")
    assert time.monotonic() - started < 2


def test_a_download_that_drips_is_bounded_by_the_time_of_all(make_options, wire, registry):
    """Fast enough for each piece, too slow for the whole: says how far it came."""
    described = registry.publish("x", "1.0.0")
    block = bytes(1 << 16)

    def script(connection, _):
        connection.sendall(answer(Content_Length=str(1 << 24)))
        for _ in range(200):
            connection.sendall(block)
            time.sleep(0.02)

    server = wire(script)
    registry.describe("x", "1.0.0", {**described, "dist": {**described["dist"], "tarball": server.url + "x.tgz"}})
    options = make_options(environ={"NPM_CONFIG_REGISTRY": registry.url}, timeout=0.5, read_timeout=0.3)
    with pytest.raises(OutOfTimeError, match=r"receiving http://.*/x\.tgz, [0-9.]+ MB so far"):
        find_package("x", "1.0.0", options)
    assert not [path for path in options.cache_directory.rglob("*") if path.is_file()]


def test_a_wait_beyond_the_time_of_all_is_not_begun(client, wire, waits):
    server = wire(say(answer(status="503 Busy", Retry_After="20")))
    with pytest.raises(OutOfTimeError, match=r"waiting for .*503"):
        client(attempts=4, timeout=10.0).json(server.url + "x")
    assert 9 < sum(waits) <= 10


def test_further_attempts_are_told(client, wire):
    stream = io.StringIO()
    server = wire(say(answer(status="503 Busy")), say(answer(b"{}")))
    assert client(attempts=3, progress=stream).json(server.url + "x") == {}
    assert stream.getvalue() == f"{server.host}: 503 Service Unavailable; trying again in 0.5 s (2 of 3)\n"


BROKEN = {
    "nothing": (b"", "the connection failed|what it answers is not HTTP|reset|closed"),
    "not HTTP": (b"SSH-2.0-OpenSSH_9.6\r\n", "what it answers is not HTTP"),
    "a status that is none": (b"HTTP/1.1 abc\r\n\r\n", "not HTTP"),
    "a status of many digits": (b"HTTP/1.1 99999 X\r\n\r\n", "not HTTP"),
    "a head without end": (HEAD, "not HTTP|broke off|connection failed|not JSON"),
    "a header line of a megabyte": (HEAD + b"X: " + b"x" * (1 << 20) + b"\r\n\r\n", "not HTTP|connection failed"),
    "a thousand headers": (HEAD + b"X: y\r\n" * 1000 + b"\r\n", "not HTTP|connection failed"),
    "a body that ends early": (answer(b"{", Content_Length="5"), "the transfer broke off"),
    "a length below nothing": (answer(b"{}", Content_Length="-5"), None),
    "a length that is none": (answer(b"{}", Content_Length="many"), None),
    "two lengths": (answer(b"{}", Content_Length="2, 3"), "connection failed|not HTTP|broke off|lengths"),
    "a length of many digits": (answer(b"{}", Content_Length="9" * 400), "broke off"),
    "a chunk that is none": (answer(b"zz\r\n{}", Content_Length="", Transfer_Encoding="chunked"), "broke off|not HTTP"),
    "a chunk that ends early": (answer(b"9\r\n{}", Content_Length="", Transfer_Encoding="chunked"), "broke off"),
    "a chunk below nothing": (
        answer(b"-1\r\n{}", Content_Length="", Transfer_Encoding="chunked"),
        "broke off|not HTTP",
    ),
    "an encoding that breaks off": (answer(gzip.compress(b"{}")[:-9], Content_Encoding="gzip"), "broke off"),
    "no body for an encoding": (answer(b"", Content_Encoding="gzip"), "broke off"),
}


@pytest.mark.parametrize(("said", "expected"), BROKEN.values(), ids=BROKEN)
def test_an_answer_that_is_broken(client, wire, said, expected):
    server = wire(say(said))
    made = client(read_timeout=2.0)
    if expected is None:
        assert made.json(server.url + "x") == {}
        return
    with pytest.raises(AnchorError, match=expected):
        made.json(server.url + "x")


BOMB = gzip.compress(bytes(40 << 20), 9)
ENCODED = {
    "gzip": (answer(gzip.compress(b"{}"), Content_Encoding="gzip"), None),
    "x-gzip": (answer(gzip.compress(b"{}"), Content_Encoding="X-GZIP"), None),
    "deflate": (answer(zlib.compress(b"{}"), Content_Encoding="deflate"), None),
    "deflate without a header": (answer(zlib.compress(b"{}")[2:-4], Content_Encoding="deflate"), None),
    "identity": (answer(b"{}", Content_Encoding="identity"), None),
    "another": (answer(b"{}", Content_Encoding="br"), "encoded as 'br', which was not asked for"),
    "two": (answer(b"{}", Content_Encoding="gzip, gzip"), "which was not asked for"),
    "not what it says": (answer(b"{}", Content_Encoding="gzip"), "encoding is damaged"),
    "a bomb": (answer(BOMB, Content_Encoding="gzip"), "longer than 32 MiB"),
}


@pytest.mark.parametrize(("said", "expected"), ENCODED.values(), ids=ENCODED)
def test_encodings(client, wire, said, expected):
    server = wire(say(said))
    made = client(read_timeout=5.0)
    if expected is None:
        assert made.json(server.url + "x") == {}
        return
    with pytest.raises(AnchorError, match=expected):
        made.json(server.url + "x")


HUGE = [
    (b"[" * 1_000_000, "nested too deep"),
    (b"[" + b"[]," * 1_600_000 + b"[]]", "more than 3000000 values"),
    (b'"' + b"x" * (33 << 20) + b'"', "longer than 32 MiB"),
    (b"9" * 10_000, "is not JSON"),
    (b"\xff\xfe{\0}\0", None),
    (b"", "is not JSON"),
    (b"<html>", "is not JSON"),
    (b'{"a": NaN}', None),
]


@pytest.mark.parametrize(("body", "expected"), HUGE, ids=range(len(HUGE)))
def test_answers_that_are_too_much_or_none(client, wire, body, expected):
    server = wire(say(answer(body)))
    made = client(read_timeout=5.0)
    if expected is None:
        assert isinstance(made.json(server.url + "x"), dict)
        return
    with pytest.raises(AnchorError, match=expected):
        made.json(server.url + "x")


LIMITED = [
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"}, [5.0, 5.0]),
    ({"RateLimit-Remaining": "0"}, [0.5, 1.0]),
    ({"X-RateLimit-Remaining": "0", "Retry-After": "3", "X-RateLimit-Reset": "9"}, [3.0, 3.0]),
    ({"Retry-After": "2"}, [2.0, 2.0]),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, [0.5, 1.0]),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 40}, [0.5, 1.0]),
]


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(("headers", "expected"), LIMITED, ids=range(len(LIMITED)))
def test_a_limit_on_asking_is_no_missing_credential(client, wire, waits, status, headers, expected):
    headers = {name.replace("-", "_"): value for name, value in headers.items()}
    server = wire(say(answer(status=f"{status} X", **headers)))
    with pytest.raises(UnreachableError) as caught:
        client(attempts=3, read_timeout=2.0).json(server.url + "x")
    assert waits == expected
    assert str(status) in caught.value.what
    assert "credential" not in str(caught.value)


def test_a_limit_that_is_lifted_at_a_time_of_day(client, wire, waits):
    reset = str(int(time.time()) + 10)
    server = wire(say(answer(status="403 X", X_RateLimit_Remaining="0", X_RateLimit_Reset=reset)), say(answer(b"{}")))
    assert client(attempts=2, read_timeout=2.0).json(server.url + "x") == {}
    assert 8 < waits[0] <= 10
    later = str(int(time.time()) + 3600)
    server = wire(say(answer(status="403 X", X_RateLimit_Remaining="0", X_RateLimit_Reset=later)))
    with pytest.raises(UnreachableError, match="403 Forbidden, a limit on how often one may ask, and asks to wait 3"):
        client(attempts=2, read_timeout=2.0).json(server.url + "x")


def test_a_403_with_room_left_is_a_refusal(client, wire):
    server = wire(say(answer(status="403 X", X_RateLimit_Remaining="17")))
    with pytest.raises(RefusedError, match="no credential configured"):
        client(read_timeout=2.0).json(server.url + "x")


REDIRECTS = {
    "to itself": ("/x", "more than 5 redirects"),
    "to nothing": ("", None),
    "to a file": ("file:///etc/passwd", "something less"),
    "to no port": ("http://127.0.0.1:99999/", "something less|no address"),
    "to a broken address": ("http://[::1", "no address"),
    "to a host that is none": ("http://a b/", "something less|no address"),
    "over two lines": ("/y\r\n Set-Cookie: a=b", None),
    "to an empty host": ("http:///x", "more than 5 redirects"),
    "to a script": ("javascript:alert(1)", "something less"),
}


@pytest.mark.parametrize(("target", "expected"), REDIRECTS.values(), ids=REDIRECTS)
def test_redirects(client, wire, target, expected):
    server = wire(say(answer(b"{}", status="302 Found", Location=target)))
    with pytest.raises(AnchorError, match=expected):
        client(read_timeout=2.0).json(server.url + "x")


def test_two_hosts_that_send_each_other_on(client, wire):
    one, two = wire(None), wire(None)
    one._scripts = [say(answer(status="307 X", Location=two.url))]
    two._scripts = [say(answer(status="307 X", Location=one.url))]
    made = client(f"//{one.host}/:_authToken=one\n//{two.host}/:_authToken=two", read_timeout=2.0)
    with pytest.raises(AnchorError, match="more than 5 redirects"):
        made.json(one.url + "x")
    assert [b"Bearer one" in head for head in one.asked] == [True, False, False]
    assert not any(b"Authorization" in head for head in two.asked)


ODD_PACKUMENTS: list[object] = [
    *(None, True, 0, "x", [], {}, {"versions": None}, {"versions": []}, {"versions": {"1.0.0": None}}),
    *({"versions": {"1.0.0": []}}, {"versions": {"1.0.0": {}}}, {"name": 5, "version": [], "dist": "x"}),
    *({"name": "x", "version": "1.0.0", "dist": {"tarball": 5}}, {"error": "not_found"}, {"dist-tags": []}),
    *({"versions": {"1.0.0": {"name": "x", "version": "1.0.0", "dist": {"tarball": "http://h/x", "integrity": []}}}},),
    *({"versions": {}, "dist-tags": {"1.0.0": ["x"]}}, {"versions": {}, "dist-tags": {"1.0.0": {}}}),
    *({"versions": {"1.0.0": {"name": "x", "version": "1.0.0", "dist": {"tarball": "//h", "shasum": "zz"}}}},),
    *({"name": "x", "version": "1.0.0", "dist": {"tarball": "http://[::1/x", "integrity": sha512(b"")}},),
    *({"name": "x", "version": "1.0.0", "dist": {"tarball": "http://127.0.0.1:9/\0", "integrity": sha512(b"")}},),
    *(
        {
            "name": "x",
            "version": "1.0.0",
            "dist": {"tarball": "http://127.0.0.1:9/x", "integrity": "sha512-" + "A" * 9999},
        },
    ),
]


@pytest.mark.parametrize("described", ODD_PACKUMENTS, ids=range(len(ODD_PACKUMENTS)))
@pytest.mark.parametrize("version", ["1.0.0", "latest"])
def test_metadata_of_odd_kinds(registry, options, described, version):
    body = json.dumps(described).encode()
    for path in ("/x", "/x/1.0.0", "/x/latest"):
        registry.set(path, Answer(body=body))
    quick = replace(options, attempts=1)
    with pytest.raises(AnchorError):
        find_package("x", version, quick)
    if not (isinstance(described, dict) and isinstance(described.get("versions"), dict)):
        with pytest.raises(AnchorError):
            package_metadata("x", quick)


def test_two_answers_that_differ(registry, options):
    """The description is read anew each time; bytes that fit neither the pin nor the description are not kept."""
    described = registry.publish("x", "1.0.0", {"a.js": b"one"})
    first = find_package("x", "1.0.0", options)
    other = pack({"package.json": b'{"name": "x", "version": "1.0.0"}', "a.js": b"two"})
    registry.describe("x", "1.0.0", {**described, "dist": {**described["dist"], "integrity": sha512(other)}})
    with pytest.raises(AnchorError, match="the download does not have the integrity that it must have"):
        find_package("x", "1.0.0", options)
    with pytest.raises(AnchorError, match="states another integrity than the pin; nothing was fetched"):
        find_package("x", "1.0.0", options, pinned={"x@1.0.0": first.origin.integrity or ""})


# --- certificates ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A certificate of our own for this machine, and its key."""
    import trustme

    folder = tmp_path_factory.mktemp("ca")
    made = trustme.CA()
    made.cert_pem.write_to_path(str(folder / "ca.pem"))
    made.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(folder / "server.pem"))
    trustme.CA().cert_pem.write_to_path(str(folder / "other.pem"))
    return folder


@pytest.fixture
def secure(wire, authority):
    """A server behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "server.pem")
    server = wire(say(answer(b"{}")))
    plain = server._answer

    def behind(connection, script):
        try:
            wrapped = context.wrap_socket(connection, server_side=True)
        except OSError:
            connection.close()
            return
        plain(wrapped, script)

    server._answer = behind
    server.url = server.url.replace("http:", "https:")
    return server


TRUSTING = [
    ("cafile={ca}", {}),
    ("", {"NODE_EXTRA_CA_CERTS": "{ca}"}),
    ("", {"SSL_CERT_FILE": "{ca}"}),
    ("", {"REQUESTS_CA_BUNDLE": "{ca}"}),
    ("", {"CURL_CA_BUNDLE": "{ca}"}),
    ("", {"SSL_CERT_FILE": "{other}", "NODE_EXTRA_CA_CERTS": "{ca}"}),
    ("", {"npm_config_cafile": "{ca}"}),
    ("cafile={ca}", {"SSL_CERT_FILE": "{other}"}),
    ('ca="{pem}"', {}),
    ('ca[]="{otherpem}"\nca[]="{pem}"', {}),
    ("strict-ssl=false", {}),
]
DISTRUSTING = [
    ("", {}),
    ("cafile={other}", {}),
    ("cafile={other}", {"NODE_EXTRA_CA_CERTS": "{ca}"}),
    ("", {"SSL_CERT_FILE": "{other}"}),
    ('ca="{otherpem}"', {}),
    ("strict-ssl=true", {}),
]


def filled(authority, npmrc, environ):
    values = {name: str(authority / f"{name}.pem") for name in ("ca", "other")}
    pems = {
        name: (authority / file).read_text().replace("\n", "\\n")
        for name, file in (("pem", "ca.pem"), ("otherpem", "other.pem"))
    }
    return npmrc.format(**values, **pems), {name: value.format(**values) for name, value in environ.items()}


@pytest.mark.parametrize(("npmrc", "environ"), TRUSTING, ids=range(len(TRUSTING)))
def test_whose_certificates_are_trusted(client, secure, authority, npmrc, environ):
    npmrc, environ = filled(authority, npmrc, environ)
    assert client(npmrc, environ=environ, read_timeout=5.0, connect_timeout=5.0).json(secure.url + "x") == {}


@pytest.mark.parametrize(("npmrc", "environ"), DISTRUSTING, ids=range(len(DISTRUSTING)))
def test_whose_are_not(client, secure, authority, npmrc, environ):
    npmrc, environ = filled(authority, npmrc, environ)
    with pytest.raises(UnreachableError, match="its certificate cannot be verified"):
        client(npmrc, environ=environ, attempts=4, read_timeout=5.0, connect_timeout=5.0).json(secure.url + "x")


def test_that_nothing_is_verified_is_told(client, secure):
    stream = io.StringIO()
    made = client("strict-ssl=false", progress=stream, read_timeout=5.0, connect_timeout=5.0)
    assert made.json(secure.url + "x") == {}
    assert stream.getvalue().startswith("certificates are not verified (strict-ssl in ")


@pytest.mark.parametrize(
    "content", [None, b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n"]
)
@pytest.mark.parametrize("name", ["cafile", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "ca"])
def test_certificates_that_cannot_be_read(client, tmp_path, name, content):
    place = tmp_path / "certificates.pem"
    if content is not None:
        place.write_bytes(content)
    text = "nonsense" if name == "ca" else str(place)
    made = client(f"{name}={text}", environ={} if name.islower() else {name: text})
    with pytest.raises(ConfigError, match=rf"(?s)the certificates to trust cannot be read.*named by {name}"):
        made.json("https://127.0.0.1:9/x")


# --- proxies ---------------------------------------------------------------------------------------------------------

PROXIED = [
    ("proxy={url}", {}),
    ("https-proxy={url}", {}),
    ("", {"http_proxy": "{url}"}),
    ("", {"HTTP_PROXY": "{url}"}),
    ("", {"ALL_PROXY": "{url}"}),
    ("proxy=null", {"http_proxy": "{url}"}),
    ("proxy={url}\nnoproxy=other.example,.elsewhere.example", {"NO_PROXY": "host.example"}),
    ("https-proxy={url}", {"http_proxy": "http://127.0.0.1:9/"}),
]
DIRECT = [
    ("proxy={url}\nnoproxy=127.0.0.1", {}),
    ("", {"http_proxy": "{url}", "no_proxy": "127.0.0.1"}),
    ("", {"http_proxy": "{url}", "NO_PROXY": "*"}),
    ("", {"http_proxy": "{url}", "NO_PROXY": "a.example, {host}"}),
    ("", {"https_proxy": "{url}"}),
]


@pytest.mark.parametrize(("npmrc", "environ"), PROXIED, ids=range(len(PROXIED)))
def test_through_a_proxy(client, wire, npmrc, environ):
    proxy = wire(say(answer(b'{"by": "proxy"}')))
    url = proxy.url.replace("//", "//user:secret@")
    made = client(
        npmrc.format(url=url),
        environ={name: value.format(url=url) for name, value in environ.items()},
        read_timeout=2.0,
    )
    assert made.json("http://host.example/x") == {"by": "proxy"}
    (head,) = proxy.asked
    assert head.startswith(b"GET http://host.example/x ")
    assert b"Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=" in head


@pytest.mark.parametrize(("npmrc", "environ"), DIRECT, ids=range(len(DIRECT)))
def test_past_a_proxy(client, wire, npmrc, environ):
    server, proxy = wire(say(answer(b'{"by": "itself"}'))), wire(say(answer(b'{"by": "proxy"}')))
    values = {"url": proxy.url, "host": server.host}
    made = client(
        npmrc.format(**values),
        environ={name: value.format(**values) for name, value in environ.items()},
        read_timeout=2.0,
    )
    assert made.json(server.url + "x") == {"by": "itself"}
    assert proxy.asked == []


def test_a_proxy_that_refuses_is_named(client, wire):
    proxy = wire(say(answer(status="407 Proxy Authentication Required")))
    with pytest.raises(
        UnreachableError, match=rf"the proxy {proxy.host} \(https-proxy in .*\) cannot be reached, or refuses"
    ):
        client(f"https-proxy={proxy.url}", read_timeout=2.0).json("https://host.example/x")


@pytest.mark.parametrize("address", ["proxy.example:3128", "socks5://127.0.0.1:9", "nonsense"])
def test_a_proxy_that_is_no_address(client, address):
    with pytest.raises(ConfigError, match="the proxy's address is not one"):
        client(f"proxy={address}").json("http://host.example/x")
