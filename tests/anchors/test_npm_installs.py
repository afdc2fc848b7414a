"""An archive is read as npm installs it, or refused; hundreds of them, with npm's answers recorded and asked anew."""

from __future__ import annotations

from functools import cache

import pytest

from driftgate.anchors.tarball import Tarball
from driftgate.errors import AnchorError
from tests.anchors.conftest import sha512
from tests.anchors.npm.installed import MIXTURES, ask_npm, recorded, short
from tests.anchors.npm.shapes import PACKED, SHAPES, tarballs

READ = {
    *("plain", "no end", "one zero block", "end, then new", "end, then garbage"),
    *("dot in front", "dot is the top", "folder before its file", "folder with a size"),
    *("symbolic link over it", "hard link over it", "link without a target", "linked folder", "device", "fifo"),
    *("contiguous", "old type", "no magic", "name of 100", "prefix", "prefix of 155", "prefix of 131 and times"),
    *("prefix under GNU", "prefix without magic", "size with spaces", "size in base 256", "size of nothing"),
    *("pax path", "pax path and prefix", "pax comment of lines", "pax size", "pax size smaller"),
    *("pax size of a folder", "long name", "long link on a link", "global comment"),
    *("note before nothing", "note of nothing", "not packed", "zeros behind", "named"),
}
"""The shapes that must be read. All others are refused."""


@cache
def every():
    return dict(tarballs(MIXTURES))


def reading(path, data):
    path.write_bytes(data)
    try:
        return {
            member.name.partition("/")[2]: short(member.read())
            for member in Tarball("x@1.0.0", path, sha512(data)).members()
        }
    except AnchorError:
        return None


@pytest.mark.parametrize("name", [*SHAPES, *PACKED])
def test_a_shape(tmp_path, name):
    read = reading(tmp_path / "x.tgz", every()[name])
    assert read == (recorded()[name] if name in READ else None)


def test_mixtures(tmp_path):
    mixtures = {name: data for name, data in every().items() if name.startswith("mixture")}
    read = {name: reading(tmp_path / "x.tgz", data) for name, data in mixtures.items()}
    installed = {name: files for name, files in read.items() if files is not None}
    assert installed == {name: recorded()[name] for name in installed}
    assert len(mixtures) == MIXTURES
    assert len(installed) > MIXTURES / 6


def test_the_shapes_that_are_read_are_there():
    assert {*SHAPES, *PACKED} >= READ


@pytest.mark.upstream
def test_npm_installs_what_is_recorded(tmp_path):
    more = 2 * MIXTURES
    answers = ask_npm(more)
    assert {name: answers[name] for name in recorded()} == recorded()
    for name, data in tarballs(more):
        read = reading(tmp_path / "x.tgz", data)
        assert read in (None, answers[name]), name
