"""What a package declares: closed sets and field tables, read out of its source without running it."""

from __future__ import annotations

from driftgate.declared.interpret import notices
from driftgate.declared.read import mentions, read_declared
from driftgate.declared.spec import EXAMPLES, Spec, parse_spec

__all__ = ["EXAMPLES", "Spec", "mentions", "notices", "parse_spec", "read_declared"]
