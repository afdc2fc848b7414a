"""What is told of long downloads and of further attempts: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

from typing import Final

from driftgate.anchors.options import FetchOptions
from driftgate.formats.harmless import harmless

_EVERY: Final = 0.1
_LINE_EVERY: Final = 10.0
_WIDTH: Final = 24
_WIPE: Final = "\r\x1b[K"


class Progress:
    """How far a download is: on a terminal a line that is written over and wiped at the end; else a line each 10 s."""

    def __init__(self, options: FetchOptions, title: str, total: int | None) -> None:
        self._options = options
        self._title = title
        self._total = total
        self._done = 0
        self._shown = 0.0 if options.bar else options.clock()

    def add(self, count: int) -> None:
        """Say that `count` more bytes have come."""
        self._done += count
        stream, now = self._options.progress, self._options.clock()
        if stream is None or now - self._shown < (_EVERY if self._options.bar else _LINE_EVERY):
            return
        self._shown = now
        stream.write(f"{_WIPE}{self._title} {self._bar()}" if self._options.bar else f"fetching {self}\n")
        stream.flush()

    def close(self) -> None:
        """Wipe the line."""
        if self._options.progress is not None and self._options.bar and self._shown:
            self._options.progress.write(_WIPE)
            self._options.progress.flush()

    def __str__(self) -> str:
        of = f" of {self._total / 1e6:.1f}" if self._total else ""
        return f"{self._title}: {self._done / 1e6:.1f}{of} MB"

    def _bar(self) -> str:
        if not self._total:
            return f"{self._done / 1e6:.1f} MB"
        share = min(self._done / self._total, 1.0)
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
        return f"[{bar}] {share:4.0%} of {self._total / 1e6:.1f} MB"


def tell(options: FetchOptions, line: str) -> None:
    """Tell one thing, where anything is told."""
    if options.progress is not None:
        options.progress.write(f"{_WIPE if options.bar else ''}{harmless(line)}\n")
        options.progress.flush()
