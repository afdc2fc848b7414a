"""Files: whole or not at all, and nothing that would keep us waiting."""

import os
import sys
import threading

import pytest

from driftgate.errors import ConfigError
from driftgate.formats.files import LARGEST_TEXT, read_regular, read_text, write_atomically


def test_text(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\n")
    assert read_text(path, ConfigError, "the file") == "a\nb\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = threading.Thread(target=_refused, args=(tmp_path / "pipe", "no regular file"))
    reader.start()
    reader.join(5)
    assert not reader.is_alive()


def _refused(path, said):
    with pytest.raises(ConfigError, match=said):
        read_text(path, ConfigError, "the file")


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.symlink_to(path)])
def test_what_is_no_file(tmp_path, make):
    make(tmp_path / "x")
    with pytest.raises(ConfigError, match="cannot read the file"):
        read_text(tmp_path / "x", ConfigError, "the file")


def test_what_is_too_large(tmp_path):
    with (tmp_path / "x").open("wb") as file:
        file.truncate(LARGEST_TEXT + 1)
    _refused(tmp_path / "x", "larger than 16 MiB")
    with pytest.raises(OSError, match="larger than 0 MiB"):
        read_regular(tmp_path / "x", 10)


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_atomically(path, "before")

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, "after")
    assert caught.value.filename == str(path)
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
