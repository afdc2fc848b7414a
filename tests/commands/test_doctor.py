"""`driftgate doctor`: what it finds, and that no secret is in it."""

import json
from pathlib import Path

import pytest

from tests.anchors.conftest import Registry
from tests.commands.conftest import edit

MAIN = "@anthropic-ai/claude-code"
SECRET = "hidden-secret-value"


@pytest.fixture
def registry(monkeypatch, tmp_path_factory):
    """A registry on this machine that knows the newest release, with a token for it."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("DRIFTGATE_CACHE", str(home / "cache"))
    monkeypatch.setenv("PATH", "")
    for name in ("NPM_CONFIG_REGISTRY", "npm_config_registry", "DRIFTGATE_REGISTRY", "DRIFTGATE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    served = Registry()
    served.publish(MAIN, "9.8.7", {"cli.js": b""})
    (home / ".npmrc").write_text(f"registry={served.url}\n//{served.host}/:_authToken={SECRET}\n")
    yield served
    served.close()


def test_everything_in_order(project, registry, run):
    code, out, err = run("doctor")
    assert (code, err) == (0, "")
    assert "reached" in out
    assert "9.8.7" in out
    assert str(project / "driftgate.yml") in out
    assert out.endswith("\ndriftgate: agrees, exit 0\n")


def test_json_has_the_same(project, registry, run):
    document = json.loads(run("doctor", "--format", "json")[1])
    assert document["exit"] == 0
    assert document["found"]["network"]["newest release"] == "9.8.7"
    assert document["found"]["registry"]["from"].endswith(".npmrc")
    assert document["found"]["registry"]["credential"].endswith(":_authToken (hidden)")
    assert document["found"]["configuration"]["accepted entries"] == "6"
    assert document["found"]["versions"]["pyyaml"]
    assert document["problems"] == {}


@pytest.mark.parametrize("words", [[], ["--format", "json"], ["--offline"], ["-v"]])
def test_no_secret_is_shown(project, registry, run, monkeypatch, words):
    monkeypatch.setenv("DRIFTGATE_REGISTRY", f"http://user:{SECRET}@127.0.0.1:9/?token={SECRET}")
    monkeypatch.setenv("HTTP_PROXY", f"http://user:{SECRET}@127.0.0.1:9")
    _, out, err = run("doctor", *words)
    assert SECRET not in out + err
    assert "the proxy 127.0.0.1:9 (HTTP_PROXY)" in out
    assert "DRIFTGATE_REGISTRY" in out


def test_offline_opens_no_socket(project, registry, run):
    code, out, _ = run("doctor", "--offline")
    assert code == 0
    assert "not tried (offline)" in out
    assert registry.asked == []


def test_one_small_request(project, registry, run):
    run("doctor")
    assert len(registry.asked) == 1


def test_a_registry_that_is_away(project, registry, run, monkeypatch):
    code, out, _ = run("doctor", "--registry", "http://127.0.0.1:9/")
    assert code == 3
    assert "the option --registry" in out
    assert "could not check: 127.0.0.1:9" in out
    assert out.endswith("\ndriftgate: blind, exit 3\n")
    document = json.loads(run("doctor", "--registry", "http://127.0.0.1:9/", "--format", "json")[1])
    assert list(document["problems"]) == ["network"]


def test_no_registry_at_all(project, registry, run):
    (Path.home() / ".npmrc").write_text("")
    code, out, _ = run("doctor")
    assert code == 2
    assert "no package registry is configured" in out
    code, out, _ = run("doctor", "--offline")
    assert code == 0
    assert "nowhere configured" in out


def test_a_wrong_configuration_hides_nothing_else(project, registry, run):
    edit("driftgate.yml", "snapshot", "snapshto")
    code, out, _ = run("doctor")
    assert code == 2
    assert "did you mean 'snapshot'?" in out
    assert "9.8.7" in out


def test_a_folder_without_a_configuration_is_said_and_nothing_is_wrong_with_that(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, out, _ = run("doctor", "--offline", "--format", "json")
    document = json.loads(out)
    assert document["found"]["configuration"]["file"].startswith("none (`driftgate init` writes one")
    assert "configuration" not in document["problems"]
