"""Adopt: the source of a mirror brought up to date with upstream, in its own style, and nothing else changed."""

from driftgate.adopt.run import Adopted, AdoptReport, Change, Instruction, adopt
from driftgate.adopt.writing import unified_diff, write

__all__ = ["AdoptReport", "Adopted", "Change", "Instruction", "adopt", "unified_diff", "write"]
