from __future__ import annotations

import gzip
import json
import os

import pytest

from driftgate.anchors import FetchOptions
from driftgate.anchors.unpacked import SMALL
from driftgate.classifier.contract import HOOK_EVENTS
from driftgate.errors import AnchorError, ExitCode, UsageError
from driftgate.gate.observe import artefacts_of
from driftgate.gate.target import parse_target
from tests.anchors.conftest import pack, sha512
from tests.anchors.conftest import tar as make_tar

BUNDLE = f'var a=["{HOOK_EVENTS[0]}"];'.encode()
MAIN = "@anthropic-ai/claude-code"


def manifest(name=MAIN, version="2.1.112", **more):
    return json.dumps({"name": name, "version": version, **more}).encode()


def look(path, given=None):
    (found,) = artefacts_of(
        parse_target(given or str(path), path.parent), FetchOptions(offline=True, project=path.parent)
    )
    return found


def read(artefact):
    return {member.name: member.read() for member in artefact.open_members()}


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


FILES = [
    ("cli.js", b"#!/usr/bin/env node\n" + BUNDLE),
    ("sdk.mjs", b"export{}"),
    ("sdk.d.ts", b"export type A = 1"),
    ("claude", b"\x7fELF" + BUNDLE),
    ("claude.exe", b"MZ" + BUNDLE),
    ("program", b"\xcf\xfa\xed\xfe" + BUNDLE),
    ("large", b"\x7fELF" + bytes(SMALL)),
]


@pytest.mark.parametrize(("name", "content"), FILES)
def test_single_files(tmp_path, name, content):
    path = put(tmp_path / name, content)
    found = look(path)
    assert read(found) == {name: content}
    assert read(found) == {name: content}, "each pass reads anew"
    assert found.origin.integrity == sha512(content)
    assert (found.origin.package, found.upstream_version) == (None, None)
    assert str(found.origin) == str(path)


@pytest.mark.parametrize("place", ["cli.js", "bin/claude.exe"])
def test_a_file_of_a_package_is_named_by_it(tmp_path, place):
    put(tmp_path / "package.json", manifest())
    found = look(put(tmp_path / place, BUNDLE))
    assert (str(found.origin), found.upstream_version) == (f"{MAIN}@2.1.112", "2.1.112")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name": 1}', b"\xff"])
def test_a_package_json_that_says_nothing(tmp_path, content):
    put(tmp_path / "package.json", content)
    assert look(put(tmp_path / "cli.js", BUNDLE)).origin.package is None


def test_links_are_shown_with_where_they_lead(tmp_path):
    put(tmp_path / "package/package.json", manifest())
    real = put(tmp_path / "package/cli.js", BUNDLE)
    link = tmp_path / "claude"
    link.symlink_to(real)
    found = look(link)
    assert found.origin.location == f"{link} -> {real}"
    assert found.origin.version == "2.1.112"


def test_a_relative_path_is_shown_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "cli.js", BUNDLE)
    assert look(tmp_path / "cli.js", "./cli.js").origin.location == "./cli.js"


SDK = "@anthropic-ai/claude-agent-sdk"
PACKAGES = [
    ({"package.json": manifest(), "cli.js": b"c", "vendor/x": b"v"}, f"{MAIN}@2.1.112", "2.1.112", ["cli.js"]),
    ({"cli.js": b"c", "package.json": manifest()}, f"{MAIN}@2.1.112", "2.1.112", ["cli.js"]),
    (
        {"package.json": manifest(SDK, "0.3.296", claudeCodeVersion="2.1.296"), "sdk.mjs": b"s", "bridge.mjs": b"b"},
        f"{SDK}@0.3.296",
        "2.1.296",
        ["sdk.mjs"],
    ),
    ({"package.json": manifest(SDK, "0.1.42"), "sdk.mjs": b"s"}, f"{SDK}@0.1.42", "2.0.42", ["sdk.mjs"]),
    ({"package.json": manifest("other", "1.0.0"), "x.js": b"x"}, "other@1.0.0", None, ["package.json", "x.js"]),
    ({"x.js": b"x"}, None, None, ["x.js"]),
]


@pytest.mark.parametrize(("files", "name", "release", "members"), PACKAGES)
def test_tarballs(tmp_path, files, name, release, members):
    path = put(tmp_path / "x.tgz", pack(files))
    found = look(path)
    assert str(found.origin) == (name or str(path))
    assert found.upstream_version == release
    assert found.origin.integrity == sha512(path.read_bytes())
    assert list(read(found)) == [f"package/{member}" for member in members]


def test_a_plain_tar_archive_under_any_name(tmp_path):
    path = put(tmp_path / "x.bin", make_tar({"package/package.json": manifest(), "package/cli.js": b"c"}))
    assert read(look(path, "./x.bin")) == {"package/cli.js": b"c"}


def test_a_tarball_that_changes_meanwhile(tmp_path):
    path = put(tmp_path / "x.tgz", pack({"cli.js": b"c"}))
    found = look(path)
    path.write_bytes(pack({"cli.js": b"d"}))
    with pytest.raises(AnchorError, match="it changed meanwhile"):
        read(found)


class TestFolders:
    def test_a_known_package(self, tmp_path):
        put(tmp_path / "p/package.json", manifest())
        put(tmp_path / "p/cli.js", BUNDLE)
        put(tmp_path / "p/vendor/x.js", b"v")
        found = look(tmp_path / "p")
        assert (str(found.origin), found.upstream_version) == (f"{MAIN}@2.1.112", "2.1.112")
        assert read(found) == {"cli.js": BUNDLE}

    def test_an_installed_one_holds_the_program(self, tmp_path):
        put(tmp_path / "p/package.json", manifest(version="2.1.332"))
        put(tmp_path / "p/bin/claude.exe", bytes(SMALL))
        put(tmp_path / "p/node_modules/x/cli.js", b"not this")
        assert list(read(look(tmp_path / "p"))) == ["bin/claude.exe"]

    def test_a_stub(self, tmp_path):
        put(tmp_path / "p/package.json", manifest(version="2.1.332"))
        put(tmp_path / "p/bin/claude.exe", b"echo")
        with pytest.raises(AnchorError, match="is a stub without a script"):
            look(tmp_path / "p")

    def test_an_unknown_one(self, tmp_path):
        put(tmp_path / "p/package.json", manifest("other", "1.0.0"))
        for name in ("b.mjs", "a/x.d.ts", "README.md", "node_modules/y.js", ".git/z.js"):
            put(tmp_path / "p" / name, b"x")
        found = look(tmp_path / "p")
        assert (str(found.origin), list(read(found))) == ("other@1.0.0", ["b.mjs", "a/x.d.ts"])

    def test_the_folder_around_an_unpacked_tarball(self, tmp_path):
        put(tmp_path / "p/package/package.json", manifest())
        put(tmp_path / "p/package/cli.js", BUNDLE)
        assert read(look(tmp_path / "p")) == {"cli.js": BUNDLE}

    @pytest.mark.parametrize("name", ["package.json", "README.md", "a.js"])
    def test_one_with_nothing(self, tmp_path, name):
        put(tmp_path / "p" / name, b"{}")
        with pytest.raises(AnchorError, match="no package folder that has anything to read"):
            look(tmp_path / "p")


def test_a_package_json_of_somebody_else_names_nothing(tmp_path):
    put(tmp_path / "package.json", manifest("my-project", "1.0.0"))
    assert look(put(tmp_path / "cli.js", BUNDLE)).origin.package is None


def test_a_file_that_changes_while_it_is_read(tmp_path):
    path = put(tmp_path / "cli.js", BUNDLE)
    (member,) = look(path).open_members()
    next(member.chunks)
    path.write_bytes(BUNDLE + b" ")
    with pytest.raises(AnchorError, match="changed while it was read"):
        member.read()


def test_a_file_that_is_gone(tmp_path):
    path = put(tmp_path / "cli.js", BUNDLE)
    (member,) = look(path).open_members()
    path.unlink()
    with pytest.raises(AnchorError, match="cannot read a file"):
        member.read()


def error(path, given=None):
    with pytest.raises(AnchorError) as caught:
        look(path, given)
    assert caught.value.code is ExitCode.BLIND
    return str(caught.value)


def test_nothing_there(tmp_path):
    with pytest.raises(UsageError, match=r"there is no \./cli\.js"):
        look(tmp_path / "cli.js", "./cli.js")


def test_nothing_below_a_file(tmp_path):
    put(tmp_path / "x", b"x")
    with pytest.raises(UsageError, match="there is no"):
        look(tmp_path / "x/cli.js")


def test_links_that_lead_in_a_circle(tmp_path):
    (tmp_path / "cli.js").symlink_to(tmp_path / "cli.js")
    assert "cannot read" in error(tmp_path / "cli.js")


def test_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "cli.js")
    assert "is no file" in error(tmp_path / "cli.js")


@pytest.mark.parametrize("name", ["x.tgz", "cli.js", "sdk.d.ts", "claude"])
def test_an_empty_file(tmp_path, name):
    assert "is empty" in error(put(tmp_path / name, b""))


WRAPPERS = [
    (b"#!/bin/sh\nexec /nix/store/x/claude\n", "a script wrapper, not a bundle"),
    (b"#!/usr/bin/env bash\n" + b"#" * 20_000, "a script wrapper, not a bundle"),
    (b"\xcf\xfa\xed\xfe" + bytes(400), "a Mach-O program too small to be the real one, not a bundle"),
    (b"\x7fELF" + bytes(16_000), "an ELF program too small to be the real one, not a bundle"),
    (b"exec /opt/claude\n", "a file of no known kind, not a bundle"),
    (b"MZ" + bytes(500), "a Windows program too small to be the real one, not a bundle"),
]


@pytest.mark.parametrize(("content", "said"), WRAPPERS)
def test_c13_a_wrapper(tmp_path, content, said):
    real = put(tmp_path / "store/claude", content)
    link = tmp_path / "claude"
    link.symlink_to(real)
    message = error(link)
    assert f"{link} is {len(content)} bytes: {said}" in message
    assert f"{link} -> {real}" in message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!DOCTYPE html><html>404", "a web page"),
        (b'{"error": "not found"}', "a web page"),
        (b"PK\x03\x04", "a file of no known kind"),
        (b"\x7fELF", "an ELF program"),
    ],
)
def test_a_tarball_that_is_none(tmp_path, content, said):
    message = error(put(tmp_path / "x.tgz", content))
    assert "is not a tarball" in message
    assert f"{len(content)} bytes that look like {said}" in message


@pytest.mark.parametrize("cut", [20, 100, -4])
def test_a_truncated_tarball(tmp_path, cut):
    body = pack({"package.json": manifest(), "cli.js": bytes(range(256)) * 40})
    with pytest.raises(AnchorError, match="truncated"):
        read(look(put(tmp_path / "x.tgz", body[:cut])))


def test_a_tarball_with_a_path_that_leads_outside(tmp_path):
    body = gzip.compress(make_tar({"package/../../../etc/passwd": b"x"}))
    assert "a path that it must not" in error(put(tmp_path / "x.tgz", body))
    assert [path.name for path in tmp_path.iterdir()] == ["x.tgz"]


def test_a_stub_tarball(tmp_path):
    body = pack({"package.json": manifest(version="2.1.332"), "bin/claude.exe": b"echo"})
    assert "is a stub without a script" in error(put(tmp_path / "x.tgz", body))
