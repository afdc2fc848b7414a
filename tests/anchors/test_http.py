from __future__ import annotations

import email.utils
import socket
import ssl
import time

import pytest
import requests  # noqa: TID251 -- to make up its exceptions

from driftgate.anchors.http import Client
from driftgate.anchors.npmrc import NpmConfig
from driftgate.anchors.unavailable import MissingError, RefusedError, UnreachableError
from driftgate.errors import AnchorError
from tests.anchors.conftest import Answer

GOOD = Answer(body=b'{"a": 1}')


@pytest.fixture
def client(make_options):
    """Make a client whose credentials are the given lines of an .npmrc."""

    def make(npmrc="", **changes):
        options = make_options(**changes)
        (options.project / ".npmrc").write_text(npmrc)
        return Client(options, NpmConfig(options))

    return make


def test_json(client, registry):
    registry.set("/x", GOOD)
    assert client().json(registry.url + "x") == {"a": 1}
    assert registry.asked[0].authorization is None


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 520])
def test_passing_trouble_is_tried_again(client, registry, waits, status):
    registry.set("/x", Answer(status), Answer(status), GOOD)
    assert client().json(registry.url + "x") == {"a": 1}
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_trouble_that_stays_is_told(client, registry, waits, status):
    registry.set("/x", Answer(status))
    with pytest.raises(UnreachableError) as caught:
        client().json(registry.url + "x")
    assert str(caught.value).startswith(f"could not check: {registry.host}: {status}")
    assert "after 4 attempts" in str(caught.value)
    assert len(registry.asked) == 4
    assert waits == [0.5, 1.0, 2.0]


def test_a_server_that_asks_to_wait_is_left_alone_so_long(client, registry, waits):
    registry.set("/x", Answer(429, headers={"Retry-After": "7"}), GOOD)
    client().json(registry.url + "x")
    assert waits == [7.0]


def test_a_server_that_asks_to_wait_until_a_date(client, registry, waits):
    date = email.utils.formatdate(time.time() + 20, usegmt=True)
    registry.set("/x", Answer(503, headers={"Retry-After": date}), GOOD)
    client().json(registry.url + "x")
    assert 15 < waits[0] <= 20


def test_a_server_that_asks_for_too_long(client, registry, waits):
    registry.set("/x", Answer(429, headers={"Retry-After": "3600"}))
    with pytest.raises(UnreachableError, match="asks to wait 3600 s"):
        client().json(registry.url + "x")
    assert waits == []


@pytest.mark.parametrize("value", ["soon", "-1", ""])
def test_a_wait_that_is_none(client, registry, waits, value):
    registry.set("/x", Answer(503, headers={"Retry-After": value}), GOOD)
    client().json(registry.url + "x")
    assert waits == [0.5]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, RefusedError),
        (403, RefusedError),
        (404, MissingError),
        (410, MissingError),
        (400, AnchorError),
        (418, AnchorError),
    ],
)
def test_answers_that_are_final(client, registry, waits, status, error):
    registry.set("/x", Answer(status))
    with pytest.raises(error, match=f"{status}"):
        client().json(registry.url + "x")
    assert len(registry.asked) == 1
    assert waits == []


def test_no_server(client, registry, waits):
    registry.close()
    made = client()
    with pytest.raises(UnreachableError) as caught:
        made.json(registry.url + "x?secret")
    assert f"could not check: {registry.host}: Connection refused" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert waits == [0.5, 1.0, 2.0]
    with pytest.raises(UnreachableError):
        made.json(registry.url + "y")
    assert len(waits) == 3, "a host that is away is not tried again"


def test_no_such_host(client, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UnreachableError, match=r"could not check: nowhere\.invalid: "):
        client(attempts=1).json("http://nowhere.invalid/x")


def test_no_answer_in_time(client, registry, monkeypatch):
    monkeypatch.setattr(registry, "_answer", lambda _: time.sleep(0.5))
    with pytest.raises(UnreachableError, match="no answer in time"):
        client(attempts=1, read_timeout=0.05).json(registry.url + "x")


def test_a_certificate_that_is_not_trusted_is_not_tried_again(client, monkeypatch, waits):
    problem = ssl.SSLCertVerificationError(1, "certificate verify failed")
    problem.verify_message = "self-signed certificate"

    def get(*_, **__):
        raise requests.exceptions.SSLError(problem)

    made = client()
    monkeypatch.setattr(requests.Session, "get", get)
    with pytest.raises(
        UnreachableError, match=r"h\.example: its certificate cannot be verified \(self-signed"
    ) as caught:
        made.json("https://h.example/x?secret")
    assert "NODE_EXTRA_CA_CERTS or SSL_CERT_FILE names those to trust" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert waits == []


def test_an_answer_that_is_too_long(client, registry, monkeypatch):
    monkeypatch.setattr("driftgate.anchors.http._LONGEST_ANSWER", 5)
    registry.set("/x", GOOD)
    with pytest.raises(AnchorError, match="longer than"):
        client().json(registry.url + "x")


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("npmrc", "environ", "source"),
    [
        ("", {"http_proxy": "DEAD", "HTTPS_PROXY": "DEAD"}, "{}_PROXY"),
        ("", {"ALL_PROXY": "DEAD"}, "ALL_PROXY"),
        ("https-proxy=DEAD", {}, "https-proxy in .*npmrc"),
        ("proxy=DEAD", {}, "proxy in .*npmrc"),
        ("", {"npm_config_https_proxy": "DEAD"}, "https-proxy in the environment's npm_config_https_proxy"),
        ("proxy=DEAD\nnoproxy=other.example", {"NO_PROXY": "host.example"}, "proxy in .*npmrc"),
    ],
)
def test_a_proxy_that_is_away_is_named(client, scheme, npmrc, environ, source):
    dead = "http://user:secret@127.0.0.1:9/"
    made = client(
        npmrc.replace("DEAD", dead),
        attempts=1,
        environ={name: value.replace("DEAD", dead) for name, value in environ.items()},
    )
    said = rf"(?i)the proxy 127\.0\.0\.1:9 \({source.format(scheme)}\) cannot be reached, or refuses: "
    with pytest.raises(UnreachableError, match=said) as caught:
        made.json(f"{scheme}://host.example/x")
    assert "secret" not in str(caught.value)


def test_an_answer_that_is_not_json(client, registry):
    registry.set("/x", Answer(body=b"<html>log in</html>", headers={"Content-Type": "text/html"}))
    with pytest.raises(AnchorError, match="not JSON") as caught:
        client().json(registry.url + "x")
    assert "19 bytes of text/html" in str(caught.value)


def received(body, length):
    return b"".join(body), length


def test_download(client, registry):
    registry.set("/x", Answer(body=b"abc"))
    assert client().download(registry.url + "x", received) == (b"abc", 3)


def test_a_body_that_breaks_off_is_fetched_again(client, registry, waits):
    registry.set("/x", Answer(body=b"ab", length=3), Answer(body=b"abc"))
    assert client().download(registry.url + "x", received) == (b"abc", 3)
    assert waits == [0.5]


def test_a_body_that_always_breaks_off(client, registry):
    registry.set("/x", Answer(body=b"ab", length=3))
    with pytest.raises(UnreachableError, match="the transfer broke off"):
        client().download(registry.url + "x", received)
    assert len(registry.asked) == 4


def test_a_tarball_that_is_labelled_as_encoded_comes_as_it_is(client, registry):
    registry.set("/x", Answer(body=b"\x1f\x8bnot touched", headers={"Content-Encoding": "gzip"}))
    assert client().download(registry.url + "x", received)[0] == b"\x1f\x8bnot touched"


class TestCredentials:
    TOKEN = "Bearer t0ken"

    @pytest.fixture
    def npmrc(self, registry):
        return f"//{registry.host}/:_authToken=t0ken"

    def test_sent_to_its_host(self, client, registry, npmrc):
        registry.set("/x", Answer(body=b"{}", token=self.TOKEN))
        client(npmrc).json(registry.url + "x")

    def test_not_sent_to_another_host(self, client, registry, npmrc):
        registry.set("/x", Answer(body=b"{}"))
        client(npmrc).json(registry.other + "x")
        assert registry.asked[0].authorization is None

    def test_kept_on_a_redirect_within_the_host(self, client, registry, npmrc):
        registry.set("/x", Answer(302, headers={"Location": "/y"}))
        registry.set("/y", Answer(body=b"{}", token=self.TOKEN))
        client(npmrc).json(registry.url + "x")

    def test_dropped_on_a_redirect_out_of_its_path(self, client, registry):
        registry.set("/npm/x", Answer(307, headers={"Location": "/y"}))
        registry.set("/y", Answer(body=b"{}"))
        client(f"//{registry.host}/npm/:_authToken=t0ken").json(registry.url + "npm/x")
        assert [asked.authorization for asked in registry.asked] == [self.TOKEN, None]

    def test_dropped_on_a_redirect_to_another_host_and_not_taken_up_again(self, client, registry, npmrc):
        registry.set("/x", Answer(302, headers={"Location": registry.other + "y"}))
        registry.set("/y", Answer(302, headers={"Location": registry.url + "z"}))
        registry.set("/z", Answer(body=b"{}"))
        client(npmrc).json(registry.url + "x")
        assert [asked.authorization for asked in registry.asked] == [self.TOKEN, None, None]

    def test_that_of_the_other_host_is_not_sent_on_a_redirect(self, client, registry, npmrc):
        registry.set("/x", Answer(302, headers={"Location": registry.other + "y"}))
        registry.set("/y", Answer(body=b"{}"))
        client(f"{npmrc}\n//localhost:{registry.port}/:_authToken=other").json(registry.url + "x")
        assert registry.asked[1].authorization is None

    def test_netrc_is_not_read(self, client, registry, tmp_path, monkeypatch):
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login user password secret\n")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        registry.set("/x", GOOD)
        client().json(registry.url + "x")
        assert registry.asked[0].authorization is None

    def test_userinfo_in_an_address_is_not_sent_and_not_shown(self, client, registry):
        registry.set("/x", Answer(401))
        with pytest.raises(RefusedError) as caught:
            client().json(registry.url.replace("//", "//user:secret@") + "x")
        assert "secret" not in str(caught.value)
        assert registry.asked[0].authorization is None

    def test_a_token_that_is_not_set_matters_only_where_one_is_needed(self, client, registry):
        made = client(f"//{registry.host}/:_authToken=${{NPM_TOKEN}}")
        registry.set("/x", GOOD)
        assert made.json(registry.url + "x") == {"a": 1}
        assert registry.asked[0].authorization is None
        registry.set("/x", Answer(401))
        with pytest.raises(RefusedError, match="needs the environment variable NPM_TOKEN, which is not set"):
            made.json(registry.url + "x")

    def test_a_refusal_names_the_setting_that_was_used(self, client, registry, npmrc):
        registry.set("/x", Answer(403))
        with pytest.raises(RefusedError) as caught:
            client(npmrc).json(registry.url + "x")
        assert f"//{registry.host}/:_authToken" in str(caught.value)
        assert "t0ken" not in str(caught.value)


def test_a_redirect_to_a_host_that_is_not_there_names_it(client, registry):
    registry.set("/x", Answer(302, headers={"Location": "http://127.0.0.1:9/gone"}))
    with pytest.raises(UnreachableError, match=r"Connection refused \(at 127\.0\.0\.1:9, where it was redirected to\)"):
        client().json(registry.url + "x")


def test_redirects_without_end(client, registry):
    registry.set("/x", Answer(302, headers={"Location": "/x"}))
    with pytest.raises(AnchorError, match="more than 5 redirects"):
        client().json(registry.url + "x")


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://host.example/x"])
def test_redirects_to_something_else(client, registry, target):
    registry.set("/x", Answer(302, headers={"Location": target}))
    with pytest.raises(AnchorError, match="a redirect leads"):
        client().json(registry.url + "x")
