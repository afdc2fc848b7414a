"""The commands: one module each, found by name, imported only when it is asked for.

A command module defines

- its docstring's first line: what the command does; the rest, up to the end: examples, shown by `--help`;
- `add_arguments(parser: argparse.ArgumentParser) -> None`;
- `run(args: argparse.Namespace, io: IO) -> ExitCode`.

A command parses, makes one call into the core, renders, and returns the code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType
from typing import Final, TextIO

COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "check": "compare the declared constants with the snapshot, or with a release",
        "init": "find what mirrors an upstream, and write configuration, snapshot and workflow",
        "refresh": "write the snapshot of a release and move the pin to it",
        "extract": "print what an artefact or a file states, with the evidence",
        "diff": "compare any two things that state a surface",
        "classify": "say which hooks of a settings document load, and which pieces go",
        "schema": "print a JSON Schema: of the hooks key, the configuration, a snapshot, the json report",
        "history": "say which release added, removed or changed which name, and where a name lives",
        "bisect": "find the first release with a name by reading few of them",
        "export": "turn what a release states into a module of Python or TypeScript, or a JSON Schema",
        "adopt": "edit the mirror's own source so that it says what upstream says",
        "accept": "accept a drift, with a reason, in the configuration",
        "issues": "file one GitHub issue per drift in a json report, or update it",
        "doctor": "show versions, configuration, registry and cache, and whether the registry can be reached",
        "completion": "print the completion script of a shell",
        "rules": "list the rules",
        "explain": "explain one rule, or one code of the classifier",
    }
)
"""Every command and its one-line summary, in the order in which help shows them."""


class IO:
    """Where a command reads its surroundings and writes its words. The only way to a standard stream.

    `color` is whether text output may be coloured, `width` how many columns it may fill, `interactive` whether
    standard error is a terminal (so that a progress bar may be shown). `format` is the output format, as far as it is
    known: a failure under "json" is a document, too.
    """

    def __init__(self) -> None:
        self.stdin: TextIO = sys.stdin
        self.stdout: TextIO = sys.stdout
        self.stderr: TextIO = sys.stderr
        self.environ: Mapping[str, str] = os.environ
        self.cwd: Path = _current_folder()
        self.color = False
        self.width = 80
        self.interactive = False
        self.format = "text"

    @classmethod
    def standard(cls, *, no_color: bool = False) -> IO:
        """Return the process's own streams, with colour and width as the terminal and `NO_COLOR` have them."""
        io = cls()
        terminal = io.stdout.isatty()
        _make_lossless(io.stdout)
        _make_lossless(io.stderr)
        io.color = terminal and not no_color and not io.environ.get("NO_COLOR") and io.environ.get("TERM") != "dumb"
        io.width = _columns(io)
        io.interactive = io.stderr.isatty()
        return io

    def out(self, text: str) -> None:
        """Write `text` and a line end to standard output. Raises OSError; `flush` too, for what was kept back."""
        self.stdout.write(text + "\n")

    def err(self, text: str) -> None:
        """Write `text` and a line end to standard error."""
        self.stderr.write(text + "\n")


def _columns(io: IO) -> int:
    """Return how many columns there are: COLUMNS, else the terminal's, else 100 (`shutil` does that too, slowly)."""
    columns = io.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(io.stdout.fileno()).columns or 100
    except (OSError, ValueError):
        return 100


def _make_lossless(stream: TextIO) -> None:
    """Let a stream take every text: UTF-8 for files and pipes, escapes where a terminal has another encoding."""
    if isinstance(stream, TextIOWrapper):
        encoding = None if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _current_folder() -> Path:
    """Return the current folder; one that was removed goes by the name that it had."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(os.environ.get("PWD", os.sep))
