"""What holds of the real registry, which npm's configuration on the machine names. Run with -m upstream."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftgate.anchors import FetchOptions, latest_version, published_versions
from driftgate.gate.observe import artefacts_of
from driftgate.gate.target import parse_target
from driftgate.upstreams.catalogue import CLAUDE_CODE
from driftgate.versions import version_key

pytestmark = pytest.mark.upstream


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> FetchOptions:
    return FetchOptions(cache=tmp_path_factory.mktemp("cache"), project=Path.cwd())


def sizes(text, options, **more):
    return [
        (str(artefact.origin), {member.name: sum(map(len, member.chunks)) for member in artefact.open_members()})
        for artefact in artefacts_of(parse_target(text), options, **more)
    ]


@pytest.mark.parametrize(
    ("text", "package", "member"),
    [
        ("2.1.332", "@anthropic-ai/claude-agent-sdk@0.3.332", "package/sdk.mjs"),
        ("2.1.296", "@anthropic-ai/claude-agent-sdk@0.3.296", "package/sdk.d.ts"),
        ("2.1.136", "@anthropic-ai/claude-agent-sdk@0.2.136", "package/sdk.mjs"),
        ("2.1.112", "@anthropic-ai/claude-code@2.1.112", "package/cli.js"),
    ],
)
def test_anchors(options, text, package, member):
    ((name, members),) = sizes(text, options)
    assert name == package
    assert members[member] > 100_000


def test_the_program_is_the_one_that_the_sdk_states(options):
    sdk, (name, members) = sizes("2.1.136", options, deep=True)
    assert sdk[0] == "@anthropic-ai/claude-agent-sdk@0.2.136"
    assert name == "@anthropic-ai/claude-code-linux-x64@2.1.136"
    assert members == {"package/claude": 230_577_872}


def test_versions(options):
    versions = published_versions(CLAUDE_CODE.main.name, options)
    assert latest_version(options) in versions
    assert {"1.0.23", "2.1.112", "2.1.296", "2.1.332"} <= set(versions)
    assert list(versions) == sorted(versions, key=version_key)
