"""Files, patterns, standard input, and what cannot be read."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from driftgate.cli import main
from driftgate.settings import FileKind, Unreadable
from driftgate.settings.sources import READ_LIMIT, Source, sources


def found(names: list[str], cwd: Path, stdin: bytes = b"") -> list[Source | Unreadable]:
    return list(sources(names, cwd, io.BytesIO(stdin)))


def test_files_patterns_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / "folder.json").mkdir()
    for name in ("a.json", "b.json", ".claude/settings.json", ".claude/hooks.json"):
        (tmp_path / name).write_text(f'"{name}"')
    read = found(["*.json", "-", ".claude/hooks.json", "**/settings.json", "a.json"], tmp_path, b"in")
    assert [(one.name, one.kind, one.data) for one in read if isinstance(one, Source)] == [
        ("a.json", FileKind.SETTINGS, b'"a.json"'),
        ("b.json", FileKind.SETTINGS, b'"b.json"'),
        ("<stdin>", FileKind.SETTINGS, b"in"),
        (".claude/hooks.json", FileKind.PLUGIN_HOOKS, b'".claude/hooks.json"'),
        (".claude/settings.json", FileKind.SETTINGS, b'".claude/settings.json"'),
        ("a.json", FileKind.SETTINGS, b'"a.json"'),
    ]


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "a[1].json").write_text("{}")
    (one,) = found(["a[1].json"], tmp_path)
    assert isinstance(one, Source)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing.json", "no such file"),
        ("*.nothing", "0 documents matched *.nothing"),
        (".", "is a folder"),
        ("a\0b", "null"),
    ],
)
def test_unreadable(name: str, why: str, tmp_path: Path) -> None:
    (one,) = found([name], tmp_path)
    assert isinstance(one, Unreadable)
    assert why in one.why


class Endless(io.RawIOBase):
    """A stream that never ends, like a device."""

    def __init__(self) -> None:
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.given += len(buffer)
        buffer[:] = b" " * len(buffer)
        return len(buffer)


def test_an_endless_stream_is_read_up_to_the_limit() -> None:
    endless = Endless()
    (one,) = list(sources(["-"], Path(), io.BufferedReader(endless)))
    assert isinstance(one, Source)
    assert not one.is_whole
    assert endless.given < 2 * READ_LIMIT


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    with path.open("wb") as file:
        file.truncate(READ_LIMIT * 100)
    (one,) = found(["settings.json"], tmp_path)
    assert isinstance(one, Source)
    assert (one.size, one.data) == (READ_LIMIT * 100, b"")


def test_a_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"{}"))
    writer.start()
    (one,) = found(["pipe"], tmp_path)
    writer.join()
    assert isinstance(one, Source)
    assert one.data == b"{}"


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.json").write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}')
    (tmp_path / "bad.json").write_text('{"hooks": {"Stop": 1}}')
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["good.json"], 0, "1 entry loads"),
        (["good.json", "bad.json"], 1, "expected an array, found a number"),
        (["good.json", "missing.json"], 3, "missing.json: cannot read: no such file or directory"),
        (["bad.json", "missing.json"], 3, "expected an array, found a number"),
        (["*.nothing"], 3, "0 documents matched *.nothing"),
        (["."], 3, "is a folder"),
        ([], 2, "FILE"),
        (["good.json", "--format", "yaml"], 2, "text, json"),
        (["good.json", "--as", "nothing"], 2, "plugin"),
        (["good.json", "--as", "plugin"], 0, "1 entry loads"),
        (["good.json", "-q"], 0, "driftgate: agrees, exit 0"),
    ],
)
def test_command(args: list[str], code: int, words: str, in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", *args]) == code
    output = capsys.readouterr()
    assert words in output.out + output.err
    assert (output.out + output.err).splitlines()[-1].endswith(f"exit {code}")


def test_command_reads_standard_input(
    in_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{")))
    assert main(["classify", "-"]) == 1
    assert "<stdin>:1:2: rejects: not JSON" in capsys.readouterr().out
