from __future__ import annotations

import pytest

from driftgate.errors import UsageError
from driftgate.gate.target import TargetKind, parse_target

NAMES = [
    ("2.1.296", TargetKind.RELEASE),
    ("latest", TargetKind.LATEST),
    ("npm:@anthropic-ai/claude-code@2.1.112", TargetKind.PACKAGE),
    ("npm:left-pad@1.0.0-rc.1", TargetKind.PACKAGE),
    ("npm:left-pad@latest", TargetKind.PACKAGE),
    ("./2.1.296", TargetKind.ARTEFACT),
    ("cli.js", TargetKind.ARTEFACT),
    ("a/b", TargetKind.ARTEFACT),
    ("sdk.d.ts", TargetKind.ARTEFACT),
    ("x.tar.gz", TargetKind.ARTEFACT),
    ("..", TargetKind.ARTEFACT),
    ("C:\\bin\\claude.exe", TargetKind.ARTEFACT),
]


@pytest.mark.parametrize(("text", "kind"), NAMES)
def test_kinds(text, kind, tmp_path):
    assert parse_target(text, tmp_path).kind is kind


def test_the_parts_of_a_package(tmp_path):
    target = parse_target("npm:@scope/name@1.2.3", tmp_path)
    assert (target.package, target.version) == ("@scope/name", "1.2.3")


def test_a_path_starts_at_the_folder_and_keeps_what_was_written(tmp_path):
    target = parse_target("cli.js", tmp_path)
    assert (target.path, str(target)) == (tmp_path / "cli.js", "cli.js")


NONSENSE = [
    ("", "latest"),
    ("v2.1.296", "did you mean 2.1.296?"),
    ("^2.1.296", "did you mean 2.1.296?"),
    ("2.1", "2.1.296, latest"),
    ("2.1.x", "2.1.296, latest"),
    ("02.1.296", "2.1.296, latest"),
    ("newest", "2.1.296, latest"),
    ("@anthropic-ai/claude-code@2.1.112", "did you mean npm:@anthropic-ai/claude-code@2.1.112?"),
    ("npm:@scope/name", "an exact version"),
    ("npm:@scope/name@^1.2.3", "an exact version"),
    ("npm:@scope/name@1.2.3/../x", "an exact version"),
    ("npm:../x@1.2.3", "an exact version"),
    ("npm:", "an exact version"),
    ("https://host.example/x.tgz", "download it"),
]


@pytest.mark.parametrize(("text", "said"), NONSENSE)
def test_nonsense_is_told_what_would_be_sense(text, said, tmp_path):
    with pytest.raises(UsageError) as caught:
        parse_target(text, tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["latest", "2.1.296"])
def test_a_release_that_is_also_a_file_is_ambiguous(text, tmp_path):
    (tmp_path / text).touch()
    with pytest.raises(UsageError) as caught:
        parse_target(text, tmp_path)
    assert f"./{text}" in str(caught.value)
    assert parse_target(f"./{text}", tmp_path).path == tmp_path / text


def test_a_bare_name_is_a_path_where_something_is(tmp_path):
    (tmp_path / "claude").touch()
    assert parse_target("claude", tmp_path).kind is TargetKind.ARTEFACT


def kind_of(text, folder):
    return parse_target(text, folder).kind


def test_local_things_are_told_apart_by_what_is_there(tmp_path):
    (tmp_path / "snap.yaml").write_text("version: 1\n")
    (tmp_path / "hooks.py").write_text("HOOK_EVENTS = ('Stop',)\n")
    (tmp_path / "hooks.mjs").write_text("export const HOOK_EVENTS = ['Stop'];\n")
    (tmp_path / "codex/codex-rs/hooks/src").mkdir(parents=True)
    (tmp_path / "codex/codex-rs/hooks/src/lib.rs").write_text("")
    assert kind_of("snap.yaml", tmp_path) is TargetKind.SNAPSHOT
    assert kind_of("hooks.py", tmp_path) is TargetKind.SOURCE
    assert kind_of("hooks.mjs", tmp_path) is TargetKind.SCRIPT
    assert parse_target("codex", tmp_path).upstream == "codex"
    assert kind_of("pinned", tmp_path) is TargetKind.PINNED
    assert kind_of("nothing-there.yaml", tmp_path) is TargetKind.ARTEFACT  # reading it says that it is not there


def test_home_is_understood_wherever_a_path_is(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "snap.yaml").write_text("version: 1\n")
    (tmp_path / "hooks.py").write_text("HOOK_EVENTS = ('Stop',)\n")
    assert parse_target("~/snap.yaml").path == tmp_path / "snap.yaml"
    assert kind_of("~/snap.yaml", None) is TargetKind.SNAPSHOT
    assert parse_target("~/hooks.py#HOOK_EVENTS").path == tmp_path / "hooks.py"


ONE_SET = [
    ("hooks.py#HOOK_EVENTS", "python:hooks.py#HOOK_EVENTS"),
    ("./a/hooks.go#Events", "go:hooks.go#Events"),
    ("jsonschema:s.json#/properties/hooks", "jsonschema:s.json#/properties/hooks"),
    ("C:\\src\\hooks.ts#HookEvent", None),
]


@pytest.mark.parametrize(("text", "spec"), ONE_SET)
def test_one_set_of_a_file(text, spec, tmp_path):
    target = parse_target(text, tmp_path)
    assert target.kind is TargetKind.SOURCE
    assert target.spec is not None
    if spec:
        assert target.spec == spec


def test_one_set_of_a_kind_of_file_that_nobody_reads(tmp_path):
    with pytest.raises(UsageError, match="no reader for files of this kind"):
        parse_target("hooks.xyz#NAME", tmp_path)


def test_a_file_with_a_hash_in_its_name(tmp_path):
    (tmp_path / "a#b.py").write_text("HOOK_EVENTS = ('Stop',)\n")
    assert parse_target("a#b.py", tmp_path).path == tmp_path / "a#b.py"
