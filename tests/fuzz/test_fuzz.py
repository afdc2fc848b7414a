"""Every crash that was found stays an input; and a few new ones each time, other for each day's seed."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz.__main__ import CRASHES, fault_of, fuzz
from tests.fuzz.bounds import HOSTILE, MOST_MEMORY, MOST_TIME, measure
from tests.fuzz.targets import TARGETS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="alarms")
KEPT = sorted(path for path in CRASHES.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=[f"{path.parent.name}/{path.name}" for path in KEPT])
def test_what_a_reader_once_fell_over(path):
    assert fault_of(TARGETS[path.parent.name], path.read_bytes()) is None


@pytest.mark.parametrize(
    "name", ["tar", "gzip", "npmrc", "metadata", "canonical", "snapshot", "yml", "toml", "settings"]
)
def test_a_few_more(name, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.fuzz.__main__.CRASHES", tmp_path)
    assert fuzz(TARGETS[name], 60, 7) == {}


@pytest.mark.parametrize(
    "name", ["pax records", "a gigabyte of zeros", "aliases", "TOML of dots", "Python that doubles"]
)
def test_a_sample_of_the_bounds(name, tmp_path):
    file, make = HOSTILE[name]
    (tmp_path / file).write_bytes(make())
    code, seconds, memory, said = measure(tmp_path / file)
    assert code in (0, 1, 2, 3)
    assert "Traceback" not in said
    assert "does not know" not in said
    assert seconds < MOST_TIME
    assert memory < MOST_MEMORY
