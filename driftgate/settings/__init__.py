"""One settings file's verdict in words: what loads, what does not and why, and how to write it right."""

from driftgate.releases import FileKind
from driftgate.settings.classify import classify_text
from driftgate.settings.pieces import Caution, Counts, Effect, FileVerdict, Judge, Problem, Unreadable, Words

__all__ = [
    "Caution",
    "Counts",
    "Effect",
    "FileKind",
    "FileVerdict",
    "Judge",
    "Problem",
    "Unreadable",
    "Words",
    "classify_text",
]
