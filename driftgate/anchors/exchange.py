"""One request in a thread of its own, so that nothing which it waits for holds us longer than its limits say.

The timeouts of a socket start anew with every byte, and nothing bounds the look-up of a name, a handshake, or a head
or a chunk that comes byte by byte. So the caller waits for what the thread hands over, and walks away when that takes
too long. The thread ends with its next byte; it keeps no process alive.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from queue import Empty, Full, Queue
from typing import Any, Final, Generic, Protocol, TypeVar

BLOCK: Final = 1 << 16
"""How many bytes of a body are handed over at once. Each block has the time of a whole head: that is the least rate."""

_END: Final = object()
_LOOK: Final = 0.2


class Closable(Protocol):
    """What a request is answered with."""

    def close(self) -> object:
        """Free what it holds."""


R = TypeVar("R", bound=Closable)


class TooSlowError(Exception):
    """What was waited for did not come in time."""


class Exchange(Generic[R]):
    """A request that is on its way. `wait` returns how many seconds the next piece may take, and may raise."""

    def __init__(self, ask: Callable[[], R], blocks: Callable[[R], Iterator[bytes]], wait: Callable[[], float]) -> None:
        self._wait = wait
        self._said: Queue[Any] = Queue(8)
        self._given_up = threading.Event()
        threading.Thread(target=self._work, args=(ask, blocks), name="driftgate-http", daemon=True).start()

    def head(self) -> R:
        """Return the answer, its body yet to come. Raises TooSlowError, and whatever asking raised."""
        head: R = self._next()
        return head

    def body(self) -> Iterator[bytes]:
        """Yield the body. Raises as `head`."""
        while (block := self._next()) is not _END:
            yield block

    def give_up(self) -> None:
        """Want nothing more of it."""
        self._given_up.set()

    def _next(self) -> Any:
        try:
            said = self._said.get(timeout=max(self._wait(), 0.0))
        except Empty:
            raise TooSlowError from None
        if isinstance(said, BaseException):
            raise said
        return said

    def _work(self, ask: Callable[[], R], blocks: Callable[[R], Iterator[bytes]]) -> None:
        try:
            with closing(ask()) as response:
                if not self._tell(response):
                    return
                for block in blocks(response):
                    if not self._tell(block):
                        return
                self._tell(_END)
        except BaseException as problem:  # noqa: BLE001 - all of it is raised again where it is waited for
            self._tell(problem)

    def _tell(self, what: object) -> bool:
        while not self._given_up.is_set():
            try:
                self._said.put(what, timeout=_LOOK)
            except Full:
                continue
            return True
        return False
