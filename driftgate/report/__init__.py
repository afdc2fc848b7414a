"""Reports of `check`: one module a format, all behind one function.

A format module has `render(report: CheckReport, style: Style) -> str`. Reports only word what the gate found: nothing
here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Final

from driftgate.gate import CheckReport

FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text": "for people at a terminal or in a log",
        "json": "one document, for programs",
    }
)
"""Every format and what it is for; the module of a format has its name."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a report is to look: coloured or not, how many columns wide, how much of it."""

    color: bool = False
    width: int = 100
    quiet: bool = False
    verbose: bool = False


def render(report: CheckReport, format_name: str, style: Style) -> str:
    """Return `report` in the format called `format_name` (a key of `FORMATS`), without a line end at its end."""
    module = import_module(f"driftgate.report.{format_name}")
    text: str = module.render(report, style)
    return text
