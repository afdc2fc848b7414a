"""Where the files of an archive land, and which archives put two things in one place.

npm unpacks in order, so the last of two wins, and on some systems Sdk.mjs is the same file as sdk.mjs. An archive is
read as a stream, once, so it is refused where that would matter: what was read first might not be what is installed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from driftgate.anchors.stream import ArchiveError
from driftgate.anchors.tar import Entry

_MOST_NAMES: Final = 32 << 20


class Places:
    """What has been put where so far."""

    def __init__(self) -> None:
        self._files: dict[str, bool] = {}
        self._folders: set[str] = set()
        self._length = 0

    def take(self, entry: Entry, *, matters: bool) -> None:
        """Note where `entry` lands. `matters`: it is going to be read.

        Raises ArchiveError where one that matters is, on some system, in the way of another or is replaced by it.
        """
        key = _folded(entry.below)
        before = self._files.get(key)
        if before is not None and (matters or before):
            what = "a folder in the place of a file" if entry.is_folder else "two files in one place"
            raise ArchiveError(f"it puts {what}: {entry.name!r}; npm would keep the last of them")
        if entry.is_folder:
            return
        if matters and (key in self._folders or any(above in self._files for above in _above(key))):
            raise ArchiveError(f"it puts a file and a folder in one place: {entry.name!r}; npm would install only one")
        self._files[key] = matters
        self._length += len(key)
        for above in _above(key):
            if above in self._folders:
                break
            self._folders.add(above)
            self._length += len(above)
        if self._length > _MOST_NAMES:
            raise ArchiveError(f"the names in it are more than {_MOST_NAMES >> 20} MiB")


def _above(key: str) -> Iterator[str]:
    while "/" in key:
        key = key.rpartition("/")[0]
        yield key


def _folded(path: str) -> str:
    """Return what is the same for two paths that some system takes for one: letter case, composition, dots at ends."""
    if path.isascii():
        text = path.lower()
    else:
        text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", path).casefold())
    return "/".join(step.rstrip(". ") for step in text.split("/"))
