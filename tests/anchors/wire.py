"""A server that speaks HTTP by hand, so that it can speak it wrongly: slowly, half, or not at all."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable

Script = Callable[[socket.socket, bytes], None]


class Wire:
    """Answers each connection with a script, which gets the socket and the head of the request; the last for ever."""

    def __init__(self, *scripts: Script) -> None:
        self.asked: list[bytes] = []
        self._scripts = list(scripts)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}/"
        self.closed = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while not self.closed.is_set():
                connection, _ = self._server.accept()
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                threading.Thread(target=self._answer, args=(connection, script), daemon=True).start()

    def _answer(self, connection: socket.socket, script: Script) -> None:
        with contextlib.suppress(OSError), connection:
            head = b""
            while b"\r\n\r\n" not in head and (more := connection.recv(65536)):
                head += more
            self.asked.append(head)
            script(connection, head)

    def close(self) -> None:
        """Be gone; scripts that drip or stall end."""
        self.closed.set()
        self._server.close()

    def drip(self, data: bytes, every: float = 0.02, head: bytes = b"") -> Script:
        """Return a script that says `head` at once and `data` a byte at a time, without end."""

        def script(connection: socket.socket, _: bytes) -> None:
            connection.sendall(head)
            while not self.closed.is_set():
                for byte in data:
                    connection.sendall(bytes([byte]))
                    time.sleep(every)

        return script

    def stall(self, said: bytes = b"") -> Script:
        """Return a script that says something and then nothing more, and does not hang up."""

        def script(connection: socket.socket, _: bytes) -> None:
            connection.sendall(said)
            self.closed.wait(10)

        return script


def say(data: bytes) -> Script:
    """Return a script that says something and hangs up."""

    def script(connection: socket.socket, _: bytes) -> None:
        connection.sendall(data)

    return script


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """Return an answer as it goes over the wire; a header that is given as "" is left out."""
    # Each connection is for one request, and says so: else the next one could be sent just as it is being closed.
    said = {
        "Content-Length": str(len(body)),
        "Connection": "close",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in said.items() if value)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
