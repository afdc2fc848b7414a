from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from driftgate.anchors.cache import Cache, Record
from driftgate.errors import AnchorError, ExitCode
from tests.anchors.conftest import sha512

BODY = b"a tarball"
RECORD = Record("@scope/name", "1.0.0", sha512(BODY), sha512(BODY), len(BODY), 0)


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def store(cache, body=BODY, record=RECORD):
    with cache.incoming() as incoming:
        incoming.write(body)
        return cache.keep(incoming, record)


def files(cache):
    return sorted(path.name for path in cache.root.rglob("*") if path.is_file())


def test_kept_and_found_again(cache):
    place = store(cache)
    assert place.read_bytes() == BODY
    record = cache.recall("@scope/name", "1.0.0")
    assert record.integrity == RECORD.integrity
    assert cache.verified(record.integrity, record) == place
    assert cache.verified(record.integrity) == place


def test_what_it_does_not_have(cache):
    assert cache.recall("x", "1.0.0") is None
    assert cache.verified(sha512(b"other")) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"package": "x"}', '"x"', "null"])
def test_a_damaged_index_entry_is_none(cache, text):
    store(cache)
    next((cache.root / "index").iterdir()).write_text(text)
    assert cache.recall("@scope/name", "1.0.0") is None


def test_an_index_entry_of_another_package_is_none(cache):
    store(cache)
    entry = next((cache.root / "index").iterdir())
    entry.rename(entry.with_name("other@1.0.0.json"))
    assert cache.recall("other", "1.0.0") is None


@pytest.mark.parametrize("body", [b"", BODY[:-1], b"A tarball", BODY + b"."])
def test_a_damaged_file_is_thrown_away(cache, body):
    place = store(cache)
    place.write_bytes(body)
    os.utime(place, ns=(0, 0))
    assert cache.verified(RECORD.integrity, cache.recall("@scope/name", "1.0.0")) is None
    assert not place.exists()


def test_a_file_that_was_only_touched_is_still_good(cache):
    place = store(cache)
    os.utime(place, ns=(5, 5))
    assert cache.verified(RECORD.integrity, cache.recall("@scope/name", "1.0.0")) == place
    assert cache.recall("@scope/name", "1.0.0").checked == 5


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "No space left on device"), AnchorError("no")])
def test_nothing_is_left_of_what_was_not_kept(cache, failure):
    def fail():
        with cache.incoming() as incoming:
            incoming.write(b"half")
            raise failure

    with pytest.raises((KeyboardInterrupt, OSError, AnchorError)):
        fail()
    assert files(cache) == []


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("size", [9, 1_000_000], ids=["told when closed", "told at once"])
def test_a_full_disk(cache, monkeypatch, tmp_path, size):
    monkeypatch.setattr("tempfile.mkstemp", lambda **_: (os.open(FULL, os.O_WRONLY), str(tmp_path / "new")))
    with pytest.raises(AnchorError, match="No space left") as caught:
        store(cache, b"x" * size)
    assert "DRIFTGATE_CACHE" in str(caught.value)
    assert caught.value.code is ExitCode.BLIND
    assert files(cache) == []


def test_a_cache_that_is_no_folder(tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(AnchorError, match="cannot write to the cache"):
        store(Cache(tmp_path / "cache"))


def test_leftovers_of_killed_processes_go(cache):
    folder = cache.root / "incoming"
    folder.mkdir(parents=True)
    (folder / "old").touch()
    (folder / "new").touch()
    long_ago = time.time() - 100_000
    os.utime(folder / "old", (long_ago, long_ago))
    store(cache)
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_the_same_content_twice_is_one_file(cache):
    store(cache)
    store(cache, record=Record("other", "2.0.0", sha512(BODY), sha512(BODY), len(BODY), 0))
    assert len(list((cache.root / "content").rglob("*/*"))) == 1
    assert cache.recall("other", "2.0.0").integrity == cache.recall("@scope/name", "1.0.0").integrity
