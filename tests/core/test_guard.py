"""The tests' own guard: without a marker, no socket beyond loopback."""

import socket

import pytest

from tests.conftest import BeyondLoopbackError


def test_look_ups_beyond_loopback_are_refused():
    with pytest.raises(BeyondLoopbackError):
        socket.getaddrinfo("registry.example", 443)


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")])
def test_connections_beyond_loopback_are_refused(family, address):
    with socket.socket(family) as one:
        one.settimeout(0.01)
        with pytest.raises(BeyondLoopbackError):
            one.connect((address, 9))
        with pytest.raises(BeyondLoopbackError):
            one.connect_ex((address, 9))


def test_loopback_is_not():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
