"""What every test stands on: no answer depends on the terminal, the CI service or the settings of who runs them."""

import ipaddress
import os
import socket

import pytest

SETTINGS = ("DRIFTGATE_", "GITHUB_", "CI_PROJECT_DIR", "NO_COLOR", "FORCE_COLOR")
REACHING = ("upstream", "browser", "client")
"""The markers of the tests that may go beyond this machine."""


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch):
    for name in os.environ:
        if name.startswith(SETTINGS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "100")


class BeyondLoopbackError(AssertionError):
    """A test that is not marked as reaching further opened a socket beyond this machine."""


def _is_near(host):
    """Return whether a host is this machine: loopback, or no address at all."""
    if host in ("localhost", "", None):
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_socket_beyond_loopback(request, monkeypatch):
    """Refuse connections and look-ups beyond loopback; a test that says what it reaches is left alone."""
    if any(request.node.get_closest_marker(name) for name in REACHING):
        return
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def must_be_near(host):
        if not _is_near(host):
            raise BeyondLoopbackError(f"a socket beyond loopback: {host}")

    def guarded(real):
        def call(self, address):
            if self.family in (socket.AF_INET, socket.AF_INET6):
                must_be_near(address[0])
            return real(self, address)

        return call

    def guarded_look_up(host, *args, **kwargs):
        must_be_near(host.decode() if isinstance(host, bytes) else host)
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded(connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(connect_ex))
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
