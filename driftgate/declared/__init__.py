"""What a package declares: closed sets and field tables, read out of its source without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from driftgate.declared.interpret import notices
from driftgate.declared.read import mentions, read_declared
from driftgate.declared.spec import Spec, parse_spec

if TYPE_CHECKING:
    from driftgate.declared.file_surface import is_source_file, read_file_surface

__all__ = [
    "Spec",
    "is_source_file",
    "mentions",
    "notices",
    "parse_spec",
    "read_declared",
    "read_file_surface",
]


def __getattr__(name: str) -> Any:
    """Load what `check` does not need when it is asked for."""
    if name in ("is_source_file", "read_file_surface"):
        from driftgate.declared import file_surface

        return getattr(file_surface, name)
    raise AttributeError(name)
