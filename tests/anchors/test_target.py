from __future__ import annotations

import pytest

from driftgate.anchors import TargetKind, parse_target
from driftgate.errors import UsageError

NAMES = [
    ("2.1.296", TargetKind.RELEASE),
    ("latest", TargetKind.LATEST),
    ("npm:@anthropic-ai/claude-code@2.1.112", TargetKind.PACKAGE),
    ("npm:left-pad@1.0.0-rc.1", TargetKind.PACKAGE),
    ("npm:left-pad@latest", TargetKind.PACKAGE),
    ("./2.1.296", TargetKind.PATH),
    ("cli.js", TargetKind.PATH),
    ("a/b", TargetKind.PATH),
    ("sdk.d.ts", TargetKind.PATH),
    ("x.tar.gz", TargetKind.PATH),
    ("..", TargetKind.PATH),
    ("C:\\bin\\claude.exe", TargetKind.PATH),
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
    assert parse_target("claude", tmp_path).kind is TargetKind.PATH
