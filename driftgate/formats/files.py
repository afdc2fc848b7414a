"""Reading and writing small text files, so that nobody ever finds half of one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from driftgate.errors import DriftgateError

LARGEST_TEXT: Final = 16 << 20
"""Bytes. Our own files are some kilobytes, settings of people seldom a megabyte."""


def read_regular(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Raises OSError, also for anything that is no file (a pipe would keep us waiting) or is larger.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        kind = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB", str(path))
    return content


def _without_waiting(name: str, flags: int) -> int:
    # Opening a pipe to which nobody writes would wait for ever. Windows has neither such pipes nor the flag.
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path, error: type[DriftgateError], what: str) -> str:
    """Return the UTF-8 text of `path`; a byte order mark is dropped and line ends become LF.

    Raises `error` (`what` names the file's role) where the file is missing, unreadable or not UTF-8.
    """
    try:
        data = read_regular(path)
    except OSError as problem:
        raise error(f"cannot read {what}", where=str(path), found=problem.strerror or str(problem)) from problem
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        raise error(
            f"cannot read {what}", where=str(path), expected="UTF-8", found=f"byte {problem.start} is not UTF-8"
        ) from problem


WRITTEN: Final[list[Path]] = []
"""The files that were written so far, so that a process that is interrupted can say what it leaves behind."""


def write_atomically(path: Path, text: str, *, told: bool = True) -> None:
    """Write `text` to `path` as UTF-8 with LF: whole, or not at all. Unless not `told`, it is then one of `WRITTEN`.

    Raises OSError; the temporary file beside `path` is removed then (also on Ctrl-C).
    """
    with _beside(path, text.encode()) as made:
        made.replace(path)
        if told:
            WRITTEN.append(path)


def write_new(path: Path, text: str) -> None:
    """As `write_atomically`, where nothing is. Raises FileExistsError where something is."""
    with _beside(path, text.encode()) as made:
        try:
            path.hardlink_to(made)
        except FileExistsError:
            raise
        except OSError:  # not every file system has links
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
            made.replace(path)
        WRITTEN.append(path)


@contextlib.contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """Write a temporary file beside `path`, which is gone at the end; failures that name no file name `path`."""
    import tempfile  # slow to load, and reading needs none of it

    path.parent.mkdir(parents=True, exist_ok=True)
    made = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        made = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes the file private; a snapshot is as readable as any other file of the project.
        umask = os.umask(0)
        os.umask(umask)
        made.chmod(0o666 & ~umask)
        yield made
    except OSError as problem:
        if problem.filename is None:  # a full disk does not say where it is
            problem.filename = str(path)
        raise
    finally:
        if made is not None:
            with contextlib.suppress(OSError):
                made.unlink()
