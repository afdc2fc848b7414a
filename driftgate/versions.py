"""Release versions: their order, and ranges of them ("`>=2.1.120,<2.2`" as PEP 440 writes them; a space is a comma)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from driftgate.errors import DriftgateError

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_VERSION = re.compile(r"\d+\.\d+\.\d+\Z")
_SPACED = re.compile(r"(?<=[0-9*])\s+(?=[<>=!~])")


def is_version(text: str) -> bool:
    """Return whether `text` is a plain release version such as 2.1.296 (pre-releases are not)."""
    return _VERSION.match(text) is not None


def version_key(version: str) -> tuple[int, ...]:
    """Return the key that sorts plain release versions: "2.1.112" -> (2, 1, 112). Raises ValueError for others."""
    return tuple(map(int, version.split(".")))


def parse_range(text: str, *, where: str, error: type[DriftgateError]) -> SpecifierSet:
    """Return the set of versions that `text` states. Raises `error` with an example where it states none."""
    # Imported here: most runs have no range, and the offline check starts without this.
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return SpecifierSet(_SPACED.sub(",", text.strip()))
    except InvalidSpecifier as problem:
        raise error(
            "not a range of versions",
            where=where,
            expected='e.g. ">=2.1.120" or ">=2.1.120,<2.1.200"',
            found=repr(text),
        ) from problem
