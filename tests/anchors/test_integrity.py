from __future__ import annotations

import hashlib

import pytest

from driftgate.anchors.integrity import Digests, Integrity, of_shasum, sri

STRONG = sri("sha512", hashlib.sha512(b"x").digest())
WEAK = sri("sha1", hashlib.sha1(b"x", usedforsecurity=False).digest())


@pytest.mark.parametrize(
    ("text", "algorithm"),
    [(STRONG, "sha512"), (WEAK, "sha1"), (f"{WEAK} {STRONG}", "sha512"), (f"{STRONG}?option", "sha512")],
)
def test_the_strongest_statement_counts(text, algorithm):
    parsed = Integrity.parse(text)
    assert parsed is not None
    assert parsed.algorithm == algorithm
    digests = Digests([algorithm])
    digests.feed(b"x")
    assert parsed.allows(digests[algorithm])
    assert digests.sri(algorithm) in str(parsed)


@pytest.mark.parametrize("text", ["", "sha512-", "sha512-AAAA", "md5-AAAA", "sha512-@@@", STRONG[:-4], "nonsense"])
def test_what_states_nothing(text):
    assert Integrity.parse(text) is None


def test_one_of_several_digests_is_enough():
    both = Integrity.parse(f"{STRONG} {sri('sha512', hashlib.sha512(b'y').digest())}")
    assert both is not None
    assert both.allows(hashlib.sha512(b"y").digest())
    assert not both.allows(hashlib.sha512(b"z").digest())


def test_contradiction():
    strong, weak = Integrity.parse(STRONG), Integrity.parse(WEAK)
    other = Integrity.parse(sri("sha512", hashlib.sha512(b"y").digest()))
    assert strong
    assert weak
    assert other
    assert strong.contradicts(other)
    assert not strong.contradicts(strong)
    assert not strong.contradicts(weak)


def test_shasum():
    parsed = of_shasum(hashlib.sha1(b"x", usedforsecurity=False).hexdigest())
    assert str(parsed) == WEAK
    assert of_shasum("zz") is None
    assert of_shasum("00") is None
