"""The contract's field kinds, each in upstream's words: the one table that joins the two vocabularies.

The gate compares a declared field with an observed one through it; the classifier has one predicate per kind.
Described in the docs under "How it decides".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from driftgate.contract import HOOK_FAILURE_MODES, HOOK_SHELLS


@dataclass(frozen=True, slots=True)
class Kind:
    """What a contract kind is upstream: the kind, its constraints, and the members where it is an enum."""

    upstream: str
    constraints: tuple[str, ...] = ()
    values: tuple[str, ...] | None = None


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "text": Kind("string", ("min(1)",)),
        "string": Kind("string"),
        "url": Kind("string", ("url",)),
        "shell": Kind("enum", values=HOOK_SHELLS),
        "boolean": Kind("boolean"),
        "seconds": Kind("number", ("positive",)),
        "stringRecord": Kind("record<string,string>"),
        "stringList": Kind("array<string>"),
        "record": Kind("record<string,unknown>"),
        "failureMode": Kind("enum", values=HOOK_FAILURE_MODES),
    }
)
