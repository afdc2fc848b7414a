"""What `claude doctor` says of settings files: three at once, as the user's, the project's and the local one.

Older releases draw a screen, which is read through a terminal emulator; the newest print plain lines. Both name the
file and the coordinates of each fault. A fault whose text says "ignored" is a piece that was dropped; any other
rejects the file.
"""

import os
import pty
import re
import select
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.probe.client import Client, ClientUnavailableError

COLUMNS, LINES = 900, 200
ALLOWED = 25.0  # seconds for one screen
FILES = (".claude/settings.json", "work/.claude/settings.json", "work/.claude/settings.local.json")
_DONE = re.compile(rb"Stillhavingissues|run/doctorinaClaudeCodesession")  # the end of the screen, without its spaces
_NO_TEXT = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\s")
_PLAIN = re.compile(r"^- (?P<file>\S+) › (?P<path>.+?): (?P<text>.*)$")
_BRANCH = re.compile(r"^(?P<indent>[ │]*)[├└] ?(?P<name>.*)$")


@dataclass(frozen=True, slots=True)
class SettingsAnswer:
    """What a release said of one settings file: coordinates that it dropped, and those that made it reject the file."""

    dropped: tuple[str, ...]
    errors: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """`rejected` or `loads`."""
        return "rejected" if self.errors else "loads"

    def data(self) -> dict[str, Any]:
        """As recorded."""
        if self.errors:  # what it drops besides is of no consequence
            return {"outcome": "rejected", "errors": list(self.errors)}
        return {"outcome": "loads", "dropped": list(self.dropped)} if self.dropped else {"outcome": "loads"}


def ask(client: Client, texts: Sequence[str]) -> list[SettingsAnswer]:
    """What `client` says of each settings file. Raises ClientUnavailableError where its screen does not come."""
    answers: list[SettingsAnswer] = []
    for start in range(0, len(texts), len(FILES)):
        with tempfile.TemporaryDirectory(prefix="probe-") as name:
            answers += _ask_some(client, texts[start : start + len(FILES)], Path(name))
    return answers


def _ask_some(client: Client, texts: Sequence[str], home: Path) -> list[SettingsAnswer]:
    for file, text in zip(FILES, texts, strict=False):
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_bytes(text.encode("utf-8", "surrogatepass"))
    screen = _screen(client, home)
    if screen is None:
        raise ClientUnavailableError(f"{client.release}: the screen of `doctor` did not come in {ALLOWED} seconds")
    faults = list(_faults(screen))
    return [
        _answer([(path, text) for file, path, text in faults if file == str(home / name)])
        for name in FILES[: len(texts)]
    ]


def _answer(faults: Sequence[tuple[str, str]]) -> SettingsAnswer:
    dropped = sorted({path for path, text in faults if "ignored" in text})
    return SettingsAnswer(tuple(dropped), tuple(sorted({path for path, text in faults if "ignored" not in text})))


def _faults(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (file, coordinates, text) of each fault, from plain lines or from a drawn tree below the file's name."""
    file, path = "", list[tuple[int, str]]()
    for line in lines:
        plain = _PLAIN.match(line)
        if plain:
            yield plain["file"], plain["path"], plain["text"]
        elif line.strip().startswith("/") and line.strip().endswith(".json"):
            file, path = line.strip(), []
        elif file and (branch := _BRANCH.match(line)):
            indent = len(branch["indent"])
            path = [each for each in path if each[0] < indent]
            name, colon, text = branch["name"].partition(": ")
            path.append((indent, name))
            if colon and path[0][1] == "hooks":  # what is below another name belongs to the next part of the screen
                yield file, ".".join(each for _, each in path), text


def _screen(client: Client, home: Path) -> list[str] | None:
    """The lines on the screen when `doctor` has drawn it; None where it does not come in the time allowed."""
    import pyte

    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    environment = {"TERM": "xterm", "COLUMNS": str(COLUMNS), "LINES": str(LINES)}
    line = client.line(home, ["doctor"], environment)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home / "work")
        os.execvp(line[0], line)  # noqa: S606 -- the child becomes the client
    try:
        _resize(terminal)
        until = time.monotonic() + ALLOWED
        heard = b""
        while time.monotonic() < until and (got := _read(terminal)) is not None:
            heard += got
            if got and _DONE.search(_NO_TEXT.sub(b"", heard)):
                break
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    if not _DONE.search(_NO_TEXT.sub(b"", heard)):
        return None
    stream.feed(heard)
    return [row.rstrip() for row in screen.display]


def _read(terminal: int) -> bytes | None:
    """What the terminal has to say within a fifth of a second; None when the program has ended."""
    if not select.select([terminal], [], [], 0.2)[0]:
        return b""
    try:
        return os.read(terminal, 1 << 20) or None
    except OSError:
        return None


def _resize(terminal: int) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
