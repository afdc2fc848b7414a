"""Reading and writing small text files, so that nobody ever finds half of one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
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


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8 with LF: whole, or not at all.

    Raises OSError; the temporary file beside `path` is removed then (also on Ctrl-C).
    """
    import tempfile  # slow to load, and reading needs none of it

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes the file private; a snapshot is as readable as any other file of the project.
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        if isinstance(problem, OSError) and problem.filename is None:  # a full disk does not say where it is
            problem.filename = str(path)
        raise
