"""The registry that companies put before npm's: Verdaccio, from npm, with authentication. Installed for the test."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from dataclasses import replace

import pytest

from driftgate.anchors import find_package, find_release, package_metadata, published_versions
from driftgate.anchors.unavailable import MissingError, RefusedError
from driftgate.errors import AnchorError

pytestmark = pytest.mark.upstream
SDK = "@anthropic-ai/claude-agent-sdk"
CONFIG = """
storage: {folder}/storage
auth: {{htpasswd: {{file: {folder}/htpasswd}}}}
uplinks: {{}}
packages: {{"**": {{access: $authenticated, publish: $authenticated}}}}
log: {{type: stdout, format: json, level: error}}
"""


def _asked(url, data=None, method="GET"):
    body = json.dumps(data).encode() if data is not None else None
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        return json.loads(answer.read() or b"{}")


@pytest.fixture(scope="module")
def verdaccio(tmp_path_factory):
    """Yield its address and a token, with one release published in it."""
    folder = tmp_path_factory.mktemp("verdaccio")
    # One of its dependencies is asked for by a tag, which mirrors of npm's registry do not always have.
    (folder / "package.json").write_text(
        json.dumps({"private": True, "dependencies": {"verdaccio": "6"}, "overrides": {"node-fetch": "2.7.0"}})
    )
    install = ["npm", "install", "--no-audit", "--no-fund"]
    subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=600)
    (folder / "config.yaml").write_text(CONFIG.format(folder=folder))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    command = [str(folder / "node_modules/.bin/verdaccio"), "--config", str(folder / "config.yaml")]
    with subprocess.Popen([*command, "--listen", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL) as process:
        try:
            yield url, _published(folder, url)
        finally:
            process.terminate()


def _published(folder, url):
    user = {"name": "someone", "password": "a long password", "type": "user"}
    deadline = time.monotonic() + 60
    while True:
        try:
            token = _asked(f"{url}-/user/org.couchdb.user:someone", user, "PUT")["token"]
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)
    package = folder / "package"
    package.mkdir()
    (package / "sdk.mjs").write_text("export {}\n")
    manifest = {"name": SDK, "version": "0.3.400", "claudeCodeVersion": "2.1.400", "files": ["sdk.mjs"]}
    (package / "package.json").write_text(json.dumps(manifest))
    (package / ".npmrc").write_text(f"registry={url}\n//{url.partition('//')[2]}:_authToken={token}\n")
    subprocess.run(["npm", "publish", "--registry", url], cwd=package, check=True, capture_output=True, timeout=120)
    return token


@pytest.fixture
def with_token(verdaccio, make_options):
    url, token = verdaccio

    def make(npmrc="registry={url}\n//{host}:_authToken={token}\n"):
        options = make_options(environ={"PATH": os.environ["PATH"]}, attempts=1, read_timeout=20.0)
        text = npmrc.format(url=url, host=url.partition("//")[2], token=token)
        (options.project / ".npmrc").write_text(text)
        return options

    return make


def test_a_release_is_fetched_with_the_token_of_npms_configuration(with_token):
    options = with_token()
    assert published_versions(SDK, options) == ("0.3.400",)
    assert "0.3.400" in package_metadata(SDK, options)["versions"]
    (found,) = find_release("2.1.400", options)
    assert {member.name for member in found.open_members() if member.read()} == {"package/sdk.mjs"}
    again = find_package(SDK, "0.3.400", replace(options, offline=True))
    assert again.origin == found.origin


@pytest.mark.parametrize("npmrc", ["registry={url}\n", "registry={url}\n//{host}:_authToken=wrong\n"])
def test_without_the_token_it_is_refused(with_token, npmrc):
    with pytest.raises((RefusedError, AnchorError), match=r"40[13] from 127"):
        find_release("2.1.400", with_token(npmrc))


def test_what_it_does_not_have(with_token):
    with pytest.raises(MissingError, match="404"):
        find_package(SDK, "0.3.999", with_token())
