"""What `anchors` hands to `extract`: an identified artefact and its members as streams of bytes.

This is the whole seam between the two. `extract` never sees a path, a socket or an archive; `anchors` never looks
into a member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from driftgate.surface import Origin


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an artefact.

    `name` is the path as the artefact states it ("package/sdk.mjs"; a local file's own name), `size` its length in
    bytes where it is known beforehand. `chunks` yields the content once, in order; it must be consumed (or given up)
    before the next member is asked for.
    """

    name: str
    size: int | None
    chunks: Iterator[bytes]

    def read(self) -> bytes:
        """Return the whole content. For members that are known to be small."""
        return b"".join(self.chunks)


@dataclass(frozen=True, slots=True)
class Artefact:
    """A pinned artefact, found and verified, ready to be read.

    `upstream_version` is the version of the program that the artefact belongs to, where that is known before reading
    (the CC version, e.g. "2.1.296"). `open_members` starts a new pass over the members each time it is called; a pass
    checks the integrity as it reads and raises `AnchorError` at its end if the bytes were not those that were pinned,
    so nothing that was read may be believed before the pass has ended. `notices` are lines for people ("upstream no
    longer serves it").
    """

    origin: Origin
    upstream_version: str | None
    open_members: Callable[[], Iterator[Member]]
    notices: tuple[str, ...] = ()
