"""A seeded sample of drifts over small mirrors in every language and style."""

import zlib

import pytest

from tests.adopt.cases import CASES
from tests.adopt.drifts import Mirror, drifts, tried


@pytest.mark.parametrize(("name", "text", "at"), CASES.values(), ids=CASES)
def test_a_drift_is_adopted_and_nothing_else_changes(tmp_path, name, text, at):
    (tmp_path / name).write_bytes(text.encode())
    mirror = Mirror(tmp_path, f"{name}#{at}")
    members = mirror.members()
    assert len(members) == 7
    for drift in drifts(members, 6, zlib.crc32(f"{name}{at}{text}".encode())):
        outcome = tried(mirror, drift)
        assert outcome.wrong == "", (drift, outcome.text)
    assert mirror.adopted(members).changes == ()
