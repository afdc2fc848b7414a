"""The layers of an option: flag, then environment, then configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from driftgate.project.configuration import Config


def layered(
    name: str, flag: Any, environ: Mapping[str, str], config: Config | None, parse: Callable[[Any], Any] = str
) -> Any:
    """Return option `name` of `OPTIONS`: the flag, else `DRIFTGATE_<NAME>`, else the configuration, else None."""
    if flag not in (None, [], False):
        return flag
    environment = environ.get("DRIFTGATE_" + name.upper().replace("-", "_"))
    if environment:
        return parse(environment)
    return parse(config.options[name]) if config is not None and name in config.options else None
