from __future__ import annotations

import base64

import pytest

from driftgate.anchors.npmrc import NpmConfig
from driftgate.errors import ConfigError, ExitCode

TEAM = "https://team.example/npm/"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def config(make_options, tmp_path):
    """Make a configuration from the text of the project's and the user's .npmrc, and the environment."""

    def make(project="", user="", environ=None, **changes):
        options = make_options(environ=environ or {}, **changes)
        write(options.project / ".npmrc", project)
        write(options.home / ".npmrc", user)
        return NpmConfig(options)

    return make


def test_nearest_first(config):
    project, user = "registry=https://project.example", "registry=https://user.example/"
    environ = {"NPM_CONFIG_REGISTRY": "https://environment.example"}
    assert config(user=user).registry("x") == "https://user.example/"
    assert config(project, user).registry("x") == "https://project.example/"
    assert config(project, user, environ).registry("x") == "https://environment.example/"
    assert config(project, user, environ, registry="https://option.example").registry("x") == "https://option.example/"


@pytest.mark.parametrize("name", ["npm_config_registry", "NPM_CONFIG_REGISTRY", "Npm_Config_Registry"])
def test_the_environment_in_any_case(config, name):
    assert config(environ={name: TEAM}).registry("x") == TEAM


def test_scopes_have_registries_of_their_own(config):
    made = config(f"registry=https://all.example/\n@scope:registry={TEAM}\n")
    assert made.registry("@scope/name") == TEAM
    assert made.registry("@other/name") == "https://all.example/"
    assert made.registry("name") == "https://all.example/"


def test_the_option_beats_a_scope(config):
    assert config(f"@scope:registry={TEAM}", registry="https://o.example/").registry("@scope/x") == "https://o.example/"


def test_files_that_the_environment_names(config, tmp_path):
    write(tmp_path / "u", f"registry={TEAM}")
    write(tmp_path / "g", "registry=https://global.example/\n//global.example/:_authToken=g\n")
    made = config(
        environ={"NPM_CONFIG_USERCONFIG": str(tmp_path / "u"), "npm_config_globalconfig": str(tmp_path / "g")}
    )
    assert made.registry("x") == TEAM
    assert made.credential("https://global.example/x").header == "Bearer g"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("registry = https://a.example/ ; comment", "https://a.example/"),
        ("registry=https://a.example/ # comment", "https://a.example/"),
        ('registry="https://a.example/"', "https://a.example/"),
        ("registry='https://a.example/'", "https://a.example/"),
        ("registry=https://${HOSTNAME_}/", "https://h.example/"),
        ("registry=https://a.example/${MISSING?}", "https://a.example/"),
        (f"; registry=https://no.example/\nregistry={TEAM}", TEAM),
        (f"# registry=https://no.example/\r\n\r\nregistry={TEAM}\r\n", TEAM),
        (f"\ufeffregistry={TEAM}", TEAM),
        (f"loglevel\nregistry={TEAM}", TEAM),
        ("registry=https://user:secret@a.example/", "https://a.example/"),
    ],
)
def test_how_values_are_written(config, line, value):
    assert config(line, environ={"HOSTNAME_": "h.example"}).registry("x") == value


CREDENTIALS = [
    ("//team.example/npm/:_authToken=t", "Bearer t"),
    ("//team.example/:_authToken=t", "Bearer t"),
    ("//team.example/npm:_authToken=t", "Bearer t"),
    ("//team.example/npm/:_authToken=${TOKEN}", "Bearer from the environment"),
    ("//team.example/npm/:_auth=dTpw", "Basic dTpw"),
    ("//team.example/:username=u\n//team.example/:_password=cA==", "Basic dTpw"),
    ("//team.example/:_authToken=far\n//team.example/npm/:_authToken=near", "Bearer near"),
    ("registry=https://u:p@team.example/npm/", "Basic dTpw"),
    ("registry=https://u:p%40@team.example/npm/", "Basic " + base64.b64encode(b"u:p@").decode()),
]


@pytest.mark.parametrize(("text", "header"), CREDENTIALS)
def test_credentials(config, text, header):
    found = config(text, environ={"TOKEN": "from the environment"}).credential(f"{TEAM}@scope%2fname/1.0.0")
    assert found.header == header
    assert header not in repr(found)


def test_a_credential_in_the_environment(config):
    assert config(environ={"npm_config_//team.example/:_authToken": "t"}).credential(TEAM).header == "Bearer t"


OTHERS = [
    "//other.example/:_authToken=t",
    "//team.example:8443/:_authToken=t",
    "//team.example/npm2/:_authToken=t",
    "//team.example/npm/private/:_authToken=t",
    "_authToken=t",
    "_auth=dTpw",
    "registry=https://u:p@other.example/npm/",
    "registry=https://u:p@team.example/npm/private/",
    "registry=http://u:p@team.example/npm/",
    "//team.example/:username=u",
]


@pytest.mark.parametrize("text", OTHERS)
def test_credentials_of_other_addresses_stay_there(config, text):
    assert config(text).credential(f"{TEAM}name") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("registry=${MISSING}", "MISSING"),
        ("registry=https://${MISSING}/", "MISSING"),
        ("registry=ftp://a.example/", "https://"),
        ("registry=not an address", "https://"),
        ("registry=https://", "https://"),
        ("registry=https://a.example:port/", "https://"),
        ("", "NPM_CONFIG_REGISTRY"),
    ],
)
def test_a_registry_that_is_none(config, text, said):
    with pytest.raises(ConfigError) as caught:
        config(text).registry("x")
    assert said in str(caught.value)
    assert caught.value.code is ExitCode.USAGE


def test_a_bad_address_does_not_show_its_password(config):
    with pytest.raises(ConfigError) as caught:
        config("registry=ftp://user:secret@a.example/").registry("x")
    assert "secret" not in str(caught.value)


def test_a_token_that_is_not_set_is_none_yet(config):
    found = config("//team.example/:_authToken=${NPM_TOKEN}").credential(TEAM)
    assert (found.header, found.unset) == ("", "NPM_TOKEN")


def test_a_password_that_is_not_base64(config):
    with pytest.raises(ConfigError) as caught:
        config("//team.example/:username=u\n//team.example/:_password=secret!").credential(TEAM)
    assert "secret" not in str(caught.value)


def npm(folder, script):
    path = folder / "npm"
    write(path, f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "NPM_CONFIG_GLOBALCONFIG": str(folder / "none")}


def test_npm_is_asked_last_and_once(config, tmp_path):
    environ = npm(tmp_path / "bin", f'echo asked >> "{tmp_path}/log"; test "$*" = "config get registry" && echo {TEAM}')
    made = config(environ=environ)
    assert made.registry("x") == made.registry("@scope/y") == TEAM
    assert (tmp_path / "log").read_text() == "asked\n"


def test_npm_is_not_asked_where_the_answer_is_known(config, tmp_path):
    assert config(f"registry={TEAM}", environ=npm(tmp_path / "bin", "exit 1")).registry("x") == TEAM


@pytest.mark.parametrize("script", ["exit 1", "echo undefined", "echo"])
def test_npm_that_does_not_know(config, tmp_path, script):
    with pytest.raises(ConfigError) as caught:
        config(environ=npm(tmp_path / "bin", script)).registry("x")
    assert "NPM_CONFIG_REGISTRY" in str(caught.value)
