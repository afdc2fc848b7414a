from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import threading
import time

import pytest

from driftgate.anchors import stream, tar
from driftgate.anchors.stream import ArchiveError, ahead, inflate
from driftgate.anchors.tarball import Stated, Tarball, survey
from driftgate.errors import AnchorError
from tests.anchors.conftest import pack, sha512
from tests.anchors.conftest import tar as make_tar

FILES = {
    "p/a": b"",
    "p/b/c.js": b"x" * 1000,
    "p/d": os.urandom(5000),
    "p/é": b"\n",
    "p/l/" + "o" * 90 + "/" + "n" * 90: b"g",
}


def in_pieces(data, size):
    return (data[start : start + size] for start in range(0, len(data), size))


def contents(pieces):
    return {entry.name: b"".join(entry.chunks) for entry in tar.entries(pieces)}


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize("size", [1, 7, 511, 512, 513, 4096, 1 << 20])
def test_every_form_in_pieces_of_every_size(form, size):
    files = {**FILES, "p" * 60 + "/" + "v" * 99: b"ustar prefix"}
    assert contents(in_pieces(make_tar(files, form=form), size)) == files


def test_members_that_are_not_read_are_skipped():
    names = []
    for entry in tar.entries(in_pieces(make_tar(FILES), 700)):
        names.append(entry.name)
        if entry.name == "p/d":
            next(entry.chunks)
    assert names == list(FILES)


def test_only_regular_files_count():
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, kind in (("p/link", tarfile.SYMTYPE), ("p/hard", tarfile.LNKTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        archive.addfile(tarfile.TarInfo("p/file"))
    assert contents([raw.getvalue()]) == {"p/file": b""}


BAD_NAMES = ["../x", "a/../../x", "/etc/passwd", "C:/x", "p/C:/x", "a\\..\\x", "a/..", "a\nb", "x\x1b[31m"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_paths_that_lead_outside(name):
    with pytest.raises(ArchiveError, match="a path that it must not"):
        contents([make_tar({name: b"x"})])


def damaged(data, at, new):
    return data[:at] + new + data[at + len(new) :]


ONE = make_tar({"package/a": b"x" * 2000})
BAD_ARCHIVES = [
    (b"<html>not found</html>" * 100, "not a tar header"),
    (b"x", "truncated"),
    (ONE[:511], "truncated"),
    (ONE[:600], "truncated"),
    (ONE[:2500], "truncated"),
    (damaged(ONE, 0, b"P"), "checksum"),
    (bytes(1024), "no files"),
    (b"", "no files"),
    (make_tar({}), "no files"),
]


@pytest.mark.parametrize(("data", "said"), BAD_ARCHIVES)
def test_what_is_no_archive(data, said):
    with pytest.raises(ArchiveError, match=said):
        contents([data])


def header(**changes):
    info = tarfile.TarInfo("p/a")
    for name, value in changes.items():
        setattr(info, name, value)
    return info.tobuf(tarfile.GNU_FORMAT)


def test_a_bomb_of_size(monkeypatch):
    monkeypatch.setattr(tar, "_MOST_BYTES", 10_000)
    with pytest.raises(ArchiveError, match="unpacks to more"):
        contents(in_pieces(header(size=1 << 40) + bytes(20_000), 1000))


def test_a_bomb_of_number(monkeypatch):
    monkeypatch.setattr(tar, "_MOST_MEMBERS", 3)
    with pytest.raises(ArchiveError, match="more than 3 files"):
        contents([make_tar(FILES)])


def test_a_long_name_that_is_too_long():
    with pytest.raises(ArchiveError, match="bytes long"):
        contents([header(type=tarfile.GNUTYPE_LONGNAME, size=1 << 30)])


@pytest.mark.parametrize("note", [b"nonsense", b"5 a=", b"999 path=x\n", b"0 path=x\n", b" path=x\n"])
def test_a_pax_header_that_is_malformed(note):
    with pytest.raises(ArchiveError, match="pax"):
        contents([header(type=tarfile.XHDTYPE, size=len(note)) + note.ljust(512, b"\0")])


@pytest.fixture(params=["isal", "zlib"])
def library(request, monkeypatch):
    if request.param == "zlib":
        monkeypatch.setitem(__import__("sys").modules, "isal", None)
    else:
        pytest.importorskip("isal")
    assert (stream._inflate_library()[0] is stream._Zlib) == (request.param == "zlib")


@pytest.mark.usefixtures("library")
class TestInflate:
    DATA = os.urandom(3000) + bytes(10_000_000)

    @pytest.mark.parametrize("size", [1, 999, 1 << 20])
    def test_in_pieces_of_every_size(self, size):
        packed = gzip.compress(self.DATA)
        pieces = list(inflate(in_pieces(packed, size)))
        assert b"".join(pieces) == self.DATA
        assert max(map(len, pieces)) <= stream.PIECE

    @pytest.mark.parametrize("size", [1, 3, 1 << 20])
    def test_padding(self, size):
        packed = gzip.compress(b"a", mtime=0) + bytes(100)
        assert b"".join(inflate(in_pieces(packed, size))) == b"a"

    @pytest.mark.parametrize("size", [1, 3, 21, 22, 1 << 20])
    @pytest.mark.parametrize(
        "behind",
        [gzip.compress(b"b"), bytes(9) + gzip.compress(b"b"), b"\x1f", b"garbage"],
        ids=["a stream", "zeros and a stream", "half a mark", "garbage"],  # a stream holds the time of day
    )
    def test_more_behind_its_end(self, size, behind):
        with pytest.raises(ArchiveError, match="more bytes follow"):
            list(inflate(in_pieces(gzip.compress(b"a", mtime=0) + behind, size)))

    @pytest.mark.parametrize("end", [5, 20, -9, -1])
    def test_truncated(self, end):
        with pytest.raises(ArchiveError, match="truncated"):
            list(inflate([gzip.compress(self.DATA)[:end]]))

    def test_damaged(self):
        packed = bytearray(gzip.compress(self.DATA))
        packed[1000] ^= 0xFF
        with pytest.raises(ArchiveError, match="damaged"):
            list(inflate([bytes(packed)]))

    def test_memory_stays_bounded(self):
        bomb = gzip.compress(bytes(50_000_000))
        assert max(map(len, inflate([bomb]))) <= stream.PIECE


class TestAhead:
    def test_order(self):
        assert list(ahead(iter(range(100)))) == list(range(100))
        assert list(ahead([])) == []

    def test_bounded(self):
        taken = []

        def source():
            for number in range(100):
                taken.append(number)
                yield number

        items = ahead(source(), depth=3)
        assert next(items) == 0
        items.close()
        assert len(taken) <= 5

    def test_failures_come_out_in_their_place(self):
        def source():
            yield 1
            raise ArchiveError("broken")

        items = ahead(source())
        assert next(items) == 1
        with pytest.raises(ArchiveError, match="broken"):
            next(items)

    def test_no_thread_is_left(self):
        before = threading.active_count()
        items = ahead(iter(range(100)))
        next(items)
        items.close()
        assert threading.active_count() == before


BODY = pack({"package.json": b'{"name": "x"}', "cli.js": b"y" * 3_000_000, "lib/z.json": b"{}"})


@pytest.fixture
def tarball(tmp_path):
    def make(body=BODY, integrity=None, **more):
        path = tmp_path / "x.tgz"
        path.write_bytes(body)
        return Tarball("x@1.0.0", path, integrity or sha512(body), **more)

    return make


def run(tarball, *, read):
    """Make a pass, reading the members or passing them over."""
    for member in tarball.members():
        if read:
            member.read()


class TestTarball:
    def test_one_pass(self, tarball):
        made = tarball()
        for _ in range(2):
            assert {member.name: len(member.read()) for member in made.members()} == {
                "package/package.json": 13,
                "package/cli.js": 3_000_000,
                "package/lib/z.json": 2,
            }

    def test_only_what_is_wanted(self, tarball):
        members = tarball(wanted=lambda name: name == "cli.js").members()
        assert [(member.name, member.size) for member in members] == [("package/cli.js", 3_000_000)]

    def test_a_plain_tar_archive(self, tarball):
        members = tarball(make_tar({"package/a": b"1"})).members()
        assert [member.read() for member in members] == [b"1"]

    @pytest.mark.parametrize("read", [True, False])
    def test_wrong_bytes_are_told_at_the_end(self, tarball, read):
        made = tarball(integrity=sha512(b"other"), damaged=lambda: "do this next")
        with pytest.raises(AnchorError) as caught:
            run(made, read=read)
        for part in ("x@1.0.0", str(made.path), sha512(b"other"), sha512(BODY), f"({len(BODY)} bytes)", "do this next"):
            assert part in str(caught.value)

    def test_wrong_bytes_are_the_fault_even_where_the_archive_is_broken_too(self, tarball):
        with pytest.raises(AnchorError, match="does not have the integrity"):
            list(tarball(BODY[:-100], integrity=sha512(BODY)).members())

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (b"", "it is empty"),
            (BODY[: len(BODY) // 2], "truncated"),
            (BODY[:-3], "truncated"),
            (b"<!DOCTYPE html>" * 100, "not a tar header"),
            (gzip.compress(b"<!DOCTYPE html>" * 100, mtime=0), "not a tar header"),
            (gzip.compress(b"", mtime=0), "no files"),
            (pack({}), "no files"),
            (pack({"../../x": b""}), "a path that it must not"),
        ],
    )
    def test_what_cannot_be_read(self, tarball, body, said):
        made = tarball(body)
        with pytest.raises(AnchorError) as caught:
            list(made.members())
        for part in (said, "x@1.0.0", str(made.path), f"({len(body)} bytes)"):
            assert part in str(caught.value)

    def test_a_file_that_is_gone(self, tarball):
        made = tarball()
        made.path.unlink()
        with pytest.raises(AnchorError, match=r"cannot read x@1\.0\.0"):
            list(made.members())

    def test_a_pass_that_is_given_up_leaves_nothing_behind(self, tarball):
        before = threading.active_count()
        members = tarball().members()
        next(next(members).chunks)
        members.close()
        assert threading.active_count() == before

    PROGRAM = hashlib.sha256(b"y" * 3_000_000).hexdigest()

    @pytest.mark.parametrize("read", [True, False])
    def test_a_member_is_what_another_artefact_states(self, tarball, read):
        run(tarball(stated=Stated("cli.js", self.PROGRAM, 3_000_000, "sdk@1")), read=read)

    @pytest.mark.parametrize("read", [True, False])
    @pytest.mark.parametrize(
        "stated", [Stated("cli.js", "0" * 64, 3_000_000, "sdk@1"), Stated("cli.js", PROGRAM, 3, "sdk@1")]
    )
    def test_a_member_is_not_what_another_artefact_states(self, tarball, stated, read):
        with pytest.raises(AnchorError) as caught:
            run(tarball(stated=stated), read=read)
        for part in ("cli.js is not the program that sdk@1 states", stated.sha256, self.PROGRAM):
            assert part in str(caught.value)

    def test_a_stated_member_that_is_missing(self, tarball):
        with pytest.raises(AnchorError, match=r"no claude\.exe, which sdk@1 states"):
            list(tarball(stated=Stated("claude.exe", self.PROGRAM, 1, "sdk@1")).members())

    def test_giving_up_within_a_compared_member(self, tarball):
        before = threading.active_count()
        members = tarball(stated=Stated("cli.js", self.PROGRAM, 3_000_000, "sdk@1")).members()
        chosen = next(member for member in members if member.name.endswith("cli.js"))
        next(chosen.chunks)
        members.close()
        assert threading.active_count() == before


def test_survey(tarball):
    made = tarball()
    expected = {"package.json": b'{"name": "x"}'}
    for names in (["package.json"], ["package.json", "manifest.json"]):
        assert survey(made.name, made.path, frozenset(names)) == (sha512(BODY), expected)


def test_every_cut(tarball):
    """A truncated tarball is told as such wherever it ends, also to who reads the members."""
    body = pack({"package.json": b"{}", "cli.js": os.urandom(9000), "sdk.mjs": b"x" * 9000})
    for end in range(1, len(body), 97):
        made = tarball(body[:end])
        for read in (True, False):
            with pytest.raises(AnchorError, match=r"cannot be read: (its gzip|it ends|it is truncated)"):
                run(made, read=read)


def test_a_cut_of_damaged_bytes_is_their_fault(tarball):
    with pytest.raises(AnchorError, match="does not have the integrity"):
        run(tarball(BODY[:-1000], integrity=sha512(BODY)), read=True)


def test_a_plain_archive_that_unpacks_to_too_much_is_told_to_who_reads_it(tarball, monkeypatch):
    monkeypatch.setattr(tar, "_MOST_BYTES", 100_000)
    made = tarball(gzip.compress(make_tar({"package/a": bytes(20_000_000)})))
    before = threading.active_count()
    with pytest.raises(AnchorError, match="unpacks to more"):
        run(made, read=True)
    assert threading.active_count() == before


def test_pax_notes_are_read_in_linear_time():
    """8 KB took 26 s when the rest was copied for each record; this is a megabyte of them."""
    records = b"".join(b"13 k%07d=\n" % n for n in range(80_000))
    started = time.process_time()
    raw = header(type=tarfile.XHDTYPE, size=len(records)) + records + bytes(-len(records) % 512)
    assert contents([raw + make_tar({"p/a": b"1"})]) == {"p/a": b"1"}
    assert time.process_time() - started < 5
