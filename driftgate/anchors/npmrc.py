"""npm's configuration: which registry serves a package, and which credential belongs to which address.

The files and their order are described on npm's manual page `npmrc`(5). No registry's address is known to driftgate
itself.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from driftgate.anchors.address import host_of, is_web, scopes, shown, without_userinfo
from driftgate.anchors.options import FetchOptions
from driftgate.errors import ConfigError
from driftgate.formats.files import read_regular

_VARIABLE: Final = re.compile(r"(?<!\\)(\\*)\$\{([^${}?]+)(\?)?\}")
_LARGEST: Final = 1 << 20
_NPM_PATIENCE: Final = 60.0
_HOW: Final = "set NPM_CONFIG_REGISTRY, or write registry=https://... into .npmrc"


@dataclass(frozen=True, slots=True)
class Credential:
    """A value for the Authorization header, and the name of the setting that it came from.

    `header` is empty where the setting needs the environment variable `unset`, which is not set. Public packages need
    no credential, so that is a fault only once the registry asks for one.
    """

    header: str = field(repr=False)
    source: str
    unset: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of the configuration, and where it is written."""

    value: str = field(repr=False)
    source: str


def _unquoted(text: str) -> str:
    """Return a value of an ini file as npm reads it: quotes taken off, and what follows ; or # cut off."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    bare = re.match(r"(?:\\.|[^;#\\]|\\$)*", text)
    return re.sub(r"\\([;#\\])", r"\1", bare[0] if bare else text).strip()


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of an ini file; those of a section are no settings of npm's. A list is joined by line ends."""
    lists: dict[str, list[str]] = {}
    for line in re.split(r"[\r\n]+", text):
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            break
        if not line or line[0] in ";#":
            continue
        key, equals, value = line.partition("=")
        name, read = _unquoted(key), _unquoted(value) if equals else "true"
        if name.endswith("[]"):
            lists.setdefault(name.removesuffix("[]"), []).append(read)
        else:
            yield name, read
    yield from ((name, "\n".join(values)) for name, values in lists.items())


def _expanded(text: str, environ: Mapping[str, str]) -> str:
    """Return `text` with ${NAME} replaced; an unset one stays, one written ${NAME?} becomes empty."""

    def value(match: re.Match[str]) -> str:
        escapes, name, optional = match.groups()
        if len(escapes) % 2:
            return match[0][1:]
        return escapes[: len(escapes) // 2] + environ.get(name, "" if optional else match[0][len(escapes) :])

    return _VARIABLE.sub(value, text)


def _unset(text: str) -> str | None:
    match = _VARIABLE.search(text)
    return match[2] if match else None


class NpmConfig:
    """npm's configuration, as far as it says where packages come from. Read once, when it is first needed."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._read: Mapping[str, Setting] | None = None
        self._asked: str | None = None

    @property
    def settings(self) -> Mapping[str, Setting]:
        """Every setting; of each key the nearest: the environment, then the project's, user's, system's file."""
        if self._read is None:
            merged: dict[str, Setting] = {}
            for key, setting in (*self._environment(), *self._files()):
                merged.setdefault(key, setting)
            self._read = merged
        return self._read

    def setting(self, name: str) -> Setting | None:
        """Return one setting. Raises ConfigError where it needs an environment variable that is not set."""
        found = self.settings.get(name)
        if found and (variable := _unset(found.value)):
            raise ConfigError(f"{name} needs the environment variable {variable}, which is not set", where=found.source)
        return found

    def _environment(self) -> Iterator[tuple[str, Setting]]:
        for name, value in self._options.environ.items():
            if name.lower().startswith("npm_config_") and value:
                key = name[len("npm_config_") :]
                verbatim = key.startswith(("//", "@"))
                yield key if verbatim else key.lower().replace("_", "-"), Setting(value, f"the environment's {name}")

    def _files(self) -> Iterator[tuple[str, Setting]]:
        environ = self._options.environ
        for path in self._paths():
            try:
                text = read_regular(path, _LARGEST).decode("utf-8-sig", errors="replace")
            except OSError:
                continue
            for key, value in _lines(text):
                yield _expanded(key, environ), Setting(_expanded(value, environ), str(path))

    def _paths(self) -> Iterator[Path]:
        named = {key: setting.value for key, setting in self._environment()}
        yield self._options.project / ".npmrc"
        yield Path(named.get("userconfig") or self._options.home / ".npmrc")
        if place := named.get("globalconfig"):
            yield Path(place)
        elif node := shutil.which("node", path=self._options.environ.get("PATH", "")):
            beside = Path(node).resolve().parent
            yield (beside if sys.platform == "win32" else beside.parent) / "etc" / "npmrc"

    def registry(self, package: str) -> str:
        """Return the address of the registry that serves `package`, ending in "/", without any user or password.

        Raises ConfigError where none is configured, or what is configured is no address.
        """
        return _directory(without_userinfo(self._checked(self._registry_setting(package)).value))

    def stated_registry(self, package: str) -> str | None:
        """Return the address of the registry that a setting names for `package`, None where npm's own choice is meant.

        Opens no socket and does not ask npm. Raises ConfigError where what is configured is no address.
        """
        setting = self._stated(package)
        return None if setting is None else _directory(without_userinfo(self._checked(setting).value))

    def _stated(self, package: str) -> Setting | None:
        if self._options.registry:
            return Setting(self._options.registry, "the option --registry")
        scope = package.partition("/")[0]
        found = self.settings.get(f"{scope}:registry") if scope.startswith("@") else None
        return found or self.settings.get("registry")

    def _registry_setting(self, package: str) -> Setting:
        if found := self._stated(package):
            return found
        if self._asked is None:
            self._asked = self._ask_npm()
        return Setting(self._asked, "npm config get registry")

    def _checked(self, setting: Setting) -> Setting:
        if name := _unset(setting.value):
            raise ConfigError(
                f"the registry's address needs the environment variable {name}, which is not set", where=setting.source
            )
        if not is_web(setting.value):
            raise ConfigError(
                "the registry's address is not one", where=setting.source, expected="https://...", next=_HOW
            )
        return setting

    def _ask_npm(self) -> str:
        # Imported here: most configurations say it themselves.
        import subprocess

        environ = self._options.environ
        npm = shutil.which("npm", path=environ.get("PATH", ""))
        if npm is None:
            raise ConfigError(
                "no package registry is configured, and npm is not installed", expected="npm's configuration", next=_HOW
            )
        try:
            answer = subprocess.run(  # noqa: S603 -- npm as the user's own PATH finds it
                [npm, "config", "get", "registry"],
                cwd=self._options.project,
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_NPM_PATIENCE,
                check=True,
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError) as problem:
            raise ConfigError(
                "no package registry is configured, and npm does not say which it would use",
                where="npm config get registry",
                found=type(problem).__name__,
                next=_HOW,
            ) from problem
        return answer

    def credential(self, url: str) -> Credential | None:
        """Return the credential that is configured for the nearest address above `url`, if any.

        Raises ConfigError where a password is not written as npm writes it.
        """
        for scope in scopes(url):
            for key in (scope, scope.removesuffix("/")):
                if credential := self._of(key):
                    return credential
        return self._of_userinfo(url)

    def _of(self, scope: str) -> Credential | None:
        names = ("_authToken", "_auth", "username", "_password")
        found = {name: setting.value for name in names if (setting := self.settings.get(f"{scope}:{name}"))}
        for name, value in found.items():
            if variable := _unset(value):
                return Credential("", f"{scope}:{name}", variable)
        match found:
            case {"_authToken": token}:
                return Credential(f"Bearer {token}", f"{scope}:_authToken")
            case {"_auth": pair}:
                return Credential(f"Basic {pair}", f"{scope}:_auth")
            case {"username": user, "_password": password}:
                return Credential(_basic(user, _decoded(password, scope)), f"{scope}:_password")
        return None

    def _of_userinfo(self, url: str) -> Credential | None:
        """Return what is written into the registry's own address ("https://user:password@host/")."""
        settings = [setting for key, setting in self.settings.items() if key.split(":")[-1] == "registry"]
        if self._options.registry:
            settings.append(Setting(self._options.registry, "the option --registry"))
        for setting in settings:
            if "@" in setting.value and is_web(setting.value) and _directory(shown(setting.value)) in _above(url):
                user, _, password = setting.value.partition("://")[2].rpartition("@")[0].partition(":")
                return Credential(_basic(unquote(user), unquote(password)), f"the address of {host_of(setting.value)}")
        return None


def _directory(url: str) -> str:
    return url if url.endswith("/") else f"{url}/"


def _above(url: str) -> set[str]:
    return {url.partition("//")[0] + scope for scope in scopes(url)}


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _decoded(password: str, scope: str) -> str:
    try:
        return base64.b64decode(password, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as problem:
        raise ConfigError(f"{scope}:_password is not base64", next="npm login writes it in that form") from problem
