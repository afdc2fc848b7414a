"""What the upstreams are called: all that a check without an artefact needs to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from driftgate.errors import DriftgateError, UsageError
from driftgate.near import nearest

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
        near = nearest(name, TITLES)
        raise error(
            f"there is no upstream {name!r}" + (f"; did you mean {near!r}?" if near else ""),
            where=where,
            expected=", ".join(TITLES),
        )
    return name
