from __future__ import annotations

import base64
import hashlib
import json
import multiprocessing
import os
import socket
from dataclasses import replace

import pytest

from driftgate.anchors import FetchOptions, latest_version, package_metadata, published_versions
from driftgate.anchors.unavailable import RefusedError
from driftgate.errors import AnchorError, ConfigError, ExitCode
from driftgate.gate.observe import artefacts_of
from driftgate.gate.target import parse_target
from tests.anchors.conftest import Answer, kept, pack, sha512

MAIN = "@anthropic-ai/claude-code"
SDK = "@anthropic-ai/claude-agent-sdk"
LINUX = f"{MAIN}-linux-x64"
MAC = f"{MAIN}-darwin-arm64"
PROGRAM = b"\x7fELF" + b"p" * 5000


def manifest(program=PROGRAM, **changes):
    said = {"binary": "claude", "checksum": hashlib.sha256(program).hexdigest(), "size": len(program)}
    return json.dumps({"platforms": {"linux-x64": said | changes, "darwin-arm64": said}}).encode()


def release(registry, version="2.1.296", *, sdk=True, natives=(LINUX, MAC), said=None):
    """Publish a release as it is published today."""
    registry.publish(MAIN, version, {"install.cjs": b""})
    if sdk:
        files = {"sdk.mjs": b"sdk", "manifest.json": said or manifest(), "bridge.mjs": b"b", "sdk.d.ts": b"d"}
        registry.publish(SDK, version.replace("2.1.", "0.3."), files, manifest={"claudeCodeVersion": version})
    for name in natives:
        registry.publish(name, version, {"claude": PROGRAM, "README.md": b"r"})


def look(text, options, **more):
    return artefacts_of(parse_target(text, options.project), options, **more)


def read(artefact):
    return {member.name: member.read() for member in artefact.open_members()}


def error(text, options, **more):
    with pytest.raises(AnchorError) as caught:
        look(text, options, **more)
    assert caught.value.code is ExitCode.BLIND
    return str(caught.value)


class TestReleases:
    def test_today_the_sdk_is_the_anchor(self, registry, options):
        release(registry)
        (found,) = look("2.1.296", options)
        assert (found.origin.package, found.origin.version, found.upstream_version) == (SDK, "0.3.296", "2.1.296")
        assert found.origin.integrity == sha512(registry.tarballs[f"{SDK}@0.3.296"])
        assert read(found) == {"package/sdk.mjs": b"sdk", "package/sdk.d.ts": b"d"}
        assert registry.host not in str(found)

    def test_latest(self, registry, options):
        release(registry, "2.1.332")
        assert look("latest", options)[0].upstream_version == "2.1.332"
        assert latest_version(options) == "2.1.332"

    @pytest.mark.parametrize("version", ["3.0.0-beta.1", "nonsense", "../../x"])
    def test_a_latest_that_is_no_release(self, registry, options, version):
        registry.publish(MAIN, version)
        error("latest", options)
        assert kept(options) == []

    def test_deep_reads_the_program_too(self, registry, options):
        release(registry)
        sdk, native = look("2.1.296", options, deep=True)
        assert (sdk.origin.package, native.origin.package) == (SDK, LINUX)
        assert native.upstream_version == "2.1.296"
        assert read(native) == {"package/claude": PROGRAM}

    @pytest.mark.parametrize("change", [{"checksum": "0" * 64}, {"size": 1}, {"binary": "claude2"}])
    def test_the_program_must_be_the_one_that_the_sdk_states(self, registry, options, change):
        release(registry, said=manifest(**change))
        _, native = look("2.1.296", options, deep=True)
        with pytest.raises(AnchorError, match=r"manifest\.json states"):
            read(native)

    @pytest.mark.parametrize("said", [b"", b"[]", b"{}", b'{"platforms": []}', b'{"platforms": {"linux-x64": 1}}'])
    def test_an_sdk_that_states_nothing_of_the_program(self, registry, options, said):
        release(registry, said=said)
        _, native = look("2.1.296", options, deep=True)
        assert read(native) == {"package/claude": PROGRAM}

    @pytest.mark.parametrize("version", ["1.0.23", "2.0.0", "2.1.112"])
    def test_formerly_the_script_was_the_anchor(self, registry, options, version):
        registry.publish(MAIN, version, {"cli.js": b"cli", "vendor/rg": b"x"})
        (found,) = look(version, options)
        assert (found.origin.package, found.upstream_version) == (MAIN, version)
        assert read(found) == {"package/cli.js": b"cli"}

    @pytest.mark.parametrize(("version", "other"), [("2.0.42", "0.1.42"), ("2.1.112", "0.2.112")])
    def test_formerly_deep_read_the_sdk_too(self, registry, options, version, other):
        registry.publish(MAIN, version, {"cli.js": b"cli"})
        registry.publish(SDK, other, {"cli.js": b"cli", "sdk.d.ts": b"d"})
        first, second = look(version, options, deep=True)
        assert (first.origin.package, second.origin.version, second.upstream_version) == (MAIN, other, version)

    def test_deep_where_there_is_no_second_one(self, registry, options):
        registry.publish(MAIN, "2.0.1", {"cli.js": b"cli"})
        assert f"{SDK}@0.1.1: not published (404)" in error("2.0.1", options, deep=True)
        assert len(look("2.0.1", options)) == 1

    def test_deep_where_there_never_was_a_second_one(self, registry, options):
        registry.publish(MAIN, "1.0.100", {"cli.js": b"cli"})
        assert "has no second artefact that --deep could read" in error("1.0.100", options, deep=True)

    def test_between_only_the_program_has_the_schema(self, registry, options):
        registry.publish(MAIN, "2.1.113", {})
        registry.publish(LINUX, "2.1.113", {"claude": PROGRAM})
        registry.publish(SDK, "0.2.113", {"sdk.d.ts": b"d", "manifest.json": manifest()})
        assert [found.origin.package for found in look("2.1.113", options)] == [LINUX]
        assert [found.origin.package for found in look("2.1.113", options, deep=True)] == [LINUX, SDK]

    def test_a_release_that_is_numbered_otherwise_is_found_by_what_it_says(self, registry, options):
        said = registry.publish(SDK, "0.4.0", {"sdk.mjs": b"s"}, manifest={"claudeCodeVersion": "2.2.0"})
        registry.set(f"/{SDK}", Answer(body=json.dumps({"versions": {"0.4.0": said}}).encode()))
        (found,) = look("2.2.0", options)
        assert (found.origin.version, found.upstream_version) == ("0.4.0", "2.2.0")

    def test_a_package_that_says_that_it_is_another_release_is_not_taken(self, registry, options):
        registry.publish(MAIN, "2.1.296")
        registry.publish(SDK, "0.3.296", {"sdk.mjs": b"s"}, manifest={"claudeCodeVersion": "2.1.295"})
        assert f"{SDK}@0.3.296 says that it belongs to Claude Code 2.1.295" in error("2.1.296", options)

    def test_a_release_that_is_numbered_otherwise_is_not_guessed_offline(self, options):
        assert "cannot be known" in error("2.2.0", replace(options, offline=True))

    def test_a_release_that_nothing_says_to_be(self, registry, options):
        registry.set(f"/{SDK}", Answer(body=b'{"versions": {"0.3.1": {"claudeCodeVersion": "2.1.1"}, "0.3.2": null}}'))
        assert f"{SDK}@(2.2.0): 404 from {registry.host}" in error("2.2.0", options)


class TestPackages:
    def test_of_a_program(self, registry, options):
        release(registry)
        (found,) = look(f"npm:{LINUX}@2.1.296", options)
        assert (found.upstream_version, list(read(found))) == ("2.1.296", ["package/claude"])
        (found,) = look(f"npm:{SDK}@latest", options)
        assert (found.origin.version, found.upstream_version) == ("0.3.296", "2.1.296")

    def test_of_somebody_else(self, registry, options):
        registry.publish("schema", "1.2.3", {"index.js": b"i"})
        (found,) = look("npm:schema@1.2.3", options)
        assert (str(found.origin), found.upstream_version) == ("schema@1.2.3", None)
        assert list(read(found)) == ["package/package.json", "package/index.js"]

    def test_a_registry_that_answers_only_for_whole_packages(self, registry, options):
        said = registry.publish("schema", "1.2.3")
        for path in ("/schema/1.2.3", "/schema/latest"):
            del registry.answers[path]
        whole = {"versions": {"1.2.3": said, "1.10.0": said, "2.0.0-rc.1": said}, "dist-tags": {"latest": "1.2.3"}}
        registry.set("/schema", Answer(body=json.dumps(whole).encode()))
        for version in ("1.2.3", "latest"):
            assert look(f"npm:schema@{version}", options)[0].origin.version == "1.2.3"
        assert published_versions("schema", options) == ("1.2.3", "1.10.0")
        assert package_metadata("schema", options)["dist-tags"] == {"latest": "1.2.3"}

    def test_an_old_package_that_states_only_a_sha1(self, registry, options):
        body = pack({"package.json": b'{"name": "old", "version": "1.0.0"}'})
        sha1 = hashlib.sha1(body, usedforsecurity=False).hexdigest()
        registry.publish("old", "1.0.0", integrity=None, shasum=sha1)
        (found,) = look("npm:old@1.0.0", options)
        assert found.origin.integrity == sha512(registry.tarballs["old@1.0.0"])
        before = len(registry.asked)
        look("npm:old@1.0.0", options)
        assert len(registry.asked) == before + 1, "the tarball is cached"

    def test_an_old_package_whose_sha1_is_wrong(self, registry, options):
        registry.publish("old", "1.0.0", integrity=None, shasum="0" * 40)
        assert "sha1-" in error("npm:old@1.0.0", options)

    @pytest.mark.parametrize(
        "described",
        [
            {},
            {"name": "other", "version": "1.0.0"},
            {"name": "x", "version": "1.0.1"},
            {"name": "x", "version": "1.0.0"},
            {"name": "x", "version": "1.0.0", "dist": {"tarball": "http://h.example/x"}},
            {"name": "x", "version": "1.0.0", "dist": {"tarball": "file:///x", "integrity": sha512(b"")}},
            {"name": "x", "version": "1.0.0", "dist": {"tarball": "http://h.example/x", "integrity": "sha512-AA=="}},
        ],
    )
    def test_a_description_that_makes_no_sense(self, registry, options, described):
        base = {"name": "x", "version": "1.0.0", "dist": {"tarball": "http://h.example/x", "integrity": sha512(b"")}}
        registry.describe("x", "1.0.0", described if described != base else {})
        assert "does not describe x@1.0.0" in error("npm:x@1.0.0", options)

    @pytest.mark.parametrize("version", ["2.1.113", "2.1.332"])
    def test_a_stub(self, registry, options, version):
        said = error(f"npm:{MAIN}@{version}", options)
        assert "is a stub without a script" in said
        assert f"npm:{LINUX}@{version}" in said
        assert registry.asked == []


class TestPins:
    def test_a_pin_that_holds(self, registry, options):
        release(registry)
        pinned = {f"{SDK}@0.3.296": sha512(registry.tarballs[f"{SDK}@0.3.296"])}
        (found,) = look("2.1.296", options, pinned=pinned)
        assert found.origin.integrity in pinned.values()

    def test_a_registry_that_contradicts_the_pin(self, registry, options):
        release(registry)
        pin = sha512(b"other")
        said = error("2.1.296", options, pinned={f"{SDK}@0.3.296": pin}, pinned_in="snapshots/x.yaml")
        for part in (f"{SDK}@0.3.296", pin, "snapshots/x.yaml", registry.host):
            assert part in said
        assert not [path for path in registry.paths() if path.endswith(".tgz")]
        assert kept(options) == []

    def test_a_cached_copy_that_the_pin_does_not_mean(self, registry, options):
        release(registry)
        look("2.1.296", options)
        offline = replace(options, offline=True)
        assert "no verified copy" in error("2.1.296", offline, pinned={f"{SDK}@0.3.296": sha512(b"other")})

    @pytest.mark.parametrize("algorithm", ["sha1", "sha256", "sha384"])
    def test_a_pin_that_is_too_weak(self, registry, options, algorithm):
        release(registry)
        body = registry.tarballs[f"{SDK}@0.3.296"]
        weak = f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, body).digest()).decode()}"
        assert "is too weak" in error("2.1.296", options, pinned={f"{SDK}@0.3.296": weak})

    def test_a_pin_that_is_none(self, registry, options):
        release(registry)
        assert "'nonsense'" in error("2.1.296", options, pinned={f"{SDK}@0.3.296": "nonsense"})

    def test_the_platform_that_is_pinned_is_preferred(self, registry, options):
        release(registry)
        pinned = {f"{MAC}@2.1.296": sha512(registry.tarballs[f"{MAC}@2.1.296"])}
        assert look("2.1.296", options, deep=True, pinned=pinned)[1].origin.package == MAC


def content(options):
    """Return the one tarball in the cache."""
    (found,) = (options.cache_directory / "content").rglob("*/*")
    return found


class TestCached:
    def test_the_second_time_only_the_registry_is_asked(self, registry, options):
        release(registry)
        first = look("2.1.296", options)[0].origin
        before = len(registry.asked)
        assert look("2.1.296", options)[0].origin == first
        assert registry.paths()[before:] == [f"/{SDK}/0.3.296"]

    def test_offline_opens_no_socket_and_asks_no_npm(self, registry, options, monkeypatch):
        release(registry)
        online = look("2.1.296", options, deep=True)
        monkeypatch.setattr(socket, "socket", None)
        environ = {**options.environ, "PATH": os.environ["PATH"]}
        monkeypatch.setattr("subprocess.run", None)
        offline = look("2.1.296", replace(options, offline=True, environ=environ), deep=True)
        assert [found.origin for found in offline] == [found.origin for found in online]
        assert read(offline[1]) == {"package/claude": PROGRAM}

    def test_offline_without_a_copy(self, options):
        said = error("2.1.296", replace(options, offline=True))
        assert "offline, and no verified copy" in said
        assert "--offline" in said

    def test_offline_nobody_knows_what_is_newest(self, registry, options):
        release(registry)
        look("2.1.296", options)
        assert "offline" in error("latest", replace(options, offline=True))

    def test_a_damaged_copy_is_thrown_away_and_fetched_again_and_that_is_said(self, registry, options):
        release(registry)
        (found,) = look("2.1.296", options)
        assert found.notices == ()
        for damaged in (b"damaged", b"", content(options).read_bytes()[:-1]):
            content(options).write_bytes(damaged)
            (again,) = look("2.1.296", options)
            assert read(again) == read(found)
            assert again.notices == (f"{SDK}@0.3.296: the cached copy is damaged and was thrown away; fetched again",)

    def test_a_damaged_copy_offline(self, registry, options):
        release(registry)
        look("2.1.296", options)
        content(options).write_bytes(b"damaged")
        said = error("2.1.296", replace(options, offline=True))
        assert "no verified copy of it is cached: the cached copy is damaged and was thrown away" in said

    @pytest.mark.parametrize("every", [1, 40])
    def test_a_copy_that_rots_without_a_trace(self, registry, options, every):
        """Of the same size and age as before, so that only its digest tells."""
        release(registry)
        (found,) = look("2.1.296", options)
        good = content(options).read_bytes()
        for at in range(0, len(good), 40):
            stat = content(options).stat()
            content(options).write_bytes(good[:at] + bytes([good[at] ^ every]) + good[at + 1 :])
            os.utime(content(options), ns=(stat.st_atime_ns, stat.st_mtime_ns))
            assert read(look("2.1.296", options)[0]) == read(found)

    def test_a_large_copy_that_rots_without_a_trace(self, registry, options, monkeypatch):
        """A large one is not hashed beforehand; the pass over it finds out, and the next look fetches it again."""
        monkeypatch.setattr("driftgate.anchors.cache._HASHED_AGAIN", 0)
        release(registry)
        (found,) = look("2.1.296", options)
        good = content(options).read_bytes()
        for at in range(0, len(good), 40):
            stat = content(options).stat()
            content(options).write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
            os.utime(content(options), ns=(stat.st_atime_ns, stat.st_mtime_ns))
            with pytest.raises(AnchorError, match=r"thrown away; run again|cannot be read"):
                read(look("2.1.296", options)[0])
            assert read(look("2.1.296", options)[0]) == read(found)

    def test_a_copy_of_another_registry_is_not_believed(self, registry, options):
        release(registry)
        look("2.1.296", options)
        away = {**options.environ, "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/"}
        assert "could not check" in error("2.1.296", replace(options, environ=away))
        said = error("2.1.296", replace(options, environ=away, offline=True))
        assert "no verified copy" in said
        assert "a copy from 127.0.0.1:9 would do" in said
        none = {name: value for name, value in options.environ.items() if name != "NPM_CONFIG_REGISTRY"}
        assert "the registry that npm chooses" in error("2.1.296", replace(options, environ=none, offline=True))

    def test_a_copy_of_another_registry_will_do_where_it_is_the_pinned_one(self, registry, options):
        release(registry)
        (found,) = look("2.1.296", options)
        away = {**options.environ, "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/"}
        pinned = {f"{SDK}@0.3.296": found.origin.integrity}
        for offline in (True, False):
            (again,) = look("2.1.296", replace(options, environ=away, offline=offline), pinned=pinned)
            assert read(again) == read(found)

    def test_offline_a_broken_configuration_of_npm_does_not_matter_for_what_is_pinned(self, registry, options):
        release(registry)
        (found,) = look("2.1.296", options)
        broken = replace(options, environ={**options.environ, "NPM_CONFIG_REGISTRY": "${UNSET}"}, offline=True)
        pinned = {f"{SDK}@0.3.296": found.origin.integrity}
        assert read(look("2.1.296", broken, pinned=pinned)[0]) == read(found)
        assert "no verified copy" in error("2.1.296", broken)

    def test_a_copy_with_the_digest_that_another_registry_states_is_not_fetched_again(self, registry, options):
        release(registry)
        look("2.1.296", options)
        before = len(registry.asked)
        other = replace(options, environ={**options.environ, "NPM_CONFIG_REGISTRY": registry.other})
        look("2.1.296", other)
        assert registry.paths()[before:] == [f"/{SDK}/0.3.296"]
        assert read(look("2.1.296", replace(other, offline=True))[0])["package/sdk.mjs"] == b"sdk"

    def test_a_cache_that_cannot_be_written(self, registry, options):
        release(registry)
        options.cache_directory.touch()
        assert "DRIFTGATE_CACHE" in error("2.1.296", options)

    def test_a_full_disk_leaves_nothing(self, registry, options, monkeypatch):
        release(registry)

        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("driftgate.anchors.cache.Path.replace", full)
        assert "No space left" in error("2.1.296", options)
        assert kept(options) == []

    def test_an_interrupted_download_leaves_nothing(self, registry, options, monkeypatch):
        release(registry)

        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("driftgate.anchors.registry.Digests.feed", interrupt)
        with pytest.raises(KeyboardInterrupt):
            look("2.1.296", options)
        assert kept(options) == []

    def test_many_at_once(self, registry, options):
        release(registry)
        plain = replace(options, environ=dict(options.environ), sleep=abs)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            results = pool.starmap(in_another_process, [(plain, "2.1.296")] * 6)
        assert set(results) == {sha512(registry.tarballs[f"{SDK}@0.3.296"])}
        assert len(kept(options)) == 2


def in_another_process(options, text):
    (found,) = look(text, options)
    read(found)
    return found.origin.integrity


class TestConfiguration:
    def test_no_registry_is_configured(self, make_options):
        with pytest.raises(ConfigError, match="NPM_CONFIG_REGISTRY"):
            look("2.1.296", make_options())

    def test_the_option_is_the_registry(self, registry, make_options):
        release(registry)
        assert look("2.1.296", make_options(registry=registry.url))

    def test_where_the_cache_is(self, make_options, tmp_path):
        named = make_options(cache=None, environ={"DRIFTGATE_CACHE": str(tmp_path / "named")})
        assert named.cache_directory == tmp_path / "named"
        assert make_options().cache_directory == tmp_path / "cache"
        assert make_options(cache=None).cache_directory.is_relative_to(tmp_path / "home")
        assert FetchOptions().cache_directory.is_absolute()


class TestFaults:
    """The recorded cases about the registry, and their kin."""

    def test_c07_published_in_part(self, registry, options):
        release(registry, "2.1.237", natives=[MAC])
        whole = {"versions": {"2.1.236": {}}, "dist-tags": {"latest": "2.1.236"}}
        registry.set(f"/{LINUX}", Answer(body=json.dumps(whole).encode()))
        said = error(f"npm:{LINUX}@2.1.237", options)
        assert said.startswith(f"{LINUX}@2.1.237: not published (404); main package is ")
        assert f"npm:{MAC}@2.1.237" in said
        assert "previous pin" in said
        assert "2.1.236" not in said
        assert kept(options) == []

    def test_c07_deep_takes_another_platform_of_the_same_release_and_says_so(self, registry, options):
        release(registry, "2.1.237", natives=[MAC])
        _, native = look("2.1.237", options, deep=True)
        assert native.origin.package == MAC
        assert f"{LINUX}@2.1.237: 404" in native.notices[0]

    def test_c07_deep_without_any_platform(self, registry, options):
        release(registry, "2.1.237", natives=[])
        said = error("2.1.237", options, deep=True)
        assert said.startswith(f"{LINUX}@2.1.237: not published (404); main package is ")
        assert "previous pin" in said

    def test_c07_described_without_its_tarball(self, registry, options):
        release(registry, "2.1.237")
        registry.set(f"/{LINUX}/-/claude-code-linux-x64-2.1.237.tgz", Answer(404))
        assert error(f"npm:{LINUX}@2.1.237", options).startswith(f"{LINUX}@2.1.237: not published (404); main")
        assert look("2.1.237", options, deep=True)[1].origin.package == MAC

    def test_c07_without_the_sdk(self, registry, options):
        release(registry, "2.1.237", sdk=False)
        said = error("2.1.237", options)
        assert said.startswith(f"{SDK}@0.3.237: not published (404); main package is ")
        assert f"npm:{LINUX}@2.1.237" in said

    def test_c08_withdrawn(self, registry, options, waits):
        said = error(f"npm:{MAIN}@2.1.88", options)
        assert said.startswith(f"{MAIN}@2.1.88: 404 from {registry.host}; withdrawn or never published")
        assert "driftgate refresh" in said
        assert waits == []
        assert len(registry.asked) <= 3

    def test_c08_withdrawn_with_a_copy(self, registry, options):
        registry.publish(MAIN, "2.1.88", {"cli.js": b"cli"})
        look("2.1.88", options)
        registry.answers.clear()
        (found,) = look("2.1.88", options)
        assert read(found) == {"package/cli.js": b"cli"}
        assert "no longer serves it" in found.notices[0]

    @pytest.mark.parametrize("pinned", [False, True])
    def test_c10_wrong_bytes(self, registry, options, pinned):
        registry.publish("x", "1.0.0")
        good = sha512(registry.tarballs["x@1.0.0"])
        bad = pack({"package.json": b"{}"})
        registry.set("/x/-/x-1.0.0.tgz", Answer(body=bad))
        pins = {"x@1.0.0": good} if pinned else None
        said = error("npm:x@1.0.0", options, pinned=pins, pinned_in="snapshots/x.yaml")
        parts = ["x@1.0.0", f"{registry.url}x/-/x-1.0.0.tgz", f"{len(bad)} bytes", good, sha512(bad), "discarded"]
        for part in [*parts, "snapshots/x.yaml" if pinned else "the registry's description"]:
            assert part in said
        assert kept(options) == []

    def test_c11_token_and_tarball_host(self, registry, options):
        token, cdn = "Bearer r3g", f"localhost:{registry.port}"
        npmrc = options.project / ".npmrc"
        described = registry.publish("x", "1.0.0", tarball=registry.other + "x.tgz")
        registry.set("/x/1.0.0", Answer(body=json.dumps(described).encode(), token=token))
        registry.set("/x.tgz", Answer(body=registry.tarballs["x@1.0.0"], token="Bearer cdn"))

        npmrc.write_text(f"//{registry.host}/:_authToken=r3g\n")
        with pytest.raises(RefusedError) as caught:
            look("npm:x@1.0.0", options)
        assert f"401 from {cdn}; no credential configured for that host" in str(caught.value)
        assert "r3g" not in str(caught.value)

        npmrc.write_text(f"//{registry.host}/:_authToken=r3g\n//{cdn}/:_authToken=cdn\n")
        assert look("npm:x@1.0.0", options)

        options.cache_directory.rename(options.cache_directory.with_name("gone"))
        npmrc.write_text(f"//{registry.host}/:_authToken=r3g\n")
        described["dist"]["tarball"] = registry.url + "moved.tgz"
        registry.set("/x/1.0.0", Answer(body=json.dumps(described).encode(), token=token))
        registry.set("/moved.tgz", Answer(302, headers={"Location": registry.other + "x.tgz"}))
        with pytest.raises(RefusedError, match=f"401 from {cdn}; no credential configured for that host"):
            look("npm:x@1.0.0", options)
        assert [asked for asked in registry.asked if asked.host == cdn and asked.authorization == token] == []

    @pytest.mark.parametrize("fault", [Answer(500), Answer(429), None])
    def test_d07_unreachable_without_a_copy(self, registry, options, fault):
        if fault:
            registry.set(f"/{SDK}/0.3.296", fault)
        else:
            registry.close()
        assert error("2.1.296", options).startswith(f"could not check: {registry.host}: ")

    @pytest.mark.parametrize("fault", [Answer(500), Answer(429, headers={"Retry-After": "999"}), None])
    def test_d07_unreachable_with_a_copy(self, registry, options, fault):
        release(registry)
        look("2.1.296", options, deep=True)
        for path in list(registry.answers):
            registry.set(path, fault or Answer(404))
        if not fault:
            registry.close()
        found = look("2.1.296", options, deep=True)
        assert [artefact.origin.package for artefact in found] == [SDK, LINUX]
        for artefact in found:
            assert f"the network was not reached (could not check: {registry.host}: " in artefact.notices[0]
            assert read(artefact)

    def test_d07_unreachable_latest_is_never_an_old_one(self, registry, options):
        release(registry)
        look("latest", options)
        registry.close()
        assert error("latest", options).startswith(f"could not check: {registry.host}: ")

    def test_unreachable_with_a_copy_of_another_platform(self, registry, options):
        release(registry, natives=[MAC])
        look("2.1.296", options, deep=True)
        registry.close()
        assert look("2.1.296", options, deep=True)[1].origin.package == MAC

    @pytest.mark.parametrize("status", [401, 403])
    def test_a_refusal_is_not_taken_for_an_absence(self, registry, options, status):
        registry.set(f"/{SDK}/0.3.296", Answer(status))
        assert f"{status} from {registry.host}" in error("2.1.296", options)

    def test_no_neighbouring_version(self, registry, options):
        release(registry, "2.1.295")
        release(registry, "2.1.297")
        said = error("2.1.296", options)
        assert "no neighbouring version" in said
        assert kept(options) == []
