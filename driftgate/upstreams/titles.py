"""What the upstreams are called: all that a check without an artefact needs to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from driftgate.errors import DriftgateError, UsageError
from driftgate.near import did_you_mean

DEFAULT_UPSTREAM: Final = "claude-code"
"""The upstream of a configuration that names none."""

TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        DEFAULT_UPSTREAM: "Claude Code",
        "gemini-cli": "Gemini CLI",
        "qwen-code": "Qwen Code",
        "opencode": "OpenCode",
        "codex": "Codex",
        "fx": "fx",
    }
)
"""Name in configurations and snapshots -> what people say. What each of them states is in `rows`."""


def known_upstream(name: str, *, where: str = "", error: type[DriftgateError] = UsageError) -> str:
    """Return `name`, which `where` names, if there is an upstream of that name; else raise `error`."""
    if name not in TITLES:
        raise error(
            f"there is no upstream {name!r}" + did_you_mean(name, TITLES),
            where=where,
            expected=", ".join(TITLES),
        )
    return name
