"""The edited files on disk: all of them, or none; and the difference as text."""

from __future__ import annotations

import contextlib
import difflib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from driftgate.adopt.run import Change
from driftgate.errors import BlindError


def write(changes: Sequence[Change]) -> None:
    """Replace the files that `changes` name: all, or none.

    Raises `BlindError` where a file is not what it was when it was read, `OSError` where one cannot be written; what
    was replaced before is then put back.
    """
    for change in changes:
        if change.path.read_bytes() != change.before:
            raise BlindError("a file changed while it was edited; nothing was written", where=change.shown)
    ready: list[tuple[Change, Path]] = []
    done: list[Change] = []
    try:
        ready.extend((change, _beside(change.path, change.after)) for change in changes)
        for change, part in ready:
            part.replace(change.path)
            done.append(change)
    except BaseException:
        for change in done:
            _beside(change.path, change.before).replace(change.path)
        raise
    finally:
        for _, part in ready:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def _beside(path: Path, content: bytes) -> Path:
    """Write `content` to a new file beside `path`, with the permissions of that."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(OSError):
        shutil.copymode(path, name)
    return Path(name)


def unified_diff(changes: Sequence[Change]) -> str:
    """Return the differences in the unified form, as `git apply` and `patch -p1` take them."""
    return "".join(line for change in changes for line in _lines(change))


def _lines(change: Change) -> Iterator[str]:
    before, after = (_kept(content) for content in (change.before, change.after))
    name = change.shown
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _kept(content: bytes) -> list[str]:
    """Return the lines with their ends, cut at LF alone, as the tools for differences cut them."""
    return [part + "\n" for part in content.decode().split("\n")[:-1]] + (
        [last] if (last := content.decode().split("\n")[-1]) else []
    )
