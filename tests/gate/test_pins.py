"""`check --against pinned`, against a registry on this machine: the snapshot must be true, and must pin something."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace

import pytest

from driftgate.errors import BlindError, UsageError
from driftgate.gate.check import check
from driftgate.gate.compare import compare
from driftgate.gate.observe import observe, observe_or_shipped
from driftgate.gate.target import PINNED, parse_target
from driftgate.project.reading import load_config
from driftgate.snapshot import write_snapshot
from tests.extraction import bundles

SDK = "@anthropic-ai/claude-agent-sdk"
LINUX = "@anthropic-ai/claude-code-linux-x64"
VERSION = "2.1.400"


def publish(registry, version=VERSION, package=SDK, **files):
    number = version if package == LINUX else version.replace("2.1.", "0.3.")
    return registry.publish(package, number, files, manifest={"claudeCodeVersion": version})


@pytest.fixture
def world(tmp_path, registry, options):
    """A project whose snapshot was written by a refresh from the registry."""
    publish(registry, **{"sdk.mjs": bundles.bare().encode()})
    folder = tmp_path / "repo"
    folder.mkdir()
    names = ", ".join(json.dumps(name) for name in bundles.EVENTS)
    (folder / "hooks.py").write_text(f"HOOK_EVENTS = ({names})\n")
    (folder / "driftgate.yml").write_text(f'pin: "{VERSION}"\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n')
    path = folder / f"snapshots/claude-code/{VERSION}.yaml"
    write_snapshot(path, observe(parse_target(VERSION), options), "claude-code")
    return folder


def snapshot(world):
    (path,) = (world / "snapshots").rglob(f"{VERSION}.yaml")
    return path


def edit(world, pattern, new, count=1):
    text, changed = re.subn(pattern, new, snapshot(world).read_text(), count=count)
    assert changed
    snapshot(world).write_text(text)


def pinned(world, options, **changes):
    """Return the one comparison with what is pinned, and the rules that it found."""
    (found,) = check(load_config(world / "driftgate.yml"), (PINNED,), options, **changes).comparisons
    return found, sorted({finding.rule.id for finding in found.findings})


def said(world, options, **changes):
    found, _ = pinned(world, options, **changes)
    assert found.problem is not None
    return str(found.problem)


def test_a_true_snapshot(world, options):
    found, rules = pinned(world, options)
    assert found.problem is None
    assert rules == []
    assert [str(origin) for origin in found.anchors] == [f"{SDK}@0.3.400"]


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        ("  - PreToolUse\n", "  - PreToolUse\n  - Invented\n"),
        ("  - prompt\n", ""),
        (r"\{name: shell, kind: enum, required: false", "{name: shell, kind: enum, required: true"),
        (", internal: true", ""),
    ],
)
def test_a_snapshot_that_was_tampered_with(world, options, pattern, new):
    if pattern not in snapshot(world).read_text() and "internal" in pattern:
        pattern, new = r"(\{name: command, kind: string, required: true)\}", r"\1, internal: true}"
    edit(world, pattern, new)
    _, rules = pinned(world, options)
    assert "snapshot-untrue" in rules


def test_another_integrity(world, options):
    edit(world, r"sha512-[A-Za-z0-9+/]{8}", "sha512-AAAAAAAA")
    assert "states another integrity than the pin; nothing was fetched" in said(world, options)


NOTHING_PINNED = [
    (r"integrity: \"sha512-[^\"]+\"", "integrity: null", "pins nothing"),
    (r"integrity: \"sha512-[^\"]+\"", 'integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="', "is too weak"),
    (r"integrity: \"sha512-[^\"]+\"", "integrity: nonsense", "is not one"),
    (r"package: \"@anthropic-ai/claude-agent-sdk\"", 'package: "@other/package"', "does not pin what its release is"),
    (r"version: \"0\.3\.400\"", 'version: "0.3.399"', "does not pin what its release is"),
    (r"(?s)evidence:\n.*", "evidence: {}\n", "pins nothing"),
    (r"(?s)anchors:\n- .*\nvocabularies:(.*)evidence:\n.*", r"anchors: []\nvocabularies:\1", "pins nothing"),
]


@pytest.mark.parametrize(("pattern", "new", "expected"), NOTHING_PINNED)
def test_a_snapshot_that_pins_nothing(world, options, pattern, new, expected):
    edit(world, pattern, new)
    assert expected in said(world, options)


@pytest.mark.parametrize(
    "version", ["./fake.mjs", "latest", "npm:x@1.0.0", "2.1.400-beta", "2.1", "../2.1.400", " 2.1.400"]
)
def test_a_version_that_is_no_release(world, options, version, monkeypatch):
    edit(world, r'\nversion: "2\.1\.400"', f"\nversion: {json.dumps(version)}")
    other = snapshot(world).with_name("pinned.yaml")
    snapshot(world).rename(other)
    (world / "fake.mjs").write_text(bundles.bare())
    (world / "driftgate.yml").write_text(f"snapshot: {other}\ndeclared:\n  hook_events: hooks.py#HOOK_EVENTS\n")
    monkeypatch.chdir(world)
    assert "the snapshot names no release" in said(world, options)


def test_a_registry_that_is_away(world, options):
    away = replace(options, environ={**options.environ, "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/"}, attempts=1)
    found, rules = pinned(world, away)
    assert found.problem is None, "the pinned bytes are in the cache, whoever they came from"
    assert rules == []


def test_deep_reads_the_second_one_or_is_blind(world, options, registry):
    assert f"{LINUX}@{VERSION}: 404" in said(world, options, deep=True)
    program = bundles.native([bundles.bare()])
    publish(registry, package=LINUX, claude=program)
    found, rules = pinned(world, options, deep=True)
    assert (found.problem, rules) == (None, [])
    assert f"{LINUX}@{VERSION} is not pinned by the snapshot; its registry's word was taken" in found.notices


def test_deep_without_anything_to_read(world, options):
    config = load_config(world / "driftgate.yml")
    with pytest.raises(UsageError, match="without a target none is read"):
        check(config, (), options, deep=True)
    for text in (str(world / "hooks.py"), str(snapshot(world)), f"npm:{SDK}@0.3.400"):
        with pytest.raises(UsageError, match="deep reads two artefacts of a release"):
            observe(parse_target(text), options, deep=True)


@pytest.mark.parametrize("text", ["hooks.py", "./hooks.py", "hooks.py#HOOK_EVENTS", "../repo/hooks.py", "link.py"])
def test_the_declared_file_is_nothing_to_compare_with(world, options, monkeypatch, text):
    (world / "link.py").symlink_to("hooks.py")
    monkeypatch.chdir(world)
    with pytest.raises(UsageError, match="is what is declared itself"):
        check(load_config(world / "driftgate.yml"), (parse_target(text),), options)


def test_another_set_in_the_declared_file_is(world, options, monkeypatch):
    text = (world / "hooks.py").read_text()
    (world / "hooks.py").write_text(text + 'EVENTS = ("PreToolUse",)\n')
    monkeypatch.chdir(world)
    config = load_config(world / "driftgate.yml")
    (found,) = check(config, (parse_target("hooks.py#EVENTS"),), options).comparisons
    assert found.problem or found.findings


def test_a_shipped_release_is_known_without_a_network(options):
    """For who asks what it states; never for a check, which looks at the release itself."""
    away = replace(options, environ={**options.environ, "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9/"}, attempts=1)
    for fetch in (replace(options, offline=True), away):
        surface = observe_or_shipped(parse_target("2.1.112"), fetch)
        assert len(surface.members("hook_events")) == 27
        assert surface.notices[0].endswith("read from the snapshot of 2.1.112 that driftgate ships")
        report = compare(parse_target("2.1.296"), parse_target("2.1.332"), fetch)
        assert [change.subject for change in report.diff.changes if change.of == "hook_events"] == [
            "PreSkillShellCommand"
        ]
        assert len(report.notices) == 2
        for text, deep in (("2.1.297", False), ("latest", False), ("2.1.112", True), (f"npm:{SDK}@0.3.296", False)):
            with pytest.raises(BlindError):
                observe_or_shipped(parse_target(text), fetch, deep=deep)
        with pytest.raises(BlindError):
            observe(parse_target("2.1.112"), fetch)


@pytest.mark.parametrize("at", [0, 200, -9])
def test_a_large_copy_that_rotted_is_fetched_again_within_one_check(world, options, monkeypatch, at):
    """A large one is hashed only as it is read; what was read of it is forgotten."""
    monkeypatch.setattr("driftgate.anchors.cache._HASHED_AGAIN", 0)
    (content,) = (options.cache_directory / "content").rglob("*/*")
    good, stat = content.read_bytes(), content.stat()
    rotted = bytearray(good)
    rotted[at] ^= 1
    content.write_bytes(rotted)
    os.utime(content, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    found, rules = pinned(world, options)
    assert (found.problem, rules) == (None, [])
    assert any(note.endswith("fetched again") for note in found.notices)
    assert content.read_bytes() == good
    content.write_bytes(rotted)
    os.utime(content, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert "offline" in said(world, replace(options, offline=True)) or "was checked" in said(
        world, replace(options, offline=True)
    )
