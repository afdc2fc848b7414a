"""The real client, asked anew: does it still say what is recorded? `-m client` runs all of it.

A small sample is also marked `upstream`. Where this machine gives no namespace (or is not Linux on x64), there is no
client to ask, and that is said: the one skip of this suite.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.probe import answers, client, firing, plugins

RECORDED = answers.read(answers.PLUGINS)
SAMPLE = ("2.1.168", "2.1.332")
OTHERS = tuple(sorted({release for record in RECORDED for release in answers.by_release(record)} - set(SAMPLE)))


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    why = client.why_not()
    if why is not None:
        pytest.skip(f"the real client cannot be run here: {why}")
    return tmp_path_factory.mktemp("clients")


def differences(release: str, clients: Path, every: int) -> list[object]:
    asked = client.fetch(release, clients)
    try:
        records = RECORDED[::every]
        said = plugins.ask(asked, [record["files"] for record in records])
    finally:
        asked.drop()
    assert len(said) == len(records) > 50
    pairs = [
        (record, answers.by_release(record)[release], answer.data())
        for record, answer in zip(records, said, strict=True)
    ]
    return [(record["files"], expected, found) for record, expected, found in pairs if expected != found]


@pytest.mark.client
@pytest.mark.upstream
@pytest.mark.parametrize("release", SAMPLE)
def test_a_sample_of_plugins_is_answered_as_recorded(release, clients):
    assert differences(release, clients, every=20) == []


@pytest.mark.client
@pytest.mark.parametrize("release", sorted({*OTHERS, *SAMPLE}))
def test_every_plugin_is_answered_as_recorded(release, clients):
    assert differences(release, clients, every=1) == []


@pytest.mark.client
@pytest.mark.upstream
def test_hooks_fire_as_recorded(clients):
    """Of the types whose marks do not depend on when a server is ready; of the events that happened both times."""
    asked = client.fetch("2.1.332", clients)
    try:
        fired = answers.session_data(firing.fire(asked))["fired"]
    finally:
        asked.drop()
    recorded = answers.sessions()["2.1.332"]["fired"]
    both = set(fired) & set(recorded)
    assert {"PreToolUse", "SessionStart", "Stop", "SessionEnd", "UserPromptSubmit"} <= both
    types = {"command", "http", "prompt", "agent"}
    assert {event: types & set(fired[event]) for event in both} == {
        event: types & set(recorded[event]) for event in both
    }
    assert sum(len(types) for _ in both) >= 30
