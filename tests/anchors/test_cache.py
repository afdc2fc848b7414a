from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from driftgate.anchors.cache import Cache, Record, Source
from driftgate.anchors.unavailable import DamagedError
from driftgate.errors import AnchorError, ExitCode
from tests.anchors.conftest import sha512

BODY = b"a tarball"
RECORD = Record("@scope/name", "1.0.0", sha512(BODY), sha512(BODY), len(BODY), 0, "https://a.example/")


A, B = Source("https://a.example/"), Source("https://b.example/")
NPMS_OWN = Source(None, by_default=True)


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
    record = cache.recall("@scope/name", "1.0.0", A)
    assert record.integrity == RECORD.integrity
    assert cache.verified(record.integrity, record) == place
    assert cache.verified(record.integrity) == place


def test_what_it_does_not_have(cache):
    assert cache.recall("x", "1.0.0", A) is None
    assert cache.verified(sha512(b"other")) is None


def entry(cache):
    return next((cache.root / "index").glob("*/*"))


ODD: dict[str, object] = {
    "size": "9",
    "checked": None,
    "integrity": 5,
    "registry": [],
    "by_default": 1,
    "package": {},
    "stated": False,
}
DAMAGED = [
    *("", "{", "[]", "{}", '{"package": "x"}', '"x"', "null", "[" * 60_000, "9" * 5000, "\0", "x" * (1 << 17)),
    *(json.dumps({**asdict(RECORD), name: value}) for name, value in ODD.items()),
    json.dumps({**asdict(RECORD), "more": 1}),
]


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_index_entry_is_none(cache, text):
    store(cache)
    entry(cache).write_text(text)
    cache.prune()
    assert cache.recall("@scope/name", "1.0.0", A) is None


def test_an_index_entry_of_another_package_is_none(cache):
    store(cache)
    folder = entry(cache).parent
    folder.rename(folder.with_name("other@1.0.0"))
    assert cache.recall("other", "1.0.0", A) is None


@pytest.mark.parametrize("body", [b"", BODY[:-1], b"A tarball", BODY + b"."])
def test_a_damaged_file_is_thrown_away(cache, body):
    place = store(cache)
    place.write_bytes(body)
    os.utime(place, ns=(0, 0))
    with pytest.raises(DamagedError, match="thrown away"):
        cache.verified(RECORD.integrity, cache.recall("@scope/name", "1.0.0", A))
    assert not place.exists()


def test_a_file_that_was_only_touched_is_still_good(cache):
    place = store(cache)
    os.utime(place, ns=(5, 5))
    assert cache.verified(RECORD.integrity, cache.recall("@scope/name", "1.0.0", A)) == place
    assert cache.recall("@scope/name", "1.0.0", A).checked == 5


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
    store(cache, record=replace(RECORD, package="other", version="2.0.0"))
    assert len(list((cache.root / "content").rglob("*/*"))) == 1
    assert cache.recall("other", "2.0.0", A).integrity == cache.recall("@scope/name", "1.0.0", A).integrity


def test_what_one_registry_says_another_has_not_said(cache):
    store(cache)
    assert cache.recall("@scope/name", "1.0.0", A)
    assert cache.recall("@scope/name", "1.0.0", B) is None
    assert cache.recall("@scope/name", "1.0.0", NPMS_OWN) is None
    other = replace(RECORD, registry="https://b.example/", integrity=sha512(b"b"), stated=sha512(b"b"))
    store(cache, b"b", other)
    assert cache.recall("@scope/name", "1.0.0", A).integrity == RECORD.integrity
    assert cache.recall("@scope/name", "1.0.0", B).integrity == other.integrity
    store(cache, record=replace(RECORD, registry="https://c.example/", by_default=True))
    assert cache.recall("@scope/name", "1.0.0", NPMS_OWN).registry == "https://c.example/"


DAY = 24 * 3600


def aged(cache, version, days, size=9):
    """Put an entry into the cache that was last used some days ago."""
    body = version.encode().ljust(size, b".")
    record = replace(RECORD, version=version, integrity=sha512(body), stated=sha512(body))
    place = store(cache, body, record)
    then = time.time() - days * DAY
    for path in (place, *cache._index("@scope/name", version).iterdir()):
        os.utime(path, (then, then))
    return place, record


def test_what_was_not_used_for_long_goes(cache):
    old, record = aged(cache, "1.0.0", 31)
    new, _ = aged(cache, "2.0.0", 29)
    store(cache)
    assert (old.exists(), new.exists()) == (False, True)
    assert cache.recall("@scope/name", record.version, A).integrity == RECORD.integrity


def test_what_is_used_stays(cache):
    place, record = aged(cache, "3.0.0", 31)
    assert cache.verified(record.integrity, cache.recall("@scope/name", "3.0.0", A)) == place
    assert cache.prune() == ()
    assert place.exists()


def test_the_largest_size(cache, monkeypatch):
    monkeypatch.setattr("driftgate.anchors.cache._LARGEST", 250)
    places = [aged(cache, f"{number}.0.0", 5 - number, 100)[0] for number in range(4)]
    assert [place.exists() for place in places] == [False, False, True, True]
    used, _ = aged(cache, "9.0.0", 0, 1000)
    assert used.exists(), "what is being used is never removed"


def test_a_content_that_nothing_names_goes_too(cache):
    place, _ = aged(cache, "1.0.0", 31)
    entry(cache).unlink()
    assert cache.prune() == (place.name[:12],)


def test_a_cache_that_cannot_be_written_is_read(cache, monkeypatch):
    place = store(cache)
    record = cache.recall("@scope/name", "1.0.0", A)

    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("driftgate.anchors.cache.write_atomically", refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert cache.verified(record.integrity, replace(record, checked=1)) == place
    assert cache.verified(record.integrity, record) == place
