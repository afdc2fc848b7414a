"""One settings file's verdict in words: what loads, what does not and why, and how to write it right."""

from driftgate.releases import FileKind
from driftgate.settings.classify import classify_text
from driftgate.settings.pieces import Caution, Counts, FileVerdict, Judge, PieceEffect, Problem, Unreadable, Words

__all__ = [
    "Caution",
    "Counts",
    "FileKind",
    "FileVerdict",
    "Judge",
    "PieceEffect",
    "Problem",
    "Unreadable",
    "Words",
    "classify_text",
]
