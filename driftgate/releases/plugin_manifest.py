"""The keys of a plugin's manifest besides `hooks`: what they must be, in all releases alike, or the plugin is disabled.

Only what a release surely refuses is refused here: servers and other nested values are looked at as far as their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from driftgate.classifier.outgoing import ConfigPath
from driftgate.classifier.predicates import all_strings, is_url

Check: TypeAlias = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _name(value: Any) -> bool:
    return isinstance(value, str) and value != "" and " " not in value


def _author(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and value["name"] != ""


def _path(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("./")


def _markdown(value: Any) -> bool:
    return _path(value) and value.endswith(".md")


def _one_or_more(check: Check) -> Check:
    return lambda value: all(map(check, value)) if isinstance(value, list) else check(value)


def _server(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in ("command", "url", "type"))


def _servers(value: Any) -> bool:
    if isinstance(value, str):
        return _path(value) or (value.endswith((".mcpb", ".dxt")) and is_url(value))
    return isinstance(value, dict) and all(map(_server, value.values()))


_KEYS: Final[Mapping[str, tuple[str, Check]]] = MappingProxyType(
    {
        "name": ("a string that is not empty and has no spaces", _name),
        "version": ("a string", _text),
        "description": ("a string", _text),
        "author": ("an object with a `name`", _author),
        "homepage": ("a URL", lambda value: isinstance(value, str) and is_url(value)),
        "repository": ("a string", _text),
        "license": ("a string", _text),
        "keywords": ("a list of strings", lambda value: isinstance(value, list) and all_strings(value)),
        "commands": (
            "a path that starts with `./`, a list of these, or an object of commands",
            lambda value: isinstance(value, dict) or _one_or_more(_path)(value),
        ),
        "agents": ("a path that starts with `./` and ends with `.md`, or a list of these", _one_or_more(_markdown)),
        "skills": ("a path that starts with `./`, or a list of these", _one_or_more(lambda v: _path(v) or v == ".")),
        "outputStyles": ("a path that starts with `./`, or a list of these", _one_or_more(_path)),
        "mcpServers": ("a path, an object of servers, or a list of these", _one_or_more(_servers)),
        "lspServers": ("a path, an object of servers, or a list of these", _one_or_more(_servers)),
    }
)
"""Each key: what it must be in words, and whether a value is that."""


MANIFEST_KEYS: Final = frozenset(_KEYS)
"""Keys of a manifest, which are nobody's own words."""


def expected_of(key: str) -> str:
    """Return what the value of `key` must be, in words."""
    return _KEYS[key][0]


def wrong_keys(manifest: dict[str, Any]) -> Iterator[ConfigPath]:
    """Yield each key of `manifest` that is not what it must be; () where it has no `name`."""
    if "name" not in manifest:
        yield ()
    for key, value in manifest.items():
        if key in _KEYS and not _KEYS[key][1](value):
            wrong = [at for at, one in enumerate(value) if not _KEYS[key][1](one)] if isinstance(value, list) else []
            yield (key, wrong[0]) if wrong and key != "keywords" else (key,)
