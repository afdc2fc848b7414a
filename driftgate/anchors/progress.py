"""A progress bar for downloads, on a terminal."""

from __future__ import annotations

import time
from typing import Final, TextIO

_EVERY: Final = 0.1
_WIDTH: Final = 24


class Progress:
    """One line that is written over and, at the end, wiped. `stream` None: silence."""

    def __init__(self, stream: TextIO | None, title: str, total: int | None) -> None:
        self._stream = stream
        self._title = title
        self._total = total
        self._done = 0
        self._shown = 0.0

    def add(self, count: int) -> None:
        """Say that `count` more bytes have come."""
        self._done += count
        if self._stream is None or time.monotonic() - self._shown < _EVERY:
            return
        self._shown = time.monotonic()
        text = f"{self._done / 1e6:.1f} MB"
        if self._total:
            share = min(self._done / self._total, 1.0)
            bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
            text = f"[{bar}] {share:4.0%} of {self._total / 1e6:.1f} MB"
        self._stream.write(f"\r\x1b[K{self._title} {text}")
        self._stream.flush()

    def close(self) -> None:
        """Wipe the line."""
        if self._stream is not None and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
