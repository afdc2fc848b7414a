"""A file that is being edited: its bytes, and the text that the readers see, edited together.

The readers see LF line ends and no byte order mark; edits are made in that text and carried over into the bytes, so
that each line keeps its own end and whatever is not edited stays as it is, byte for byte.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes [start, end) of the text as the readers see it make way for `text`, whose line ends are LF."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A file at `path` (resolved) whose content is `raw`; `shown` is its path as reports show it."""

    path: Path
    shown: str
    raw: bytes

    @property
    def data(self) -> bytes:
        """The text as the readers see it, in UTF-8."""
        return self.raw.removeprefix(_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """Return the file with `edits`, which must not overlap; new lines end as most lines of the file do."""
        body = self.raw.removeprefix(_MARK)
        marked = len(self.raw) - len(body)
        ends = _crlf(body)
        newline = "\r\n" if 2 * len(ends) > body.count(b"\n") else "\n"
        out, at = [self.raw[:marked]], 0
        for edit in sorted(edits, key=lambda one: (one.start, one.end)):
            start, end = (place + bisect_left(ends, place) for place in (edit.start, edit.end))
            if start < at:
                raise ValueError("edits overlap")
            out += [body[at:start], edit.text.replace("\n", newline).encode()]
            at = end
        return Draft(self.path, self.shown, b"".join((*out, body[at:])))


def _crlf(body: bytes) -> list[int]:
    """Return the offsets, in the text with LF, of the line ends that are CRLF."""
    found: list[int] = []
    at = body.find(b"\r\n")
    while at >= 0:
        found.append(at - len(found))
        at = body.find(b"\r\n", at + 2)
    return found
