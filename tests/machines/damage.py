"""A real tarball, cut off and damaged at many places: each time the fault is named, and nothing is read as good."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from driftgate.anchors.integrity import sri
from driftgate.anchors.local import find_local
from driftgate.anchors.tarball import Tarball
from driftgate.anchors.unavailable import DamagedError
from driftgate.errors import AnchorError
from tests.machines.rounds import Result

_PLACES = 200


def damage(folder: Path, tarball: Path, chosen: random.Random) -> Result:
    """Cut and damage `tarball` at random places, and read what is left as a cached copy and as a local file."""
    result = Result()
    good = tarball.read_bytes()
    integrity = sri("sha512", hashlib.sha512(good).digest())
    copy = folder / "copy.tgz"
    for number in range(_PLACES):
        at = chosen.randrange(1, len(good))
        flipped = good[:at] + bytes([good[at] ^ 1 << number % 8]) + good[at + 1 :]
        for how, data in (("cut", good[:at]), ("flipped", flipped)):
            copy.write_bytes(data)
            result.ended += 1
            found = (_cached(copy, integrity), _local(copy, cut=how == "cut"))
            result.faults += [f"{how} at {at}: {fault}" for fault in found if fault]
    return result


def _cached(copy: Path, integrity: str) -> str:
    try:
        for member in Tarball("x@1.0.0", copy, integrity).members():
            for _ in member.chunks:
                pass
    except DamagedError:
        return ""
    except AnchorError as problem:
        return f"another fault was named: {problem}"
    return "taken for good"


def _local(copy: Path, *, cut: bool) -> str:
    """A local file has no integrity to be held against: what is flipped may be an archive, what is cut is none."""
    try:
        for member in find_local(str(copy), copy).open_members():
            for _ in member.chunks:
                pass
    except AnchorError:
        return ""
    return "read whole" if cut else ""
